"""A game composed of real pixels: trains cut from occupied photos are laid onto an empty board.

What a picture shows depends on the trains on it alone, not on what was laid before; only what
changed is composed again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from composed_light import Floats, Picture, measure_change
from composed_plastic import recoloured
from composed_source import Source
from composed_stage import Stage
from photo_set import LabelledPhoto
from railspotter.scoring.board import Board, RouteId

Part = tuple[slice, slice]

FEATHER_MM = 0.7
"""Over which ground fades at the border to a train that does not come along."""
GAP_MM, GAP_DARKNESS = 0.9, 0.6
"""How near trains of two photos shade the ground between them, and how much."""
PAD_MM = 4.0
"""More than any blur reaches: a part that is composed alone is what it is in the whole."""


@dataclass(frozen=True, order=True)
class LaidTrain:
    """A train from a photo, laid onto the composed board.

    Attributes
    ----------
    route, space : str, int
        Which train of the source it is: the one that stands on that space there.
    source : str
        The photo it is cut from.
    colour : str
        What it shows here; another one than in the source is painted over its shading.
    shift_mm : tuple of float
        How far off the place it has in the source.
    turn_deg : float
        How far turned, clockwise.
    stray_on : (route, space), optional
        Where it counts as lying when it was bumped off its own space.
    """

    route: RouteId
    space: int
    source: str
    colour: str
    shift_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    stray_on: tuple[RouteId, int] | None = None

    @property
    def is_displaced(self) -> bool:
        """Whether it lies elsewhere than in its source."""
        return self.shift_mm != (0.0, 0.0) or self.turn_deg != 0.0


@dataclass(frozen=True, eq=False)
class _Lit:
    """A source in the light of the stage."""

    source: Source
    picture: Picture


class ComposedTable:
    """An empty board on a stage, and trains of some sources to lay on it.

    Parameters
    ----------
    board : Board
    stage : Stage
    sources : sequence of Source
        At the scale of the stage.
    """

    def __init__(self, board: Board, stage: Stage, sources: Sequence[Source]) -> None:
        self.board, self.stage = board, stage
        self._lit = {source.name: self._light(source) for source in sources}
        self._shown: frozenset[LaidTrain] = frozenset()
        self._from_above = stage.ground.copy()
        self._frame = stage.surroundings.copy()
        stage.show(self._from_above, self._frame)

    def _light(self, source: Source) -> _Lit:
        change = measure_change(
            source.picture, self.stage.ground, source.bare, self.stage.px_per_mm
        )
        return _Lit(source, change.of(source.picture))

    def picture(self, trains: Collection[LaidTrain]) -> Picture:
        """Return the picture of the board with these trains on it; it is the caller's to change."""
        wanted = frozenset(trains)
        for part in self._changed_parts(wanted ^ self._shown):
            self._from_above[part] = self._composed(part, wanted)
            self.stage.show(self._from_above, self._frame, self.stage.part_of(*part))
        self._shown = wanted
        return self._frame.copy()

    @property
    def from_above(self) -> Picture:
        """The board of the last picture as seen from straight above."""
        return self._from_above.copy()

    def truth(self, trains: Collection[LaidTrain], name: str = "composed") -> LabelledPhoto:
        """Return what is true of the picture, in the form of the labels beside real photos."""
        spaces: dict[RouteId, list[str | None]] = {
            route.id: [None] * route.length for route in self.board.routes
        }
        for train in sorted(trains, key=_in_order):
            route, space = train.stray_on or (train.route, train.space)
            spaces[route][space] = train.colour
        claims = {train.route: train.colour for train in sorted(trains, key=_in_order)}
        height, width = self.stage.surroundings.shape[:2]
        truth: dict[str, Any] = {
            "board": self.board.id,
            "photo": f"{name}.jpg",
            "shoot": "composed",
            "state": "",
            "size_px": [width, height],
            "corners_px": self.stage.corners_px.tolist(),
            "claims": claims,
            "spaces": spaces,
            "half_filled_routes": [r for r, c in claims.items() if set(spaces[r]) != {c}],
            "stray_trains": [
                {"route": t.stray_on[0], "space": t.stray_on[1]} for t in trains if t.stray_on
            ],
            "recoloured": sorted({t.route for t in trains if t.colour != self._own_colour(t)}),
        }
        return LabelledPhoto(Path(f"{name}.jpg"), truth)

    def _own_colour(self, train: LaidTrain) -> str:
        source = self._lit[train.source].source
        return source.trains[source.index[train.route, train.space]].colour

    def _changed_parts(self, changed: Collection[LaidTrain]) -> Iterator[Part]:
        """Yield the parts of the board that must be composed again; overlapping ones as one."""
        parts: list[Part] = []
        for train in sorted(changed, key=_in_order):
            part = self._placed(train).bounds
            while overlapping := next((p for p in parts if _overlap(p, part)), None):
                parts.remove(overlapping)
                part = _union(part, overlapping)
            parts.append(part)
        return iter(parts)

    def _placed(self, train: LaidTrain) -> _Placed:
        return _Placed(train, self._lit[train.source], self.stage.px_per_mm)

    def _composed(self, part: Part, trains: Collection[LaidTrain]) -> Picture:
        """Compose a part of the board: shadows and ground first, plastic over them."""
        pad = round(PAD_MM * self.stage.px_per_mm)
        height, width = self.stage.ground.shape[:2]
        wide = (
            slice(max(part[0].start - pad, 0), min(part[0].stop + pad, height)),
            slice(max(part[1].start - pad, 0), min(part[1].stop + pad, width)),
        )
        canvas = np.array(self.stage.ground[wide], np.float32)
        covered: Floats = np.zeros(canvas.shape[:2], np.float32)
        placed = [self._placed(train) for train in sorted(trains, key=_in_order)]
        placed = [train for train in placed if _overlap(train.bounds, wide)]
        standing = [p for p in placed if not p.train.is_displaced]
        by_source = [
            (lit, [p for p in standing if p.lit is lit])
            for lit in self._lit.values()
            if any(p.lit is lit for p in standing)
        ]
        cores = [
            _owned(lit.source, own, wide) * _share_of(lit.source.plastic[wide])
            for lit, own in by_source
        ]
        for lit, own in by_source:
            share = self._share(lit, own, wide)
            laid = np.array(lit.picture[wide], np.float32)
            # Another photo's shadow stays where this one has bare ground.
            laid += covered[..., None] * (np.minimum(laid, canvas) - laid)
            canvas += share[..., None] * (laid - canvas)
            np.maximum(covered, share, out=covered)
        canvas *= self._light_in_gaps(cores, covered)[..., None]
        for train in placed:
            if train.train.is_displaced:
                here = _within(train.bounds, wide)
                canvas[here] *= train.shadow(_shifted(here, wide))[..., None]
        for (lit, _), core in zip(by_source, cores, strict=True):
            canvas += core[..., None] * (np.asarray(lit.picture[wide], np.float32) - canvas)
        for train in placed:
            if train.train.is_displaced or train.is_recoloured:
                here = _within(train.bounds, wide)
                paint, share = train.plastic(_shifted(here, wide))
                canvas[here] += share[..., None] * (paint - canvas[here])
        return np.asarray(np.clip(canvas[_within(part, wide)] + 0.5, 0, 255), np.uint8)

    def _light_in_gaps(self, cores: Sequence[Floats], covered: Floats) -> Floats:
        """Return how much light is left where trains of two photos stand close together.

        Neither photo has seen the shadow between them.
        """
        plastic = np.sum([np.zeros_like(covered), *cores], axis=0, dtype=np.float32)
        sigma = GAP_MM * self.stage.px_per_mm
        around = np.asarray(cv2.GaussianBlur(np.minimum(plastic, 1), (0, 0), sigma), np.float32)
        between = np.clip((around - 0.5) / 0.25, 0, 1) * (1 - covered)
        return np.asarray(1 - GAP_DARKNESS * between, np.float32)

    def _share(self, lit: _Lit, own: Sequence[_Placed], part: Part) -> Floats:
        """Return how much of every pixel comes from a source."""
        mask = _owned(lit.source, own, part)
        sigma = FEATHER_MM * self.stage.px_per_mm
        soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32)
        feathered = np.clip(2 * soft - 1, 0, 1)
        kept = np.maximum(feathered, mask * _share_of(lit.source.plastic[part]))
        return np.asarray(kept * _share_of(lit.source.reach[part]), np.float32)


