"""What every reading says of a spot that nobody saw change, and what is believed of it then."""

from __future__ import annotations

from dataclasses import replace

import pytest
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.belief import BeliefSettings, SpotReading
from railspotter.vision.watching.watched_board import Evidence, WatchedSpot

SPOT = Spot("route", "a--b")
FREE = SpotReading(None, (-4.0, -5.0), parts=2, covered=0)
RED = SpotReading("red", (5.0, -3.0), parts=2, covered=2, shape=3.0)
UNCLEAR = replace(
    RED, odds=(0.2, 0.1), doubt=Doubt(SPOT, "red", (None,), Sentence("it is not clear"))
)


S = BeliefSettings()


@pytest.fixture
def spot() -> WatchedSpot:
    return WatchedSpot(SPOT, parts=2)


def read(spot: WatchedSpot, *seen: SpotReading, is_last: bool = False) -> list[SpotReading]:
    """Read a spot once a second; return which of the last readings contradict."""
    for at_s, one in enumerate(seen):
        spot.take_in(one, float(at_s), S, is_last=is_last)
    return spot.contradicting


def test_a_hand_between_readings_that_disagree_is_news(spot: WatchedSpot) -> None:
    read(spot, FREE)
    assert spot.is_confirmed
    spot.handled()
    assert read(spot, RED) == [RED]
    assert spot.was_confirmed
    assert not spot.is_confirmed


def test_without_a_hand_or_an_earlier_reading_it_is_none(spot: WatchedSpot) -> None:
    read(spot, RED)
    assert not spot.was_confirmed
    spot.handled()
    assert spot.contradicting == []
    assert read(spot, RED) == [RED]
    assert not spot.was_confirmed
    read(spot, FREE, RED)
    assert not spot.was_confirmed


def test_one_reading_that_agrees_ends_it(spot: WatchedSpot) -> None:
    assert read(spot, RED, FREE) == []


def test_it_is_in_dispute_since_the_first_reading_that_contradicts(spot: WatchedSpot) -> None:
    assert read(spot, RED, FREE, RED, RED) == [RED, RED]
    assert spot.contradicted_since_s == 2.0


def test_what_a_person_said_is_not_disputed(spot: WatchedSpot) -> None:
    spot.believe(None, is_undisputed=True)
    assert read(spot, RED) == []
    spot.believe("blue")
    assert read(spot, RED) == [RED]


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
    spot: WatchedSpot, seen: SpotReading, believed: str | None, contradicts: bool
) -> None:
    spot.believed = believed
    assert (read(spot, seen) == [seen]) == contradicts


FIRST, SECOND = frozenset({0}), frozenset({1})


@pytest.mark.parametrize("shape", [0.5, -0.5])
def test_less_contradicts_where_every_space_changed_one_by_one_or_the_game_is_over(
    spot: WatchedSpot, shape: float
) -> None:
    faint = replace(UNCLEAR, odds=(-0.7, -5.0), shape=shape)
    assert read(spot, faint) == []
    spot.believe(None, changed=FIRST)
    assert read(spot, faint) == []
    spot.believe(None, changed=SECOND)
    assert (read(spot, faint) == [faint]) == (shape > 0)
    spot.believe(None, is_undisputed=True)
    spot.believe("red")
    spot.believe(None)
    assert read(spot, faint) == []
    assert (read(spot, faint, is_last=True) == [faint]) == (shape > 0)


def test_what_is_believed_anew_is_decided_and_in_no_dispute(spot: WatchedSpot) -> None:
    read(spot, FREE)
    spot.handled()
    read(spot, RED)
    spot.evidence, spot.is_explained, spot.stays_open = Evidence(), True, True
    assert spot.is_undecided
    spot.believe("red", changed=FIRST)
    assert spot.is_decided
    assert spot.contradicting == []
    assert not any((spot.was_confirmed, spot.is_explained, spot.stays_open, spot.changed_before))
