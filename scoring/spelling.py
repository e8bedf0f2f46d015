"""How people write places and routes: which one is meant, and the nearest where none is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import product
from typing import Literal

from .board import Board, PlaceId, Route

Kind = Literal["place", "route", "site"]
# Of both places of a route as they are printed; nothing longer looks like anything.
MOST_LETTERS = 200
MOST_NEAR = 3
NEAR = 0.6  # Likeness of what is offered, as `difflib` counts it: 1 is the same. Its own default.


def spelled_plainly(text: str) -> str:
    """Return a text without capitals, accents and signs, as ids are written.

    Examples
    --------
    >>> spelled_plainly("Saint  Louis"), spelled_plainly("Zürich"), spelled_plainly("St. Paul")
    ('saint-louis', 'zurich', 'st-paul')
    """
    letters = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(sign for sign in letters if not unicodedata.combining(sign))
    return re.sub(r"[\W_]+", "-", letters).strip("-")


def place_called(text: str, board: Board) -> PlaceId | None:
    """Return the place that a text names: by its id, or as it is printed on the board.

    Examples
    --------
    >>> from .board import load_board
    >>> place_called("Santa Fe", load_board("usa")), place_called("Zurich", load_board("europe"))
    ('santa-fe', 'zurich')
    >>> place_called("Atlantis", load_board("usa"))
    """
    if text in board.place_by_id:
        return text
    plain = spelled_plainly(text)
    found = [place.id for place in board.places if spelled_plainly(place.name) == plain]
    if plain in board.place_by_id:
        found.append(plain)
    return found[0] if len(set(found)) == 1 else None


def nearest(kind: Kind, text: str, board: Board) -> tuple[str, ...]:
    """Return the ids that look most like a text, the nearest first.

    A route may be written with its places in the other order, or as they are printed.

    Examples
    --------
    >>> from .board import load_board
    >>> nearest("route", "seattle--helena", load_board("usa"))[0]
    'helena--seattle'
    >>> nearest("place", "Chikago", load_board("usa"))
    ('chicago',)
    """
    if len(text) > MOST_LETTERS:
        return ()
    ids_of: dict[str, list[str]] = {}
    for written, one in _ways_to_write(kind, board):
        ids_of.setdefault(written, []).append(one)
    near = get_close_matches(spelled_plainly(text), ids_of, MOST_NEAR, NEAR)
    return tuple(dict.fromkeys(one for written in near for one in ids_of[written]))[:MOST_NEAR]


def _ways_to_write(kind: Kind, board: Board) -> Iterator[tuple[str, str]]:
    """Yield plain spellings, each with the id that it stands for."""
    if kind == "route":
        for route in board.routes:
            yield from ((written, route.id) for written in _route_spellings(route, board))
        return
    for one in board.places if kind == "place" else board.sites:
        yield spelled_plainly(one.id), one.id
        yield spelled_plainly(one.name), one.id


def _route_spellings(route: Route, board: Board) -> Iterator[str]:
    yield spelled_plainly(route.id)
    a, b = ({end, spelled_plainly(board.place_by_id[end].name)} for end in (route.a, route.b))
    for one, other in product(a, b):
        for ends in (f"{one}-{other}", f"{other}-{one}"):
            yield ends
            yield f"{ends}-{route.lane}"
