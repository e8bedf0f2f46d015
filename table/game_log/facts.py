"""Facts and events: what can happen in a game, in the rulebooks' words, and when it did.

A fact says one thing, and knows what it is about, whether it fits a game and what it changes. Here
is what all have in common; the kinds of facts are in `board_facts`, `people_facts`, `course_facts`
and `card_facts`. All are strict: what is not a fact is refused with the path of what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from railspotter.scoring.board import Board
from railspotter.scoring.spot import Spot

from .errors import EventError
from .table_state import TableState

Thing = tuple[str, ...]  # something that facts are about: a `Spot`, or as `("seat", "ann")`
SeatId = str  # stays with a person for the whole game, whatever the name or the colour

By = Literal["camera", "person"]
Sure = Annotated[float, msgspec.Meta(ge=0, le=1)]

ONE_LINE = r"^[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$(?!\n)"
"""Text that people wrote is shown in terminals and tables: it has no line ends, nothing unseen.

Nor signs that turn the direction of what follows. Python's `$` alone lets a line end pass.
"""
Words = Annotated[str, msgspec.Meta(max_length=200, pattern=ONE_LINE)]
Title = Annotated[str, msgspec.Meta(max_length=80, pattern=ONE_LINE)]
Shape = Annotated[str, msgspec.Meta(max_length=40, pattern=ONE_LINE)]
Colour = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=ONE_LINE)]
Strength = Annotated[str, msgspec.Meta(max_length=20, pattern="^[a-z]*$")]
Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Moment = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]


def kind_of(class_name: str) -> str:
    """Return what a kind of fact is called in the log.

    Examples
    --------
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
    """Something that happened."""

    is_final: ClassVar[bool] = False  # whether it can never be undone
    # Whether moves rest on it that are played again with every fold: it is final where cards are
    # on phones.
    bears_moves: ClassVar[bool] = False
    sets: ClassVar[Mapping[str, Any]] = {}  # what of the table it says by itself

    @property
    def kind(self) -> str:
        """What kind of fact it is."""
        return str(self.__struct_config__.tag)

    @property
    def spots(self) -> Collection[Spot]:
        """What it names of the board."""
        return ()

    @property
    def about(self) -> frozenset[Thing]:
        """The things that it says something about; a newer fact about one outdates a redo."""
        return frozenset(self.spots) or frozenset({(self.kind,)})

    def check_spots(self, board: Board, where: str) -> None:
        """Refuse it where it names what the board has not; raises `EventError`."""
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
        """Refuse it where it names what a running game has not; raises `EventError` with the field.

        What the rules do not allow is none of that: a board can hold it, and scoring tells.
        """
        self.check_spots(table.board, self.kind)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Return the table after it, as it was said in an event.

        Any fact can follow any other: one that does not fit changes nothing. That is what undoing
        needs, for a fact that was right may stand in a log in which one before it was taken back.
        """
        return replace(table, **self.sets) if self.sets else table


class Event(msgspec.Struct, frozen=True):
    """A fact in a log. The numbers order the log; times are only told, for clocks jump."""

    seq: Number  # 1 for the first
    at_s: Moment  # when, in seconds since 1970-01-01 UTC, as the clock of whoever wrote it said
    fact: Fact
