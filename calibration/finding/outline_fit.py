"""Fits a board's pose to the outlines of its spaces, and tells whether it is there.

Without a known print, the places of its spaces are known: each has two long sides and two ends, and
so has a train on it. Where the board is not, one space in three matches by chance; where it is,
nearly all do.
"""

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

REACHES_MM = (10.0, 7.0, 5.0, 3.5, 3.0)  # search radius of outlines in each step
LOOKED_MM = 7.0  # search radius when the result is checked
ENDS_COUNT = 0.3  # weight of an end against a long side: an end may be the next space's
OF_REACH = 0.6  # share of the search radius from which an outline is an outlier
HELD = 0.01  # weight of the prior for no change, relative to a space's outline
IN_PLACE_MM = 2.0  # most distance of an outline from its place, to be confirmed
# Least share of confirmed spaces in the frame, and in each quarter of the board that the frame
# shows. With the board it was .69 and more, in other pictures .4 at most.
LEAST_SEEN, LEAST_OF_QUARTER = 0.6, 0.45
# Gain in confirmed spaces from which a board is moved from a person's corners.
MOVED_FOR = 0.05
FEW = 8  # least spaces of a quarter that is checked


def find_by_network(frame: Picture, board: Board) -> Pose | NotFound:
    """Find a board in a frame by the directions of its routes, whatever its print.

    Takes some seconds and is good to some 2 mm. Boards through a strong lens, or with more than a
    third cut off, are not found.
    """
    bars = Bars.of(board)
    fits = [
        _fitted(frame, Pose.at_corners(corners, board.size_mm), bars)
        for corners in corners_by_network(frame, board)
    ]
    best = max(fits, key=lambda fit: fit.pose.agreement, default=None)
    if best is None or not _is_there(best):
        return NotFound(NOWHERE)
    return best.pose


def align_at_corners(frame: Picture, given: Pose, board: Board) -> Pose:
    """Return the pose of a board by a person's corners, refined by the outlines of its spaces.

    It is not moved if the outlines are not seen well enough, or fit as well at the given corners.
    """
    if not board.routes:
        return given
    bars = Bars.of(board)
    as_given, fit = _checked(frame, given, bars), _fitted(frame, given, bars)
    gained = fit.pose.agreement - as_given.pose.agreement
    return fit.pose if _is_there(fit) and gained > MOVED_FOR else as_given.pose


def _fitted(frame: Picture, pose: Pose, bars: Bars) -> Alignment:
    """Return the alignment near a pose in which most spaces have their outlines."""
    for reach_mm in REACHES_MM:
        off_mm, weight = _off_mm(frame, pose, bars, reach_mm)
        moved = pose.frame_from_board @ _common_move(bars, off_mm, weight, OF_REACH * reach_mm)
        pose = replace(pose, frame_from_board=moved / moved[2, 2])
    return _checked(frame, pose, bars)


def _checked(frame: Picture, pose: Pose, bars: Bars) -> Alignment:
    """Return a pose as an alignment, with the share of confirmed spaces as its agreement."""
    off_mm, _ = _off_mm(frame, pose, bars, LOOKED_MM)
    is_in = pose.is_in_frame(bars.xy_mm, (frame.shape[1], frame.shape[0]))
    agrees = np.asarray((abs(off_mm[:, 0]) <= IN_PLACE_MM) & is_in)
    share = float(agrees.sum() / max(1, is_in.sum()))
    shift = off_mm[:, :1] * bars.across
    return Alignment(replace(pose, agreement=share), bars.xy_mm, shift, agrees, is_in)


def _is_there(fit: Alignment) -> bool:
    """Tell whether enough spaces are confirmed, also in each quarter of the board in the frame."""
    if fit.pose.agreement < LEAST_SEEN or fit.in_frame.mean() < LEAST_SEEN:
        return False
    right, below = (fit.at_mm > np.array(fit.pose.size_mm) / 2).T
    quarters = [(right == x) & (below == y) & fit.in_frame for x in (0, 1) for y in (0, 1)]
    shares = [fit.agrees[part].mean() for part in quarters if part.sum() >= FEW]
    return min(shares, default=0.0) >= LEAST_OF_QUARTER


def _off_mm(frame: Picture, pose: Pose, bars: Bars, reach_mm: float) -> tuple[Float64s, Float64s]:
    """Return the offset of each space's outline across and along it, (N, 2), and their weights."""
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
    """Return the homography, from the board to itself, that moves most outlines into place."""
    middle, half = np.array(bars.board_mm) / 2, max(bars.board_mm) / 2
    x, y = ((bars.xy_mm - middle) / half).T
    none, one = np.zeros_like(x), np.ones_like(x)
    of_x = np.column_stack([x, y, one, none, none, none, -x * x, -x * y])
    of_y = np.column_stack([none, none, none, x, y, one, -x * y, -y * y])
    terms = np.vstack([way[:, :1] * of_x + way[:, 1:] * of_y for way in (bars.across, bars.along)])
    off, counts = off_mm.T.ravel(), weight.T.ravel()
    prior = HELD * counts.mean() * np.eye(8)
    weighed = counts
    for _ in range(8):
        known = (terms * weighed[:, None]).T
        move = np.linalg.solve(known @ terms + prior, known @ off)
        left = (off - terms @ move) / other_mm
        weighed = counts * np.maximum(0, 1 - left * left) ** 2
    a, b, c, d, e, f, g, h = move / half
    moved = np.array([[1 + a, b, c], [d, 1 + e, f], [g, h, 1]])
    to_unit = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, half]]) / half
    return np.asarray(np.linalg.inv(to_unit) @ moved @ to_unit, np.float64)
