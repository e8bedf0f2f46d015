"""Which cells move, and which look different from when they were last settled."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Mask

from .glance import things_over_board

FOLLOW_S = 0.5  # seconds after which what is settled follows the light once more
NOISES = 20  # differences of moments, two seconds apart or less, that tell the usual noise
DARK = 4.0  # levels of a picture's darkest parts that no light multiplies
SAMPLED = 7  # medians over the board are taken of every so many cells
# When a cell counts as moving or changed; chosen on drawn games, see docs/watching.md.
# Levels, of 255, by which it differs from itself a moment ago, or from when it was settled, the
# light taken out.
CHANGED = 5.0
# Levels by which a cell that belongs to nothing differs from bare ground, where something lies:
# a lamp that is switched leaves smaller differences, too small for cards and cups.
STRANGE_LEVELS = 15.0
NOISE = 6.0  # both are at least so many times the frame's own noise
# A train's shadow leaves at least so much of the light: the room shines into it.
SHADE = 0.5
# It takes as much from each channel, but for so much of the light: few things do. In eleven
# drawn games both could be .1 more or less, with the same results.
SHADE_UNEVEN = 0.15
MEMORY_S = 0.2  # how far back a moment ago is; what moved before it holds still
# A cell whose logarithm of gain is so far from the board's says nothing of the light.
UNLIT = 0.6
UNEVEN = 0.15  # the same, from its surroundings
LIGHT_CELLS = 21  # the side of the square over which light is averaged
# How long a cell that belongs to nothing must hold still to be taken as it is: a cup that is
# put down beside the routes, a marker that moves on.
FORGOTTEN_S = 3.0
# How long it must look different before it counts as bare: nobody plays with a card over a
# route for so long.
AT_HOME_S = 300.0
# Share of the cells that move at once when a lamp is switched: no hand is so large. An arm and
# its shadow were .7 of a New York board.
RELIT = 0.9
FLASH = 0.5  # the same if nothing moves just before and just after: no hand is so quick
FLASH_S = 0.4  # longest time that it takes, as moments are compared with those before
STILL = 0.002  # share that moves by noise alone
CALM = 0.02  # share that may move when the board is looked at anew in the new light
HAND_S = 5.0  # no hand holds still for so long
# Settled cells become what they show with this time constant: light drifts in ways that no gain
# explains, and what is left over would be taken for noise and hide trains.
FOLLOWS_S = 5.0


class Motion:
    """Compares each glance with those of the last moments."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, Float32s]] = deque()
        self._noises: deque[float] = deque(maxlen=NOISES)
        self.noise = 0.0

    def forget(self) -> None:
        """Begin anew: the glances to come are not of the same cells."""
        self._recent.clear()

    def moving(self, cells: Float32s, at_s: float) -> Mask:
        """Return the cells that move, and keep the glance for the next ones."""
        while len(self._recent) > 1 and at_s - self._recent[0][0] > MEMORY_S + 1e-6:
            self._recent.popleft()
        moving = np.zeros(cells.shape[:2], np.bool_)
        if self._recent:
            # The last one and the oldest: quick movements show in the one, slow ones in the other.
            for _, before in {
                id(kept): kept for kept in (self._recent[-1], self._recent[0])
            }.values():
                apart = difference(cells, before)
                self._noises.append(noise_of(apart))
                # Usual noise: where a lamp is switched, most of the board differs in one frame.
                self.noise = float(np.median(self._noises))
                moving |= apart > max(CHANGED, NOISE * self.noise)
        self._recent.append((at_s, cells))
        return moving


class LightSwitches:
    """Tells a lamp that is switched from a hand: nothing moved before, and nothing moves after."""

    def __init__(self) -> None:
        self._calm_s = self._before_s = -np.inf
        self._most = 0.0

    def has_begun(self, share: float, at_s: float) -> bool:
        """Tell whether so much moves at once, after nothing did, that it must be the light."""
        return share > RELIT and at_s - self._calm_s <= FLASH_S + 1e-9

    def is_over(self, share: float, at_s: float) -> bool:
        """Take in which share of the cells moves; tell whether a flash has just ended."""
        if share >= STILL:
            self._most = max(self._most, share)
            return False
        was_flash = self._most >= FLASH and at_s - self._calm_s <= FLASH_S + 1e-9
        was_calm = self._calm_s - self._before_s <= FLASH_S + 1e-9
        most, self._most = self._most, 0.0
        self._before_s, self._calm_s = self._calm_s, at_s
        return was_flash and was_calm and most > 0


