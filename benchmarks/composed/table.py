"""A game composed of real pixels: trains cut from photos are placed on an empty board.

What a picture shows depends on the trains on it alone, not on what was laid before; only what
changed is composed again.
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Picture
from railspotter.scoring.board import Board, RouteId

from composed.laid_train import (
    LaidTrain,
    LitSource,
    Part,
    PlacedTrain,
    absolute_part,
    intersection,
    overlap,
    sort_key,
    to_share,
    union,
)
from composed.light import measure_change
from composed.source import Source
from composed.stage import Stage
from photos.labelled import LabelledPhoto

FEATHER_MM = 0.7  # over which ground fades at the border to a train that does not come along
# How near trains of two photos shade the ground between them, and how much.
GAP_MM, GAP_DARKNESS = 0.9, 0.6
PAD_MM = 4.0  # more than any blur reaches: a part that is composed alone is what it is in the whole


class ComposedTable:
    """An empty board on a stage, with the sources of its trains."""

    def __init__(self, board: Board, stage: Stage, sources: Sequence[Source]) -> None:
        self.board, self.stage = board, stage
        self._lit = {source.name: self._in_stage_light(source) for source in sources}
        self._shown: frozenset[LaidTrain] = frozenset()
        self._from_above = stage.ground.copy()
        self._frame = stage.surroundings.copy()
        stage.warp(self._from_above, self._frame)

    def _in_stage_light(self, source: Source) -> LitSource:
        change = measure_change(
            source.picture, self.stage.ground, source.bare_mask, self.stage.px_per_mm
        )
        return LitSource(source, change.apply(source.picture))

    def picture(self, trains: Collection[LaidTrain]) -> Picture:
        """Return the picture of the board with these trains, as a copy."""
        wanted = frozenset(trains)
        for part in self._changed_parts(wanted ^ self._shown):
            self._from_above[part] = self._compose(part, wanted)
            self.stage.warp(self._from_above, self._frame, self.stage.picture_part(*part))
        self._shown = wanted
        return self._frame.copy()

    @property
    def from_above(self) -> Picture:
        """The rectified board of the last picture."""
        return self._from_above.copy()

    def truth(self, trains: Collection[LaidTrain]) -> LabelledPhoto:
        """Return the picture's ground truth, in the form of the photos' labels."""
        spaces: dict[RouteId, list[str | None]] = {
            route.id: [None] * route.length for route in self.board.routes
        }
        for train in sorted(trains, key=sort_key):
            spaces[train.route][train.space] = train.colour
        claims = {train.route: train.colour for train in sorted(trains, key=sort_key)}
        height, width = self.stage.surroundings.shape[:2]
        truth: dict[str, Any] = {
            "board": self.board.id,
            "photo": "composed.jpg",
            "shoot": "composed",
            "state": "",
            "size_px": [width, height],
            "corners_px": self.stage.corners_px.tolist(),
            "claims": claims,
            "spaces": spaces,
            "half_filled_routes": [r for r, c in claims.items() if set(spaces[r]) != {c}],
            "recoloured": sorted({t.route for t in trains if t.colour != self._source_colour(t)}),
        }
        return LabelledPhoto(Path("composed.jpg"), truth)

    def _source_colour(self, train: LaidTrain) -> str:
        source = self._lit[train.source].source
        return source.trains[source.number_by_space[train.route, train.space]].colour

    def _changed_parts(self, changed: Collection[LaidTrain]) -> Iterator[Part]:
        """Yield the parts of the board to compose again; overlapping ones are joined."""
        parts: list[Part] = []
        for train in sorted(changed, key=sort_key):
            part = self._place(train).bounds
            while overlapping := next((p for p in parts if overlap(p, part)), None):
                parts.remove(overlapping)
                part = union(part, overlapping)
            parts.append(part)
        return iter(parts)

    def _place(self, train: LaidTrain) -> PlacedTrain:
        return PlacedTrain(train, self._lit[train.source], self.stage.px_per_mm)

    def _compose(self, part: Part, trains: Collection[LaidTrain]) -> Picture:
        """Compose a part of the board: shadows and ground first, then plastic."""
        pad = round(PAD_MM * self.stage.px_per_mm)
        height, width = self.stage.ground.shape[:2]
        wide = (
            slice(max(part[0].start - pad, 0), min(part[0].stop + pad, height)),
            slice(max(part[1].start - pad, 0), min(part[1].stop + pad, width)),
        )
        canvas = np.array(self.stage.ground[wide], np.float32)
        covered: Float32s = np.zeros(canvas.shape[:2], np.float32)
        placed = [self._place(train) for train in sorted(trains, key=sort_key)]
        placed = [train for train in placed if overlap(train.bounds, wide)]
        standing = [p for p in placed if not p.train.is_displaced]
        by_source = [
            (lit, [p for p in standing if p.lit is lit])
            for lit in self._lit.values()
            if any(p.lit is lit for p in standing)
        ]
        cores = [
            _ownership_mask(lit.source, own, wide) * to_share(lit.source.plastic[wide])
            for lit, own in by_source
        ]
        for lit, own in by_source:
            share = self._source_share(lit, own, wide)
            laid = np.array(lit.picture[wide], np.float32)
            # Another photo's shadow stays where this one has bare ground.
            laid += covered[..., None] * (np.minimum(laid, canvas) - laid)
            canvas += share[..., None] * (laid - canvas)
            np.maximum(covered, share, out=covered)
        canvas *= self._light_in_gaps(cores, covered)[..., None]
        for train in placed:
            if train.train.is_displaced:
                here = intersection(train.bounds, wide)
                canvas[here] *= train.shadow(absolute_part(here, wide))[..., None]
        for (lit, _), core in zip(by_source, cores, strict=True):
            canvas += core[..., None] * (np.asarray(lit.picture[wide], np.float32) - canvas)
        for train in placed:
            if train.train.is_displaced or train.is_recoloured:
                here = intersection(train.bounds, wide)
                paint, share = train.plastic(absolute_part(here, wide))
                canvas[here] += share[..., None] * (paint - canvas[here])
        return np.asarray(np.clip(canvas[intersection(part, wide)] + 0.5, 0, 255), np.uint8)

    def _light_in_gaps(self, cores: Sequence[Float32s], covered: Float32s) -> Float32s:
        """Return the light that is left where trains of two photos are close together.

        Neither photo has seen the shadow between them.
        """
        plastic = np.sum([np.zeros_like(covered), *cores], axis=0, dtype=np.float32)
        sigma = GAP_MM * self.stage.px_per_mm
        around = np.asarray(cv2.GaussianBlur(np.minimum(plastic, 1), (0, 0), sigma), np.float32)
        between = np.clip((around - 0.5) / 0.25, 0, 1) * (1 - covered)
        return np.asarray(1 - GAP_DARKNESS * between, np.float32)

    def _source_share(self, lit: LitSource, own: Sequence[PlacedTrain], part: Part) -> Float32s:
        """Return a source's share of every pixel."""
        mask = _ownership_mask(lit.source, own, part)
        sigma = FEATHER_MM * self.stage.px_per_mm
        soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32)
        feathered = np.clip(2 * soft - 1, 0, 1)
        kept = np.maximum(feathered, mask * to_share(lit.source.plastic[part]))
        return np.asarray(kept * to_share(lit.source.reach[part]), np.float32)


def _ownership_mask(source: Source, trains: Sequence[PlacedTrain], part: Part) -> Float32s:
    wanted = np.zeros(len(source.trains) + 1, np.float32)  # the last one is nobody's
    wanted[[train.number for train in trains]] = 1
    return np.asarray(wanted[source.owner[part]], np.float32)
