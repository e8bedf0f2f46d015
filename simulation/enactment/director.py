"""Turns a played game into an enactment: hands act out its moves one after another."""

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
from ..virtual_board.pieces import KINDS, Piece, place_markers, place_stations
from ..virtual_board.scene import BoardShift
from ..virtual_board.things import Thing
from .enactment import (
    FINGERTIPS_MM,
    Enactment,
    Hand,
    LampSetting,
    Push,
    Stage,
    ThingOnBorder,
    Timeline,
)
from .habits import Habits
from .laying import TrainPlacer

# Radii of the things that are put on the border, and of a train.
RADIUS_MM = {"cup": 45.0, "train card": 52.0, "ticket card": 52.0, "phone": 85.0}
TRAIN_RADIUS_MM = 15.0
# How long a thing lies there, unless a piece is to be placed under it. Chosen.
LYING_S = (15.0, 90.0)
MIN_LYING_S = 6.0
BEFORE_TRAINS_S = 3.0  # seconds from a thing's removal to a piece in its place
DEPTH_MM = (-25.0, 20.0)  # how far inside of the edge its middle is
TRIES = 12  # random spots that are tried for a thing
# The largest displacement of the board; beyond it somebody pushes it back. Chosen.
MAX_SHIFT_MM, MAX_TURN_DEG = 30.0, 8.0
GRIPS = 3  # pushes that turn a board by 180 degrees
START_PAUSE_S, END_PAUSE_S = 2.0, 4.0  # before the first turn, and after the last one
DRAWING_S = (1.5, 4.0)  # seconds for drawing cards outside of the picture


def put_thing_on_border(
    timeline: Timeline, arrivals: Float64s, colour: Colour, start_s: float
) -> None:
    """Let a player put a thing on a spot of the border, if one is free of pieces long enough.

    The timeline has all pieces already; `arrivals` are `_arrivals` of them.
    """
    rng, pace = timeline.rng, timeline.habits.pace
    kind = list(RADIUS_MM)[int(rng.integers(len(RADIUS_MM)))]
    end_s = start_s + timeline.between(LYING_S) / pace
    for _ in range(TRIES):
        spot = _random_border_spot(timeline)
        until_s = min(end_s, _free_until(timeline, arrivals, spot, RADIUS_MM[kind], start_s))
        if until_s - start_s >= MIN_LYING_S / pace:
            thing = Thing(kind, spot, float(rng.uniform(-180, 180)), int(rng.integers(10_000)))
            timeline.enactment.border_things.append(ThingOnBorder(start_s, until_s, thing))
            _reach_border(timeline, colour, spot, start_s)
            _reach_border(timeline, colour, spot, until_s)
            return


def _random_border_spot(timeline: Timeline) -> Point:
    width, height = timeline.board.size_mm
    share, depth = timeline.between((0.05, 0.95)), timeline.between(DEPTH_MM)
    return [
        (share * width, depth),
        (share * width, height - depth),
        (depth, share * height),
        (width - depth, share * height),
    ][int(timeline.rng.integers(4))]


def _free_until(
    timeline: Timeline, arrivals: Float64s, spot: Point, radius_mm: float, start_s: float
) -> float:
    """Return how long a spot stays free of pieces; minus infinity if it is occupied."""
    there = timeline.enactment.stage_at(start_s).pieces
    standing = np.array([piece.xy_mm for piece in there]).reshape(-1, 2)
    lying = [one.thing for one in timeline.enactment.border_things if one.end_s > start_s]
    things = np.array([thing.xy_mm for thing in lying]).reshape(-1, 2)
    is_taken = (np.hypot(*(standing - spot).T) < radius_mm + TRAIN_RADIUS_MM).any()
    if is_taken or (np.hypot(*(things - spot).T) < 2 * max(RADIUS_MM.values())).any():
        return -np.inf
    is_near = np.hypot(*(arrivals[:, 1:] - spot).T) < radius_mm + TRAIN_RADIUS_MM
    later = arrivals[is_near & (arrivals[:, 0] > start_s), 0]
    last_s = timeline.t_s if not later.size else float(later.min())
    return last_s - BEFORE_TRAINS_S / timeline.habits.pace


def _reach_border(timeline: Timeline, colour: Colour, spot: Point, t_s: float) -> None:
    """Add a hand that reaches a spot at `t_s`."""
    timeline.shift = timeline.enactment.shift_at(t_s)
    pace = timeline.habits.pace
    coming_s = min(timeline.between((0.7, 1.2)), t_s * pace)
    hand = Hand(timeline, colour, t_s - coming_s / pace)
    hand.go(timeline.to_table(spot), 60.0, coming_s)
    hand.wait(timeline.between((0.2, 0.5)))
    hand.leave(and_wait=False)


