"""What is seen of the trains that shape is sure of, before colour has put any train down.

A train ends beside every place, and its end, or what of it leans over the place, is of a player's
plastic as a station is. Stations are looked for before trains are put down by colour, so these ends
must be known by other means: where the net says that trains stand on a route as a whole, trains of
the route's likeliest colour show where each of them fits best. What sticks out of that, for moulds
differ and trains stand crooked, is seen by the net's map of plastic. The map alone would not do: it
may show a station or not, so it is asked only beside those trains and about their colour.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..printed.printed_board import PrintedBoard
from .placement import Placements, TrainPlacer
from .shape_look import CELL_MM, SEEN, ShapeLook, plastic_map

MOST = 8.0  # log-odds that a single space can say of its route, so that none outshouts the others
# How far plastic may stick out of where a train fits best: one of the map's cells.
BESIDE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, eq=False)
class TrainsByShape:
    """The trains on routes that are likelier covered than not, by shape alone."""

    # (H, W) uint8: as `placement.StandingTrains` has it: a route's index + 1 where its trains show,
    # else 0.
    owner: npt.NDArray[np.uint8]
    # (H, W) uint16: where the net sees plastic on trains or right beside them: bit c for those of
    # the c-th colour.
    plastic: npt.NDArray[np.uint16]


def trains_by_shape(
    printed: PrintedBoard, shape: ShapeLook, placer: TrainPlacer, alone: Placements
) -> TrainsByShape:
    """Return what is seen of the trains on routes that shape says are covered."""
    covered = printed.per_route_mean(np.clip(shape.covered, -MOST, MOST)) > 0
    likeliest = printed.per_route_mean(alone.score).argmax(axis=1)
    colour = np.where(covered, likeliest, -1)
    owner = placer.silhouettes(alone, colour)
    seen = (plastic_map(printed, shape.plastic) > SEEN).astype(np.uint8)
    of_cells = np.append(-1, colour)[_at_cells(owner, seen.shape, printed.px_per_mm)]
    plastic = np.zeros(seen.shape, np.uint16)
    for c in np.unique(colour[covered]).tolist():
        theirs = cv2.dilate((of_cells == c).astype(np.uint8), BESIDE)
        plastic |= np.asarray(theirs * seen, np.uint16) << c
    whole = cv2.resize(plastic, owner.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return TrainsByShape(owner, np.asarray(whole, np.uint16))


def _at_cells(
    owner: npt.NDArray[np.uint8], cells: tuple[int, ...], px_per_mm: float
) -> npt.NDArray[np.uint8]:
    """Return what a picture has in the middle of each cell of the map."""
    rows, columns = (
        np.minimum((np.arange(n) + 0.5) * CELL_MM * px_per_mm, side - 1).astype(int)
        for n, side in zip(cells, owner.shape, strict=True)
    )
    return owner[np.ix_(rows, columns)]
