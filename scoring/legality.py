"""Checks positions: every problem at once, with the rule's words.

A camera is often wrong, so a problem is a result and not an exception: the reading uses it as
evidence, the page shows it as a warning, and the position is scored all the same.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from .board import Board, RouteId
from .edition import Colour, Edition, ticket_by_ends
from .position import Position
from .sentence import NOTHING, Sentence
from .spot import Kind, Spot
from .spot_names import route_ends, spot_name

# The kind of spot that problems of these kinds, which name no routes, are about.
SPOT_KIND_OF_PROBLEM: dict[str, Kind] = {"stations": "station", "site_before_station": "site"}
Held = Mapping[Spot, Colour]  # the colour of the pieces on each occupied spot
Sure = Mapping[Spot, float]  # more for a surer spot; those that it lacks are the surest
MOST_NAMED = 3  # of the spots of which one may be wrong; people look at few
REFUSED = Sentence("{problem}, which no single misreading explains: look at {spots}, {way}")


@dataclass(frozen=True, slots=True)
class Problem:
    """A violation of a rule."""

    kind: str  # which rule, as the edition's `sources` name it
    rule: str  # the rulebook's sentence
    what: str  # what is wrong, for a player: a `Sentence` wherever a position is judged
    routes: tuple[RouteId, ...] = ()  # the routes that it is about: one of them may be misread
    colours: tuple[Colour, ...] = ()  # the players that it is about
    is_gross: bool = False  # whether no single misread route or station explains it


def number_problem(edition: Edition, players: int) -> Sentence:
    """Return a sentence if the box is not for this number of players, else an empty one.

    >>> from railspotter.scoring.edition import load_edition
    >>> number_problem(load_edition("newyork"), 1)
    '2 to 4 people play New York (2018), not 1'
    >>> number_problem(load_edition("newyork"), 4)
    ''
    """
    least, most = edition.players
    if least <= players <= most:
        return NOTHING
    return Sentence(
        "{least} to {most} people play {title}, not {count}",
        least=least,
        most=most,
        title=edition.title,
        count=players,
    )


def number_rule(edition: Edition, players: int) -> dict[str, list[int]]:
    """Return the house rule that allows this number of players; empty if none is needed.

    >>> from railspotter.scoring.edition import load_edition
    >>> number_rule(load_edition("usa"), 6), number_rule(load_edition("usa"), 5)
    ({'players': [2, 6]}, {})
    """
    if not number_problem(edition, players):
        return {}
    least, most = edition.players
    return {"players": [min(least, players), max(most, players)]}


def position_problems(position: Position) -> tuple[Problem, ...]:
    """Return all problems of a position.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Position, Seat
    >>> seats = Seat("red"), Seat("blue")
    >>> both = {"portland--seattle--0": "red", "portland--seattle--1": "red"}
    >>> position = Position(load_edition("usa"), load_board("usa"), seats, both)
    >>> [problem.what for problem in position_problems(position)]
    ['red holds both lanes of Portland - Seattle']
    """
    checks = (_seats, _unplayed_colours, _lanes, _stocks, _stations, _sites_without_route, _tickets)
    return tuple(problem for check in checks for problem in check(position))


def refusal(
    position: Position, held: Held, colours: Collection[Colour], sure: Sure, way: Sentence
) -> Sentence:
    """Return why players' pieces must not be believed, and the way on; empty if they may be.

    A real board can break every rule, and hold the spare trains of a box. But what is surely read
    is wrong so rarely that two wrong routes of one colour are no chance: then the light, the board
    or the players are others than was said. So a player may lack as much as one route takes.
    """
    position = position.with_held(held)
    for problem in (*_stocks(position), *_stations(position)):
        if problem.is_gross and not {*problem.colours}.isdisjoint(colours):
            names = likely_names(problem, position.board, held, sure)
            return REFUSED.filled(problem=problem.what, spots=names, way=way)
    return NOTHING


def likely_wrong(problem: Problem, held: Held, sure: Sure) -> tuple[Spot, ...]:
    """Return the spots of which one explains a problem if it is wrong, the least sure first."""
    routes, kind = {*problem.routes}, SPOT_KIND_OF_PROBLEM.get(problem.kind)
    theirs = [spot for spot in held if spot.kind == kind and held[spot] in problem.colours]
    spots = [spot for spot in held if spot.kind == "route" and spot.id in routes] + theirs
    return tuple(sorted(spots, key=lambda spot: sure.get(spot, float("inf"))))


def likely_names(problem: Problem, board: Board, held: Held, sure: Sure) -> str:
    """Return the names of the first of `likely_wrong`, where people should look first."""
    spots = likely_wrong(problem, held, sure)[:MOST_NAMED]
    return ", ".join(spot_name(board, spot) for spot in spots)


def rule_problem(
    edition: Edition,
    kind: str,
    what: str,
    routes: tuple[RouteId, ...] = (),
    colours: tuple[Colour, ...] = (),
    *,
    is_gross: bool = False,
) -> Problem:
    """Return the violation of a rule of an edition, with the rulebook's sentence."""
    return Problem(kind, edition.sources.get(kind, ""), what, routes, colours, is_gross)


