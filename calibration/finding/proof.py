"""Checks whether a pose is proven: by print that is confirmed all over the board.

A homography through a strong lens, a similar board, or half of a board under a cloth agree with
part of the print as well as a right pose does. Unproven poses are refused, with a reason that the
person with the camera can act on.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from railspotter.scoring.sentence import Sentence

from ..arrays import Indices, Mask, Picture
from ..geometry import cells_of
from ..pose import Grounds, NotFound, Pose
from ..profiles.picture_quality import CELLS_WH
from .alignment import Alignment
from .lens_choice import is_lens_measured
from .picture_faults import fault_of

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
    " with: another copy or printing of it; calibrate with a photo of this board,"
    " empty"
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

    Reasons are, in order: a lens that explains the bend, too few pixels, a fault of the picture,
    another copy, things that cover the board, another print.
    """
    pose = aligned.pose
    least = LEAST_FEATURES_SEEN if is_drawn else LEAST_AGREEMENT
    confirmed, judged = confirmed_pieces(aligned)
    is_bent = aligned.bent_mm > MOST_BENT_MM
    is_believable = is_drawn or aligned.bent_mm < IMPOSSIBLE_BEND_MM
    if pose.agreement >= least and is_believable and _is_all_over(confirmed, judged, is_bent):
        return None
    fault = fault_of(frame, pose.corners_px)
    if fault is not None and fault.grounds is Grounds.PICTURE:
        return fault
    if is_lens_measured(aligned, (frame.shape[1], frame.shape[0])):
        return NotFound(WIDE_LENS, grounds=Grounds.PICTURE)
    if is_bent and pose.agreement >= least:
        lost = NotFound(OTHER_COPY, grounds=Grounds.PRINT)
    elif (small := too_small(pose)) is not None:
        return small
    elif _is_covered(aligned, confirmed, least):
        lost = NotFound(COVERED, grounds=Grounds.PICTURE)
    else:
        lost = NotFound(OTHER_PRINT, grounds=Grounds.PRINT)
    return lost if fault is None else replace(fault, grounds=max(fault.grounds, lost.grounds))


def too_small(pose: Pose) -> TooSmall | None:
    """Return a refusal if a board has too few pixels, else None."""
    if pose.px_per_mm >= SMALL_PX_PER_MM:
        return None
    longer = max(pose.size_mm)
    return TooSmall.of(pose.px_per_mm * longer, SMALL_PX_PER_MM * longer)


def confirmed_pieces(aligned: Alignment) -> tuple[Mask, Mask]:
    """Return masks of the confirmed pieces and of those in the frame, (rows, columns) each."""
    columns, rows = CELLS_WH
    index = piece_of(aligned, (rows, columns))
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
    piece = piece_of(aligned, confirmed.shape)[aligned.in_frame]
    is_open = confirmed.ravel()[piece]
    if is_open.all() or not is_open.any():
        return False
    agrees = aligned.agrees[aligned.in_frame]
    seen, hidden = (float(agrees[part].mean()) for part in (is_open, ~is_open))
    return seen >= OF_LEAST * least and hidden < seen / 3


def piece_of(aligned: Alignment, rows_and_columns: tuple[int, ...]) -> Indices:
    """Return the index of the piece of each patch, row by row."""
    return cells_of(aligned.at_mm, aligned.pose.size_mm, rows_and_columns[::-1])
