"""Builds an enactment: a clock, the pieces on the table, and the hands that change them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import hypot

import numpy as np
from railspotter.scoring.edition import Colour

from ..arrays import Point
from ..virtual_board.pieces import Piece
from ..virtual_board.scene import BoardShift
from .enactment import Enactment, HandKeyframe, HandMovement, Stage
from .habits import Range

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
class Chair:
    """One player's place at the table, in the table's millimetres."""

    shoulder_mm: Point  # of the arm
    rest_mm: Point  # of the resting hand
    edge_mm: Point  # the nearest point of the board's edge


def chairs_around(size_mm: tuple[float, float], players: int) -> tuple[Chair, ...]:
    """Return the players' chairs around a board, in turn order.

    Examples
    --------
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
