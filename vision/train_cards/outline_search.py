"""Where outlines of a known size could lie: edges that stand where four sides would be."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Picture

STEP_DEG = 3.75
"""Between two directions that are tried; a side's end is off by 1.6 % of it at most."""
SIDE_SHARE = 0.84
"""Share of a side that is straight; the rest are round corners."""
LOOSE = 0.035
"""How far a side may be from its place, as a share of the long side."""
CLEAR = 6.0
"""Steps of CIE Lab (8 bits) a pixel that make a clear edge; what is less counts by its share."""
LEAST = 0.3
"""Mean clearness of four sides from which on a place is looked at."""
MOST_PLACES = 400


@dataclass(frozen=True, eq=False)
class EdgeVectors:
    """Edges of a picture as vectors of at most length 1.

    Attributes
    ----------
    right, down : (H, W, 3) float32 array
        How lightness, red-green and yellow-blue change along x and y.
    """

    right: Float32s
    down: Float32s


def edges_of(picture: Picture) -> EdgeVectors:
    """Return a picture's edges, all clear ones alike."""
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2Lab)
    right = np.asarray(cv2.Sobel(lab, cv2.CV_32F, 1, 0, scale=0.25), np.float32)
    down = np.asarray(cv2.Sobel(lab, cv2.CV_32F, 0, 1, scale=0.25), np.float32)
    steep = cv2.magnitude(_length(right), _length(down))
    # On a rough cloth only what is steeper than the cloth is clear.
    clear = max(CLEAR, 2.0 * float(np.median(steep[::3, ::3])))
    share = cv2.merge([1 / np.maximum(steep, np.float32(clear))] * 3)
    scaled = (np.asarray(cv2.multiply(way, share), np.float32) for way in (right, down))
    return EdgeVectors(*scaled)


def search_outlines(picture: Picture, long: float, short: float) -> Float64s:
    """Return places where a card could lie, the clearest first.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR
        The table from above.
    long, short : float
        A card's sides in its pixels.

    Returns
    -------
    (N, 4) float64 array
        Middle x, y; direction of the long side, clockwise from +x, 0 to 180 degrees; clearness.
    """
    height, width = picture.shape[:2]
    side = int(np.ceil(np.hypot(height, width))) + 2
    found = []
    for turn in np.arange(0.0, 90.0, STEP_DEG):
        turned_from = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
        turned_from[:, 2] = turned_from[:, 2] + (side - np.array([width, height])) / 2
        turned = cv2.warpAffine(
            picture,
            turned_from,
            (side, side),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        edges = edges_of(np.asarray(turned, np.uint8))
        for along, across, more in ((long, short, 0.0), (short, long, 90.0)):
            clearness = _clearness(edges, along, across)
            spots = _peaks(clearness, short)
            back = cv2.invertAffineTransform(turned_from)
            at = spots[:, :2] @ back[:, :2].T + back[:, 2]
            found.append(np.column_stack([at, np.full(len(at), turn + more), spots[:, 2]]))
    places = np.concatenate(found)
    inside = ((places[:, :2] >= 0) & (places[:, :2] < (width, height))).all(axis=1)
    places = places[inside]
    return places[np.argsort(-places[:, 3])[:MOST_PLACES]]


def _clearness(edges: EdgeVectors, along: float, across: float) -> Float32s:
    """Return, for every pixel as middle, how clear the four sides are: their mean."""
    loose = 2 * max(1, round(LOOSE * max(along, across))) + 1
    flat = _line(edges.down, (max(3, round(SIDE_SHARE * along)), 1), (1, loose))
    upright = _line(edges.right, (1, max(3, round(SIDE_SHARE * across))), (loose, 1))
    dx, dy = round(along / 2), round(across / 2)
    total = (
        _moved(flat, 0, dy)
        + _moved(flat, 0, -dy)
        + _moved(upright, dx, 0)
        + _moved(upright, -dx, 0)
    )
    return np.asarray(total / 4, np.float32)


def _line(edges: Float32s, size_wh: tuple[int, int], loose_wh: tuple[int, int]) -> Float32s:
    """Return how clear a side is at its best place nearby; edges that differ in sign cancel out."""
    mean = np.asarray(cv2.blur(edges, size_wh), np.float32)
    return np.asarray(cv2.dilate(_length(mean), np.ones(loose_wh[::-1], np.uint8)), np.float32)


def _moved(values: Float32s, dx: int, dy: int) -> Float32s:
    """Return the values that stand so far right and down of every pixel."""
    height, width = values.shape
    moved = np.zeros_like(values)
    if abs(dx) < width and abs(dy) < height:
        moved[max(0, -dy) : height - max(0, dy), max(0, -dx) : width - max(0, dx)] = values[
            max(0, dy) : height - max(0, -dy), max(0, dx) : width - max(0, -dx)
        ]
    return moved


def _length(vectors: Float32s) -> Float32s:
    squares = cv2.transform(cv2.multiply(vectors, vectors), np.ones((1, 3), np.float32))
    return np.asarray(cv2.sqrt(squares), np.float32)


def _peaks(clearness: Float32s, short: float) -> Float32s:
    reach = 2 * max(1, round(0.12 * short)) + 1
    highest = cv2.dilate(clearness, np.ones((reach, reach), np.uint8))
    rows, columns = np.nonzero((clearness >= highest) & (clearness > LEAST))
    return np.column_stack([columns, rows, clearness[rows, columns]]).astype(np.float32)
