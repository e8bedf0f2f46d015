"""Positions: who holds what at one moment of a game, and who still has a turn at its end.

Positions are not validated: their makers check that the board has what is held, as `position_of`
does for a game's text, and the log for every fact.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated

import msgspec

from .board import Board, PlaceId, Route, RouteId, SiteId
from .edition import Colour, Edition, Ticket
from .names import Name
from .spot import Spot, of_kind


@dataclass(frozen=True, slots=True)
class Seat:
    """One player: the colour of the trains, and a name."""

    colour: Colour
    name: str = ""


class LastTurns(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Whose turn brought the last turns, and how many were taken since."""

    by: Name
    turns_since: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0


@dataclass(frozen=True)
class Position:
    """Everything that counts for the score."""

    edition: Edition = field(repr=False)
    board: Board = field(repr=False)
    seats: tuple[Seat, ...]  # in turn order
    # Whose trains stand on a route; a route not listed is free.
    claims: Mapping[RouteId, Colour] = field(default_factory=dict)
    # The tickets that each player kept.
    tickets: Mapping[Colour, tuple[Ticket, ...]] = field(default_factory=dict)
    # Europe: the cities in which each player built.
    stations: Mapping[Colour, tuple[PlaceId, ...]] = field(default_factory=dict)
    # Philly: whose train stands on a site.
    sites: Mapping[SiteId, Colour] = field(default_factory=dict)
    left: frozenset[Colour] = frozenset()  # who takes no more turns; what lies there still counts
    last_turns: LastTurns | None = None  # once they have begun
    final: bool = False  # whether the game has ended

    @cached_property
    def colours(self) -> tuple[Colour, ...]:
        """The colours in play, in turn order."""
        return tuple(seat.colour for seat in self.seats)

    @cached_property
    def routes_of(self) -> dict[Colour, tuple[Route, ...]]:
        """The routes of each player, in the order of the board."""
        held: dict[Colour, list[Route]] = {colour: [] for colour in self.colours}
        for route in self.board.routes:
            if (colour := self.claims.get(route.id)) in held:
                held[colour].append(route)
        return {colour: tuple(routes) for colour, routes in held.items()}

    @cached_property
    def sites_of(self) -> dict[Colour, tuple[SiteId, ...]]:
        """The sites of each player, in the order of the board."""
        return {
            colour: tuple(s.id for s in self.board.sites if self.sites.get(s.id) == colour)
            for colour in self.colours
        }

    @cached_property
    def are_lanes_open(self) -> bool:
        """Whether both lanes of a double route can be claimed, by different players."""
        return len(self.seats) >= self.edition.double_routes_open_from

    def is_open(self, route: Route, colour: Colour) -> bool:
        """Tell whether a route is free and its lane open to a player, whatever the stock."""
        lanes = self.board.other_lanes.get(route.id, ())
        holders = [self.claims[lane] for lane in lanes if lane in self.claims]
        is_closed = colour in holders if self.are_lanes_open else bool(holders)
        return route.id not in self.claims and not is_closed

    def trains_left(self, colour: Colour) -> int:
        """Return a player's remaining trains; below 0 if more are seen than exist."""
        return self._stocks[colour]

    @cached_property
    def _stocks(self) -> dict[Colour, int]:
        trains = self.edition.trains
        return {
            colour: trains - sum([route.length for route in routes]) - len(self.sites_of[colour])
            for colour, routes in self.routes_of.items()
        }

    @property
    def waiting(self) -> tuple[Colour, ...] | None:
        """Players who still have a last turn, next one first; None before the last turns."""
        if (ending := self.last_turns) is None:
            return None
        turns = last_turns(self.colours, ending.by, ending.turns_since)
        return tuple(colour for colour in turns if colour not in self.left)

    def with_held(self, held: Mapping[Spot, Colour]) -> "Position":
        """Return the position with these pieces on the board, and no others."""
        stations = stations_by_colour(of_kind("station", held))
        return replace(
            self, claims=of_kind("route", held), stations=stations, sites=of_kind("site", held)
        )

    def name_of(self, place: PlaceId) -> str:
        """Return the printed name of a place."""
        return self.board.place_by_id[place].name


def seats_of(colours: Iterable[Colour]) -> tuple[Seat, ...]:
    """Return a nameless seat for each colour."""
    return tuple(Seat(colour) for colour in colours)


def stations_by_colour(stations: Mapping[PlaceId, Colour]) -> dict[Colour, tuple[PlaceId, ...]]:
    """Group stations by colour, sorted, as in a game's text.

    >>> stations_by_colour({"roma": "red", "essen": "blue", "berlin": "red"})
    {'blue': ('essen',), 'red': ('berlin', 'roma')}
    """
    return {
        colour: tuple(sorted(place for place, whose in stations.items() if whose == colour))
        for colour in sorted(set(stations.values()))
    }


def low_stocks(position: Position) -> tuple[Colour, ...]:
    """Return the players whose stock brings the last turns, in turn order.

    "When one player's stock of colored plastic trains gets down to only 0, 1 or 2 trains left at
    the end of his turn, each player, including that player, gets one final turn."

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> seats = Seat("red"), Seat("blue")
    >>> low_stocks(Position(load_edition("usa"), load_board("usa"), seats))
    ()
    """
    low = position.edition.last_round_at
    return tuple(colour for colour in position.colours if position.trains_left(colour) <= low)


def last_turns(order: Sequence[Colour], by: Colour, turns_since: int = 0) -> tuple[Colour, ...]:
    """Return the players, of an order, who still have a last turn, next one first.

    The player whose turn brought them has the very last one; `turns_since` were taken after it.

    >>> last_turns(["red", "blue", "black"], by="blue")
    ('black', 'red', 'blue')
    >>> last_turns(["red", "blue", "black"], by="blue", turns_since=2)
    ('blue',)
    """
    start = list(order).index(by) + 1
    return (*order[start:], *order[:start])[turns_since:]
