"""Rendered trains: made-up moulds as height maps, painted slice by slice with their lean."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Mask, Picture, Points

from rendered.canvas import PX_PER_MM, directions

PLASTICS: dict[str, tuple[float, float, float]] = {
    "black": (38, 36, 36),
    "blue": (165, 95, 20),
    "green": (70, 95, 30),
    "red": (45, 45, 185),
    "yellow": (35, 200, 225),
    "white": (225, 230, 230),
    "purple": (105, 45, 100),
    "pink": (150, 100, 210),
    "orange": (30, 120, 230),
}
PATCH_MM = (34.0, 16.0)  # room for a mould
STATION_PATCH_MM = 20.0  # room for a station's, on each side
REACH_MM = 20.0  # a train or a station ends that far from its middle, but for its lean
SLICES, SLICE_MM = 8, 1.1  # at least so many, and no slice higher


@dataclass(frozen=True)
class Lamp:
    """The light: its direction (x, y, z), its ambient share, and the gloss of plastic."""

    towards: tuple[float, float, float]
    ambient: float
    gloss: float
    gloss_power: float
    strength: float


@dataclass(frozen=True, eq=False)
class Mould:
    """The shape of a train: height in mm over its patch; its length, width and height in mm."""

    relief: Float32s
    size_mm: tuple[float, float, float]
    softness: float

    @classmethod
    def random_train(cls, rng: Generator) -> "Mould":
        """Return a random train: a wagon, rounded or ridged, or an engine."""
        length, width, height = rng.normal((25.5, 8.6, 8.8), (0.7, 0.5, 0.7))
        columns, rows = (round(side * PX_PER_MM) for side in PATCH_MM)
        x, y = np.meshgrid(
            (np.arange(columns) + 0.5) / PX_PER_MM - PATCH_MM[0] / 2,
            (np.arange(rows) + 0.5) / PX_PER_MM - PATCH_MM[1] / 2,
        )
        along, across = abs(x) / (length / 2), abs(y) / (width / 2)
        foot = (along < 1) & (across < 1)
        shape = SHAPES[rng.integers(len(SHAPES))]
        relief = np.where(foot, height * shape(rng, along * np.sign(x), across), 0)
        if rng.random() < 0.7:
            rib = np.sin(x * 2 * np.pi / rng.uniform(1.5, 4.5)) > rng.uniform(-0.5, 0.6)
            flank = across > 1 - rng.uniform(0.1, 0.25)
            relief = np.where(rib & flank, relief * rng.uniform(0.3, 0.9), relief)
        if rng.random() < 0.4:
            groove = np.sin(x * 2 * np.pi / rng.uniform(2, 6) + 1) > 0.8
            relief = np.where(groove, relief * rng.uniform(0.93, 1), relief)
        for _ in range(rng.integers(0, 4)):
            at_x, at_y = rng.uniform(-length, length) / 2, rng.uniform(-width, width) / 4
            bump = (abs(x - at_x) < rng.uniform(0.5, 2)) & (abs(y - at_y) < rng.uniform(0.5, 2))
            relief = np.where(bump & foot, relief + rng.uniform(-0.6, 0.8), relief)
        smooth = cv2.GaussianBlur(relief.astype(np.float32), (0, 0), 0.35 * PX_PER_MM)
        smooth *= (relief > 0).astype(np.float32)
        size = (float(length), float(width), float(height))
        return cls(np.asarray(smooth, np.float32), size, rng.uniform(0.5, 1.2))

    @classmethod
    def random_station(cls, rng: Generator) -> "Mould":
        """Return a random station: a hall with a gable, and a tower or a chimney at one end."""
        side, height = rng.normal(14.5, 0.8), rng.normal(13.0, 1.2)
        pixels = round(STATION_PATCH_MM * PX_PER_MM)
        at = (np.arange(pixels) + 0.5) / PX_PER_MM - STATION_PATCH_MM / 2
        x, y = np.meshgrid(at / (side / 2), at / (side / 2) / rng.uniform(0.9, 1.15))
        wide, ridge = rng.uniform(0.65, 1.0), rng.uniform(0.6, 0.9)
        inside = (abs(x) < 1) & (abs(y) < 1)
        relief = np.where(inside, rng.uniform(0.1, 0.5), 0.0)
        hall = inside & (abs(y) < wide)
        gable = ridge - rng.uniform(0.1, 0.45) * abs(y) / wide
        relief = np.where(hall, gable, relief)
        near, far = rng.uniform(-0.3, 0.6), rng.uniform(0.8, 1.0)
        tower = (x > near) & (x < far) & (abs(y) < rng.uniform(0.2, 0.6))
        relief = np.where(tower & inside, 1.0, relief)
        smooth = cv2.GaussianBlur((height * relief).astype(np.float32), (0, 0), 0.3 * PX_PER_MM)
        smooth *= inside.astype(np.float32)
        size = (float(side), float(side), float(height))
        return cls(np.asarray(smooth, np.float32), size, rng.uniform(0.5, 1.2))

    @cached_property
    def slices(self) -> list[tuple[float, Picture, Picture]]:
        """Heights in mm, what reaches them, and where of that the roof is: masks of 255."""
        highest = float(self.relief.max())
        heights = np.linspace(0.4, highest, max(SLICES, round(highest / SLICE_MM)))
        half = (heights[1] - heights[0]) / 2
        return [
            (
                float(height),
                _mask(self.relief >= max(height - half, 0.5)),
                _mask(self.relief < height + half),
            )
            for height in heights
        ]

    @cached_property
    def roof_normals(self) -> Float32s:
        """Unit vectors (x, y, z) of surfaces that face up, (3, rows, columns)."""
        x, y = _gradients(cv2.GaussianBlur(self.relief, (0, 0), self.softness), PX_PER_MM / 8)
        long = np.sqrt(x * x + y * y + 1)
        return np.asarray(np.stack([-x / long, -y / long, 1 / long]), np.float32)

    @cached_property
    def side_normals(self) -> Float32s:
        """Unit vectors (x, y) of surfaces that face sideways, (2, rows, columns)."""
        body = (self.relief > 0.3).astype(np.float32)
        x, y = _gradients(cv2.GaussianBlur(body, (0, 0), 1.5), 1.0)
        long = np.sqrt(x * x + y * y) + 1e-4
        return np.asarray(np.stack([-x / long, -y / long]), np.float32)

    def paint(
        self,
        picture: Picture,
        foot_mm: Points,
        angle: float,
        plastic: Float64s,
        lean_per_mm: Points,
        lamp: Lamp,
    ) -> None:
        """Paint a train of this shape where its foot is; it leans so far for each mm of height."""
        reach_mm = REACH_MM + float(np.hypot(*lean_per_mm)) * self.size_mm[2]
        left, top = (max(0, int((at - reach_mm) * PX_PER_MM)) for at in foot_mm)
        right, bottom = (int((at + reach_mm) * PX_PER_MM) for at in foot_mm)
        part = picture[top:bottom, left:right] if right > left and bottom > top else picture[:0]
        if min(part.shape[:2]) < 4:
            return
        roof, side = self._shade(angle, plastic, lamp)
        along, across = directions(angle)
        turn = np.stack([along, across], axis=1)
        middle = (np.array(self.relief.shape[::-1]) - 1) / 2
        for height, reaches, is_roof in self.slices:
            # The lower, the darker: the board keeps light away.
            depth = 0.75 + 0.25 * height / self.size_mm[2]
            layer = cv2.convertScaleAbs(side, alpha=depth)
            cv2.copyTo(roof, is_roof, layer)
            at = (foot_mm + lean_per_mm * height) * PX_PER_MM - 0.5 - (left, top) - turn @ middle
            placed = cv2.warpAffine(
                np.dstack([layer, reaches]), np.c_[turn, at], (part.shape[1], part.shape[0])
            )
            shown = cv2.threshold(placed[..., 3], 127, 255, cv2.THRESH_BINARY)[1]
            cv2.copyTo(np.ascontiguousarray(placed[..., :3]), shown, part)

    def _shade(self, angle: float, plastic: Float64s, lamp: Lamp) -> tuple[Picture, Picture]:
        """Return the colours of roofs and sides, (rows, columns, 3) each."""
        along, across = directions(angle)
        towards = np.array(lamp.towards)
        x, y, z = float(towards[:2] @ along), float(towards[:2] @ across), float(towards[2])
        ink = np.asarray(plastic, np.float32)
        level = max(z, 0.35)

        def of_lamp(share: Float32s, ambient: float) -> Float32s:
            lit = ambient + (1 - lamp.ambient) * np.clip(share / level, 0, 1.5)
            return np.asarray(lit, np.float32)

        halfway = np.array([x, y, z + 1], np.float32) / np.float32(
            np.sqrt(x * x + y * y + (z + 1) ** 2)
        )
        normals = self.roof_normals
        shine = np.maximum(np.tensordot(halfway, normals, 1), 0) ** np.float32(lamp.gloss_power)
        direct = np.tensordot(np.array([x, y, z], np.float32), normals, 1)
        roof = of_lamp(direct, lamp.ambient)[..., None] * ink + (lamp.gloss * shine)[..., None]
        across_side = np.tensordot(np.array([x, y], np.float32), self.side_normals, 1)
        side = of_lamp(0.9 * across_side, 0.65 * lamp.ambient)[..., None] * ink
        return _to_levels(roof * lamp.strength), _to_levels(side * lamp.strength)


def _wagon_relief(rng: Generator, along: Float32s, across: Float32s) -> Float32s:
    """Return the heights of a plinth, a body and a roof, framed or flat."""
    along = abs(along)
    wide, long = rng.uniform(0.8, 1), rng.uniform(0.88, 1)
    relief = np.where((along < long) & (across < wide), 0.85, rng.uniform(0.2, 0.4))
    wide, long = wide * rng.uniform(0.6, 0.85), long * rng.uniform(0.8, 0.95)
    relief = np.where((along < long) & (across < wide), 1.0, relief)
    if rng.random() < 0.6:
        inside = (along < long - 0.08) & (across < wide - 0.23)
        relief = np.where(inside, rng.uniform(0.86, 0.97), relief)
    return np.asarray(relief, np.float32)


def _rounded_relief(_: Generator, __: Float32s, across: Float32s) -> Float32s:
    return np.asarray(0.7 + 0.3 * np.sqrt(np.clip(1 - across**2, 0, 1)), np.float32)


def _ridged_relief(_: Generator, __: Float32s, across: Float32s) -> Float32s:
    return np.asarray(0.75 + 0.25 * np.clip(1 - across, 0, 1), np.float32)


def _engine_relief(rng: Generator, along: Float32s, across: Float32s) -> Float32s:
    """Return the heights of a plinth, a boiler, a cab behind, a chimney and a dome."""
    boiler = 0.45 + 0.4 * np.sqrt(np.clip(1 - (across / 0.75) ** 2, 0, 1))
    relief = np.where((abs(along) < 0.97) & (across < 0.75), boiler, 0.35)
    relief = np.where(along < -0.45, 0.95, relief)
    for place, radius in ((0.65, rng.uniform(0.08, 0.16)), (0.2, rng.uniform(0.06, 0.12))):
        # A train is three times as long as it is wide.
        relief = np.where((along - place) ** 2 + (across / 3) ** 2 < radius**2, 1.0, relief)
    return np.asarray(relief, np.float32)


SHAPES = (_wagon_relief, _rounded_relief, _engine_relief, _ridged_relief)


def _gradients(picture: npt.NDArray[Any], scale: float) -> tuple[Float32s, Float32s]:
    x, y = (cv2.Sobel(picture, cv2.CV_32F, dx, 1 - dx, scale=scale) for dx in (1, 0))
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def _mask(where: Mask) -> Picture:
    return np.where(where, np.uint8(255), np.uint8(0))


def _to_levels(tones: AnyFloats) -> Picture:
    return np.asarray(np.clip(tones, 0, 255), np.uint8)
