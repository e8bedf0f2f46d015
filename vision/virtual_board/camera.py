"""The virtual board's camera: a true pinhole looking at the middle of the board.

A scene point is (x, y, z) in millimetres: x and y on the board, z up from it, towards the camera.
Because y runs down the board these axes are left-handed; only the sign of z below knows it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]


class SceneError(ValueError):
    """A scene that cannot be rendered; the text says what is wrong and what is allowed."""


@dataclass(frozen=True)
class View:
    """From where, in what light and with what camera a picture is taken.

    Attributes
    ----------
    size_wh : tuple of int
        Width and height of the picture in pixels.
    tilt_deg : float
        How far the camera is moved from straight above, 0 to 75.
    heading_deg : float
        The side of the board where it stands: 0 below the bottom edge, 90 right of the right one.
    roll_deg : float
        How far the camera is turned about the line of sight, clockwise.
    distance_mm : float
        From the lens to the middle of the board: what decides how far things lean.
    fill : float
        Share of the picture's width or height, whichever is tighter, that the board reaches.
    light : float
        Brightness; 1 is a well-lit table.
    light_from_deg, light_height_deg : float
        Where the lamp is: clockwise from the board's +x, and up from the table.
    light_falloff : float
        How much darker the side away from the lamp is, 0 to 1.
    vignette : float
        How much darker the corners of the picture are, 0 to 1.
    noise : float
        Standard deviation of the sensor's noise in grey levels.
    blur_px : float
        Standard deviation of the lens' blur.
    table_bgr : tuple of int
        Colour of the table.
    seed : int
        For the noise and the grain of the table.

    Examples
    --------
    >>> View(tilt_deg=80)
    Traceback (most recent call last):
    ...
    railspotter.vision.virtual_board.camera.SceneError: tilt_deg is 80, allowed are 0 to 75
    """

    size_wh: tuple[int, int] = (1600, 1200)
    tilt_deg: float = 10.0
    heading_deg: float = 0.0
    roll_deg: float = 0.0
    distance_mm: float = 900.0
    fill: float = 0.88
    light: float = 1.0
    light_from_deg: float = 215.0
    light_height_deg: float = 55.0
    light_falloff: float = 0.2
    vignette: float = 0.2
    noise: float = 2.5
    blur_px: float = 0.5
    table_bgr: tuple[int, int, int] = (92, 128, 164)
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what no camera can take."""
        for name, low, high in (
            ("tilt_deg", 0, 75),
            ("distance_mm", 300, 10_000),
            ("fill", 0.05, 5),
            ("light", 0, 3),
            ("light_height_deg", 15, 90),
            ("light_falloff", 0, 1),
            ("vignette", 0, 1),
            ("noise", 0, 100),
            ("blur_px", 0, 20),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise SceneError(f"{name} is {value!r}, allowed are {low} to {high}")
        if not all(16 <= side <= 8000 for side in self.size_wh):
            raise SceneError(f"size_wh is {self.size_wh!r}, allowed are 16 to 8000 each")

    def frame_from_scene(self, size_mm: tuple[float, float]) -> Matrix:
        """Return the (3, 4) projection of scene points for a board of that size.

        Examples
        --------
        The middle of the board is in the middle of the picture; what stands there leans away
        from the camera.

        >>> camera = View(size_wh=(800, 600), tilt_deg=20).frame_from_scene((795.0, 525.0))
        >>> project(camera, [(397.5, 262.5, 0.0)]).round(6)
        array([[399.5, 299.5]])
        >>> bool(project(camera, [(397.5, 262.5, 9.0)])[0, 1] < 299.5)
        True
        """
        turn = (
            _rotation(2, self.roll_deg)
            @ _rotation(0, -self.tilt_deg)
            @ _rotation(2, self.heading_deg)
        )
        middle = np.array([size_mm[0] / 2, size_mm[1] / 2, 0.0])
        sight = np.column_stack([turn, np.array([0.0, 0.0, self.distance_mm]) - turn @ middle])
        sight[:, 2] *= -1.0
        corners = np.column_stack([board_corners_mm(size_mm), np.zeros(4)])
        depths = (sight @ np.column_stack([corners, np.ones(4)]).T)[2]
        if depths.min() < 0.25 * self.distance_mm:
            raise SceneError(
                f"the camera at distance_mm={self.distance_mm!r}, tilt_deg={self.tilt_deg!r} "
                "is too near to the board's edge; move it away"
            )
        half_wh = np.array(self.size_wh) / 2
        reach = np.abs(project(sight, corners)) / half_wh
        focal_px = self.fill / reach.max()
        lens = np.array(
            [[focal_px, 0, half_wh[0] - 0.5], [0, focal_px, half_wh[1] - 0.5], [0, 0, 1]]
        )
        return np.asarray(lens @ sight, np.float64)

    @property
    def towards_light(self) -> Matrix:
        """The direction (x, y, z) from the board to the lamp, of length 1."""
        around, up = np.deg2rad([self.light_from_deg, self.light_height_deg])
        return np.array([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)])


def project(frame_from_scene: Matrix, points: ArrayLike) -> Matrix:
    """Project scene points (N, 3) to pixels (N, 2)."""
    points = np.asarray(points, np.float64)
    seen = points @ frame_from_scene[:, :3].T + frame_from_scene[:, 3]
    return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)


def board_corners_mm(size_mm: tuple[float, float]) -> Matrix:
    """Return the corners TL, TR, BR, BL of a board, (4, 2)."""
    width, height = size_mm
    return np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])


def _rotation(axis: int, degrees: float) -> Matrix:
    vector = np.zeros(3)
    vector[axis] = np.deg2rad(degrees)
    return np.asarray(cv2.Rodrigues(vector)[0], np.float64)
