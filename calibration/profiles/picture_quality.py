"""Measures how well one picture shows the board.

Blur is measured on edges: if one is blurred with a standard deviation s, a second blur with r
leaves the share s / sqrt(s^2 + r^2) of its slope, whatever its contrast [1]_. The sharpest edges of
a cell are print; others are shadows or soft artwork.

References
----------
.. [1] S. Zhuo, T. Sim, "Defocus map estimation from a single image", Pattern Recognition 44 (2011),
   equation 4.
"""

from dataclasses import dataclass
from typing import Annotated

import cv2
import msgspec
import numpy as np

from ..arrays import Float32s, Float64s, Mask, NotNegative, Picture
from ..geometry import outline_mm
from ..pose import Pose, rectify, viewpoint

CELLS_WH = (6, 4)  # columns and rows of a grid over the board: cells are as large as a hand
# One value for each of its cells, by row, from its top-left corner.
Row = Annotated[
    tuple[NotNegative | None, ...], msgspec.Meta(min_length=CELLS_WH[0], max_length=CELLS_WH[0])
]
Grid = Annotated[tuple[Row, ...], msgspec.Meta(min_length=CELLS_WH[1], max_length=CELLS_WH[1])]
ONCE_MORE_PX = 1.0  # standard deviation of the second blur
# Grey levels per pixel, after the second blur, from which there is an edge; noise has less.
LEAST_SLOPE = 6.0
# The same in a cell with too few edges, which is soft or dark.
LEAST_SOFT_SLOPE = 2.0
LEAST_EDGES = 40  # least pixels on edges in a cell
# The percentile of the blur of a cell's edges: the others are shadows and soft print.
SHARPEST = 25.0
# CIE L* from which a pixel counts as glare: phones leave glare below white. In labelled photos
# without glare 1 % of the worst cell is so light, in those with glare 8 to 16 %.
GLARE = 93.0
LIGHT_PX_PER_MM = 0.5  # scale at which light is measured


@dataclass(frozen=True)
class PictureQuality:
    """Measurements of a picture of a board."""

    # Resolution at the board's top-left, top-right, bottom-right and bottom-left corner, in the
    # worse direction.
    corners_px_per_mm: tuple[NotNegative, NotNegative, NotNegative, NotNegative]
    px_per_mm: NotNegative  # median resolution over the board
    # Standard deviation of the blur of the sharpest edges in each cell; None without sharp print.
    blur_mm: Grid
    glare: Grid  # share of each cell with glare, 0 to 1
    lightness: NotNegative  # the board's median CIE L*, 0 to 100
    tilt_deg: NotNegative  # angle of the view at the board's middle from the vertical
    shown: NotNegative = 1.0  # share of the board inside the picture

    @property
    def blur_p90_mm(self) -> float | None:
        """The 90th percentile of the cells' blur; None if none was measured."""
        known = [value for row in self.blur_mm for value in row if value is not None]
        return float(np.percentile(known, 90)) if known else None


def measure_picture(frame: Picture, pose: Pose) -> PictureQuality:
    """Measure how well a picture shows a board.

    Parameters
    ----------
    frame : (H, W, 3) uint8 array, BGR
        Neither cropped nor scaled.
    pose : Pose
    """
    size_wh = (frame.shape[1], frame.shape[0])
    corners = _px_per_mm(pose, outline_mm(pose.size_mm)).tolist()
    top_left, top_right, bottom_right, bottom_left = corners
    light = rectify(frame, pose, LIGHT_PX_PER_MM)
    shown = _shown(pose, light.shape, size_wh)
    return PictureQuality(
        corners_px_per_mm=(top_left, top_right, bottom_right, bottom_left),
        px_per_mm=float(np.median(_px_per_mm(pose, pose.points_mm))),
        blur_mm=_blur(frame, pose),
        glare=_glare(light, shown),
        lightness=_lightness(light, shown),
        tilt_deg=_tilt_deg(pose, size_wh),
        shown=pose.share_in_frame(size_wh),
    )


def _px_per_mm(pose: Pose, at_mm: Float64s) -> Float64s:
    """Return the resolution at points, (N,), in the worse direction."""
    half_x, half_y = np.array([0.5, 0.0]), np.array([0.0, 0.5])
    along_x = pose.seen_at(at_mm + half_x) - pose.seen_at(at_mm - half_x)
    along_y = pose.seen_at(at_mm + half_y) - pose.seen_at(at_mm - half_y)
    jacobian = np.stack([along_x, along_y], axis=-1)
    return np.asarray(np.linalg.svd(jacobian, compute_uv=False)[:, 1])


