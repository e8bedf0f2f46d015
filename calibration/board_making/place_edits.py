"""What a person says about the places of a proposed board, and a route laid by hand between two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .edits import add_route, check_on_board
from .errors import EditError
from .places import MOST_PLACES, place_id
from .proposal_values import BoardProposal, ProposedSpace
from .stringing import PlaceOnBoard

USUAL_SPACE_MM = (25.0, 8.0)  # length and width of a space, where none was found on the board yet
FILLED = 0.94  # how much of the way between two places spaces laid by hand take at most


def add_place(
    proposal: BoardProposal, name: str, xy_mm: tuple[float, float], place: str = ""
) -> BoardProposal:
    """Add a place; without an id of its own it gets one that its name gives.

    Examples
    --------
    >>> empty = BoardProposal((100.0, 100.0), (20.0, 8.0), (), ())
    >>> twice = add_place(add_place(empty, "30th St", (1, 2)), "30th St", (3, 4))
    >>> [place.id for place in twice.places]
    ['30th-st', '30th-st-2']
    """
    check_on_board(proposal, xy_mm)
    if not name.strip():
        raise EditError("a place needs a name")
    if len(proposal.places) == MOST_PLACES:
        raise EditError("a board has {n} places at most", n=MOST_PLACES)
    known = {one.id for one in proposal.places}
    if place in known:
        raise EditError("the place {place!r} is there already", place=place)
    free, number = place or place_id(name) or "place", 2
    base = free
    while free in known:
        free, number = f"{base}-{number}", number + 1
    return replace(proposal, places=(*proposal.places, PlaceOnBoard(free, name.strip(), xy_mm)))


def move_place(proposal: BoardProposal, place: str, xy_mm: tuple[float, float]) -> BoardProposal:
    """Say where a place is."""
    check_on_board(proposal, xy_mm)
    proposal.name_of(place)
    places = tuple(replace(p, xy_mm=xy_mm) if p.id == place else p for p in proposal.places)
    return replace(proposal, places=places)


def remove_place(proposal: BoardProposal, place: str) -> BoardProposal:
    """Take a place away at which no settled route ends; what was only proposed there goes too."""
    name = proposal.name_of(place)
    if any(place in route.ends and route.is_accepted for route in proposal.routes):
        raise EditError("routes end at {place}: reject them first", place=name)
    places = tuple(one for one in proposal.places if one.id != place)
    routes = tuple(route for route in proposal.routes if place not in route.ends)
    rejected = tuple(route for route in proposal.rejected if place not in route.ends)
    return replace(proposal, places=places, routes=routes, rejected=rejected)


def lay_route(proposal: BoardProposal, a: str, b: str, colour: str, length: int) -> BoardProposal:
    """Add a route by hand, its spaces in a straight line, beside what runs there already."""
    at = {place.id: np.array(place.xy_mm) for place in proposal.places}
    for place in (a, b):
        proposal.name_of(place)
    if a == b:
        raise EditError("a route cannot start and end at {place!r}", place=a)
    way = at[b] - at[a]
    far = float(np.hypot(*way))
    if far < 1:
        raise EditError("the two places lie on each other: move one of them")
    usual = proposal.space_size_mm if all(proposal.space_size_mm) else USUAL_SPACE_MM
    step = min(FILLED * far / max(length, 1), 1.08 * usual[0])
    size = (round(min(usual[0], 0.95 * step), 1), round(usual[1], 1))
    beside = sum(route.ends == {a, b} for route in proposal.routes)
    off = 1.3 * size[1] * ((beside + 1) // 2) * (-1) ** beside
    aside = np.array([-way[1], way[0]]) / far * off
    angle = round(float(np.degrees(np.arctan2(way[1], way[0]))), 1)
    spaces = []
    for number in range(length):
        run = (number - (length - 1) / 2) * step
        middle = (at[a] + at[b]) / 2 + way / far * run + aside
        middle = np.clip(middle, 0, proposal.size_mm)
        spaces.append(
            ProposedSpace((round(float(middle[0]), 1), round(float(middle[1]), 1)), angle, size)
        )
    return add_route(proposal, a, b, colour, spaces)
