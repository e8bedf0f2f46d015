"""What is sent with calls about The Card Game; all strict, and described by these types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from railspotter.scoring.card_game_text import CircleColour

from .bodies import Body

SeatColour = Literal["black", "blue", "green", "orange", "purple", "red", "white", "yellow"]
Card = Literal["black", "blue", "green", "orange", "pink", "red", "white", "yellow", "locomotive"]
City = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Count = Annotated[int, msgspec.Meta(ge=0, le=60)]
Place = Annotated[int, msgspec.Meta(ge=0, le=59)]
Seen = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{16})?$")]
"""What names the state that was seen, empty for none."""
Bonuses = Annotated[
    dict[City, Annotated[int, msgspec.Meta(ge=0, le=200)]], msgspec.Meta(max_length=30)
]


class CardTicket(Body, frozen=True):
    """A ticket as it is printed: one city or two, the cards that complete it, its points."""

    cities: Annotated[list[City], msgspec.Meta(min_length=1, max_length=2)]
    circles: Annotated[
        dict[CircleColour, Annotated[int, msgspec.Meta(ge=1, le=5)]], msgspec.Meta(min_length=1)
    ]
    points: Annotated[int, msgspec.Meta(ge=1, le=100)]


class CardSeat(Body, frozen=True):
    """A player; `was` is the colour so far of one who plays already."""

    colour: SeatColour
    name: Annotated[str, msgspec.Meta(max_length=40)] = ""
    was: SeatColour | None = None


Seats = Annotated[list[CardSeat], msgspec.Meta(min_length=2, max_length=4)]


class NewCardGame(Body, frozen=True):
    """Who plays, in turn order."""

    players: Seats


class CardGameChange(Body, frozen=True):
    """What is other in the whole game; what is missing stays."""

    seen: Seen
    players: Seats | None = None
    final: bool | None = None
    round: Literal[1, 2] | None = None
    city_bonuses: Bonuses | None = None


class CardGameText(Body, frozen=True):
    """A whole game as text; `seen` where it takes the place of one."""

    game: dict[str, Any]
    seen: Seen = ""


class CardHolding(Body, frozen=True):
    """A player's cards on the track and tickets.

    `chosen` has the positions of the tickets to complete, null for the best choice.
    """

    seen: Seen
    stack: dict[Card, Count]
    tickets: Annotated[list[CardTicket], msgspec.Meta(max_length=60)]
    chosen: Annotated[list[Place], msgspec.Meta(max_length=60)] | None = None


class SeenGame(Body, frozen=True):
    """The state of the game that was seen."""

    seen: Seen


class CardDeck(Body, frozen=True):
    """The whole deck, in place of the one that was seen; at most 150 tickets."""

    seen: Seen
    tickets: list[CardTicket]
    city_bonuses: Bonuses


class DeckText(Body, frozen=True):
    """A deck as it was pasted: a table or a deck file."""

    text: str
