"""What people are shown of a spot that they are asked about: it and its neighbours, upright.

The board lies as players see it on the page, whatever way the camera looks at it, so that "the
upper lane" is up; and where the spot is in the picture is known without looking.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import Board
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.source import Frame

from ..photo_file import to_jpeg

# Ground around a spot: the other lane, and the places at both ends with the routes that begin
# there.
AROUND_MM = 28.0
# What is shown at the least, so that people recognise the corner of the board.
LEAST_MM = (120.0, 75.0)
WIDE_PX = 960  # two pixels for each of a phone's held upright; chosen
MOST_PX_PER_MM = 6.0  # no camera over a table sees more
QUALITY = 80


@dataclass(frozen=True)
class Area:
    """A part of the board, in millimetres."""

    left: float
    top: float
    width: float
    height: float


def area_around(board: Board, spot: Spot) -> Area:
    """Return the part of the board that is shown of a spot.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> area = area_around(load_board("usa"), Spot("route", "helena--seattle"))
    >>> round(area.width), round(area.height)
    (190, 86)
    """
    low, high = (np.array(corner) for corner in _extent(board, spot))
    size = np.maximum(high - low + 2 * AROUND_MM, LEAST_MM)
    left, top = (low + high - size) / 2
    return Area(float(left), float(top), float(size[0]), float(size[1]))


def _extent(board: Board, spot: Spot) -> tuple[tuple[float, float], tuple[float, float]]:
    match spot.kind:
        case "station":
            points = [board.place_by_id[spot.id].xy_mm]
        case "site":
            points = [site.space.xy_mm for site in board.sites if site.id == spot.id and site.space]
        case _:
            points = [space.xy_mm for space in board.route_by_id[spot.id].spaces]
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def picture_of_board(frame: Frame, pose: Pose) -> bytes:
    """Return the whole board as seen from straight above, the content of a JPEG file."""
    width, height = pose.size_mm
    return picture_around(frame.picture, pose, Area(0.0, 0.0, width, height))


def picture_around(picture: Picture, pose: Pose, area: Area) -> bytes:
    """Return a part of the board as seen from straight above, the content of a JPEG file."""
    px_per_mm = min(WIDE_PX / area.width, MOST_PX_PER_MM)
    columns, rows = (max(1, round(size * px_per_mm)) for size in (area.width, area.height))
    x_mm = area.left + (np.arange(columns) + 0.5) / px_per_mm
    y_mm = area.top + (np.arange(rows) + 0.5) / px_per_mm
    seen = pose.seen_at(np.stack(np.meshgrid(x_mm, y_mm), axis=-1)).astype(np.float32)
    upright = cv2.remap(picture, seen[..., 0], seen[..., 1], cv2.INTER_LINEAR)
    return to_jpeg(np.asarray(upright, np.uint8), QUALITY)
