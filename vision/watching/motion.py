"""Tells which cells move, and which look different from when they were settled."""

from collections import deque

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Mask

from .glance import dilated, things_over_board

FOLLOW_S = 0.5  # interval at which settled cells follow the light
NOISES = 20  # noise is the median over so many comparisons of frames
DARK = 4.0  # offset of levels: a picture's darkest parts are not scaled by light
SAMPLED = 7  # medians over the board use every 7th cell
# Thresholds for moving or changed cells; chosen on drawn games, see docs/watching.md.
# Levels, of 255, by which a cell differs from a moment ago, or from its settled look without light.
CHANGED = 5.0
# Levels by which ground differs from its bare look where something lies: a switched lamp leaves
# smaller differences, too small for cards and cups.
STRANGE_LEVELS = 15.0
NOISE = 6.0  # least ratio of both thresholds to the frame's noise
# Least share of light in a train's shadow: the room shines into it.
SHADE = 0.5
# Most difference of that share between channels: few things are as even. In eleven drawn games both
# could be .1 more or less, with the same results.
SHADE_UNEVEN = 0.15
MEMORY_S = 0.2  # age of the oldest glance for comparison
# Most difference of a cell's log-gain from the board's median to count for the light.
UNLIT = 0.6
UNEVEN = 0.15  # the same, from its surroundings
LIGHT_CELLS = 21  # side of the square over which light is averaged
# Time for which changed ground must hold still to be settled: a cup that is put down beside the
# routes, a marker that moves on.
FORGOTTEN_S = 3.0
# Time for which ground must look different to count as bare: nobody plays with a card over a route
# for so long.
AT_HOME_S = 300.0
# Share of moving cells from which a lamp was switched: no hand is so large. An arm and its shadow
# were .7 of a New York board.
RELIT = 0.9
FLASH = 0.5  # the same if nothing moves just before and just after: no hand is so quick
FLASH_S = 0.4  # most duration of a flash, the comparison with earlier frames included
STILL = 0.002  # share of cells that moves by noise alone
CALM = 0.02  # most share of moving cells when the board is settled in new light
HAND_S = 5.0  # no hand holds still for so long
# Time constant with which settled cells follow what they show: light drifts in ways that no gain
# explains, and the rest would raise the noise and hide trains.
FOLLOWS_S = 5.0


