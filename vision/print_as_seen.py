"""Prints that a photo's board has elsewhere than the profile's reference.

Printings of one board differ, single routes by 6 mm. Where the photo's board is another copy than
the profile's, a free route's print is found beside its place, and read there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from railspotter.scoring.board import RouteId

from .colour_edges import colour_edges
from .first_look import FirstLook
from .lab import Floats
from .printed_board import Picture, PrintedBoard
from .shape_look import ShapeLook
from .view import View

REACH_MM = 7
"""Printings were seen to differ by 6 mm."""
FOUND = 0.55
"""Correlation from which a print is found: on the labelled photos another copy's moved print has
.61, and what resembles a print beside its own place at most .50."""
BETTER = 0.25
"""How much better than at its own place."""
IN_PLACE = 0.4
"""Correlation at its own place from which a print lies there."""
COVERED = 2.0
"""Log-odds by the net from which trains stand on a print."""
MARGIN_MM = 1.5
"""Ground around the spaces that belongs to their look."""
BLUR_PX = 0.8
NOISE = 15.0


def moved_prints(
    view: View, first: FirstLook, shape: ShapeLook
) -> dict[RouteId, tuple[float, float]]:
    """Return the routes whose print lies elsewhere in the photo, and by how much (dx, dy) in mm.

    The lanes between two places move together. A print under trains is not looked for, for it does
    not show; nor is one that is seen where it should be.
    """
    covered = dict(
        zip(
            (route.id for route in view.printed.board.routes),
            view.printed.per_route_mean(shape.covered),
            strict=True,
        )
    )
    photo = _edges(first.lit, view.printed.px_per_mm)
    owner = cv2.resize(first.trains.owner, photo.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    moved = {}
    for print_ in _prints(view.printed):
        if np.mean([covered[route] for route in print_.routes]) > COVERED:
            continue
        part = photo[print_.rows, print_.columns]
        visible = np.isin(owner[print_.rows, print_.columns], print_.owners)
        visible_part = part * visible[..., None]
        near = slice(REACH_MM - 1, 1 - REACH_MM)
        at_home = float(_correlation(visible_part[near, near], print_).max())
        if at_home > IN_PLACE:
            continue
        correlation = _correlation(visible_part, print_)
        row, column = np.unravel_index(np.argmax(correlation), correlation.shape)
        found = correlation[row, column]
        if found > FOUND and found > at_home + BETTER:
            offset_mm = float(column - REACH_MM), float(row - REACH_MM)
            moved.update(dict.fromkeys(print_.routes, offset_mm))
    return moved


@dataclass(frozen=True, eq=False)
class _Print:
    """The print of the lanes between two places, to be looked for.

    Attributes
    ----------
    owners : tuple of int
        What may own a pixel that shows it: nobody, and the trains of its own routes.
    rows, columns : slice
        Where it is looked for, in pixels of a millimetre.
    shape : (h, w) float32 array
        1 where spaces are.
    edges : (h, w, 6) float32 array
        Its own, 0 outside of the shape.
    """

    routes: tuple[RouteId, ...]
    owners: tuple[int, ...]
    rows: slice
    columns: slice
    shape: Floats
    edges: Floats


@lru_cache(maxsize=2)
def _prints(printed: PrintedBoard) -> tuple[_Print, ...]:
    edges = _edges(printed.reference, printed.px_per_mm)
    height, width = edges.shape[:2]
    together: dict[frozenset[str], list[int]] = {}
    for r, route in enumerate(printed.board.routes):
        together.setdefault(frozenset((route.a, route.b)), []).append(r)
    prints = []
    for routes in together.values():
        shape = printed.footprint(routes, 1.0, MARGIN_MM)
        (top, bottom), (left, right) = ((at.min(), at.max() + 1) for at in np.nonzero(shape))
        rows = slice(int(top) - REACH_MM, int(bottom) + REACH_MM)
        columns = slice(int(left) - REACH_MM, int(right) + REACH_MM)
        if min(rows.start, columns.start) < 0 or rows.stop > height or columns.stop > width:
            continue
        inside = shape[top:bottom, left:right].astype(np.float32)
        own = edges[top:bottom, left:right] * inside[..., None]
        names = tuple(printed.board.routes[route].id for route in routes)
        owners = (0, *(route + 1 for route in routes))
        prints.append(_Print(names, owners, rows, columns, inside, own))
    return tuple(prints)


def _edges(picture: Picture, px_per_mm: float) -> Floats:
    """Return the edges of a picture's colours at a pixel a millimetre, (h, w, 6)."""
    height, width = picture.shape[:2]
    size_wh = round(width / px_per_mm), round(height / px_per_mm)
    small = cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA)
    return colour_edges(np.asarray(small, np.uint8), BLUR_PX)


def _correlation(photo: Floats, print_: _Print) -> Floats:
    """Correlate a print's edges with the photo's, for every shift within reach."""
    both = sum(
        cv2.matchTemplate(
            np.ascontiguousarray(photo[..., half]),
            np.ascontiguousarray(print_.edges[..., half]),
            cv2.TM_CCORR,
        )
        for half in (slice(0, 3), slice(3, 6))
    )
    energy = np.einsum("vuk,vuk->vu", photo, photo)
    under = cv2.matchTemplate(energy, print_.shape, cv2.TM_CCORR)
    own_energy = float(np.vdot(print_.edges, print_.edges))
    return np.asarray(both / (np.sqrt(np.maximum(under, 0) * own_energy) + NOISE), np.float32)
