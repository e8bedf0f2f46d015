"""From a proposal to a board file, and onto a board of which a part is known.

What a person has set on the board stays as it is: names, ids, colours, lengths, sites, tunnels,
places that were measured, spaces that were laid. A proposal fills what is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from railspotter.scoring.board import Board, Place, Route, Space, parse_board
from railspotter.scoring.sentence import Sentence

from .errors import BoardMakingError
from .outlines import SizeMm
from .proposal_values import BoardProposal, ProposedRoute, ProposedSpace
from .stringing import PlaceOnBoard

UNKNOWN = "unknown"  # the colour of a route at which nobody has looked


@dataclass(frozen=True)
class GrownBoard:
    """A board that a proposal was put onto."""

    board: Board
    # Where the proposal and what was set before disagree; what was set stays.
    notes: tuple[str, ...]


def places_of(board: Board) -> tuple[PlaceOnBoard, ...]:
    """Return the places of a board whose positions are known."""
    known = (place for place in board.places if place.xy_mm != (0.0, 0.0))
    return tuple(PlaceOnBoard(place.id, place.name, place.xy_mm) for place in known)


def routes_of(board: Board) -> tuple[ProposedRoute, ...]:
    """Return the routes of a board whose spaces are known, as settled parts of a proposal."""
    laid = [route for route in board.routes if route.spaces]
    return tuple(
        ProposedRoute(
            number,
            route.a,
            route.b,
            route.colour,
            tuple(ProposedSpace(s.xy_mm, s.angle_deg, s.size_mm) for s in route.spaces),
            is_accepted=True,
        )
        for number, route in enumerate(laid, start=1)
    )


def with_places(places: Sequence[PlaceOnBoard], board: Board) -> tuple[PlaceOnBoard, ...]:
    """Return all places to string between: the board's own where it knows where they are."""
    own = {place.id: place for place in places_of(board)}
    names = {place.id: place.name for place in board.places}
    others = (
        PlaceOnBoard(place.id, names.get(place.id, place.name), place.xy_mm)
        for place in places
        if place.id not in own
    )
    return (*own.values(), *others)


def grow(board: Board, proposal: BoardProposal) -> GrownBoard:
    """Return a board with what a proposal adds to it.

    Raises
    ------
    BoardMakingError
        When the sizes differ, or too many routes lie between two places.
    BoardError
        When the result would be no board.
    """
    size_mm = _size(board, proposal.size_mm)
    places = {place.id: place for place in board.places}
    for place in proposal.places:
        known = places.get(place.id, Place(place.id, place.name))
        at = known.xy_mm if known.xy_mm != (0.0, 0.0) else place.xy_mm
        places[place.id] = msgspec.structs.replace(known, xy_mm=at)
    routes, notes = _routes(board, proposal)
    is_placed = all(place.xy_mm != (0.0, 0.0) for place in places.values())
    grown = Board(
        board.id,
        board.title,
        tuple(places.values()),
        tuple(routes),
        size_mm,
        board.sites,
        measured=is_placed and all(route.spaces for route in routes),
        complete=board.complete,
        tickets=board.tickets,
    )
    # As its file will be read; what could not be is refused.
    return GrownBoard(parse_board(msgspec.json.encode(grown)), tuple(notes))


def board_text(board: Board) -> str:
    """Return a board as the text of a board file."""
    return msgspec.json.format(msgspec.json.encode(board), indent=2).decode() + "\n"


def _size(board: Board, size_mm: SizeMm) -> SizeMm:
    if board.size_mm == (1.0, 1.0):  # nobody measured it yet
        return size_mm
    if any(abs(old - new) > 0.01 * old for old, new in zip(board.size_mm, size_mm, strict=True)):
        raise BoardMakingError(
            "the board is {a} x {b} mm already, not {c} x {d}: give the size it has",
            a=f"{board.size_mm[0]:g}",
            b=f"{board.size_mm[1]:g}",
            c=f"{size_mm[0]:g}",
            d=f"{size_mm[1]:g}",
        )
    return board.size_mm


