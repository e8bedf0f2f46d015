"""What every reading says of spots that nobody saw change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.belief import BeliefSettings, SpotReading
from railspotter.vision.watching.rereading import Rereading

SPOT = Spot("route", "a--b")
FREE = SpotReading(None, (-4.0, -5.0), parts=2, covered=0)
RED = SpotReading("red", (5.0, -3.0), parts=2, covered=2, shape=3.0)
UNCLEAR = replace(
    RED, odds=(0.2, 0.1), doubt=Doubt(SPOT, "red", (None,), Sentence("it is not clear"))
)


@pytest.fixture
def rereading() -> Rereading:
    return Rereading(BeliefSettings())


def test_a_hand_between_readings_that_disagree_is_news(rereading: Rereading) -> None:
    rereading.take_in(SPOT, FREE, None)
    assert rereading.bears_out(SPOT)
    rereading.handled([SPOT])
    rereading.take_in(SPOT, RED, None)
    assert rereading.of(SPOT) == [RED]
    assert rereading.is_new(SPOT)


def test_without_a_hand_or_an_earlier_reading_it_is_none(rereading: Rereading) -> None:
    rereading.take_in(SPOT, RED, None)
    assert not rereading.is_new(SPOT)
    rereading.handled([SPOT])
    rereading.take_in(SPOT, RED, None)
    assert list(rereading) == [SPOT]
    assert not rereading.is_new(SPOT)
    rereading.take_in(SPOT, FREE, None)
    rereading.take_in(SPOT, RED, None)
    assert not rereading.is_new(SPOT)


def test_one_reading_that_agrees_ends_it(rereading: Rereading) -> None:
    rereading.take_in(SPOT, RED, None)
    rereading.take_in(SPOT, FREE, None)
    assert list(rereading) == []


def test_what_a_person_said_is_not_disputed(rereading: Rereading) -> None:
    rereading.believed(SPOT, is_told=True)
    rereading.take_in(SPOT, RED, None)
    assert list(rereading) == []
    rereading.believed(SPOT, is_told=False)
    rereading.take_in(SPOT, RED, None)
    assert list(rereading) == [SPOT]


@pytest.mark.parametrize(
    ("seen", "believed", "contradicts"),
    [
        pytest.param(UNCLEAR, None, True, id="something stands there"),
        pytest.param(UNCLEAR, "blue", False, id="it is believed to be there"),
        pytest.param(replace(UNCLEAR, shape=0.0), None, False, id="no shape of trains"),
        pytest.param(replace(UNCLEAR, odds=(-2.0, -3.0)), None, False, id="nobody's colour"),
        pytest.param(replace(RED, visible=0.1), None, False, id="hidden"),
        pytest.param(FREE, "red", True, id="what was there is gone"),
    ],
)
def test_what_contradicts(
    rereading: Rereading, seen: SpotReading, believed: str | None, contradicts: bool
) -> None:
    rereading.take_in(SPOT, seen, believed)
    assert (list(rereading) == [SPOT]) == contradicts


@pytest.mark.parametrize("shape", [0.5, -0.5])
def test_less_contradicts_where_every_space_changed_one_by_one_or_the_game_is_over(
    rereading: Rereading, shape: float
) -> None:
    faint = replace(UNCLEAR, odds=(-0.7, -5.0), shape=shape)
    rereading.take_in(SPOT, faint, None)
    assert list(rereading) == []
    rereading.laid_singly(SPOT)
    rereading.take_in(SPOT, faint, None)
    assert (list(rereading) == [SPOT]) == (shape > 0)
    rereading.believed(SPOT, is_told=False)
    rereading.take_in(SPOT, faint, None)
    assert list(rereading) == []
    rereading.look_over()
    rereading.take_in(SPOT, faint, None)
    assert (list(rereading) == [SPOT]) == (shape > 0)
