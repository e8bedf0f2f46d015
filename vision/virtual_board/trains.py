"""The virtual board's plastic trains: where they stand, and their bodies as painted solids.

A train is a boiler with a rounded top, a cab behind and a chimney in front, as convex parts, so
that a part is painted by painting the faces that look at the camera. From above a chimney or cab
is never behind its own boiler, and trains stand apart: painted far ones first, they cover each
other rightly.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from railspotter.scoring.board import Board, RouteId

from .camera import Matrix, SceneError, project

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

TRAIN_INKS: dict[str, tuple[int, int, int]] = {
    "black": (42, 40, 40),
    "blue": (176, 92, 20),
    "green": (70, 104, 24),
    "red": (38, 36, 190),
    "yellow": (34, 200, 236),
    "white": (232, 236, 236),
    "purple": (104, 40, 100),
}
"""BGR of each plastic in full light; chosen near what photos of trains show."""

LENGTH_MM, WIDTH_MM, HEIGHT_MM = 25.5, 8.6, 8.8
"""A train without its chimney; about 26 x 9 x 9 in the box."""
SIGMAS = (0.7, 0.7, 2.0)
"""How people put trains: millimetres along and across the space, degrees of turn; chosen."""

AMBIENT, DIFFUSE, GLOSS, GLOSS_POWER = 0.45, 0.62, 70.0, 14.0
"""Light on a face: share from everywhere, share from the lamp, grey levels of the highlight."""


SHADOW = 0.55
"""Share of the light that a shadow takes away."""
SOFTNESS = 0.0012
"""Standard deviation of a shadow's edge as a share of the picture's width."""


@dataclass(frozen=True)
class Train:
    """One train on the board.

    Attributes
    ----------
    route, space : str, int
        On which space of which route it counts, the first being 0.
    xy_mm, angle_deg : tuple of float, float
        Where its middle really is, and its direction, clockwise from +x.
    """

    colour: str
    route: RouteId
    space: int
    xy_mm: tuple[float, float]
    angle_deg: float

    def corners(self) -> Matrix:
        """Return the corners (x, y, z) of the box around it without the chimney, feet first.

        Examples
        --------
        >>> train = Train("red", "a--b", 0, xy_mm=(100.0, 50.0), angle_deg=90.0)
        >>> train.corners()[[0, 4]].round(2).tolist()
        [[104.3, 37.25, 0.0], [104.3, 37.25, 8.8]]
        """
        x, y = LENGTH_MM / 2, WIDTH_MM / 2
        foot = [(-x, -y), (x, -y), (x, y), (-x, y)]
        return self.placed(np.array([(*point, z) for z in (0.0, HEIGHT_MM) for point in foot]))

    def placed(self, local: Matrix) -> Matrix:
        """Move points from the train's own axes, x ahead, to the board's."""
        points = local @ self.turn.T
        points[:, :2] += self.xy_mm
        return points

    @property
    def turn(self) -> Matrix:
        """Its direction as a rotation about z, (3, 3)."""
        angle = np.deg2rad(self.angle_deg)
        cos, sin = np.cos(angle), np.sin(angle)
        return np.array([(cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)])


def stand_trains(
    board: Board, claims: Mapping[RouteId, str], seed: int = 0, looseness: float = 1.0
) -> tuple[Train, ...]:
    """Put a train on every space of the claimed routes, as neatly as people do.

    A route's trains do not move when another route is claimed.

    Parameters
    ----------
    looseness : float
        0 stands them exactly in the middle of their spaces.

    Raises
    ------
    SceneError
        For a route the board does not have, or a colour no train has.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> trains = stand_trains(load_board("usa"), {"atlanta--charleston": "red"}, looseness=0)
    >>> [(train.space, train.xy_mm) for train in trains]
    [(0, (643.9, 341.8)), (1, (672.5, 341.9))]
    >>> stand_trains(load_board("usa"), {"atlanta--paris": "red"})
    Traceback (most recent call last):
    ...
    railspotter.vision.virtual_board.camera.SceneError: board 'usa' has no route 'atlanta--paris'
    """
    trains = []
    for route_id, colour in claims.items():
        if route_id not in board.route_by_id:
            raise SceneError(f"board {board.id!r} has no route {route_id!r}")
        if colour not in TRAIN_INKS:
            raise SceneError(f"no train is {colour!r}; there are {', '.join(sorted(TRAIN_INKS))}")
        rng = np.random.default_rng([seed, zlib.crc32(route_id.encode())])
        for i, space in enumerate(board.route_by_id[route_id].spaces):
            dx, dy, turn = looseness * rng.normal(0.0, SIGMAS)
            heading = np.deg2rad(space.angle_deg)
            x = space.xy_mm[0] + dx * np.cos(heading) - dy * np.sin(heading)
            y = space.xy_mm[1] + dx * np.sin(heading) + dy * np.cos(heading)
            xy_mm = float(x), float(y)
            trains.append(Train(colour, route_id, i, xy_mm, float(space.angle_deg + turn)))
    return tuple(trains)


def cast_shadows(
    picture: Picture, trains: Sequence[Train], frame_from_scene: Matrix, towards_light: Matrix
) -> None:
    """Darken the board where the trains keep the lamp's light off it."""
    shade = np.zeros(picture.shape[:2], np.uint8)
    to_board = np.eye(3) - np.outer(towards_light / towards_light[2], (0.0, 0.0, 1.0))
    for train in trains:
        for part in PARTS:
            on_board = train.placed(part.corners) @ to_board.T
            outline = cv2.convexHull(_fixed(project(frame_from_scene, on_board)))
            cv2.fillConvexPoly(shade, outline, 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(shade, (0, 0), SOFTNESS * picture.shape[1])
    kept = (255 - SHADOW * soft.astype(np.float32)) / 255
    picture[:] = (picture * kept[..., None]).astype(np.uint8)


def paint_trains(
    picture: Picture, trains: Sequence[Train], frame_from_scene: Matrix, towards_light: Matrix
) -> None:
    """Paint the trains' bodies, the farthest first."""
    camera = _camera_centre(frame_from_scene)
    far_first = sorted(trains, key=lambda train: -float(np.hypot(*(camera[:2] - train.xy_mm))))
    for train in far_first:
        ink = np.array(TRAIN_INKS[train.colour], np.float64)
        towards_camera = camera - (*train.xy_mm, 0.0)
        towards_camera /= np.linalg.norm(towards_camera)
        gloss_way = towards_camera + towards_light
        gloss_way /= np.linalg.norm(gloss_way)
        for part in PARTS:
            corners = train.placed(part.corners)
            fixed = _fixed(project(frame_from_scene, corners))
            normals = part.normals @ train.turn.T
            for face, normal in zip(part.faces, normals, strict=True):
                if normal @ (camera - corners[face[0]]) <= 0:
                    continue
                light = AMBIENT + DIFFUSE * max(0.0, float(normal @ towards_light))
                gloss = GLOSS * max(0.0, float(normal @ gloss_way)) ** GLOSS_POWER
                tone = np.clip(ink * light + gloss, 0, 255).tolist()
                cv2.fillConvexPoly(picture, fixed[list(face)], tone, cv2.LINE_AA, 4)


@dataclass(frozen=True, eq=False)
class _Part:
    """A convex solid in the train's own axes: x ahead, y to the right, z up.

    Attributes
    ----------
    corners, normals : (N, 3) and (M, 3) float64 arrays
    faces : tuple of tuple of int
        The corners of each of the M faces.
    """

    corners: Matrix
    faces: tuple[tuple[int, ...], ...]
    normals: Matrix


def _prism(profile: Matrix, start: float, end: float, axis: int) -> _Part:
    """Extrude a convex profile along an axis."""
    count = len(profile)
    corners = np.vstack([np.insert(profile, axis, at, axis=1) for at in (start, end)])
    sides = [(i, (i + 1) % count, (i + 1) % count + count, i + count) for i in range(count)]
    faces = (*sides, tuple(range(count)), tuple(range(count, 2 * count)))
    middle = corners.mean(axis=0)
    normals = []
    for a, b, c, *_ in faces:
        normal = np.cross(corners[b] - corners[a], corners[c] - corners[a])
        outward = normal if normal @ (corners[a] - middle) > 0 else -normal
        normals.append(outward / np.linalg.norm(outward))
    return _Part(corners, faces, np.array(normals))


def _arch(width: float, height: float, shoulder: float) -> Matrix:
    """Return an upright profile (y, z) with a rounded top."""
    half = np.array([(width / 2, 0), (width / 2, height - shoulder), (width * 0.36, height - 0.9)])
    half = np.vstack([half, (width * 0.18, height)])
    return np.vstack([half, half[::-1] * (-1, 1)])


def _round(x: float, radius: float) -> Matrix:
    """Return a lying profile (x, y), eight-cornered."""
    turn = np.arange(8) * np.pi / 4
    return np.column_stack([x + radius * np.cos(turn), radius * np.sin(turn)])


_BACK, _FRONT, _CAB_FRONT = -LENGTH_MM / 2, LENGTH_MM / 2, -6.0
PARTS = (
    _prism(_arch(WIDTH_MM, HEIGHT_MM - 1.2, 2.8), _CAB_FRONT, _FRONT, axis=0),
    _prism(_arch(WIDTH_MM, HEIGHT_MM, 1.6), _BACK, _CAB_FRONT, axis=0),
    _prism(_round(0.8, 1.7), HEIGHT_MM - 1.6, HEIGHT_MM, axis=2),
    _prism(_round(8.6, 1.5), HEIGHT_MM - 1.6, HEIGHT_MM + 1.8, axis=2),
)
"""Boiler, cab, dome and chimney, in the order to paint them."""


def _camera_centre(frame_from_scene: Matrix) -> Matrix:
    """Return the point (x, y, z) that the projection looks from."""
    centre = np.linalg.solve(frame_from_scene[:, :3], -frame_from_scene[:, 3])
    return np.asarray(centre, np.float64)


def _fixed(points_px: Matrix) -> NDArray[np.int32]:
    return np.rint(points_px * 16).astype(np.int32)
