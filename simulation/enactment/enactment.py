"""An enactment: a played game animated with hands on a table, as a function of time.

Times are seconds from the start. Pieces and things are in the board's millimetres, hands in the
table's, which are the same until the board is pushed. A `Timeline` builds an enactment: it has a
clock, the pieces on the table, and the hands that change them.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import atan2, degrees, hypot, pi, sin

import numpy as np
from railspotter.scoring.board import Board, PlaceId
from railspotter.scoring.edition import Colour

from ..arrays import Point
from ..played_game import PlayedGame
from ..virtual_board.light import Light
from ..virtual_board.pieces import Piece
from ..virtual_board.scene import BoardShift, Scene
from ..virtual_board.things import Thing
from .habits import Habits, Range

DRIFT_S = (97.0, 41.0, 63.0)  # periods of the light's drift: strength, blue and red
TREMOR_MM = 0.7  # amplitude of the movement of a still hand; chosen
REST_MM = 320.0  # distance of a resting hand from the board's edge: out of the picture; chosen
ARM_MM = 620.0  # distance of its shoulder from the board's edge; chosen
# For each side a point of the board's edge, as shares of its size, and the direction outward.
SIDES = {
    "bottom": ((0.5, 1.0), (0.0, 1.0)),
    "bottom left": ((0.25, 1.0), (-0.2, 1.0)),
    "bottom right": ((0.75, 1.0), (0.2, 1.0)),
    "left": ((0.0, 0.5), (-1.0, 0.0)),
    "top": ((0.5, 0.0), (0.0, -1.0)),
    "right": ((1.0, 0.5), (1.0, 0.0)),
}
# The sides of each number of players, in turn order: clockwise.
CHAIRS = {
    1: ("bottom",),
    2: ("bottom", "top"),
    3: ("bottom", "left", "top"),
    4: ("bottom", "left", "top", "right"),
    5: ("bottom right", "bottom left", "left", "top", "right"),
}
# Heights above the board: of a travelling hand, and of fingertips on a train. Chosen.
TRAVEL_MM, FINGERTIPS_MM = 45.0, 9.0
SPEED_MM_S, START_S = 900.0, 0.3  # a hand's speed, and the time added to each movement; chosen


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


@dataclass(frozen=True)
class Chair:
    """One player's place at the table, in the table's millimetres."""

    shoulder_mm: Point  # of the arm
    rest_mm: Point  # of the resting hand
    edge_mm: Point  # the nearest point of the board's edge


def chairs_around(size_mm: tuple[float, float], players: int) -> tuple[Chair, ...]:
    """Return the players' chairs around a board, in turn order.

    >>> near, far = chairs_around((800.0, 500.0), 2)
    >>> near.edge_mm, near.rest_mm, far.shoulder_mm
    ((400.0, 500.0), (400.0, 820.0), (400.0, -620.0))
    """
    chairs = []
    for side in CHAIRS[players]:
        (along, down), (right, away) = SIDES[side]
        x, y = along * size_mm[0], down * size_mm[1]
        shoulder, rest = ((x + far * right, y + far * away) for far in (ARM_MM, REST_MM))
        chairs.append(Chair(shoulder, rest, (x, y)))
    return tuple(chairs)


class Timeline:
    """Builds an enactment: `t_s` is its clock, `shift` the board's current position."""

    def __init__(self, enactment: Enactment, rng: np.random.Generator) -> None:
        self.enactment, self.rng = enactment, rng
        self.board, self.habits = enactment.board, enactment.habits
        self.t_s, self.shift = 0.0, BoardShift()
        colours = enactment.played.start.colours
        around = chairs_around(self.board.size_mm, len(colours))
        self.chairs: dict[Colour, Chair] = dict(zip(colours, around, strict=True))
        self.skins: dict[Colour, int] = {
            colour: int(rng.integers(10_000)) for colour in self.chairs
        }
        self.standing: dict[str, Piece] = {}

    def between(self, span: Range) -> float:
        """Return a random number from a range."""
        return float(self.rng.uniform(*span))

    def happens(self, share: float) -> bool:
        """Return true with a probability of `share`."""
        return bool(self.rng.random() < share)

    def wait(self, seconds: float) -> None:
        """Advance the clock."""
        self.t_s += seconds / self.habits.pace

    def change_pieces(self, put: Mapping[str, Piece], lifted: Iterable[str] = ()) -> None:
        """Place pieces and lift others, now."""
        for name in lifted:
            del self.standing[name]
        self.standing.update(put)
        self.enactment.stages.append(Stage(self.t_s, dict(self.standing)))

    def to_table(self, xy_mm: Point) -> Point:
        """Transform a point from board to table coordinates."""
        return self.shift.table_from_board(xy_mm, self.board.size_mm)


class Hand:
    """A player's hand while its movement is built, from rest to rest.

    It has its own clock, to which the timeline's is set whenever it changes pieces.
    """

    def __init__(
        self, timeline: Timeline, colour: Colour, t_s: float | None = None, *, is_flat: bool = False
    ) -> None:
        self.timeline, self.colour, self.is_flat = timeline, colour, is_flat
        self.chair = timeline.chairs[colour]
        self.t_s = timeline.t_s if t_s is None else t_s
        self.holds: Colour | None = None
        self._keys = [HandKeyframe(self.t_s, self.chair.rest_mm, TRAVEL_MM)]

    def go(self, table_mm: Point, z_mm: float = TRAVEL_MM, seconds: float | None = None) -> None:
        """Move to a point of the table, at the usual speed by default."""
        last = self._keys[-1]
        if last.holds != self.holds:
            self._keys.append(HandKeyframe(self.t_s, last.xy_mm, last.z_mm, self.holds))
        if seconds is None:
            far = hypot(table_mm[0] - last.xy_mm[0], table_mm[1] - last.xy_mm[1])
            seconds = (START_S + far / SPEED_MM_S) * self.timeline.between((0.85, 1.3))
        self.t_s += seconds / self.timeline.habits.pace
        self._keys.append(HandKeyframe(self.t_s, table_mm, z_mm, self.holds))

    def wait(self, seconds: float) -> None:
        """Keep the hand still."""
        last = self._keys[-1]
        self.go(last.xy_mm, last.z_mm, seconds)

    def put(self, pieces: Mapping[str, Piece], lifted: Iterable[str] = ()) -> None:
        """Place and lift pieces now."""
        self.timeline.t_s = self.t_s
        self.timeline.change_pieces(pieces, lifted)

    def lift(self, name: str, seconds: float | None = None) -> None:
        """Move to a piece and lift it."""
        at = self.timeline.standing[name].xy_mm
        self.go(self.timeline.to_table(at), FINGERTIPS_MM, seconds)
        self.put({}, lifted=[name])

    def lay(self, name: str, piece: Piece, seconds: float | None = None) -> None:
        """Move to a piece's place and put it there; the hand is empty then."""
        self.go(self.timeline.to_table(piece.xy_mm), FINGERTIPS_MM, seconds)
        self.put({name: piece})
        self.holds = None

    def leave(self, *, and_wait: bool = True) -> None:
        """Move the hand back to rest and add its movement; advance the timeline's clock."""
        self.go(self.chair.rest_mm)
        timeline = self.timeline
        seed = timeline.skins[self.colour]
        keys = tuple(self._keys)
        movement = HandMovement(self.colour, self.chair.shoulder_mm, keys, self.is_flat, seed)
        timeline.enactment.hand_movements.append(movement)
        if and_wait:
            timeline.t_s = self.t_s
