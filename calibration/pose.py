"""The pose of a board in a frame, the camera's viewpoint, and rectified pictures."""

from dataclasses import dataclass, field
from enum import IntEnum

import cv2
import numpy as np
from railspotter.scoring.sentence import Sentence

from .arrays import AnyFloats, Float32s, Float64s, Mask, Picture
from .geometry import area_px2, homography_from_corners, outline_mm, project
from .lenses.lens import Lens

# Usual focal length over the picture's longer side: phones' main cameras, 26-28 mm full-frame.
USUAL_FOCAL_LENGTH = 0.75
FOCAL_LENGTHS = np.geomspace(0.4, 2.0, 81)
# Standard error of the angle and the log-ratio of the board's axes, about.
ANGLE_ERROR = 0.01
FOCAL_SPREAD = 0.2  # standard deviation of log focal lengths around the usual one
GRID = 40  # points along each side of a board at which its whole is measured in a frame


@dataclass(frozen=True)
class Viewpoint:
    """The camera's centre, in board millimetres."""

    # x_mm, y_mm: the point of the board's plane straight under the camera, maybe beside the board
    x_mm: float
    y_mm: float
    height_mm: float  # above that point

    def lean_mm(self, points_mm: Float64s, above_mm: float) -> Float64s:
        """Return the shift on the board of the image of points above it, away from the camera.

        Parameters
        ----------
        points_mm : (..., 2) float64 array
            The feet of the points on the board.
        above_mm : float
            Height of the points above the board.

        Returns
        -------
        (..., 2) float64 array
            Along the board, away from the point under the camera.

        Examples
        --------
        >>> Viewpoint(400, 250, 709).lean_mm(np.array([500.0, 250.0]), 9.0).round(2).tolist()
        [1.29, 0.0]
        """
        away = points_mm - np.array([self.x_mm, self.y_mm])
        return np.asarray(away * above_mm / (self.height_mm - above_mm))


def viewpoint(frame_from_board: Float64s, frame_size_wh: tuple[int, int]) -> Viewpoint:
    """Return the camera's viewpoint, from the homography of the board.

    The optical axis is assumed in the picture's middle, and pixels square. The board's two axes are
    perpendicular and of one scale, which gives the focal length of a tilted camera; from straight
    above every focal length fits, and the usual one is assumed. (Z. Zhang, A flexible new technique
    for camera calibration, 2000, equations 3 and 4.)

    Parameters
    ----------
    frame_from_board : (3, 3) float64 array
    frame_size_wh : tuple of int
        Width and height of the whole, uncropped frame, in pixels.
    """
    width, height = frame_size_wh
    centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]]) @ frame_from_board
    longer = max(width, height)

    def seen_by(focal_length: float) -> Float64s:
        f = focal_length * longer
        return np.asarray(np.diag([1 / f, 1 / f, 1.0]) @ centred)

    def misfit(focal_length: float) -> float:
        axes = seen_by(focal_length)
        x, y = axes[:, 0], axes[:, 1]
        long_x, long_y = np.linalg.norm(x), np.linalg.norm(y)
        skew = (x @ y) / (long_x * long_y) / ANGLE_ERROR
        squash = np.log(long_x / long_y) / ANGLE_ERROR
        unusual = np.log(focal_length / USUAL_FOCAL_LENGTH) / FOCAL_SPREAD
        return float(skew**2 + squash**2 + unusual**2)

    axes = seen_by(min(FOCAL_LENGTHS, key=misfit))
    axes /= np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    x = axes[:, 0] / np.linalg.norm(axes[:, 0])
    y = axes[:, 1] - x * (x @ axes[:, 1])
    y /= np.linalg.norm(y)
    camera_from_board = np.stack([x, y, np.cross(x, y)], axis=1)
    centre = -camera_from_board.T @ axes[:, 2]
    return Viewpoint(float(centre[0]), float(centre[1]), abs(float(centre[2])))


def are_in_frame(x_px: AnyFloats, y_px: AnyFloats, size_wh: tuple[int, int]) -> Mask:
    """Tell which pixels lie inside a frame of this size."""
    width, height = size_wh
    inside = (x_px >= 0) & (y_px >= 0) & (x_px <= width - 1) & (y_px <= height - 1)
    return np.asarray(inside, np.bool_)