@dataclass(frozen=True, eq=False)
class _Placed:
    """A laid train and the pixels it is made of."""

    train: LaidTrain
    lit: _Lit
    px_per_mm: float

    @cached_property
    def number(self) -> int:
        return self.lit.source.index[self.train.route, self.train.space]

    @property
    def is_recoloured(self) -> bool:
        return self.train.colour != self.lit.source.trains[self.number].colour

    @cached_property
    def _from(self) -> Part:
        return self.lit.source.bounds[self.number]

    @cached_property
    def _turn(self) -> Floats:
        """Map the source's pixels to where they are laid, (2, 3)."""
        x, y = np.array(self.lit.source.trains[self.number].xy_mm) * self.px_per_mm - 0.5
        about = (float(x), float(y))
        turn = np.asarray(cv2.getRotationMatrix2D(about, -self.train.turn_deg, 1.0), np.float32)
        turn[:, 2] += np.array(self.train.shift_mm, np.float32) * np.float32(self.px_per_mm)
        return turn

    @cached_property
    def bounds(self) -> Part:
        """The part of the board that it reaches into."""
        rows, columns = self._from
        if not self.train.is_displaced:
            return self._from
        corners = [
            [x, y, 1] for x in (columns.start, columns.stop) for y in (rows.start, rows.stop)
        ]
        seen = np.array(corners) @ self._turn.T
        height, width = self.lit.picture.shape[:2]
        low = np.clip(np.floor(seen.min(axis=0)).astype(int) - 1, 0, (width, height))
        high = np.clip(np.ceil(seen.max(axis=0)).astype(int) + 1, 0, (width, height))
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))

    def plastic(self, part: Part) -> tuple[Floats, Floats]:
        """Return its plastic in a part of the board: colours, and how much of every pixel."""
        source, own = self.lit.source, self._from
        share = self._own * _share_of(source.plastic[own])
        paint = self.lit.picture[own]
        if self.is_recoloured:
            colour = source.trains[self.number].colour
            paint = recoloured(paint, share, source.plastic_lab, colour, self.train.colour)
        return self._laid(paint.astype(np.float32), part), self._laid(share, part)

    def shadow(self, part: Part) -> Floats:
        """Return how much light its shadow leaves on every pixel of a part of the board."""
        own = self._from
        dark = 1 - _share_of(self.lit.source.shadow[own])
        taken = self._own * _share_of(self.lit.source.reach[own]) * dark
        return np.asarray(1 - self._laid(taken, part), np.float32)

    @property
    def _own(self) -> Floats:
        owner = self.lit.source.owner[self._from]
        return np.asarray(owner == self.number, np.float32)

    def _laid(self, values: Floats, part: Part) -> Floats:
        rows, columns = part
        turn = np.array(self._turn, np.float64)
        turn[:, 2] += turn[:, :2] @ (self._from[1].start, self._from[0].start)
        turn[:, 2] -= (columns.start, rows.start)
        size_wh = columns.stop - columns.start, rows.stop - rows.start
        return np.asarray(cv2.warpAffine(values, turn, size_wh, flags=cv2.INTER_LINEAR), np.float32)


