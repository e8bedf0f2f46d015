"""How much of a space's print shows in the photo: correlation of the colours' edges.

Light changes colours, but edges stay: a train hides the outline and the symbol of the space it
stands on. All of Lab counts, for the print of a dark space on dark ground has edges in hue only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from .evidence import SeenBoard
from .lab import Floats
from .placement import StandingTrains
from .printed_board import PrintedBoard

PARTS_MM = {
    "whole": (-12.0, 12.0, -4.0, 4.0),
    "left half": (-12.0, 12.0, -4.5, -0.5),
    "right half": (-12.0, 12.0, 0.5, 4.5),
    "middle": (-10.0, 10.0, -2.2, 2.2),
    "around": (-16.0, 16.0, -8.0, 8.0),
}
"""Parts of a space, from and to, along and across its middle; "around" holds all others."""
LEAST_VISIBLE = 0.35
"""A part of which other routes' trains leave less in sight says nothing."""
NOISE = 15.0
"""The energy of noise, so that a plain part correlates with nothing."""
SHIFTS_PX = (-1, 0, 1)
"""No pose is better than a pixel; all spaces of a route are shifted together."""


@dataclass(frozen=True, eq=False)
class PrintMatch:
    """How well the photo's edges correlate with the print's, (N,) each: 1 for bare print.

    Attributes
    ----------
    half : (N,) float32 array
        Of the half of the space, left or right, that shows less of it: a train that was put down
        carelessly bares the other.
    middle : (N,) float32 array
        Of the symbol and what is beside it.
    around : (N,) float32 array
        Of the space with its surroundings.
    """

    half: Floats
    middle: Floats
    around: Floats


def match_print(printed: PrintedBoard, seen: SeenBoard, trains: StandingTrains) -> PrintMatch:
    """Look for the print of every space around the trains of all other routes."""
    photo = printed.colour_edges(seen.lab)
    energy = np.einsum("pk,pk->p", photo, photo)
    rows, columns = printed.middle(*(2 * PARTS_MM["around"][i] for i in (1, 3)))
    windows = printed.windows[:, rows, columns]
    expected = printed.reference_edges[windows.reshape(len(windows), -1)]
    parts = _parts(windows.shape[1:], printed.px_per_mm)
    owner = trains.owner.reshape(-1)

    def correlations(moved: npt.NDArray[np.intp], some: slice) -> tuple[Floats, Floats]:
        """Return each part's correlation and how much of it is in sight, (N, parts) each."""
        pixels = windows.reshape(len(windows), -1)[:, some] + moved[:, None]
        np.clip(pixels, 0, len(photo) - 1, out=pixels)
        owned = owner[pixels]
        shown = ((owned == 0) | (owned == (printed.route_of + 1)[:, None])).astype(np.float32)
        wanted = expected[:, some]
        both = np.einsum("npk,npk->np", photo[pixels], wanted) * shown
        wanted_energy = np.einsum("npk,npk->np", wanted, wanted) * shown
        mask = parts[some]
        sums = [v @ mask for v in (both, energy[pixels] * shown, wanted_energy, shown)]
        correlation = sums[0] / (np.sqrt(sums[1] * sums[2]) + NOISE)
        return correlation, sums[3] / mask.sum(axis=0)

    width = printed.reference.shape[1]
    shifts = np.array([down * width + right for down in SHIFTS_PX for right in SHIFTS_PX])
    whole = list(PARTS_MM).index("whole")
    by_shift = [
        printed.per_route_mean(
            correlations(np.full(len(windows), shift), slice(None, None, 3))[0][:, whole]
        )
        for shift in shifts
    ]
    best = shifts[np.argmax(by_shift, axis=0)]
    found, in_sight = correlations(best[printed.route_of], slice(None))
    match = dict(zip(PARTS_MM, found.T, strict=True))
    sight = dict(zip(PARTS_MM, in_sight.T, strict=True))
    halves = np.stack(
        [
            np.where(sight[half] > LEAST_VISIBLE, match[half], np.inf)
            for half in ("left half", "right half")
        ]
    ).min(axis=0)
    half = np.where(np.isfinite(halves), halves, match["whole"])
    return PrintMatch(half.astype(np.float32), match["middle"], match["around"])


@cache
def _parts(shape: tuple[int, int], px_per_mm: float) -> Floats:
    """Return which pixels of a window of that shape each part holds, (pixels, parts), 0 or 1."""
    rows, columns = shape
    across = (np.arange(rows) - rows // 2)[:, None] / px_per_mm
    along = (np.arange(columns) - columns // 2)[None, :] / px_per_mm
    held = [
        (along >= start) & (along <= end) & (across >= left) & (across <= right)
        for start, end, left, right in PARTS_MM.values()
    ]
    return np.stack(held, axis=-1).reshape(rows * columns, -1).astype(np.float32)
