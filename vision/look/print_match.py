"""Measures how much of each space's print shows in the photo, by its colour edges.

Light changes colours, but edges stay: a train hides the outline and the symbol of its space. They
are of all channels of Lab, since the outline of a dark space on dark ground is one of hue only.
This cue is independent of the net, so where the two disagree there is reason to ask.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Int32s, Picture

from ..lab import to_lab
from ..printed.board_cache import cached_per_board
from ..printed.printed_board import PrintedBoard
from .placement import StandingTrains
from .view import View

BLUR_PX = 1.0  # standard deviation of the blur before the gradient
# The part of a space around its middle, along and across, in which its print is matched.
PART_MM = (24.0, 9.0)
SPINE_MM = 0.5  # half-width of the strip at the middle that belongs to neither half
LEAST_VISIBLE = 0.35  # a half of which other routes' trains hide more than the rest is ignored
NOISE = 15.0  # energy of noise, added so that a plain part correlates with nothing
SHIFTS_PX = (-1, 0, 1)  # poses err by a pixel; all spaces of a route are shifted together


def colour_edges(picture: Picture, pixels: Int32s | slice = slice(None)) -> Float32s:
    """Return the change of L*, a*, b* per pixel along x, then along y, (M, 6).

    `pixels` are indices into the flattened picture; all by default.
    """
    soft = cv2.GaussianBlur(to_lab(picture), (0, 0), BLUR_PX)
    changes = (cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
    return np.concatenate([change.reshape(-1, 3)[pixels] for change in changes], axis=1)


@dataclass(frozen=True, eq=False)
class _Prints:
    """The prints of all spaces, as templates."""

    # (M,) int32: pixels of any shifted template, indices into the flattened picture.
    pixels: Int32s
    # (S, N, P) int32: for every shift, the pixels of each space's part, as indices into `pixels`.
    at: Int32s
    edges: Float32s  # (N, P, 6) float32: the print's colour edges, not shifted
    # (P, 3) float32: masks of the whole, the left and the right half.
    parts: Float32s


def edges_of_prints(view: View, lit: Picture) -> Float32s:
    """Return a photo's colour edges where prints are matched, (M, 6): a sixth of the board."""
    return colour_edges(lit, _prints(view.printed, part_mm(view)).pixels)


def print_in_sight(view: View, trains: StandingTrains, edges: Float32s) -> Float32s:
    """Return the correlation of the photo's edges with each space's print, (N,): 1 for bare print.

    The edges are those of `edges_of_prints`. Negative correlations become 0. The lower of the left
    and the right half counts: a train that stands askew bares the other. Pixels under other routes'
    trains are left out.
    """
    printed = view.printed
    prints = _prints(printed, part_mm(view))
    wanted, parts = prints.edges, prints.parts
    wanted_energy = np.einsum("npk,npk->np", wanted, wanted)
    owner = trains.owner.reshape(-1).take(prints.pixels)
    own = (printed.route_of + 1).astype(owner.dtype)[:, None]

    def correlations(at: Int32s, parts: Float32s) -> tuple[Float32s, Float32s]:
        """Return the correlation and the visible share of each part, (N, parts) each."""
        there, owned = edges.take(at, axis=0), owner.take(at)
        shown = ((owned == 0) | (owned == own)).astype(np.float32)
        both, energy = (np.einsum("npk,npk->np", there, other) for other in (wanted, there))
        sums = [(values * shown) @ parts for values in (both, energy, wanted_energy)]
        correlation = sums[0] / (np.sqrt(sums[1] * sums[2]) + NOISE)
        return correlation, shown @ parts / parts.sum(axis=0)

    whole = parts[:, :1]
    by_shift = [printed.per_route_mean(correlations(at, whole)[0][:, 0]) for at in prints.at]
    best = np.argmax(by_shift, axis=0)[printed.route_of]
    found, in_sight = correlations(prints.at[best, np.arange(len(best))], parts)
    halves = np.where(in_sight[:, 1:] > LEAST_VISIBLE, found[:, 1:], np.inf).min(axis=1)
    shown = np.where(np.isfinite(halves), halves, found[:, 0])
    return np.maximum(shown, 0).astype(np.float32)


def part_mm(view: View) -> tuple[float, float]:
    """Return the part of a space that is matched, along and across: what one piece would hide."""
    return min(PART_MM[0], view.pieces.train_size_mm[0]), PART_MM[1]


@cached_per_board
def _prints(printed: PrintedBoard, size_mm: tuple[float, float]) -> _Prints:
    rows, columns = printed.middle(*size_mm)
    windows = printed.window_pixels[:, rows, columns]
    across = (np.arange(windows.shape[1]) - windows.shape[1] // 2) / printed.steps_per_mm
    whole = np.ones(windows.shape[1:], np.float32)
    parts = [whole, whole * (across <= -SPINE_MM)[:, None], whole * (across >= SPINE_MM)[:, None]]
    windows = windows.reshape(len(windows), -1)
    edges = colour_edges(printed.reference)
    width = printed.reference.shape[1]
    shifts = np.array([down * width + right for down in SHIFTS_PX for right in SHIFTS_PX])
    shifted = np.clip(windows + shifts[:, None, None], 0, len(edges) - 1)
    is_looked_at = np.zeros(len(edges), np.bool_)
    is_looked_at[shifted] = True
    return _Prints(
        pixels=np.flatnonzero(is_looked_at).astype(np.int32),
        at=(np.cumsum(is_looked_at, dtype=np.int32) - 1)[shifted],
        edges=edges[windows],
        parts=np.stack([part.reshape(-1) for part in parts], axis=-1),
    )