@dataclass(frozen=True, eq=False)
class Pose:
    """The pose of a board in a frame."""

    # (3, 3) float64: maps board millimetres to frame pixels of a pinhole camera
    frame_from_board: Float64s
    # (R, C, 2) float64: a smooth correction for the board's folds, at the middles of a grid of
    # cells: the point (x, y) of the reference is seen where `frame_from_board` maps (x, y) + bend.
    bend_mm: Float64s
    size_mm: tuple[float, float]  # the board's width and height
    inliers: int  # features that agree on the pose
    agreement: float  # share of the reference's patches in the frame that match at the pose, 0 to 1
    lens: Lens | None = None  # the lens, if a homography and the bend are not enough

    @classmethod
    def at_corners(
        cls, corners_px: Float64s, size_mm: tuple[float, float], lens: Lens | None = None
    ) -> "Pose":
        """Return the pose of a board whose corners in the frame, (4, 2), are known."""
        straight = corners_px if lens is None else lens.straightened(corners_px)
        frame_from_board = homography_from_corners(straight, size_mm)
        return cls(frame_from_board, np.zeros((1, 1, 2)), size_mm, 4, 0.0, lens)

    def seen_at(self, points_mm: Float64s) -> Float64s:
        """Map points of the board, (..., 2) mm, to frame pixels, without the bend."""
        pinhole_px = project(self.frame_from_board, points_mm)
        return pinhole_px if self.lens is None else self.lens.bent(pinhole_px)

    def on_board(self, points_px: Float64s) -> Float64s:
        """Map frame pixels, (..., 2), to the board's plane in mm."""
        pinhole_px = points_px if self.lens is None else self.lens.straightened(points_px)
        return project(np.linalg.inv(self.frame_from_board), pinhole_px)

    def is_in_frame(self, points_mm: Float64s, size_wh: tuple[int, int]) -> Mask:
        """Tell which points of the board, (..., 2) mm, lie inside a frame of this size."""
        x, y = np.moveaxis(self.seen_at(points_mm), -1, 0)
        return are_in_frame(x, y, size_wh)

    def share_in_frame(self, size_wh: tuple[int, int]) -> float:
        """Return the share of the board inside a frame of this size, 0 to 1."""
        return float(self.is_in_frame(self.points_mm, size_wh).mean())

    @property
    def points_mm(self) -> Float64s:
        """Points evenly all over the board, in mm, (`GRID` * `GRID`, 2)."""
        x, y = ((np.arange(GRID) + 0.5) / GRID * side for side in self.size_mm)
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

    @property
    def corners_px(self) -> Float64s:
        """The board's corners in the frame, (4, 2): TL, TR, BR, BL, without the bend."""
        return self.seen_at(outline_mm(self.size_mm))

    @property
    def px_per_mm(self) -> float:
        """The scale of the board in the frame, over all of it."""
        width, height = self.size_mm
        return float(np.sqrt(area_px2(self.corners_px) / (width * height)))


class Grounds(IntEnum):
    """The evidence of a refusal; higher for more."""

    NOTHING = 0  # nothing like the board was seen
    PRINT = 1  # something like it, with another print
    LOOKS = 2  # a poor picture, in which another method may still find it
    PICTURE = 3  # a bad picture or a covered board, which a person can change
    SEEN = 4  # the board was seen well enough to know why it is refused: other methods do not help


@dataclass(frozen=True)
class NotFound:
    """The board is not in the frame, or cannot be used. Falsy."""

    reason: Sentence  # for the person with the camera, without full stop
    grounds: Grounds = field(default=Grounds.NOTHING, compare=False, kw_only=True)

    def __bool__(self) -> bool:
        return False

    def scaled_up(self, times: float) -> "NotFound":
        """Return the refusal for a picture that was `times` larger before it was scaled."""
        return self


def better_measured(first: NotFound, *others: NotFound) -> NotFound:
    """Return the refusal with the most evidence; of equal ones the first."""
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
        The board's size times `px_per_mm`; black outside of the frame.
    """
    map_x, map_y = rectifying_maps(pose, px_per_mm)
    return np.asarray(cv2.remap(frame, map_x, map_y, cv2.INTER_LINEAR), dtype=np.uint8)


def rectifying_maps(pose: Pose, px_per_mm: float) -> tuple[Float32s, Float32s]:
    """Return the frame's x and y for every pixel of the rectified board, (h, w) each."""
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
