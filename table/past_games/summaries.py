"""Past games: statistics, and the summaries for their list.

A summary is computed from the game's log and cached in a file beside it. A malicious game file may
crash or hang the program. So the cache counts readings that were begun and did not end.

Statistics count finished games only; a person is identified by name.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Literal

import msgspec
from railspotter.scoring.edition import load_edition
from railspotter.scoring.legality import position_problems
from railspotter.scoring.points.final_score import score_of

from ..game_log.database import SIDE_FILE_SUFFIXES
from ..game_log.game_state import GameState
from ..game_log.game_store import ID, SUFFIX, SUMMARY
from ..game_log.log import is_lost
from ..game_log.public_log import public_events

# Why there is no summary: the file is unreadable, its content cannot be scored, or the program
# crashed each time that it was read.
Problem = Literal["file", "content", "ended"]

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


class KeptSummary(msgspec.Struct, frozen=True):
    """The cached summary of a game's file."""

    stamp: Stamp
    summary: Summary | None  # while the file is read, the previous one
    tries: int = 0  # readings that were begun and did not end
    made_by: str = ""  # the program's version: another one may score differently

    def is_of(self, stamp: Stamp) -> bool:
        """Tell whether the summary is complete and up to date."""
        return self.stamp == stamp and not self.tries


def person_key(name: str) -> str:
    """Normalise a name's case and spaces, to identify a person.

    Examples
    --------
    >>> person_key(" Ann  Lee") == person_key("ann lee")
    True
    """
    return " ".join(name.casefold().split())


def make_summary(id: str, game: GameState) -> Summary:
    """Compute a game's summary."""
    table = game.table
    edition = load_edition(table.started.edition)
    score = score_of(table.position)
    results = [
        Result(
            player.seat,
            player.name,
            person_key(player.name) if person_key(player.name) != player.colour else "",
            player.colour,
            one.total,
            one.longest_path.at_least,
            sum(colour == player.colour for colour in table.claims.values()),
            table.ended and player.colour in score.winners,
            one.longest_path.at_most,
        )
        for player, one in zip(table.players, score.players, strict=True)
    ]
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
    )


def load_summary(path: Path) -> KeptSummary | None:
    """Load a game's cached summary; None if there is none of this program's version."""
    try:
        content = path.with_suffix(SUMMARY).read_bytes()
        kept = msgspec.json.decode(content, type=KeptSummary)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return kept if kept.made_by == _version() else None


def save_summary(path: Path, kept: KeptSummary) -> None:
    """Cache a game's summary; errors are ignored, and it is not synced to the disk."""
    file = path.with_suffix(SUMMARY)
    content = msgspec.json.encode(msgspec.structs.replace(kept, made_by=_version()))
    with suppress(OSError):
        with open(file, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as writing:
            writing.write(content)
        if not path.exists():  # the game was deleted meanwhile
            file.unlink()


def stamps(folder: Path) -> dict[str, Stamp]:
    """Return the stamps of all games in a folder, by id."""
    files: dict[str, os.DirEntry[str]] = {}
    with suppress(OSError), os.scandir(folder) as entries:
        files = {entry.name: entry for entry in entries}
    found = {}
    for name, file in files.items():
        game = name.removesuffix(SUFFIX)
        if name != game and ID.fullmatch(game) and (stamp := _stamp(file)):
            beside = files.get(name + SIDE_FILE_SUFFIXES[0])
            found[game] = stamp if beside is None else stamp + _stamp(beside)
    return found


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of one game, as in `stamps`; empty for a missing file."""
    return _stamp(path) + _stamp(path.with_name(path.name + SIDE_FILE_SUFFIXES[0]))


def changed_at_s(stamp: Stamp) -> float:
    """Return the modification time in a stamp."""
    return max(stamp[1::2]) / 1e9


def _stamp(file: Path | os.DirEntry[str]) -> Stamp:
    # The newest events may still be in the write-ahead log, which may be missing.
    with suppress(OSError):
        status = file.stat()
        return (status.st_size, status.st_mtime_ns)
    return ()


@cache
def _version() -> str:
    return metadata.version("railspotter")


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
    """A player over all games: `key` identifies the person, `name` is as last written."""

    key: str
    name: str
    games: int
    wins: int


def people(games: Iterable[Summary]) -> list[Person]:
    """Return everyone with a name, sorted by number of games; `games` are newest first."""
    names: dict[str, str] = {}
    played: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for game in games:
        for key, result in _named(game).items():
            names.setdefault(key, result.name)
            played[key] += 1
            wins[key] += result.is_winner
    found = [Person(key, name, played[key], wins[key]) for key, name in names.items()]
    return sorted(found, key=lambda one: (-one.games, one.key))


def bests(games: Iterable[Summary], player: str = "") -> list[Bests]:
    """Return the records of every edition, of one person or of all; ties go to the earlier game."""
    by_edition: defaultdict[str, list[Summary]] = defaultdict(list)
    for game in games:
        if game.ended:
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
    )


def head_to_head(games: Iterable[Summary], player: str) -> list[Against]:
    """Return a person's results against everyone else, most games first.

    The winner beats the others, also at equal points; else more points beat fewer.
    """
    names: dict[str, str] = {}
    tally: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        results = _named(game)
        if not game.ended or player not in results:
            continue
        own = _rank(results[player])
        for key, result in results.items():
            if key != player:
                names.setdefault(key, result.name)
                other = _rank(result)
                tally[key]["won" if own > other else "lost" if own < other else "even"] += 1
    found = [
        Against(names[key], count.total(), count["won"], count["lost"], count["even"])
        for key, count in tally.items()
    ]
    return sorted(found, key=lambda one: (-one.games, one.name))


def _rank(result: Result) -> tuple[bool, int]:
    return (result.is_winner, result.points)


def _named(game: Summary) -> dict[str, Result]:
    """Return a game's results by person, without people who share a name."""
    keys = [result.key for result in game.players]
    return {one.key: one for one in game.players if one.key and keys.count(one.key) == 1}


def _best(
    results: list[tuple[Summary, str, Result]], value: Callable[[Result], int]
) -> Best | None:
    """Return the highest value; of equal ones the oldest, since games are newest first."""
    most, where = 0, None
    for game, _, result in results:
        if (is_more := value(result)) >= max(most, 1):
            most, where = is_more, (game, result)
    if where is None:
        return None
    game, result = where
    return Best(most, result.name, game.id, game.began_at_s)
