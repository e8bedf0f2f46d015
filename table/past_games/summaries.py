"""Past games: statistics, and the summaries for their list.

A summary is computed from the game's log and cached in a file beside it, with the log's names. A
malicious game file may crash or hang the program. So the cache counts readings that were begun and
did not end.

Statistics count finished games that the host lets count; a person is told by the present name.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace
from railspotter.scoring.edition import load_edition
from railspotter.scoring.legality import position_problems
from railspotter.scoring.points.final_score import score_of
from railspotter.scoring.spot_names import route_ends

from ..game_log.database import SIDE_FILE_SUFFIXES
from ..game_log.facts import PersonId
from ..game_log.game_state import GameState
from ..game_log.game_store import SUMMARY, GameStore
from ..game_log.log import is_lost
from ..game_log.public_log import public_events
from .people import People, has_name, person_key

# Why there is no summary: the file is unreadable, its content cannot be scored, or the program
# crashed each time that it was read.
Problem = Literal["file", "content", "ended"]

MOST_LOVED = 5  # routes of an edition
VERSION = metadata.version("railspotter")
# Sizes and modification times of a game's files: the cache key.
Stamp = tuple[int, ...]


class Result(msgspec.Struct, frozen=True):
    """A player's result."""

    seat: str
    name: str
    key: str  # identifies the person in other games; empty without a name
    colour: str
    points: int  # without unrevealed tickets
    longest_path: int  # spaces; a lower bound if `longest_path_at_most` is more
    claims: int  # the number of routes
    is_winner: bool = False
    longest_path_at_most: int = 0
    person: PersonId = ""  # in the cache only if the log tells it
    tickets: int = 0  # that were shown
    tickets_done: int = 0
    routes: tuple[str, ...] | UnsetType = UNSET  # names of the claimed ones; not listed

    @property
    def is_path_exact(self) -> bool:
        """Whether the longest path's length is exact."""
        return self.longest_path >= self.longest_path_at_most


class Summary(msgspec.Struct, frozen=True):
    """One game in the list; contains nothing secret."""

    id: str
    name: str = ""
    edition: str = ""
    title: str = ""
    began_at_s: float = 0.0  # in seconds since 1970-01-01 UTC
    ended: bool = False
    players: tuple[Result, ...] = ()  # winners first, then by points
    is_damaged: bool = False  # there is no summary, and no other field is set
    problem: Problem | None = None  # why not
    lost_events: int = 0  # how many `EventLost` there are
    # The time of the last public event. The last write is secret: it may be a taken ticket.
    played_at_s: float = 0.0
    packed_away: bool = False  # whether its board is packed away, and not rebuilt yet
    is_unsure: bool = False  # whether what lies there cannot be by the rules; then it has no record
    counts: bool = True  # whether the host lets it count for statistics

    @property
    def is_counted(self) -> bool:
        """Whether it counts: it is over, and nobody said otherwise."""
        return self.ended and self.counts


class KeptSummary(msgspec.Struct, frozen=True):
    """The cached summary of a game's file."""

    stamp: Stamp
    summary: Summary | None  # while the file is read, the previous one
    tries: int = 0  # readings that were begun and did not end
    made_by: str = ""  # the program's version: another one may score differently

    def is_of(self, stamp: Stamp) -> bool:
        """Tell whether the summary is complete and up to date."""
        return self.stamp == stamp and not self.tries


