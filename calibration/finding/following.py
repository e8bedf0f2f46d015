"""Follows a board from frame to frame, by patches of an anchor frame.

Some fifty small patches of the frame in which the board was found are matched in each later frame,
near their expected places. Patches under hands and new trains do not match; the others agree on the
pose. Errors do not add up, since every frame is compared with the anchor frame: that in which the
board was found, or after a long way a later one.
"""

from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np

from ..arrays import Float64s, GreyPicture, Indices, Mask
from ..geometry import outline_mm, project
from ..pose import Pose
from ..pyramid import Pyramid, Shown, pyramid_of
from .alignment import peak_offset

# Sizes and limits; measurements are in docs/vision.md, "Following".
# Patches across and down the board: one in each cell, where it has most corners.
GRID = (10, 7)
WORKING_PX = 960  # width, about, to which frames are halved
HALF_PX = 9  # half a patch, in pixels of the halved frame
NEAR_PX = 6  # search radius of a patch in every frame
FAR_PX = 26  # search radius if too few are seen, in a frame halved once more
EVERY = 3  # every third patch is searched in a frame, the others in the next ones
LEAST_CORRELATION = 0.75
# Least share of the searched patches that are seen: a score track alone, whose fields look alike,
# fits a board that was turned upside down.
LEAST_SEEN = 0.45
LEAST_AGREEING = 8
LEAST_SHARE = 0.7  # least share of the seen patches that agree
LEAST_SPREAD = 0.5  # least spread of agreeing patches, as a share of all patches', along x and y
# Most distance of an agreeing patch, in pixels of the halved frame.
AGREE_PX = 2.0
STILL_MM = 0.6  # shift of a corner from which the board counts as nudged
# Shift of a corner from which patches, which turn with the board, are taken from a new frame.
ANCHOR_MM = 40.0
CONFIRMED_MM = 6.0  # most shift of a corner between a rough pose and its refinement
# Frames in a row without a pose from which the board counts as moved, not as covered.
MOVED_AFTER = 4


class FollowState(Enum):
    """State of a followed board."""

    HOLDS = "holds"
    NUDGED = "nudged"
    COVERED = "covered"
    MOVED = "moved"


@dataclass(frozen=True, eq=False)
class FollowResult:
    """The result of one frame."""

    hold: FollowState
    # Pose in this frame; None if too little of the board is seen.
    pose: Pose | None
    # Shift of the worst corner since the last pose; 0 if unknown.
    off_mm: float = 0.0


