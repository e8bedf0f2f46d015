"""The virtual board's camera: where it stands, and how it projects a point of the scene.

A scene point is (x, y, z) in millimetres: x and y on the board, z up from it, towards the camera.
Because y runs down the board these axes are left-handed; only the sign of z below knows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Float64s, Points
from .errors import SceneError

WIDEST = 12.0  # tangent of the widest angle that is told apart, 85 degrees
STEPS = 6000  # steps of the table that undoes the bending: one is 1/500 of the focal length
# The polynomial is left where its slope falls below this: a lens' edge is pressed, not folded.
STEEP_ENOUGH = 0.15
NEAREST_MM = 20.0  # what is nearer to the lens is projected as if it were so far away


@dataclass(frozen=True)
class VirtualLens:
    """A lens in front of a picture.

    Examples
    --------
    >>> lens = VirtualLens(500.0, (320.0, 240.0), k1=-0.2)
    >>> lens.bent([(420.0, 240.0)])
    array([[419.2, 240. ]])
    >>> lens.straightened(lens.bent([(420.0, 240.0)])).round(3)
    array([[420., 240.]])
    """

    focal_px: float
    centre_px: tuple[float, float]  # where its axis meets the picture
    k1: float = 0.0  # radial distortion; both 0 is a pinhole, k1 < 0 a barrel
    k2: float = 0.0

    def bent(self, pinhole_px: ArrayLike) -> Points:
        """Return where points of a pinhole's picture really arrive, (N, 2)."""
        points = np.asarray(pinhole_px, np.float64)
        if self.k1 == self.k2 == 0:
            return points
        off = (points - self.centre_px) / self.focal_px
        r = np.hypot(off[:, 0], off[:, 1])
        stretch = np.divide(self._reach(r), r, out=np.ones_like(r), where=r > 0)
        return np.asarray(self.centre_px + self.focal_px * off * stretch[:, None], np.float64)

    def straightened(self, picture_px: ArrayLike) -> Points:
        """Return where a pinhole would have them, (N, 2)."""
        points = np.asarray(picture_px, np.float64)
        if self.k1 == self.k2 == 0:
            return points
        tangents = np.linspace(0.0, WIDEST, STEPS)
        off = (points - self.centre_px) / self.focal_px
        r = np.hypot(off[:, 0], off[:, 1])
        pressed = np.interp(r, self._reach(tangents), tangents)
        stretch = np.divide(pressed, r, out=np.ones_like(r), where=r > 0)
        return np.asarray(self.centre_px + self.focal_px * off * stretch[:, None], np.float64)

    @cached_property
    def faithful_to(self) -> float:
        """Tangent of the angle up to which the polynomial holds."""
        r = np.linspace(0.0, WIDEST, STEPS)
        falling = np.flatnonzero(1 + 3 * self.k1 * r**2 + 5 * self.k2 * r**4 < STEEP_ENOUGH)
        return float(r[falling[0]]) if falling.size else WIDEST

    def _reach(self, r: Points) -> Points:
        held = np.minimum(r, self.faithful_to)
        bent = held * (1 + self.k1 * held**2 + self.k2 * held**4)
        return np.asarray(bent + STEEP_ENOUGH * (r - held), np.float64)


@dataclass(frozen=True, eq=False)
class Projection:
    """How a picture shows the scene."""

    # (3, 4) float64 array: The pinhole: maps (x, y, z) to pixels (x, y); a pixel's coordinates
    # are its middle's
    frame_from_scene: Float64s
    lens: VirtualLens  # what bends the pinhole's picture
    size_wh: tuple[int, int]  # width and height of the picture, in pixels

    def project(self, points: ArrayLike) -> Float64s:
        """Project scene points (N, 3) to pixels (N, 2), the lens' bending included."""
        return self.lens.bent(pinhole(self.frame_from_scene, points))

    def board_points(self, picture_px: ArrayLike) -> Float64s:
        """Return what of the board's plane, (N, 2), is seen at those pixels, (N, 2).

        Above the horizon, where nothing is, it is not a number.
        """
        x, y = self.lens.straightened(picture_px).T
        board_from_frame = np.linalg.inv(self.frame_from_scene[:, [0, 1, 3]])
        # By columns: there are millions of pixels.
        along, down, ahead = (row[0] * x + row[1] * y + row[2] for row in board_from_frame)
        ahead[ahead <= 1e-9] = np.nan
        return np.column_stack([along / ahead, down / ahead])

    @property
    def eye(self) -> Float64s:
        """Where the lens is in the scene, (3,)."""
        camera = self.frame_from_scene
        return np.asarray(np.linalg.solve(camera[:, :3], -camera[:, 3]), np.float64)

    def px_per_mm(self, xy_mm: ArrayLike) -> float:
        """Return the resolution of the board there."""
        x, y = np.asarray(xy_mm, np.float64)
        seen = self.project([(x, y, 0), (x + 1, y, 0), (x, y + 1, 0)])
        return float(np.sqrt(abs(np.linalg.det(seen[1:] - seen[0]))))

    def of_moved_board(self, scene_from_board: Float64s) -> Projection:
        """Return the projection of the points of a board that was moved, (4, 4) the move."""
        return replace(self, frame_from_scene=self.frame_from_scene @ scene_from_board)