def _in_order(train: LaidTrain) -> tuple[Any, ...]:
    return train.source, train.route, train.space, train.colour, train.shift_mm, train.turn_deg


def _owned(source: Source, trains: Sequence[_Placed], part: Part) -> Floats:
    wanted = np.zeros(len(source.trains) + 1, np.float32)  # the last one is nobody's
    wanted[[train.number for train in trains]] = 1
    return np.asarray(wanted[source.owner[part]], np.float32)


def _share_of(values: Picture) -> Floats:
    return np.asarray(values / np.float32(255), np.float32)


def _overlap(first: Part, second: Part) -> bool:
    return all(a.start < b.stop and b.start < a.stop for a, b in zip(first, second, strict=True))


def _within(part: Part, whole: Part) -> Part:
    """Return what of a part lies in a whole, counted from the whole's corner."""
    rows, columns = (
        slice(max(a.start - b.start, 0), min(a.stop, b.stop) - b.start)
        for a, b in zip(part, whole, strict=True)
    )
    return rows, columns


def _shifted(part: Part, whole: Part) -> Part:
    """Undo what `_within` counted off."""
    rows, columns = (
        slice(a.start + b.start, a.stop + b.start) for a, b in zip(part, whole, strict=True)
    )
    return rows, columns


def _union(first: Part, second: Part) -> Part:
    rows, columns = (
        slice(min(a.start, b.start), max(a.stop, b.stop))
        for a, b in zip(first, second, strict=True)
    )
    return rows, columns


def whole_routes(
    source: Source, routes: Collection[RouteId], colours: Mapping[RouteId, str] | None = None
) -> tuple[LaidTrain, ...]:
    """Return all trains of some routes of a source, ready to be laid.

    Parameters
    ----------
    colours : mapping, optional
        Other colours than they have in the source.
    """
    return tuple(
        LaidTrain(t.route, t.space, source.name, (colours or {}).get(t.route, t.colour))
        for t in source.trains
        if t.route in routes
    )