class Background:
    """What the cells looked like when they were last settled, in one light.

    Cells that belong to no space have a second memory, of what they look like when nothing lies
    there: what a cup or a resting hand hid for a while is known again when it comes back.
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
        self.is_due_anew = False  # whether what is to be looked at anew is calm now

    def look_anew(self, where: Mask) -> None:
        """Take in that cells look different for another reason than what lies there.

        A lamp was switched, or the board moved: what was settled is settled still. It is taken
        as it looks once it is calm; see `is_due_anew`.
        """
        self._anew |= where
        self._moved_s[where] = np.inf  # the next frame has nothing to be compared with yet

    def cover(self, where: Mask) -> None:
        """Take in over which cells something lies: they are not taken for ground in a new light."""
        if not self._anew.any():
            self._covered = where

    def compare(
        self, cells: Float32s, in_frame: Mask, moving: Mask, at_s: float
    ) -> tuple[Mask, Mask]:
        """Return the cells that look different from when they were settled, and the strange ones.

        Strange are those that belong to no space and do not look bare.
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
        is_calm = share_moving < CALM
        self._is_rested = self._rested(apart, in_frame, at_s) if is_calm else np.zeros_like(moving)
        self.is_due_anew = bool(self._is_rested.any())
        # Less what stands on the spots: it would seem to lie around them.
        cv2.copyTo(self._lit, self._owned.view(np.uint8), self._bare)
        from_bare = difference(self._lit, self._bare)
        strange = in_frame & ~self._owned & ~self._anew & (from_bare > max(STRANGE_LEVELS, limit))
        changed = in_frame & (apart > limit) & (self._owned | (from_bare > limit))
        self._learn(changed & ~self._owned, strange, moving, at_s)
        strange |= self._anew & self._strange
        if share_moving < STILL:
            self._strange = strange
        return np.asarray(changed, np.bool_), np.asarray(strange, np.bool_)

    def settle(self, where: Mask) -> None:
        """Take some cells as they were seen last, be it with a new train's shadow on them."""
        self._settled[where] = self._lit[where]
        beside = where & ~self._owned
        self._bare[beside] = self._lit[beside]

    def take_anew(self, but: Mask) -> None:
        """Take the cells that are to be looked at anew as they were seen last, but for some.

        Those that a hand is over follow when it is gone.
        """
        # What a card or a hand hides is in the same light as what lies around it. Without that,
        # ground would be a thing for minutes if a lamp was switched while something lay on it.
        self._settled = _lit_by(self._settled, self._gain)
        self._bare = _lit_by(self._bare, self._gain)
        self._lit = self._cells
        self._approach(self._is_rested & ~self._strange & ~self._covered & ~but, 1.0)
        self._anew &= ~self._is_rested
        self.is_due_anew = False

    def shaded(self) -> Mask:
        """Return the cells that look as they were settled, in less light: as shadows do."""
        now, before = (cv2.blur(cells, (3, 3)) + DARK for cells in (self._lit, self._settled))
        left = cv2.split(cv2.divide(now, before))
        least, most = (pick(pick(left[0], left[1]), left[2]) for pick in (cv2.min, cv2.max))
        is_even = most - least < SHADE_UNEVEN
        return np.asarray((least > SHADE) & (most < 1) & is_even, np.bool_)

    def _rested(self, apart: Float32s, in_frame: Mask, at_s: float) -> Mask:
        """Return the cells that are to be looked at anew, hold still and have no hand over them."""
        to_see = self._anew & self._calm & (at_s - self._moved_s >= MEMORY_S - 1e-9)
        if to_see.any():
            over = things_over_board(in_frame & (apart > STRANGE_LEVELS), in_frame)
            to_see &= ~over | (at_s - self._moved_s >= HAND_S)
        return to_see

    def changed_since_relit(self, in_frame: Mask) -> Mask:
        """Return the cells that look different once more, after `take_anew`."""
        apart = difference(self._lit, self._settled)
        limit = max(CHANGED, NOISE * noise_of(apart[in_frame]))
        return np.asarray(in_frame & self._owned & (apart > limit), np.bool_)

    def is_due_to_follow(self, at_s: float) -> bool:
        """Tell whether it is time for `follow`."""
        return at_s - self._followed_s >= FOLLOW_S

    def follow(self, but: Mask, at_s: float) -> None:
        """Let what is settled follow the light slowly, but for some cells."""
        since_s = at_s - self._followed_s
        self._followed_s = at_s
        share = 1 - float(np.exp(-since_s / FOLLOWS_S))
        self._approach(self._calm & ~self._anew & ~self._strange & ~but, share)
        # All of it, hidden cells too, gets as bright as the pictures are: limits are their levels.
        gain = self._overall**share
        self._settled, self._bare, self._lit = (
            _lit_by(known, gain) for known in (self._settled, self._bare, self._lit)
        )

    def _approach(self, where: Mask, share: float) -> None:
        """Bring some cells nearer to how they were seen last."""
        for known, cells in ((self._settled, where), (self._bare, where & ~self._owned)):
            cv2.accumulateWeighted(self._lit, known, share, cells.view(np.uint8))

    def _learn(self, changed: Mask, strange: Mask, moving: Mask, at_s: float) -> None:
        """Let cells that belong to nothing be what they have been for a while."""
        lying = changed & ~moving
        self._still_since_s[~lying] = np.inf
        self._strange_since_s[~strange & ~moving] = np.inf  # a hand that passes is no end of it
        np.minimum(self._still_since_s, at_s, out=self._still_since_s, where=lying)
        np.minimum(self._strange_since_s, at_s, out=self._strange_since_s, where=strange)
        lasting = at_s - self._still_since_s >= FORGOTTEN_S
        if lasting.any():
            # Differences are averages: what is left beside a cell would keep it changed for ever.
            lasting = _beside(lasting) & self._calm & ~self._owned
            self._settled[lasting] = self._lit[lasting]
        at_home = at_s - self._strange_since_s >= AT_HOME_S
        self._bare[at_home] = self._lit[at_home]

    def _gains(self, cells: Float32s, in_frame: Mask) -> tuple[Float32s, Float32s]:
        """Return the cells' light over that of the background: of the board, and smooth over it."""
        ratio = np.asarray(cv2.log((cells + DARK) / (self._settled + DARK)), np.float32)
        sampled = np.flatnonzero(in_frame)[::SAMPLED]
        overall = np.median(ratio.reshape(-1, 3)[sampled], axis=0).astype(np.float32)
        beside: Float32s = ratio - overall
        weight = (in_frame & (_most(beside) < UNLIT)).astype(np.float32)
        weight *= _most(beside - self._around(beside, weight)) < UNEVEN
        local = cv2.exp(self._around(beside, weight) + overall)
        return np.exp(overall), np.asarray(local, np.float32)

    def _around(self, values: Float32s, weight: Float32s) -> Float32s:
        """Return the weighted mean of values around each cell; far from any weight it is 0."""
        size = (LIGHT_CELLS,) * 2
        sum_ = cv2.blur(weight, size, borderType=cv2.BORDER_CONSTANT) + 0.01
        mean = cv2.blur(values * _thrice(weight), size, borderType=cv2.BORDER_CONSTANT)
        return np.asarray(mean / _thrice(sum_), np.float32)


def _lit_by(cells: Float32s, gain: Float32s) -> Float32s:
    """Return cells in so many times the light."""
    return np.asarray((cells + DARK) * gain - DARK, np.float32)


def difference(a: Float32s, b: Float32s) -> Float32s:
    """Return by how many levels cells differ in the channel where they do most, noise averaged."""
    apart = cv2.blur(a - b, (3, 3), borderType=cv2.BORDER_REPLICATE)
    return _most(np.asarray(apart, np.float32))


def noise_of(apart: Float32s) -> float:
    """Return the noise in differences of which most are nothing else."""
    return float(np.median(apart.reshape(-1)[::SAMPLED])) / 1.3


def _beside(cells: Mask) -> Mask:
    """Return cells and those around them."""
    return np.asarray(cv2.dilate(cells.view(np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_)


def _thrice(values: Float32s) -> Float32s:
    """Return one value for each of three channels; broadcasting them takes ten times as long."""
    return np.asarray(cv2.merge((values,) * 3), np.float32)


def _most(channels: Float32s) -> Float32s:
    """Return the largest of three channels' sizes; `max(axis=-1)` takes ten times as long."""
    size = np.abs(channels)
    return np.maximum(np.maximum(size[..., 0], size[..., 1]), size[..., 2])
