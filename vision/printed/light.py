"""Light: a photo brought to the light of its reference by the printed ground between the routes.

What the camera made of that light, its tones, is taken out first: see `tones.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Indices, Picture
from railspotter.calibration.finding.colour_sight import LUMA

from .board_cache import cached_per_board
from .printed_board import PrintedBoard

# Cameras draw one scene with more contrast or less, with black lifted or crushed, with more
# colour or less. A gain takes light out, not that: under strong contrast green trains were black,
# and blue ones of a photo with little colour too. The ground between the routes says what it is,
# for both pictures show thousands of its cells in the same places. Three numbers bend one curve
# for all channels, a fourth is how colourful colours are; each is held near to none at all.

CELL_PX = 4  # side of the cells of which single levels are compared
# Levels that the print may differ by around a cell: where it differs by more, blur changes it.
FLAT = 40
TILE_CELLS = 16  # side of the tiles within which light is even, some 40 mm
# Share of the ground that is compared, the less bright: what shines has lost contrast to glare,
# which lies on the glossy board and not on the trains. With all of it, trains in glare came out
# darker than they are.
DARKER = 0.5
CLIPPED = 245  # level from which a cell may have been brighter than it shows
# More tell nothing new; fewer than enough weigh less against no change; few tell nothing.
MOST_CELLS, ENOUGH_CELLS, FEW_CELLS = 6000, 2000, 200
# By how much cameras differ in what `_bends` bends, and in colourfulness.
SPREAD = np.array([0.3, 0.1, 0.3, 0.3])
# What the four may be off by on enough cells, in logarithms of levels: neighbouring cells miss
# alike.
MISS = 0.004
# Beyond, it is no camera's doing.
LEAST, MOST = np.array([-0.6, -0.15, -0.3, 0.4]), np.array([0.8, 0.3, 1.2, 2.0])
# A curve is as steep as this at most, and as flat as one over it: beyond, levels say nothing.
STEEPEST = 4.0
# Levels, in the mean square, by which a curve differs from a gain: up to the first it is left, and
# from the second taken out whole. Blur and soft glare make a few, and trains' colours, measured on
# photos as they are, follow a photo by themselves.
USUAL_LEVELS, OTHER_LEVELS = 4.0, 9.0
USUAL_COLOUR, OTHER_COLOUR = 1.12, 1.25  # the same limits for colourfulness, or one over it
# Logarithms of levels on both sides of the ground's middle between which contrast is told.
AROUND = 0.2
# In the first rounds hardly a cell is left out: contrast makes the darkest miss by much.
WIDE_ROUNDS, ROUNDS = 2, 4
LEVELS = np.arange(256, dtype=np.float32)
# Where a curve is told, as all levels here in logarithms of a level and 2.
GRID = np.log(np.arange(1, 400, dtype=np.float32) + 2)
# Radius, in cells, over which light is averaged: shadows' soft edges are about that wide.
SPREAD_CELLS = 10.0
STRANGE = 1.2  # a cell whose logarithm of gain is so far from the board's is no lit print
UNEVEN = 0.25  # a cell that differs by more from its surroundings shows something that lies there


@dataclass(frozen=True, eq=False)
class Tones:
    """How a photo's camera renders what the reference's shows."""

    # (256,) float32: for each level of the photo, the one that the reference's camera would have
    # given it.
    curve: Float32s
    # How much further from grey the photo's colours are, once the curve is taken out.
    colourfulness: float
    # By how much what the photo shows must be spread to look like the reference: its contrast,
    # around what most of the ground has, and its colours together.
    stretch: float = 1.0

    @property
    def are_none(self) -> bool:
        """Whether the photo's camera renders as the reference's does."""
        return self.colourfulness == 1 and np.array_equal(self.curve, LEVELS)

    def taken_out_of(self, rectified: Picture) -> Picture:
        """Return a photo as the reference's camera would have rendered it."""
        if self.are_none:
            return rectified
        share = 1 / self.colourfulness
        mixing = share * np.eye(3, dtype=np.float32) + (1 - share) * np.tile(LUMA, (3, 1))
        table = np.rint(self.curve).astype(np.uint8)
        return np.asarray(cv2.LUT(cv2.transform(rectified, mixing), table), np.uint8)

    def taken_out_of_levels(self, levels: Float32s) -> Float32s:
        """Return levels, (..., 3) of 0 to 255, as the reference's camera would have them."""
        grey = _less_colourful(levels, self.colourfulness)
        return np.asarray(self.curve[np.clip(np.rint(grey), 0, 255).astype(np.intp)], np.float32)


