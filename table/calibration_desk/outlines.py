"""Where the spaces of a board are in a picture of it: the outlines that people look at and move."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles import Profile, SpaceKey, space_key
from railspotter.scoring import Board, RouteId
from railspotter.vision.printed import PrintedBoard
from railspotter.vision.reading import with_site_routes

Point = tuple[float, float]


@dataclass(frozen=True)
class SpaceOutline:
    """One space in a picture.

    Attributes
    ----------
    key : str
    route : str
        The id of its route, or of its site.
    outline_px : tuple of (float, float)
    is_nudged : bool
        Whether a person moved it, or its route.
    dx_px, dy_px : tuple of float
        How far in the picture a millimetre of the board to the right, and one down, leads here.
    """

    key: SpaceKey
    route: RouteId
    outline_px: tuple[Point, ...]
    is_nudged: bool
    dx_px: Point
    dy_px: Point


def space_outlines(board: Board, profile: Profile, pose: Pose) -> tuple[SpaceOutline, ...]:
    """Return all spaces of a board, and its sites, as a profile has them, in a picture."""
    printed = PrintedBoard.of(with_site_routes(board), profile)
    keys = [
        (space_key(route.id, number), route.id)
        for route in printed.board.routes
        for number in range(len(route.spaces))
    ]
    if not keys:
        return ()
    half = printed.size_mm[:, None, :] / 2
    along = printed.along[:, None, :] * half[..., :1]
    across = printed.across[:, None, :] * half[..., 1:]
    middle = printed.xy_mm[:, None, :]
    ends = (along + across, along - across, -along - across, across - along)
    corners = middle + np.concatenate(ends, axis=1)
    at_px = bent_at(pose, corners)
    here = bent_at(pose, printed.xy_mm)
    right, down = (bent_at(pose, printed.xy_mm + step) - here for step in np.eye(2))
    nudged = profile.nudges_mm
    return tuple(
        SpaceOutline(
            key, route, _points(outline), key in nudged or route in nudged, _point(dx), _point(dy)
        )
        for (key, route), outline, dx, dy in zip(keys, at_px, right, down, strict=True)
    )


def bent_at(pose: Pose, points_mm: Float64s) -> Float64s:
    """Return where points of the board, (..., 2), are in the frame, the board's bend included."""
    rows, columns = pose.bend_mm.shape[:2]
    flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
    cell = (flat / pose.size_mm * (columns, rows) - 0.5).astype(np.float32)
    bend = cv2.remap(
        pose.bend_mm.astype(np.float32),
        np.ascontiguousarray(cell[:, :1]),
        np.ascontiguousarray(cell[:, 1:]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).reshape(-1, 2)
    return pose.seen_at(flat + bend).reshape(np.shape(points_mm))


def _points(outline: Float64s) -> tuple[Point, ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in outline)


def _point(at: Float64s) -> Point:
    return round(float(at[0]), 3), round(float(at[1]), 3)
