"""What is sent with calls that change something; all strict, and described by these types."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.table.game_log import Colour, Number, Title

Kind = Literal["route", "station", "site"]
Points = Annotated[int, msgspec.Meta(ge=1, le=100)]
SpotKey = Annotated[str, msgspec.Meta(pattern="^(route|station|site):[a-z0-9-]{1,80}$")]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a call sends."""


class Nothing(Body, frozen=True):
    """Nothing, or an empty object."""


class Token(Body, frozen=True):
    """What stands behind the # of a join code or of a host's link."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class Seat(Body, frozen=True):
    """One seat."""

    seat: Identifier


class Swap(Body, frozen=True):
    """Two seats whose people were taken for each other."""

    seat: Identifier
    other: Identifier


class Correction(Body, frozen=True):
    """What stands on a spot: `was` as the page showed it, `now` in truth; null is free."""

    kind: Kind
    about: Identifier
    was: Colour | None
    now: Colour | None


class Reply(Body, frozen=True):
    """What a question is answered; null is free."""

    now: Colour | None


class Which(Body, frozen=True):
    """An event by its number; without it, the next one."""

    event: Number | None = None


class Joining(Body, frozen=True):
    """What lay on the board, whose by what; without it, what was seen there."""

    spots: dict[SpotKey, Colour] | None = None


class Mended(Body, frozen=True):
    """A player's name or colour, for the whole game."""

    name: Title | None = None
    colour: Colour | None = None


class NewPlayer(Body, frozen=True):
    """Somebody who comes in; `place` in the turn order from 0, without it last.

    `seat` brings back somebody who left.
    """

    name: Annotated[Title, msgspec.Meta(min_length=1)]
    colour: Colour
    place: Annotated[int, msgspec.Meta(ge=0, le=12)] | None = None
    seat: Identifier | None = None


class Marker(Body, frozen=True):
    """The number where a player's score marker stands."""

    seat: Identifier
    said: Annotated[int, msgspec.Meta(ge=-1000, le=10_000)]


class ChosenDisplay(Body, frozen=True):
    """What is to be changed of the display beside the board: its name as behind `--display`."""

    display: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None
    brightness: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    palette: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] | None = None


class KeptTicket(Body, frozen=True):
    """A ticket by its two places; `points` where the deck has it not."""

    a: Identifier
    b: Identifier
    points: Points | None = None


class Shown(Body, frozen=True):
    """The ticket that is shown to everyone; without it, all of the hand."""

    a: Identifier | None = None
    b: Identifier | None = None
