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
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Position, Seat
    >>> from railspotter.scoring.spot import Spot
    >>> seats, claims = (Seat("red"), Seat("blue")), {"portland--seattle--0": "red"}
    >>> position = Position(load_edition("usa"), load_board("usa"), seats, claims)
    >>> other = Spot("route", "portland--seattle--1")
    >>> [str(p.what) for p in claim_problems(position, "blue", other)]
    ['with 2 players only one lane of Portland - Seattle can be claimed']
    >>> claim_problems(position, "blue", Spot("route", "helena--seattle"))
    ()
    """
    routes = (spot.id,) if spot.kind == "route" else ()
    return tuple(
        Problem(kind, position.edition.sources.get(kind, ""), what, routes, (colour,))
        for kind, what in _reasons(position, colour, spot)
    )


def may_claim(position: Position, colour: Colour, spot: Spot) -> bool:
    """Whether there are no `claim_problems`: without saying which, and so faster."""
    return next(_reasons(position, colour, spot), None) is None


Reason = tuple[str, Sentence]


def _reasons(position: Position, colour: Colour, spot: Spot) -> Iterator[Reason]:
    match spot.kind:
        case "route":
            return _route(position, colour, spot.id)
        case "station":
            return _station(position, colour, spot.id)
        case "site":
            return _site(position, colour, spot.id)


def _route(position: Position, colour: Colour, name: str) -> Iterator[Reason]:
    route, edition, claims = position.board.route_by_id[name], position.edition, position.claims
    ends = {"a": position.name_of(route.a), "b": position.name_of(route.b)}
    if name in claims:
        yield (
            "taken_route",
            Sentence("{a} - {b} is {colour}'s already", **ends, colour=claims[name]),
        )
    others = [claims[lane] for lane in position.board.other_lanes.get(name, ()) if lane in claims]
    if colour in others:
        yield (
            "both_lanes",
            Sentence("{colour} has the other lane of {a} - {b}", **ends, colour=colour),
        )
    elif others and len(position.seats) < edition.double_routes_open_from:
        yield (
            "double_routes_open_from",
            Sentence(
                "with {n} players only one lane of {a} - {b} can be claimed",
                **ends,
                n=len(position.seats),
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
