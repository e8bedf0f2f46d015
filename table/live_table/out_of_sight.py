"""What a camera does not see of its board, in words: out of its picture, or under something."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot

UNSEEN = Sentence(
    "{n} routes are out of the camera's picture, on the board's {side}: raise the camera or move it"
    " there, or tap these routes yourselves; the others are watched"
)
COVERED = Sentence(
    "something has covered the board near {place} for a minute: take it away; if nothing"
    " is there, choose Look again"
)


def unseen_sentence(routes: Sequence[Spot], board: Board) -> Sentence:
    """Return that some routes are out of the picture, and at which side of the board they lie."""
    spaces = [space.xy_mm for spot in routes for space in board.route_by_id[spot.id].spaces]
    x, y = np.mean(spaces, axis=0) / board.size_mm - 0.5
    if abs(x) > abs(y):
        side = Sentence("left") if x < 0 else Sentence("right")
    else:
        side = Sentence("top") if y < 0 else Sentence("bottom")
    return UNSEEN.filled(n=len(routes), side=side)


def covered_sentence(spot: Spot, board: Board) -> Sentence:
    """Return that something has lain over a spot for long, with the name of a place at it."""
    if spot.kind == "site":
        return COVERED.filled(place=board.site_by_id[spot.id].name)
    place = board.route_by_id[spot.id].a if spot.kind == "route" else spot.id
    return COVERED.filled(place=board.place_by_id[place].name)
