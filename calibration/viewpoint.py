"""Where the camera is: it follows from a board's homography, for the board's size is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Float64s

# Focal length over the picture's longer side: phones' main cameras, 26-28 mm full-frame.
USUAL_FOCAL_LENGTH = 0.75
FOCAL_LENGTHS = np.geomspace(0.4, 2.0, 81)
# What the homography's error does to the angle and the ratio of the board's axes, about.
ANGLE_ERROR = 0.01
FOCAL_SPREAD = 0.2  # how far cameras' focal lengths scatter around the usual one, as a logarithm


@dataclass(frozen=True)
class Viewpoint:
    """The camera's centre, in board millimetres."""

    # x_mm, y_mm: The point of the board's plane straight under the camera; it may lie off the
    # board.
    x_mm: float
    y_mm: float
    height_mm: float  # how high above it

    def lean_mm(self, points_mm: Float64s, above_mm: float) -> Float64s:
        """Return how far from its foot on the board a thing of this height is seen.

        Parameters
        ----------
        points_mm : (..., 2) float64 array
            Where it stands.
        above_mm : float
            How high above the board its seen part is.

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
    """Return where the camera is.

    The picture's middle is taken for the lens's axis and pixels for squares. The two axes of the
    board are at right angles and of one scale, which gives the focal length where the camera is
    tilted; seen from straight above every focal length fits, and the usual one is taken. (Z. Zhang,
    A flexible new technique for camera calibration, 2000, equations 3 and 4.)

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
