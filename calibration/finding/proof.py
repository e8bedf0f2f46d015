"""Whether a pose is proven: print confirmed all over the board, not in its middle alone.

A homography through a strong lens, a similar board, or half of a board under a cloth agree with
part of the print as well as a right pose does. What is not confirmed is refused, with what the
person with the camera can do about it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.scoring.sentence import Sentence

from ..arrays import Float64s, Indices, Mask, Picture
from ..geometry import area_px2
from ..pose import Grounds, NotFound, Pose
from ..profiles.picture_quality import CELLS_WH
from .alignment import Alignment
from .lens_choice import is_lens_measured

TOO_DARK = Sentence("the picture is too dark: more light on the board helps")
TOO_BLURRED = Sentence(
    "the picture is too blurred: hold the camera still, let it focus and give it more light"
)
TOO_SMALL = Sentence(
    "the board is too small in the picture: it is {seen} pixels wide, {least} are"
    " needed; go nearer, or set the camera to more pixels"
)
WIDE_LENS = Sentence(
    "the picture is bent by a wide lens: use the camera's main lens (1x), or step"
    " back until the board is in the middle of the picture"
)
COVERED = Sentence(
    "too much of the board is covered or in glare to say where it is: take away what lies on it"
)
OTHER_COPY = Sentence(
    "the board was seen, but its print lies otherwise than the one it is compared"
    " with: another copy or printing of it; take a photo of this board, empty, and"
    " run 'railspotter calibrate'"
)
OTHER_PRINT = Sentence(
    "something like the board was seen, but its print does not fit: is it another edition?"
)


# How much more of the print than the least is seen where a board is open: boards full of trains
# have twice as much, blurred ones that are open everywhere about the least.
OF_LEAST = 1.5


# What is asked of a pose: see docs/vision.md, "Never found wrongly".
LEAST_AGREEMENT = 0.3  # share of the print's patches that must be seen where the pose has them
# Share of the print's features that must be seen there, where there is no reference.
LEAST_FEATURES_SEEN = 0.05
# A piece is confirmed where this share of the board's own agreement is reached.
OF_AGREEMENT = 1 / 3
# Share of the pieces that must be confirmed: 30 % may be covered, trains and glare come on top.
LEAST_CONFIRMED = 0.6
# Share of the pieces that must be confirmed in each quarter of what is in the frame, and along
# three of its four sides: a pose that fits the middle alone has none.
LEAST_IN_QUARTER = 1 / 3
# How much the bend may take up, as root mean square. Folds take .7 at most, another copy of the
# print .85; a lens that is missing .9 and more. Beyond, all sides and three of the four corners
# must be confirmed, where a lens shows most.
MOST_BENT_MM = 0.8
# Beyond this a reference and its board differ by a lens, or are two copies that differ by so much,
# whatever is confirmed. Where there is no reference, copies may differ by as much.
IMPOSSIBLE_BEND_MM = 1.0
# A train is then 13 x 4 pixels; a board is found with half as many, but not always.
SMALL_PX_PER_MM = 0.5
# Strength of what is 1 to 2 pixels large over what is 4 to 8, in a picture 960 pixels wide.
# Labelled photos have .55 and more; blurred over 3 pixels they have .23, and are still found.
LEAST_SHARPNESS = 0.25
# The same on a board that was seen but not proven: sharp ones have .54 and more, blurred over 3
# pixels of 1920 they have .34 to .38, which is too much for fingerprints.
CLEAR_SHARPNESS = 0.45
DARK_LEVEL = 45.0  # grey level that 19 of 20 pixels stay below


@dataclass(frozen=True)
class TooSmall(NotFound):
    """A board of too few pixels."""

    # seen_px, least_px: How wide the board is in the picture, and how wide it must be.
    seen_px: float = field(default=0.0, compare=False)
    least_px: float = field(default=0.0, compare=False)

    @classmethod
    def of(cls, seen_px: float, least_px: float) -> TooSmall:
        """Return the refusal, with numbers rounded to tens."""
        seen, least = (round(px, -1) for px in (seen_px, least_px))
        reason = TOO_SMALL.filled(seen=f"{seen:.0f}", least=f"{least:.0f}")
        return cls(reason, seen_px, least_px, grounds=Grounds.PICTURE)

    def enlarged(self, times: float) -> TooSmall:
        """Return the same of a picture that was so many times as large before."""
        return TooSmall.of(self.seen_px * times, self.least_px * times)


def what_is_missing(frame: Picture, aligned: Alignment, is_drawn: bool) -> NotFound | None:
    """Return why a pose is not proven, in words for the person with the camera; None if it is.

    A reason is given where it was measured: a lens where one explains the bend, things on the board
    where the print between them is seen well.
    """
    pose = aligned.pose
    least = LEAST_FEATURES_SEEN if is_drawn else LEAST_AGREEMENT
    confirmed, judged = _confirmed_pieces(aligned)
    is_bent = aligned.bent_mm > MOST_BENT_MM
    is_believable = is_drawn or aligned.bent_mm < IMPOSSIBLE_BEND_MM
    if pose.agreement >= least and is_believable and _is_all_over(confirmed, judged, is_bent):
        return None
    trouble = trouble_of(frame, pose.corners_px)
    if trouble is not None:
        return NotFound(trouble, grounds=Grounds.PICTURE)
    if is_lens_measured(aligned, (frame.shape[1], frame.shape[0])):
        return NotFound(WIDE_LENS, grounds=Grounds.PICTURE)
    if is_bent and pose.agreement >= least:
        return NotFound(OTHER_COPY, grounds=Grounds.PRINT)
    small = too_small(pose)
    if small is not None:
        return small
    if _is_covered(aligned, confirmed, least):
        return NotFound(COVERED, grounds=Grounds.PICTURE)
    if _is_softer_than(CLEAR_SHARPNESS, frame, pose.corners_px):
        return NotFound(TOO_BLURRED, grounds=Grounds.PICTURE)
    return NotFound(OTHER_PRINT, grounds=Grounds.PRINT)


def too_small(pose: Pose) -> TooSmall | None:
    """Return a refusal where a board has too few pixels, else None."""
    width, height = pose.size_mm
    px_per_mm = float(np.sqrt(area_px2(pose.corners_px) / (width * height)))
    if px_per_mm >= SMALL_PX_PER_MM:
        return None
    longer = max(width, height)
    return TooSmall.of(px_per_mm * longer, SMALL_PX_PER_MM * longer)


def trouble_of(frame: Picture, corners_px: Float64s | None = None) -> Sentence | None:
    """Return what is wrong with a picture whatever it shows; None if nothing is.

    Where something like the board was seen its corners are given: light counts there, and not on a
    dark table.
    """
    small, shrunk = _as_judged(frame)
    lit = small if corners_px is None else _inside(small, corners_px * shrunk)
    if np.percentile(lit, 95) < DARK_LEVEL:
        return TOO_DARK
    return TOO_BLURRED if _is_softer_than(LEAST_SHARPNESS, frame) else None


def _as_judged(frame: Picture) -> tuple[npt.NDArray[Any], float]:
    """Return a frame in grey, at most 960 pixels large, and by what it was brought down."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    shrunk = min(1.0, 960 / max(grey.shape))
    return cv2.resize(grey, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA), shrunk


