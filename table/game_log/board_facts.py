"""Facts about the board: what stands on its routes, places and sites.

Whose trains they are is said by colour, for that is what lies there. A camera's fact comes with how
sure it is; a person's holds until the camera has seen the spot change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.spot import Kind, Spot, spots_of

from .facts import By, Colour, Fact, Sure, Thing, Words


class BoardJoined(Fact, frozen=True):
    """The board as it was when the camera joined a running game, confirmed as one step."""

    routes: dict[Identifier, Colour] = msgspec.field(default_factory=dict)
    stations: dict[Identifier, Colour] = msgspec.field(default_factory=dict)
    sites: dict[Identifier, Colour] = msgspec.field(default_factory=dict)

    @property
    def found(self) -> dict[Spot, Colour]:
        """Whose pieces stand on which spot."""
        return {
            **spots_of("route", self.routes),
            **spots_of("station", self.stations),
            **spots_of("site", self.sites),
        }

    @property
    def about(self) -> frozenset[Thing]:
        """Every spot that it names."""
        return frozenset(self.found)


class AboutSpot(Fact, frozen=True):
    """Something about one spot of the board."""

    # What such a fact is called in the log, by the kind of spot that it is about.
    kinds: ClassVar[Mapping[Kind, str]]
    spot: Spot

    @property
    def kind(self) -> str:
        """What kind of fact it is."""
        return self.kinds[self.spot.kind]

    @property
    def about(self) -> frozenset[Thing]:
        """The spot."""
        return frozenset({self.spot})


class Placed(AboutSpot, frozen=True, kw_only=True):
    """A player's pieces stand on a spot: a route or site is claimed, a station is built."""

    kinds: ClassVar[Mapping[Kind, str]] = {
        "route": "route_claimed",
        "station": "station_built",
        "site": "site_claimed",
    }
    colour: Colour
    by: By
    sure: Sure = 1.0
    # The camera saw the spot change since a person said what stands there. Only then does it
    # outrank the person.
    seen_to_change: bool = False


class TakenBack(AboutSpot, frozen=True, kw_only=True):
    """A spot is free after all; `why` in words, `seen_to_change` as in `Placed`."""

    kinds: ClassVar[Mapping[Kind, str]] = {
        "route": "claim_withdrawn",
        "station": "station_withdrawn",
        "site": "site_withdrawn",
    }
    by: By
    why: Words = ""
    seen_to_change: bool = False


class Corrected(AboutSpot, frozen=True, kw_only=True):
    """A person says what stands on a spot: `was` before, `now` from here on, None for free."""

    kinds: ClassVar[Mapping[Kind, str]] = {
        "route": "claim_corrected",
        "station": "station_corrected",
        "site": "site_corrected",
    }
    was: Colour | None = None
    now: Colour | None = None


class PinPlaced(Fact, frozen=True):
    """Accessible edition: which space of a route carries its pin, from 0 at the route's `a`."""

    route: Identifier
    space: Annotated[int, msgspec.Meta(ge=0, le=19)]

    @property
    def about(self) -> frozenset[Thing]:
        """The route's pin."""
        return frozenset({("pin", self.route)})


class PinTakenBack(Fact, frozen=True):
    """Accessible edition: the route's pin is on its middle space, as where nothing was said."""

    route: Identifier

    @property
    def about(self) -> frozenset[Thing]:
        """The route's pin."""
        return frozenset({("pin", self.route)})
