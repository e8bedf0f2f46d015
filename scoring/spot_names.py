"""Names of spots and places on a board, and finding the one that a text means.

A lane of a double route gets its name in this one place: a number, from 1 in the order of its route
ids (`--0` is the first), which terminals, messages and files tell in words; a page before which
somebody sees the board tells its side.
"""

import re
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import product
from typing import Literal

from .board import Board, PlaceId, Route, RouteId
from .spot import Spot

Side = Literal["left", "right", "upper", "lower"]
ORDINALS = ("first", "second", "third", "fourth")
Kind = Literal["place", "route", "site"]
# Of both places of a route as they are printed; nothing longer looks like anything.
MOST_LETTERS = 200
MOST_NEAR = 3
NEAR = 0.6  # Likeness of what is offered, as `difflib` counts it: 1 is the same. Its own default.


def route_ends(board: Board, route_id: RouteId) -> str:
    """Return the names of a route's two ends, without its lane.

    >>> from railspotter.scoring.board import load_board
    >>> route_ends(load_board("usa"), "portland--seattle--1")
    'Portland - Seattle'
    """
    route = board.route_by_id[route_id]
    return f"{board.place_by_id[route.a].name} - {board.place_by_id[route.b].name}"


def lane_number(board: Board, route_id: RouteId) -> int | None:
    """Return the number of a double route's lane, from 1; None for a route of one lane.

    >>> from railspotter.scoring.board import load_board
    >>> lane_number(load_board("usa"), "portland--seattle--1")
    2
    """
    return board.route_by_id[route_id].lane + 1 if route_id in board.other_lanes else None


def lane_side(board: Board, route_id: RouteId) -> Side | None:
    """Return which side of two lanes it is on the upright board; None if unclear.

    It is unclear for a route of one lane, of three or more, and where spaces are not measured.

    >>> from railspotter.scoring.board import load_board
    >>> lane_side(load_board("usa"), "portland--seattle--1")
    'right'
    """
    route = board.route_by_id[route_id]
    twins = [board.route_by_id[twin] for twin in board.other_lanes.get(route_id, ())]
    if len(twins) != 1 or not route.spaces or not twins[0].spaces:
        return None
    (x, y), (twin_x, twin_y) = _middle_mm(route), _middle_mm(twins[0])
    if abs(x - twin_x) > abs(y - twin_y):
        return "left" if x < twin_x else "right"
    return "upper" if y < twin_y else "lower"


def route_name(board: Board, route_id: RouteId) -> str:
    """Return the name of a route for players, with its lane's number.

    >>> from railspotter.scoring.board import load_board
    >>> route_name(load_board("usa"), "portland--seattle--1")
    'Portland - Seattle (second lane)'
    """
    ends, number = route_ends(board, route_id), lane_number(board, route_id)
    return ends if number is None else f"{ends} ({ORDINALS[number - 1]} lane)"


def spot_name(board: Board, spot: Spot) -> str:
    """Return the name of a route, a station or a site for players.

    >>> from railspotter.scoring.board import load_board
    >>> spot_name(load_board("europe"), Spot("station", "roma"))
    'the station at Roma'
    """
    match spot:
        case Spot("route", name):
            return route_name(board, name)
        case Spot("station", name):
            return f"the station at {board.place_by_id[name].name}"
        case Spot(_, name):
            return f"the site {board.site_by_id[name].name}"


def _middle_mm(route: Route) -> tuple[float, float]:
    x, y = (sum(space.xy_mm[axis] for space in route.spaces) for axis in (0, 1))
    return x / len(route.spaces), y / len(route.spaces)


def plain_spelling(text: str) -> str:
    """Return a text without capitals, accents and signs, as ids are written.

    >>> plain_spelling("Saint  Louis"), plain_spelling("Zürich"), plain_spelling("St. Paul")
    ('saint-louis', 'zurich', 'st-paul')
    """
    return re.sub(r"[\W_]+", "-", without_accents(text.casefold())).strip("-")


def without_accents(text: str) -> str:
    """Return a text without accents on its letters."""
    letters = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def find_place(text: str, board: Board) -> PlaceId | None:
    """Return the place that a text names: by its id, or as it is printed on the board.

    >>> from .board import load_board
    >>> find_place("Santa Fe", load_board("usa")), find_place("Zurich", load_board("europe"))
    ('santa-fe', 'zurich')
    >>> find_place("Atlantis", load_board("usa"))
    """
    if text in board.place_by_id:
        return text
    plain = plain_spelling(text)
    found = [place.id for place in board.places if plain_spelling(place.name) == plain]
    if plain in board.place_by_id:
        found.append(plain)
    return found[0] if len(set(found)) == 1 else None


def nearest(kind: Kind, text: str, board: Board) -> tuple[str, ...]:
    """Return the ids that look most like a text, the nearest first.

    A route may be written with its places in the other order, or as they are printed.

    >>> from .board import load_board
    >>> nearest("route", "seattle--helena", load_board("usa"))[0]
    'helena--seattle'
    >>> nearest("place", "Chikago", load_board("usa"))
    ('chicago',)
    """
    if len(text) > MOST_LETTERS:
        return ()
    ids_of: dict[str, list[str]] = {}
    for written, one in _spellings(kind, board):
        ids_of.setdefault(written, []).append(one)
    near = get_close_matches(plain_spelling(text), ids_of, MOST_NEAR, NEAR)
    return tuple(dict.fromkeys(one for written in near for one in ids_of[written]))[:MOST_NEAR]


def _spellings(kind: Kind, board: Board) -> Iterator[tuple[str, str]]:
    """Yield plain spellings, each with its id."""
    if kind == "route":
        for route in board.routes:
            yield from ((written, route.id) for written in _route_spellings(route, board))
        return
    for one in board.places if kind == "place" else board.sites:
        yield plain_spelling(one.id), one.id
        yield plain_spelling(one.name), one.id


def _route_spellings(route: Route, board: Board) -> Iterator[str]:
    yield plain_spelling(route.id)
    a, b = ({end, plain_spelling(board.place_by_id[end].name)} for end in (route.a, route.b))
    for one, other in product(a, b):
        for ends in (f"{one}-{other}", f"{other}-{one}"):
            yield ends
            yield f"{ends}-{route.lane}"
