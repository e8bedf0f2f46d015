"""How people behave at a table: how fast, how neat, how often something goes wrong."""

from __future__ import annotations

from dataclasses import dataclass

Range = tuple[float, float]


@dataclass(frozen=True)
class Habits:
    """What the players of an enacted game do, and how often. Every default is chosen."""

    pace: float = 1.0  # 1 is real time; 2 does everything twice as fast, pauses too
    thinking_s: Range = (2.0, 10.0)  # the shortest and longest pause before a turn
    looseness: float = 1.0  # how carelessly trains are put down; 1 is as people do, 0 exactly
    handful: int = 6  # most trains that a hand carries; each player has a number of their own
    # shares of the claims in which
    dropped: float = 0.06  # a train falls beside its space and is put right
    wrong_route: float = 0.05  # trains are begun on the other lane or a route beside it
    bumped: float = 0.05  # a train that stands near is pushed
    undone: float = 0.03  # quite another route is laid first, and lifted again
    left_crooked: float = 0.4  # share of the pushed trains that are not put back
    # share of the turns on which somebody points at the map without laying anything
    pointing: float = 0.1
    # share of card draws that are seen: a hand that reaches over the board's border
    over_border: float = 0.5
    nudged: float = 0.03  # share of the turns on which somebody pushes the board a little
    nudge_mm: float = 6.0  # how far at most, each time
    nudge_deg: float = 2.0
    turned_around: float = 0.15  # share of the games in which the board is turned half around, once
    things: float = 0.04  # share of the turns on which a cup, card or phone is put on the border
    lamp: float = 0.02  # share of the turns on which somebody switches a lamp
    # how much the light gets stronger and weaker, as a share; its colour drifts half as much
    light_drift: float = 0.08


# Nothing goes wrong, nobody reaches over the board but to lay trains, and the light stays.
CALM = Habits(
    dropped=0.0,
    wrong_route=0.0,
    bumped=0.0,
    undone=0.0,
    left_crooked=0.0,
    pointing=0.0,
    over_border=0.0,
    nudged=0.0,
    turned_around=0.0,
    things=0.0,
    lamp=0.0,
    light_drift=0.0,
)
