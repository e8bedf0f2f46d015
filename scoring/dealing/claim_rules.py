"""May this player claim this, whatever the cards? The one question that a turn asks of a board.

`legality.py` judges positions as a camera sees them and names everything that is wrong. Here one
claim is judged by itself, so that what is wrong elsewhere on a board forbids nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edition import Colour
from ..legality import Problem
from ..position import Position
from ..sentence import Sentence
from ..spot import Spot


def claim_problems(position: Position, colour: Colour, spot: Spot) -> tuple[Problem, ...]:
    """Return everything that keeps a player from claiming a route or site, or from building.

    Examples
    --------
    >>> from railspotter.scoring import Position, Seat, Spot, load_board, load_edition
    >>> seats, claims = (Seat("red"), Seat("blue")), {"portland--seattle--0": "red"}
    >>> position = Position(load_edition("usa"), load_board("usa"), seats, claims)
    >>> other = Spot("route", "portland--seattle--1")
    >>> [str(p.what) for p in claim_problems(position, "blue", other)]
    ['with 2 players only one lane of Portland - Seattle can be claimed']
    >>> claim_problems(position, "blue", Spot("route", "helena--seattle"))
    ()
    """
    judge = {"route": _route, "station": _station, "site": _site}[spot.kind]
    return tuple(
        Problem(kind, position.edition.sources.get(kind, ""), what, _routes(spot), (colour,))
        for kind, what in judge(position, colour, spot.id)
    )


def _routes(spot: Spot) -> tuple[str, ...]:
    return (spot.id,) if spot.kind == "route" else ()


Reason = tuple[str, Sentence]


def _route(position: Position, colour: Colour, name: str) -> Iterator[Reason]:
    route, edition, claims = position.board.route_by_id[name], position.edition, position.claims
    a, b = position.name_of(route.a), position.name_of(route.b)
    if name in claims:
        yield (
            "taken_route",
            Sentence("{a} - {b} is {colour}'s already", a=a, b=b, colour=claims[name]),
        )
    others = [claims[lane] for lane in position.board.other_lanes.get(name, ()) if lane in claims]
    if colour in others:
        yield (
            "both_lanes",
            Sentence("{colour} has the other lane of {a} - {b}", colour=colour, a=a, b=b),
        )
    elif others and len(position.seats) < edition.double_routes_open_from:
        yield (
            "double_routes_open_from",
            Sentence(
                "with {n} players only one lane of {a} - {b} can be claimed",
                n=len(position.seats),
                a=a,
                b=b,
            ),
        )
    left = position.trains_left(colour)
    if route.length > left:
        yield "stock", _too_few(colour, route.length, left)


def _station(position: Position, colour: Colour, place: str) -> Iterator[Reason]:
    name = position.name_of(place)
    if len(position.stations.get(colour, ())) >= position.edition.stations:
        yield "stations", Sentence("{colour} has no station left", colour=colour)
    if any(place in built for built in position.stations.values()):
        yield "shared_station", Sentence("{place} has a station already", place=name)


def _site(position: Position, colour: Colour, name: str) -> Iterator[Reason]:
    site = position.board.site_by_id[name]
    if name in position.sites:
        yield (
            "taken_site",
            Sentence("{name} is {colour}'s already", name=site.name, colour=position.sites[name]),
        )
    if not any(site.station in (route.a, route.b) for route in position.routes_of[colour]):
        yield (
            "site_before_station",
            Sentence(
                "{colour} has no route at {place}",
                colour=colour,
                place=position.name_of(site.station),
            ),
        )
    if position.trains_left(colour) < 1:
        yield "stock", _too_few(colour, 1, 0)


def _too_few(colour: Colour, needed: int, left: int) -> Sentence:
    return Sentence("{colour} needs {n} pieces and has {left}", colour=colour, n=needed, left=left)
