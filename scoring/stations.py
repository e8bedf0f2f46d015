"""Europe's stations: which opponents' routes to borrow.

"A Train Station allows its owner to use one, and only one, of the routes belonging to another
player, into (or out of) that city to help connect the cities on his Destination Tickets." The same
route serves all tickets, and never the longest path. The player need not say which: the best
choice is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

import networkx as nx

from .board import PlaceId, RouteId
from .edition import Colour
from .network import Network, connects, lent_network, part_names, player_network
from .position import Position

MOST_TRIED = 20_000
"""Choices that are tried: a second or so. Four stations in the densest city are 8**4; chosen."""

_Choice = tuple[PlaceId, PlaceId, RouteId] | None
"""The parts that a borrowed route joins, and its name; None where nothing is borrowed."""


def best_borrowing(position: Position, colour: Colour) -> dict[PlaceId, RouteId]:
    """Return the route that each station borrows, for the most ticket points.

    Among equal choices the one with more completed tickets, then with fewer borrowed routes, then
    the first in the order of the board. A station that helps nothing borrows nothing and is
    missing in the answer.

    Notes
    -----
    All choices are tried. Routes to places that are connected with each other are one choice, so
    three stations in the densest city of the board are at most 8**3 choices. Of more stations than
    anybody has, only the first count whose choices together are `MOST_TRIED` at most.
    """
    own = player_network(position, colour)
    tickets = position.tickets.get(colour, ())
    wanted = [t for t in tickets if not connects(own, t.a, t.b)]
    stations = position.stations.get(colour, ())
    if not wanted or not stations:
        return {}

    # Each part of the own network is one vertex: what is borrowed joins parts.
    parts = part_names(own)
    ends = [(t.points, parts.get(t.a, t.a), parts.get(t.b, t.b)) for t in wanted]
    lent = lent_network(position, colour)
    choices: dict[PlaceId, list[_Choice]] = {}
    for city in dict.fromkeys(stations):
        choices[city] = _choices(lent, city, parts)
        if prod(map(len, choices.values())) > MOST_TRIED:
            del choices[city]
            break
    best, best_value = {}, (0, 0, 0)
    for chosen in product(*choices.values()):
        borrowed = {city: edge for city, edge in zip(choices, chosen, strict=True) if edge}
        joined: Network = nx.MultiGraph()
        for here, there, name in borrowed.values():
            joined.add_edge(here, there, name)
        done = [points for points, a, b in ends if connects(joined, a, b)]
        value = sum(done), len(done), -len(borrowed)
        if value > best_value:
            best, best_value = {city: name for city, (_, _, name) in borrowed.items()}, value
    return best


def _choices(lent: Network, city: PlaceId, parts: Mapping[PlaceId, PlaceId]) -> list[_Choice]:
    """Return nothing, and for each part beside a city the first route that joins the two."""
    here = parts.get(city, city)
    by_part: dict[PlaceId, _Choice] = {here: None}
    for place, lanes in lent.adj.get(city, {}).items():
        there = parts.get(place, place)
        by_part.setdefault(there, (here, there, next(iter(lanes))))
    return list(by_part.values())
