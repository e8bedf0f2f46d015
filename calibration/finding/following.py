"""Following a board from frame to frame: whether it still lies where it was found.

Some fifty small patches of the frame in which the board was found are looked for in each later one,
near where they should be. Patches under hands and new trains do not match and have no say; what the
others agree on is how the board lies now. Little adds up: every frame is held against the one in
which the board was found, or after a long way against one to which it was followed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np

from ..arrays import Float32s, Float64s, GreyPicture, Indices, Mask
from ..geometry import outline_mm, project
from ..pose import Pose
from ..pyramid import Pyramid, Shown, pyramid_of

# Sizes and limits; docs/vision.md, "Following", has what was measured.
# Patches across and down the board: one in each cell, where it has most corners.
GRID = (10, 7)
WORKING_PX = 960  # frames are halved until they are about so wide
HALF_PX = 9  # half a patch, in such pixels
NEAR_PX = 6  # how far around its place a patch is looked for in every frame
FAR_PX = 26  # how far when too few are seen there, at half of that scale
EVERY = 3  # one of so many patches is looked for in a frame, the others in the next ones
LEAST_CORRELATION = 0.75
# Share of the patches looked for that must be seen: a score track alone, of fields that all
# look alike, fits a board that was turned upside down.
LEAST_SEEN = 0.45
LEAST_AGREEING = 8
LEAST_SHARE = 0.7  # share of the patches seen that must agree
LEAST_SPREAD = 0.5  # share of what is in the frame, either way, over which they must be spread
# Distance within which a patch agrees with all others, in pixels as they are looked at.
AGREE_PX = 2.0
STILL_MM = 0.6  # how far corners may stray before the board counts as nudged
# How far corners may move before patches, which turn with the board, are taken anew.
ANCHOR_MM = 40.0
CONFIRMED_MM = 6.0  # how far corners may move when a rough pose is looked at closely
# Frames in a row without a pose, after which the board is taken for moved, not for covered.
MOVED_AFTER = 4


class FollowState(Enum):
    """How a board lies in a frame against where it was."""

    HOLDS = "holds"
    NUDGED = "nudged"
    COVERED = "covered"
    MOVED = "moved"


@dataclass(frozen=True, eq=False)
class FollowResult:
    """What one frame says."""

    hold: FollowState
    # Where the board is in this frame; None where too little of it is seen to say.
    pose: Pose | None
    # How far the worst corner is from where it was before, 0 where nobody knows.
    off_mm: float = 0.0


class Follower:
    """Follows one board that was found.

    Parameters
    ----------
    frame : Pyramid, or (H, W, 3) uint8 array, BGR
        In which it was found.
    pose : Pose
    """

    def __init__(self, frame: Shown, pose: Pose) -> None:
        shown = pyramid_of(frame)
        wider = shown.size_wh[0] / WORKING_PX
        self._halvings = max(0, round(float(np.log2(wider))))
        self._pose = pose
        self._frame = self._lost = 0
        self._anchor(shown, pose)

    def _anchor(self, frame: Pyramid, pose: Pose) -> None:
        """Take the patches out of this frame."""
        self._found = pose
        self._at_px = _corners_in_cells(frame, pose, GRID, self._halvings)
        self._near, self._far = (
            _Patches(frame, self._at_px, halvings)
            for halvings in (self._halvings, self._halvings + 1)
        )

    @property
    def pose(self) -> Pose:
        """Where the board was seen last."""
        return self._pose

    def follow(self, frame: Shown) -> FollowResult:
        """Look for the board in the next frame, of the same size."""
        shown = pyramid_of(frame)
        self._frame += 1
        near = self._seen_near(shown)
        if near is not None and _apart_mm(self._pose, near) <= STILL_MM:
            self._lost = 0
            return FollowResult(FollowState.HOLDS, self._pose, _apart_mm(self._pose, near))
        pose = self._confirmed(shown, near) or self._confirmed(shown, self._seen_far(shown))
        if pose is None:
            self._lost += 1
            return FollowResult(
                FollowState.MOVED if self._lost >= MOVED_AFTER else FollowState.COVERED, None
            )
        self._lost = 0
        off_mm = _apart_mm(self._pose, pose)
        self._pose = pose
        if _apart_mm(self._found, pose) > ANCHOR_MM:
            self._anchor(shown, pose)
        return FollowResult(FollowState.NUDGED, pose, off_mm)

    def _seen_near(self, frame: Pyramid) -> Pose | None:
        """Return the pose by some of the patches, each near its place."""
        some = np.arange(len(self._at_px)) % EVERY == self._frame % EVERY
        seen, now = self._near.look(frame, self._expected(self._pose), NEAR_PX, some)
        return self._agreed(seen, now, int(some.sum()), AGREE_PX * self._near.scale)

    def _seen_far(self, frame: Pyramid) -> Pose | None:
        """Return the pose by all patches, each far around its place, roughly."""
        seen, now = self._far.look(frame, self._expected(self._pose), FAR_PX)
        return self._agreed(seen, now, len(seen), 2 * AGREE_PX * self._far.scale)

    def _confirmed(self, frame: Pyramid, rough: Pose | None) -> Pose | None:
        """Return a pose as all patches near where it has them agree on it; None where they do not.

        What comes out may not be far from what went in: else the patches agreed by chance.
        """
        if rough is None:
            return None
        seen, now = self._near.look(frame, self._expected(rough), NEAR_PX)
        pose = self._agreed(seen, now, len(seen), AGREE_PX * self._near.scale)
        if pose is None or _apart_mm(rough, pose) > CONFIRMED_MM:
            return None
        return pose

    def _expected(self, pose: Pose) -> Float64s:
        """Return where the patches are by a pose, (N, 2)."""
        return pose.seen_at(self._found.on_board(self._at_px))

    def _agreed(
        self, seen: Mask, now_px: Float64s, looked_for: int, agree_px: float
    ) -> Pose | None:
        """Return the pose that most of the patches seen agree on, if they lie all over it."""
        count = np.count_nonzero(seen)
        if count < max(LEAST_SEEN * looked_for, LEAST_AGREEING):
            return None
        before, after = self._straight(self._at_px[seen]), self._straight(now_px[seen])
        motion, agrees = cv2.findHomography(before, after, cv2.USAC_MAGSAC, agree_px)
        if motion is None:
            return None
        agreeing = self._found.on_board(self._at_px[seen])[agrees.ravel() > 0]
        if len(agreeing) < max(LEAST_AGREEING, LEAST_SHARE * count):
            return None
        spread = np.ptp(self._found.on_board(self._at_px), axis=0)
        if np.any(np.ptp(agreeing, axis=0) < LEAST_SPREAD * spread):
            return None
        return replace(self._found, frame_from_board=motion @ self._found.frame_from_board)

    def _straight(self, px: Float64s) -> Float64s:
        return px if self._found.lens is None else self._found.lens.straightened(px)


def _apart_mm(before: Pose, after: Pose) -> float:
    """Return how far the worst corner of one pose is from the other's, on the board."""
    corners = outline_mm(before.size_mm)
    seen = project(after.frame_from_board, corners)
    there = project(np.linalg.inv(before.frame_from_board), seen)
    return float(np.linalg.norm(there - corners, axis=1).max())


