"""Corners that a person pointed at, moved onto the printed board's edge.

A finger or a mouse is off by a percent of the picture; a board's edge is a line all along its
side. Each side is looked for near where the person has it, as the line that the most places along
it speak for. Where another line speaks as loudly (a chequered cloth, a table's edge beside the
board's) nobody knows which is the board's, and the person's corner stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..arrays import Float32s, Float64s, Mask, Picture
from ..geometry import turning

# When an edge counts; chosen on the photos of benchmarks/results/finding-boards.md.
# The picture is brought down to this: finer detail is the print's, not its edge's.
LONGER_SIDE_PX = 1200
# How far beside a side its edge is looked for, as a share of the longer side: a corner that is
# off by 1.5 %, and what the other corner adds.
REACH = 0.024
PLACES = 96  # along a side, where it is looked for
# Part of a side that is looked at: its corners may lie beside the board's.
ALONG = (0.03, 0.97)
SIGMA_PX = 1.0
ACROSS_PX = 1.5  # how far to both sides of a line colours are compared
# Difference of colour (Lab, 0 to 255) beyond which an edge is one, however strong: few strong
# ones must not outdo many.
ENOUGH = 45.0
# How far a side may bulge in its middle, by a lens or a fold.
BULGES_PX: tuple[float, ...] = (-4.0, -2.0, 0.0, 2.0, 4.0)
BULGE_COST = 0.01  # what a pixel of bulge must gain
# What an edge at the end of the reach must have more than one where the person has it: he is
# nearly right more often.
FAR_COST = 0.1
LEAST = 0.3  # share of the places that must speak for an edge, strong ones counted whole
MOST_RIVAL = 0.8  # how much of that another line may have, further inside
# The same further outside: prints have lines of their own, some clearer than the edge.
MOST_RIVAL_OUTSIDE = 0.6
APART_PX = 5.0  # distance from it beyond which a line is another one
# Share of what lies within reach outside of a line that must be in the picture: where it is
# not, as in a picture cut out along the board, the edge may be there.
LEAST_BEYOND = 0.6
# Distance from the line that was voted for, within which the edge is in the end.
NEAR_PX = 3.0


@dataclass(frozen=True, eq=False)
class _Side:
    """One side's edge: its ends beside the given corners, and whether it is clear."""

    start_px: Float64s
    end_px: Float64s
    is_clear: bool


