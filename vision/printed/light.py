"""Converts a photo to the light of its reference, by the printed ground between the routes.

The camera's rendering, its tones, is taken out first.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Indices, Picture
from railspotter.calibration.finding.picture_faults import LUMA

from .board_cache import cached_per_board
from .printed_board import PrintedBoard

# Cameras render one scene with more contrast or less, with black lifted or crushed, with more
# colour or less. A gain takes out light only: under strong contrast green trains became black, and
# blue ones of a photo with little colour too. Tones are fitted to thousands of cells of ground that
# both pictures show. Three numbers bend one curve for all channels, a fourth scales colourfulness;
# each has a prior at no change.

CELL_PX = 4  # side of the cells whose mean levels are compared
# Most range of the reference's levels around a cell: with more, blur would change its mean.
FLAT = 40
TILE_CELLS = 16  # side of the tiles, some 40 mm, within which light is taken for even
# Share of the ground that is compared, the least bright part: glare takes contrast from the glossy
# board, but not from trains. With all of it, trains in glare came out darker than they are.
DARKER = 0.5
CLIPPED = 245  # level from which a cell may have been brighter than it shows
# Cells that are used at most, for full weight against the prior, and at least for any fit.
MOST_CELLS, ENOUGH_CELLS, FEW_CELLS = 6000, 2000, 200
# Prior standard deviations of the three numbers of `_bend_basis`, and of colourfulness.
SPREAD = np.array([0.3, 0.1, 0.3, 0.3])
# Standard error of the mean of enough cells, in log-levels: neighbouring cells err alike.
MISS = 0.004
# Limits of the four numbers: no camera goes beyond.
LEAST, MOST = np.array([-0.6, -0.15, -0.3, 0.4]), np.array([0.8, 0.3, 1.2, 2.0])
STEEPEST = 4.0  # limit of a curve's slope, and of one over it
# Root mean square of the levels by which a curve differs from a gain: up to the first it is
# ignored, from the second taken out fully. Blur and soft glare make a few, and trains' colours are
# fitted to photos as they are.
USUAL_LEVELS, OTHER_LEVELS = 4.0, 9.0
USUAL_COLOUR, OTHER_COLOUR = 1.12, 1.25  # the same limits for colourfulness, or one over it
# Log-levels on both sides of the ground's median between which contrast is measured.
AROUND = 0.2
# In the first rounds outliers keep weight: contrast makes the darkest cells differ by much.
WIDE_ROUNDS, ROUNDS = 2, 4
LEVELS = np.arange(256, dtype=np.float32)
# Points at which curves are tabulated, in log-levels: log(level + 2), as everywhere here.
GRID = np.log(np.arange(1, 400, dtype=np.float32) + 2)
# Standard deviation, in cells, of the blur that averages light: as wide as shadows' soft edges.
SPREAD_CELLS = 10.0
STRANGE = 1.2  # most difference of a cell's log-gain from the board's median: else it is no print
UNEVEN = 0.25  # most difference from its surroundings: else something lies on it


@dataclass(frozen=True, eq=False)
class Tones:
    """How a photo's camera renders levels and colours, relative to the reference's camera."""

    # (256,) float32: for each level of the photo, that of the reference's camera.
    curve: Float32s
    colourfulness: float  # factor of the photo's distance from grey, once the curve is taken out
    # Factor by which contrast, around the median of the ground, and colours must be stretched to
    # match the reference.
    stretch: float = 1.0

    @property
    def are_none(self) -> bool:
        """Whether the photo's camera renders like the reference's."""
        return self.colourfulness == 1 and np.array_equal(self.curve, LEVELS)

    def taken_out_of(self, rectified: Picture) -> Picture:
        """Return a photo with its tones taken out, as the reference's camera renders."""
        if self.are_none:
            return rectified
        share = 1 / self.colourfulness
        mixing = share * np.eye(3, dtype=np.float32) + (1 - share) * np.tile(LUMA, (3, 1))
        table = np.rint(self.curve).astype(np.uint8)
        return np.asarray(cv2.LUT(cv2.transform(rectified, mixing), table), np.uint8)

    def taken_out_of_levels(self, levels: Float32s) -> Float32s:
        """Return levels, (..., 3) of 0 to 255, with the photo's tones taken out."""
        grey = _less_colourful(levels, self.colourfulness)
        return np.asarray(self.curve[np.clip(np.rint(grey), 0, 255).astype(np.intp)], np.float32)


