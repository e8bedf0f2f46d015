"""The colours of trains: known ones only, and a photo pulls them no further than their leash."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import edition_names, load_edition
from railspotter.vision.colours.train_colours import (
    TrainColour,
    plastic,
    shifted_within_leash,
    trains_in_play,
)
from railspotter.vision.errors import ReaderError

labs = st.tuples(st.floats(0, 100), st.floats(-120, 120), st.floats(-120, 120))
BOXES = ("usa", "newyork")
plastics = st.sampled_from([train for box in BOXES for train in plastic(box)])


def step(colour: TrainColour, moved: TrainColour) -> float:
    return float(np.linalg.norm(np.subtract(moved.lab, colour.lab)))


@settings(deadline=None)
@given(plastics, labs, st.integers(0, 60))
def test_a_colour_stays_on_its_leash(
    colour: TrainColour, seen: tuple[float, float, float], trains: int
) -> None:
    moved = shifted_within_leash(colour, np.array(seen), trains)
    assert step(colour, moved) <= colour.leash + 1e-9
    assert (moved.name, moved.spread, moved.leash) == (colour.name, colour.spread, colour.leash)
    towards = np.subtract(seen, colour.lab)
    went = np.subtract(moved.lab, colour.lab)
    assert np.linalg.norm(went) <= np.linalg.norm(towards) + 1e-9
    assert np.allclose(np.cross(towards, went), 0, atol=1e-6)
    assert towards @ went >= 0


@settings(deadline=None)
@given(plastics, labs, st.integers(0, 30))
def test_more_trains_pull_no_less(
    colour: TrainColour, seen: tuple[float, float, float], trains: int
) -> None:
    fewer = shifted_within_leash(colour, np.array(seen), trains)
    more = shifted_within_leash(colour, np.array(seen), trains + 1)
    assert step(colour, more) >= step(colour, fewer) - 1e-9


def test_no_trains_pull_nowhere_and_three_half_the_way() -> None:
    (red,) = trains_in_play(["red"], plastic("usa"))
    seen = np.add(red.lab, (6.0, 0.0, 0.0))
    assert shifted_within_leash(red, seen, 0) == red
    assert shifted_within_leash(red, seen, 3).lab == pytest.approx(np.add(red.lab, (3.0, 0.0, 0.0)))


@pytest.mark.parametrize("box", BOXES)
def test_the_leashes_keep_colours_apart(box: str) -> None:
    """However far two colours are pulled, neither becomes the other."""
    colours = plastic(box)
    for i, a in enumerate(colours):
        for b in colours[i + 1 :]:
            assert step(a, b) > max(a.leash, b.leash), (a.name, b.name)


@pytest.mark.parametrize(
    ("names", "box", "words"),
    [
        (["red", "pink"], "usa", "'pink'; known are black, blue, green, red, yellow"),
        (["Red"], "usa", "'Red'; known are black"),
        ([], "usa", "none"),
        (["red"], "newyork", "'red'; known are blue, white, purple, yellow"),
        (["red"], "india", "'india'; known is that of usa, newyork"),
    ],
)
def test_what_is_unknown_is_refused_with_what_is_known(
    names: list[str], box: str, words: str
) -> None:
    with pytest.raises(ReaderError, match=words):
        trains_in_play(names, plastic(box))


@pytest.mark.parametrize("name", [n for n in edition_names() if load_edition(n).board])
def test_the_trains_of_every_edition_are_known(name: str) -> None:
    edition = load_edition(name)
    if load_board(edition.board).measured:
        assert edition.colours == tuple(train.name for train in plastic(edition.plastic))
