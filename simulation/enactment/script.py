"""Writing a timeline: one clock, what stands on the table, and the hands that change it."""

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
    HandKey,
    LampSetting,
    Push,
    Reach,
    Stage,
    ThingOnBorder,
)
from .habits import Habits, Range

BESIDE_MM = 320.0  # How far from the board's edge a resting hand is: out of the picture. Chosen.
ARM_MM = 620.0  # How far from the board's edge its shoulder is. Chosen.

# For each side a spot on the board's edge, as shares of its size, and the way off from there.
SIDES = {
    "bottom": ((0.5, 1.0), (0.0, 1.0)),
    "bottom left": ((0.25, 1.0), (-0.2, 1.0)),
    "bottom right": ((0.75, 1.0), (0.2, 1.0)),
    "left": ((0.0, 0.5), (-1.0, 0.0)),
    "top": ((0.5, 0.0), (0.0, -1.0)),
    "right": ((1.0, 0.5), (1.0, 0.0)),
}

# Clockwise, as turns go.
CHAIRS = {
    1: ("bottom",),
    2: ("bottom", "top"),
    3: ("bottom", "left", "top"),
    4: ("bottom", "left", "top", "right"),
    5: ("bottom right", "bottom left", "left", "top", "right"),
}
# How high above the board a hand travels, and how high its fingertips are on a train. Chosen.
CARRIED_MM, PUT_DOWN_MM = 45.0, 9.0
SPEED_MM_S = 900.0  # How fast a hand travels, besides `START_S` for each way. Chosen.
START_S = 0.3
HAND_MM = 20.0  # distance beyond the board's edge at which fingertips cover nothing of it


@dataclass(frozen=True)
class Chair:
    """One player's place at the table, in the table's millimetres."""

    # where the arm comes from, where the hand rests, and where it meets the board
    shoulder_mm: Point
    rest_mm: Point
    edge_mm: Point


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

        chairs.append(Chair(beside(ARM_MM), beside(BESIDE_MM), edge))
    return tuple(chairs)


class Script:
    """A timeline that is being written: `t_s` is now, `nudge` where the board lies then."""

    def __init__(
        self,
        board: Board,
        seats: tuple[Seat, ...],
        habits: Habits,
        light: Light,
        rng: np.random.Generator,
    ) -> None:
        self.board, self.habits, self.rng = board, habits, rng
        self.t_s, self.turn, self.nudge = 0.0, 0, BoardShift()
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
        self.reaches: list[Reach] = []
        self.pushes: list[Push] = []
        self.lying: list[ThingOnBorder] = []
        self.lamps: list[LampSetting] = [LampSetting(0.0, light)]
        self.events: list[EnactedEvent] = []

    def between(self, span: Range) -> float:
        """Draw a random number from a range."""
        return float(self.rng.uniform(*span))

    def happens(self, share: float) -> bool:
        """Return true with a probability of `share`."""
        return bool(self.rng.random() < share)

    def wait(self, seconds: float) -> None:
        """Advance the clock."""
        self.t_s += seconds / self.habits.pace

    def say(
        self, kind: EventKind, colour: Colour, name: str = "", t_s: float | None = None
    ) -> None:
        """Note an event."""
        at = self.t_s if t_s is None else t_s
        self.events.append(EnactedEvent(at, kind, colour, name, self.turn))

    def change(
        self, put: Mapping[str, Piece] | None = None, lifted: Iterable[str] = ()
    ) -> list[tuple[EventKind, RouteId]]:
        """Put pieces down, lift others, and note the routes that are laid now, or no longer."""
        put, lifted = put or {}, tuple(lifted)
        touched = [self.standing.pop(name) for name in lifted]
        touched += [self.standing[name] for name in put if name in self.standing]
        self.standing.update(put)
        routes = {piece.route for piece in (*touched, *put.values())} - {None}
        happened: list[tuple[EventKind, RouteId]] = []
        for route in sorted(route for route in routes if route is not None):
            was, now = self.claims.get(route), self._laid(route)
            if was is not None and now != was:
                del self.claims[route]
                happened.append(("withdrawn", route))
                self.say("withdrawn", was, route)
            if now is not None and now != was:
                self.claims[route] = now
                happened.append(("claimed", route))
                self.say("claimed", now, route)
        self.stages.append(Stage(self.t_s, dict(self.standing), dict(self.claims)))
        return happened

    def to_table(self, xy_mm: Point) -> Point:
        """Return where on the table a spot of the board is."""
        return self.nudge.table_from_board(xy_mm, self.board.size_mm)

    def is_over_board(self, xy_mm: Point) -> bool:
        """Whether fingertips at a spot of the table are over the board, or nearly."""
        x, y = self.nudge.board_from_table(xy_mm, self.board.size_mm)
        width, height = self.board.size_mm
        return -HAND_MM < x < width + HAND_MM and -HAND_MM < y < height + HAND_MM

    def finished(self, played: PlayedGame) -> Enactment:
        """Return the finished enactment, in order of time."""
        return Enactment(
            played,
            self.board,
            self.habits,
            self.t_s,
            tuple(self.stages),
            tuple(sorted(self.reaches, key=lambda reach: reach.start_s)),
            tuple(self.pushes),
            tuple(sorted(self.lying, key=lambda lying: lying.start_s)),
            tuple(self.lamps),
            tuple(sorted(self.events, key=lambda event: event.t_s)),
        )

    def _laid(self, route: RouteId) -> Colour | None:
        """Return whose trains stand on every space of a route."""
        there = {p.space: p.colour for p in self.standing.values() if p.route == route}
        one_is_all = any(p.kind == "shape" for p in self.standing.values() if p.route == route)
        colours = set(there.values())
        is_full = one_is_all or len(there) == self.board.route_by_id[route].length
        return colours.pop() if is_full and len(colours) == 1 else None


