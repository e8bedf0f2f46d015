"""The events of an enactment, and what its pieces hold."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from railspotter.scoring.board import Board, RouteId
from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Kind, Spot, of_kind
from railspotter.simulation.enactment.enactment import Enactment, HandMovement, Stage
from railspotter.simulation.virtual_board.pieces import Piece

HAND_MM = 20.0  # distance from the board's edge at which fingertips cover nothing of it
CLAIMS = {"route": "claimed", "station": "station built", "site": "site claimed"}


@dataclass(frozen=True, slots=True)
class EnactedEvent:
    """An event at the table."""

    t_s: float
    # one of `CLAIMS`: the last piece is placed; "withdrawn": the first of them is lifted; "hand
    # left": the hand that did either is no longer over the board; "turn": a player begins to
    # think; "board moved": the board is still again
    kind: str
    colour: Colour  # the hand's
    name: str = ""  # of the route, place or site
    turn: int = 0  # the number of the turn in the game, from 0


def events_of(enactment: Enactment) -> tuple[EnactedEvent, ...]:
    """Return the events in order of time."""
    starts_s = enactment.turn_starts_s
    turns = zip(starts_s, enactment.played.turns, strict=True)
    found = [(start_s, "turn", turn.colour, "") for start_s, turn in turns]
    changes = defaultdict[tuple[float, Colour], list[str]](list)
    for t_s, kind, colour, name in _changes(enactment):
        found.append((t_s, kind, colour, name))
        changes[t_s, colour].append(name)
    for movement in enactment.hand_movements:
        if movement.is_flat:
            found.append((movement.keys[-2].t_s, "board moved", movement.colour, ""))
        names = [name for key in movement.keys for name in changes[key.t_s, movement.colour]]
        for name in dict.fromkeys(names):
            found.append((_left_s(enactment, movement), "hand left", movement.colour, name))
    found.sort(key=lambda event: event[0])
    return tuple(EnactedEvent(*event, bisect_right(starts_s, event[0]) - 1) for event in found)


def claims_at(enactment: Enactment, t_s: float) -> dict[RouteId, Colour]:
    """Return the routes that are complete at a time."""
    return of_kind("route", held_in(enactment.stage_at(t_s), enactment.board))


def held_in(stage: Stage, board: Board) -> dict[Spot, Colour]:
    """Return whose trains fill a route, and whose piece stands at a place or on a site."""
    held = dict[Spot, Colour]()
    trains = defaultdict[RouteId, list[Piece]](list)
    for piece in stage.pieces:
        if piece.place:
            kind: Kind = "station" if piece.kind == "station" else "site"
            held[Spot(kind, piece.place)] = piece.colour
        elif piece.route:
            trains[piece.route].append(piece)
    for route, there in trains.items():
        is_shape = any(piece.kind == "shape" for piece in there)
        if is_shape or len({piece.space for piece in there}) == board.route_by_id[route].length:
            held[Spot("route", route)] = there[0].colour
    return held


def _changes(enactment: Enactment) -> Iterator[tuple[float, str, Colour, str]]:
    """Yield what is withdrawn and claimed: time, kind, colour and name."""
    stages = [(stage.t_s, held_in(stage, enactment.board)) for stage in enactment.stages]
    for (_, before), (t_s, after) in pairwise(stages):
        for spot in sorted(before.keys() | after.keys()):
            was, now = before.get(spot), after.get(spot)
            if was is not None and now != was:
                yield t_s, "withdrawn", was, spot.id
            if now is not None and now != was:
                yield t_s, CLAIMS[spot.kind], now, spot.id


def _left_s(enactment: Enactment, movement: HandMovement) -> float:
    """Return when a hand leaves the board, to a hundredth of a second."""
    start_s, size_mm = movement.keys[-2].t_s, enactment.board.size_mm
    shift = enactment.shift_at(start_s)
    for t_s in np.arange(start_s, movement.end_s, 0.01)[::-1].tolist():
        at_mm = shift.board_from_table(movement.at(t_s).xy_mm, size_mm)
        if all(-HAND_MM < x < size + HAND_MM for x, size in zip(at_mm, size_mm, strict=True)):
            return float(t_s + 0.01)
    return start_s
