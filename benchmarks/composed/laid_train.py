"""A train from a photo, placed on another board: in its place, elsewhere, or recoloured."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Picture
from railspotter.scoring.board import RouteId

from composed.source import Source

CHROMA_OF_GLOSS = 0.5  # a highlight has less colour than the plastic around it
MOST_GLOSS = 1.2  # over the plastic's own lightness: what is lighter is ground at the train's edge
Part = tuple[slice, slice]  # part of a picture that is painted together: rows and columns


@dataclass(frozen=True, order=True)
class LaidTrain:
    """A train from a photo, to be placed on the composed board."""

    # route, space: Which train of the source it is: the one that stands on that space there.
    route: RouteId
    space: int
    source: str  # the photo it is cut from
    colour: str  # what it shows here; another one than in the source is painted over its shading
    shift_mm: tuple[float, float] = (0.0, 0.0)  # how far off the place it has in the source
    turn_deg: float = 0.0  # how far turned, clockwise

    @property
    def is_displaced(self) -> bool:
        """Whether it is in another place than in its source."""
        return self.shift_mm != (0.0, 0.0) or self.turn_deg != 0.0


@dataclass(frozen=True, eq=False)
class LitSource:
    """A source in the stage's light."""

    source: Source
    picture: Picture


@dataclass(frozen=True, eq=False)
class PlacedTrain:
    """A placed train and its pixels."""

    train: LaidTrain
    lit: LitSource
    px_per_mm: float

    @cached_property
    def number(self) -> int:
        """Its number among the source's trains."""
        return self.lit.source.number_by_space[self.train.route, self.train.space]

    @property
    def is_recoloured(self) -> bool:
        """Whether it has another colour than in the source."""
        return self.train.colour != self.lit.source.trains[self.number].colour

    @cached_property
    def _source_part(self) -> Part:
        return self.lit.source.bounds[self.number]

    @cached_property
    def _board_from_source(self) -> Float32s:
        """The (2, 3) transformation from the source's pixels to the board's."""
        x, y = np.array(self.lit.source.trains[self.number].xy_mm) * self.px_per_mm - 0.5
        about = (float(x), float(y))
        turn = np.asarray(cv2.getRotationMatrix2D(about, -self.train.turn_deg, 1.0), np.float32)
        turn[:, 2] += np.array(self.train.shift_mm, np.float32) * np.float32(self.px_per_mm)
        return turn

    @cached_property
    def bounds(self) -> Part:
        """The part of the board with its pixels and shadow."""
        rows, columns = self._source_part
        if not self.train.is_displaced:
            return self._source_part
        corners = [
            [x, y, 1] for x in (columns.start, columns.stop) for y in (rows.start, rows.stop)
        ]
        seen = np.array(corners) @ self._board_from_source.T
        height, width = self.lit.picture.shape[:2]
        low = np.clip(np.floor(seen.min(axis=0)).astype(int) - 1, 0, (width, height))
        high = np.clip(np.ceil(seen.max(axis=0)).astype(int) + 1, 0, (width, height))
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))

    def plastic(self, part: Part) -> tuple[Float32s, Float32s]:
        """Return its colours and its share of every pixel, in a part of the board."""
        source, part_there = self.lit.source, self._source_part
        share = self._own_mask * to_share(source.plastic[part_there])
        paint = self.lit.picture[part_there]
        if self.is_recoloured:
            colour = source.trains[self.number].colour
            paint = recolour(paint, share, source.plastic_lab, colour, self.train.colour)
        return self._warp(paint.astype(np.float32), part), self._warp(share, part)

    def shadow(self, part: Part) -> Float32s:
        """Return the share of light that its shadow leaves on each pixel of a part of the board."""
        own = self._source_part
        dark = 1 - to_share(self.lit.source.shadow[own])
        taken = self._own_mask * to_share(self.lit.source.reach[own]) * dark
        return np.asarray(1 - self._warp(taken, part), np.float32)

    @property
    def _own_mask(self) -> Float32s:
        owner = self.lit.source.owner[self._source_part]
        return np.asarray(owner == self.number, np.float32)

    def _warp(self, values: Float32s, part: Part) -> Float32s:
        rows, columns = part
        turn = np.array(self._board_from_source, np.float64)
        turn[:, 2] += turn[:, :2] @ (self._source_part[1].start, self._source_part[0].start)
        turn[:, 2] -= (columns.start, rows.start)
        size_wh = columns.stop - columns.start, rows.stop - rows.start
        return np.asarray(cv2.warpAffine(values, turn, size_wh, flags=cv2.INTER_LINEAR), np.float32)


def recolour(
    picture: Picture, plastic: Float32s, colours: Mapping[str, Float64s], colour: str, wanted: str
) -> Picture:
    """Return a picture with its trains in another of the photo's colours."""
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    here = plastic > 0.5
    if not here.any():
        return picture
    # The measured plastic of these very pixels, so that their light stays theirs.
    own = np.median(lab[here], axis=0)
    target = colours[wanted] + (own - colours[colour]) * np.array([1, 0.3, 0.3])
    shade = (lab[..., 0] - own[0]) / max(float(own[0]), 25.0)
    scale = max(float(target[0]), 12.0)
    shade = np.clip(shade, -1, MOST_GLOSS)
    lightness = target[0] + shade * np.where(shade < 0, scale, 25.0)
    dull = np.clip(1 + 0.6 * np.minimum(shade, 0), 0.2, 1)
    dull /= 1 + CHROMA_OF_GLOSS * np.maximum(shade, 0)
    painted = np.dstack([np.clip(lightness, 0, 100), target[1] * dull, target[2] * dull])
    bgr = cv2.cvtColor(painted.astype(np.float32), cv2.COLOR_LAB2BGR)
    return np.asarray(np.clip(np.asarray(bgr) * 255 + 0.5, 0, 255), np.uint8)


def sort_key(train: LaidTrain) -> tuple[Any, ...]:
    """Return a sort key, so that trains are always placed in the same order."""
    return train.source, train.route, train.space, train.colour, train.shift_mm, train.turn_deg


def to_share(values: Picture) -> Float32s:
    """Map 0 to 255 to 0 to 1."""
    return np.asarray(values / np.float32(255), np.float32)


def trains_of_routes(
    source: Source, routes: Collection[RouteId], colours: Mapping[RouteId, str] | None = None
) -> tuple[LaidTrain, ...]:
    """Return all trains of some routes of a source, to be placed."""
    return tuple(
        LaidTrain(t.route, t.space, source.name, (colours or {}).get(t.route, t.colour))
        for t in source.trains
        if t.route in routes
    )


def overlap(first: Part, second: Part) -> bool:
    """Tell whether two parts overlap."""
    return all(a.start < b.stop and b.start < a.stop for a, b in zip(first, second, strict=True))


def intersection(part: Part, whole: Part) -> Part:
    """Return the intersection of a part with a whole, relative to the whole's corner."""
    rows, columns = (
        slice(max(a.start - b.start, 0), min(a.stop, b.stop) - b.start)
        for a, b in zip(part, whole, strict=True)
    )
    return rows, columns


def absolute_part(part: Part, whole: Part) -> Part:
    """Return a part in the coordinates before `intersection`."""
    rows, columns = (
        slice(a.start + b.start, a.stop + b.start) for a, b in zip(part, whole, strict=True)
    )
    return rows, columns


def union(first: Part, second: Part) -> Part:
    """Return the bounding box of both parts."""
    rows, columns = (
        slice(min(a.start, b.start), max(a.stop, b.stop))
        for a, b in zip(first, second, strict=True)
    )
    return rows, columns
