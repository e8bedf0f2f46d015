"""Facts: what can happen in a tournament. A log of them, folded, is the tournament.

Whoever takes part is an *entrant*, named by an id that stays whatever the name. As in the log of a
game, a fact is strict: what is not one is refused with the path of what is wrong.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta
from railspotter.table.game_log import Fact, Number, Title

from ..messages import Id
from .errors import TournamentFactError

Name = Annotated[Title, Meta(min_length=1)]
Points = Annotated[int, Meta(ge=-10_000, le=10_000)]
TableSize = Annotated[int, Meta(ge=2, le=5)]
Seed = Annotated[int, Meta(ge=0, le=2**53)]
PlacePoints = Annotated[int, Meta(ge=0, le=1000)]
TieBreak = Literal["share", "wins", "encounters", "opponents"]


def even_points() -> dict[int, tuple[int, ...]]:
    """Return what places at tables of each size are worth, unless the host says otherwise.

    The first takes 12 points, the last none, those between evenly spaced ones: 12 times the share
    of the others at the table whom one leaves behind. So a win is worth the same at every table,
    and every table pays 6 points a player: nobody gains by a table's size.

    Examples
    --------
    >>> even_points()
    {2: (12, 0), 3: (12, 6, 0), 4: (12, 8, 4, 0), 5: (12, 9, 6, 3, 0)}
    """
    return {
        size: tuple(12 * behind // (size - 1) for behind in reversed(range(size)))
        for size in range(2, 6)
    }


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a host decides before a tournament.

    Attributes
    ----------
    smallest, preferred, largest : int
        Players at a table.
    place_points : dict of int to tuple of int
        By the size of a table, tournament points from the first place to the last.
    bye_points : int
        For a round without a table: by default what a table pays on average.
    clubs_apart : bool
        Whether the first round keeps mates of one club apart where it can.
    tie_breaks : tuple of str
        What decides between level points, the first first.
    """

    smallest: TableSize = 2
    preferred: TableSize = 4
    largest: TableSize = 5
    place_points: dict[TableSize, tuple[PlacePoints, ...]] = msgspec.field(
        default_factory=even_points
    )
    bye_points: PlacePoints = 6
    clubs_apart: bool = True
    tie_breaks: tuple[TieBreak, ...] = ("share", "wins", "encounters", "opponents")


class TournamentStarted(Fact, frozen=True):
    """A tournament is announced; nobody takes part yet."""

    name: Name
    rules: Rules = Rules()


class OfEntrant(Fact, frozen=True):
    """Something about one who takes part."""

    entrant: Id


class EntrantAdded(OfEntrant, frozen=True):
    """Somebody takes part, before the first round or after it.

    Attributes
    ----------
    club : str
        Empty for somebody of no club.
    present : bool
        False for somebody who has not come yet.
    """

    name: Name
    club: Title = ""
    present: bool = True


class EntrantRenamed(OfEntrant, frozen=True):
    """Somebody's name or club was written wrongly."""

    name: Name
    club: Title = ""


class EntrantArrived(OfEntrant, frozen=True):
    """Somebody came late, or is back: to be seated from the next round on."""


class EntrantDroppedOut(OfEntrant, frozen=True):
    """Somebody has gone: to be seated no more, with the points that were won until now."""


class OfRound(Fact, frozen=True):
    """Something about one round, counted from 1."""

    round: Number


class RoundSeated(OfRound, frozen=True):
    """Who plays where; said again before there are results, it replaces the seating.

    Attributes
    ----------
    tables : tuple of tuple of str
        From table 1 on, in the order of seats.
    byes : tuple of str
        Who has no table.
    seed : int, optional
        What the lot was drawn by, so that anybody can draw it again; none where nobody drew one.
    """

    tables: tuple[tuple[Id, ...], ...]
    byes: tuple[Id, ...] = ()
    seed: Seed | None = None


class EntrantsSwapped(OfRound, frozen=True):
    """Two changed seats: at one table, between two, or with one who has none."""

    one: Id
    other: Id


class OfResult(OfRound, frozen=True):
    """How a game at a table ended.

    Attributes
    ----------
    table : int
        Counted from 1.
    points : dict of str to int
        The game's points, of exactly the table's players.
    winners : tuple of str
        Whom the game's own tie-breaks made the winner, or several; they come first whatever their
        points. Empty where points alone say it.
    """

    table: Number
    points: dict[Id, Points]
    winners: tuple[Id, ...] = ()


class ResultEntered(OfResult, frozen=True):
    """The first result of a table."""


class ResultCorrected(OfResult, frozen=True):
    """Another result of a table that has one, in this round or an earlier one."""


class ResultWithdrawn(OfRound, frozen=True):
    """A table of the open round has no result after all: it was another table's."""

    table: Number


class RoundClosed(OfRound, frozen=True):
    """A round is over; the next one can be seated."""


TournamentFact: TypeAlias = (
    TournamentStarted
    | EntrantAdded
    | EntrantRenamed
    | EntrantArrived
    | EntrantDroppedOut
    | RoundSeated
    | EntrantsSwapped
    | ResultEntered
    | ResultCorrected
    | ResultWithdrawn
    | RoundClosed
)

_DECODER: msgspec.json.Decoder[TournamentFact] = msgspec.json.Decoder(TournamentFact)


def fact_text(fact: TournamentFact) -> str:
    """Return a fact as one line of JSON; `parse_fact` undoes it.

    Examples
    --------
    >>> fact_text(EntrantAdded("ann", "Ann", club="Bern"))
    '{"kind":"entrant_added","entrant":"ann","name":"Ann","club":"Bern"}'
    """
    return msgspec.json.encode(fact).decode()


def parse_fact(text: bytes | str) -> TournamentFact:
    """Read a fact.

    Raises
    ------
    TournamentFactError
        For the first thing that is wrong, with the path of the field.

    Examples
    --------
    >>> parse_fact('{"kind": "entrant_arrived", "entrant": "ann"}')
    EntrantArrived(entrant='ann')
    """
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TournamentFactError(
            "this is no fact of a tournament: {reason}", reason=str(error)
        ) from error
