"""The director: turns of a played game into what hands do, one after another."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

import numpy as np
from railspotter.scoring.board import Board
from railspotter.scoring.dealing.moves import DrawCard, KeepTickets
from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot

from ..arrays import Float64s, Point
from ..played_game import PlayedGame, PlayedMove
from ..virtual_board.errors import SceneError
from ..virtual_board.light import Light
from ..virtual_board.pieces import KINDS, Piece
from ..virtual_board.placing import stand_markers, stand_stations
from ..virtual_board.scene import BoardShift
from ..virtual_board.things import Thing
from .enactment import (
    Enactment,
    LampSetting,
    Push,
    Stage,
    ThingOnBorder,
)
from .habits import Habits
from .laying import Layer
from .script import PUT_DOWN_MM, Hand, Script

# What people put on the border, and how far it reaches from its middle.
REACH_MM = {"cup": 45.0, "train card": 52.0, "ticket card": 52.0, "phone": 85.0}
TRAIN_MM = 15.0  # how far a train reaches from its middle
# How long something lies there, if nothing has to be laid under it before. Chosen.
LIES_S = (15.0, 90.0)
AT_LEAST_S = 6.0
BEFORE_TRAINS_S = 3.0  # seconds before a piece is put there at which it is taken away
DEPTH_MM = (-25.0, 20.0)  # how far inside of the edge its middle is
TRIES = 12  # spots that are looked at before nothing is put down
# How far a board is at most from where it lay first; then somebody pushes it back. Chosen.
MOST_MM, MOST_DEG = 30.0, 8.0
GRIPS = 3  # in so many pushes a board is turned half around
# Editions whose board has no score track: "players calculate their final scores using the scorepad"
# (New York).
WITHOUT_TRACK = ("newyork",)
# How long the table is still before the first turn and after the last one.
FIRST_S, LAST_S = 2.0, 4.0
DRAWING_S = (1.5, 4.0)  # how long it takes to draw cards where no camera sees it


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
                script.lying.append(ThingOnBorder(start_s, until_s, thing))
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
    """Return time, x and y of every placed piece, (N, 3)."""
    found = [
        (stage.t_s, *piece.xy_mm)
        for before, stage in zip([stages[0], *stages], stages, strict=False)
        for name, piece in stage.standing.items()
        if before.standing.get(name) is not piece
    ]
    return np.array(found, np.float64).reshape(-1, 3)


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
    gripped = was.board_from_table(hand.chair.edge_mm, size_mm)
    hand.go(to.table_from_board(gripped, size_mm), PUT_DOWN_MM, seconds * script.habits.pace)
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


class Director:
    """Writes the script of one game."""

    def __init__(
        self, played: PlayedGame, board: Board, seed: int, habits: Habits, light: Light
    ) -> None:
        if not board.measured:
            raise SceneError(
                f"board {board.id!r} is not measured: nobody knows where to lay trains"
            )
        self._played, self._seed = played, seed
        edition = played.edition
        kind = edition.train_word if edition.train_word in KINDS else "train"
        self._script = Script(board, played.seats, habits, light, np.random.default_rng(seed))
        self._layer = Layer(self._script, kind, seed)
        self._colours = [seat.colour for seat in played.seats]
        self._scores = dict.fromkeys(self._colours, 0)
        self._with_markers = edition.id not in WITHOUT_TRACK
        self._turned_at = (
            int(self._script.rng.integers(len(played.turns)))
            if played.turns and self._script.happens(habits.turned_around)
            else None
        )

    def direct(self) -> Enactment:
        """Write the script of the whole game."""
        script = self._script
        script.change(self._markers())
        script.wait(FIRST_S)
        pauses = []
        for i, turn in enumerate(self._played.turns):
            script.turn = i
            script.say("turn", turn.colour)
            pauses.append(script.t_s)
            self._think(turn.colour, i)
            self._act(turn)
        script.wait(LAST_S)
        end_s = script.t_s
        border = Border(script)
        for start_s in pauses:
            if script.happens(script.habits.things):
                border.put(self._somebody(), start_s)
        script.t_s = end_s
        return script.finished(self._played)

    def _somebody(self) -> Colour:
        return self._colours[int(self._script.rng.integers(len(self._colours)))]

    def _think(self, colour: Colour, number: int) -> None:
        """Let a player think, and the others do what people do meanwhile."""
        script, habits = self._script, self._script.habits
        half_s = script.between(habits.thinking_s) / 2
        script.wait(half_s)
        if number == self._turned_at:
            turn_around(script, self._somebody())
        if script.happens(habits.nudged):
            push_board(script, self._somebody())
        if script.happens(habits.pointing):
            point(script, self._somebody())
        if script.happens(habits.lamp):
            switch_lamp(script)
        script.wait(half_s)

    def _act(self, turn: PlayedMove) -> None:
        script, colour = self._script, turn.colour
        match turn.laid or turn.move:
            case Spot("route", name):
                hand = self._layer.claim(colour, name)
                route = script.board.route_by_id[name]
                self._move_marker(hand, self._played.edition.route_points[route.length])
                hand.leave()
            case Spot("site", name):
                self._layer.site(colour, name).leave()
            case Spot("station", name):
                hand = Hand(script, colour)
                (station,) = stand_stations(script.board, {name: colour}, self._seed)
                hand.go(script.to_table(station.xy_mm), PUT_DOWN_MM)
                hand.put({f"station at {name}": station})
                hand.note("station built", name)
                hand.leave()
            case DrawCard() | KeepTickets():
                if script.happens(script.habits.over_border):
                    draw_cards(script, colour)
                else:
                    script.wait(script.between(DRAWING_S))
            case _:
                script.wait(script.between(DRAWING_S))

    def _move_marker(self, hand: Hand, points: int) -> None:
        """Move a player's marker on the score track, with the hand that laid the route."""
        if not self._with_markers:
            return
        script, name = self._script, f"marker {hand.colour}"
        hand.go(script.to_table(script.standing[name].xy_mm), PUT_DOWN_MM)
        hand.put({}, lifted=[name])
        score = self._scores.pop(hand.colour) + points
        self._scores[hand.colour] = score  # the last one to come to its step lies on top
        markers = self._markers()
        hand.go(script.to_table(markers[name].xy_mm), PUT_DOWN_MM)
        hand.put(markers)

    def _markers(self) -> dict[str, Piece]:
        """Return everybody's marker where it lies now."""
        if not self._with_markers:
            return {}
        looseness = self._script.habits.looseness
        markers = stand_markers(self._script.board, self._scores, self._seed, looseness)
        return {f"marker {marker.colour}": marker for marker in markers}


def enact(
    played: PlayedGame,
    board: Board | None = None,
    seed: int = 0,
    habits: Habits | None = None,
    light: Light | None = None,
) -> Enactment:
    """Animate a played game with people's hands.

    `board` is as its copy prints it (`Copy.printed`); without one, as the board file has it. The
    game begins in `light`. Raises `SceneError` for a board that nobody measured.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.simulation.played_game import play_game
    >>> game = play_game(load_edition("newyork"), load_board("newyork"), 2, seed=5)
    >>> table = enact(game, seed=1)
    >>> len(table.stage_at(0.0).pieces), table.stages[-1].claims == game.end.claims
    (0, True)
    """
    return Director(
        played, board or played.board, seed, habits or Habits(), light or Light()
    ).direct()