def make_summary(id: str, game: GameState) -> Summary:
    """Compute a game's summary."""
    table = game.table
    edition = load_edition(table.started.edition)
    score = score_of(table.position)
    results = []
    for player, one in zip(table.players, score.players, strict=True):
        is_person = not player.computer and has_name(player.name, player.colour)
        routes = [route for route, colour in table.claims.items() if colour == player.colour]
        kinds = Counter(line.kind for line in one.lines)
        results.append(
            Result(
                player.seat,
                player.name,
                person_key(player.name) if is_person else "",
                player.colour,
                one.total,
                one.longest_path.at_least,
                len(routes),
                table.ended and player.colour in score.winners,
                one.longest_path.at_most,
                player.person,
                kinds["ticket_done"] + kinds["ticket_open"],
                kinds["ticket_done"],
                tuple(route_ends(table.board, route) for route in routes),
            )
        )
    results.sort(key=lambda one: (not one.is_winner, -one.points))
    return Summary(
        id,
        table.name,
        edition.id,
        edition.title,
        game.events[0].at_s,
        table.ended,
        tuple(results),
        lost_events=sum(map(is_lost, game.events)),
        played_at_s=max(event.at_s for event in public_events(game)),
        packed_away=table.packed_away and not table.ended,
        is_unsure=bool(position_problems(table.position)),
        counts=table.counts,
    )


def called_now(game: Summary, people: People) -> Summary:
    """Return a summary with its people's present names; who is forgotten has none."""

    def called(one: Result) -> Result:
        person, name = people.who(one.name, one.person)
        return replace(one, person=person, name=name, key=person_key(name)) if one.key else one

    return replace(game, players=tuple(map(called, game.players)))


def for_list(game: Summary) -> Summary:
    """Return a summary without what only statistics need."""
    return replace(game, players=tuple(replace(one, routes=UNSET) for one in game.players))


def load_summary(path: Path) -> KeptSummary | None:
    """Load a game's cached summary; None if there is none of this program's version."""
    try:
        content = path.with_suffix(SUMMARY).read_bytes()
        kept = msgspec.json.decode(content, type=KeptSummary)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return kept if kept.made_by == VERSION else None


