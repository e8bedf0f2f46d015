"""What is learned of trains' colours moves them a little, never away, and can be taken back."""

import drawn
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.calibration.arrays import Lab
from railspotter.calibration.profiles.profile import LearnedColour
from railspotter.vision.colours.learned_colours import (
    Learned,
    is_learnable,
    lab_from_srgb,
    srgb_from_lab,
    table_trains,
    trains_in_light,
    trains_named,
    with_observation,
)
from railspotter.vision.colours.train_colours import TrainColour, plastic
from railspotter.vision.errors import ReaderError
from railspotter.vision.printed.printed_board import PrintedBoard

BOX = plastic("usa")
RED = next(train for train in BOX if train.name == "red")
TEAL: Learned = {"teal": (LearnedColour("teal", swatch=(26, 138, 138)),)}

labs = st.tuples(
    *(st.floats(low, high, width=32) for low, high in ((0, 100), (-80, 80), (-80, 80)))
)
observations = st.lists(st.tuples(st.sampled_from(["", "warm", "cool"]), labs), max_size=30)


def shifted(by: float) -> Lab:
    return RED.lab[0], RED.lab[1] + by, RED.lab[2]


def red_in(learned: Learned, light: str = "") -> TrainColour:
    return next(train for train in trains_in_light(BOX, learned, light) if train.name == "red")


def off(train: TrainColour, usual: TrainColour) -> float:
    return float(np.linalg.norm(np.subtract(train.lab, usual.lab)))


def test_nothing_learned_is_the_box() -> None:
    assert trains_in_light(BOX, {}, "") == BOX


def test_what_was_seen_often_counts_more_than_once() -> None:
    learned: Learned = {}
    steps = []
    for _ in range(6):
        learned = with_observation(learned, "red", "", shifted(8))
        steps.append(red_in(learned).lab[1] - RED.lab[1])
    assert steps == sorted(steps)
    assert 1 < steps[0] < 3
    assert 5 < steps[-1] < 8


@given(observations)
def test_no_colour_of_the_box_leaves_its_leash(seen: list[tuple[str, Lab]]) -> None:
    learned: Learned = {}
    for light, lab in seen:
        learned = with_observation(learned, "red", light, lab)
    for light in ("", "warm"):
        assert off(red_in(learned, light), RED) <= RED.leash + 1e-6


@given(st.dictionaries(st.sampled_from([t.name for t in BOX]), labs, min_size=2))
def test_learning_brings_no_two_colours_together(seen: dict[str, Lab]) -> None:
    learned: Learned = {}
    for name, lab in seen.items():
        for _ in range(15):
            learned = with_observation(learned, name, "", lab)
    moved = trains_in_light(BOX, learned, "")
    for i, (one, was) in enumerate(zip(moved, BOX, strict=True)):
        for other, other_was in list(zip(moved, BOX, strict=True))[:i]:
            # Two at once may each go back alone; then half of the way is the other's.
            assert off(one, other) > 0.4 * off(was, other_was)


def test_another_light_counts_less_than_its_own() -> None:
    warm = with_observation({}, "red", "warm", shifted(9))
    assert off(red_in(warm, "warm"), RED) > 1.5 * off(red_in(warm), RED) > 0


def test_a_few_wrong_ones_among_many_change_nothing_much() -> None:
    learned: Learned = {}
    for _ in range(9):
        learned = with_observation(learned, "red", "", shifted(4))
    right = red_in(learned)
    for _ in range(3):
        learned = with_observation(learned, "red", "", shifted(-40))
    assert off(red_in(learned), right) < 2.0


def test_only_the_newest_are_kept_and_all_are_counted() -> None:
    learned: Learned = {}
    for number in range(40):
        learned = with_observation(learned, "red", "", (float(number), 0.0, 0.0))
    (red,) = learned["red"]
    assert red.count == 40
    assert red.observations[-1] == (39.0, 0.0, 0.0)
    assert len(red.observations) == 15


@pytest.mark.parametrize(
    ("colour", "lab", "may"),
    [
        ("red", shifted(0), True),
        ("red", shifted(12), True),
        ("red", shifted(-45), False),
        ("red", BOX[1].lab, False),
        ("mauve", shifted(0), False),
    ],
    ids=["its own", "a little off", "far off", "another player's", "nobody's"],
)
def test_outliers_teach_nothing(colour: str, lab: Lab, may: bool) -> None:
    assert is_learnable(BOX, colour, lab) is may


def test_trains_of_ones_own_stand_beside_the_boxs_or_in_their_place() -> None:
    learned = {**TEAL, "red": (LearnedColour("red", swatch=(200, 60, 90)),)}
    trains = {train.name: train for train in table_trains(BOX, learned)}
    assert set(trains) == {"black", "blue", "green", "red", "yellow", "teal"}
    assert trains["blue"] == BOX[1]
    assert off(trains["red"], RED) > 10
    assert trains["teal"].lab == pytest.approx(lab_from_srgb((26, 138, 138)))


def test_what_was_said_to_be_there_is_what_is_looked_for() -> None:
    assert [train.name for train in trains_named(None, BOX, {})] == [train.name for train in BOX]
    silently = with_observation({}, "red", "", RED.lab)
    assert [t.name for t in trains_named(None, BOX, silently)] == [train.name for train in BOX]
    said: Learned = {**TEAL, "red": (LearnedColour("red"),)}
    assert [train.name for train in trains_named(None, BOX, said)] == ["teal", "red"]
    assert [train.name for train in trains_named(["teal", "blue"], BOX, said)] == ["teal", "blue"]
    with pytest.raises(ReaderError, match="'mauve'"):
        trains_named(["mauve"], BOX, said)


def test_prints_like_ones_own_trains_are_known() -> None:
    printed = PrintedBoard.of(drawn.usa(), drawn.profile())
    part = (slice(None), *printed.middle(16.0, 5.0))
    names = np.array([printed.board.routes[r].colour for r in printed.route_of])
    pixels = printed.reference_lab[printed.windows_of_seen[part]]
    lab = np.median(pixels[names == "orange"].reshape(-1, 3), axis=0)
    swatch = srgb_from_lab((float(lab[0]), float(lab[1]), float(lab[2])))
    learned = {"amber": (LearnedColour("amber", swatch=swatch),)}
    amber = table_trains(BOX, learned, printed)[-1]
    assert amber.resembles("orange")
    assert not amber.resembles("blue")


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_swatches_survive_the_way_to_lab_and_back(swatch: tuple[int, int, int]) -> None:
    assert srgb_from_lab(lab_from_srgb(swatch)) == pytest.approx(swatch, abs=1)