NO_TONES = Tones(LEVELS, 1.0)  # those of a camera that renders as the reference's does


def measure_tones(small: Float32s, printed: PrintedBoard) -> Tones:
    """Measure how a photo's camera renders what the reference's shows.

    A drawing of the ground has none of the detail that tells; by one, no tones are measured.
    """
    if printed.is_drawn:
        return NO_TONES
    ground = _ground(printed)
    photo = small[ground.cells]
    brightest = photo.max(axis=-1)
    counts = (brightest < CLIPPED) & (brightest > 0)
    if np.count_nonzero(counts) < FEW_CELLS:
        return NO_TONES
    photo, want, tile = photo[counts], ground.levels[counts], ground.tile[counts]
    everywhere = np.ones(photo.shape, np.float32)
    light = _mean_of_tile(np.log(photo + 2) - want, everywhere, tile).mean(axis=-1)
    counts = light <= np.quantile(light, DARKER)
    return fit_tones(photo[counts], want[counts], tile[counts])


def shrunk(picture: Picture) -> Float32s:
    """Return the mean levels of a picture's cells."""
    small = cv2.resize(picture, None, fx=1 / CELL_PX, fy=1 / CELL_PX, interpolation=cv2.INTER_AREA)
    return small.astype(np.float32)


def fit_tones(photo: Float32s, want: Float32s, tile: Indices) -> Tones:
    """Fit tones to what cells show and what the reference has there, by Gauss and Newton.

    Light is what is left within each tile; cells that something lies on come to count nothing.
    """
    seen = np.log(photo + 2)
    middle = float(np.median(seen))
    weight = np.ones(photo.shape, np.float32)
    of_none = np.array([0.0, 0.0, 0.0, 1.0])
    held = np.diag((MISS / SPREAD) ** 2) * max(1.0, ENOUGH_CELLS / len(photo))
    fitted = of_none
    for round_ in range(ROUNDS):
        bends, colourfulness = fitted[:3], float(fitted[3])
        plain = np.log(np.maximum(_less_colourful(photo, colourfulness), 0) + 2)
        unbent = np.interp(plain, _curve(bends, middle), GRID)
        lit = want + _mean_of_tile(np.asarray(unbent - want, np.float32), weight, tile)
        lit = np.clip(lit, GRID[0], GRID[-1])  # what lies in a dark tile may seem darker than black
        bent = np.exp(lit + _bends(lit, middle) @ bends) - 2
        colour = bent - (bent @ LUMA)[:, None]
        expected = np.maximum(bent + (colourfulness - 1) * colour, 0) + 2
        missed = np.asarray(seen - np.log(expected), np.float32)
        missed -= _mean_of_tile(missed, weight, tile)
        usual = 1.5 * float(np.median(np.abs(missed))) + 0.02
        scale = usual * (24 if round_ < WIDE_ROUNDS else 4.5)
        weight = np.asarray(1 / (1 + (missed / scale) ** 2) ** 2, np.float32)
        by = np.concatenate([_bends(lit, middle), (colour / expected)[..., None]], axis=-1)
        for i in range(by.shape[-1]):
            by[..., i] -= _mean_of_tile(by[..., i], weight, tile)
        by = by.reshape(-1, by.shape[-1]).astype(np.float32)
        weighed = by * weight.reshape(-1, 1)
        both = (weighed.T @ by).astype(np.float64) / weight.sum()
        towards = (weighed.T @ missed.reshape(-1)).astype(np.float64) / weight.sum()
        step = np.linalg.solve(both + held, towards - held @ (fitted - of_none))
        fitted = np.clip(fitted + step, LEAST, MOST)
    curve, colourfulness = _curve(fitted[:3], middle), float(fitted[3])
    levels = np.exp(np.interp(np.log(LEVELS + 2), curve, GRID)) - 2
    low, high = np.interp([middle - AROUND, middle + AROUND], curve, GRID)
    stretch = float((high - low) / (2 * AROUND) / colourfulness)
    return _worth_it(np.asarray(levels, np.float32), colourfulness, stretch)