@dataclass(frozen=True)
class CameraSetup:
    """From where, and through which lens, a picture is taken."""

    size_wh: tuple[int, int] = (1600, 1200)  # width and height of the picture in pixels
    tilt_deg: float = 10.0  # how far the camera is moved from straight above, 0 to 75
    # the side of the board where it stands: 0 below the bottom edge, 90 right of the right one
    heading_deg: float = 0.0
    roll_deg: float = 0.0  # how far the camera is turned about the line of sight, clockwise
    # from the lens to the middle of the board: what decides how far things lean
    distance_mm: float = 900.0
    # share of the picture's width or height, whichever is tighter, that the board reaches
    fill: float = 0.88
    # the lens' radial distortion, as `VirtualLens` has it: a webcam's k1 is about -0.1, that of a
    # phone's .5x lens -0.3 before the phone corrects it
    k1: float = 0.0
    k2: float = 0.0

    def projection(self, size_mm: tuple[float, float]) -> Projection:
        """Return the projection of the scene with a board of that size.

        Examples
        --------
        The middle of the board is in the middle of the picture; what stands there leans away
        from the camera.

        >>> projection = CameraSetup(size_wh=(800, 600), tilt_deg=20).projection((795.0, 525.0))
        >>> projection.project([(397.5, 262.5, 0.0)]).round(6)
        array([[399.5, 299.5]])
        >>> bool(projection.project([(397.5, 262.5, 9.0)])[0, 1] < 299.5)
        True
        """
        sight = self._sight(size_mm)
        corners = np.column_stack([board_corners_mm(size_mm), np.zeros(4)])
        depths = (sight @ np.column_stack([corners, np.ones(4)]).T)[2]
        if depths.min() < 0.25 * self.distance_mm:
            raise SceneError(
                f"the camera at distance_mm={self.distance_mm!r}, tilt_deg={self.tilt_deg!r} "
                "is too near to the board's edge; move it away"
            )
        tangents = pinhole(sight, corners)
        glass = VirtualLens(1.0, (0.0, 0.0), self.k1, self.k2)
        widest = float(np.hypot(*tangents.T).max())
        if widest > glass.faithful_to:
            raise SceneError(
                f"a lens of k1={self.k1!r}, k2={self.k2!r} does not reach the board's corners; "
                "move the camera away"
            )
        half_wh = np.array(self.size_wh) / 2
        focal_px = float(self.fill / (np.abs(glass.bent(tangents)) / half_wh).max())
        x, y = half_wh - 0.5
        sensor = np.array([(focal_px, 0, x), (0, focal_px, y), (0, 0, 1)])
        lens = VirtualLens(focal_px, (float(x), float(y)), self.k1, self.k2)
        return Projection(np.asarray(sensor @ sight, np.float64), lens, self.size_wh)

    def _sight(self, size_mm: tuple[float, float]) -> Float64s:
        """Return the (3, 4) move of scene points to the camera's own axes, z ahead."""
        turn = (
            _rotation(2, self.roll_deg)
            @ _rotation(0, -self.tilt_deg)
            @ _rotation(2, self.heading_deg)
        )
        middle = np.array([size_mm[0] / 2, size_mm[1] / 2, 0.0])
        sight = np.column_stack([turn, np.array([0.0, 0.0, self.distance_mm]) - turn @ middle])
        sight[:, 2] *= -1.0
        return sight


def pinhole(frame_from_scene: Float64s, points: ArrayLike) -> Float64s:
    """Project scene points (N, 3) to pixels (N, 2), no lens in the way.

    What is beside or behind the lens (a sleeve) is far outside of the picture, on its own side.
    """
    points = np.asarray(points, np.float64)
    seen = points @ frame_from_scene[:, :3].T + frame_from_scene[:, 3]
    return np.asarray(seen[:, :2] / np.maximum(seen[:, 2:], NEAREST_MM), np.float64)


def board_corners_mm(size_mm: tuple[float, float]) -> Float64s:
    """Return the corners TL, TR, BR, BL of a board, (4, 2)."""
    width, height = size_mm
    return np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])


def _rotation(axis: int, degrees: float) -> Float64s:
    vector = np.zeros(3)
    vector[axis] = np.deg2rad(degrees)
    return np.asarray(cv2.Rodrigues(vector)[0], np.float64)
