"""Facts about the board: what stands on its routes, places and sites.

Pieces are identified by colour. A camera's fact has a confidence (`sure`); a person's fact outranks
the camera until the camera has seen the spot change.

In a log each kind of spot has its own kind of fact and its own field for the id: a claim is a
`route_claimed` with a `route`, a station a `station_built` with a `place`. Each class here has such
a subclass for every kind of spot, and `Placed.on(spot, ...)` chooses the right one.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.names import Name, Words
from railspotter.scoring.spot import Kind, Spot, spots_of

from .errors import EventError
from .facts import By, Event, Fact, Sure, Thing
from .table_state import SpotState, TableState

SPOT_FIELDS: Mapping[Kind, str] = {"route": "route", "station": "place", "site": "site"}
SPOT_KINDS: Mapping[str, Kind] = {field: kind for kind, field in SPOT_FIELDS.items()}


def _with_spot(
    table: TableState, spot: Spot, colour: str | None, event: Event, by: By, sure: float = 1.0
) -> TableState:
    held = SpotState(colour, by, event.seq, event.at_s, sure)
    return replace(table, spots={**table.spots, spot: held})


def with_spot_confirmed(table: TableState, spot: Spot, event: Event) -> TableState:
    """Return the table with a spot's present state marked as confirmed by a person."""
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
    """The pieces on the board when the camera joined a running game, confirmed at once."""

    routes: dict[Identifier, Name] = msgspec.field(default_factory=dict)
    stations: dict[Identifier, Name] = msgspec.field(default_factory=dict)
    sites: dict[Identifier, Name] = msgspec.field(default_factory=dict)

    @property
    def spots(self) -> dict[Spot, Name]:
        """The colour on each spot."""
        return {
            **spots_of("route", self.routes),
            **spots_of("station", self.stations),
            **spots_of("site", self.sites),
        }

    def check(self, table: TableState) -> None:
        """Refuse unknown spots, and colours that nobody plays."""
        super().check(table)
        for colour in self.spots.values():
            _require_colour(table, colour, self.kind)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Set all spots."""
        for spot, colour in self.spots.items():
            table = _with_spot(table, spot, colour, event, "person")
        return table


class SpotFact(Fact, frozen=True):
    """Base of facts about one spot of the board, whose id is their last field."""

    kinds: ClassVar[Mapping[Kind, type[Any]]]  # the subclass for each kind of spot

    @classmethod
    def on(cls, spot: Spot, **fields: Any) -> Self:
        """Make a fact of this class about a spot.

        >>> Corrected.on(Spot("station", "roma"), now="red")
        StationCorrected(was=None, now='red', place='roma')
        """
        fact: Self = cls.kinds[spot.kind](**fields, **{SPOT_FIELDS[spot.kind]: spot.id})
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


class Placed(SpotFact, frozen=True):
    """A player placed pieces on a spot: claimed a route or site, or built a station."""

    colour: Name
    by: By
    sure: Sure = 1.0
    # The camera saw the spot change after a person's correction: only then it outranks the person.
    seen_to_change: bool = False

    def check(self, table: TableState) -> None:
        """Refuse an unknown spot, and a colour that nobody plays."""
        super().check(table)
        _require_colour(table, self.colour, f"{self.kind}.colour")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Set the spot's colour."""
        if _is_outranked(self, table):
            return table
        return _with_spot(table, self.spot, self.colour, event, self.by, self.sure)


class TakenBack(SpotFact, frozen=True):
    """A claim is withdrawn: the spot is free; `seen_to_change` as in `Placed`."""

    by: By
    why: Words = ""
    seen_to_change: bool = False

    def apply(self, table: TableState, event: Event) -> TableState:
        """Set the spot free."""
        if _is_outranked(self, table):
            return table
        return _with_spot(table, self.spot, None, event, self.by)


def _is_outranked(fact: Placed | TakenBack, table: TableState) -> bool:
    """Tell whether a camera's fact must yield to an earlier one from a person."""
    held = table.spots.get(fact.spot)
    is_by_hand = held is not None and held.is_by_hand
    return fact.by == "camera" and is_by_hand and not fact.seen_to_change


class Corrected(SpotFact, frozen=True):
    """A person corrects a spot's colour from `was` to `now`; None is free."""

    was: Name | None = None
    now: Name | None = None

    def check(self, table: TableState) -> None:
        """Refuse an outdated `was`, and a colour that nobody plays."""
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
        """Set the spot's colour."""
        return _with_spot(table, self.spot, self.now, event, "person")


def _kinds_of(change: type[SpotFact], *names: str) -> dict[Kind, type[Any]]:
    """Make a class's subclasses for a route, a place's station and a site."""
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
    """A person says who plays trains of a colour that no player has; None for nobody."""

    trains: Name
    colour: Name | None = None  # the player's

    @property
    def about(self) -> frozenset[Thing]:
        """The trains."""
        return frozenset({("trains", self.trains)})

    def check(self, table: TableState) -> None:
        """Refuse trains of a player's own colour, and a colour that nobody plays."""
        if any(player.colour == self.trains for player in table.players):
            raise EventError(
                "{field}: {colour!r} is another player's",
                field=f"{self.kind}.trains",
                colour=self.trains,
            )
        if self.colour is not None:
            _require_colour(table, self.colour, f"{self.kind}.colour")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Assign the trains to the player."""
        return replace(table, assigned={**table.assigned, self.trains: self.colour})


class PinFact(Fact, frozen=True):
    """Base of facts about a route's pin, in the accessible edition."""

    route: Identifier

    @property
    def spots(self) -> Collection[Spot]:
        """The route."""
        return (Spot("route", self.route),)

    @property
    def about(self) -> frozenset[Thing]:
        """The route's pin."""
        return frozenset({("pin", self.route)})


class PinPlaced(PinFact, frozen=True):
    """Which space of a route carries its pin, from 0 at the route's `a`."""

    space: Annotated[int, msgspec.Meta(ge=0, le=19)]

    def check(self, table: TableState) -> None:
        """Refuse a space beyond the route's length."""
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
        """Set the route's pin."""
        return replace(table, pins={**table.pins, self.route: self.space})


class PinTakenBack(PinFact, frozen=True):
    """The route's pin is back on its default, the middle space."""

    def apply(self, table: TableState, event: Event) -> TableState:
        """Remove the route's pin."""
        pins = {route: space for route, space in table.pins.items() if route != self.route}
        return replace(table, pins=pins)
