"""The board for one player: the claimable routes, and shortest-path search."""

from collections.abc import Collection, Iterable, Mapping
from heapq import heappop, heappush

from railspotter.scoring.board import PlaceId, Route, RouteId
from railspotter.scoring.edition import Colour, Ticket
from railspotter.scoring.position import Position

Way = tuple[RouteId, ...]  # the routes of a path between two places, the player's own included
# A graph: for each place its neighbours, with the cost and the route to each.
Links = Mapping[PlaceId, Iterable[tuple[PlaceId, float, RouteId]]]


class OpenBoard:
    """The routes that a player owns or may still claim."""

    def __init__(self, position: Position, colour: Colour, lent: Collection[RouteId] = ()) -> None:
        self.position = position
        self.trains = position.trains_left(colour)
        own_routes = position.routes_of[colour]
        self.own = frozenset((*(route.id for route in own_routes), *lent))
        self.touched = frozenset(place for route in own_routes for place in (route.a, route.b))
        self.free: dict[RouteId, Route] = {
            route.id: route
            for route in position.board.routes
            if route.length <= self.trains and position.is_open(route, colour)
        }

    def trains_for(self, routes: Iterable[RouteId]) -> int:
        """Return the trains needed for those of the routes that are still free."""
        return sum(self.free[name].length for name in routes if name in self.free)

    def links(self, costs: Mapping[RouteId, float]) -> Links:
        """Build the graph: own routes cost nothing, and of parallel lanes it has the cheapest."""
        routes = self.position.board.route_by_id
        cheapest: dict[frozenset[PlaceId], tuple[Route, float]] = {}
        for name, cost in (*costs.items(), *((name, 0.0) for name in sorted(self.own))):
            route = routes[name]
            ends = frozenset((route.a, route.b))
            if ends not in cheapest or cost < cheapest[ends][1]:
                cheapest[ends] = route, cost
        return links_of(cheapest.values())


def links_of(costs: Iterable[tuple[Route, float]]) -> Links:
    """Build the graph of routes with their costs."""
    links: dict[PlaceId, list[tuple[PlaceId, float, RouteId]]] = {}
    for route, cost in costs:
        links.setdefault(route.a, []).append((route.b, cost, route.id))
        links.setdefault(route.b, []).append((route.a, cost, route.id))
    return links


def cheapest_way(
    links: Links,
    start: PlaceId,
    goal: PlaceId,
    paid: Collection[RouteId] = (),
    closed: Collection[RouteId] = (),
) -> Way | None:
    """Find the cheapest path between two places; None if there is none.

    `paid` routes cost nothing, `closed` ones cannot be used.
    """
    return cheapest_ways(links, start, (goal,), paid, closed).get(goal)


def cheapest_ways(
    links: Links,
    start: PlaceId,
    goals: Iterable[PlaceId],
    paid: Collection[RouteId] = (),
    closed: Collection[RouteId] = (),
) -> dict[PlaceId, Way]:
    """Find the cheapest path to each reachable one of several places.

    Dijkstra's algorithm on lists and a heap: ten times as fast as networkx; a move needs dozens.
    """
    wanted = set(goals)
    best: dict[PlaceId, float] = {start: 0.0}
    came: dict[PlaceId, tuple[PlaceId, RouteId]] = {}
    heap = [(0.0, start)]
    done: set[PlaceId] = set()
    ways: dict[PlaceId, Way] = {}
    while heap and wanted:
        so_far, here = heappop(heap)
        if here in done:
            continue
        done.add(here)
        if here in wanted:
            wanted.discard(here)
            way: list[RouteId] = []
            there = here
            while there != start:
                there, name = came[there]
                way.append(name)
            ways[here] = tuple(reversed(way))
        for there, cost, name in links.get(here, ()):
            if there in done:
                continue
            after = so_far if name in paid else so_far + cost
            if (there not in best or after < best[there]) and name not in closed:
                best[there] = after
                came[there] = here, name
                heappush(heap, (after, there))
    return ways


def joint_ways(
    links: Links, tickets: Iterable[Ticket], costs: Mapping[RouteId, float]
) -> dict[Ticket, Way]:
    """Find a path for each ticket that can be completed, sharing routes to lower the total cost.

    A heuristic for the Steiner forest problem: paths are found one after the other, with earlier
    paths' routes free, in three orders; then each path of the cheapest result is found again.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Seat
    >>> usa = load_edition("usa")
    >>> position = Position(usa, load_board("usa"), (Seat("red"), Seat("blue")))
    >>> open_board = OpenBoard(position, "red")
    >>> costs = {name: float(route.length) for name, route in open_board.free.items()}
    >>> ends = ("new-york", "seattle"), ("chicago", "santa-fe")
    >>> tickets = [usa.ticket_by_ends[frozenset(places)] for places in ends]
    >>> ways = joint_ways(open_board.links(costs), tickets, costs)
    >>> sum(costs[name] for name in set(ways[tickets[0]]) | set(ways[tickets[1]]))
    26.0
    """
    alone = {t: way for t in tickets if (way := cheapest_way(links, t.a, t.b)) is not None}
    lengths = {t: sum(costs.get(name, 0.0) for name in way) for t, way in alone.items()}
    order = sorted(alone, key=lambda ticket: -lengths[ticket])
    best: dict[Ticket, Way] = {}
    least = float("inf")
    for begun in (order, order[::-1], [*order[1:], *order[:1]])[: max(1, len(order))]:
        ways = {begun[0]: alone[begun[0]]} if begun else {}
        for ticket in begun[1:]:
            paid = {name for way in ways.values() for name in way}
            ways[ticket] = cheapest_way(links, ticket.a, ticket.b, paid) or ()
        if (total := _total(ways, costs)) < least:
            best, least = ways, total
    for ticket in order if len(order) > 1 else ():
        paid = {name for other, way in best.items() if other != ticket for name in way}
        best[ticket] = cheapest_way(links, ticket.a, ticket.b, paid) or ()
    return best


def _total(ways: Mapping[Ticket, Way], costs: Mapping[RouteId, float]) -> float:
    return sum(costs.get(name, 0.0) for name in sorted({n for way in ways.values() for n in way}))


def are_connected(parts: Mapping[PlaceId, PlaceId], a: PlaceId, b: PlaceId) -> bool:
    """Tell whether two places are in one component; a place without routes is in none."""
    return a in parts and parts[a] == parts.get(b)