NO_TONES = Tones(LEVELS, 1.0)  # of a camera that renders like the reference's


def measure_tones(small: Float32s, printed: PrintedBoard) -> Tones:
    """Measure a photo's tones from its cells; `NO_TONES` if the reference is drawn."""
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


def cell_means(picture: Picture) -> Float32s:
    """Return the mean levels of a picture's cells, (h, w, channels)."""
    small = cv2.resize(picture, None, fx=1 / CELL_PX, fy=1 / CELL_PX, interpolation=cv2.INTER_AREA)
    return small.astype(np.float32)


def fit_tones(photo: Float32s, want: Float32s, tile: Indices) -> Tones:
    """Fit tones to levels of cells, (M, 3), and the reference's log-levels there, by Gauss-Newton.

    Light is the mean residual of each tile; covered cells get hardly any weight.
    """
    seen = np.log(photo + 2)
    middle = float(np.median(seen))
    weight = np.ones(photo.shape, np.float32)
    unchanged = np.array([0.0, 0.0, 0.0, 1.0])
    prior = np.diag((MISS / SPREAD) ** 2) * max(1.0, ENOUGH_CELLS / len(photo))
    fitted = unchanged
    for round_ in range(ROUNDS):
        bends, colourfulness = fitted[:3], float(fitted[3])
        plain = np.log(np.maximum(_less_colourful(photo, colourfulness), 0) + 2)
        unbent = np.interp(plain, _curve(bends, middle), GRID)
        lit = want + _mean_of_tile(np.asarray(unbent - want, np.float32), weight, tile)
        lit = np.clip(lit, GRID[0], GRID[-1])  # things on dark tiles may come out darker than black
        bent = np.exp(lit + _bend_basis(lit, middle) @ bends) - 2
        colour = bent - (bent @ LUMA)[:, None]
        expected = np.maximum(bent + (colourfulness - 1) * colour, 0) + 2
        missed = np.asarray(seen - np.log(expected), np.float32)
        missed -= _mean_of_tile(missed, weight, tile)
        usual = 1.5 * float(np.median(np.abs(missed))) + 0.02
        scale = usual * (24 if round_ < WIDE_ROUNDS else 4.5)
        weight = np.asarray(1 / (1 + (missed / scale) ** 2) ** 2, np.float32)
        columns = _bend_basis(lit, middle), (colour / expected)[..., None]
        jacobian = np.concatenate(columns, axis=-1)
        for i in range(jacobian.shape[-1]):
            jacobian[..., i] -= _mean_of_tile(jacobian[..., i], weight, tile)
        jacobian = jacobian.reshape(-1, jacobian.shape[-1]).astype(np.float32)
        weighed = jacobian * weight.reshape(-1, 1)
        hessian = (weighed.T @ jacobian).astype(np.float64) / weight.sum()
        gradient = (weighed.T @ missed.reshape(-1)).astype(np.float64) / weight.sum()
        step = np.linalg.solve(hessian + prior, gradient - prior @ (fitted - unchanged))
        fitted = np.clip(fitted + step, LEAST, MOST)
    curve, colourfulness = _curve(fitted[:3], middle), float(fitted[3])
    levels = np.exp(np.interp(np.log(LEVELS + 2), curve, GRID)) - 2
    low, high = np.interp([middle - AROUND, middle + AROUND], curve, GRID)
    stretch = float((high - low) / (2 * AROUND) / colourfulness)
    return _beyond_usual(np.asarray(levels, np.float32), colourfulness, stretch)


