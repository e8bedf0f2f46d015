"""The virtual board's camera: its position and lens, and the projection of scene points.

A scene point is (x, y, z) in millimetres: x and y on the board, z up from it, towards the camera.
As y points down the board, these axes are left-handed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Float64s, Points
from .errors import SceneError

MAX_TANGENT = 12.0  # tangent of the largest angle in the undistortion table, 85 degrees
TABLE_STEPS = 6000  # of the undistortion table: each is 1/500 of the focal length
# Where the distortion's slope falls below this, it continues in a straight line, without folding.
MIN_SLOPE = 0.15
NEAREST_MM = 20.0  # nearer points are projected as if they were so far away


@dataclass(frozen=True)
class VirtualLens:
    """A lens with radial distortion.

    >>> lens = VirtualLens(500.0, (320.0, 240.0), k1=-0.2)
    >>> lens.distort([(420.0, 240.0)])
    array([[419.2, 240. ]])
    >>> lens.undistort(lens.distort([(420.0, 240.0)])).round(3)
    array([[420., 240.]])
    """

    focal_px: float
    centre_px: tuple[float, float]  # of the optical axis
    k1: float = 0.0  # radial distortion; both 0 is a pinhole, k1 < 0 is barrel distortion
    k2: float = 0.0

    def distort(self, pinhole_px: ArrayLike) -> Points:
        """Return the distorted positions of pinhole pixels, (N, 2)."""
        return self._stretched(pinhole_px, self._distorted_radius)

    def undistort(self, picture_px: ArrayLike) -> Points:
        """Return the pinhole positions of distorted pixels, (N, 2)."""
        tangents = np.linspace(0.0, MAX_TANGENT, TABLE_STEPS)
        distorted = self._distorted_radius(tangents)
        return self._stretched(picture_px, lambda r: np.interp(r, distorted, tangents))

    def _stretched(self, at_px: ArrayLike, radius: Callable[[Points], Points]) -> Points:
        """Return points at other radii from the optical axis, in focal lengths."""
        points = np.asarray(at_px, np.float64)
        if self.k1 == self.k2 == 0:
            return points
        off = (points - self.centre_px) / self.focal_px
        r = np.hypot(off[:, 0], off[:, 1])
        stretch = np.divide(radius(r), r, out=np.ones_like(r), where=r > 0)
        return np.asarray(self.centre_px + self.focal_px * off * stretch[:, None], np.float64)

    @cached_property
    def max_tangent(self) -> float:
        """The tangent of the largest angle to which the distortion polynomial applies."""
        r = np.linspace(0.0, MAX_TANGENT, TABLE_STEPS)
        falling = np.flatnonzero(1 + 3 * self.k1 * r**2 + 5 * self.k2 * r**4 < MIN_SLOPE)
        return float(r[falling[0]]) if falling.size else MAX_TANGENT

    def _distorted_radius(self, r: Points) -> Points:
        held = np.minimum(r, self.max_tangent)
        distorted = held * (1 + self.k1 * held**2 + self.k2 * held**4)
        return np.asarray(distorted + MIN_SLOPE * (r - held), np.float64)


@dataclass(frozen=True, eq=False)
class Projection:
    """The projection from the scene to a picture."""

    # (3, 4): the pinhole's projection of (x, y, z) to pixels (x, y), which are their middles
    frame_from_scene: Float64s
    lens: VirtualLens  # distorts the pinhole's picture
    size_wh: tuple[int, int]  # width and height of the picture, in pixels

    def project(self, points: ArrayLike) -> Float64s:
        """Project scene points (N, 3) to pixels (N, 2), with the lens' distortion."""
        return self.lens.distort(project_pinhole(self.frame_from_scene, points))

    def board_points(self, picture_px: ArrayLike) -> Float64s:
        """Return the points of the board's plane at pixels, (N, 2); NaN above the horizon."""
        x, y = self.lens.undistort(picture_px).T
        board_from_frame = np.linalg.inv(self.frame_from_scene[:, [0, 1, 3]])
        # By columns for speed: there are millions of pixels.
        along, down, ahead = (row[0] * x + row[1] * y + row[2] for row in board_from_frame)
        ahead[ahead <= 1e-9] = np.nan
        return np.column_stack([along / ahead, down / ahead])

    @property
    def eye(self) -> Float64s:
        """The position of the lens in the scene, (3,)."""
        camera = self.frame_from_scene
        return np.asarray(np.linalg.solve(camera[:, :3], -camera[:, 3]), np.float64)

    def px_per_mm(self, xy_mm: ArrayLike) -> float:
        """Return the resolution of the picture at a point of the board."""
        x, y = np.asarray(xy_mm, np.float64)
        seen = self.project([(x, y, 0), (x + 1, y, 0), (x, y + 1, 0)])
        return float(np.sqrt(abs(np.linalg.det(seen[1:] - seen[0]))))