def _arrivals(stages: list[Stage]) -> Float64s:
    """Return the time and position (t_s, x, y) of every placed piece, (N, 3)."""
    found = [
        (stage.t_s, *piece.xy_mm)
        for before, stage in zip([stages[0], *stages], stages, strict=False)
        for name, piece in stage.standing.items()
        if before.standing.get(name) is not piece
    ]
    return np.array(found, np.float64).reshape(-1, 3)


def point_at_map(timeline: Timeline, colour: Colour) -> None:
    """Let a player point at one to three random spots of the map."""
    hand = Hand(timeline, colour)
    width, height = timeline.board.size_mm
    for _ in range(int(timeline.rng.integers(1, 4))):
        x, y = timeline.rng.uniform(0.1, 0.9, 2) * (width, height)
        hand.go(timeline.to_table((float(x), float(y))), timeline.between((12.0, 40.0)))
        hand.wait(timeline.between((0.4, 2.0)))
    hand.leave()


def draw_cards(timeline: Timeline, colour: Colour) -> None:
    """Let a player draw two cards over the right edge of the board, or the left one from there."""
    width, height = timeline.board.size_mm
    hand = Hand(timeline, colour)
    for _ in range(2):
        beside, share = timeline.between((-10.0, 60.0)), timeline.between((0.35, 0.65))
        x = -beside if hand.chair.edge_mm[0] == 0.0 else width + beside
        hand.go((x, share * height), 25.0)
        hand.wait(timeline.between((0.2, 0.5)))
    hand.leave()


def push_board(timeline: Timeline, colour: Colour) -> None:
    """Let a player push the board a little, or back if it has moved far."""
    habits, was = timeline.habits, timeline.shift
    dx, dy, turn = timeline.rng.uniform(-1, 1, 3) * (
        habits.nudge_mm,
        habits.nudge_mm,
        habits.nudge_deg,
    )
    to = BoardShift(was.dx_mm + float(dx), was.dy_mm + float(dy), was.turn_deg + float(turn))
    off = (to.turn_deg + 90) % 180 - 90  # a board that was turned by 180 degrees is right, too
    if hypot(to.dx_mm, to.dy_mm) > MAX_SHIFT_MM or abs(off) > MAX_TURN_DEG:
        to = BoardShift(turn_deg=round(was.turn_deg / 180) * 180.0)
    _push(timeline, colour, to, timeline.between((0.25, 0.6)))


def turn_around(timeline: Timeline, colour: Colour) -> None:
    """Let a player turn the board by 180 degrees in `GRIPS` pushes."""
    was = timeline.shift
    for grip in range(1, GRIPS + 1):
        turn = was.turn_deg + 180.0 * grip / GRIPS
        _push(timeline, colour, replace(was, turn_deg=turn), timeline.between((0.9, 1.5)))


def _push(timeline: Timeline, colour: Colour, to: BoardShift, seconds: float) -> None:
    """Push the board with a flat hand, which moves with the board."""
    hand, was = Hand(timeline, colour, is_flat=True), timeline.shift
    hand.go(hand.chair.edge_mm, FINGERTIPS_MM)
    seconds /= timeline.habits.pace
    push = Push(hand.t_s, hand.t_s + seconds, was, to)
    size_mm = timeline.board.size_mm
    gripped = was.board_from_table(hand.chair.edge_mm, size_mm)
    hand.go(to.table_from_board(gripped, size_mm), FINGERTIPS_MM, seconds * timeline.habits.pace)
    timeline.enactment.pushes.append(push)
    timeline.shift = to
    hand.leave()


def switch_lamp(timeline: Timeline) -> None:
    """Switch a lamp off, or on again."""
    first = timeline.enactment.lamps[0].light
    if timeline.enactment.lamps[-1].light == first:
        blue, green, red = first.gain_bgr
        timeline.enactment.lamps.append(
            LampSetting(
                timeline.t_s,
                replace(
                    first,
                    strength=first.strength * timeline.between((0.5, 0.8)),
                    gain_bgr=(min(blue * 1.1, 3.0), green, red * 0.92),
                    from_deg=first.from_deg + timeline.between((60.0, 300.0)),
                    softness=0.25,
                ),
            )
        )
    else:
        timeline.enactment.lamps.append(LampSetting(timeline.t_s, first))