class _Patches:
    """Small squares of a frame around some of its points, at one of its sizes."""

    def __init__(self, frame: Pyramid, at_px: Float64s, halvings: int) -> None:
        self.scale = 2**halvings
        self._halvings = halvings
        grey, at = self._grey(frame), self._small(at_px)
        self._beside = at - np.rint(at)
        self._cut = [_cut(grey, middle, HALF_PX) for middle in np.rint(at).astype(int)]

    def look(
        self, frame: Pyramid, expected_px: Float64s, reach_px: int, which: Mask | None = None
    ) -> tuple[Mask, Float64s]:
        """Look for patches around where they are expected, for all or for some."""
        grey = self._grey(frame)
        middles = np.rint(self._small(expected_px) - self._beside).astype(int)
        seen, at = np.zeros(len(middles), dtype=bool), np.array(expected_px)
        for i in range(len(middles)) if which is None else np.flatnonzero(which):
            patch, window = self._cut[i], _cut(grey, middles[i], HALF_PX + reach_px)
            if patch is None or window is None:
                continue
            scores = np.asarray(cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED), np.float32)
            _, best, _, (dx, dy) = cv2.minMaxLoc(scores)
            is_inside = 0 < dx < 2 * reach_px and 0 < dy < 2 * reach_px
            if is_inside and LEAST_CORRELATION <= best <= 1.01:
                seen[i] = True
                step = np.array([_top(scores[dy], dx) + dx, _top(scores[:, dx], dy) + dy])
                small = middles[i] + self._beside[i] + step - reach_px
                at[i] = (small + 0.5) * self.scale - 0.5
        return seen, at

    def _grey(self, frame: Pyramid) -> GreyPicture:
        return np.asarray(cv2.cvtColor(frame.at(self._halvings), cv2.COLOR_BGR2GRAY), np.uint8)

    def _small(self, px: Float64s) -> Float64s:
        """Return where points of the whole frame are in the halved one."""
        return np.asarray((px + 0.5) / self.scale - 0.5, np.float64)


