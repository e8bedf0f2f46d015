"""Cues and their weights fit each other, and say train or print where it is plain."""

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.vision.lab import distance2, to_lab
from railspotter.vision.look.evidence import CAP
from railspotter.vision.look.shape_look import ShapeLook
from railspotter.vision.reading.cue_reader import weigh_trains
from railspotter.vision.reading.cues import (
    CUES,
    SPACE_CUES,
    CueWeights,
    clearness,
    cue_weights,
    is_hidden_by_trains,
    measure_cues,
)

WEIGHTS = CueWeights(
    "made up",
    bias=-1.0,
    alike_bias=0.5,
    weight={"a": 2.0, "b": -1.0},
    alike_weight={"b": 3.0},
    clear_bias=0.25,
    clear_weight={"a": -0.5},
    likeness_counts=2.0,
)


def test_every_cue_has_its_weight() -> None:
    """In the order in which they are measured: the file's order is that of the numbers."""
    weights = cue_weights()
    assert tuple(weights.weight) == CUES
    assert set(weights.alike_weight) <= set(CUES)
    assert set(weights.clear_weight) <= set(CUES)


def test_what_cues_count_is_added_up() -> None:
    cues = np.array([[1.0, 2.0], [0.5, -1.0]], np.float32)
    plain = WEIGHTS.log_odds(cues, np.zeros(2))
    assert plain == pytest.approx([-1 + 2 - 2, -1 + 1 + 1])
    alike = WEIGHTS.log_odds(cues, np.array([1.0, 0.5]))
    assert alike - plain == pytest.approx([0.5 + 6, 0.5 * (0.5 - 3)])
    clear = WEIGHTS.log_odds(cues, np.zeros(2), 0.5)
    assert clear - plain == pytest.approx([0.5 * (0.25 - 0.5), 0.5 * (0.25 - 0.25)])


@pytest.mark.parametrize("weights", [WEIGHTS, cue_weights()])
def test_whose_trains_they_are_sums_to_one(weights: CueWeights) -> None:
    rng = np.random.default_rng(3)
    looks = rng.normal(0, 4, (20, 6))
    looks -= np.log(np.exp(looks).sum(axis=1, keepdims=True))
    looks[0] = [-30, -30, -30, -30, -30, 0]
    whose = weights.log_owner_shares(looks[:, -1], rng.normal(-5, 3, (20, 5)))
    assert np.isfinite(whose).all()
    assert np.exp(whose).sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert whose[:, -1] == pytest.approx(looks[:, -1], abs=1e-5)


def test_trains_show_their_colour_and_their_shape() -> None:
    view, first = drawn.weighed().view, drawn.weighed().first
    cues = measure_cues(view, first).spaces
    routes = [drawn.usa().routes[r].id for r in view.printed.route_of]
    taken = np.array([route in drawn.CLAIMS for route in routes])
    colours = view.pieces.colours
    theirs = [colours.index(drawn.CLAIMS[route]) for route in routes if route in drawn.CLAIMS]
    colour = first.trains.placements.score
    on_train = colour[taken][np.arange(len(theirs)), theirs]
    assert np.median(on_train) > np.median(colour[~taken].max(axis=1)) + 1
    measured = {name: cues[:, i] for i, name in enumerate(SPACE_CUES)}
    assert np.mean((measured["shape"] > 0) == taken) > 0.95
    for name in ("shape", "unlike", "evidence"):
        assert np.median(measured[name][taken]) > np.median(measured[name][~taken]), name
    assert np.median(measured["print"][taken]) < np.median(measured["print"][~taken]) - 0.3


def test_a_print_whose_edges_show_is_in_sight_whatever_colours_a_lamp_makes_of_it() -> None:
    view, first = drawn.weighed().view, drawn.weighed().first
    strange = np.full_like(first.seen.lab, (60.0, -90.0, 90.0))
    print_away = np.full_like(first.seen.print_distance2, CAP)
    seen = replace(first.seen, lab=strange, print_distance2=print_away)
    routes = [route.id for route in view.printed.board.routes]
    free = np.array([route not in drawn.CLAIMS for route in routes])
    assert np.median(weigh_trains(view, replace(first, seen=seen)).visible[free]) == 1


def test_a_print_like_trains_of_which_nothing_shows_is_under_some() -> None:
    """Unless trains on the next lane hide it, and where colour tells it from trains."""
    board = drawn.weighed().view.printed.board
    (lane, beside), *_ = board.lanes
    index = {route.id: r for r, route in enumerate(board.routes)}
    odds = np.full((len(board.routes), 2), -3.0)
    odds[index[beside]] = 5.0
    alike, gone = np.ones(len(odds)), np.full(len(odds), 0.1)
    single = next(r for r, one in enumerate(board.routes) if one.id not in board.other_lanes)
    told = is_hidden_by_trains(drawn.weighed().view.printed, odds, alike, gone)
    assert told[[single, index[beside]]].all()
    assert not told[index[lane]]
    assert not is_hidden_by_trains(drawn.weighed().view.printed, odds, 0 * alike, gone).any()
    assert not is_hidden_by_trains(drawn.weighed().view.printed, odds, alike, gone * 5).any()


def test_a_blurred_photo_is_less_clear() -> None:
    def of(covered: list[float]) -> float:
        shape = drawn.weighed().first.shape
        return clearness(
            ShapeLook(np.array(covered, np.float32), shape.plastic, shape.looks, shape.edges)
        )

    assert clearness(drawn.weighed().first.shape) > 0.5
    assert of([-8.0, 8.0, -8.0]) == 1
    assert of([0.0, 0.0, 3.0]) == 0
    assert of([-2.0, 2.0, 1.0]) == pytest.approx(0.25)


def test_lab_of_known_colours() -> None:
    bgr = np.array([(0, 0, 0), (255, 255, 255), (119, 119, 119), (0, 0, 255)], np.uint8)
    lab = to_lab(bgr)
    assert np.allclose(lab[:3], [(0, 0, 0), (100, 0, 0), (50, 0, 0)], atol=0.5)
    assert np.allclose(lab[3], (53.2, 80.1, 67.2), atol=0.5)  # sRGB red in CIE Lab, D65
    assert distance2(lab[:1], (0.0, 3.0, 4.0)).tolist() == [25.0]
    assert distance2(lab[:1], (5.0, 0.0, 0.0))[0] < 25