def save_summary(path: Path, kept: KeptSummary) -> None:
    """Cache a game's summary; errors are ignored, and it is not synced to the disk."""
    file = path.with_suffix(SUMMARY)
    content = msgspec.json.encode(msgspec.structs.replace(kept, made_by=VERSION))
    with suppress(OSError):
        with open(file, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as writing:
            writing.write(content)
        if not path.exists():  # the game was deleted meanwhile
            file.unlink()


def stamps(store: GameStore) -> dict[str, Stamp]:
    """Return the stamps of all games, by id."""
    found = ((game, stamp_of(store.path(game))) for game in store.ids())
    return {game: stamp for game, stamp in found if stamp}


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of one game; empty for a missing file."""
    stamp: Stamp = ()
    # The newest events may still be in the write-ahead log, which may be missing.
    for file in (path, path.with_name(path.name + SIDE_FILE_SUFFIXES[0])):
        with suppress(OSError):
            status = file.stat()
            stamp += (status.st_size, status.st_mtime_ns)
    return stamp


def changed_at_s(stamp: Stamp) -> float:
    """Return the modification time in a stamp."""
    return max(stamp[1::2]) / 1e9


@dataclass(frozen=True)
class Best:
    """A record: the value, who reached it, and in which game."""

    value: int
    name: str
    game: str
    at_s: float


@dataclass(frozen=True)
class Bests:
    """The records of one edition."""

    edition: str
    title: str
    games: int  # finished games, of that person if the records are one person's
    # None if nobody with a name has such a record.
    most_points: Best | None
    longest_path: Best | None
    most_routes: Best | None
    wins: int  # of `winner`, who has the most
    winner: str
    # Of these people: points on average, tickets, and in how many games they claimed which routes.
    average: float
    tickets: int
    tickets_done: int
    routes: dict[str, int]  # the most often claimed ones, by name


@dataclass(frozen=True)
class Against:
    """One person's results against another, in finished games of both."""

    name: str
    games: int
    won: int
    lost: int
    even: int


@dataclass(frozen=True)
class Person:
    """A player over all games."""

    key: str  # of the name, which `GET /games` asks for
    name: str
    games: int
    wins: int  # of the games that count
    person: PersonId = ""
    colour: str = ""  # in the newest game
    counted: int = 0  # games that are over and count
    played_at_s: float = 0.0  # when the newest game began


def people(games: Iterable[Summary]) -> list[Person]:
    """Return everyone with a name, sorted by number of games; `games` are newest first."""
    played: defaultdict[str, list[tuple[Summary, Result]]] = defaultdict(list)
    for game in games:
        for key, result in _named(game).items():
            played[key].append((game, result))
    found = []
    for key, own in played.items():
        won = [result.is_winner for game, result in own if game.is_counted]
        at_s, who = own[0][0].began_at_s, own[0][1]
        found.append(
            Person(key, who.name, len(own), sum(won), who.person, who.colour, len(won), at_s)
        )
    return sorted(found, key=lambda one: (-one.games, one.key))


def bests(games: Iterable[Summary], player: str = "") -> list[Bests]:
    """Return the records of every edition, of one person or of all; ties go to the earlier game."""
    by_edition: defaultdict[str, list[Summary]] = defaultdict(list)
    for game in games:
        if game.is_counted:
            by_edition[game.edition].append(game)
    found = [_bests(edition, played, player) for edition, played in sorted(by_edition.items())]
    return [one for one in found if one.games]


def _bests(edition: str, played: list[Summary], player: str) -> Bests:
    played_by = [
        (game, key, result)
        for game in played
        for key, result in _named(game).items()
        if player in ("", key)
    ]
    own = [one for one in played_by if not one[0].is_unsure]
    results = [result for _, _, result in played_by]
    loved = Counter(name for one in results for name in dict.fromkeys(one.routes or ()))
    wins = Counter(key for _, key, result in own if result.is_winner)
    # The most wins; of several who have as many, the first of the alphabet.
    best = min(wins, key=lambda key: (-wins[key], key), default="")
    return Bests(
        edition,
        played[0].title,
        len({game.id for game, _, _ in played_by} if player else played),
        _best(own, lambda result: result.points),
        # A record is a length that is known, not a bound of one.
        _best(own, lambda result: result.longest_path if result.is_path_exact else 0),
        _best(own, lambda result: result.claims),
        wins[best],
        next((result.name for _, key, result in own if key == best), ""),
        sum(one.points for one in results) / max(len(results), 1),
        sum(one.tickets for one in results),
        sum(one.tickets_done for one in results),
        dict(loved.most_common(MOST_LOVED)),
    )


def head_to_head(games: Iterable[Summary], player: str) -> list[Against]:
    """Return a person's results against everyone else, most games first.

    The winner beats the others, also at equal points; else more points beat fewer.
    """
    names: dict[str, str] = {}
    tally: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        results = _named(game)
        if not game.is_counted or player not in results:
            continue
        ranks = {key: (one.is_winner, one.points) for key, one in results.items()}
        for key, result in results.items():
            if key != player:
                names.setdefault(key, result.name)
                own, other = ranks[player], ranks[key]
                tally[key]["won" if own > other else "lost" if own < other else "even"] += 1
    found = [
        Against(names[key], count.total(), count["won"], count["lost"], count["even"])
        for key, count in tally.items()
    ]
    return sorted(found, key=lambda one: (-one.games, one.name))


def _named(game: Summary) -> dict[str, Result]:
    """Return a game's results by person, without people who share a name."""
    keys = [result.key for result in game.players]
    return {one.key: one for one in game.players if one.key and keys.count(one.key) == 1}


def _best(
    results: list[tuple[Summary, str, Result]], value: Callable[[Result], int]
) -> Best | None:
    """Return the highest value; of equal ones the oldest, since games are newest first."""
    found = max(reversed(results), key=lambda one: value(one[2]), default=None)
    if found is None or value(found[2]) < 1:
        return None
    game, _, result = found
    return Best(value(result), result.name, game.id, game.began_at_s)
