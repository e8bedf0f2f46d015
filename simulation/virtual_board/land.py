"""The landscape printed under the virtual board's routes: generated from seeded noise.

It is computed in millimetres, so that a seed gives the same landscape at every resolution: hills
with shading and contour lines, rivers, a coast with water lines, hachures, woods and peaks. They
are unique fine details, as feature matching needs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from ..arrays import Float32s, Mask, Picture, Point, Points
from .printed_copy import Ink

Cell = tuple[int, int]
# Two points are a line, more are the outline of a filled polygon; in millimetres.
Stroke = tuple[Points, Ink]

# BGR colours, chosen pale to contrast with what is printed on the land.
PARCHMENT = (196, 222, 230)
MEADOW = (180, 214, 200)
HIGHLAND = (182, 198, 214)
SHALLOWS = (226, 218, 190)
DEEP_WATER = (206, 186, 148)
WATER_INK = (168, 136, 90)
CONTOUR_INK = (104, 130, 152)
COAST_INK = (100, 90, 76)
HACHURE_INK = (128, 150, 164)
WOOD_INK = (96, 138, 104)
PEAK_INK = (104, 118, 138)

# Height between two contour lines; the land's heights have a range of about two units.
CONTOUR_STEP = 0.22
RIVERS_END = 1.6  # height above which there are no rivers
PEAKS_BEGIN = 2.0  # height above which there are peaks
WATER_LINES_MM = (1.6, 3.6, 6.2, 9.6, 14.0, 19.5, 26.0)  # distances from the coast
SETTLED_RADIUS_MM = 34.0  # approximate distance of the coast from places and spaces


def draw_land(size_mm: Point, px_per_mm: float, settled_mm: Iterable[Point], seed: int) -> Picture:
    """Draw the landscape, edge to edge, with land around the points `settled_mm`.

    >>> draw_land((200.0, 100.0), 2.0, [(50.0, 50.0)], seed=1).shape
    (200, 400, 3)
    """
    rng = np.random.default_rng(seed)
    sheet = _Sheet(size_mm, px_per_mm / 2)  # areas are smooth; only strokes need full resolution
    height = sheet.noise(rng, 110.0, 7) + sheet.land_near(settled_mm)
    rain = sheet.noise(rng, 130.0, 4)
    river_bed = sheet.noise(rng, 140.0, 6)
    slopes = sheet.slopes(height)
    is_land = height >= 0
    off_coast_mm = sheet.distance_mm(~is_land)

    land = _mix(_flat(PARCHMENT), MEADOW, 0.5 + 0.7 * rain)
    land = _mix(land, HIGHLAND, 0.8 * (height - 1.2))
    sea = _mix(_flat(SHALLOWS), DEEP_WATER, off_coast_mm * np.float32(1 / 60))
    lit_from_north_west = np.clip((slopes[0] + slopes[1]) * 420, -30, 22)
    drawn = np.where(is_land[..., None], land + lit_from_north_west[..., None], sea)

    contours = sheet.line(height % CONTOUR_STEP - CONTOUR_STEP / 2, slopes, 0.35)
    rivers = sheet.line(river_bed, sheet.slopes(river_bed), 0.9)
    rivers *= is_land & (height < RIVERS_END)
    water_lines = np.zeros_like(height)
    for i, mm in enumerate(WATER_LINES_MM):
        line = np.clip(1.4 - abs(off_coast_mm - mm) / 0.4, 0, 1)
        water_lines = np.maximum(water_lines, (0.8 - 0.1 * i) * line)
    coast = np.clip(1.6 - off_coast_mm / 0.6, 0, 1) * ~is_land
    _draw_ink(drawn, CONTOUR_INK, 0.5 * contours * is_land)
    _draw_ink(drawn, WATER_INK, np.maximum(0.9 * rivers, water_lines))
    _draw_ink(drawn, COAST_INK, coast)

    drawn += 2.5 * sheet.noise(rng, 4.0, 2)[..., None]
    washed = np.clip(drawn, 0, 255).astype(np.uint8)
    px_wh = _Sheet(size_mm, px_per_mm).px_wh
    picture = np.asarray(cv2.resize(washed, px_wh, interpolation=cv2.INTER_CUBIC), np.uint8)
    for points_mm, ink in (
        *_hachures(rng, sheet, is_land, slopes),
        *_woods_and_peaks(rng, sheet, height, rain),
    ):
        fixed = np.rint((points_mm * px_per_mm - 0.5) * 16).astype(np.int32)
        if len(fixed) == 2:
            cv2.polylines(picture, [fixed], False, ink, 1, cv2.LINE_AA, 4)
        else:  # a filled polygon is a feature that survives distance and blur; thin lines do not
            cv2.fillPoly(picture, [fixed], ink, cv2.LINE_AA, 4)
    return picture


@dataclass(frozen=True)
class _Sheet:
    """A grid of pixels over a rectangle in millimetres, and scalar fields on it."""

    size_mm: Point
    px_per_mm: float

    @property
    def px_wh(self) -> tuple[int, int]:
        return round(self.size_mm[0] * self.px_per_mm), round(self.size_mm[1] * self.px_per_mm)

    def noise(self, rng: np.random.Generator, wavelength_mm: float, octaves: int) -> Float32s:
        """Return fractal noise about zero; each octave has half the wavelength and amplitude."""
        total = np.zeros(self.px_wh[::-1], np.float32)
        for octave in range(octaves):
            step_mm = wavelength_mm / 2**octave
            columns, rows = (int(side / step_mm) + 4 for side in self.size_mm)
            knots = rng.normal(0.0, 0.5**octave, (rows, columns)).astype(np.float32)
            # Knot (0, 0) is one step outside: cubic interpolation needs neighbours on every side.
            step = step_mm * self.px_per_mm
            first = -step - 0.5  # a pixel's coordinates are those of its middle
            px_from_knots = np.array([[step, 0, first], [0, step, first]])
            total += cv2.warpAffine(knots, px_from_knots, self.px_wh, flags=cv2.INTER_CUBIC)
        return total

    def land_near(self, points_mm: Iterable[Point]) -> Float32s:
        """Return heights above 0 (land) around the points, and below 0 (sea) far from them."""
        cell = 4.0  # mm; fine enough for the radius
        grid = np.zeros([int(side / cell) + 1 for side in self.size_mm[::-1]], np.float32)
        for x, y in points_mm:
            at = round(x / cell), round(y / cell)
            cv2.circle(grid, at, round(SETTLED_RADIUS_MM / cell), 1.0, cv2.FILLED)
        smooth = cv2.GaussianBlur(grid, (0, 0), 16.0 / cell)
        return (1.9 * cv2.resize(smooth, self.px_wh) - 0.8).astype(np.float32)

    def slopes(self, field: Float32s) -> tuple[Float32s, Float32s]:
        """Return the field's gradient per millimetre, to the east and to the south."""
        east, south = (
            cv2.Sobel(field, cv2.CV_32F, dx, 1 - dx, scale=self.px_per_mm / 8) for dx in (1, 0)
        )
        return east.astype(np.float32), south.astype(np.float32)

    def line(self, field: Float32s, slopes: tuple[Float32s, Float32s], width_mm: float) -> Float32s:
        """Return the strength of ink, 0 to 1, of lines along the field's zeros."""
        steepness = np.hypot(*slopes) + 1e-6
        return np.clip(1.5 - abs(field) / steepness / (width_mm / 2), 0, 1).astype(np.float32)

    def distance_mm(self, region: Mask) -> Float32s:
        """Return the distance of the region's points to its edge; 0 outside."""
        distance = cv2.distanceTransform(region.astype(np.uint8), cv2.DIST_L2, 5)
        return (distance / self.px_per_mm).astype(np.float32)

    def scatter(self, rng: np.random.Generator, mm2_each: float) -> Iterator[tuple[Points, Cell]]:
        """Yield random points with their pixels, on average one per `mm2_each`."""
        count = int(self.size_mm[0] * self.size_mm[1] / mm2_each)
        for point_mm in rng.uniform((0, 0), self.size_mm, (count, 2)):
            column, row = (point_mm * self.px_per_mm).astype(int)
            yield point_mm, (min(row, self.px_wh[1] - 1), min(column, self.px_wh[0] - 1))


