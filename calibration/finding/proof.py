"""Checks whether a pose is proven: by print that is confirmed all over the board.

A homography through a strong lens, a similar board, or half of a board under a cloth agree with
part of the print as well as a right pose does. Unproven poses are refused, with a reason that the
person with the camera can act on.
"""

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.scoring.sentence import Sentence

from ..arrays import Float64s, Indices, Mask, Picture
from ..geometry import cells_of
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

# Agreement of uncovered pieces, relative to the least, from which other pieces count as covered:
# boards full of trains have twice as much, blurred ones that are open everywhere about the least.
OF_LEAST = 1.5

# Requirements of a pose: see docs/vision.md, "Never found wrongly".
LEAST_AGREEMENT = 0.3  # least share of the print's patches that are seen where the pose has them
LEAST_FEATURES_SEEN = 0.05  # the same of the print's features, without a reference
# Agreement of a confirmed piece, relative to the whole board's.
OF_AGREEMENT = 1 / 3
# Least share of confirmed pieces: 30 % may be covered, and trains and glare come on top.
LEAST_CONFIRMED = 0.6
# The same in each quarter of the part in the frame, and along three of its four sides: a pose that
# fits the middle alone has none.
LEAST_IN_QUARTER = 1 / 3
# Root mean square of the bend from which all sides and three of the four corners, where a lens
# shows most, must be confirmed. Folds have .7 at most, another copy of the print .85; a missing
# lens .9 and more.
MOST_BENT_MM = 0.8
# The same from which a pose is refused: a lens is missing, or the board is another copy than the
# reference. Without a reference, copies may differ by as much.
IMPOSSIBLE_BEND_MM = 1.0
# Scale below which a board is too small: a train is then 13 x 4 pixels. Half of that is found too,
# but not always.
SMALL_PX_PER_MM = 0.5
# Contrast of details of 1 to 2 pixels over those of 4 to 8, in a picture 960 pixels wide. Labelled
# photos have .55 and more; blurred over 3 pixels they have .23, and are still found.
LEAST_SHARPNESS = 0.25
# The same on an unproven board: sharp ones have .54 and more, blurred over 3 pixels of 1920 they
# have .34 to .38, which is too much for fingerprints.
CLEAR_SHARPNESS = 0.45
DARK_LEVEL = 45.0  # 95th percentile of grey levels below which a picture is dark


@dataclass(frozen=True)
class TooSmall(NotFound):
    """The refusal of a board with too few pixels."""

    # seen_px, least_px: the longer side of the board in the picture, and its least
    seen_px: float = field(default=0.0, compare=False)
    least_px: float = field(default=0.0, compare=False)

    @classmethod
    def of(cls, seen_px: float, least_px: float) -> "TooSmall":
        """Return the refusal, with numbers rounded to tens."""
        seen, least = (round(px, -1) for px in (seen_px, least_px))
        reason = TOO_SMALL.filled(seen=f"{seen:.0f}", least=f"{least:.0f}")
        return cls(reason, seen_px, least_px, grounds=Grounds.PICTURE)

    def scaled_up(self, times: float) -> "TooSmall":
        """Return the refusal for a picture that was `times` larger before it was scaled."""
        return TooSmall.of(self.seen_px * times, self.least_px * times)


def why_unproven(frame: Picture, aligned: Alignment, is_drawn: bool) -> NotFound | None:
    """Return the refusal of an unproven pose, with a measured reason; None if it is proven.

    Reasons are, in order: darkness or blur, a lens that explains the bend, another copy, too few
    pixels, things that cover the board, another print.
    """
    pose = aligned.pose
    least = LEAST_FEATURES_SEEN if is_drawn else LEAST_AGREEMENT
    confirmed, judged = _confirmed_pieces(aligned)
    is_bent = aligned.bent_mm > MOST_BENT_MM
    is_believable = is_drawn or aligned.bent_mm < IMPOSSIBLE_BEND_MM
    if pose.agreement >= least and is_believable and _is_all_over(confirmed, judged, is_bent):
        return None
    trouble = dark_or_blurred(frame, pose.corners_px)
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
    """Return a refusal if a board has too few pixels, else None."""
    if pose.px_per_mm >= SMALL_PX_PER_MM:
        return None
    longer = max(pose.size_mm)
    return TooSmall.of(pose.px_per_mm * longer, SMALL_PX_PER_MM * longer)


