"""What else happens at a table: pointing, drawing cards, pushing the board, switching a lamp."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

from railspotter.scoring.edition import Colour

from ..virtual_board.scene import BoardShift
from .moved_board import board_from_table, table_from_board
from .script import PUT_DOWN_MM, Hand, Script
from .timeline import LampSetting, Push

# How far a board is at most from where it lay first; then somebody pushes it back. Chosen.
MOST_MM, MOST_DEG = 30.0, 8.0
GRIPS = 3  # in so many pushes a board is turned half around


def point(script: Script, colour: Colour) -> None:
    """Let somebody point at a few spots of the map, close above it."""
    hand = Hand(script, colour)
    width, height = script.board.size_mm
    for _ in range(int(script.rng.integers(1, 4))):
        x, y = script.rng.uniform(0.1, 0.9, 2) * (width, height)
        hand.go(script.to_table((float(x), float(y))), script.between((12.0, 40.0)))
        hand.wait(script.between((0.4, 2.0)))
    hand.leave()


def draw_cards(script: Script, colour: Colour) -> None:
    """Let somebody draw cards over the board's border.

    The deck lies beside the right edge; a player on the left is handed cards over the left one.
    """
    width, height = script.board.size_mm
    hand = Hand(script, colour)
    for _ in range(2):
        beside, share = script.between((-10.0, 60.0)), script.between((0.35, 0.65))
        x = -beside if hand.chair.edge_mm[0] == 0.0 else width + beside
        hand.go((x, share * height), 25.0)
        hand.wait(script.between((0.2, 0.5)))
    hand.leave()


def push_board(script: Script, colour: Colour) -> None:
    """Let somebody push the board a little."""
    habits, was = script.habits, script.nudge
    dx, dy, turn = script.rng.uniform(-1, 1, 3) * (
        habits.nudge_mm,
        habits.nudge_mm,
        habits.nudge_deg,
    )
    to = BoardShift(was.dx_mm + float(dx), was.dy_mm + float(dy), was.turn_deg + float(turn))
    off = (to.turn_deg + 90) % 180 - 90  # a board that was turned half around lies right as well
    if hypot(to.dx_mm, to.dy_mm) > MOST_MM or abs(off) > MOST_DEG:
        to = BoardShift(turn_deg=round(was.turn_deg / 180) * 180.0)
    _push(script, colour, to, script.between((0.25, 0.6)))


def turn_around(script: Script, colour: Colour) -> None:
    """Let somebody turn the board half around, grip by grip."""
    was = script.nudge
    for grip in range(1, GRIPS + 1):
        turn = was.turn_deg + 180.0 * grip / GRIPS
        _push(script, colour, replace(was, turn_deg=turn), script.between((0.9, 1.5)))


def _push(script: Script, colour: Colour, to: BoardShift, seconds: float) -> None:
    """Push the board with a flat hand that stays where it grips the border."""
    hand, was = Hand(script, colour, is_flat=True), script.nudge
    hand.go(hand.chair.edge_mm, PUT_DOWN_MM)
    seconds /= script.habits.pace
    push = Push(hand.t_s, hand.t_s + seconds, was, to)
    size_mm = script.board.size_mm
    gripped = board_from_table(hand.chair.edge_mm, was, size_mm)
    hand.go(table_from_board(gripped, to, size_mm), PUT_DOWN_MM, seconds * script.habits.pace)
    script.pushes.append(push)
    script.nudge = to
    script.say("board moved", colour, t_s=hand.t_s)
    hand.leave()


def switch_lamp(script: Script) -> None:
    """Let somebody switch a lamp off, or on again."""
    first = script.lamps[0].light
    if script.lamps[-1].light == first:
        blue, green, red = first.gain_bgr
        script.lamps.append(
            LampSetting(
                script.t_s,
                replace(
                    first,
                    strength=first.strength * script.between((0.5, 0.8)),
                    gain_bgr=(min(blue * 1.1, 3.0), green, red * 0.92),
                    from_deg=first.from_deg + script.between((60.0, 300.0)),
                    softness=0.25,
                ),
            )
        )
    else:
        script.lamps.append(LampSetting(script.t_s, first))
