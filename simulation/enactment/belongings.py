"""Cups, cards and phones that people put on the board's border, and take away in time."""

from __future__ import annotations

import numpy as np
from railspotter.scoring.edition import Colour

from ..arrays import Float64s, Point
from ..virtual_board.scene import BoardShift
from ..virtual_board.things import Thing
from .script import Hand, Script
from .timeline import LyingThing, Stage

# What people put on the border, and how far it reaches from its middle.
REACH_MM = {"cup": 45.0, "train card": 52.0, "ticket card": 52.0, "phone": 85.0}
TRAIN_MM = 15.0  # how far a train reaches from its middle
# How long something lies there, if nothing has to be laid under it before. Chosen.
LIES_S = (15.0, 90.0)
AT_LEAST_S = 6.0
BEFORE_TRAINS_S = 3.0  # seconds before a piece is put there at which it is taken away
DEPTH_MM = (-25.0, 20.0)  # how far inside of the edge its middle is
TRIES = 12  # spots that are looked at before nothing is put down


class Border:
    """Puts things on the border of a game whose script is written to the end."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._arrivals = _arrivals(script.stages)

    def put(self, colour: Colour, start_s: float) -> bool:
        """Let somebody put something down, if there is a spot that stays free for a while."""
        script, rng = self._script, self._script.rng
        pace = script.habits.pace
        kind = list(REACH_MM)[int(rng.integers(len(REACH_MM)))]
        end_s = start_s + script.between(LIES_S) / pace
        for _ in range(TRIES):
            spot = self._some_spot()
            until_s = min(end_s, self._free_until(spot, REACH_MM[kind], start_s))
            if until_s - start_s >= AT_LEAST_S / pace:
                thing = Thing(kind, spot, float(rng.uniform(-180, 180)), int(rng.integers(10_000)))
                script.lying.append(LyingThing(start_s, until_s, thing))
                self._hand_comes(colour, spot, start_s)
                self._hand_comes(colour, spot, until_s)
                return True
        return False

    def _some_spot(self) -> Point:
        script = self._script
        width, height = script.board.size_mm
        share, depth = script.between((0.05, 0.95)), script.between(DEPTH_MM)
        return [
            (share * width, depth),
            (share * width, height - depth),
            (depth, share * height),
            (width - depth, share * height),
        ][int(script.rng.integers(4))]

    def _free_until(self, spot: Point, reach_mm: float, start_s: float) -> float:
        """Return until when nothing is put there; before the start when something is there."""
        script, arrivals = self._script, self._arrivals
        there = [stage for stage in script.stages if stage.t_s <= start_s][-1].pieces
        standing = np.array([piece.xy_mm for piece in there]).reshape(-1, 2)
        lying = [one.thing for one in script.lying if one.end_s > start_s]
        things = np.array([thing.xy_mm for thing in lying]).reshape(-1, 2)
        is_taken = (np.hypot(*(standing - spot).T) < reach_mm + TRAIN_MM).any()
        if is_taken or (np.hypot(*(things - spot).T) < 2 * max(REACH_MM.values())).any():
            return -np.inf
        is_near = np.hypot(*(arrivals[:, 1:] - spot).T) < reach_mm + TRAIN_MM
        later = arrivals[is_near & (arrivals[:, 0] > start_s), 0]
        last_s = script.t_s if not later.size else float(later.min())
        return last_s - BEFORE_TRAINS_S / script.habits.pace

    def _hand_comes(self, colour: Colour, spot: Point, t_s: float) -> None:
        """Let a hand be there at that moment."""
        script = self._script
        pushes = [push for push in script.pushes if push.start_s <= t_s]
        script.nudge = pushes[-1].at(t_s) if pushes else BoardShift()
        pace = script.habits.pace
        coming_s = min(script.between((0.7, 1.2)), t_s * pace)
        hand = Hand(script, colour, t_s - coming_s / pace)
        hand.go(script.to_table(spot), 60.0, coming_s)
        hand.wait(script.between((0.2, 0.5)))
        hand.leave(and_wait=False)


def _arrivals(stages: list[Stage]) -> Float64s:
    """Return (time, x, y) of every piece that is put down, (N, 3)."""
    found = [
        (stage.t_s, *piece.xy_mm)
        for before, stage in zip([stages[0], *stages], stages, strict=False)
        for name, piece in stage.standing.items()
        if before.standing.get(name) is not piece
    ]
    return np.array(found, np.float64).reshape(-1, 3)
