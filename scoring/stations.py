"""Europe's stations: which opponents' routes to borrow.

"A Train Station allows its owner to use one, and only one, of the routes belonging to another
player, into (or out of) that city to help connect the cities on his Destination Tickets." The same
route serves all tickets, and never the longest path. The player need not say which: the best
choice is found.
"""

from __future__ import annotations

from itertools import product

from .board import PlaceId, RouteId
from .edition import Colour
from .network import Network
from .position import Position


def best_borrowing(position: Position, colour: Colour) -> dict[PlaceId, RouteId]:
    """Return the route that each station borrows, for the most ticket points.

    Among equal choices the one with more completed tickets, then with fewer borrowed routes, then
    the first in the order of the board. A station that helps nothing borrows nothing and is
    missing in the answer.

    Notes
    -----
    All choices are tried. Routes to places that are connected with each other are one choice, so
    three stations in the densest city of the board are at most 8**3 choices.
    """
    tickets = position.tickets.get(colour, ())
    own = Network(position.routes_of[colour])
    wanted = [t for t in tickets if not own.connects(t.a, t.b)]
    stations = position.stations.get(colour, ())
    if not wanted or not stations:
        return {}

    choices = [_choices(position, colour, city, own) for city in stations]
    best, best_value = {}, (0, 0, 0)
    for chosen in product(*choices):
        borrowed = {city: name for city, name in zip(stations, chosen, strict=True) if name}
        network = Network()
        for name in borrowed.values():
            route = position.board.route_by_id[name]
            network.join(own.part_of(route.a), own.part_of(route.b))
        ends = [(t.points, own.part_of(t.a), own.part_of(t.b)) for t in wanted]
        done = [points for points, a, b in ends if network.connects(a, b)]
        value = sum(done), len(done), -len(borrowed)
        if value > best_value:
            best, best_value = borrowed, value
    return best


def _choices(position: Position, colour: Colour, city: PlaceId, own: Network) -> list[RouteId]:
    """Return one opponent's route for each part of the own network that it leads to."""
    by_part: dict[PlaceId, RouteId] = {}
    here = own.part_of(city)
    for route in position.board.routes:
        owner = position.claims.get(route.id)
        if city in (route.a, route.b) and owner is not None and owner != colour:
            there = own.part_of(route.b if route.a == city else route.a)
            if there != here:
                by_part.setdefault(there, route.id)
    return ["", *by_part.values()]