def _worth_it(curve: Float32s, colourfulness: float, stretch: float) -> Tones:
    """Return of measured tones what is more than photos of one camera differ by."""
    plain = LEVELS[10:-10]
    gain = np.log(curve[10:-10] + 2) - np.log(plain + 2)
    off = plain * np.expm1(gain - np.median(gain))
    by = float(np.sqrt(np.mean(off**2)))
    share = np.clip((by - USUAL_LEVELS) / (OTHER_LEVELS - USUAL_LEVELS), 0, 1)
    colour = abs(np.log(colourfulness))
    wide = np.log(OTHER_COLOUR / USUAL_COLOUR)
    of_colour = np.clip((colour - np.log(USUAL_COLOUR)) / wide, 0, 1)
    bent = np.clip(LEVELS + share * (curve - LEVELS), 0, 255)
    return Tones(bent.astype(np.float32), float(colourfulness**of_colour), stretch)


def _bends(levels: Float32s, middle: float) -> Float32s:
    """Return by how much contrast, lifted black and a curve like an S move levels, (..., 3)."""
    share = np.minimum((np.exp(levels) - 2) / 255, 1)
    s_curve = (share - 1) * (1 - 2 * share)
    return np.stack([levels - middle, np.exp(middle - levels), s_curve], axis=-1, dtype=np.float32)


def _curve(bends: Float64s, middle: float) -> Float64s:
    """Return what `GRID` is bent to: rising everywhere, neither too steep nor too flat."""
    bent = GRID + _bends(GRID, middle) @ bends
    wide = np.diff(GRID)
    rises = np.clip(np.diff(bent), wide / STEEPEST, wide * STEEPEST)
    curve = np.concatenate([[0.0], np.cumsum(rises)])
    at = int(np.searchsorted(GRID, middle))
    return np.asarray(curve + bent[at] - curve[at], np.float64)


def _less_colourful(levels: Float32s, factor: float) -> Float32s:
    grey = (levels @ LUMA)[..., None]
    return np.asarray(grey + (levels - grey) / np.float32(factor), np.float32)


def _mean_of_tile(values: Float32s, weight: Float32s, tile: Indices) -> Float32s:
    """Return the weighed mean of each cell's tile, for each channel: (M, 3) to (M, 3)."""
    mean = np.empty(values.shape, np.float32)
    for c in range(values.shape[-1]):
        total = np.bincount(tile, weight[:, c] * values[:, c])
        mean[:, c] = (total / (np.bincount(tile, weight[:, c]) + 1e-3))[tile]
    return mean


@dataclass(frozen=True, eq=False)
class _Ground:
    """The cells in which a reference shows flat ground."""

    cells: tuple[Indices, Indices]  # tuple of (M,) int arrays. Their rows and columns.
    levels: Float32s  # (M, 3) float32 array. Logarithms of the reference's levels and 2.
    tile: Indices  # (M,) int: in which of the tiles that have any they lie


