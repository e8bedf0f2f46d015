"""Facts: what can happen in a game, in the rulebooks' words.

A fact says one thing. All are strict: what is not a fact is refused with the path of what is wrong.
Here are those about people and about the course of a game; `board_facts` has those about the board.
A player is named by a seat, which stays with the person whatever the name or the colour.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Annotated, Any, Literal

import msgspec
from railspotter.scoring.board import Board, Identifier
from railspotter.scoring.game import Name, TicketText

Thing = tuple[str, ...]  # something that facts are about: a `Spot`, or as `("seat", "ann")`

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

    @property
    def kind(self) -> str:
        """What kind of fact it is."""
        return kind_of(type(self).__name__)

    @property
    def about(self) -> frozenset[Thing]:
        """The things that it says something about; a newer fact about one outdates a redo."""
        return frozenset({(self.kind,)})


SeatId = str


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody at the table."""

    seat: Identifier  # stays with the person for the whole game, whatever the name or the colour
    colour: Colour
    name: Title = ""
    shape: Shape = ""  # what the accessible edition's pieces of that colour are called
    computer: Strength = ""  # how strong a computer plays in this seat; empty for a person


def free_seat(name: str, taken: Collection[str]) -> SeatId:
    """Return a seat for somebody of that name, which nobody has yet.

    Examples
    --------
    >>> free_seat("Anna Maria", []), free_seat("Bo!", ["bo"]), free_seat("李", [])
    ('anna-maria', 'bo-2', 'seat')
    """
    seat = plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:60].strip("-") or "seat"
    number = 1
    while seat in taken:
        number += 1
        seat = f"{plain}-{number}"
    return seat


class OfSeat(Fact, frozen=True):
    """Something about one player."""

    seat: Identifier

    @property
    def about(self) -> frozenset[Thing]:
        """The player."""
        return frozenset({("seat", self.seat)})


class PlayerRenamed(OfSeat, frozen=True):
    """A player has another name."""

    name: Title


class PlayerRecoloured(OfSeat, frozen=True):
    """A player's trains are of another colour than was said; what lies there stays the player's."""

    colour: Colour
    shape: Shape = ""


class SeatsSwapped(Fact, frozen=True):
    """Two players were taken for each other.

    Colours, trains and turn order stay as they are; the two change over, with name and tickets.
    """

    seat: Identifier
    other: Identifier

    @property
    def about(self) -> frozenset[Thing]:
        """Both players."""
        return frozenset({("seat", self.seat), ("seat", self.other)})


class PlayerCameIn(Fact, frozen=True):
    """Somebody joined a running game, or came back."""

    player: Player
    # In the turn order, from 0; without it, last, or where the player sat before.
    place: Annotated[int, msgspec.Meta(ge=0, le=12)] | None = None

    @property
    def about(self) -> frozenset[Thing]:
        """The player."""
        return frozenset({("seat", self.player.seat)})


class PlayerLeft(OfSeat, frozen=True):
    """A player takes no more turns; trains and tickets still count."""


class PlayerHandedOver(OfSeat, frozen=True):
    """A computer plays on in a player's seat, with that hand; or a person does again."""

    computer: Strength = ""  # how strong the computer plays; empty for a person


class HandPassedOn(OfSeat, frozen=True):
    """A phone that took over a player's seat sees the cards there from now on."""

    # The player who said whose phone it is; None for the host, whose phone had kept the hand.
    by: Identifier | None = None
    is_new: bool = False  # whether nobody said so, and the hand was dealt anew


class OfTicket(OfSeat, frozen=True):
    """Something about one ticket of a player."""

    ticket: TicketText

    @property
    def about(self) -> frozenset[Thing]:
        """The ticket in that player's hand."""
        return frozenset({("ticket", self.seat, *sorted((self.ticket.a, self.ticket.b)))})


class TicketTaken(OfTicket, frozen=True):
    """A player kept a ticket. Nobody else's business until it is revealed."""


class TicketDropped(OfTicket, frozen=True):
    """A player does not have that ticket after all."""


class TicketRevealed(OfTicket, frozen=True):
    """A player shows a ticket to everyone."""


class MarkerCompared(OfSeat, frozen=True):
    """The number where a player's score marker stands, for comparison."""

    said: Annotated[int, msgspec.Meta(ge=-1000, le=10_000)]

    @property
    def about(self) -> frozenset[Thing]:
        """The player's marker."""
        return frozenset({("marker", self.seat)})


class GameStarted(Fact, frozen=True):
    """A game began; always the first event, and only that."""

    edition: Name
    # In turn order.
    players: Annotated[tuple[Player, ...], msgspec.Meta(min_length=1, max_length=12)]
    name: Title = ""
    # The content of a board file of the user's own; without, it is the edition's board.
    board: Board | None = None
    # Rules of the edition by name, with other values.
    house_rules: dict[str, Any] = msgspec.field(default_factory=dict)
    # Where the train cards and tickets are: on the table, or dealt to phones.
    cards: Literal["table", "phones"] = "table"


class GameRenamed(Fact, frozen=True):
    """The game has another name."""

    name: Title


class TurnMarked(Fact, frozen=True):
    """Whose turn it is."""

    seat: Identifier

    @property
    def about(self) -> frozenset[Thing]:
        """The turn."""
        return frozenset({("turn",)})


class LastTurnsBegun(Fact, frozen=True):
    """A player's turn brought the last turns."""

    seat: Identifier


class GamePaused(Fact, frozen=True):
    """Nobody plays for a while: what the camera sees is no turn."""

    @property
    def about(self) -> frozenset[Thing]:
        """Whether it is paused."""
        return frozenset({("pause",)})


class GamePackedAway(Fact, frozen=True):
    """The game is paused, and the board is put away; the event's crop shows how it lay.

    It is rebuilt before the game is resumed.
    """

    @property
    def about(self) -> frozenset[Thing]:
        """Whether it is paused."""
        return frozenset({("pause",)})


class GameResumed(Fact, frozen=True):
    """The game goes on."""

    @property
    def about(self) -> frozenset[Thing]:
        """Whether it is paused."""
        return frozenset({("pause",)})


class GameEnded(Fact, frozen=True):
    """Everyone had a last turn."""


class PointsCounted(Fact, frozen=True):
    """All tickets are shown that will be: who has won may be said."""

    @property
    def about(self) -> frozenset[Thing]:
        """Whether they are counted."""
        return frozenset({("counted",)})


class EventLost(Fact, frozen=True):
    """From here on the game's file was damaged: what was written is not known."""

    # In logs of older programs, which left single events out, what kind of fact it was.
    was: Annotated[str, msgspec.Meta(max_length=40, pattern="^[a-z_]*$")] = ""


class Undone(Fact, frozen=True):
    """A person took back what an earlier event says."""

    event: Number


class Redone(Fact, frozen=True):
    """A person put back what was taken back."""

    event: Number
