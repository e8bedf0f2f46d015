"""The empty board of a composed game, in a real photo, with its light and surroundings.

The board is composed as seen from straight above and laid into the photo in the photo's own
perspective, so that every kind of camera costs the same.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Picture
from railspotter.calibration.geometry import outline_mm, project
from railspotter.calibration.pose import viewpoint

from composed.library import Library
from composed.light import measure_change
from composed.registration import Maps

EDGE_MM = (0.5, 2.0)  # where, inside the board's edge, the composed board fades into the photo
TABLE_BGR = (92, 128, 164)
FILL_SHARE = 0.94  # share of a picture of chosen size that the board reaches


@dataclass(frozen=True, eq=False)
class Stage:
    """An empty board in a picture."""

    ground: Picture  # (H, W, 3) uint8, BGR: the empty board from above, in the light of the stage
    px_per_mm: float  # its scale
    surroundings: Picture  # (h, w, 3) uint8, BGR: the picture into which the board is laid
    # tuple of (h, w) float32s: for every pixel of the picture, where it is in the board from above.
    maps: Maps
    inside: Float32s  # (h, w) float32: how much of a pixel is the board's
    # (3, 3) float64 array. Maps board millimetres to the picture, but for folds and lens.
    frame_from_board: Float64s
    eye_mm: tuple[float, float, float]  # where the camera is: x and y on the board, and its height
    size_mm: tuple[float, float]
    name: str

    @property
    def corners_px(self) -> Float64s:
        """The printed board's corners in the picture: TL, TR, BR, BL."""
        return project(self.frame_from_board, outline_mm(self.size_mm))

    def warp(self, board: Picture, onto: Picture, part: tuple[slice, slice] | None = None) -> None:
        """Warp the rectified board, or a part of it, into a picture."""
        part = part or (slice(0, onto.shape[0]), slice(0, onto.shape[1]))
        x, y = (axis[part] for axis in self.maps)
        laid = cv2.remap(board, x, y, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
        share = self.inside[part][..., None]
        if share.min() == 1:
            onto[part] = laid
        else:
            onto[part] = self.surroundings[part] * (1 - share) + laid * share + np.float32(0.5)

    def picture_part(self, rows: slice, columns: slice) -> tuple[slice, slice]:
        """Return the rows and columns of the picture with a part of the rectified board."""
        corners = [
            (x, y)
            for x in (columns.start - 2, columns.stop + 1)
            for y in (rows.start - 2, rows.stop + 1)
        ]
        # The bend moves things by less than the margin.
        seen = project(self.frame_from_board, (np.array(corners) + 0.5) / self.px_per_mm)
        margin = 4 * np.sqrt(abs(np.linalg.det(self.frame_from_board[:2, :2])))
        low = np.maximum(np.floor(seen.min(axis=0) - margin).astype(int), 0)
        high = np.ceil(seen.max(axis=0) + margin).astype(int) + 1
        high = np.minimum(high, self.surroundings.shape[1::-1])
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def make_stage(
    library: Library, view: str, ground: str | None = None, size_wh: tuple[int, int] | None = None
) -> Stage:
    """Make a stage from a photo."""
    registration = library.registration(view)
    to_picture = np.eye(3)
    if size_wh is not None:
        outline = outline_mm(library.board.size_mm)
        to_picture = _fit_transform(project(registration.frame_from_board, outline), size_wh)
    size_wh = size_wh or registration.frame_wh
    maps = registration.inverse_maps(library.px_per_mm, size_wh, to_picture)
    height, width = library.empty_board.shape[:2]
    to_edge = np.minimum(
        np.minimum(maps[0], width - 1 - maps[0]), np.minimum(maps[1], height - 1 - maps[1])
    )
    inside = np.clip((to_edge / library.px_per_mm - EDGE_MM[0]) / (EDGE_MM[1] - EDGE_MM[0]), 0, 1)
    eye = viewpoint(registration.frame_from_board, registration.frame_wh)
    stage = Stage(
        library.rectified_board(ground or view),
        library.px_per_mm,
        _surroundings(library.picture(view), to_picture, size_wh),
        maps,
        inside.astype(np.float32),
        to_picture @ registration.frame_from_board,
        (eye.x_mm, eye.y_mm, eye.height_mm),
        library.board.size_mm,
        view,
    )
    if ground in (None, view):
        return stage
    change = measure_change(
        stage.ground, library.rectified_board(view), library.bare_mask(view), stage.px_per_mm
    )
    return replace(stage, ground=change.apply(stage.ground))


def _fit_transform(corners_px: Float64s, size_wh: tuple[int, int]) -> Float64s:
    """Return the scaling that fits the board into a picture of a size."""
    low, high = corners_px.min(axis=0), corners_px.max(axis=0)
    scale = FILL_SHARE * float(np.min(np.array(size_wh) / (high - low)))
    offset = (np.array(size_wh) - 1) / 2 - scale * (low + high) / 2
    return np.array([[scale, 0, offset[0]], [0, scale, offset[1]], [0, 0, 1]])


def _surroundings(photo: Picture, to_picture: Float64s, size_wh: tuple[int, int]) -> Picture:
    """Return the photo around the board, extended by a table beyond its edges."""
    scale = float(np.sqrt(abs(np.linalg.det(to_picture[:2, :2]))))
    if scale < 0.7:  # a lens blurs what a coarser sensor cannot tell apart
        photo = np.asarray(cv2.GaussianBlur(photo, (0, 0), 0.4 / scale), np.uint8)
    return np.asarray(
        cv2.warpPerspective(
            photo, to_picture, size_wh, borderMode=cv2.BORDER_CONSTANT, borderValue=TABLE_BGR
        ),
        np.uint8,
    )