@cached_per_board
def _ground(printed: PrintedBoard) -> _Ground:
    around = np.ones((2 * CELL_PX - 1,) * 2, np.uint8)
    differs = cv2.dilate(printed.reference, around) - cv2.erode(printed.reference, around)
    flat = shrunk(np.asarray(differs, np.uint8)).max(axis=-1) < FLAT
    flat &= shrunk(printed.background.astype(np.uint8)) > 0
    rows, columns = np.nonzero(flat)
    chosen = slice(None, None, max(1, -(-len(rows) // MOST_CELLS)))
    rows, columns = rows[chosen], columns[chosen]
    tiles_wide = flat.shape[1] // TILE_CELLS + 1
    tile = rows // TILE_CELLS * tiles_wide + columns // TILE_CELLS
    levels = np.log(shrunk(printed.reference)[rows, columns] + 2)
    return _Ground((rows, columns), levels, np.unique(tile, return_inverse=True)[1])


@dataclass(frozen=True, eq=False)
class LightChange:
    """How a photo's light differs from its reference's."""

    # (H, W, 3) float32: the photo's values over the reference's where the print is bare, its tones
    # taken out.
    gain: Float32s
    # Blue over red of the whole board, tones and all; 1 in the reference's own light.
    blue_over_red: float
    tones: Tones = NO_TONES  # how the photo's camera renders what the reference's shows

    def of_whole_board(self, lab: AnyFloats, xy_px: AnyFloats) -> Float32s:
        """Return colours as they look when the whole board's light is taken out, not that there.

        Glare makes paper brighter beside plastic of which it leaves the tops as they were.

        Parameters
        ----------
        lab : (N, 3) array
            CIE Lab of what is seen, in the reference's light.
        xy_px : (N, 2) array
            Where, in pixels of the rectified picture.

        Returns
        -------
        (N, 3) float32 array
        """
        height, width = self.gain.shape[:2]
        x, y = np.clip(np.rint(xy_px).astype(np.intp), 0, [width - 1, height - 1]).T
        some = self.gain[:: max(1, height // 40), :: max(1, width // 60)]
        overall = np.median(some.reshape(-1, 3), axis=0)
        row = np.asarray(lab, np.float32)[None]
        bgr = cv2.cvtColor(row, cv2.COLOR_LAB2BGR) * (self.gain[y, x] / overall)
        return np.asarray(
            cv2.cvtColor(np.clip(bgr, 0, 1).astype(np.float32), cv2.COLOR_BGR2LAB)[0], np.float32
        )

    def taken_out_of(self, rectified: Picture) -> Picture:
        """Return a photo of the board, at whatever scale, as the reference would have shown it."""
        size_wh = rectified.shape[1], rectified.shape[0]
        is_as_large = self.gain.shape[:2] == rectified.shape[:2]
        gain = self.gain if is_as_large else cv2.resize(self.gain, size_wh)
        plain = self.tones.taken_out_of(rectified)
        return np.asarray(cv2.divide(plain, gain, dtype=cv2.CV_8U), np.uint8)


def blue_over_red(rectified: Picture, printed: PrintedBoard) -> float:
    """Return how much more blue against red has the light of a board from above than its print's.

    Of `rectified`, as large as the reference.
    """
    return _blue_over_red(_overall(*_ratio(shrunk(rectified), printed)))


def measure_light(rectified: Picture, printed: PrintedBoard) -> LightChange:
    """Measure the light of a board from above, as large as the reference, against that one's."""
    small = shrunk(rectified)
    tones = measure_tones(small, printed)
    ratio, weight = _ratio(small, printed)
    overall = _overall(ratio, weight)
    coloured = _blue_over_red(overall)
    if not tones.are_none:
        ratio, weight = _ratio(tones.taken_out_of_levels(small), printed)
        overall = _overall(ratio, weight)
    weight *= _furthest(ratio, overall) < STRANGE
    for _ in range(2):
        around = cv2.GaussianBlur(weight, (0, 0), SPREAD_CELLS) + 1e-3
        mean = cv2.GaussianBlur(ratio * weight[..., None], (0, 0), SPREAD_CELLS)
        local = (mean + 1e-3 * overall) / around[..., None]
        weight *= _furthest(ratio, np.asarray(local, np.float32)) < UNEVEN
    height, width = rectified.shape[:2]
    gain = cv2.resize(np.exp(local.astype(np.float32)), (width, height))
    return LightChange(np.asarray(gain, np.float32), coloured, tones)


def _ratio(small: Float32s, printed: PrintedBoard) -> tuple[Float32s, Float32s]:
    """Return, for every cell, the logarithm of its gain, and 1 where its print is bare.

    A cell without any light shows nothing: it lies out of the picture.
    """
    reference, bare = _log_reference_cells(printed)
    return np.log(small + 2) - reference, bare * (small.max(axis=-1) > 0)


@cached_per_board
def _log_reference_cells(printed: PrintedBoard) -> tuple[Float32s, Float32s]:
    """Return the logarithm of each cell's level plus 2 in the reference, and 1 where it is bare."""
    bare = shrunk(printed.background.astype(np.uint8)) > 0
    return np.log(shrunk(printed.reference) + 2), bare.astype(np.float32)


def _furthest(ratio: Float32s, other: Float32s) -> Float32s:
    """Return how far the channel that is furthest off is: (h, w, 3) to (h, w)."""
    blue, green, red = np.moveaxis(np.abs(ratio - other), -1, 0)
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.float32)


def _blue_over_red(overall: Float32s) -> float:
    return float(np.exp(overall[0] - overall[2]))


def _overall(ratio: Float32s, weight: Float32s) -> Float32s:
    if not weight.any():
        return np.zeros(3, np.float32)
    return np.asarray(np.median(ratio[weight > 0], axis=0), np.float32)
