"""Europe's stations: which opponents' routes to borrow.

"A Train Station allows its owner to use one, and only one, of the routes belonging to another
player, into (or out of) that city to help connect the cities on his Destination Tickets." The same
route serves all tickets, and never the longest path. The player need not say which: the best
choice is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import prod
from typing import TypeAlias

import networkx as nx

from ..board import PlaceId, RouteId
from ..edition import Colour, Ticket
from ..paths.network import (
    Network,
    StepCount,
    connects,
    open_network,
    opponents_network,
    part_names,
    player_network,
)
from ..position import Position

STEPS_A_ROUTE = 4  # a route is gone both ways, and with the station of its place used or not

# A place on the way, how many stations are new so far, and whether its own lends a route.
Step: TypeAlias = tuple[PlaceId, int, bool]
# Tickets and stations that are looked at, over all choices: a second or so. Four stations in the
# densest city, and fifty tickets, are 8**4 * 54; chosen.
MOST_STEPS = 1_000_000
# The parts that a borrowed route joins, and its name; None where nothing is borrowed.
_Choice = tuple[PlaceId, PlaceId, RouteId] | None


@dataclass(frozen=True, slots=True)
class StationWay:
    """A way to complete a ticket on which stations borrow routes that others hold now."""

    stations: tuple[PlaceId, ...]  # the cities whose stations it uses; some may be built already
    trains_needed: int  # the trains that still have to be placed beside them
    routes: tuple[RouteId, ...]  # the free routes for these


def station_way(
    position: Position, colour: Colour, ticket: Ticket, steps: StepCount | None = None
) -> StationWay | None:
    """Return the way with the fewest new stations that the stock reaches for; then fewest trains.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Position, Seat
    >>> claims = dict.fromkeys(("cadiz--lisboa", "cadiz--madrid"), "blue")
    >>> seats = Seat("red"), Seat("blue")
    >>> position = Position(load_edition("europe"), load_board("europe"), seats, claims)
    >>> station_way(position, "red", Ticket("cadiz", "lisboa", 5)).stations
    ('cadiz',)

    Notes
    -----
    A shortest way visits no place twice, so two routes can ask for the same station only where they
    meet. So it is enough to know of each step whether the station of its place is used.
    """
    own = position.stations.get(colour, ())
    stock = position.trains_left(colour)
    for most in range(max(0, position.edition.stations - len(own)) + 1):
        if steps is not None:
            steps.take(STEPS_A_ROUTE * (most + 1) * len(position.board.routes))
        graph = _station_step_graph(position, colour, most)
        start: Step = (ticket.a, 0, False)
        trains = nx.single_source_dijkstra_path_length(graph, start, weight="length")
        ends = [(trains[s], s) for s in trains if s[0] == ticket.b and trains[s] <= stock]
        if ends:
            needed, end = min(ends)
            way: list[Step] = nx.dijkstra_path(graph, start, end, weight="length")
            walked = [graph.edges[here, there] for here, there in pairwise(way)]
            stations = tuple(step["station"] for step in walked if step["station"])
            claimed = tuple(step["route"] for step in walked if step["length"])
            return StationWay(stations, int(needed), claimed)
    return None


def _station_step_graph(position: Position, colour: Colour, most: int) -> nx.DiGraph[Step]:
    """Return the graph of all steps with at most `most` new stations."""
    steps: nx.DiGraph[Step] = nx.DiGraph()
    own = position.stations.get(colour, ())
    taken = {city for cities in position.stations.values() for city in cities}

    def go(here: Step, there: Step, length: int, route: RouteId, station: PlaceId = "") -> None:
        if length < steps.get_edge_data(here, there, {"length": 99})["length"]:
            steps.add_edge(here, there, length=length, route=route, station=station)

    free: list[tuple[PlaceId, PlaceId, RouteId, int]]
    free = list(open_network(position, colour).edges(keys=True, data="length"))
    lent = list(opponents_network(position, colour).edges(keys=True))
    steps.add_nodes_from((place, 0, False) for place in position.board.place_by_id)
    for new in range(most + 1):
        for one, other, route, length in free:
            for a, b in ((one, other), (other, one)):
                for used in (False, True):
                    go((a, new, used), (b, new, False), length, route)
        for one, other, route in lent:
            for a, b in ((one, other), (other, one)):
                for station in (a, b):
                    after = new if station in own else new + 1
                    if after > most or (station in taken and station not in own):
                        continue
                    go((a, new, False), (b, after, station == b), 0, route, station)
                    if station == b:
                        go((a, new, True), (b, after, True), 0, route, station)
    return steps


@dataclass(frozen=True, slots=True)
class Borrowing:
    """The routes that a player's stations borrow."""

    # The route by the station's city. A station that helps nothing is missing.
    routes: Mapping[PlaceId, RouteId] = field(default_factory=dict)
    # The cities whose stations are not counted, for their choices would be too many to try: the
    # tickets may be worth more with them.
    untried: tuple[PlaceId, ...] = ()


