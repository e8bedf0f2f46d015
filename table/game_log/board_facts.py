"""Facts about the board: what stands on its routes, places and sites.

Whose trains they are is said by colour, for that is what lies there. A camera's fact comes with how
sure it is; a person's holds until the camera has seen the spot change.

In a log each kind of spot has kinds of facts of its own, with the spot's id in a field of its own:
a claim is a `route_claimed` with a `route`, a station a `station_built` with a `place`. They are
made here by class, so that a `Placed` of any spot is one thing: `Placed.on(spot, ...)`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.spot import Kind, Spot, spots_of

from .errors import EventError
from .facts import By, Colour, Event, Fact, Sure, Thing, Words
from .table_state import SpotState, TableState

SPOT_FIELDS: Mapping[Kind, str] = {"route": "route", "station": "place", "site": "site"}
SPOT_KINDS: Mapping[str, Kind] = {field: kind for kind, field in SPOT_FIELDS.items()}


def _with_spot(
    table: TableState, spot: Spot, colour: str | None, event: Event, by: By, sure: float = 1.0
) -> TableState:
    held = SpotState(colour, by, event.seq, event.at_s, sure)
    return replace(table, spots={**table.spots, spot: held})


def held_by_hand(table: TableState, spot: Spot, event: Event) -> TableState:
    """Return the table on which a person answers for what now stands on a spot."""
    held = table.spots.get(spot)
    return _with_spot(table, spot, held.colour if held else None, event, "person")


def _require_colour(table: TableState, colour: str, where: str) -> None:
    colours = [player.colour for player in table.players]
    if colour not in colours:
        raise EventError(
            "{field}: nobody plays {colour!r}; there are {error}",
            field=where,
            colour=colour,
            error=", ".join(colours),
        )


class BoardJoined(Fact, frozen=True):
    """The board as it was when the camera joined a running game, confirmed as one step."""

    routes: dict[Identifier, Colour] = msgspec.field(default_factory=dict)
    stations: dict[Identifier, Colour] = msgspec.field(default_factory=dict)
    sites: dict[Identifier, Colour] = msgspec.field(default_factory=dict)

    @property
    def spots(self) -> dict[Spot, Colour]:
        """Whose pieces stand on which spot."""
        return {
            **spots_of("route", self.routes),
            **spots_of("station", self.stations),
            **spots_of("site", self.sites),
        }

    def check(self, table: TableState) -> None:
        """Refuse spots that are not there, and pieces of nobody's."""
        super().check(table)
        for colour in self.spots.values():
            _require_colour(table, colour, self.kind)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Put all of it on the board."""
        for spot, colour in self.spots.items():
            table = _with_spot(table, spot, colour, event, "person")
        return table


class AboutSpot(Fact, frozen=True):
    """Something about one spot of the board, whose id is its last field."""

    kinds: ClassVar[Mapping[Kind, type[Any]]]  # what facts of a class are by the kind of spot

    @classmethod
    def on(cls, spot: Spot, **said: Any) -> Self:
        """Return a fact of this class about a spot.

        Examples
        --------
        >>> Corrected.on(Spot("station", "roma"), now="red")
        StationCorrected(was=None, now='red', place='roma')
        """
        fact: Self = cls.kinds[spot.kind](**said, **{SPOT_FIELDS[spot.kind]: spot.id})
        return fact

    @property
    def spot(self) -> Spot:
        """The spot."""
        field = self.__struct_fields__[-1]
        return Spot(SPOT_KINDS[field], getattr(self, field))

    @property
    def spots(self) -> Collection[Spot]:
        """The spot."""
        return (self.spot,)


class Placed(AboutSpot, frozen=True):
    """A player's pieces stand on a spot: a route or site is claimed, a station is built."""

    colour: Colour
    by: By
    sure: Sure = 1.0
    # The camera saw the spot change since a person said what stands there. Only then does it
    # outrank the person.
    seen_to_change: bool = False

    def check(self, table: TableState) -> None:
        """Refuse a spot that is not there, and pieces of nobody's."""
        super().check(table)
        _require_colour(table, self.colour, f"{self.kind}.colour")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Put the pieces there."""
        if _is_outranked(self, table):
            return table
        return _with_spot(table, self.spot, self.colour, event, self.by, self.sure)


class TakenBack(AboutSpot, frozen=True):
    """A spot is free after all; `why` in words, `seen_to_change` as in `Placed`."""

    by: By
    why: Words = ""
    seen_to_change: bool = False

    def apply(self, table: TableState, event: Event) -> TableState:
        """Take off what stands there."""
        if _is_outranked(self, table):
            return table
        return _with_spot(table, self.spot, None, event, self.by)


def _is_outranked(fact: Placed | TakenBack, table: TableState) -> bool:
    """Tell whether a person answers for a spot that a camera has not seen change since."""
    held = table.spots.get(fact.spot)
    is_by_hand = held is not None and held.is_by_hand
    return fact.by == "camera" and is_by_hand and not fact.seen_to_change


class Corrected(AboutSpot, frozen=True):
    """A person says what stands on a spot: `was` before, `now` from here on, None for free."""

    was: Colour | None = None
    now: Colour | None = None

    def check(self, table: TableState) -> None:
        """Refuse what was said of another state of the spot, and pieces of nobody's."""
        super().check(table)
        held = table.spots.get(self.spot)
        before = held.colour if held else None
        if self.was != before:
            raise EventError(
                "{field}: {name!r} is {colour} by now, not {other}",
                field=f"{self.kind}.was",
                name=self.spot.id,
                colour=before or "free",
                other=self.was or "free",
            )
        if self.now is not None:
            _require_colour(table, self.now, f"{self.kind}.now")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Let stand there what the person says."""
        return _with_spot(table, self.spot, self.now, event, "person")


def _kinds_of(change: type[AboutSpot], *names: str) -> dict[Kind, type[Any]]:
    """Make the kinds of facts about a route, a place's station and a site."""
    return {
        kind: msgspec.defstruct(
            name, [(field, Identifier)], bases=(change,), frozen=True, kw_only=True
        )
        for name, (kind, field) in zip(names, SPOT_FIELDS.items(), strict=True)
    }


