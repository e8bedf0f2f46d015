"""Spaces that people are asked to lay trains on: which ones, and a picture that shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.profiles import SpaceKey, space_keys

from ..colours import TrainColour
from ..printed import PrintedBoard
from .annotate import annotate_space

FROM_EDGE_MM = 60.0
"""Spaces nearer to the board's edge are seen worse."""
ROOM_MM = 22.0
"""Ground between a space and those of other routes."""


def good_spaces(printed: PrintedBoard, trains: Sequence[TrainColour]) -> dict[str, SpaceKey]:
    """Return a space for one train of each colour: on quiet print, well apart.

    Where there is grey print that the trains do not look like, it is grey.
    """
    keys = space_keys(printed.board)
    names = [printed.board.routes[r].colour for r in printed.route_of]
    apart = np.linalg.norm(printed.xy_mm[:, None] - printed.xy_mm[None], axis=-1)
    apart[printed.route_of[:, None] == printed.route_of[None]] = np.inf
    room = apart.min(axis=1)
    height, width = (side / printed.px_per_mm for side in printed.reference.shape[:2])
    x, y = printed.xy_mm.T
    edge = np.minimum.reduce([x, y, width - x, height - y])
    usual = (edge > FROM_EDGE_MM) & (room > ROOM_MM)
    chosen: dict[str, int] = {}
    for train in trains:
        unlike = np.array([not train.resembles(name) for name in names])
        grey = unlike & np.array([name == "grey" for name in names])
        fits = next((kind for kind in (usual & grey, usual & unlike, unlike) if kind.any()), usual)
        middle = np.array([width, height]) / 2
        others = printed.xy_mm[list(chosen.values())] if chosen else middle[None]
        far = np.linalg.norm(printed.xy_mm[:, None] - others[None], axis=-1).min(axis=1)
        chosen[train.name] = int(np.argmax(np.where(fits, far, -1.0)))
    return {name: keys[space] for name, space in chosen.items()}


def mark_spaces(picture: Picture, printed: PrintedBoard, marked: Mapping[str, SpaceKey]) -> Picture:
    """Return a board from above with spaces outlined, and beside each what is to be laid there.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR
        As large as the reference.
    marked : mapping of str to space key
    """
    marks = picture.copy()
    numbers = {key: number for number, key in enumerate(space_keys(printed.board))}
    for name, key in marked.items():
        space = np.intp(numbers[key])
        annotate_space(marks, printed, space)
        (wide, high), _ = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, 0.8, 2)
        x, y = printed.xy_mm[space] * printed.px_per_mm
        left = int(np.clip(x - wide / 2, 4, marks.shape[1] - wide - 4))
        top = int(y - 18 * printed.px_per_mm)
        low = top if top - high > 4 else int(y + 18 * printed.px_per_mm) + high
        for ink, thickness in (((255, 255, 255), 6), ((0, 0, 0), 2)):
            cv2.putText(
                marks, name, (left, low), cv2.FONT_HERSHEY_SIMPLEX, 0.8, ink, thickness, cv2.LINE_AA
            )
    return marks
