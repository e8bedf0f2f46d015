"""Plane geometry for finding, following and calibrating.

A homography is named to_from: `frame_from_board` maps board millimetres to frame pixels. Pixel
(0, 0) is the middle of the top-left pixel, as OpenCV counts.
"""

import cv2
import numpy as np
import numpy.typing as npt

from .arrays import AnyFloats, Float64s, Indices, Mask

GRID = 5  # points along each side of a board at which poses are compared


def project(to_from: AnyFloats, points: npt.ArrayLike) -> Float64s:
    """Map points (x, y), (..., 2), through a homography, `to_from`.

    >>> project(np.diag([2.0, 2.0, 1.0]), [[1, 2], [3, 4]]).tolist()
    [[2.0, 4.0], [6.0, 8.0]]
    """
    xy = np.asarray(points, dtype=np.float64)
    mapped = xy @ to_from[:, :2].T + to_from[:, 2]
    return np.asarray(mapped[..., :2] / mapped[..., 2:])


def grid_mm(size_mm: tuple[float, float]) -> Float64s:
    """Return the points of a board at which poses are compared, (25, 2)."""
    x, y = (np.linspace(0, side, GRID) for side in size_mm)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def cells_of(points: Float64s, size: tuple[float, float], cells_wh: tuple[int, ...]) -> Indices:
    """Return the cell of each point, (N, 2), in a grid of columns and rows over a size, by row.

    >>> cells_of(np.array([[1.0, 1.0], [9.0, 1.0], [11.0, 5.0]]), (10.0, 4.0), (2, 2)).tolist()
    [0, 1, 3]
    """
    columns, rows = cells_wh
    cell = (points / size * (columns, rows)).astype(np.intp)
    column, row = np.clip(cell, 0, (columns - 1, rows - 1)).T
    return np.asarray(row * columns + column, np.intp)


def outline_mm(size_mm: tuple[float, float]) -> Float64s:
    """Return a board's corners in board millimetres, (4, 2): TL, TR, BR, BL."""
    width, height = size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)


def homography_from_corners(corners_px: npt.ArrayLike, size_mm: tuple[float, float]) -> Float64s:
    """Return `frame_from_board` for a board by its four corners, as printed: TL, TR, BR, BL."""
    source = outline_mm(size_mm).astype(np.float32)
    target = np.asarray(corners_px, dtype=np.float32)
    return np.asarray(cv2.getPerspectiveTransform(source, target), dtype=np.float64)


def homography_between(
    source: Float64s, target: Float64s, tolerance: float
) -> tuple[Float64s, Mask] | None:
    """Fit the homography that most pairs of points agree on, robustly; None if there is none.

    Returns `target_from_source` and a mask of the pairs that agree: within `tolerance` in the
    target.
    """
    if len(source) < 4:
        return None
    target_from_source, agreeing = cv2.findHomography(
        source, target, cv2.USAC_MAGSAC, tolerance, maxIters=5000, confidence=0.9999
    )
    if np.shape(target_from_source) != (3, 3):
        return None
    return np.asarray(target_from_source, np.float64), np.asarray(agreeing).reshape(-1) > 0


def orientation(corners: npt.ArrayLike) -> int:
    """Return the orientation of a quadrilateral: 1 clockwise as seen, -1 counter-clockwise, else 0.

    In a picture (y down) a board that is not mirrored is clockwise. 0 is for a crossed or concave
    quadrilateral, or three corners on a line: no camera sees a board so.

    >>> orientation([[0, 0], [4, 0], [4, 3], [0, 3]])
    1
    >>> orientation([[0, 0], [0, 3], [4, 3], [4, 0]])
    -1
    >>> orientation([[0, 0], [4, 0], [0, 3], [4, 3]])
    0
    """
    quad = np.asarray(corners, dtype=np.float64)
    sides = np.roll(quad, -1, axis=0) - quad
    following = np.roll(sides, -1, axis=0)
    signs = np.sign(sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0])
    return int(signs[0]) if np.all(signs == signs[0]) else 0


def area_px2(corners: npt.ArrayLike) -> float:
    """Return the area of a polygon in square pixels."""
    return float(cv2.contourArea(np.asarray(corners, dtype=np.float32)))
