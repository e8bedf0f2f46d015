"""Finds prints that a photo's copy of the board has elsewhere than the profile's reference.

Printings of one board differ, single routes by 6 mm. If the photo shows another copy than the
profile's, a free route's print is found beside its place and read there. Prints of one copy never
move, so during a game each is searched until enough looks agree on its offset.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Picture
from railspotter.calibration.profiles.profile import Offset
from railspotter.calibration.profiles.reference import REACH_MM
from railspotter.scoring.board import RouteId

from ..printed.board_cache import cached_per_board
from ..printed.printed_board import PrintedBoard
from .first_look import FirstLook
from .print_match import NOISE, colour_edges
from .view import View

REACH_PX = round(REACH_MM)  # at one pixel a millimetre
# Correlation from which a print is found: on the labelled photos another copy's moved print has
# .61, and what resembles a print beside its own place at most .50.
FOUND = 0.55
BETTER = 0.25  # least gain in correlation over its own place
IN_PLACE = 0.4  # correlation at its own place from which a print is not moved
COVERED = 2.0  # log-odds by the net from which trains stand on a print
MARGIN_MM = 1.5  # ground around the spaces that is matched too
# Looks in a row that must find a print at one offset. Four or five are made of one still scene, and
# these repeat each other's mistakes.
AGREEING = 8
ALIKE_MM = 1.0  # most difference between offsets that agree: they are whole millimetres


class CopyPrints:
    """Offsets of one copy's prints from its profile's, collected over the looks of one game.

    A print whose offset is known is not searched any more. A single photo needs a new one.
    """

    def __init__(self, profiles: PrintedBoard) -> None:
        self.printed = profiles
        # Looks at one copy share its boards and their caches.
        self._board_with = lru_cache(maxsize=2)(
            lambda moved_mm: profiles.with_moved_prints(dict(moved_mm))
        )
        self.known: dict[RouteId, Offset] = {}
        self._agreeing: dict[RouteId, list[Offset]] = {}

    def add_look(self, seen: Mapping[RouteId, Offset | None]) -> PrintedBoard:
        """Add the offsets that a look at `printed` found; return the board with prints moved so."""
        as_seen = self.printed
        if _without_zeros(seen):
            as_seen = self._with_moved(_without_zeros({**self.known, **seen}))
        known = {**self.known}
        for route, offset_mm in seen.items():
            if offset_mm is None:
                continue
            agreeing = self._agreeing.setdefault(route, [])
            if agreeing and np.abs(np.subtract(agreeing[-1], offset_mm)).max() > ALIKE_MM:
                agreeing.clear()
            agreeing.append(offset_mm)
            if len(agreeing) == AGREEING:
                dx, dy = np.median(agreeing, axis=0).tolist()
                known[route] = dx, dy
        if _without_zeros(known) != _without_zeros(self.known):
            self.printed = self._with_moved(_without_zeros(known))
        self.known = known
        return as_seen

    def _with_moved(self, moved_mm: Mapping[RouteId, Offset]) -> PrintedBoard:
        return self._board_with(frozenset(moved_mm.items()))


def find_prints(
    view: View, first: FirstLook, known: Collection[RouteId] = ()
) -> dict[RouteId, Offset | None]:
    """Return the offsets at which routes' prints are found in the photo, (dx, dy) in mm.

    None for a print that is not found. Lanes between two places move together. Prints that are
    known, or under trains, are not searched and missing from the result.
    """
    covered = first.shape.covered_routes(view.printed)
    of_route = dict(zip((route.id for route in view.printed.board.routes), covered, strict=True))
    sought = [
        print_
        for print_ in _prints(view.printed)
        if print_.routes[0] not in known
        and np.mean([of_route[route] for route in print_.routes]) <= COVERED
    ]
    if not sought:
        return {}
    photo = _edges(first.picture, view.printed.px_per_mm)
    owner = cv2.resize(first.trains.owner, photo.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    seen: dict[RouteId, Offset | None] = {}
    for print_ in sought:
        seen.update(dict.fromkeys(print_.routes))
        part = photo[print_.rows, print_.columns]
        visible = np.isin(owner[print_.rows, print_.columns], print_.owners)
        visible_part = part * visible[..., None]
        near = slice(REACH_PX - 1, 1 - REACH_PX)
        in_place = float(_correlation(visible_part[near, near], print_).max())
        if in_place > IN_PLACE:
            seen.update(dict.fromkeys(print_.routes, (0.0, 0.0)))
            continue
        correlation = _correlation(visible_part, print_)
        row, column = np.unravel_index(np.argmax(correlation), correlation.shape)
        found = correlation[row, column]
        if found > FOUND and found > in_place + BETTER:
            offset_mm = float(column - REACH_PX), float(row - REACH_PX)
            seen.update(dict.fromkeys(print_.routes, offset_mm))
    return seen


def _without_zeros(offsets_mm: Mapping[RouteId, Offset | None]) -> dict[RouteId, Offset]:
    return {route: off_mm for route, off_mm in offsets_mm.items() if off_mm and any(off_mm)}


@dataclass(frozen=True, eq=False)
class _LanesPrint:
    """The print of the lanes between two places, as a template."""

    routes: tuple[RouteId, ...]
    # Owners of pixels that may show it: none, and the trains of its own routes.
    owners: tuple[int, ...]
    rows: slice  # rows, columns: where it is searched, at one pixel a millimetre
    columns: slice
    shape: Float32s  # (h, w) float32: 1 on its spaces
    edges: Float32s  # (h, w, 6) float32: its colour edges, 0 outside of the shape


@cached_per_board
def _prints(printed: PrintedBoard) -> tuple[_LanesPrint, ...]:
    edges = _edges(printed.reference, printed.px_per_mm)
    height, width = edges.shape[:2]
    together: dict[frozenset[str], list[int]] = {}
    for r, route in enumerate(printed.board.routes):
        together.setdefault(frozenset((route.a, route.b)), []).append(r)
    prints = []
    for routes in together.values():
        shape = printed.footprint(printed.spaces_of(routes), 1.0, MARGIN_MM)
        left, top, wide, high = cv2.boundingRect(shape)
        right, bottom = left + wide, top + high
        rows = slice(top - REACH_PX, bottom + REACH_PX)
        columns = slice(left - REACH_PX, right + REACH_PX)
        if min(rows.start, columns.start) < 0 or rows.stop > height or columns.stop > width:
            continue
        inside = shape[top:bottom, left:right].astype(np.float32)
        own = edges[top:bottom, left:right] * inside[..., None]
        names = tuple(printed.board.routes[route].id for route in routes)
        owners = (0, *(route + 1 for route in routes))
        prints.append(_LanesPrint(names, owners, rows, columns, inside, own))
    return tuple(prints)


def _edges(picture: Picture, px_per_mm: float) -> Float32s:
    """Return the colour edges of a picture scaled to one pixel a millimetre, (h, w, 6)."""
    height, width = picture.shape[:2]
    size_wh = round(width / px_per_mm), round(height / px_per_mm)
    small = cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA)
    return colour_edges(np.asarray(small, np.uint8)).reshape(*small.shape[:2], 6)


def _correlation(photo: Float32s, print_: _LanesPrint) -> Float32s:
    """Return the normalized correlation of a print's edges with the photo's, for every shift."""
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
