"""Facts and events: the entries of a game's log.

A fact is something that happened; it validates itself against a game and applies itself to it. This
is the base class; the kinds of facts are in `board_facts`, `people_facts`, `course_facts` and
`card_facts`. Their schemas are strict.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from railspotter.scoring.board import Board
from railspotter.scoring.spot import Spot

from .errors import EventError
from .table_state import TableState

Thing = tuple[str, ...]  # a subject of facts: a `Spot`, or e.g. `("seat", "ann")`
SeatId = str  # identifies a player for the whole game; names and colours may change

By = Literal["camera", "person"]
Sure = Annotated[float, msgspec.Meta(ge=0, le=1)]

# Identifies a person in all games of a table; empty for whoever a name says.
PersonId = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{16})?$")]
Strength = Annotated[str, msgspec.Meta(max_length=20, pattern="^[a-z]*$")]
Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Moment = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]


def kind_of(class_name: str) -> str:
    """Convert a fact's class name to its kind, the name in the log.

    >>> kind_of("TicketTaken")
    'ticket_taken'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).lower()


class Fact(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="kind",
    tag=kind_of,
):
    """Something that happened in a game."""

    is_final: ClassVar[bool] = False  # whether it can never be undone
    # Whether it cannot be undone with cards on phones, because later moves depend on it.
    is_final_with_phones: ClassVar[bool] = False
    sets: ClassVar[Mapping[str, Any]] = {}  # the fields of `TableState` that it sets to constants

    @property
    def kind(self) -> str:
        """The kind of fact: its name in the log."""
        return str(self.__struct_config__.tag)

    @property
    def spots(self) -> Collection[Spot]:
        """The spots of the board that it names."""
        return ()

    @property
    def about(self) -> frozenset[Thing]:
        """Its subjects; a fact can no longer be redone after a newer one on the same subject."""
        return frozenset(self.spots) or frozenset({(self.kind,)})

    def check_spots(self, board: Board, where: str) -> None:
        """Raise `EventError` if it names a spot that the board does not have."""
        for spot in self.spots:
            if not spot.is_on(board):
                kind = "place" if spot.kind == "station" else spot.kind
                raise EventError(
                    "{field}: the board {board!r} has no {kind} {name!r}",
                    field=f"{where}.{kind}",
                    board=board.id,
                    kind=kind,
                    name=spot.id,
                )

    def check(self, table: TableState) -> None:
        """Validate it against a running game; raises `EventError` with the field.

        Rule violations are accepted, since they happen on real boards; scoring reports them.
        """
        self.check_spots(table.board, self.kind)

    def apply(self, table: TableState, event: "Event") -> TableState:
        """Return the table after it.

        One that does not fit changes nothing: it may have become invalid when an earlier fact was
        undone.
        """
        return replace(table, **self.sets) if self.sets else table


class Event(msgspec.Struct, frozen=True):
    """A fact in a log. Events are ordered by number, not by time, for clocks jump."""

    seq: Number  # 1 for the first
    at_s: Moment  # seconds since 1970-01-01 UTC, by the writing computer's clock
    fact: Fact