def dark_or_blurred(frame: Picture, corners_px: Float64s | None = None) -> Sentence | None:
    """Return whether a picture is too dark or too blurred, as a sentence; None if neither.

    With the corners of a board, darkness is measured on the board only, not on the table.
    """
    small, shrunk = _small_grey(frame)
    lit = small if corners_px is None else _inside(small, corners_px * shrunk)
    if np.percentile(lit, 95) < DARK_LEVEL:
        return TOO_DARK
    return TOO_BLURRED if _is_softer_than(LEAST_SHARPNESS, frame) else None


def _small_grey(frame: Picture) -> tuple[npt.NDArray[Any], float]:
    """Return a frame in grey, scaled to at most 960 pixels, and the scale."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    shrunk = min(1.0, 960 / max(grey.shape))
    return cv2.resize(grey, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA), shrunk


def _is_softer_than(sharpness: float, frame: Picture, corners_px: Float64s | None = None) -> bool:
    """Tell whether a picture, or the board in it, is less sharp than a limit."""
    small, shrunk = _small_grey(frame)
    levels = [cv2.GaussianBlur(small.astype(np.float32), (0, 0), sigma) for sigma in (1, 2, 4, 8)]
    fine, coarse = levels[0] - levels[1], levels[2] - levels[3]
    if corners_px is not None:
        fine, coarse = (_inside(level, corners_px * shrunk) for level in (fine, coarse))
    return bool(np.std(coarse) > 1.0 and np.std(fine) < sharpness * np.std(coarse))


def _inside(picture: npt.NDArray[Any], corners: Float64s) -> npt.NDArray[Any]:
    """Return the pixels inside an outline; all if it is outside of the picture."""
    mask = np.zeros(picture.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    return picture[mask > 0] if mask.any() else picture


def _confirmed_pieces(aligned: Alignment) -> tuple[Mask, Mask]:
    """Return masks of the confirmed pieces and of those in the frame, (rows, columns) each."""
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
    """Tell whether enough pieces are confirmed, in each quarter and along the rims too."""
    at = np.argwhere(judged)
    if len(at) == 0:
        return False
    low, high = at.min(axis=0), at.max(axis=0)
    middle = (low + high) / 2
    halves = [(at[:, axis] <= middle[axis], at[:, axis] >= middle[axis]) for axis in (0, 1)]
    is_confirmed = confirmed[judged]
    quarters = [is_confirmed[up & left] for up in halves[0] for left in halves[1]]
    # Quarters that are mostly cut off are ignored: trains on one piece would decide.
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
    """Return the indices of the pieces, (n, 2), that are first or last along an axis."""
    order = np.argsort(-at[:, axis] if is_last else at[:, axis], kind="stable")
    return np.asarray(order[np.unique(at[order, 1 - axis], return_index=True)[1]], np.intp)


def _is_covered(aligned: Alignment, confirmed: Mask, least: float) -> bool:
    """Tell whether some pieces are seen like an open board's, and the others hardly."""
    piece = _piece_of(aligned, confirmed.shape)[aligned.in_frame]
    is_open = confirmed.ravel()[piece]
    if is_open.all() or not is_open.any():
        return False
    agrees = aligned.agrees[aligned.in_frame]
    seen, hidden = (float(agrees[part].mean()) for part in (is_open, ~is_open))
    return seen >= OF_LEAST * least and hidden < seen / 3


def _piece_of(aligned: Alignment, rows_and_columns: tuple[int, ...]) -> Indices:
    """Return the index of the piece of each patch, row by row."""
    return cells_of(aligned.at_mm, aligned.pose.size_mm, rows_and_columns[::-1])
