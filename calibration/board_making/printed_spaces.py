"""Finds printed spaces in a picture of an empty board from straight above.

Only the board's size is known. The size of its spaces is estimated from the picture; then the
completeness of an outline of that size is measured at every position and angle, and the best are
fitted. Many are no spaces (frames, steps of the score track, a space and a half); `stringing` picks
the spaces of routes.
"""

import cv2
import numpy as np

from ..arrays import Float32s, Float64s, Lab, Picture
from ..errors import BoardMakingError
from .draft import DraftSpace
from .looks import RatedCandidates, apart, fit_size, with_faint_neighbours
from .outlines import Edges, SizeMm

WORK_PX_PER_MM = 1.5
COARSEST_PX_PER_MM = 0.9  # least scale of a picture: below, outlines are thinner than a pixel

# Limits of the search; chosen on shoot-1 and drawn boards (docs/board-making.md).
ANGLE_STEP_DEG, SIZE_ANGLE_STEP_DEG = 7.5, 22.5
LENGTHS_MM: tuple[float, ...] = (18, 21, 24, 27, 30, 33)
WIDTHS_MM: tuple[float, ...] = (6, 7.5, 9, 10.5, 12)
SIZE_PEAKS = 60  # best outlines that decide the size of all
LEAST_OUTLINE = 0.33
MOST = 4000
LEAST_SURE, LEAST_SURE_BESIDE = 0.08, 0.02  # least probability, and the same beside sure spaces
SECOND_LOOKS = 2  # rounds of searching faint neighbours of sure spaces


class FoundSpace(DraftSpace, frozen=True):
    """A printed space that was found; its angle is 0 to 180, since its direction is not known."""

    lab: Lab = (0.0, 0.0, 0.0)  # median colour of its inside, OpenCV's 8-bit Lab

    def in_draft(self) -> DraftSpace:
        """Return it as a space of a draft."""
        return DraftSpace(self.xy_mm, self.angle_deg, self.size_mm, round(self.sure, 3))


def find_spaces(
    picture: Picture, size_mm: SizeMm, space_size_mm: SizeMm | None = None
) -> tuple[FoundSpace, ...]:
    """Find printed spaces, the surest first.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR
        The empty board from straight above, edge to edge.
    size_mm : tuple of float
        The board's width and height.
    space_size_mm : tuple of float, optional
        Length and width of its spaces; estimated by default.

    Raises
    ------
    BoardMakingError
        When the picture has too few pixels to show outlines.
    """
    work = at_work_scale(picture, size_mm)
    edges = Edges.of(work, WORK_PX_PER_MM)
    guessed = space_size_mm or guess_size(work)
    poses = _candidates(edges, guessed)
    if len(poses) == 0:
        return ()
    if space_size_mm is None:
        guessed = fit_size(edges, poses[:SIZE_PEAKS], guessed)
    lab = cv2.cvtColor(work, cv2.COLOR_BGR2LAB).astype(np.float32)
    looked = RatedCandidates.at(edges, lab, poses, guessed).sorted(LEAST_SURE)
    for _ in range(SECOND_LOOKS):
        looked = with_faint_neighbours(edges, lab, looked, LEAST_SURE_BESIDE)
    return tuple(
        FoundSpace(
            (round(float(x), 2), round(float(y), 2)),
            round(float(angle) % 180, 1),
            guessed,
            float(sure),
            tuple(lab),
        )
        for (x, y, angle), sure, lab in zip(
            looked.poses, looked.sure, looked.lab.tolist(), strict=True
        )
    )


def at_work_scale(picture: Picture, size_mm: SizeMm) -> Picture:
    """Scale a picture to the working scale; raises `BoardMakingError` if it is too coarse."""
    if min(picture.shape[1] / size_mm[0], picture.shape[0] / size_mm[1]) < COARSEST_PX_PER_MM:
        raise BoardMakingError(
            "the board is only {wide} x {high} pixels in the picture: {least} for each of its"
            " {size} mm are needed; take a photo from nearer, or in a higher resolution",
            wide=picture.shape[1],
            high=picture.shape[0],
            least=COARSEST_PX_PER_MM,
            size=f"{size_mm[0]:g} x {size_mm[1]:g}",
        )
    wh = round(size_mm[0] * WORK_PX_PER_MM), round(size_mm[1] * WORK_PX_PER_MM)
    way = cv2.INTER_AREA if wh[0] < picture.shape[1] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, wh, interpolation=way), np.uint8)


def guess_size(work: Picture) -> SizeMm:
    """Return the length and width with the most complete outlines in the picture."""
    small = cv2.resize(work, None, fx=1 / WORK_PX_PER_MM, fy=1 / WORK_PX_PER_MM)
    edges = Edges.of(np.asarray(small, np.uint8), 1.0)
    sizes = [(length, width) for length in LENGTHS_MM for width in WIDTHS_MM]
    strengths: list[list[Float64s]] = [[] for _ in sizes]
    for angle in np.arange(0, 180, SIZE_ANGLE_STEP_DEG):
        for i, outline in enumerate(edges.level(float(angle)).outlines(sizes)):
            strengths[i].append(outline[_is_peak(outline, 4, LEAST_OUTLINE)])
    means = [np.sort(np.concatenate(s))[-SIZE_PEAKS:].mean() for s in strengths]
    length, width = sizes[int(np.argmax(np.nan_to_num(means)))]
    return float(length), float(width)


def _is_peak(outline: Float32s, reach_px: int, least: float) -> Float64s:
    around = cv2.dilate(outline, np.ones((2 * reach_px + 1, 2 * reach_px + 1), np.uint8))
    return np.asarray((outline >= around) & (outline > least))


def _candidates(edges: Edges, size_mm: SizeMm) -> Float64s:
    """Return the poses of the most complete outlines, (N, 3), best first."""
    parts = []
    for angle in np.arange(0, 180, ANGLE_STEP_DEG):
        level = edges.level(float(angle))
        outline = next(level.outlines([size_mm]))
        row, column = np.nonzero(_is_peak(outline, round(2 * edges.px_per_mm), LEAST_OUTLINE))
        at_mm = (
            level.picture_points(np.column_stack([column, row]).astype(np.float64)) + 0.5
        ) / edges.px_per_mm
        parts.append(np.column_stack([at_mm, np.full(len(row), angle), outline[row, column]]))
    found = np.vstack(parts)
    found = found[np.argsort(-found[:, 3], kind="stable")][: 4 * MOST]
    return found[apart(found[:, :3], size_mm)][:MOST, :3]
