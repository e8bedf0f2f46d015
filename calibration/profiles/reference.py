"""Making a profile from one photo of the empty board."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Board, Route, Space

from ..arrays import Float64s, Picture
from ..board_making.looks import edges_along, worth
from ..board_making.outlines import Edges
from ..errors import OutlineError
from ..geometry import turning
from ..lenses.lens import Lens
from ..pose import Pose, rectify
from .copy_size import board_of_copy
from .features import Features, find_spread_features
from .profile import Offset, Profile

# Printings of one board differ, single routes by 6 mm, and a fold in the reference photo moves what
# lies beside it. A printed space is outlined on all four sides; the lanes between two places are
# moved together to where the outlines are, not far from how their neighbourhood moved.


# How far and how finely the print is looked for.
REACH_MM = 7.0  # printings were seen to differ by 6 mm
STEP_MM, FINE_MM = 1.0, 0.25  # at first, and around the best of these
# For each round, what a square millimetre away from the neighbourhood's offset costs, where a
# complete outline earns 1.
PULLS: tuple[float, ...] = (0.0008, 0.003, 0.003)
NEIGHBOURS = 7  # routes around one that tell how this copy is printed there


def fit_print(reference: Picture, px_per_mm: float, board: Board) -> dict[str, Offset]:
    """Return, for every route, where its print lies, less where the board file has it.

    Board millimetres. Both lanes of a double route have one offset: a lane alone would fit its
    neighbour's print as well as its own.
    """
    edges = Edges.of(reference, px_per_mm)
    pairs: dict[frozenset[str], list[Route]] = {}
    for route in board.routes:
        pairs.setdefault(frozenset((route.a, route.b)), []).append(route)
    spaces = [[space for route in routes for space in route.spaces] for routes in pairs.values()]
    middles = np.array([np.mean([one.xy_mm for one in several], axis=0) for several in spaces])
    distance = np.linalg.norm(middles[:, None] - middles[None], axis=-1)
    nearest = np.argsort(distance, axis=1)[:, :NEIGHBOURS]

    tried = _grid_mm(REACH_MM, STEP_MM)
    worths = [_worths(edges, several, tried) for several in spaces]
    best = expected = np.zeros_like(middles)
    for pull in PULLS:
        costs = pull * np.sum((tried - expected[:, None]) ** 2, axis=-1)
        best = tried[np.argmax(np.array(worths) - costs, axis=1)]
        expected = np.median(best[nearest], axis=1)
    fitted: dict[str, Offset] = {}
    for routes, several, at, near in zip(pairs.values(), spaces, best, expected, strict=True):
        tried = at + _grid_mm(STEP_MM, FINE_MM)
        costs = PULLS[-1] * np.sum((tried - near) ** 2, axis=-1)
        dx, dy = tried[np.argmax(_worths(edges, several, tried) - costs)].tolist()
        fitted |= dict.fromkeys([route.id for route in routes], (dx, dy))
    return fitted


def _grid_mm(reach_mm: float, step_mm: float) -> Float64s:
    steps = np.arange(-reach_mm, reach_mm + step_mm / 2, step_mm)
    return np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)


def _worths(edges: Edges, spaces: Sequence[Space], offsets: Float64s) -> Float64s:
    """Return how much of the outlines of spaces is there, 0 to 1, for every offset."""
    outlines = []
    for space in spaces:
        poses = np.column_stack([offsets + space.xy_mm, np.full(len(offsets), space.angle_deg)])
        outlines.append(worth(edges_along(edges, poses, space.size_mm)))
    return np.asarray(np.mean(outlines, axis=0))


# A train is then 52 x 18 pixels; finer references measured no better (docs/vision.md).
REFERENCE_PX_PER_MM = 2.0
# Features are searched at about the scale of the pictures they are looked for in: twice as many
# then agree as at the reference's own scale.
FEATURE_PX_PER_MM = 1.0
FEATURES = 2500
FEATURE_CELLS_WH = (10, 7)


def make_profile(
    photo: Picture,
    board: Board,
    corners_px: npt.ArrayLike,
    name: str,
    made_at: str,
    lens: Lens | None = None,
    scale: float | None = None,
) -> Profile:
    """Make a profile from a photo of the user's own empty board.

    Parameters
    ----------
    photo : (H, W, 3) uint8 array, BGR
    corners_px : (4, 2) array_like
        The printed board's corners in the photo: top left, top right, bottom right, bottom left.
    made_at : str
        UTC time, ISO 8601.
    lens : Lens, optional
        What bends the photo, as its pose has it: the reference is straight.
    scale : float, optional
        How much larger this copy is than the board file has it, as `copy_size.scale_of_width` has
        it; without it nobody measured.

    Raises
    ------
    OutlineError
        When the corners cross, run the wrong way round or lie outside the photo.
    """
    corners = np.asarray(corners_px, dtype=np.float64)
    check_corners(corners, photo.shape)
    board = board_of_copy(board, scale)
    pose = Pose.at_corners(corners, board.size_mm, lens)
    reference = rectify(photo, pose, REFERENCE_PX_PER_MM)
    return Profile(
        name=name,
        board=board.id,
        size_mm=board.size_mm,
        made_at=made_at,
        reference=reference,
        px_per_mm=REFERENCE_PX_PER_MM,
        features=spread_features(reference, FEATURES),
        print_offsets_mm=fit_print(reference, REFERENCE_PX_PER_MM, board),
        scale=scale,
    )


def spread_features(reference: Picture, limit: int) -> Features:
    """Return features of a reference at `REFERENCE_PX_PER_MM`, points in board millimetres."""
    shrink = FEATURE_PX_PER_MM / REFERENCE_PX_PER_MM
    small = cv2.resize(reference, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = find_spread_features(grey, limit, FEATURE_CELLS_WH)
    assert found.frames is not None  # noqa: S101
    frames = np.asarray(found.frames / [FEATURE_PX_PER_MM, 1], np.float32)
    return Features((found.points + 0.5) / FEATURE_PX_PER_MM, found.descriptors, frames)


def check_corners(corners: Float64s, shape: tuple[int, ...]) -> None:
    """Refuse corners that cannot be a board's.

    Raises
    ------
    OutlineError
        With what is wrong, in the words of the person who gave them.
    """
    height, width = shape[:2]
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise OutlineError("four corners are needed, each as x,y")
    way = turning(corners)
    if way == 0:
        raise OutlineError(
            "the corners cross or lie on one line: give them in the order top left, top"
            " right, bottom right, bottom left"
        )
    if way < 0:
        raise OutlineError(
            "the corners run the wrong way round: give them in the order top left, top"
            " right, bottom right, bottom left"
        )
    slack = 0.02 * max(height, width)
    low, high = corners.min(axis=0), corners.max(axis=0)
    if low.min() < -slack or high[0] > width + slack or high[1] > height + slack:
        raise OutlineError(
            "a corner lies outside the photo, which is {width} x {height} pixels",
            width=width,
            height=height,
        )