class Director:
    """Builds the enactment of one game."""

    def __init__(
        self, played: PlayedGame, board: Board, seed: int, habits: Habits, light: Light
    ) -> None:
        if not board.measured:
            raise SceneError(
                f"board {board.id!r} is not measured: nobody knows where to lay trains"
            )
        self._played, self._seed = played, seed
        edition = played.start.edition
        kind = edition.train_word if edition.train_word in KINDS else "train"
        enactment = Enactment(played, board, habits, lamps=[LampSetting(0.0, light)])
        self._timeline = Timeline(enactment, np.random.default_rng(seed))
        self._train_placer = TrainPlacer(self._timeline, kind, seed)
        self._colours = played.start.colours
        self._scores = dict.fromkeys(self._colours, 0)
        self._turned_at = (
            int(self._timeline.rng.integers(len(played.turns)))
            if played.turns and self._timeline.happens(habits.turned_around)
            else None
        )

    def direct(self) -> Enactment:
        """Return the enactment of the whole game."""
        timeline = self._timeline
        timeline.change_pieces(self._markers())
        timeline.wait(START_PAUSE_S)
        for i, turn in enumerate(self._played.turns):
            timeline.enactment.turn_starts_s.append(timeline.t_s)
            self._think(turn.colour, i)
            self._act(turn)
        timeline.wait(END_PAUSE_S)
        enactment = timeline.enactment
        enactment.duration_s = timeline.t_s
        arrivals = _arrivals(enactment.stages)
        for start_s in timeline.enactment.turn_starts_s:
            if timeline.happens(timeline.habits.things):
                put_thing_on_border(timeline, arrivals, self._random_player(), start_s)
        enactment.hand_movements.sort(key=lambda movement: movement.start_s)
        enactment.border_things.sort(key=lambda one: one.start_s)
        return enactment

    def _random_player(self) -> Colour:
        return self._colours[int(self._timeline.rng.integers(len(self._colours)))]

    def _think(self, colour: Colour, number: int) -> None:
        """Wait for the player's thinking time, with random actions of any player meanwhile."""
        timeline, habits = self._timeline, self._timeline.habits
        half_s = timeline.between(habits.thinking_s) / 2
        timeline.wait(half_s)
        if number == self._turned_at:
            turn_around(timeline, self._random_player())
        if timeline.happens(habits.nudged):
            push_board(timeline, self._random_player())
        if timeline.happens(habits.pointing):
            point_at_map(timeline, self._random_player())
        if timeline.happens(habits.lamp):
            switch_lamp(timeline)
        timeline.wait(half_s)

    def _act(self, turn: PlayedMove) -> None:
        timeline, colour = self._timeline, turn.colour
        match turn.laid or turn.move:
            case Spot("route", name):
                hand = self._train_placer.claim(colour, name)
                route = timeline.board.route_by_id[name]
                self._move_marker(hand, self._played.start.edition.route_points[route.length])
                hand.leave()
            case Spot("site", name):
                self._train_placer.site(colour, name).leave()
            case Spot("station", name):
                hand = Hand(timeline, colour)
                (station,) = place_stations(timeline.board, {name: colour}, self._seed)
                hand.lay(f"station at {name}", station)
                hand.leave()
            case DrawCard() | KeepTickets():
                if timeline.happens(timeline.habits.over_border):
                    draw_cards(timeline, colour)
                else:
                    timeline.wait(timeline.between(DRAWING_S))
            case _:
                timeline.wait(timeline.between(DRAWING_S))

    def _move_marker(self, hand: Hand, points: int) -> None:
        """Move a player's marker on the score track, with the hand that laid the route."""
        timeline, name = self._timeline, f"marker {hand.colour}"
        if not timeline.board.score_track:
            return
        hand.lift(name)
        score = self._scores.pop(hand.colour) + points
        self._scores[hand.colour] = score  # the marker that moved last lies on top
        markers = self._markers()
        hand.go(timeline.to_table(markers[name].xy_mm), FINGERTIPS_MM)
        hand.put(markers)

    def _markers(self) -> dict[str, Piece]:
        """Return all players' markers at their positions."""
        board, looseness = self._timeline.board, self._timeline.habits.looseness
        if not board.score_track:
            return {}
        markers = place_markers(board, self._scores, self._seed, looseness)
        return {f"marker {marker.colour}": marker for marker in markers}


def enact(
    played: PlayedGame,
    board: Board | None = None,
    seed: int = 0,
    habits: Habits | None = None,
    light: Light | None = None,
) -> Enactment:
    """Animate a played game with people's hands; it begins in `light`.

    `board` is the printed one (`Copy.printed`), by default that of the board file. Raises
    `SceneError` for an unmeasured board.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.simulation.played_game import play_game
    >>> game = play_game(load_edition("newyork"), load_board("newyork"), 2, seed=5)
    >>> table = enact(game, seed=1)
    >>> table.stage_at(0.0).pieces
    ()
    >>> {taxi.route for taxi in table.stages[-1].pieces} == game.end.claims.keys()
    True
    """
    return Director(
        played, board or played.start.board, seed, habits or Habits(), light or Light()
    ).direct()
