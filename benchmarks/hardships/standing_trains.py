"""Re-renders a photo's trains, taken from above, as seen from a low angle.

A warp of a photo leaves its trains painted on the board, and from a low angle a reader that knows
where the camera is looks for them elsewhere. Here each is a box: its roof is what the photo shows
of the train, its sides are the roof's colour, darker, and what lies behind it is hidden.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.geometry import project
from railspotter.scoring.board import load_board

from composed.trains import SeenTrain, find_trains
from hardships.renderings import to_linear, to_srgb
from photos.labelled import LabelledPhoto

HEIGHT_MM = 9.0  # of a train
PX_PER_MM = 2.0  # at which trains are looked for
SIDE_LIGHT = 0.6  # light on a train's sides, as a share of its roof's


def find_photo_trains(
    photo: LabelledPhoto, picture: Picture, board_from_photo: Float64s
) -> tuple[SeenTrain, ...]:
    """Return the positions of a labelled photo's trains, by its spaces."""
    board = load_board(photo.board)
    size_wh = [round(side * PX_PER_MM) for side in board.size_mm]
    scale = np.diag([PX_PER_MM, PX_PER_MM, 1.0])
    above = cv2.warpPerspective(picture, scale @ board_from_photo, size_wh)
    return find_trains(np.asarray(above, np.uint8), PX_PER_MM, board, photo.truth["spaces"])


def paint_standing_trains(
    ground: Picture, roofs: Picture, trains: Sequence[SeenTrain], planes: tuple[Float64s, Float64s]
) -> Picture:
    """Paint upright trains over those in a picture of the board.

    `ground` and `roofs` are the photo laid onto the board, and onto a plane as high above it as
    trains are; `planes` lead from the millimetres of these two to the picture's pixels.
    """
    picture = ground.copy()

    def depth(train: SeenTrain) -> float:
        return float(planes[0][2] @ [*train.xy_mm, 1.0])

    for train in sorted(trains, key=depth, reverse=True):
        foot, roof = (
            np.rint(project(plane, train.outline_mm())).astype(np.int32) for plane in planes
        )
        hull = cv2.convexHull(np.concatenate([foot, roof]))
        low, high = hull.min(axis=(0, 1)), hull.max(axis=(0, 1)) + 1
        if (low < 0).any() or (high > picture.shape[1::-1]).any():
            continue
        part = slice(low[1], high[1]), slice(low[0], high[0])
        on_top, body = (np.zeros((high - low)[::-1], np.uint8) for _ in range(2))
        cv2.fillConvexPoly(on_top, roof - low, 1)
        cv2.fillConvexPoly(body, hull - low, 1)
        top = roofs[part][on_top > 0]
        side = to_srgb(SIDE_LIGHT * to_linear(np.median(top, axis=0).astype(np.uint8)[None, None]))[
            0, 0
        ]
        picture[part][body > 0] = side
        picture[part][on_top > 0] = top
    return picture