@dataclass(frozen=True)
class CameraSetup:
    """The position of a camera, its lens and the size of its picture."""

    size_wh: tuple[int, int] = (1600, 1200)  # width and height of the picture in pixels
    tilt_deg: float = 10.0  # angle of the line of sight from the vertical, 0 to 75
    # the camera's side of the board: 0 below the bottom edge, 90 right of the right one
    heading_deg: float = 0.0
    roll_deg: float = 0.0  # rotation of the camera about its line of sight, clockwise
    distance_mm: float = 900.0  # from the lens to the middle of the board
    fill: float = 0.88  # largest share of the picture's width or height that the board takes
    # radial distortion, as of `VirtualLens`: a webcam's k1 is about -0.1, that of a phone's .5x
    # lens -0.3 before the phone corrects it
    k1: float = 0.0
    k2: float = 0.0

    def projection(self, size_mm: tuple[float, float]) -> Projection:
        """Return the projection of the scene; raises `SceneError` if it does not show the board.

        The middle of the board is in the middle of the picture.

        >>> projection = CameraSetup(size_wh=(800, 600), tilt_deg=20).projection((795.0, 525.0))
        >>> projection.project([(397.5, 262.5, 0.0)]).round(6)
        array([[399.5, 299.5]])
        >>> bool(projection.project([(397.5, 262.5, 9.0)])[0, 1] < 299.5)
        True
        """
        camera_from_scene = self._camera_from_scene(size_mm)
        corners = np.column_stack([board_corners_mm(size_mm), np.zeros(4)])
        depths = (camera_from_scene @ np.column_stack([corners, np.ones(4)]).T)[2]
        if depths.min() < 0.25 * self.distance_mm:
            raise SceneError(
                f"the camera at distance_mm={self.distance_mm!r}, tilt_deg={self.tilt_deg!r} "
                "is too near to the board's edge; move it away"
            )
        tangents = project_pinhole(camera_from_scene, corners)
        unit_lens = VirtualLens(1.0, (0.0, 0.0), self.k1, self.k2)
        widest = float(np.hypot(*tangents.T).max())
        if widest > unit_lens.max_tangent:
            raise SceneError(
                f"a lens of k1={self.k1!r}, k2={self.k2!r} does not reach the board's corners; "
                "move the camera away"
            )
        half_wh = np.array(self.size_wh) / 2
        focal_px = float(self.fill / (np.abs(unit_lens.distort(tangents)) / half_wh).max())
        x, y = half_wh - 0.5
        sensor = np.array([(focal_px, 0, x), (0, focal_px, y), (0, 0, 1)])
        lens = VirtualLens(focal_px, (float(x), float(y)), self.k1, self.k2)
        return Projection(np.asarray(sensor @ camera_from_scene, np.float64), lens, self.size_wh)

    def _camera_from_scene(self, size_mm: tuple[float, float]) -> Float64s:
        """Return the (3, 4) transformation from the scene to the camera's axes, z ahead."""
        turn = (
            _rotation(2, self.roll_deg)
            @ _rotation(0, -self.tilt_deg)
            @ _rotation(2, self.heading_deg)
        )
        middle = np.array([size_mm[0] / 2, size_mm[1] / 2, 0.0])
        camera_from_scene = np.column_stack(
            [turn, np.array([0.0, 0.0, self.distance_mm]) - turn @ middle]
        )
        camera_from_scene[:, 2] *= -1.0
        return camera_from_scene


def project_pinhole(frame_from_scene: Float64s, points: ArrayLike) -> Float64s:
    """Project scene points (N, 3) to pixels (N, 2), without distortion.

    Points beside or behind the lens are far outside of the picture, on their own side.
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
