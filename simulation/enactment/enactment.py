"""A played game as people's hands do it on a real table: a function of time.

Times are seconds from the beginning. What stands on the board is in the board's millimetres; hands
are in the table's, which are the same until somebody pushes the board.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import atan2, degrees, pi, sin
from typing import Literal

from railspotter.scoring.board import Board, PlaceId, RouteId, SiteId
from railspotter.scoring.edition import Colour

from ..arrays import Point
from ..played_game import PlayedGame
from ..virtual_board.light import Light
from ..virtual_board.pieces import Piece
from ..virtual_board.scene import BoardShift, Scene
from ..virtual_board.things import Thing
from .habits import Habits

DRIFT_S = (97.0, 41.0, 63.0)  # periods of the light's drift: strength, blue and red
TREMOR_MM = 0.7  # How far a hand that is held still still moves. Chosen.
EventKind = Literal[
    "turn", "claimed", "withdrawn", "station built", "site claimed", "hand left", "board moved"
]


@dataclass(frozen=True)
class Stage:
    """The pieces on the table until the next change."""

    t_s: float  # since when
    standing: Mapping[str, Piece]  # every piece that is not in a hand, by its own name ("red 12")
    claims: Mapping[RouteId, Colour]  # the routes that are laid from end to end

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece that stands."""
        return tuple(self.standing.values())

    @property
    def stations(self) -> dict[PlaceId, Colour]:
        """Whose station stands in which city."""
        return {str(piece.place): piece.colour for piece in self.pieces if piece.kind == "station"}

    @property
    def sites(self) -> dict[SiteId, Colour]:
        """Whose train stands on which site."""
        trains = (piece for piece in self.pieces if piece.kind != "station" and piece.place)
        return {str(piece.place): piece.colour for piece in trains}


@dataclass(frozen=True, slots=True)
class HandKey:
    """Where a hand is at one moment; from then on it moves to the next key."""

    t_s: float
    xy_mm: Point
    z_mm: float
    holds: Colour | None = None  # the colour of the train between its fingers, until the next key


@dataclass(frozen=True)
class Reach:
    """A hand that comes in from its player's side and leaves again."""

    colour: Colour
    shoulder_mm: Point  # where the arm comes from
    keys: tuple[HandKey, ...]
    is_flat: bool = False  # whether it pushes with the palm
    seed: int = 0  # whose skin and sleeve

    @property
    def start_s(self) -> float:
        """When it sets out."""
        return self.keys[0].t_s

    @property
    def end_s(self) -> float:
        """When it is back."""
        return self.keys[-1].t_s

    def at(self, t_s: float) -> Thing:
        """Return the hand where it is on the table."""
        i = min(max(bisect_right(self.keys, t_s, key=lambda key: key.t_s), 1), len(self.keys) - 1)
        a, b = self.keys[i - 1], self.keys[i]
        u = min(max((t_s - a.t_s) / (b.t_s - a.t_s), 0.0), 1.0) if b.t_s > a.t_s else 1.0
        u = _eased(u)
        x = a.xy_mm[0] + u * (b.xy_mm[0] - a.xy_mm[0]) + TREMOR_MM * sin(8.3 * t_s)
        y = a.xy_mm[1] + u * (b.xy_mm[1] - a.xy_mm[1]) + TREMOR_MM * sin(6.1 * t_s + 1)
        angle = degrees(atan2(y - self.shoulder_mm[1], x - self.shoulder_mm[0]))
        z_mm = a.z_mm + u * (b.z_mm - a.z_mm)
        kind = "flat hand" if self.is_flat else "hand"
        return Thing(kind, (x, y), angle, self.seed, z_mm, holds=a.holds)


@dataclass(frozen=True, slots=True)
class Push:
    """A movement of the board on the table."""

    start_s: float
    end_s: float
    before: BoardShift
    after: BoardShift

    def at(self, t_s: float) -> BoardShift:
        """Return where the board is."""
        if t_s >= self.end_s:
            return self.after
        if t_s <= self.start_s:
            return self.before
        u = _eased((t_s - self.start_s) / (self.end_s - self.start_s))
        a, b = self.before, self.after
        return BoardShift(
            a.dx_mm + u * (b.dx_mm - a.dx_mm),
            a.dy_mm + u * (b.dy_mm - a.dy_mm),
            a.turn_deg + u * (b.turn_deg - a.turn_deg),
        )


