"""Which changes have a reason already, told without a picture."""

from __future__ import annotations

import pytest
from railspotter.scoring import load_board
from railspotter.scoring.spot import Spot
from railspotter.vision.watching.explained import BEFORE_S, ExplainedSpots

ROUTE = Spot("route", "atlanta--raleigh--0")
LANE = Spot("route", "atlanta--raleigh--1")
END = Spot("station", "atlanta")
ELSEWHERE = Spot("station", "boston")


@pytest.fixture
def explained() -> ExplainedSpots:
    """Return what is known after a red claim, with which all else changed."""
    explained = ExplainedSpots(load_board("usa"))
    explained.by(ROUTE, "red", dict.fromkeys((ROUTE, LANE, END, ELSEWHERE), 10.0))
    return explained


def test_a_claim_explains_what_changed_with_it_and_not_before() -> None:
    explained = ExplainedSpots(load_board("usa"))
    explained.by(ROUTE, "red", {ROUTE: 10.0, LANE: 10.0 - BEFORE_S, END: 9.9 - BEFORE_S})
    assert LANE in explained
    assert ROUTE not in explained
    assert END not in explained


def test_a_hand_that_comes_again_may_lay_something(explained: ExplainedSpots) -> None:
    explained.keep(still={LANE}, changed={LANE, END})
    assert LANE in explained
    assert END not in explained


def test_the_last_train_is_no_station_though_a_hand_passes(explained: ExplainedSpots) -> None:
    explained.keep(still=set(), changed={END, ELSEWHERE})
    assert explained.is_train(END, "red")
    assert not explained.is_train(END, "blue")
    assert not explained.is_train(ELSEWHERE, "red")


def test_what_has_been_seen_free_since_may_become_a_station(explained: ExplainedSpots) -> None:
    explained.keep(still=set(), changed=set())
    assert not explained.is_train(END, "red")
    assert not explained.looked_like(END, "red")


def test_a_train_that_looked_like_a_station_is_one_again_where_that_is_explained(
    explained: ExplainedSpots,
) -> None:
    explained.take_for_train(END, "red")
    explained.keep(still=set(), changed=set())
    assert explained.looked_like(END, "red")
    assert not explained.is_train(END, "red")
    explained.by(
        Spot("route", "atlanta--miami"), "blue", {Spot("route", "atlanta--miami"): 99, END: 99}
    )
    assert explained.is_train(END, "red")