def _tilt_deg(pose: Pose, size_wh: tuple[int, int]) -> float:
    camera = viewpoint(pose.frame_from_board, size_wh)
    width, height = pose.size_mm
    beside = np.hypot(camera.x_mm - width / 2, camera.y_mm - height / 2)
    return float(np.rad2deg(np.arctan2(beside, camera.height_mm)))


def _shown(pose: Pose, shape: tuple[int, ...], size_wh: tuple[int, int]) -> Mask:
    """Tell which pixels of the rectified board are inside the frame."""
    rows, columns = shape[:2]
    x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    return pose.is_in_frame(np.stack([x, y], axis=-1) / LIGHT_PX_PER_MM, size_wh)


def _lightness(light: Picture, shown: Mask) -> float:
    if not shown.any():
        return 0.0
    grey = cv2.cvtColor(light, cv2.COLOR_BGR2LAB)[..., 0]
    return float(np.median(grey[shown])) / 2.55


def _glare(light: Picture, shown: Mask) -> Grid:
    lightness = cv2.cvtColor(light, cv2.COLOR_BGR2LAB)[..., 0] / 2.55
    white = (lightness >= GLARE) & shown
    columns, rows = CELLS_WH
    grid = []
    for row in np.array_split(np.arange(white.shape[0]), rows):
        cells = np.array_split(white[row], columns, axis=1)
        grid.append(tuple(round(float(cell.mean()), 4) for cell in cells))
    return tuple(grid)


def _blur(frame: Picture, pose: Pose) -> Grid:
    height, width = frame.shape[:2]
    low = np.floor(np.clip(pose.corners_px.min(axis=0), 0, (width - 1, height - 1))).astype(int)
    high = np.ceil(np.clip(pose.corners_px.max(axis=0), 0, (width - 1, height - 1))).astype(int)
    part = frame[low[1] : high[1] + 1, low[0] : high[0] + 1]
    columns, rows = CELLS_WH
    nothing: Grid = tuple((None,) * columns for _ in range(rows))
    if min(part.shape[:2]) < 16:
        return nothing
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32)
    before = _slope(grey)
    after = _slope(np.asarray(cv2.GaussianBlur(grey, (0, 0), ONCE_MORE_PX), np.float32))
    is_ridge = after >= cv2.dilate(after, np.ones((3, 3), np.uint8))
    # Clipped levels have edges sharper than any lens makes.
    is_clipped = cv2.dilate(((grey < 4) | (grey > 251)).astype(np.uint8), np.ones((5, 5), np.uint8))
    y, x = np.nonzero(is_ridge & (after >= LEAST_SOFT_SLOPE) & (is_clipped == 0))
    on_mm = pose.on_board(np.column_stack([x, y]) + low.astype(np.float64))
    cell = np.floor(on_mm / pose.size_mm * CELLS_WH).astype(int)
    inside = np.all((cell >= 0) & (cell < CELLS_WH), axis=1)
    x, y, on_mm, cell = x[inside], y[inside], on_mm[inside], cell[inside]
    ratio = np.maximum(before[y, x] / after[y, x], 1.001)
    smeared_px = ONCE_MORE_PX / np.sqrt(ratio * ratio - 1)
    smeared_mm = smeared_px / _px_per_mm(pose, on_mm)
    index = cell[:, 1] * columns + cell[:, 0]
    values: list[float | None] = []
    for i in range(columns * rows):
        there, slopes = smeared_mm[index == i], after[y, x][index == i]
        clear = there[slopes >= LEAST_SLOPE]
        if len(clear) < LEAST_EDGES:
            clear = there[np.argsort(slopes)[-LEAST_EDGES:]]
        enough = len(clear) >= LEAST_EDGES
        values.append(round(float(np.percentile(clear, SHARPEST)), 4) if enough else None)
    return tuple(tuple(values[r * columns : (r + 1) * columns]) for r in range(rows))


def _slope(grey: Float32s) -> Float32s:
    kernel = np.array([[-0.5, 0.0, 0.5]], np.float32)
    x = cv2.filter2D(grey, cv2.CV_32F, kernel)
    y = cv2.filter2D(grey, cv2.CV_32F, kernel.T)
    return np.asarray(cv2.magnitude(x, y), np.float32)