def _is_softer_than(sharpness: float, frame: Picture, corners_px: Float64s | None = None) -> bool:
    """Tell whether a picture has less fine detail than that, on the board where its corners are."""
    small, shrunk = _as_judged(frame)
    levels = [cv2.GaussianBlur(small.astype(np.float32), (0, 0), sigma) for sigma in (1, 2, 4, 8)]
    fine, coarse = levels[0] - levels[1], levels[2] - levels[3]
    if corners_px is not None:
        fine, coarse = (_inside(level, corners_px * shrunk) for level in (fine, coarse))
    return bool(np.std(coarse) > 1.0 and np.std(fine) < sharpness * np.std(coarse))


def _inside(picture: npt.NDArray[Any], corners: Float64s) -> npt.NDArray[Any]:
    """Return the pixels inside of an outline; all of them where it lies outside of the picture."""
    mask = np.zeros(picture.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    return picture[mask > 0] if mask.any() else picture


def _confirmed_pieces(aligned: Alignment) -> tuple[Mask, Mask]:
    """Tell which pieces of the board are confirmed, and which lie in the frame, (rows, columns)."""
    columns, rows = CELLS_WH
    index = _piece_of(aligned, (rows, columns))
    laid, inside, seen = (
        np.bincount(index, of, minlength=rows * columns).reshape(rows, columns)
        for of in (np.ones(len(index)), aligned.in_frame, aligned.agrees)
    )
    least = OF_AGREEMENT * aligned.pose.agreement
    judged = inside * 2 >= laid
    return np.asarray(judged & (seen >= 2) & (seen > least * inside)), np.asarray(judged)


def _is_all_over(confirmed: Mask, judged: Mask, is_bent: bool) -> bool:
    """Tell whether pieces are confirmed in each quarter of what is judged, and along its rims."""
    at = np.argwhere(judged)
    if len(at) == 0:
        return False
    low, high = at.min(axis=0), at.max(axis=0)
    middle = (low + high) / 2
    halves = [(at[:, axis] <= middle[axis], at[:, axis] >= middle[axis]) for axis in (0, 1)]
    is_confirmed = confirmed[judged]
    quarters = [is_confirmed[up & left] for up in halves[0] for left in halves[1]]
    # One that is mostly cut off has nothing to say: trains on one piece would decide.
    quarters = [quarter for quarter in quarters if len(quarter) >= np.prod(high - low + 1) / 8]
    rims = [_rim(at, axis, is_last) for axis in (0, 1) for is_last in (False, True)]
    sides = sorted(float(is_confirmed[rim].mean()) for rim in rims)
    ends = [(low[0], low[1]), (low[0], high[1]), (high[0], low[1]), (high[0], high[1])]
    nearest = [int(np.abs(at - end).sum(axis=1).argmin()) for end in ends]
    least = LEAST_IN_QUARTER - 1e-9
    if is_bent and (np.count_nonzero(is_confirmed[nearest]) < 3 or sides[0] < least):
        return False
    return bool(
        is_confirmed.mean() >= LEAST_CONFIRMED
        and all(quarter.mean() >= least for quarter in quarters)
        and sides[1] >= least
    )


def _rim(at: Indices, axis: int, is_last: bool) -> Indices:
    """Return which of some pieces, (n, 2), are the first or last ones along an axis."""
    order = np.argsort(-at[:, axis] if is_last else at[:, axis], kind="stable")
    return np.asarray(order[np.unique(at[order, 1 - axis], return_index=True)[1]], np.intp)


def _is_covered(aligned: Alignment, confirmed: Mask, least: float) -> bool:
    """Tell whether some pieces of the board are seen as well as an open board's, others hardly."""
    piece = _piece_of(aligned, confirmed.shape)[aligned.in_frame]
    is_open = confirmed.ravel()[piece]
    if is_open.all() or not is_open.any():
        return False
    agrees = aligned.agrees[aligned.in_frame]
    seen, hidden = (float(agrees[part].mean()) for part in (is_open, ~is_open))
    return seen >= OF_LEAST * least and hidden < seen / 3


def _piece_of(aligned: Alignment, rows_and_columns: tuple[int, ...]) -> Indices:
    """Return the number of the piece that each patch lies in, row by row."""
    rows, columns = rows_and_columns
    cell = (aligned.at_mm / aligned.pose.size_mm * (columns, rows)).astype(np.intp)
    column, row = np.clip(cell, 0, (columns - 1, rows - 1)).T
    return np.asarray(row * columns + column, np.intp)
