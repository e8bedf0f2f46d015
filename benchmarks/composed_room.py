"""Whether trains from several photos can lie on one board together.

Each photo shows its trains from its own side. Put together, one can come to lie in another, or to
hide the lane beside more than its own: no board looks so, or nobody could tell whose lane it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np
from composed_laid import LaidTrain
from composed_source import Source
from railspotter.calibration.arrays import Points
from railspotter.scoring.board import Board, RouteId

SHARED = 0.3
"""The share of a train's outline that another's may cover: what leans over it, and shadow."""


def outline_mm(train: LaidTrain, sources: Mapping[str, Source]) -> Points:
    """Return the corners of what is seen of a laid train, (4, 2), as if it were not turned."""
    source = sources[train.source]
    seen = source.trains[source.index[train.route, train.space]]
    return np.asarray(seen.outline_mm() + np.array(train.shift_mm))


def shared(outline: Points, others: Iterable[Points]) -> float:
    """Return how much of an outline the one of the others covers that covers most, 0 to 1.

    Examples
    --------
    >>> square = np.array([(0, 0), (2, 0), (2, 2), (0, 2)], float)
    >>> shared(square, [square + (1, 0), square + (5, 5)])
    0.5
    """
    whole = cv2.contourArea(outline.astype(np.float32))
    most = 0.0
    for other in others:
        if np.linalg.norm(outline.mean(axis=0) - other.mean(axis=0)) < 60:
            area, _ = cv2.intersectConvexConvex(
                outline.astype(np.float32), other.astype(np.float32), handleNested=True
            )
            most = max(most, float(area) / whole)
    return most


def hides_its_own(board: Board, route: RouteId, outlines: Sequence[Points]) -> bool:
    """Tell whether a route's trains hide more of its spaces than of the lane beside it."""

    def hidden(lane: RouteId) -> float:
        spaces = [_printed_mm(board, lane, i) for i in range(board.route_by_id[lane].length)]
        return sum(shared(outline, spaces) for outline in outlines)

    own = hidden(route)
    return all(own > hidden(lane) for lane in board.other_lanes.get(route, ()))


def _printed_mm(board: Board, route: RouteId, number: int) -> Points:
    space = board.route_by_id[route].spaces[number]
    corners = cv2.boxPoints((space.xy_mm, space.size_mm, space.angle_deg))
    return np.asarray(corners, np.float64)
