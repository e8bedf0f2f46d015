"""Single trains knocked off their spaces."""

from __future__ import annotations

import numpy as np
import pytest
from railspotter.scoring.board import Board, load_board
from railspotter.simulation.virtual_board.errors import SceneError
from railspotter.simulation.virtual_board.pieces import Piece
from railspotter.simulation.virtual_board.placing import stand_trains

from contact_sheets import bump, tip

CLAIMS = {"calgary--helena": "red", "duluth--helena": "blue"}


@pytest.fixture(scope="module")
def usa() -> Board:
    return load_board("usa")


def gap(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(np.hypot(*np.subtract(one, other)))


def test_a_bumped_train_lies_on_the_next_route_and_counts_on_its_own(usa: Board) -> None:
    trains = stand_trains(usa, CLAIMS)
    bumped = bump(trains, usa, "duluth--helena", 0, onto="helena--omaha")
    (moved,) = set(bumped) - set(trains)
    assert (moved.route, moved.space) == ("duluth--helena", 0)
    ends = [space.xy_mm for space in usa.route_by_id["helena--omaha"].spaces]
    assert min(gap(moved.xy_mm, end) for end in ends) < 1e-6
    halfway = bump(trains, usa, "duluth--helena", 0, onto="helena--omaha", far=0.5)
    (half,) = set(halfway) - set(trains)
    (was,) = set(trains) - set(halfway)
    assert gap(half.xy_mm, was.xy_mm) == pytest.approx(gap(moved.xy_mm, was.xy_mm) / 2)


def test_a_tipped_train_is_the_only_one(usa: Board) -> None:
    trains = stand_trains(usa, CLAIMS)
    tipped = tip(trains, "duluth--helena", 2, 18.0)
    (changed,) = set(tipped) - set(trains)
    assert (changed.space, changed.lean_deg) == (2, 18.0)


def test_what_is_not_there_is_refused(usa: Board) -> None:
    trains = stand_trains(usa, CLAIMS)
    with pytest.raises(SceneError, match="no train stands on space 7 of 'duluth--helena'"):
        tip(trains, "duluth--helena", 7, 18.0)
    with pytest.raises(SceneError, match="board 'usa' has no route 'a--b'"):
        bump([Piece("train", "red", (0, 0), route="x--y", space=0)], usa, "x--y", 0, "a--b")