class Motion:
    """Compares each glance with those of the last moments."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, Float32s]] = deque()
        self._noises: deque[float] = deque(maxlen=NOISES)
        self.noise = 0.0

    def forget(self) -> None:
        """Forget all glances: the next ones are of other cells."""
        self._recent.clear()

    def moving(self, cells: Float32s, at_s: float) -> Mask:
        """Return the cells that move, and store the glance."""
        while len(self._recent) > 1 and at_s - self._recent[0][0] > MEMORY_S + 1e-6:
            self._recent.popleft()
        moving = np.zeros(cells.shape[:2], np.bool_)
        if self._recent:
            # With the last and the oldest: one shows quick movements, the other slow ones.
            for _, before in {
                id(kept): kept for kept in (self._recent[-1], self._recent[0])
            }.values():
                apart = difference(cells, before)
                self._noises.append(noise_of(apart))
                # The median over frames: when a lamp is switched, most cells differ in one frame.
                self.noise = float(np.median(self._noises))
                moving |= apart > max(CHANGED, NOISE * self.noise)
        self._recent.append((at_s, cells))
        return moving


class LightSwitches:
    """Detects a switched lamp: most cells change at once, and nothing moves before or after."""

    def __init__(self) -> None:
        self._calm_s = self._before_s = -np.inf
        self._largest = 0.0

    def is_switched(self, share: float, at_s: float) -> bool:
        """Record the share of moving cells; tell whether it must be the light that changes.

        So many cells move at once, after none did, or a flash has just ended.
        """
        if share >= STILL:
            self._largest = max(self._largest, share)
            return share > RELIT and at_s - self._calm_s <= FLASH_S + 1e-9
        was_flash = self._largest >= FLASH and at_s - self._calm_s <= FLASH_S + 1e-9
        was_calm = self._calm_s - self._before_s <= FLASH_S + 1e-9
        most, self._largest = self._largest, 0.0
        self._before_s, self._calm_s = self._calm_s, at_s
        return was_flash and was_calm and most > 0


class Background:
    """The settled look of all cells, in one light.

    Ground, which are cells of no space, also has a bare look, without things on it, so that it is
    known again after a cup or a resting hand is gone.
    """

    def __init__(self, cells: Float32s, in_frame: Mask, owned: Mask) -> None:
        self._settled, self._bare = cells.copy(), cells.copy()
        self._known = in_frame.copy()
        self._owned = owned
        self._still_since_s = np.full(in_frame.shape, np.inf)
        self._strange_since_s = np.full(in_frame.shape, np.inf)
        self._strange = np.zeros(in_frame.shape, np.bool_)
        self._anew = np.zeros(in_frame.shape, np.bool_)
        self._covered = np.zeros(in_frame.shape, np.bool_)
        self._cells = self._lit = cells
        self._overall, self._gain = np.ones(3, np.float32), np.ones_like(cells)
        self._calm = in_frame
        self._is_rested = np.zeros(in_frame.shape, np.bool_)
        self._moved_s = np.full(in_frame.shape, -np.inf)
        self._followed_s = -np.inf
        self.is_due_anew = False  # whether cells for `take_anew` are calm now

    def look_anew(self, where: Mask) -> None:
        """Mark cells that look different because a lamp was switched or the board moved.

        They are settled as they look once they are calm; see `is_due_anew`.
        """
        self._anew |= where
        self._moved_s[where] = np.inf  # until the next frame, which cannot be compared yet

    def cover(self, where: Mask) -> None:
        """Mark the cells that something lies over, which are no ground in new light."""
        if not self._anew.any():
            self._covered = where

    def compare(
        self, cells: Float32s, in_frame: Mask, moving: Mask, at_s: float
    ) -> tuple[Mask, Mask]:
        """Return the cells that look different from when they were settled, and strange ground.

        Ground is strange if it does not look bare.
        """
        fresh = in_frame & ~self._known
        self._settled[fresh] = self._bare[fresh] = cells[fresh]
        self._known |= in_frame
        self._cells = cells
        self._overall, self._gain = self._gains(cells, in_frame)
        self._lit = _lit_by(cells, np.reciprocal(self._gain))
        apart = difference(self._lit, self._settled)
        limit = max(CHANGED, NOISE * noise_of(apart[in_frame]))
        self._moved_s[moving | (self._moved_s > at_s)] = at_s
        self._calm = ~moving & in_frame
        share_moving = float(moving[in_frame].mean())
        # Spots are left out: differences are blurred, and their pieces would spread to the ground.
        cv2.copyTo(self._lit, self._owned.view(np.uint8), self._bare)
        from_bare = difference(self._lit, self._bare)
        is_unlike = (apart > STRANGE_LEVELS) & (self._owned | (from_bare > STRANGE_LEVELS))
        is_calm = share_moving < CALM
        self._is_rested = (
            self._calm_anew(in_frame & is_unlike, in_frame, at_s)
            if is_calm
            else np.zeros_like(moving)
        )
        self.is_due_anew = bool(self._is_rested.any())
        strange = in_frame & ~self._owned & ~self._anew & (from_bare > max(STRANGE_LEVELS, limit))
        changed = in_frame & (apart > limit) & (self._owned | (from_bare > limit))
        self._settle_ground(changed & ~self._owned, strange, moving, at_s)
        strange |= self._anew & self._strange
        if share_moving < STILL:
            self._strange = strange
        return np.asarray(changed, np.bool_), np.asarray(strange, np.bool_)

    def settle(self, where: Mask) -> None:
        """Settle cells as they were seen last, with a new train's shadow if there is one."""
        self._settled[where] = self._lit[where]
        beside = where & ~self._owned
        self._bare[beside] = self._lit[beside]

    def strange_for(self, seconds: float, at_s: float) -> Mask:
        """Return the ground that has not looked bare for some seconds."""
        return self._strange_since_s <= at_s - seconds + 1e-9

    def take_bare(self, where: Mask) -> None:
        """Take some ground for bare as it was seen last."""
        self._bare[where] = self._lit[where]

    def take_anew(self, but: Mask) -> None:
        """Settle the cells marked by `look_anew` that are calm as they were seen last, except some.

        Those under a hand follow when it is gone.
        """
        # Hidden cells get the light of those around them. Otherwise ground would be strange for
        # minutes if a lamp was switched while something lay on it.
        self._settled = _lit_by(self._settled, self._gain)
        self._bare = _lit_by(self._bare, self._gain)
        self._lit = self._cells
        self._blend(self._is_rested & ~self._strange & ~self._covered & ~but, 1.0)
        self._anew &= ~self._is_rested
        self.is_due_anew = False

    def shaded(self) -> Mask:
        """Return the cells that look settled but for less light, as in shadows."""
        now, before = (cv2.blur(cells, (3, 3)) + DARK for cells in (self._lit, self._settled))
        left = cv2.split(cv2.divide(now, before))
        least, most = (pick(pick(left[0], left[1]), left[2]) for pick in (cv2.min, cv2.max))
        is_even = most - least < SHADE_UNEVEN
        return np.asarray((least > SHADE) & (most < 1) & is_even, np.bool_)

    def _calm_anew(self, is_unlike: Mask, in_frame: Mask, at_s: float) -> Mask:
        """Return the cells marked by `look_anew` that hold still and have no hand over them."""
        to_see = self._anew & self._calm & (at_s - self._moved_s >= MEMORY_S - 1e-9)
        if to_see.any():
            over = things_over_board(is_unlike, in_frame)
            to_see &= ~over | (at_s - self._moved_s >= HAND_S)
        return to_see

    def changed_since_relit(self, in_frame: Mask) -> Mask:
        """Return the cells of spots that still look different after `take_anew`."""
        apart = difference(self._lit, self._settled)
        limit = max(CHANGED, NOISE * noise_of(apart[in_frame]))
        return np.asarray(in_frame & self._owned & (apart > limit), np.bool_)

    def is_due_to_follow(self, at_s: float) -> bool:
        """Tell whether it is time for `follow`."""
        return at_s - self._followed_s >= FOLLOW_S

    def follow(self, but: Mask, at_s: float) -> None:
        """Let settled cells follow the light slowly, except some."""
        since_s = at_s - self._followed_s
        self._followed_s = at_s
        share = 1 - float(np.exp(-since_s / FOLLOWS_S))
        self._blend(self._calm & ~self._anew & ~self._strange & ~but, share)
        # All cells, hidden ones too, follow the overall brightness: thresholds are levels.
        gain = self._overall**share
        self._settled, self._bare, self._lit = (
            _lit_by(known, gain) for known in (self._settled, self._bare, self._lit)
        )

    def _blend(self, where: Mask, share: float) -> None:
        """Move the settled look of cells a share of the way to how they were seen last."""
        for known, cells in ((self._settled, where), (self._bare, where & ~self._owned)):
            cv2.accumulateWeighted(self._lit, known, share, cells.view(np.uint8))

    def _settle_ground(self, changed: Mask, strange: Mask, moving: Mask, at_s: float) -> None:
        """Settle ground that has looked different for a while."""
        lying = changed & ~moving
        self._still_since_s[~lying] = np.inf
        self._strange_since_s[~strange & ~moving] = np.inf  # not reset by a hand that passes
        np.minimum(self._still_since_s, at_s, out=self._still_since_s, where=lying)
        np.minimum(self._strange_since_s, at_s, out=self._strange_since_s, where=strange)
        lasting = at_s - self._still_since_s >= FORGOTTEN_S
        if lasting.any():
            # Differences are blurred: cells left beside it would keep it changed for ever.
            lasting = dilated(lasting) & self._calm & ~self._owned
            self._settled[lasting] = self._lit[lasting]
        self.take_bare(self.strange_for(AT_HOME_S, at_s))

    def _gains(self, cells: Float32s, in_frame: Mask) -> tuple[Float32s, Float32s]:
        """Return the gain over the settled cells: the board's, (3,), and a smooth one by cell."""
        ratio = np.asarray(cv2.log((cells + DARK) / (self._settled + DARK)), np.float32)
        sampled = np.flatnonzero(in_frame)[::SAMPLED]
        overall = np.median(ratio.reshape(-1, 3)[sampled], axis=0).astype(np.float32)
        beside: Float32s = ratio - overall
        weight = (in_frame & (_largest(beside) < UNLIT)).astype(np.float32)
        weight *= _largest(beside - self._around(beside, weight)) < UNEVEN
        local = cv2.exp(self._around(beside, weight) + overall)
        return np.exp(overall), np.asarray(local, np.float32)

    def _around(self, values: Float32s, weight: Float32s) -> Float32s:
        """Return the weighted mean of values around each cell; 0 far from any weight."""
        size = (LIGHT_CELLS,) * 2
        sum_ = cv2.blur(weight, size, borderType=cv2.BORDER_CONSTANT) + 0.01
        mean = cv2.blur(values * _three_channels(weight), size, borderType=cv2.BORDER_CONSTANT)
        return np.asarray(mean / _three_channels(sum_), np.float32)


def _lit_by(cells: Float32s, gain: Float32s) -> Float32s:
    """Return cells with their light multiplied by a gain."""
    return np.asarray((cells + DARK) * gain - DARK, np.float32)


def difference(a: Float32s, b: Float32s) -> Float32s:
    """Return the largest difference of cells over channels, in levels, blurred against noise."""
    apart = cv2.blur(a - b, (3, 3), borderType=cv2.BORDER_REPLICATE)
    return _largest(np.asarray(apart, np.float32))


def noise_of(apart: Float32s) -> float:
    """Return the noise level of differences, most of which are noise."""
    return float(np.median(apart.reshape(-1)[::SAMPLED])) / 1.3


def _three_channels(values: Float32s) -> Float32s:
    """Return values repeated for three channels; broadcasting takes ten times as long."""
    return np.asarray(cv2.merge((values,) * 3), np.float32)


def _largest(channels: Float32s) -> Float32s:
    """Return the largest absolute channel; `max(axis=-1)` takes ten times as long."""
    size = np.abs(channels)
    return np.maximum(np.maximum(size[..., 0], size[..., 1]), size[..., 2])
