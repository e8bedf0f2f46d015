"""Europe: how a ticket can still be completed with stations, where trains alone do not do it.

"A Train Station allows its owner to use one, and only one, of the routes belonging to another
player, into (or out of) that city to help connect the cities on his Destination Tickets."
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import networkx as nx

from .board import PlaceId, RouteId
from .edition import Colour, Ticket
from .network import lent_network, open_network
from .position import Position
from .steps import StepCount

STEPS_A_ROUTE = 4  # a route is gone both ways, and with the station of its place used or not

# A place on the way, how many stations are new so far, and whether its own lends a route.
Step: TypeAlias = tuple[PlaceId, int, bool]


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
        graph = _steps(position, colour, most)
        start: Step = (ticket.a, 0, False)
        trains = nx.single_source_dijkstra_path_length(graph, start, weight="length")
        ends = [(trains[s], s) for s in trains if s[0] == ticket.b and trains[s] <= stock]
        if ends:
            needed, end = min(ends)
            way: list[Step] = nx.dijkstra_path(graph, start, end, weight="length")
            told = [graph.edges[here, there] for here, there in pairwise(way)]
            stations = tuple(step["station"] for step in told if step["station"])
            claimed = tuple(step["route"] for step in told if step["length"])
            return StationWay(stations, int(needed), claimed)
    return None


def _steps(position: Position, colour: Colour, most: int) -> nx.DiGraph[Step]:
    """Return all steps that a player can go with so many new stations at most."""
    steps: nx.DiGraph[Step] = nx.DiGraph()
    own = position.stations.get(colour, ())
    taken = {city for cities in position.stations.values() for city in cities}

    def go(here: Step, there: Step, length: int, route: RouteId, station: PlaceId = "") -> None:
        if length < steps.get_edge_data(here, there, {"length": 99})["length"]:
            steps.add_edge(here, there, length=length, route=route, station=station)

    free: list[tuple[PlaceId, PlaceId, RouteId, int]]
    free = list(open_network(position, colour).edges(keys=True, data="length"))
    lent = list(lent_network(position, colour).edges(keys=True))
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
