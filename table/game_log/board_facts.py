"""Facts about the board: what stands on its routes, places and sites.

Whose trains they are is said by colour, for that is what lies there. A camera's fact comes with how
sure it is; a person's holds until the camera has seen the spot change.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from railspotter.scoring import Spot
from railspotter.scoring.board import Identifier

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
            **{Spot("route", route): colour for route, colour in self.routes.items()},
            **{Spot("station", place): colour for place, colour in self.stations.items()},
            **{Spot("site", site): colour for site, colour in self.sites.items()},
        }

    @property
    def about(self) -> frozenset[Thing]:
        """Every spot that it names."""
        return frozenset(self.found)


class OnBoard(Fact, frozen=True):
    """Something about one spot of the board: a route, a place for a station, or a site."""

    @property
    def spot(self) -> Spot:
        """What kind of spot it is, and its id."""
        raise NotImplementedError

    @property
    def about(self) -> frozenset[Thing]:
        """The spot."""
        return frozenset({self.spot})


class Placed(OnBoard, frozen=True, kw_only=True):
    """A player's pieces stand on a spot.

    Attributes
    ----------
    sure : float
        How sure it is, 0 to 1.
    seen_to_change : bool
        The camera saw the spot change since a person said what stands there. Only then does it
        outrank the person.
    """

    colour: Colour
    by: By
    sure: Sure = 1.0
    seen_to_change: bool = False


class TakenBack(OnBoard, frozen=True, kw_only=True):
    """A spot is free after all; `why` in words, `seen_to_change` as in `Placed`."""

    by: By
    why: Words = ""
    seen_to_change: bool = False


class Corrected(OnBoard, frozen=True, kw_only=True):
    """A person says what stands on a spot: `was` before, `now` from here on, None for free."""

    was: Colour | None = None
    now: Colour | None = None


class RouteClaimed(Placed, frozen=True, kw_only=True):
    """A player claimed a route."""

    route: Identifier

    @property
    def spot(self) -> Spot:
        """The route."""
        return Spot("route", self.route)


class ClaimWithdrawn(TakenBack, frozen=True, kw_only=True):
    """A route is free after all."""

    route: Identifier

    @property
    def spot(self) -> Spot:
        """The route."""
        return Spot("route", self.route)


class ClaimCorrected(Corrected, frozen=True, kw_only=True):
    """A claim was corrected by hand."""

    route: Identifier

    @property
    def spot(self) -> Spot:
        """The route."""
        return Spot("route", self.route)


class StationBuilt(Placed, frozen=True, kw_only=True):
    """Europe: a player built a station."""

    place: Identifier

    @property
    def spot(self) -> Spot:
        """The place's one station."""
        return Spot("station", self.place)


class StationWithdrawn(TakenBack, frozen=True, kw_only=True):
    """Europe: there is no station after all."""

    place: Identifier

    @property
    def spot(self) -> Spot:
        """The place's one station."""
        return Spot("station", self.place)


class StationCorrected(Corrected, frozen=True, kw_only=True):
    """Europe: a station was corrected by hand."""

    place: Identifier

    @property
    def spot(self) -> Spot:
        """The place's one station."""
        return Spot("station", self.place)


class SiteClaimed(Placed, frozen=True, kw_only=True):
    """Philly: a player claimed a site."""

    site: Identifier

    @property
    def spot(self) -> Spot:
        """The site."""
        return Spot("site", self.site)


class SiteWithdrawn(TakenBack, frozen=True, kw_only=True):
    """Philly: a site is free after all."""

    site: Identifier

    @property
    def spot(self) -> Spot:
        """The site."""
        return Spot("site", self.site)


class SiteCorrected(Corrected, frozen=True, kw_only=True):
    """Philly: a site was corrected by hand."""

    site: Identifier

    @property
    def spot(self) -> Spot:
        """The site."""
        return Spot("site", self.site)


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
