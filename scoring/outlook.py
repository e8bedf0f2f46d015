"""What a player's tickets can still become: for the owner's own page, before the end."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from .board import PlaceId, Route, RouteId
from .edition import Colour, Ticket
from .holding import Holding
from .position import Position


@dataclass(frozen=True, slots=True)
class TicketOutlook:
    """One ticket of a game that goes on.

    Attributes
    ----------
    trains_needed : int or None
        The fewest trains that still have to be placed on free routes; None when no free way is
        left, or the stock does not reach. Each ticket is looked at by itself.
    routes : tuple of str
        Those free routes, on the way from `a` to `b`.
    """

    ticket: Ticket
    completed: bool
    trains_needed: int | None
    routes: tuple[RouteId, ...] = ()


@dataclass(frozen=True, slots=True)
class Outlook:
    """All tickets of one player.

    Attributes
    ----------
    worst : int
        Ticket points if no other ticket is completed any more.
    best : int
        Ticket points if each one that can be completed by itself is: no end of the game gives more.
    """

    tickets: tuple[TicketOutlook, ...]
    worst: int
    best: int


def outlook(position: Position, colour: Colour) -> Outlook:
    """Return what a player's tickets can still become.

    Examples
    --------
    >>> from railspotter.scoring import Position, Seat, Ticket, load_board, load_edition
    >>> position = Position(
    ...     load_edition("usa"), load_board("usa"), (Seat("red"), Seat("blue")),
    ...     claims={"portland--seattle--0": "red", "los-angeles--phoenix": "blue"},
    ...     tickets={"red": (Ticket("los-angeles", "seattle", 9),)},
    ... )
    >>> seen = outlook(position, "red")
    >>> seen.tickets[0].trains_needed, seen.tickets[0].routes
    (8, ('los-angeles--san-francisco--0', 'portland--san-francisco--0'))
    >>> seen.worst, seen.best
    (-9, 9)
    """
    holding = Holding(position, colour)
    stock = position.trains_left(colour)
    free = _open_routes(position, colour)
    tickets = []
    for ticket, completed in zip(holding.tickets, holding.completed, strict=True):
        way = () if completed else _shortest_way(holding, free, ticket)
        needed = None if way is None else sum(route.length for route in way)
        if way is None or needed is None or needed > stock:
            tickets.append(TicketOutlook(ticket, False, None))
        else:
            tickets.append(TicketOutlook(ticket, completed, needed, tuple(r.id for r in way)))
    worst = sum(t.ticket.points if t.completed else -t.ticket.points for t in tickets)
    best = sum(
        t.ticket.points if t.trains_needed is not None else -t.ticket.points for t in tickets
    )
    return Outlook(tuple(tickets), worst, best)


def _open_routes(position: Position, colour: Colour) -> list[Route]:
    """Return the routes that the player may still claim."""
    both_lanes = len(position.seats) >= position.edition.double_routes_open_from
    routes = []
    for route in position.board.routes:
        beside = {position.claims.get(n) for n in position.board.other_lanes.get(route.id, ())}
        beside.discard(None)
        closed = colour in beside if both_lanes else bool(beside)
        if route.id not in position.claims and not closed:
            routes.append(route)
    return routes


def _shortest_way(holding: Holding, free: list[Route], ticket: Ticket) -> tuple[Route, ...] | None:
    """Return the free routes of the shortest way, own trains being free of cost (Dijkstra)."""
    part_of = holding.network.part_of
    at: dict[PlaceId, list[Route]] = {}
    for route in free:
        at.setdefault(part_of(route.a), []).append(route)
        at.setdefault(part_of(route.b), []).append(route)
    start, goal = part_of(ticket.a), part_of(ticket.b)
    waiting: list[tuple[int, tuple[RouteId, ...], PlaceId]] = [(0, (), start)]
    seen: set[PlaceId] = set()
    while waiting:
        length, way, place = heapq.heappop(waiting)
        if place == goal:
            return tuple(holding.position.board.route_by_id[name] for name in way)
        if place in seen:
            continue
        seen.add(place)
        for route in at.get(place, ()):
            there = part_of(route.b) if part_of(route.a) == place else part_of(route.a)
            if there not in seen:
                heapq.heappush(waiting, (length + route.length, (*way, route.id), there))
    return None
