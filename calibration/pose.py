"""Where a board is in a frame: the pose, its limits, and pictures of the board made with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import cv2
import numpy as np
from railspotter.scoring.sentence import Sentence

from .arrays import Float32s, Float64s, Picture
from .geometry import outline_mm, project
from .lenses.lens import Lens


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a board is in a frame."""

    # (3, 3) float64 array. Maps board millimetres to frame pixels, as a pinhole would have them.
    frame_from_board: Float64s
    # (R, C, 2) float64: a small, smooth correction, one value for the middle of each cell of a
    # regular grid over the board: the point (x, y) of the reference is seen where
    # `frame_from_board` puts (x, y) + bend. Folds bend a board that one homography takes for flat.
    bend_mm: Float64s
    size_mm: tuple[float, float]  # the board's width and height
    inliers: int  # features that agree on the pose
    # Share of the reference's patches that were seen where the pose has them, of those that could
    # be compared, 0 to 1.
    agreement: float
    # What bends the pinhole's picture, where a homography and the bend do not say all.
    lens: Lens | None = None

    def seen_at(self, points_mm: Float64s) -> Float64s:
        """Return where points of the board, (..., 2), are in the frame, without the bend."""
        pinhole_px = project(self.frame_from_board, points_mm)
        return pinhole_px if self.lens is None else self.lens.bent(pinhole_px)

    def on_board(self, points_px: Float64s) -> Float64s:
        """Return what of the board's plane, (..., 2) mm, is seen at points of the frame."""
        pinhole_px = points_px if self.lens is None else self.lens.straightened(points_px)
        return project(np.linalg.inv(self.frame_from_board), pinhole_px)

    @property
    def corners_px(self) -> Float64s:
        """The printed board's corners in the frame, (4, 2): TL, TR, BR, BL.

        Without the bend: it is measured inside the board, and a guess at its corners.
        """
        return self.seen_at(outline_mm(self.size_mm))


class Grounds(IntEnum):
    """What a refusal rests on; the more was measured, the more."""

    NOTHING = 0  # nothing like the board was seen
    PRINT = 1  # something like it, whose print is not the one that was compared
    # What a person can change: the picture is bad, whatever print it is compared with, or the board
    # is covered.
    PICTURE = 2
    SEEN = 3  # the board was seen well enough to say why it is refused: no other way may find it


@dataclass(frozen=True)
class NotFound:
    """The board is not in the frame, or not so that it can be used."""

    reason: Sentence  # a sentence for the person with the camera, without full stop
    # What it rests on.
    grounds: Grounds = field(default=Grounds.NOTHING, compare=False, kw_only=True)

    def __bool__(self) -> bool:
        return False


def better_measured(first: NotFound, *others: NotFound) -> NotFound:
    """Return the refusal that most was measured for; of equal ones the first."""
    return max((first, *others), key=lambda lost: lost.grounds)


def rectify(frame: Picture, pose: Pose, px_per_mm: float) -> Picture:
    """Return the board as seen from straight above, edge to edge.

    Parameters
    ----------
    frame : (H, W, 3) uint8 array, BGR
    px_per_mm : float
        The result's scale.

    Returns
    -------
    (h, w, 3) uint8 array, BGR
        The board's size times `px_per_mm`; black where the frame ends.
    """
    map_x, map_y = rectifying_maps(pose, px_per_mm)
    return np.asarray(cv2.remap(frame, map_x, map_y, cv2.INTER_LINEAR), dtype=np.uint8)


def rectifying_maps(pose: Pose, px_per_mm: float) -> tuple[Float32s, Float32s]:
    """Return, for every pixel of the board seen from above, where it is in the frame."""
    width, height = (round(side * px_per_mm) for side in pose.size_mm)
    x, y = np.meshgrid(
        (np.arange(width, dtype=np.float32) + 0.5) / px_per_mm,
        (np.arange(height, dtype=np.float32) + 0.5) / px_per_mm,
    )
    if pose.bend_mm.any():
        bend = cv2.resize(pose.bend_mm.astype(np.float32), (width, height))
        x += bend[..., 0]
        y += bend[..., 1]
    h = pose.frame_from_board.astype(np.float32)
    w = h[2, 0] * x + h[2, 1] * y + h[2, 2]
    map_x = (h[0, 0] * x + h[0, 1] * y + h[0, 2]) / w
    map_y = (h[1, 0] * x + h[1, 1] * y + h[1, 2]) / w
    return (map_x, map_y) if pose.lens is None else pose.lens.bent_maps(map_x, map_y)