def best_borrowing(position: Position, colour: Colour) -> Borrowing:
    """Return the route that each station borrows, for the most ticket points.

    Among equal choices the one with more completed tickets, then with fewer borrowed routes, then
    the first in the order of the board.

    Notes
    -----
    All choices are tried. Routes to places that are connected with each other are one choice, so
    three stations in the densest city of the board are at most 8**3 choices. Of more stations than
    anybody has, only the first count that `MOST_STEPS` suffice for.
    """
    own = player_network(position, colour)
    tickets = position.tickets.get(colour, ())
    wanted = [t for t in tickets if not connects(own, t.a, t.b)]
    stations = tuple(dict.fromkeys(position.stations.get(colour, ())))
    if not wanted or not stations:
        return Borrowing()

    # Each part of the own network is one vertex: what is borrowed joins parts.
    parts = part_names(own)
    lent = opponents_network(position, colour)
    choices = {city: _choices(lent, city, parts) for city in stations}
    near = {part for options in choices.values() for edge in options if edge for part in edge[:2]}
    ends = [
        (ticket.points, a, b)
        for ticket in wanted
        for a, b in [(parts.get(ticket.a, ticket.a), parts.get(ticket.b, ticket.b))]
        if {a, b} <= near  # no choice completes another one
    ]
    if not ends:
        return Borrowing()
    tried = [city for city in stations if len(choices[city]) > 1]
    untried = list[PlaceId]()
    while prod(len(choices[city]) for city in tried) * (len(ends) + len(tried)) > MOST_STEPS:
        untried.insert(0, tried.pop())
    best, best_value = dict[PlaceId, RouteId](), (0, 0, 0)
    for chosen in product(*(choices[city] for city in tried)):
        borrowed = {city: edge for city, edge in zip(tried, chosen, strict=True) if edge}
        joined = _joined(borrowed.values())
        done = [n for n, a, b in ends if a in joined and joined[a] == joined.get(b)]
        value = sum(done), len(done), -len(borrowed)
        if value > best_value:
            best, best_value = {city: name for city, (_, _, name) in borrowed.items()}, value
    return Borrowing(best, tuple(untried))


def _joined(edges: Iterable[tuple[PlaceId, PlaceId, RouteId]]) -> dict[PlaceId, PlaceId]:
    """Return for each joined part a representative of all parts joined with it."""
    joined = dict[PlaceId, PlaceId]()
    for here, there, _ in edges:
        one, other = joined.setdefault(here, here), joined.setdefault(there, there)
        if one != other:
            joined = {part: one if name == other else name for part, name in joined.items()}
    return joined


def _choices(lent: Network, city: PlaceId, parts: Mapping[PlaceId, PlaceId]) -> list[_Choice]:
    """Return the choices of a station: none, or the first route to each part beside its city."""
    here = parts.get(city, city)
    by_part: dict[PlaceId, _Choice] = {here: None}
    for place, lanes in lent.adj.get(city, {}).items():
        there = parts.get(place, place)
        by_part.setdefault(there, (here, there, next(iter(lanes))))
    return list(by_part.values())