Placed.kinds = _kinds_of(Placed, "RouteClaimed", "StationBuilt", "SiteClaimed")
TakenBack.kinds = _kinds_of(TakenBack, "ClaimWithdrawn", "StationWithdrawn", "SiteWithdrawn")
Corrected.kinds = _kinds_of(Corrected, "ClaimCorrected", "StationCorrected", "SiteCorrected")


class TrainsAssigned(Fact, frozen=True):
    """A person says who plays trains of a colour that no player has: None for nobody."""

    trains: Colour
    colour: Colour | None = None  # the player's

    @property
    def about(self) -> frozenset[Thing]:
        """The trains."""
        return frozenset({("trains", self.trains)})

    def check(self, table: TableState) -> None:
        """Refuse trains that a player has, and a player who is not there."""
        if any(player.colour == self.trains for player in table.players):
            raise EventError(
                "{field}: {colour!r} is another player's",
                field=f"{self.kind}.trains",
                colour=self.trains,
            )
        if self.colour is not None:
            _require_colour(table, self.colour, f"{self.kind}.colour")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Take them from here on for that player's."""
        return replace(table, assigned={**table.assigned, self.trains: self.colour})


class OfPin(Fact, frozen=True):
    """Accessible edition: something about the pin of a route."""

    route: Identifier

    @property
    def spots(self) -> Collection[Spot]:
        """The route."""
        return (Spot("route", self.route),)

    @property
    def about(self) -> frozenset[Thing]:
        """The route's pin."""
        return frozenset({("pin", self.route)})


class PinPlaced(OfPin, frozen=True):
    """Which space of a route carries its pin, from 0 at the route's `a`."""

    space: Annotated[int, msgspec.Meta(ge=0, le=19)]

    def check(self, table: TableState) -> None:
        """Refuse a space that the route has not."""
        super().check(table)
        length = table.board.route_by_id[self.route].length
        if self.space >= length:
            raise EventError(
                "pin_placed.space: the spaces of {route!r} are 0 to {last}, not {n}",
                route=self.route,
                last=length - 1,
                n=self.space,
            )

    def apply(self, table: TableState, event: Event) -> TableState:
        """Put the pin there."""
        return replace(table, pins={**table.pins, self.route: self.space})


class PinTakenBack(OfPin, frozen=True):
    """The route's pin is on its middle space, as where nothing was said."""

    def apply(self, table: TableState, event: Event) -> TableState:
        """Forget where the pin was."""
        pins = {route: space for route, space in table.pins.items() if route != self.route}
        return replace(table, pins=pins)
