"""The prospects of a player's tickets before the end of a game."""

from collections.abc import Iterable
from dataclasses import dataclass

import networkx as nx

from ..board import PlaceId, RouteId
from ..edition import Colour, Ticket
from ..paths.network import Network, OutOfStepsError, StepCount, open_network
from ..position import Position
from .standing import Holding
from .stations import StationWay, station_way

# Routes and ways that are looked at, over all tickets: some seconds. All of Europe's tickets in one
# hand take a sixth of it on the hardest of 150 boards with random claims; chosen.
MOST_STEPS = 250_000


@dataclass(frozen=True, slots=True)
class TicketOutlook:
    """The prospects of one ticket."""

    ticket: Ticket
    completed: bool
    # The fewest trains that still have to be placed on free routes; None when no free way is left,
    # or the stock does not reach. Each ticket is looked at by itself, without stations.
    trains_needed: int | None
    routes: tuple[RouteId, ...] = ()  # those free routes, on the way from `a` to `b`
    # Europe: where trains alone do not do it, a way with as few new stations as possible.
    with_stations: StationWay | None = None
    # Whether nobody knows if it can still be completed: looking for ways took `MOST_STEPS`.
    is_undecided: bool = False

    @property
    def is_possible(self) -> bool:
        """Whether it is completed, or can still be as far as is known."""
        found = self.trains_needed is not None or self.with_stations is not None
        return found or self.completed or self.is_undecided


@dataclass(frozen=True, slots=True)
class TicketsOutlook:
    """The prospects of all tickets of a player, with their points at worst and best."""

    tickets: tuple[TicketOutlook, ...]
    worst: int  # ticket points if no other ticket is completed any more
    # Ticket points if each one that can be completed by itself is, stations included. No end of the
    # game gives more, unless others still claim routes that a station then borrows.
    best: int


def tickets_outlook(position: Position, colour: Colour) -> TicketsOutlook:
    """Return which of a player's tickets can still be completed, and the points at worst and best.

    Stations are looked for where trains alone do not do it, which takes some hundredths of a
    second.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import Ticket, load_edition
    >>> from railspotter.scoring.position import Position, Seat
    >>> position = Position(
    ...     load_edition("usa"), load_board("usa"), (Seat("red"), Seat("blue")),
    ...     claims={"portland--seattle--0": "red", "los-angeles--phoenix": "blue"},
    ...     tickets={"red": (Ticket("los-angeles", "seattle", 9),)},
    ... )
    >>> seen = tickets_outlook(position, "red")
    >>> seen.tickets[0].trains_needed, seen.tickets[0].routes
    (8, ('los-angeles--san-francisco--0', 'portland--san-francisco--0'))
    >>> seen.worst, seen.best
    (-9, 9)
    """
    holding = Holding(position, colour)
    stock = position.trains_left(colour)
    network = open_network(position, colour)
    steps = StepCount(MOST_STEPS)
    tickets = []
    for ticket, completed in zip(holding.tickets, holding.completed, strict=True):
        try:
            steps.take(0 if completed else network.number_of_edges())
            way = [] if completed else _shortest_way(network, holding.network, ticket)
            needed = sum(position.board.route_by_id[name].length for name in way or ())
            if way is None or needed > stock:
                with_stations = station_way(position, colour, ticket, steps)
                tickets.append(TicketOutlook(ticket, False, None, with_stations=with_stations))
            else:
                tickets.append(TicketOutlook(ticket, completed, needed, tuple(way)))
        except OutOfStepsError:
            tickets.append(TicketOutlook(ticket, False, None, is_undecided=True))
    worst = sum(t.ticket.points if t.completed else -t.ticket.points for t in tickets)
    best = sum(t.ticket.points if t.is_possible else -t.ticket.points for t in tickets)
    return TicketsOutlook(tuple(tickets), worst, best)


def _shortest_way(network: Network, own: Network, ticket: Ticket) -> list[RouteId] | None:
    """Return the routes to claim on the shortest way; of equal ways the first by their ids."""
    if ticket.b not in network:
        return None
    trains_from = nx.single_source_dijkstra_path_length(network, ticket.b, weight="length")
    if ticket.a not in trains_from:
        return None
    here, way = ticket.a, list[RouteId]()
    while left := trains_from[here]:
        along = nx.node_connected_component(own, here) if here in own else {here}
        edges: Iterable[tuple[PlaceId, PlaceId, RouteId, int]]
        edges = network.edges(along, keys=True, data="length")
        name, here = min(
            (n, to) for _, to, n, cost in edges if cost and trains_from[to] + cost == left
        )
        way.append(name)
    return way
