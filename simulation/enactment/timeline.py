"""Builds an enactment: a clock, the pieces on the table, and the hands that change them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import hypot

import numpy as np
from railspotter.scoring.board import Board, RouteId
from railspotter.scoring.edition import Colour
from railspotter.scoring.position import Seat

from ..arrays import Point
from ..played_game import PlayedGame
from ..virtual_board.light import Light
from ..virtual_board.pieces import Piece
from ..virtual_board.scene import BoardShift
from .enactment import (
    EnactedEvent,
    Enactment,
    EventKind,
    HandKeyframe,
    HandMovement,
    LampSetting,
    Push,
    Stage,
    ThingOnBorder,
)
from .habits import Habits, Range

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
HAND_MM = 20.0  # distance from the board's edge at which fingertips cover nothing of it


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
        share, off = SIDES[side]
        edge = share[0] * size_mm[0], share[1] * size_mm[1]

        def beside(far_mm: float, edge: Point = edge, off: Point = off) -> Point:
            return edge[0] + far_mm * off[0], edge[1] + far_mm * off[1]

        chairs.append(Chair(beside(ARM_MM), beside(REST_MM), edge))
    return tuple(chairs)


class Timeline:
    """An enactment under construction: `t_s` is its clock, `shift` the board's current position."""

    def __init__(
        self,
        board: Board,
        seats: tuple[Seat, ...],
        habits: Habits,
        light: Light,
        rng: np.random.Generator,
    ) -> None:
        self.board, self.habits, self.rng = board, habits, rng
        self.t_s, self.turn, self.shift = 0.0, 0, BoardShift()
        around = chairs_around(board.size_mm, len(seats))
        self.chairs: dict[Colour, Chair] = {
            seat.colour: chair for seat, chair in zip(seats, around, strict=True)
        }
        self.skins: dict[Colour, int] = {
            colour: int(rng.integers(10_000)) for colour in self.chairs
        }
        self.standing: dict[str, Piece] = {}
        self.claims: dict[RouteId, Colour] = {}
        self.stages: list[Stage] = []
        self.hand_movements: list[HandMovement] = []
        self.pushes: list[Push] = []
        self.border_things: list[ThingOnBorder] = []
        self.lamps: list[LampSetting] = [LampSetting(0.0, light)]
        self.events: list[EnactedEvent] = []

    def between(self, span: Range) -> float:
        """Return a random number from a range."""
        return float(self.rng.uniform(*span))

    def happens(self, share: float) -> bool:
        """Return true with a probability of `share`."""
        return bool(self.rng.random() < share)

    def wait(self, seconds: float) -> None:
        """Advance the clock."""
        self.t_s += seconds / self.habits.pace

    def add_event(
        self, kind: EventKind, colour: Colour, name: str = "", t_s: float | None = None
    ) -> None:
        """Add an event, at the current time by default."""
        at = self.t_s if t_s is None else t_s
        self.events.append(EnactedEvent(at, kind, colour, name, self.turn))

    def change_pieces(
        self, put: Mapping[str, Piece] | None = None, lifted: Iterable[str] = ()
    ) -> list[tuple[EventKind, RouteId]]:
        """Place pieces and lift others; return the changed claims, and add their events."""
        put, lifted = put or {}, tuple(lifted)
        touched = [self.standing.pop(name) for name in lifted]
        touched += [self.standing[name] for name in put if name in self.standing]
        self.standing.update(put)
        routes = {piece.route for piece in (*touched, *put.values())} - {None}
        happened: list[tuple[EventKind, RouteId]] = []
        for route in sorted(route for route in routes if route is not None):
            was, now = self.claims.get(route), self._holder_of(route)
            if was is not None and now != was:
                del self.claims[route]
                happened.append(("withdrawn", route))
                self.add_event("withdrawn", was, route)
            if now is not None and now != was:
                self.claims[route] = now
                happened.append(("claimed", route))
                self.add_event("claimed", now, route)
        self.stages.append(Stage(self.t_s, dict(self.standing), dict(self.claims)))
        return happened

    def to_table(self, xy_mm: Point) -> Point:
        """Transform a point from board to table coordinates."""
        return self.shift.table_from_board(xy_mm, self.board.size_mm)

    def is_over_board(self, xy_mm: Point) -> bool:
        """Tell whether fingertips at a point of the table may cover the board."""
        x, y = self.shift.board_from_table(xy_mm, self.board.size_mm)
        width, height = self.board.size_mm
        return -HAND_MM < x < width + HAND_MM and -HAND_MM < y < height + HAND_MM

    def build(self, played: PlayedGame) -> Enactment:
        """Return the finished enactment."""
        return Enactment(
            played,
            self.board,
            self.habits,
            self.t_s,
            tuple(self.stages),
            tuple(sorted(self.hand_movements, key=lambda movement: movement.start_s)),
            tuple(self.pushes),
            tuple(sorted(self.border_things, key=lambda one: one.start_s)),
            tuple(self.lamps),
            tuple(sorted(self.events, key=lambda event: event.t_s)),
        )

    def _holder_of(self, route: RouteId) -> Colour | None:
        """Return the colour whose trains fill a route; None if there is none."""
        there = {p.space: p.colour for p in self.standing.values() if p.route == route}
        one_is_all = any(p.kind == "shape" for p in self.standing.values() if p.route == route)
        colours = set(there.values())
        is_full = one_is_all or len(there) == self.board.route_by_id[route].length
        return colours.pop() if is_full and len(colours) == 1 else None


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
        self._claimed: list[str] = []
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
        self._claimed += [name for _, name in self.timeline.change_pieces(pieces, lifted)]

    def add_event(self, kind: EventKind, name: str) -> None:
        """Add an event that this hand caused, now."""
        self.timeline.t_s = self.t_s
        self.timeline.add_event(kind, self.colour, name)
        self._claimed.append(name)

    def leave(self, *, and_wait: bool = True) -> None:
        """Move the hand back to rest and add its movement; advance the timeline's clock."""
        self.go(self.chair.rest_mm)
        timeline = self.timeline
        seed = timeline.skins[self.colour]
        keys = tuple(self._keys)
        movement = HandMovement(self.colour, self.chair.shoulder_mm, keys, self.is_flat, seed)
        timeline.hand_movements.append(movement)
        if self._claimed:
            out_s = self._out_s(movement)
            for name in dict.fromkeys(self._claimed):
                timeline.add_event("hand left", self.colour, name, out_s)
        if and_wait:
            timeline.t_s = self.t_s

    def _out_s(self, movement: HandMovement) -> float:
        """Return when the hand leaves the board, to a hundredth of a second."""
        start = self._keys[-2].t_s
        latest_first = np.arange(start, movement.end_s, 0.01)[::-1].tolist()
        over = (t for t in latest_first if self.timeline.is_over_board(movement.at(t).xy_mm))
        return float(next((t + 0.01 for t in over), start))