def _beyond_usual(curve: Float32s, colourfulness: float, stretch: float) -> Tones:
    """Return measured tones, faded out as far as one camera's photos differ as much."""
    plain = LEVELS[10:-10]
    gain = np.log(curve[10:-10] + 2) - np.log(plain + 2)
    off = plain * np.expm1(gain - np.median(gain))
    rms = float(np.sqrt(np.mean(off**2)))
    share = np.clip((rms - USUAL_LEVELS) / (OTHER_LEVELS - USUAL_LEVELS), 0, 1)
    colour = abs(np.log(colourfulness))
    wide = np.log(OTHER_COLOUR / USUAL_COLOUR)
    of_colour = np.clip((colour - np.log(USUAL_COLOUR)) / wide, 0, 1)
    bent = np.clip(LEVELS + share * (curve - LEVELS), 0, 255)
    return Tones(bent.astype(np.float32), float(colourfulness**of_colour), stretch)


def _bend_basis(levels: Float32s, middle: float) -> Float32s:
    """Return the basis of curves at log-levels, (..., 3): contrast, lifted black, S-curve."""
    share = np.minimum((np.exp(levels) - 2) / 255, 1)
    s_curve = (share - 1) * (1 - 2 * share)
    return np.stack([levels - middle, np.exp(middle - levels), s_curve], axis=-1, dtype=np.float32)


def _curve(bends: Float64s, middle: float) -> Float64s:
    """Return a bent curve at `GRID`, with its slope limited on both sides."""
    bent = GRID + _bend_basis(GRID, middle) @ bends
    wide = np.diff(GRID)
    rises = np.clip(np.diff(bent), wide / STEEPEST, wide * STEEPEST)
    curve = np.concatenate([[0.0], np.cumsum(rises)])
    at = int(np.searchsorted(GRID, middle))
    return np.asarray(curve + bent[at] - curve[at], np.float64)


def _less_colourful(levels: Float32s, factor: float) -> Float32s:
    grey = (levels @ LUMA)[..., None]
    return np.asarray(grey + (levels - grey) / np.float32(factor), np.float32)


def _mean_of_tile(values: Float32s, weight: Float32s, tile: Indices) -> Float32s:
    """Return the weighted mean of each cell's tile, by channel: (M, 3) to (M, 3)."""
    mean = np.empty(values.shape, np.float32)
    for c in range(values.shape[-1]):
        total = np.bincount(tile, weight[:, c] * values[:, c])
        mean[:, c] = (total / (np.bincount(tile, weight[:, c]) + 1e-3))[tile]
    return mean


@dataclass(frozen=True, eq=False)
class _Ground:
    """The cells of flat ground in a reference."""

    cells: tuple[Indices, Indices]  # their rows and columns, (M,) each
    levels: Float32s  # (M, 3) float32: log-levels of the reference
    tile: Indices  # (M,) int: the index of each cell's tile


