"""Laying a board exactly over a picture by the outlines of its spaces, and whether it lies there.

Where the print is not known its places are: every space has two long sides and two ends. A train
that stands on it has them too. A board that is not in the picture has them where something else
happens to run, one space in three; a board that is there nearly everywhere.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from railspotter.scoring.board import Board

from ..arrays import Float64s, Picture
from ..board_making.looks import moved
from ..board_making.outlines import Edges
from ..board_making.printed_spaces import WORK_PX_PER_MM
from ..pose import NotFound, Pose, rectify
from ..profiles.reference import STEP_MM
from .alignment import Alignment
from .finder import NOWHERE
from .network import Bars, corners_by_network

REACHES_MM = (10.0, 7.0, 5.0, 3.5, 3.0)  # how far from its place each is, step by step
LOOKED_MM = 7.0  # ... and when it is asked whether it lies there
ENDS_COUNT = 0.3  # an end beside a long side: where spaces lie end to end, it is the next one's too
OF_REACH = 0.6  # share of the reach beyond which an outline is another thing's
HELD = 0.01  # how much no change at all counts beside a space's outline
IN_PLACE_MM = 2.0  # from its place a space's outline lies at most, to be there
# Share of the spaces in the frame whose outlines must be in place, and of those in each quarter of
# the board of which the frame shows any. Of boards that are there it was .69 and more, of other
# pictures .4 at most.
LEAST_SEEN, LEAST_OF_QUARTER = 0.6, 0.45
# Share of the spaces that must come into place before a board is moved from where a person has it.
MOVED_FOR = 0.05
FEW = 8  # spaces of a quarter that say nothing


def find_by_network(frame: Picture, board: Board) -> Alignment | NotFound:
    """Find a board in a frame by where its routes run, whatever its print looks like.

    It takes some seconds. Good to some 2 mm; through a strong lens, or of a board that is cut off
    by more than a third, it is not found.
    """
    bars = Bars.of(board)
    fits = [
        _laid_over(frame, Pose.at_corners(corners, board.size_mm), bars)
        for corners in corners_by_network(frame, board)
    ]
    best = max(fits, key=lambda fit: fit.pose.agreement, default=None)
    if best is None or not _is_there(best):
        return NotFound(NOWHERE)
    return best


def align_at_corners(frame: Picture, given: Pose, board: Board) -> Alignment:
    """Return the pose of a board whose corners a person gave, moved to where its spaces are.

    Where they are not seen well enough to say, or lie as well where the person has the board, it
    stays there.
    """
    if not board.routes:
        none = np.zeros((0, 2))
        return Alignment(given, none, none, np.zeros(0, bool), np.zeros(0, bool))
    bars = Bars.of(board)
    as_given, fit = _judged(frame, given, bars), _laid_over(frame, given, bars)
    gained = fit.pose.agreement - as_given.pose.agreement
    return fit if _is_there(fit) and gained > MOVED_FOR else as_given


def _laid_over(frame: Picture, pose: Pose, bars: Bars) -> Alignment:
    """Return the pose near another one in which most spaces have their outlines."""
    for reach_mm in REACHES_MM:
        off_mm, weight = _off_mm(frame, pose, bars, reach_mm)
        moved = pose.frame_from_board @ _common_move(bars, off_mm, weight, OF_REACH * reach_mm)
        pose = replace(pose, frame_from_board=moved / moved[2, 2])
    return _judged(frame, pose, bars)


def _judged(frame: Picture, pose: Pose, bars: Bars) -> Alignment:
    """Return a pose with the share of the spaces in the frame that have their outlines there."""
    off_mm, _ = _off_mm(frame, pose, bars, LOOKED_MM)
    is_in = pose.is_in_frame(bars.xy_mm, (frame.shape[1], frame.shape[0]))
    agrees = np.asarray((abs(off_mm[:, 0]) <= IN_PLACE_MM) & is_in)
    share = float(agrees.sum() / max(1, is_in.sum()))
    shift = off_mm[:, :1] * bars.across
    return Alignment(replace(pose, agreement=share), bars.xy_mm, shift, agrees, is_in)


def _is_there(fit: Alignment) -> bool:
    """Tell whether spaces are seen all over what is in the frame."""
    if fit.pose.agreement < LEAST_SEEN or fit.in_frame.mean() < LEAST_SEEN:
        return False
    right, below = (fit.at_mm > np.array(fit.pose.size_mm) / 2).T
    quarters = [(right == x) & (below == y) & fit.in_frame for x in (0, 1) for y in (0, 1)]
    shares = [fit.agrees[part].mean() for part in quarters if part.sum() >= FEW]
    return min(shares, default=0.0) >= LEAST_OF_QUARTER


def _off_mm(frame: Picture, pose: Pose, bars: Bars, reach_mm: float) -> tuple[Float64s, Float64s]:
    """Return how far across and along each space its outline lies, (N, 2), and what that counts."""
    edges = Edges.of(rectify(frame, pose, WORK_PX_PER_MM), WORK_PX_PER_MM)
    steps = np.arange(-reach_mm, reach_mm + STEP_MM / 2, STEP_MM)
    poses = np.column_stack([bars.xy_mm, np.degrees(np.arctan2(*bars.along.T[::-1]))])
    off, weight = [], []
    for way, of_way in (((0.0, 1.0), slice(0, 2)), ((1.0, 0.0), slice(2, 4))):
        tried = [moved(poses, 0.0, *np.multiply(way, step)) for step in steps]
        sides = [edges.along_sides(there, bars.size_mm)[:, of_way].T for there in tried]
        # A side may be bent by a step.
        one, other = (cv2.dilate(side, np.ones((1, 3))) for side in np.stack(sides, axis=-1))
        both = 0.5 * np.minimum(one, other) + 0.25 * (one + other)
        off.append(steps[both.argmax(axis=1)])
        weight.append(both.max(axis=1) - np.median(both, axis=1) + 1e-4)
    weight[1] *= ENDS_COUNT
    return np.column_stack(off), np.column_stack(weight)


def _common_move(bars: Bars, off_mm: Float64s, weight: Float64s, other_mm: float) -> Float64s:
    """Return the homography, from the board to itself, that brings most outlines into place."""
    middle, half = np.array(bars.board_mm) / 2, max(bars.board_mm) / 2
    x, y = ((bars.xy_mm - middle) / half).T
    none, one = np.zeros_like(x), np.ones_like(x)
    of_x = np.column_stack([x, y, one, none, none, none, -x * x, -x * y])
    of_y = np.column_stack([none, none, none, x, y, one, -x * y, -y * y])
    terms = np.vstack([way[:, :1] * of_x + way[:, 1:] * of_y for way in (bars.across, bars.along)])
    off, counts = off_mm.T.ravel(), weight.T.ravel()
    held = HELD * counts.mean() * np.eye(8)
    weighed = counts
    for _ in range(8):
        known = (terms * weighed[:, None]).T
        move = np.linalg.solve(known @ terms + held, known @ off)
        left = (off - terms @ move) / other_mm
        weighed = counts * np.maximum(0, 1 - left * left) ** 2
    a, b, c, d, e, f, g, h = move / half
    moved = np.array([[1 + a, b, c], [d, 1 + e, f], [g, h, 1]])
    to_unit = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, half]]) / half
    return np.asarray(np.linalg.inv(to_unit) @ moved @ to_unit, np.float64)
