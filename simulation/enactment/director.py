"""The director: turns of a played game into what hands do, one after another."""

from __future__ import annotations

import numpy as np
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour

from ..virtual_board.errors import SceneError
from ..virtual_board.light import Light
from ..virtual_board.pieces import KINDS, Piece
from ..virtual_board.placing import stand_markers, stand_stations
from ..virtual_players.played_game import (
    CardsDrawn,
    PlayedGame,
    PlayedRoute,
    PlayedSite,
    PlayedStation,
    TicketsDrawn,
    Turn,
)
from .belongings import Border
from .disturbances import draw_cards, point, push_board, switch_lamp, turn_around
from .habits import Habits
from .laying import Layer
from .script import PUT_DOWN_MM, Hand, Script
from .stocks import Stocks
from .timeline import Timeline

# Editions whose board has no score track: "players calculate their final scores using the scorepad"
# (New York).
WITHOUT_TRACK = ("newyork",)
# How long the table is still before the first turn and after the last one.
FIRST_S, LAST_S = 2.0, 4.0
DRAWING_S = (1.5, 4.0)  # how long it takes to draw cards where no camera sees it


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
        self._stocks = Stocks(self._script, edition.trains, kind)
        self._layer = Layer(self._script, self._stocks, kind, seed)
        self._colours = [seat.colour for seat in played.seats]
        self._scores = dict.fromkeys(self._colours, 0)
        self._with_markers = edition.id not in WITHOUT_TRACK
        self._turned_at = (
            int(self._script.rng.integers(len(played.turns)))
            if played.turns and self._script.happens(habits.turned_around)
            else None
        )

    def direct(self) -> Timeline:
        """Return what happens from before the first turn until after the last one."""
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
        return script.finished()

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

    def _act(self, turn: Turn) -> None:
        script, colour = self._script, turn.colour
        match turn.action:
            case PlayedRoute(route=name):
                hand = self._layer.claim(colour, name)
                route = script.board.route_by_id[name]
                self._move_marker(hand, self._played.edition.route_points[route.length])
                hand.leave()
            case PlayedSite(site=name):
                self._layer.site(colour, name).leave()
            case PlayedStation(place=name):
                hand = Hand(script, colour)
                (station,) = stand_stations(script.board, {name: colour}, self._seed)
                hand.go(script.to_table(station.xy_mm), PUT_DOWN_MM)
                hand.put({f"station at {name}": station})
                hand.note("station built", name)
                hand.leave()
            case CardsDrawn() | TicketsDrawn():
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
