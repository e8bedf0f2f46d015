"""Networks: places and routes as graphs of networkx, and how long one of them is searched.

A network is a `networkx.MultiGraph`: its vertices are places, its edges are routes. An edge's key
is the id of its route, so that both lanes of a double route are edges of their own, and its
attribute `length` is how many trains the route takes.

Everything that asks what is connected, near or on one trail asks networkx about one of these.
Searches that made-up boards would make endless are limited by a count of steps, since seconds would
make the answer depend on the computer and its load.
"""

from collections.abc import Iterable
from typing import TypeAlias

import networkx as nx

from ..board import PlaceId, Route
from ..edition import Colour
from ..position import Position

Network: TypeAlias = "nx.MultiGraph[PlaceId]"


def route_network(routes: Iterable[Route], places: Iterable[PlaceId] = ()) -> Network:
    """Return the network of some routes and their ends.

    Places are in the order of their ids, whatever the order of the routes, and routes in the order
    given.

    >>> from ..board import load_board
    >>> usa = load_board("usa").route_by_id
    >>> network = route_network([usa["portland--seattle--1"], usa["duluth--omaha--0"]])
    >>> list(network.edges(keys=True, data="length"))
    [('duluth', 'omaha', 'duluth--omaha--0', 2), ('portland', 'seattle', 'portland--seattle--1', 1)]
    """
    routes = tuple(routes)
    network: Network = nx.MultiGraph()
    network.add_nodes_from(sorted({*places, *(end for r in routes for end in (r.a, r.b))}))
    for route in routes:
        network.add_edge(route.a, route.b, route.id, length=route.length)
    return network


def player_network(position: Position, colour: Colour) -> Network:
    """Return the network of a player's routes and their ends."""
    return route_network(position.routes_of[colour])


def opponents_network(position: Position, colour: Colour) -> Network:
    """Return the network of the other players' routes, which stations could borrow."""
    claims = position.claims
    return route_network(r for r in position.board.routes if claims.get(r.id, colour) != colour)


def open_network(position: Position, colour: Colour) -> Network:
    """Return the network that is open to a player: all places, own and claimable routes.

    Own routes have a `length` of 0, since they take no more trains.
    """
    board, claims = position.board, position.claims
    network = route_network(
        (r for r in board.routes if claims.get(r.id) == colour or position.is_open(r, colour)),
        board.place_by_id,
    )
    for route in position.routes_of[colour]:
        network.edges[route.a, route.b, route.id]["length"] = 0
    return network


def connects(network: Network, a: PlaceId, b: PlaceId) -> bool:
    """Tell whether a continuous path of routes connects two places.

    A place that no route touches is not even connected with itself.

    >>> from ..board import load_board
    >>> usa = load_board("usa").route_by_id
    >>> network = route_network([usa["helena--seattle"], usa["denver--helena"]])
    >>> connects(network, "denver", "seattle"), connects(network, "miami", "miami")
    (True, False)
    """
    return a in network and b in network and nx.has_path(network, a, b)


def parts_of(edges: Iterable[tuple[PlaceId, PlaceId]]) -> dict[PlaceId, PlaceId]:
    """Return for each end of the edges one place that stands for its connected part.

    A player moves freely along the own trains, so what leads from part to part is all that counts.

    >>> parts_of([("helena", "seattle"), ("denver", "helena"), ("dallas", "houston")])
    {'helena': 'denver', 'seattle': 'denver', 'denver': 'denver', 'dallas': 'dallas', \
'houston': 'dallas'}
    """
    parts: dict[PlaceId, PlaceId] = {}
    for here, there in edges:
        one, other = parts.setdefault(here, here), parts.setdefault(there, there)
        if one != other:
            parts = {place: one if name == other else name for place, name in parts.items()}
    return parts


class OutOfStepsError(Exception):
    """A search has reached its limit of steps."""


class StepCount:
    """Counts steps, up to as many as may be taken.

    >>> steps = StepCount(10)
    >>> steps.take(7)
    >>> steps.taken
    7
    >>> steps.take(7)
    Traceback (most recent call last):
    ...
    railspotter.scoring.paths.network.OutOfStepsError
    """

    def __init__(self, most: float) -> None:
        self.most, self.taken = most, 0

    def take(self, steps: int) -> None:
        """Count steps that are about to be taken."""
        if self.taken + steps > self.most:
            raise OutOfStepsError
        self.taken += steps
