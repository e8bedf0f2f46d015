"""How a claim is laid by hand: train by train, with what goes wrong and how it is put right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from math import hypot

import numpy as np
from railspotter.scoring.board import Board, Route, RouteId
from railspotter.scoring.edition import Colour

from ..arrays import Point
from ..virtual_board.pieces import Piece
from ..virtual_board.placing import stand_trains
from .script import PUT_DOWN_MM, Hand, Script

# From one train to the next. Chosen: four trains take four to six seconds with the way there.
NEXT_S = (0.45, 0.9)
# Until somebody sees that something is not as it should be, with the hand still there.
SEEN_S = (0.4, 1.2)
THOUGHT_BETTER_S = (2.0, 7.0)  # until somebody thinks better of a route that is laid
NEAR_MM = (10.0, 42.0)  # how far trains stand that a hand may push


class Layer:
    """Lays the trains of every player."""

    def __init__(self, script: Script, kind: str, seed: int) -> None:
        self._script, self._kind, self._seed = script, kind, seed
        self._numbers = count()  # trains have names ("red 12")
        self._handful = {
            colour: int(script.rng.integers(1, script.habits.handful + 1))
            for colour in script.chairs
        }

    def claim(self, colour: Colour, name: RouteId) -> Hand:
        """Lay a route, and return the hand that did, still over the board."""
        script, habits = self._script, self._script.habits
        route = script.board.route_by_id[name]
        if script.happens(habits.undone) and (other := self._other_route(route)):
            self._lay_and_lift(colour, other)
        wrong = self._beside(route) if script.happens(habits.wrong_route) else None
        if wrong is not None:
            hand = self._lay_beside_first(colour, route, wrong)
        else:
            hand = Hand(script, colour)
            self._lay(hand, self._pieces(colour, route.id))
        if script.happens(habits.bumped):
            self._bump(hand, self._pieces(colour, name)[-1])
        return hand

    def site(self, colour: Colour, name: str) -> Hand:
        """Lay the train of a site, where the board says where that is."""
        hand = Hand(self._script, colour)
        if self._script.board.site_by_id[name].space is not None:
            self._lay(hand, self._pieces(colour, name))
            hand.note("site claimed", name)
        return hand

    def _pieces(self, colour: Colour, name: str) -> tuple[Piece, ...]:
        looseness = self._script.habits.looseness
        return stand_trains(self._script.board, {name: colour}, self._seed, looseness, self._kind)

    def _lay(self, hand: Hand, pieces: Sequence[Piece]) -> list[str]:
        """Put pieces down one after another, as many from each handful; return their names."""
        script, names = self._script, list[str]()
        handful = self._handful[hand.colour]
        falls = script.happens(script.habits.dropped)
        fallen = int(script.rng.integers(len(pieces))) if falls else None
        for i, piece in enumerate(pieces):
            if i and i % handful == 0:
                hand.go(hand.chair.rest_mm, seconds=script.between((0.6, 1.0)))
            hand.holds = hand.colour
            first = None if i % handful == 0 else script.between(NEXT_S)
            hand.go(script.to_table(piece.xy_mm), PUT_DOWN_MM, first)
            name = f"{hand.colour} {next(self._numbers)}"
            if i == fallen:
                hand.put({name: self._beside_its_space(piece)})
                hand.holds = None
                hand.wait(script.between(SEEN_S))
            hand.put({name: piece})
            hand.holds = None
            names.append(name)
        return names

    def _beside_its_space(self, piece: Piece) -> Piece:
        """Return a train as it falls: turned, perhaps on its side, counting nowhere."""
        rng = self._script.rng
        x, y = piece.xy_mm
        off, turn = rng.uniform(8.0, 15.0, 2) * rng.choice([-1.0, 1.0], 2), rng.uniform(-60, 60)
        lean = float(rng.choice([0.0, 90.0, -90.0]))
        xy_mm = x + float(off[0]), y + float(off[1])
        angle = piece.angle_deg + float(turn)
        return replace(
            piece, xy_mm=xy_mm, angle_deg=angle, lean_deg=lean, route=None, space=None, place=None
        )

    def _lay_and_lift(self, colour: Colour, other: Route) -> None:
        """Lay another route, leave, think better of it and lift its trains again."""
        script = self._script
        hand = Hand(script, colour)
        names = self._lay(hand, self._pieces(colour, other.id))
        hand.leave()
        script.wait(script.between(THOUGHT_BETTER_S))
        hand = Hand(script, colour)
        for i, name in enumerate(names):
            at = script.standing[name].xy_mm
            hand.go(script.to_table(at), PUT_DOWN_MM, script.between(NEXT_S) if i else None)
            hand.put({}, lifted=[name])
            hand.holds = colour
        hand.leave()

    def _lay_beside_first(self, colour: Colour, route: Route, wrong: Route) -> Hand:
        """Begin on the wrong route, and move what lies there one by one.

        Who sees it late has laid the whole route and left already.
        """
        script = self._script
        hand = Hand(script, colour)
        wrong_pieces, pieces = self._pieces(colour, wrong.id), self._pieces(colour, route.id)
        laid = int(script.rng.integers(1, len(pieces) + 1))
        names = self._lay(hand, wrong_pieces[:laid])
        if laid == len(pieces) and script.happens(0.5):
            hand.leave()
            script.wait(script.between(THOUGHT_BETTER_S))
            hand = Hand(script, colour)
        else:
            hand.wait(script.between(SEEN_S))
        for name, piece in zip(names, pieces, strict=False):
            at = script.standing[name].xy_mm
            hand.go(script.to_table(at), PUT_DOWN_MM)
            hand.put({}, lifted=[name])
            hand.holds = colour
            hand.go(script.to_table(piece.xy_mm), PUT_DOWN_MM, script.between(NEXT_S))
            hand.put({name: piece})
            hand.holds = None
        if rest := pieces[laid:]:
            hand.go(hand.chair.rest_mm)
            self._lay(hand, rest)
        return hand

    def _bump(self, hand: Hand, laid: Piece) -> None:
        """Push a train near the last one laid; put it back, or leave it a little crooked."""
        script, rng = self._script, self._script.rng
        near = {
            name: piece
            for name, piece in script.standing.items()
            if piece.route not in (None, laid.route) and _is_near(piece, laid.xy_mm)
        }
        if not near:
            return
        name = list(near)[int(rng.integers(len(near)))]
        before = near[name]
        stays = script.happens(script.habits.left_crooked)
        along, across, turn = rng.uniform(-1, 1, 3) * ((4, 2, 9) if stays else (8, 5, 25))
        angle_deg = before.angle_deg + float(turn)
        ahead = np.deg2rad([before.angle_deg, float(turn)]).sum()
        x = before.xy_mm[0] + along * np.cos(ahead) - across * np.sin(ahead)
        y = before.xy_mm[1] + along * np.sin(ahead) + across * np.cos(ahead)
        pushed = replace(before, xy_mm=(float(x), float(y)), angle_deg=angle_deg)
        hand.put({name: pushed})
        if stays:
            return
        hand.wait(script.between(SEEN_S))
        hand.go(script.to_table(pushed.xy_mm), PUT_DOWN_MM)
        hand.put({name: before})

    def _free(self) -> list[Route]:
        taken = {piece.route for piece in self._script.standing.values()}
        return [route for route in self._script.board.routes if route.id not in taken]

    def _other_route(self, route: Route) -> Route | None:
        """Return some free route as long as this one, which its cards might have been for."""
        lanes = _lanes(self._script.board, route)
        others = [r for r in self._free() if r.length == route.length and r.id not in lanes]
        return others[int(self._script.rng.integers(len(others)))] if others else None

    def _beside(self, route: Route) -> Route | None:
        """Return the free route that this one is most easily taken for: a lane, or a neighbour."""
        lanes = _lanes(self._script.board, route)
        beside = [
            other
            for other in self._free()
            if other.length == route.length
            and other.id != route.id
            and (other.id in lanes or {other.a, other.b} & {route.a, route.b})
        ]
        return min(beside, key=lambda other: (other.id not in lanes, other.id), default=None)


def _lanes(board: Board, route: Route) -> frozenset[RouteId]:
    return board.other_lanes.get(route.id, frozenset()) | {route.id}


def _is_near(piece: Piece, spot: Point) -> bool:
    off_mm = hypot(piece.xy_mm[0] - spot[0], piece.xy_mm[1] - spot[1])
    return NEAR_MM[0] <= off_mm <= NEAR_MM[1]