def snap_corners(frame: Picture, corners_px: npt.ArrayLike) -> Float64s:
    """Return roughly given corners, (4, 2), on the board's edge where both sides are clear."""
    given = np.asarray(corners_px, np.float64)
    if turning(given) <= 0:  # whoever uses them says what is wrong
        return given
    shrunk = min(1.0, LONGER_SIDE_PX / max(frame.shape[:2]))
    small = frame
    if shrunk < 1:
        resized = cv2.resize(frame, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
        small = np.asarray(resized, np.uint8)
    blurred = cv2.GaussianBlur(small, (0, 0), SIGMA_PX)
    lab = np.asarray(cv2.cvtColor(blurred, cv2.COLOR_BGR2LAB), np.float32)
    rough = (given + 0.5) * shrunk - 0.5
    sides = [_edge_along(lab, rough[i], rough[(i + 1) % 4]) for i in range(4)]
    corners, snapped = rough.copy(), given.copy()
    for i in range(4):
        before, after = sides[i - 1], sides[i]
        crossing = _crossing(before, after)
        most_px = 1.5 * REACH * max(small.shape[:2])
        is_near = crossing is not None and np.hypot(*(crossing - rough[i])) < most_px
        if crossing is not None and before.is_clear and after.is_clear and is_near:
            corners[i], snapped[i] = crossing, (crossing + 0.5) / shrunk - 0.5
    return snapped if turning(corners) > 0 else given


def _edge_along(lab: Float32s, start: Float64s, end: Float64s) -> _Side:
    """Find the edge near one side."""
    along = (end - start) / np.hypot(*(end - start))
    outward = np.array([along[1], -along[0]])
    reach = REACH * max(lab.shape[:2])
    offsets = np.arange(-reach, reach + 0.5)
    places = np.linspace(*ALONG, PLACES)
    difference, is_inside = _difference(lab, start, end, outward, offsets, places)
    votes = _votes(np.minimum(difference / ENOUGH, 1), places)
    # By how far the line is off at the side's two ends.
    off = (offsets[:, None] + offsets[None, :]) / 2
    votes = votes - FAR_COST * (np.abs(offsets)[:, None] + np.abs(offsets)[None, :]) / 2 / reach
    first, last = np.unravel_index(int(votes.argmax()), votes.shape)
    best = float(votes[first, last])
    is_peak = votes >= cv2.dilate(votes, np.ones((3, 3), np.uint8)) - 1e-6
    apart = off - off[first, last]
    rivals = (
        float(votes[is_peak & is_other].max(initial=0.0)) / most
        for is_other, most in (
            (apart < -APART_PX, MOST_RIVAL),
            (apart > APART_PX, MOST_RIVAL_OUTSIDE),
        )
    )
    line = offsets[first] * (1 - places) + offsets[last] * places
    beyond = is_inside[offsets[None, :] > line[:, None]]
    at_start, at_end = _refined(difference, offsets, places, line)
    return _Side(
        start + outward * at_start,
        end + outward * at_end,
        best >= LEAST
        and max(rivals) < best
        and beyond.size > 0
        and bool(beyond.mean() >= LEAST_BEYOND),
    )


def _refined(
    difference: Float32s,
    offsets: Float64s,
    places: Float64s,
    line: Float64s,
) -> tuple[float, float]:
    """Return the line to a fraction of a pixel, as its offset at the start and at the end.

    At every place the edge is where differences near the line have their middle; a straight line
    and a bulge are fitted to those.
    """
    near = np.abs(offsets[None, :] - line[:, None]) <= NEAR_PX
    weight = np.where(near, difference, 0).astype(np.float64) ** 2
    total = weight.sum(axis=1)
    middle = (weight * offsets).sum(axis=1) / np.maximum(total, 1e-9)
    terms = np.column_stack([1 - places, places, 4 * places * (1 - places)])
    # Strong places count more, but none for more than another that is clear.
    share = np.sqrt(np.minimum(total, ENOUGH**2))[:, None]
    (start, end, _), *_ = np.linalg.lstsq(terms * share, middle * share[:, 0], rcond=None)
    return float(start), float(end)


def _difference(
    lab: Float32s,
    start: Float64s,
    end: Float64s,
    outward: Float64s,
    offsets: Float64s,
    places: Float64s,
) -> tuple[Float32s, Mask]:
    """Return how colours differ across every place and offset, and whether the picture has it.

    Both are (places, offsets).
    """
    height, width = lab.shape[:2]
    on_side = start + (end - start) * places[:, None]
    points = on_side[:, None] + offsets[None, :, None] * outward

    def colours(beside_px: float) -> Float32s:
        at = (points + beside_px * outward).astype(np.float32)
        seen = cv2.remap(lab, at[..., 0], at[..., 1], cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.float32)

    difference = np.linalg.norm(colours(ACROSS_PX) - colours(-ACROSS_PX), axis=-1)
    is_inside = np.all((points >= 1) & (points <= (width - 2, height - 2)), axis=-1)
    return np.asarray(np.where(is_inside, difference, 0.0), np.float32), np.asarray(is_inside)


def _votes(strength: Float32s, places: Float64s) -> Float32s:
    """Return what speaks for each line, by its offset at the start and at the end.

    A Hough transform of lines through a narrow strip, the best bulge counted: O(offsets^2 places
    bulges).
    """
    count = strength.shape[1]
    first, last = np.meshgrid(np.arange(count), np.arange(count), indexing="ij")
    votes = np.zeros((len(BULGES_PX), count, count), np.float32)
    for place, row in zip(places, strength, strict=True):
        straight = first * (1 - place) + last * place
        for number, bulge in enumerate(BULGES_PX):
            at = np.rint(straight + bulge * 4 * place * (1 - place)).astype(np.intp)
            is_there = (at >= 0) & (at < count)
            votes[number] += np.where(is_there, row[np.clip(at, 0, count - 1)], 0)
    cost = BULGE_COST * np.abs(np.array(BULGES_PX, np.float32))
    return np.asarray((votes / len(places) - cost[:, None, None]).max(axis=0), np.float32)


def _crossing(one: _Side, other: _Side) -> Float64s | None:
    """Return where two sides' edges meet."""
    first, second = (
        np.cross(np.append(side.start_px, 1.0), np.append(side.end_px, 1.0))
        for side in (one, other)
    )
    x, y, w = np.cross(first, second).tolist()
    return np.array([x / w, y / w]) if abs(w) > 1e-12 else None
