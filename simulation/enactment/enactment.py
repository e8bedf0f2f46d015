"""An enactment: a played game animated with hands on a table, as a function of time.

Times are seconds from the start. Pieces and things are in the board's millimetres, hands in the
table's, which are the same until the board is pushed.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import atan2, degrees, pi, sin

from railspotter.scoring.board import Board, PlaceId
from railspotter.scoring.edition import Colour

from ..arrays import Point
from ..played_game import PlayedGame
from ..virtual_board.light import Light
from ..virtual_board.pieces import Piece
from ..virtual_board.scene import BoardShift, Scene
from ..virtual_board.things import Thing
from .habits import Habits

DRIFT_S = (97.0, 41.0, 63.0)  # periods of the light's drift: strength, blue and red
TREMOR_MM = 0.7  # amplitude of the movement of a still hand; chosen


@dataclass(frozen=True)
class Stage:
    """The pieces on the table until the next change."""

    t_s: float  # the time of the last change
    standing: Mapping[str, Piece]  # every piece that is not in a hand, by its name ("red 12")

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces on the board."""
        return tuple(self.standing.values())

    @property
    def stations(self) -> dict[PlaceId, Colour]:
        """The owner of each city's station."""
        return {str(piece.place): piece.colour for piece in self.pieces if piece.kind == "station"}


@dataclass(frozen=True, slots=True)
class HandKeyframe:
    """A keyframe: the position of a hand at one moment, from which it moves to the next."""

    t_s: float
    xy_mm: Point
    z_mm: float
    holds: Colour | None = None  # the colour of the train in the hand, until the next keyframe


@dataclass(frozen=True)
class HandMovement:
    """The movement of a hand from its player's side over the table and back."""

    colour: Colour
    shoulder_mm: Point  # where the arm comes from
    keys: tuple[HandKeyframe, ...]
    is_flat: bool = False  # whether it pushes with the palm
    seed: int = 0  # whose skin and sleeve

    @property
    def start_s(self) -> float:
        """The start of the movement."""
        return self.keys[0].t_s

    @property
    def end_s(self) -> float:
        """The end of the movement."""
        return self.keys[-1].t_s

    def at(self, t_s: float) -> Thing:
        """Return the hand at its position on the table."""
        i = min(max(bisect_right(self.keys, t_s, key=lambda key: key.t_s), 1), len(self.keys) - 1)
        a, b = self.keys[i - 1], self.keys[i]
        u = min(max((t_s - a.t_s) / (b.t_s - a.t_s), 0.0), 1.0) if b.t_s > a.t_s else 1.0
        u = _ease(u)
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
        """Return the board's position at a time."""
        if t_s >= self.end_s:
            return self.after
        if t_s <= self.start_s:
            return self.before
        u = _ease((t_s - self.start_s) / (self.end_s - self.start_s))
        a, b = self.before, self.after
        return BoardShift(
            a.dx_mm + u * (b.dx_mm - a.dx_mm),
            a.dy_mm + u * (b.dy_mm - a.dy_mm),
            a.turn_deg + u * (b.turn_deg - a.turn_deg),
        )


@dataclass(frozen=True, slots=True)
class ThingOnBorder:
    """A cup, phone or card on the board's border, from `start_s` to `end_s`."""

    start_s: float
    end_s: float
    thing: Thing


@dataclass(frozen=True, slots=True)
class LampSetting:
    """The light from `start_s` on."""

    start_s: float
    light: Light


@dataclass(eq=False)
class Enactment:
    """Everything that happens at a table during a played game, in order of time."""

    played: PlayedGame = field(repr=False)
    board: Board = field(repr=False)  # as its copy prints it
    habits: Habits
    duration_s: float = 0.0
    stages: list[Stage] = field(default_factory=list, repr=False)
    hand_movements: list[HandMovement] = field(default_factory=list, repr=False)
    pushes: list[Push] = field(default_factory=list, repr=False)
    border_things: list[ThingOnBorder] = field(default_factory=list, repr=False)
    lamps: list[LampSetting] = field(default_factory=list, repr=False)
    # When each player begins to think.
    turn_starts_s: list[float] = field(default_factory=list, repr=False)

    def stage_at(self, t_s: float) -> Stage:
        """Return the pieces on the table: the ground truth."""
        at = bisect_right(self.stages, t_s, key=lambda stage: stage.t_s)
        return self.stages[max(at - 1, 0)]

    def hands_at(self, t_s: float) -> tuple[Thing, ...]:
        """Return the moving hands at their positions on the table, the last started first."""
        moving = (one for one in reversed(self.hand_movements) if one.start_s <= t_s < one.end_s)
        return tuple(movement.at(t_s) for movement in moving)

    def shift_at(self, t_s: float) -> BoardShift:
        """Return the board's position on the table."""
        i = bisect_right(self.pushes, t_s, key=lambda push: push.start_s)
        return self.pushes[i - 1].at(t_s) if i else BoardShift()

    def scene_at(self, t_s: float) -> Scene:
        """Return the scene for a camera, with hands in the board's millimetres."""
        shift, size_mm = self.shift_at(t_s), self.board.size_mm
        hands = (
            replace(
                hand,
                xy_mm=shift.board_from_table(hand.xy_mm, size_mm),
                angle_deg=hand.angle_deg - shift.turn_deg,
            )
            for hand in self.hands_at(t_s)
        )
        lying = (one.thing for one in self.border_things if one.start_s <= t_s < one.end_s)
        moment = round(max(t_s, 0.0) * 1000)
        pieces, things = self.stage_at(t_s).pieces, (*lying, *hands)
        return Scene(pieces, things, self._light_at(t_s), shift, moment)

    def _light_at(self, t_s: float) -> Light:
        """Return the light of the last lamp setting, with its slow drift."""
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


def _ease(share: float) -> float:
    """Map a movement's share of time to its share of distance, slow at both ends."""
    return share * share * (3 - 2 * share)
