"""How much of each space's print shows in the photo, by the edges of its colours.

Light changes colours, but edges stay: a train hides the outline and the symbol of the space it
stands on. This knows nothing that the net knows, so where the two disagree there is reason to ask.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .colour_edges import colour_edges
from .first_look import FirstLook
from .lab import Floats
from .printed_board import PrintedBoard
from .view import View

PART_MM = (24.0, 9.0)
"""The part of a space, along and across its middle, in which its print is looked for."""
SPINE_MM = 0.5
"""What of the middle belongs to neither half."""
LEAST_VISIBLE = 0.35
"""A half of which other routes' trains leave less in sight says nothing."""
NOISE = 15.0
"""The energy of noise, so that a plain part correlates with nothing."""
BLUR_PX = 1.0
SHIFTS_PX = (-1, 0, 1)
"""No pose is better than a pixel; all spaces of a route are shifted together."""


def print_in_sight(view: View, first: FirstLook, edges: Floats) -> Floats:
    """Return how well the photo's edges correlate with the print's, (N,): 1 for bare print.

    Of each space its left and right half are looked at, and the one counts that shows less of the
    print: a train that was put down carelessly bares the other. What other routes' trains hide is
    left out.

    Parameters
    ----------
    edges : (H, W, 6) float32 array
        Of the photo's colours, in the reference's light.
    """
    printed = view.printed
    photo = edges.reshape(-1, 6)
    owner = first.trains.owner.reshape(-1)
    windows, wanted, parts = _prints(printed, part_mm(view))
    wanted_energy = np.einsum("npk,npk->np", wanted, wanted)
    own = (printed.route_of + 1).astype(owner.dtype)[:, None]

    def correlations(shift: npt.NDArray[np.intp], parts: Floats) -> tuple[Floats, Floats]:
        """Return the correlation of each part and how much is in sight, (N, parts) each."""
        pixels = windows + shift
        there = photo.take(pixels, axis=0, mode="clip")
        owned = owner.take(pixels, mode="clip")
        shown = ((owned == 0) | (owned == own)).astype(np.float32)
        both, energy = (np.einsum("npk,npk->np", there, other) for other in (wanted, there))
        sums = [(values * shown) @ parts for values in (both, energy, wanted_energy)]
        correlation = sums[0] / (np.sqrt(sums[1] * sums[2]) + NOISE)
        return correlation, shown @ parts / parts.sum(axis=0)

    width = printed.reference.shape[1]
    shifts = np.array([down * width + right for down in SHIFTS_PX for right in SHIFTS_PX])
    by_shift = [printed.per_route_mean(correlations(by, parts[:, :1])[0][:, 0]) for by in shifts]
    best = shifts[np.argmax(by_shift, axis=0)][printed.route_of]
    found, in_sight = correlations(best[:, None], parts)
    halves = np.where(in_sight[:, 1:] > LEAST_VISIBLE, found[:, 1:], np.inf).min(axis=1)
    return np.where(np.isfinite(halves), halves, found[:, 0]).astype(np.float32)


def part_mm(view: View) -> tuple[float, float]:
    """Return the part of a space in which its print is looked for: what one piece would hide."""
    return min(PART_MM[0], view.train_size_mm[0]), PART_MM[1]


@lru_cache(maxsize=2)
def _prints(
    printed: PrintedBoard, size_mm: tuple[float, float]
) -> tuple[npt.NDArray[np.int32], Floats, Floats]:
    """Return the windows' pixels (N, P), the print's edges there (N, P, 6) and the parts (P, 3).

    The parts are the whole, the left and the right half; 1 where a pixel belongs to it.
    """
    rows, columns = printed.middle(*size_mm)
    windows = printed.windows[:, rows, columns]
    across = (np.arange(windows.shape[1]) - windows.shape[1] // 2) / printed.steps_per_mm
    whole = np.ones(windows.shape[1:], np.float32)
    parts = [whole, whole * (across <= -SPINE_MM)[:, None], whole * (across >= SPINE_MM)[:, None]]
    windows = windows.reshape(len(windows), -1)
    edges = colour_edges(printed.reference, BLUR_PX).reshape(-1, 6)[windows]
    return windows, edges, np.stack([part.reshape(-1) for part in parts], axis=-1)
