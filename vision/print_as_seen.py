"""Prints that a photo's board has elsewhere than the profile's reference.

Printings of one board differ, single routes by 6 mm. Where the photo's board is another copy than
the profile's, a free route's print is found beside its place, and read there.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import RouteId

from .evidence import SeenBoard
from .lab import Floats
from .placement import StandingTrains
from .printed_board import PrintedBoard

PX_PER_MM = 1.0
REACH_MM = 7
"""Printings were seen to differ by 6 mm."""
FOUND = 0.55
"""Correlation from which a print is found: on the labelled photos another copy's moved print has
.61, and what resembles a print beside its own place at most .50."""
BETTER = 0.25
"""How much better than at its own place."""
MARGIN_MM = 1.5
"""Ground around the spaces that belongs to their look."""
NOISE = 15.0


def moved_prints(
    printed: PrintedBoard, seen: SeenBoard, trains: StandingTrains
) -> dict[RouteId, tuple[float, float]]:
    """Return the routes whose print lies elsewhere in the photo, and by how much (dx, dy) in mm.

    The lanes between two places move together. A print under trains is not looked for: it does
    not show.
    """
    print_edges = _edges(printed, printed.reference_lab)
    photo_edges = _edges(printed, seen.lab)
    height, width = print_edges.shape[:2]
    owner = cv2.resize(trains.owner, (width, height), interpolation=cv2.INTER_NEAREST)
    moved = {}
    for routes in _between_the_same_places(printed):
        shape = printed.footprint(routes, PX_PER_MM, MARGIN_MM)
        rows, columns = (
            slice(int(at.min()) - REACH_MM, int(at.max()) + 1 + REACH_MM)
            for at in np.nonzero(shape)
        )
        if min(rows.start, columns.start) < 0 or rows.stop > height or columns.stop > width:
            continue
        visible = np.isin(owner[rows, columns], [0, *(route + 1 for route in routes)])
        inner = slice(REACH_MM, -REACH_MM)
        correlation = _correlation(
            photo_edges[rows, columns] * visible[..., None],
            print_edges[rows, columns][inner, inner],
            shape[rows, columns][inner, inner].astype(np.float32),
        )
        own_place = slice(REACH_MM - 1, REACH_MM + 2)
        row, column = np.unravel_index(np.argmax(correlation), correlation.shape)
        found = correlation[row, column]
        if found > FOUND and found > correlation[own_place, own_place].max() + BETTER:
            offset_mm = (
                float(column - REACH_MM) / PX_PER_MM,
                float(row - REACH_MM) / PX_PER_MM,
            )
            moved.update({printed.board.routes[route].id: offset_mm for route in routes})
    return moved


def _between_the_same_places(printed: PrintedBoard) -> Iterator[list[int]]:
    together: dict[frozenset[str], list[int]] = {}
    for r, route in enumerate(printed.board.routes):
        together.setdefault(frozenset((route.a, route.b)), []).append(r)
    yield from together.values()


def _edges(printed: PrintedBoard, lab: Floats) -> Floats:
    """Return how the colours change along x and y at `PX_PER_MM`, (h, w, 6)."""
    height, width = printed.reference.shape[:2]
    picture = np.zeros((height, width, 3), np.float32)
    picture.reshape(-1, 3)[printed.seen_pixels] = lab
    shrink = PX_PER_MM / printed.px_per_mm
    size_wh = round(width * shrink), round(height * shrink)
    small = cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.8)
    edges = [cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0)]
    return np.asarray(np.concatenate(edges, axis=-1), np.float32)


def _correlation(photo: Floats, template: Floats, shape: Floats) -> npt.NDArray[np.float32]:
    """Correlate the edges inside a shape with the photo's, for every shift within reach."""
    wanted = template * shape[..., None]
    both = sum(
        cv2.matchTemplate(
            np.ascontiguousarray(photo[..., half]),
            np.ascontiguousarray(wanted[..., half]),
            cv2.TM_CCORR,
        )
        for half in (slice(0, 3), slice(3, 6))
    )
    energy = np.einsum("vuk,vuk->vu", photo, photo)
    under = cv2.matchTemplate(energy, shape, cv2.TM_CCORR)
    scale = np.sqrt(np.maximum(under, 0) * np.einsum("vuk,vuk->", wanted, wanted))
    return np.asarray(both / (scale + NOISE), np.float32)