def _corners_in_cells(frame: Pyramid, pose: Pose, grid: tuple[int, int], halvings: int) -> Float64s:
    """Return, for each cell of a grid over the board, the pixel with most corners, (N, 2)."""
    grey = cv2.cvtColor(frame.at(halvings), cv2.COLOR_BGR2GRAY)
    height, width = grey.shape
    cornered = cv2.blur(cv2.cornerMinEigenVal(grey, 3), (9, 9))
    across, down = grid
    x = (np.arange(across * 8) + 0.5) / (across * 8) * pose.size_mm[0]
    y = (np.arange(down * 8) + 0.5) / (down * 8) * pose.size_mm[1]
    points = pose.seen_at(np.stack(np.meshgrid(x, y), axis=-1))
    column, row = np.moveaxis(np.rint(points / 2**halvings).astype(int), -1, 0)
    margin = 24
    inside = (column >= margin) & (column < width - margin)
    inside &= (row >= margin) & (row < height - margin)
    value = np.where(
        inside, cornered[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)], -1.0
    )
    best = []
    for top in range(0, down * 8, 8):
        for left in range(0, across * 8, 8):
            cell = value[top : top + 8, left : left + 8]
            r, c = np.unravel_index(np.argmax(cell), cell.shape)
            if cell[r, c] > 0:
                best.append(points[top + r, left + c])
    return np.rint(np.array(best, np.float64).reshape(-1, 2))


def _cut(grey: GreyPicture, middle: Indices, reach: int) -> GreyPicture | None:
    """Return a square around a pixel, 2 `reach` + 1 wide; None beyond the picture."""
    column, row = int(middle[0]), int(middle[1])
    left, top, right, bottom = column - reach, row - reach, column + reach + 1, row + reach + 1
    if left < 0 or top < 0 or bottom > grey.shape[0] or right > grey.shape[1]:
        return None
    return grey[top:bottom, left:right]


def _top(scores: Float32s, at: int) -> float:
    """Return how far beside the best score the top of the parabola through its neighbours is."""
    if not 0 < at < len(scores) - 1:
        return 0.0
    left, middle, right = (float(v) for v in scores[at - 1 : at + 2])
    curvature = left - 2 * middle + right
    return 0.5 * (left - right) / curvature if curvature < -1e-6 else 0.0