def _routes(board: Board, proposal: BoardProposal) -> tuple[list[Route], list[str]]:
    """Return the routes that were there, filled where they had no spaces, and the new ones."""
    notes: list[str] = []
    offered: dict[frozenset[str], list[ProposedRoute]] = {}
    settled = {_middle(route.spaces) for route in board.routes if route.spaces}
    for route in proposal.routes:
        if _middle(route.spaces) not in settled:
            offered.setdefault(route.ends, []).append(route)
    kept: list[Route] = []
    for old in board.routes:
        if old.spaces:
            kept.append(old)
            continue
        choice = _best(old, offered.get(frozenset((old.a, old.b)), []))
        if choice is None:
            notes.append(
                Sentence(
                    "no spaces were found for {route}, which is {n} long",
                    route=old.id,
                    n=old.length,
                )
            )
            kept.append(old)
            continue
        offered[choice.ends].remove(choice)
        if choice.length != old.length:
            notes.append(
                Sentence(
                    "{route} is {n} long as it was set, but {m} spaces were found: it was left"
                    " without spaces",
                    route=old.id,
                    n=old.length,
                    m=choice.length,
                )
            )
            kept.append(old)
            continue
        if old.colour not in (UNKNOWN, choice.colour):
            notes.append(
                Sentence(
                    "{route} is {colour} as it was set; it looks {other}",
                    route=old.id,
                    colour=old.colour,
                    other=choice.colour,
                )
            )
        spaces = _spaces(choice, is_back=choice.a != old.a)
        colour = choice.colour if old.colour == UNKNOWN else old.colour
        kept.append(msgspec.structs.replace(old, colour=colour, spaces=spaces))
    return [*kept, *_new_routes(kept, offered)], notes


def _best(old: Route, offered: Sequence[ProposedRoute]) -> ProposedRoute | None:
    """Return the offer most like a route without spaces: of its length, then of its colour."""
    fit = [(r.length != old.length, r.colour != old.colour, r.number, r) for r in offered]
    return min(fit)[-1] if fit else None


def _new_routes(
    kept: Sequence[Route], offered: dict[frozenset[str], list[ProposedRoute]]
) -> list[Route]:
    ids = {route.id for route in kept}
    new = []
    for ends, routes in offered.items():
        lanes = {route.lane for route in kept if {route.a, route.b} == ends}
        is_double = len(routes) + len(lanes) > 1
        for route in routes:
            lane = next(n for n in range(len(lanes) + 1) if n not in lanes)
            if lane > 3:
                raise BoardMakingError(
                    "more than 4 routes lie between {a} and {b}: reject some of them",
                    a=route.a,
                    b=route.b,
                )
            lanes.add(lane)
            a, b = sorted(ends)
            name = f"{a}--{b}--{lane}" if is_double else f"{a}--{b}"
            while name in ids:  # somebody named another route so
                name += "-b"
            ids.add(name)
            spaces = _spaces(route, is_back=route.a != a)
            new.append(Route(name, a, b, len(spaces), route.colour, spaces, lane))
    return new


def _middle(
    spaces: Sequence[ProposedSpace] | Sequence[Space],
) -> tuple[tuple[float, float], ...]:
    return tuple(sorted(space.xy_mm for space in spaces))


def _spaces(route: ProposedRoute, *, is_back: bool) -> tuple[Space, ...]:
    run = route.spaces[::-1] if is_back else route.spaces
    return tuple(
        Space(s.xy_mm, _within_turn(s.angle_deg + (180 if is_back else 0)), s.size_mm) for s in run
    )


def _within_turn(angle_deg: float) -> float:
    """Return an angle as one from -180 to 180 degrees."""
    return round((angle_deg + 180) % 360 - 180, 1)