@cached_per_board
def _ground(printed: PrintedBoard) -> _Ground:
    around = np.ones((2 * CELL_PX - 1,) * 2, np.uint8)
    differs = cv2.dilate(printed.reference, around) - cv2.erode(printed.reference, around)
    flat = cell_means(np.asarray(differs, np.uint8)).max(axis=-1) < FLAT
    flat &= cell_means(printed.background.astype(np.uint8)) > 0
    rows, columns = np.nonzero(flat)
    chosen = slice(None, None, max(1, -(-len(rows) // MOST_CELLS)))
    rows, columns = rows[chosen], columns[chosen]
    tiles_wide = flat.shape[1] // TILE_CELLS + 1
    tile = rows // TILE_CELLS * tiles_wide + columns // TILE_CELLS
    levels = np.log(cell_means(printed.reference)[rows, columns] + 2)
    return _Ground((rows, columns), levels, np.unique(tile, return_inverse=True)[1])


@dataclass(frozen=True, eq=False)
class LightChange:
    """The light of a photo relative to its reference's."""

    # (H, W, 3) float32: the photo's levels over the reference's on bare print, without tones.
    gain: Float32s
    # Blue over red of the whole board's gain, tones included; 1 in the reference's own light.
    blue_over_red: float
    tones: Tones = NO_TONES

    def of_whole_board(self, lab: AnyFloats, xy_px: AnyFloats) -> Float32s:
        """Return colours with the whole board's light taken out instead of the local one, (N, 3).

        Glare brightens paper, but not the tops of plastic beside it. `lab` is in the reference's
        light, by local gain, (N, 3), of the pixels `xy_px` of the rectified picture, (N, 2).
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
        """Return a rectified photo, at any scale, in the light of the reference."""
        size_wh = rectified.shape[1], rectified.shape[0]
        is_as_large = self.gain.shape[:2] == rectified.shape[:2]
        gain = self.gain if is_as_large else cv2.resize(self.gain, size_wh)
        plain = self.tones.taken_out_of(rectified)
        return np.asarray(cv2.divide(plain, gain, dtype=cv2.CV_8U), np.uint8)


def blue_over_red(rectified: Picture, printed: PrintedBoard) -> float:
    """Return blue over red of a rectified photo's light, relative to the reference's."""
    return _blue_over_red(_overall(*_log_gain(cell_means(rectified), printed)))


def measure_light(rectified: Picture, printed: PrintedBoard) -> LightChange:
    """Measure the light of a rectified photo, as large as the reference."""
    small = cell_means(rectified)
    tones = measure_tones(small, printed)
    ratio, weight = _log_gain(small, printed)
    overall = _overall(ratio, weight)
    coloured = _blue_over_red(overall)
    if not tones.are_none:
        ratio, weight = _log_gain(tones.taken_out_of_levels(small), printed)
        overall = _overall(ratio, weight)
    weight *= _largest_difference(ratio, overall) < STRANGE
    for _ in range(2):
        around = cv2.GaussianBlur(weight, (0, 0), SPREAD_CELLS) + 1e-3
        mean = cv2.GaussianBlur(ratio * weight[..., None], (0, 0), SPREAD_CELLS)
        local = (mean + 1e-3 * overall) / around[..., None]
        weight *= _largest_difference(ratio, np.asarray(local, np.float32)) < UNEVEN
    height, width = rectified.shape[:2]
    gain = cv2.resize(np.exp(local.astype(np.float32)), (width, height))
    return LightChange(np.asarray(gain, np.float32), coloured, tones)


def _log_gain(small: Float32s, printed: PrintedBoard) -> tuple[Float32s, Float32s]:
    """Return each cell's log-gain, (h, w, 3), and 1 on ground, (h, w); 0 outside of the picture."""
    reference, bare = _log_reference_cells(printed)
    return np.log(small + 2) - reference, bare * (small.max(axis=-1) > 0)


@cached_per_board
def _log_reference_cells(printed: PrintedBoard) -> tuple[Float32s, Float32s]:
    """Return the reference's log-levels of cells, (h, w, 3), and 1 on its ground, (h, w)."""
    bare = cell_means(printed.background.astype(np.uint8)) > 0
    return np.log(cell_means(printed.reference) + 2), bare.astype(np.float32)


def _largest_difference(ratio: Float32s, other: Float32s) -> Float32s:
    """Return the largest difference over channels: (h, w, 3) to (h, w)."""
    blue, green, red = np.moveaxis(np.abs(ratio - other), -1, 0)
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.float32)


def _blue_over_red(overall: Float32s) -> float:
    return float(np.exp(overall[0] - overall[2]))


def _overall(ratio: Float32s, weight: Float32s) -> Float32s:
    if not weight.any():
        return np.zeros(3, np.float32)
    return np.asarray(np.median(ratio[weight > 0], axis=0), np.float32)