def _seats(position: Position) -> Iterator[Problem]:
    if what := number_problem(position.edition, len(position.seats)):
        yield rule_problem(position.edition, "players", what, (), position.colours)


def _unplayed_colours(position: Position) -> Iterator[Problem]:
    for name, colour in (*position.claims.items(), *position.sites.items()):
        if colour not in position.colours:
            routes = (name,) if name in position.board.route_by_id else ()
            title = (
                route_ends(position.board, name) if routes else position.board.site_by_id[name].name
            )
            what = Sentence("{name} is {colour}, which nobody plays", name=title, colour=colour)
            yield rule_problem(position.edition, "players", what, routes, (colour,))


def _lanes(position: Position) -> Iterator[Problem]:
    for lanes in position.board.lanes:
        claimed = [name for name in lanes if name in position.claims]
        if len(claimed) < 2:
            continue
        holders = Counter(position.claims[name] for name in claimed)
        for colour, count in holders.items():
            if count > 1:
                own = tuple(name for name in claimed if position.claims[name] == colour)
                what = Sentence(
                    "{colour} holds both lanes of {route}",
                    colour=colour,
                    route=route_ends(position.board, own[0]),
                )
                yield rule_problem(position.edition, "both_lanes", what, own, (colour,))
        if len(holders) > 1 and not position.are_lanes_open:
            what = Sentence(
                "both lanes of {route} are claimed, with {n} players",
                route=route_ends(position.board, claimed[0]),
                n=len(position.seats),
            )
            yield rule_problem(
                position.edition, "double_routes_open_from", what, tuple(claimed), tuple(holders)
            )


def _stocks(position: Position) -> Iterator[Problem]:
    edition = position.edition
    for colour in position.colours:
        used = edition.trains - position.trains_left(colour)
        if used > edition.trains:
            what = Sentence(
                "{colour} has used {n} {pieces}, of {most}",
                colour=colour,
                n=used,
                pieces=f"{edition.train_word}s",
                most=edition.trains,
            )
            held, excess = position.routes_of[colour], used - edition.trains
            enough = tuple(route.id for route in held if route.length >= excess)
            likely = enough or tuple(route.id for route in held)
            yield rule_problem(edition, "stock", what, likely, (colour,), is_gross=not enough)


def _stations(position: Position) -> Iterator[Problem]:
    built = Counter(city for cities in position.stations.values() for city in cities)
    for city, count in built.items():
        if count > 1:
            owners = tuple(c for c, cities in position.stations.items() if city in cities)
            what = Sentence("{place} has {n} stations", place=position.name_of(city), n=count)
            yield rule_problem(position.edition, "shared_station", what, (), owners)
    most = position.edition.stations
    for colour, cities in position.stations.items():
        if len(cities) > most:
            what = Sentence(
                "{colour} built {n} stations, of {most}",
                colour=colour,
                n=len(cities),
                most=most,
            )
            is_gross = len(cities) > most + bool(most)  # no station comes with a box without any
            yield rule_problem(position.edition, "stations", what, (), (colour,), is_gross=is_gross)


def _sites_without_route(position: Position) -> Iterator[Problem]:
    for name, colour in position.sites.items():
        site = position.board.site_by_id[name]
        held = position.routes_of.get(colour, ())
        if not any(site.station in (route.a, route.b) for route in held):
            station = position.name_of(site.station)
            what = Sentence(
                "{colour} holds {site} without a route at {place}",
                colour=colour,
                site=site.name,
                place=station,
            )
            yield rule_problem(position.edition, "site_before_station", what, (), (colour,))


def _tickets(position: Position) -> Iterator[Problem]:
    known = ticket_by_ends(position.edition, position.board)
    holders: dict[frozenset[str], list[Colour]] = {}
    for colour, tickets in position.tickets.items():
        for ticket in tickets:
            holders.setdefault(ticket.ends, []).append(colour)
            printed = known.get(ticket.ends)
            ends = f"{position.name_of(ticket.a)} - {position.name_of(ticket.b)}"
            if known and printed is None:
                what = Sentence("the ticket {ends} is not in the deck", ends=ends)
            elif printed is not None and printed.points != ticket.points:
                what = Sentence(
                    "the ticket {ends} is worth {printed}, not {points}",
                    ends=ends,
                    printed=printed.points,
                    points=ticket.points,
                )
            else:
                continue
            yield Problem("tickets", "", what, (), (colour,))
    for places, colours in holders.items():
        if len(colours) > 1 and places in known:
            ends = " - ".join(map(position.name_of, sorted(places)))
            yield Problem("tickets", "", held_often(ends, len(colours)), (), tuple(colours))


def held_often(ticket: str, times: int) -> Sentence:
    """Return the sentence that a ticket is held more than once."""
    return Sentence("the ticket {ends} is held {n} times; there is one", ends=ticket, n=times)