@dataclass(frozen=True, slots=True)
class ThingOnBorder:
    """A cup, phone or card that lies on the board's border from one moment to another."""

    start_s: float
    end_s: float
    thing: Thing


@dataclass(frozen=True, slots=True)
class LampSetting:
    """The light from some moment on."""

    start_s: float
    light: Light


@dataclass(frozen=True, slots=True)
class EnactedEvent:
    """Something that happened."""

    t_s: float
    # "claimed" is when a route's last train lies, "withdrawn" when the first of them is lifted,
    # "hand left" when the hand that did it is no longer over the board, "turn" when a player
    # begins to think, "board moved" when the board lies still again
    kind: EventKind
    colour: Colour  # whose hand it was; for claims, whose trains
    name: str = ""  # the route, place or site
    turn: int = 0  # which turn of the game it belongs to, from 0


@dataclass(frozen=True)
class Enactment:
    """A played game on a table: everything that happens there, in order."""

    played: PlayedGame = field(repr=False)
    board: Board = field(repr=False)  # as its copy prints it
    habits: Habits
    duration_s: float
    stages: tuple[Stage, ...] = field(repr=False)
    reaches: tuple[Reach, ...] = field(repr=False)
    pushes: tuple[Push, ...] = field(repr=False)
    lying: tuple[ThingOnBorder, ...] = field(repr=False)
    lamps: tuple[LampSetting, ...] = field(repr=False)
    events: tuple[EnactedEvent, ...] = field(repr=False)

    def stage_at(self, t_s: float) -> Stage:
        """Return the pieces on the table, the ground truth at that time."""
        at = bisect_right(self.stages, t_s, key=lambda stage: stage.t_s)
        return self.stages[max(at - 1, 0)]

    def hands_at(self, t_s: float) -> tuple[Thing, ...]:
        """Return the moving hands at their positions on the table."""
        return tuple(reach.at(t_s) for reach in self._under_way(t_s))

    def nudge_at(self, t_s: float) -> BoardShift:
        """Return the board's position on the table."""
        i = bisect_right(self.pushes, t_s, key=lambda push: push.start_s)
        return self.pushes[i - 1].at(t_s) if i else BoardShift()

    def things_at(self, t_s: float) -> tuple[Thing, ...]:
        """Return the things on the border."""
        return tuple(one.thing for one in self.lying if one.start_s <= t_s < one.end_s)

    def scene_at(self, t_s: float) -> Scene:
        """Return the scene for a camera."""
        nudge, size_mm = self.nudge_at(t_s), self.board.size_mm
        hands = (
            replace(
                hand,
                xy_mm=nudge.board_from_table(hand.xy_mm, size_mm),
                angle_deg=hand.angle_deg - nudge.turn_deg,
            )
            for hand in self.hands_at(t_s)
        )
        things = (*self.things_at(t_s), *hands)
        moment = round(max(t_s, 0.0) * 1000)
        return Scene(self.stage_at(t_s).pieces, things, self._light_at(t_s), nudge, moment)

    def _light_at(self, t_s: float) -> Light:
        """Return the light: lamps are switched, and clouds pass."""
        at = bisect_right(self.lamps, t_s, key=lambda lamp: lamp.start_s)
        light = self.lamps[max(at - 1, 0)].light
        if not (drift := self.habits.light_drift):
            return light
        waves = [drift * sin(2 * pi * t_s / period) for period in DRIFT_S]
        strength, blue, red = 1 + waves[0], 1 + waves[1] / 2, 1 + waves[2] / 2
        gains = light.gain_bgr
        return replace(
            light,
            strength=min(light.strength * strength, 3.0),
            gain_bgr=(min(gains[0] * blue, 3.0), gains[1], min(gains[2] * red, 3.0)),
        )

    def _under_way(self, t_s: float) -> Iterator[Reach]:
        """Yield the reaches in progress, in the order of their starts."""
        i = bisect_right(self.reaches, t_s, key=lambda reach: reach.start_s)
        while i and self.reaches[i - 1].start_s >= t_s - self._longest_s:
            i -= 1
            if t_s < self.reaches[i].end_s:
                yield self.reaches[i]

    @cached_property
    def _longest_s(self) -> float:
        return max((reach.end_s - reach.start_s for reach in self.reaches), default=0.0)


def _eased(share: float) -> float:
    """Ease a movement in and out: map its share of time to its share of distance."""
    return share * share * (3 - 2 * share)
