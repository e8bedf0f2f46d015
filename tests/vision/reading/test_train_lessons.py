"""Trains that lie where somebody says teach what they look like, whatever their colour."""

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.calibration.profiles.profile import space_key
from railspotter.vision.look.view import View
from railspotter.vision.reading.train_lessons import easy_spaces, lessons

LAID = {"calgary--seattle": "red", "miami--new-orleans": "blue", "denver--phoenix": "green"}


@pytest.fixture(scope="module")
def view() -> View:
    return drawn.found(drawn.game().picture).view


def test_trains_of_known_and_unknown_colours_show_the_same(view: View) -> None:
    placed = {space_key(route, 1): colour for route, colour in LAID.items()}
    known = lessons(view, placed)
    named = lessons(view, {key: f"own {colour}" for key, colour in placed.items()})
    prior = {train.name: train.lab for train in view.pieces.trains}
    for key, colour in placed.items():
        assert known[key].is_there
        assert known[key].is_calm
        assert named[key].is_there
        assert np.linalg.norm(np.subtract(known[key].lab, named[key].lab)) < 10
        nearest = min(prior, key=lambda c: np.linalg.norm(np.subtract(prior[c], named[key].lab)))
        assert nearest == colour


def test_where_no_train_lies_nothing_is_learned(view: View) -> None:
    bare = space_key("nashville--saint-louis", 0)
    assert "nashville--saint-louis" not in drawn.CLAIMS
    assert not lessons(view, {bare: "red"})[bare].is_there
    assert not lessons(view, {bare: "own"})[bare].is_there


def test_prints_of_ones_own_colour_teach_nothing(view: View) -> None:
    plain = easy_spaces(view, "red")
    for route in drawn.usa().routes:
        assert (space_key(route.id, 0) in plain) == (route.colour != "red")
    like = replace(view.pieces.trains[0], name="own", like=("grey",))
    with_own_plastic = replace(view, pieces=replace(view.pieces, trains=(like,)))
    assert space_key("calgary--helena", 0) not in easy_spaces(with_own_plastic, "own")