def _flat(ink: Ink) -> Float32s:
    return np.array(ink, np.float32)


def _mix(base: Float32s, ink: Ink, share: Float32s) -> Float32s:
    """Blend a picture, or one colour, with ink by each pixel's share."""
    share = np.clip(share, 0, 1)[..., None]
    return (base + share * (_flat(ink) - base)).astype(np.float32)


def _draw_ink(drawn: Float32s, ink: Ink, share: Float32s) -> None:
    """Blend ink into a picture where its share is above 0."""
    at = share > 0
    drawn[at] += share[at, None] * (_flat(ink) - drawn[at])


def _hachures(
    rng: np.random.Generator, sheet: _Sheet, is_land: Mask, slopes: tuple[Float32s, Float32s]
) -> Iterator[Stroke]:
    """Yield short strokes down the slopes, longer on steeper ones."""
    for point_mm, cell in sheet.scatter(rng, 60.0):
        downhill = -np.array([slopes[0][cell], slopes[1][cell]], np.float64)
        steepness = np.hypot(*downhill)
        if is_land[cell] and steepness > 0.008:
            length_mm = min(90.0 * steepness, 4.5)
            yield np.array([point_mm, point_mm + downhill / steepness * length_mm]), HACHURE_INK


def _woods_and_peaks(
    rng: np.random.Generator, sheet: _Sheet, height: Float32s, rain: Float32s
) -> Iterator[Stroke]:
    """Yield trees where it rains, peaks where it is high."""
    for point_mm, cell in sheet.scatter(rng, 110.0):
        size_mm = rng.uniform(1.8, 3.8)
        summit = (rng.uniform(-0.3, 0.3), -0.9)
        if height[cell] > PEAKS_BEGIN:
            strokes = [[(-0.9, 0.6), summit], [summit, (1.0, 0.7), (0.1, 0.8), (0.3, 0.1)]]
            ink = PEAK_INK
        elif height[cell] > 0.1 and rain[cell] > 0.5:
            crown = [(-0.5, 0.2), (-0.3, -0.5), summit, (0.5, -0.3), (0.4, 0.2), (-0.5, 0.2)]
            strokes = [crown, [(0.0, 0.2), (0.0, 0.9)]]
            ink = WOOD_INK
        else:
            continue
        for stroke in strokes:
            yield point_mm + size_mm * np.array(stroke), ink
