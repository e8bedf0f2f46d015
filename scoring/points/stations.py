"""Europe's stations: which opponents' routes to borrow.

"A Train Station allows its owner to use one, and only one, of the routes belonging to another
player, into (or out of) that city to help connect the cities on his Destination Tickets." The same
route serves all tickets, and never the longest path. The player need not say which: the best
choice is found.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import product
from math import prod
from typing import TypeAlias

from ..board import PlaceId, RouteId
from ..edition import Colour, Ticket
from ..paths import network
from ..position import Position

# How many stations are new so far, how many trains it takes, the place, stations and free routes.
_Way: TypeAlias = tuple[int, int, PlaceId, tuple[PlaceId, ...], tuple[RouteId, ...]]
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
    position: Position, colour: Colour, ticket: Ticket, steps: network.StepCount | None = None
) -> StationWay | None:
    """Return the way with the fewest new stations that the stock reaches for; then fewest trains.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Position, Seat
    >>> claims = dict.fromkeys(("cadiz--lisboa", "cadiz--madrid"), "blue")
    >>> seats = Seat("red"), Seat("blue")
    >>> position = Position(load_edition("europe"), load_board("europe"), seats, claims)
    >>> station_way(position, "red", Ticket("cadiz", "lisboa", 5)).stations
    ('cadiz',)

    Ways are tried in the order of their new stations and trains. A station lends one route, so it
    matters which ones a way has used already. A way to a place that others have reached with no
    more trains goes on only if it may use a few stations one of which each of them has used.
    """
    own = position.stations.get(colour, ())
    most = max(0, position.edition.stations - len(own))
    closed = {city for cities in position.stations.values() for city in cities} - {*own}
    stock = position.trains_left(colour)
    free, lent = network.open_network(position, colour), network.opponents_network(position, colour)
    ways: list[_Way] = [(0, 0, ticket.a, (), ())]
    kept: dict[PlaceId, list[tuple[int, frozenset[PlaceId]]]] = {}
    while ways:
        new, trains, here, stations, routes = heappop(ways)
        if trains > stock:
            continue
        if here == ticket.b:
            return StationWay(stations, trains, routes)
        used, before = frozenset(stations), kept.setdefault(here, [])
        if steps is not None:
            steps.take(1 + len(before))
        others = [cities - used for needed, cities in before if needed <= trains]
        if not _can_meet(others, len(own) + most - len(used)):
            continue
        before.append((trains, used))
        for there, lanes in free.adj[here].items():
            for name, lane in lanes.items():
                after = (*routes, name) if lane["length"] else routes
                heappush(ways, (new, trains + lane["length"], there, stations, after))
        for there in lent.adj.get(here, ()):
            for city in {here, there} - used - closed:
                if (built := new + (city not in own)) <= most:
                    heappush(ways, (built, trains, there, (*stations, city), routes))
    return None


def _can_meet(sets: Sequence[frozenset[PlaceId]], most: int) -> bool:
    """Tell whether so many cities can be chosen that every set has one of them; perhaps of many."""
    if len(sets) <= most or most > 3:  # more than a box has: no need to look at all choices
        return all(sets)
    return most > 0 and any(
        _can_meet([other for other in sets if city not in other], most - 1) for city in sets[0]
    )


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
    the first in the order of the board. All choices are tried. Routes to places that are connected
    with each other are one choice, so three stations in the densest city of the board are at most
    8**3 choices. Of more stations than anybody has, only the first count that `MOST_STEPS` suffice
    for.
    """
    own = network.player_network(position, colour)
    tickets = position.tickets.get(colour, ())
    wanted = [t for t in tickets if not network.connects(own, t.a, t.b)]
    stations = tuple(dict.fromkeys(position.stations.get(colour, ())))
    if not wanted or not stations:
        return Borrowing()

    # Each part of the own network is one vertex: what is borrowed joins parts.
    parts = network.parts_of(own.edges())
    lent = network.opponents_network(position, colour)
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
        joined = network.parts_of(edge[:2] for edge in borrowed.values())
        done = [n for n, a, b in ends if a in joined and joined[a] == joined.get(b)]
        value = sum(done), len(done), -len(borrowed)
        if value > best_value:
            best, best_value = {city: name for city, (_, _, name) in borrowed.items()}, value
    return Borrowing(best, tuple(untried))


def _choices(
    lent: network.Network, city: PlaceId, parts: Mapping[PlaceId, PlaceId]
) -> list[_Choice]:
    """Return the choices of a station: none, or the first route to each part beside its city."""
    here = parts.get(city, city)
    by_part: dict[PlaceId, _Choice] = {here: None}
    for place, lanes in lent.adj.get(city, {}).items():
        there = parts.get(place, place)
        by_part.setdefault(there, (here, there, next(iter(lanes))))
    return list(by_part.values())