class Hand:
    """A player's hand on its way over the table, from rest to rest.

    It has a clock of its own, which is the script's while it lays trains.
    """

    def __init__(
        self, script: Script, colour: Colour, t_s: float | None = None, *, is_flat: bool = False
    ) -> None:
        self.script, self.colour, self.is_flat = script, colour, is_flat
        self.chair = script.chairs[colour]
        self.t_s = script.t_s if t_s is None else t_s
        self.holds: Colour | None = None
        self._did: list[str] = []
        self._keys = [HandKey(self.t_s, self.chair.rest_mm, CARRIED_MM)]

    def go(self, table_mm: Point, z_mm: float = CARRIED_MM, seconds: float | None = None) -> None:
        """Travel to a spot of the table."""
        last = self._keys[-1]
        if last.holds != self.holds:
            self._keys.append(HandKey(self.t_s, last.xy_mm, last.z_mm, self.holds))
        if seconds is None:
            far = hypot(table_mm[0] - last.xy_mm[0], table_mm[1] - last.xy_mm[1])
            seconds = (START_S + far / SPEED_MM_S) * self.script.between((0.85, 1.3))
        self.t_s += seconds / self.script.habits.pace
        self._keys.append(HandKey(self.t_s, table_mm, z_mm, self.holds))

    def wait(self, seconds: float) -> None:
        """Hold still."""
        last = self._keys[-1]
        self.go(last.xy_mm, last.z_mm, seconds)

    def put(self, pieces: Mapping[str, Piece], lifted: Iterable[str] = ()) -> None:
        """Put down and lift pieces now."""
        self.script.t_s = self.t_s
        self._did += [name for _, name in self.script.change(pieces, lifted)]

    def note(self, kind: EventKind, name: str) -> None:
        """Note what this hand did, now."""
        self.script.t_s = self.t_s
        self.script.say(kind, self.colour, name)
        self._did.append(name)

    def leave(self, *, and_wait: bool = True) -> None:
        """Move the hand back to rest, and advance the script's clock to its arrival."""
        self.go(self.chair.rest_mm)
        script = self.script
        seed = script.skins[self.colour]
        keys = tuple(self._keys)
        reach = Reach(self.colour, self.chair.shoulder_mm, keys, self.is_flat, seed)
        script.reaches.append(reach)
        if self._did:
            out_s = self._out_s(reach)
            for name in dict.fromkeys(self._did):
                script.say("hand left", self.colour, name, out_s)
        if and_wait:
            script.t_s = self.t_s

    def _out_s(self, reach: Reach) -> float:
        """Return when it was over the board for the last time, to a hundredth of a second."""
        start = self._keys[-2].t_s
        latest_first = np.arange(start, reach.end_s, 0.01)[::-1].tolist()
        over = (t for t in latest_first if self.script.is_over_board(reach.at(t).xy_mm))
        return float(next((t + 0.01 for t in over), start))
