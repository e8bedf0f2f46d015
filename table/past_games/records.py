"""Statistics of people and records, over past games.

They count games that are over and that the host lets count. A person is told by the name's key.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import starmap

from ..game_log.facts import PersonId
from .summaries import Result, Summary

MOST_LOVED = 5  # routes of an edition


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
    # Of these people: points on average, tickets, and the routes most often claimed.
    average: float = 0.0
    tickets: int = 0
    tickets_done: int = 0
    routes: tuple["Loved", ...] = ()


@dataclass(frozen=True)
class Loved:
    """A route, whichever lane, that was claimed in so many games."""

    name: str
    games: int


@dataclass(frozen=True)
class Against:
    """One person's results against another, in finished games of both."""

    name: str
    games: int
    won: int
    lost: int
    even: int
    person: PersonId = ""
    colour: str = ""  # in the newest of these games


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
    newest: dict[str, tuple[Summary, Result]] = {}
    played, counted, wins = Counter[str](), Counter[str](), Counter[str]()
    for game in games:
        for key, result in _named(game).items():
            newest.setdefault(key, (game, result))
            played[key] += 1
            counted[key] += game.is_counted
            wins[key] += game.is_counted and result.is_winner
    found = [
        Person(
            key,
            one.name,
            played[key],
            wins[key],
            one.person,
            one.colour,
            counted[key],
            game.began_at_s,
        )
        for key, (game, one) in newest.items()
    ]
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
    loved = Counter(name for one in results for name in set(one.routes or ()))
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
        tuple(starmap(Loved, sorted(loved.items(), key=_most_loved)[:MOST_LOVED])),
    )


def head_to_head(games: Iterable[Summary], player: str) -> list[Against]:
    """Return a person's results against everyone else, most games first.

    The winner beats the others, also at equal points; else more points beat fewer.
    """
    newest: dict[str, Result] = {}
    tally: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        results = _named(game)
        if not game.is_counted or player not in results:
            continue
        own = _rank(results[player])
        for key, result in results.items():
            if key != player:
                newest.setdefault(key, result)
                other = _rank(result)
                tally[key]["won" if own > other else "lost" if own < other else "even"] += 1
    found = [
        Against(
            newest[key].name,
            count.total(),
            count["won"],
            count["lost"],
            count["even"],
            newest[key].person,
            newest[key].colour,
        )
        for key, count in tally.items()
    ]
    return sorted(found, key=lambda one: (-one.games, one.name))


def _most_loved(item: tuple[str, int]) -> tuple[int, str]:
    return (-item[1], item[0])


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
