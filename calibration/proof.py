"""Whether a pose is proven: print confirmed all over the board, not in its middle alone.

A homography through a strong lens, a similar board, or half of a board under a cloth agree with
part of the print as well as a right pose does. What is not confirmed is refused, with what the
person with the camera can do about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from .alignment import Aligned
from .geometry import FloatArray, area_px2
from .pose import Picture

TOO_DARK = "the picture is too dark: more light on the board helps"
TOO_BLURRED = (
    "the picture is too blurred: hold the camera still, let it focus and give it more light"
)
TOO_SMALL = "the board is too small in the picture: go nearer, or set the camera to more pixels"
WIDE_LENS = (
    "the picture is bent by a wide lens: use the camera's main lens (1x), or step back until the"
    " board is in the middle of the picture"
)
COVERED = (
    "too much of the board is covered or in glare to say where it is: take away what lies on it"
)
OTHER_PRINT = (
    "something like the board was seen, but its print does not fit: is it another edition?"
)


@dataclass(frozen=True)
class ProofSettings:
    """What is asked of a pose; see docs/vision.md, "Never found wrongly"."""

    least_agreement: float = 0.3
    """Share of the print's patches that must be seen where the pose has them."""
    least_features_seen: float = 0.05
    """Share of the print's features that must be seen there, where there is no reference."""
    cells_wh: tuple[int, int] = (6, 4)
    """The board in pieces as large as a hand."""
    of_agreement: float = 1 / 3
    """A piece is confirmed where this share of the board's own agreement is reached."""
    least_confirmed: float = 0.6
    """Share of the pieces that must be confirmed: 30 % may be covered, trains and glare come on
    top."""
    least_in_quarter: float = 1 / 3
    """Share of the pieces that must be confirmed in each quarter of the board, and along three of
    its four sides: a pose that fits the middle alone has none."""
    most_bent_mm: float = 0.8
    """How much the bend may take up, as root mean square. Folds take .7 at most, another copy of
    the print .85; a lens that is missing .9 and more. Beyond, all sides and three of the four
    corners must be confirmed, where a lens shows most."""
    impossible_bend_mm: float = 1.0
    """Beyond this a reference and its board differ by a lens, whatever is confirmed. Where there is
    no reference, copies may differ by as much."""
    small_px_per_mm: float = 0.5
    """A train is then 13 x 4 pixels."""
    least_sharpness: float = 0.25
    """Strength of what is 1 to 2 pixels large over what is 4 to 8, in a picture 960 pixels wide.
    Labelled photos have .55 and more; blurred over 3 pixels they have .23, and are still found."""
    dark_level: float = 45.0
    """Grey level that 19 of 20 pixels stay below."""
    middle: float = 0.6
    """Radius, in half diagonals of the picture, within which a lens hardly bends."""


def what_is_missing(
    frame: Picture, aligned: Aligned, is_drawn: bool, settings: ProofSettings | None = None
) -> str | None:
    """Return why a pose is not proven, in words for the person with the camera; None if it is.

    Parameters
    ----------
    frame : (H, W, 3) uint8 array, BGR
    is_drawn : bool
        Whether features were looked for, for want of a reference, of which fewer are seen.
    """
    s = settings or ProofSettings()
    pose = aligned.pose
    least = s.least_features_seen if is_drawn else s.least_agreement
    confirmed = _confirmed_pieces(aligned, s)
    is_bent = aligned.bent_mm > s.most_bent_mm
    is_believable = is_drawn or aligned.bent_mm < s.impossible_bend_mm
    if pose.agreement >= least and is_believable and _is_all_over(confirmed, is_bent, s):
        return None
    trouble = trouble_of(frame, s, pose.corners_px)
    if trouble is not None:
        return trouble
    width, height = pose.size_mm
    if np.sqrt(area_px2(pose.corners_px) / (width * height)) < s.small_px_per_mm:
        return TOO_SMALL
    if is_bent or pose.lens is not None or _only_in_the_middle(frame, aligned, s):
        return WIDE_LENS
    return OTHER_PRINT if pose.agreement < least / 2 else COVERED


def trouble_of(
    frame: Picture, settings: ProofSettings | None = None, corners_px: FloatArray | None = None
) -> str | None:
    """Return what is wrong with a picture whatever it shows; None if nothing is.

    Parameters
    ----------
    frame : (H, W, 3) uint8 array, BGR
    corners_px : (4, 2) float64 array, optional
        Of the board, where something like it was seen: light counts there, not on a dark table.
    """
    s = settings or ProofSettings()
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    shrunk = min(1.0, 960 / max(grey.shape))
    small = cv2.resize(grey, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    lit = small if corners_px is None else _inside(small, corners_px * shrunk)
    if np.percentile(lit, 95) < s.dark_level:
        return TOO_DARK
    levels = [cv2.GaussianBlur(small.astype(np.float32), (0, 0), sigma) for sigma in (1, 2, 4, 8)]
    fine, coarse = np.std(levels[0] - levels[1]), np.std(levels[2] - levels[3])
    if coarse > 1.0 and fine < s.least_sharpness * coarse:
        return TOO_BLURRED
    return None


def _inside(picture: npt.NDArray[Any], corners: FloatArray) -> npt.NDArray[Any]:
    """Return the pixels inside of an outline; all of them where it lies outside of the picture."""
    mask = np.zeros(picture.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    return picture[mask > 0] if mask.any() else picture


def _confirmed_pieces(aligned: Aligned, s: ProofSettings) -> npt.NDArray[np.bool_]:
    """Tell which pieces of the board are confirmed, (rows, columns)."""
    columns, rows = s.cells_wh
    cell = (aligned.at_mm / aligned.pose.size_mm * s.cells_wh).astype(int)
    column, row = np.clip(cell, 0, (columns - 1, rows - 1)).T
    index = row * columns + column
    laid = np.bincount(index, minlength=rows * columns)
    seen = np.bincount(index, aligned.agrees, minlength=rows * columns)
    least = s.of_agreement * aligned.pose.agreement
    return np.asarray((seen >= 2) & (seen > least * laid)).reshape(rows, columns)


def _is_all_over(confirmed: npt.NDArray[np.bool_], is_bent: bool, s: ProofSettings) -> bool:
    rows, columns = confirmed.shape
    quarters = confirmed.reshape(2, rows // 2, 2, columns // 2).mean(axis=(1, 3))
    sides = sorted(side.mean() for side in (*confirmed[[0, -1]], *confirmed.T[[0, -1]]))
    corners = np.count_nonzero(confirmed[[0, 0, -1, -1], [0, -1, 0, -1]])
    least = s.least_in_quarter - 1e-9
    if is_bent and (corners < 3 or sides[0] < least):
        return False
    return bool(
        confirmed.mean() >= s.least_confirmed and quarters.min() >= least and sides[1] >= least
    )


def _only_in_the_middle(frame: Picture, aligned: Aligned, s: ProofSettings) -> bool:
    """Tell whether the picture's middle agrees, and what surrounds it does not."""
    height, width = frame.shape[:2]
    off = aligned.pose.seen_at(aligned.at_mm) - np.array([width, height]) / 2
    is_inner = np.hypot(*off.T) < s.middle * np.hypot(width, height) / 2
    if is_inner.all() or not is_inner.any():
        return False
    inner, outer = aligned.agrees[is_inner].mean(), aligned.agrees[~is_inner].mean()
    return bool(inner > s.least_agreement and outer < inner / 3)
