"""Outlines to draw on a board's picture: its spaces, and areas of bad quality."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.picture_quality import Grid, PictureQuality
from railspotter.calibration.profiles.profile import Profile, SpaceKey, space_key
from railspotter.calibration.profiles.quality import BLUR_MM, FINE_PX_PER_MM, GLARE, Remark
from railspotter.scoring.board import Board, RouteId
from railspotter.scoring.sentence import Sentence
from railspotter.vision.printed.printed_board import PrintedBoard, with_site_routes

Point = tuple[float, float]
Outline = tuple[Point, ...]


@dataclass(frozen=True)
class Finding:
    """A remark on a picture's quality."""

    about: str  # as in `calibration.profiles.quality.Remark`
    grade: str  # `usable` or `poor`
    said: Sentence  # what it is and what helps, without full stop
    # The affected areas in the picture; empty for all of it.
    outlines_px: tuple[Outline, ...] = ()


def findings(remarks: Iterable[Remark], picture: PictureQuality, pose: Pose) -> tuple[Finding, ...]:
    """Convert remarks on a picture to findings, with the outlines of the affected areas."""
    return tuple(
        Finding(
            remark.about,
            remark.grade.name.lower(),
            remark.words,
            tuple(_outline(cell, picture, pose) for cell in _cells(remark, picture)),
        )
        for remark in remarks
    )


def _cells(remark: Remark, picture: PictureQuality) -> Iterator[tuple[int, int]]:
    """Yield the cells of the quality grid, (row, column), that a remark is about."""
    if remark.about == "glare":
        yield from _worse(picture.glare, GLARE.good)
    elif remark.about == "sharpness":
        yield from _worse(picture.blur_mm, BLUR_MM.good)
    elif remark.about == "resolution":
        rows, columns = len(picture.glare), len(picture.glare[0])
        corners = ((0, 0), (0, columns - 1), (rows - 1, columns - 1), (rows - 1, 0))
        for fine, cell in zip(picture.corners_px_per_mm, corners, strict=True):
            if fine < FINE_PX_PER_MM.good:
                yield cell


def _worse(grid: Grid, good: float) -> Iterator[tuple[int, int]]:
    for row, values in enumerate(grid):
        for column, value in enumerate(values):
            if value is not None and value > good:
                yield row, column


def _outline(cell: tuple[int, int], picture: PictureQuality, pose: Pose) -> Outline:
    rows, columns = len(picture.glare), len(picture.glare[0])
    row, column = cell
    steps = np.array([(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)])
    return points_px(pose.seen_at(steps / (columns, rows) * pose.size_mm))


@dataclass(frozen=True)
class SpaceOutline:
    """The outline of one space in a picture."""

    key: SpaceKey
    route: RouteId  # the id of its route, or of its site
    outline_px: tuple[Point, ...]
    is_nudged: bool  # whether the user moved it, or its route
    # Here in the picture: the vectors of one millimetre on the board to the right, and down.
    dx_px: Point
    dy_px: Point


def space_outlines(board: Board, profile: Profile, pose: Pose) -> tuple[SpaceOutline, ...]:
    """Project all of a board's spaces and sites into a picture, with the profile's offsets."""
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
    at_px = frame_points_px(pose, corners)
    here = frame_points_px(pose, printed.xy_mm)
    right, down = (frame_points_px(pose, printed.xy_mm + step) - here for step in np.eye(2))
    nudged = profile.nudges_mm
    return tuple(
        SpaceOutline(
            key, route, points_px(outline), key in nudged or route in nudged, _point(dx), _point(dy)
        )
        for (key, route), outline, dx, dy in zip(keys, at_px, right, down, strict=True)
    )


def frame_points_px(pose: Pose, points_mm: Float64s) -> Float64s:
    """Project board points, (..., 2), into the frame, including the board's bend."""
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


def points_px(outline: Float64s) -> Outline:
    """Round points of a picture, (N, 2), to a tenth of a pixel."""
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in outline)


def _point(at: Float64s) -> Point:
    return round(float(at[0]), 3), round(float(at[1]), 3)
