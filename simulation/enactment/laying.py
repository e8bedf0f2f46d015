"""Placing a claim's trains by hand, one by one, with mistakes and their corrections."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from math import hypot

import numpy as np
from railspotter.scoring.board import Board, Route, RouteId
from railspotter.scoring.edition import Colour

from ..arrays import Point
from ..virtual_board.pieces import Piece, place_trains
from .enactment import FINGERTIPS_MM, Hand, Timeline

# Seconds from one train to the next. Chosen: four trains take four to six seconds in all.
BETWEEN_TRAINS_S = (0.45, 0.9)
NOTICE_S = (0.4, 1.2)  # seconds until a mistake is noticed with the hand still there
CHANGE_OF_MIND_S = (2.0, 7.0)  # seconds until a complete route is corrected
NEAR_MM = (10.0, 42.0)  # distance of the trains that a hand may push by accident


class TrainPlacer:
    """Places the trains of all players."""

    def __init__(self, timeline: Timeline, kind: str, seed: int) -> None:
        self._timeline, self._kind, self._seed = timeline, kind, seed
        self._numbers = count()  # of the trains' names ("red 12")
        self._handful = {
            colour: int(timeline.rng.integers(1, timeline.habits.handful + 1))
            for colour in timeline.chairs
        }

    def claim(self, colour: Colour, name: RouteId) -> Hand:
        """Place the trains of a route; return the hand, still over the board."""
        timeline, habits = self._timeline, self._timeline.habits
        route = timeline.board.route_by_id[name]
        if timeline.happens(habits.undone) and (other := self._unrelated_route(route)):
            self._lay_and_lift(colour, other)
        wrong = self._neighbouring_route(route) if timeline.happens(habits.wrong_route) else None
        if wrong is not None:
            hand = self._lay_wrong_route_first(colour, route, wrong)
        else:
            hand = Hand(timeline, colour)
            self._lay(hand, self._pieces(colour, route.id))
        if timeline.happens(habits.bumped):
            self._bump(hand, self._pieces(colour, name)[-1])
        return hand

    def site(self, colour: Colour, name: str) -> Hand:
        """Place the train of a site, if the board file has its position; return the hand."""
        hand = Hand(self._timeline, colour)
        if self._timeline.board.site_by_id[name].space is not None:
            self._lay(hand, self._pieces(colour, name))
        return hand

    def _pieces(self, colour: Colour, name: str) -> tuple[Piece, ...]:
        looseness = self._timeline.habits.looseness
        return place_trains(self._timeline.board, {name: colour}, self._seed, looseness, self._kind)

    def _lay(self, hand: Hand, pieces: Sequence[Piece]) -> list[str]:
        """Place pieces one after another, in handfuls; return their names."""
        timeline, names = self._timeline, list[str]()
        handful = self._handful[hand.colour]
        falls = timeline.happens(timeline.habits.dropped)
        fallen = int(timeline.rng.integers(len(pieces))) if falls else None
        for i, piece in enumerate(pieces):
            if i and i % handful == 0:
                hand.go(hand.chair.rest_mm, seconds=timeline.between((0.6, 1.0)))
            hand.holds = hand.colour
            first = None if i % handful == 0 else timeline.between(BETWEEN_TRAINS_S)
            hand.go(timeline.to_table(piece.xy_mm), FINGERTIPS_MM, first)
            name = f"{hand.colour} {next(self._numbers)}"
            if i == fallen:
                hand.put({name: self._fallen_train(piece)})
                hand.holds = None
                hand.wait(timeline.between(NOTICE_S))
            hand.put({name: piece})
            hand.holds = None
            names.append(name)
        return names

    def _fallen_train(self, piece: Piece) -> Piece:
        """Return a train beside its space: turned, perhaps on its side, of no route."""
        rng = self._timeline.rng
        x, y = piece.xy_mm
        off, turn = rng.uniform(8.0, 15.0, 2) * rng.choice([-1.0, 1.0], 2), rng.uniform(-60, 60)
        lean = float(rng.choice([0.0, 90.0, -90.0]))
        xy_mm = x + float(off[0]), y + float(off[1])
        angle = piece.angle_deg + float(turn)
        return replace(
            piece, xy_mm=xy_mm, angle_deg=angle, lean_deg=lean, route=None, space=None, place=None
        )

    def _lay_and_lift(self, colour: Colour, other: Route) -> None:
        """Place the trains of another route, leave, and come back to remove them."""
        timeline = self._timeline
        hand = Hand(timeline, colour)
        names = self._lay(hand, self._pieces(colour, other.id))
        hand.leave()
        timeline.wait(timeline.between(CHANGE_OF_MIND_S))
        hand = Hand(timeline, colour)
        for i, name in enumerate(names):
            hand.lift(name, timeline.between(BETWEEN_TRAINS_S) if i else None)
            hand.holds = colour
        hand.leave()

    def _lay_wrong_route_first(self, colour: Colour, route: Route, wrong: Route) -> Hand:
        """Place the first trains, or all, on the wrong route, and move them one by one."""
        timeline = self._timeline
        hand = Hand(timeline, colour)
        wrong_pieces, pieces = self._pieces(colour, wrong.id), self._pieces(colour, route.id)
        laid = int(timeline.rng.integers(1, len(pieces) + 1))
        names = self._lay(hand, wrong_pieces[:laid])
        if laid == len(pieces) and timeline.happens(0.5):
            hand.leave()
            timeline.wait(timeline.between(CHANGE_OF_MIND_S))
            hand = Hand(timeline, colour)
        else:
            hand.wait(timeline.between(NOTICE_S))
        for name, piece in zip(names, pieces, strict=False):
            hand.lift(name)
            hand.holds = colour
            hand.lay(name, piece, timeline.between(BETWEEN_TRAINS_S))
        if rest := pieces[laid:]:
            hand.go(hand.chair.rest_mm)
            self._lay(hand, rest)
        return hand

    def _bump(self, hand: Hand, laid: Piece) -> None:
        """Push a train near the last placed one; put it back, or leave it slightly crooked."""
        timeline, rng = self._timeline, self._timeline.rng
        near = {
            name: piece
            for name, piece in timeline.standing.items()
            if piece.route not in (None, laid.route) and _is_near(piece, laid.xy_mm)
        }
        if not near:
            return
        name = list(near)[int(rng.integers(len(near)))]
        before = near[name]
        stays = timeline.happens(timeline.habits.left_crooked)
        along, across, turn = rng.uniform(-1, 1, 3) * ((4, 2, 9) if stays else (8, 5, 25))
        angle_deg = before.angle_deg + float(turn)
        ahead = np.deg2rad([before.angle_deg, float(turn)]).sum()
        x = before.xy_mm[0] + along * np.cos(ahead) - across * np.sin(ahead)
        y = before.xy_mm[1] + along * np.sin(ahead) + across * np.cos(ahead)
        pushed = replace(before, xy_mm=(float(x), float(y)), angle_deg=angle_deg)
        hand.put({name: pushed})
        if stays:
            return
        hand.wait(timeline.between(NOTICE_S))
        hand.go(timeline.to_table(pushed.xy_mm), FINGERTIPS_MM)
        hand.put({name: before})

    def _free_routes(self) -> list[Route]:
        taken = {piece.route for piece in self._timeline.standing.values()}
        return [route for route in self._timeline.board.routes if route.id not in taken]

    def _unrelated_route(self, route: Route) -> Route | None:
        """Return a random free route of the same length."""
        lanes = _own_lanes(self._timeline.board, route)
        others = [r for r in self._free_routes() if r.length == route.length and r.id not in lanes]
        return others[int(self._timeline.rng.integers(len(others)))] if others else None

    def _neighbouring_route(self, route: Route) -> Route | None:
        """Return the free route most like this one: another lane, or one that shares a place."""
        lanes = _own_lanes(self._timeline.board, route)
        beside = [
            other
            for other in self._free_routes()
            if other.length == route.length
            and other.id != route.id
            and (other.id in lanes or {other.a, other.b} & {route.a, route.b})
        ]
        return min(beside, key=lambda other: (other.id not in lanes, other.id), default=None)


def _own_lanes(board: Board, route: Route) -> frozenset[RouteId]:
    return board.other_lanes.get(route.id, frozenset()) | {route.id}


def _is_near(piece: Piece, spot: Point) -> bool:
    off_mm = hypot(piece.xy_mm[0] - spot[0], piece.xy_mm[1] - spot[1])
    return NEAR_MM[0] <= off_mm <= NEAR_MM[1]