class Follower:
    """Follows one board that was found.

    Parameters
    ----------
    frame : Pyramid, or (H, W, 3) uint8 array, BGR
        The frame in which it was found.
    pose : Pose
    """

    def __init__(self, frame: Shown, pose: Pose) -> None:
        shown = pyramid_of(frame)
        wider = shown.size_wh[0] / WORKING_PX
        self._halvings = max(0, round(float(np.log2(wider))))
        self._pose = pose
        self._frame = self._lost = 0
        self._take_patches(shown, pose)

    def _take_patches(self, frame: Pyramid, pose: Pose) -> None:
        """Take the patches from this frame."""
        self._found = pose
        self._at_px = _corners_in_cells(frame, pose, GRID, self._halvings)
        self._near, self._far = (
            _Patches(frame, self._at_px, halvings)
            for halvings in (self._halvings, self._halvings + 1)
        )

    @property
    def pose(self) -> Pose:
        """The last pose of the board."""
        return self._pose

    def follow(self, frame: Shown) -> FollowResult:
        """Find the board in the next frame, of the same size."""
        shown = pyramid_of(frame)
        self._frame += 1
        near = self._seen_near(shown)
        if near is not None and _apart_mm(self._pose, near) <= STILL_MM:
            self._lost = 0
            return FollowResult(FollowState.HOLDS, self._pose, _apart_mm(self._pose, near))
        pose = self._refined(shown, near) or self._refined(shown, self._seen_far(shown))
        if pose is None:
            self._lost += 1
            return FollowResult(
                FollowState.MOVED if self._lost >= MOVED_AFTER else FollowState.COVERED, None
            )
        self._lost = 0
        off_mm = _apart_mm(self._pose, pose)
        self._pose = pose
        if _apart_mm(self._found, pose) > ANCHOR_MM:
            self._take_patches(shown, pose)
        return FollowResult(FollowState.NUDGED, pose, off_mm)

    def _seen_near(self, frame: Pyramid) -> Pose | None:
        """Return the pose by every third patch, searched near its place."""
        some = np.arange(len(self._at_px)) % EVERY == self._frame % EVERY
        seen, now = self._near.look(frame, self._expected(self._pose), NEAR_PX, some)
        return self._common_pose(seen, now, int(some.sum()), AGREE_PX * self._near.scale)

    def _seen_far(self, frame: Pyramid) -> Pose | None:
        """Return a rough pose by all patches, searched far around their places."""
        seen, now = self._far.look(frame, self._expected(self._pose), FAR_PX)
        return self._common_pose(seen, now, len(seen), 2 * AGREE_PX * self._far.scale)

    def _refined(self, frame: Pyramid, rough: Pose | None) -> Pose | None:
        """Return a rough pose refined by all patches near it; None if they do not agree.

        Also None if the refined pose is far from the rough one: then patches agree by chance.
        """
        if rough is None:
            return None
        seen, now = self._near.look(frame, self._expected(rough), NEAR_PX)
        pose = self._common_pose(seen, now, len(seen), AGREE_PX * self._near.scale)
        if pose is None or _apart_mm(rough, pose) > CONFIRMED_MM:
            return None
        return pose

    def _expected(self, pose: Pose) -> Float64s:
        """Return the places of the patches by a pose, (N, 2) px."""
        return pose.seen_at(self._found.on_board(self._at_px))

    def _common_pose(
        self, seen: Mask, now_px: Float64s, looked_for: int, agree_px: float
    ) -> Pose | None:
        """Return the pose that most seen patches agree on, if they are spread over the board."""
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
    """Return the distance of the worst corner between two poses, on the board."""
    corners = outline_mm(before.size_mm)
    seen = project(after.frame_from_board, corners)
    there = project(np.linalg.inv(before.frame_from_board), seen)
    return float(np.linalg.norm(there - corners, axis=1).max())


class _Patches:
    """Patches of a frame around points, at one scale."""

    def __init__(self, frame: Pyramid, at_px: Float64s, halvings: int) -> None:
        self.scale = 2**halvings
        self._halvings = halvings
        grey, at = self._grey(frame), self._small(at_px)
        self._beside = at - np.rint(at)
        self._cut = [_cut(grey, middle, HALF_PX) for middle in np.rint(at).astype(int)]

    def look(
        self, frame: Pyramid, expected_px: Float64s, reach_px: int, which: Mask | None = None
    ) -> tuple[Mask, Float64s]:
        """Match all patches, or some, around their expected places: which were seen, and where."""
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
                step = np.array(
                    [peak_offset(scores[dy], dx) + dx, peak_offset(scores[:, dx], dy) + dy]
                )
                small = middles[i] + self._beside[i] + step - reach_px
                at[i] = (small + 0.5) * self.scale - 0.5
        return seen, at

    def _grey(self, frame: Pyramid) -> GreyPicture:
        return np.asarray(cv2.cvtColor(frame.at(self._halvings), cv2.COLOR_BGR2GRAY), np.uint8)

    def _small(self, px: Float64s) -> Float64s:
        """Return points of the frame in the halved frame."""
        return np.asarray((px + 0.5) / self.scale - 0.5, np.float64)


def _corners_in_cells(frame: Pyramid, pose: Pose, grid: tuple[int, int], halvings: int) -> Float64s:
    """Return the pixel with the strongest corner in each cell over the board, (N, 2)."""
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
    """Return a square around a pixel, 2 `reach` + 1 wide; None outside of the picture."""
    column, row = int(middle[0]), int(middle[1])
    left, top, right, bottom = column - reach, row - reach, column + reach + 1, row + reach + 1
    if left < 0 or top < 0 or bottom > grey.shape[0] or right > grey.shape[1]:
        return None
    return grey[top:bottom, left:right]
