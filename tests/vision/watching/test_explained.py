"""Which changes have a reason already, told without a picture."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
from railspotter.calibration.arrays import Mask
from railspotter.scoring.board import load_board
from railspotter.scoring.spot import Spot
from railspotter.vision.watching.deciding import BEFORE_S, ExplainedSpots
from railspotter.vision.watching.watched_board import WatchedBoard

ROUTE = Spot("route", "atlanta--raleigh--0")
LANE = Spot("route", "atlanta--raleigh--1")
END = Spot("station", "atlanta")
ELSEWHERE = Spot("station", "boston")
MIAMI = Spot("route", "atlanta--miami")
BOARD = load_board("usa")


@pytest.fixture
def spots() -> WatchedBoard:
    return WatchedBoard(BOARD, has_stations=True)


@pytest.fixture
def explained(spots: WatchedBoard) -> ExplainedSpots:
    """Return what is known after a red claim, with which all else changed."""
    explained = ExplainedSpots(BOARD, spots)
    explained.by(ROUTE, "red", dict.fromkeys((ROUTE, LANE, END, ELSEWHERE), 10.0))
    return explained


def only(spots: WatchedBoard, *names: Spot) -> Mask:
    """Return which spots have one of these names."""
    return np.array([spot.spot in names for spot in spots])


def explained_of(spots: WatchedBoard) -> Collection[Spot]:
    return {spot.spot for spot in spots if spot.is_explained}


def test_a_claim_explains_what_changed_with_it_and_not_before(spots: WatchedBoard) -> None:
    explained = ExplainedSpots(BOARD, spots)
    explained.by(ROUTE, "red", {ROUTE: 10.0, LANE: 10.0 - BEFORE_S, END: 9.9 - BEFORE_S})
    assert explained_of(spots) == {LANE}


def test_a_hand_that_comes_again_may_lay_something(
    explained: ExplainedSpots, spots: WatchedBoard
) -> None:
    explained.keep(in_sight=only(spots, LANE), changed=only(spots, LANE, END))
    assert explained_of(spots) == {LANE}


def test_the_last_train_is_no_station_though_a_hand_passes(
    explained: ExplainedSpots, spots: WatchedBoard
) -> None:
    explained.keep(in_sight=only(spots), changed=only(spots, END, ELSEWHERE))
    assert spots[END].is_train("red")
    assert not spots[END].is_train("blue")
    assert not spots[ELSEWHERE].is_train("red")


def test_what_has_been_seen_free_since_may_become_a_station(
    explained: ExplainedSpots, spots: WatchedBoard
) -> None:
    explained.keep(in_sight=only(spots), changed=only(spots))
    assert not spots[END].is_train("red")
    assert not spots[END].taken_for_train


def test_a_train_that_looked_like_a_station_is_one_again_where_that_is_explained(
    explained: ExplainedSpots, spots: WatchedBoard
) -> None:
    spots[END].taken_for_train.add("red")
    explained.keep(in_sight=only(spots), changed=only(spots))
    assert not spots[END].is_train("red")
    explained.by(MIAMI, "blue", {MIAMI: 99, END: 99})
    assert spots[END].is_train("red")
