"""What is computed for all pixels, spaces and routes at once is what each of them gives alone."""

from __future__ import annotations

from dataclasses import replace

import cv2
import drawn
import numpy as np
import pytest
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.lab import distance2, to_lab
from railspotter.vision.look.evidence import CAP, SeenBoard, colour_evidence
from railspotter.vision.look.first_look import HIDDEN, SEEN, top_colours, visible_spaces
from railspotter.vision.printed import edges
from railspotter.vision.reading.cue_reader import WeighedBoard, weigh
from railspotter.vision.watching.looks import FURTHEST, _nearest


@pytest.fixture(scope="module")
def weighed() -> WeighedBoard:
    return weigh(drawn.found(drawn.game().picture).view)


@pytest.mark.parametrize("colours", [1, 2, 5])
def test_evidence_is_the_lead_over_print_and_other_colours(colours: int) -> None:
    rng = np.random.default_rng(1)
    lab = rng.normal((45, 10, 10), (20, 25, 25), (4000, 3)).astype(np.float32)
    print_distance2 = rng.uniform(0, CAP, 4000).astype(np.float32)
    trains = plastic("usa")[:colours]
    evidence = colour_evidence(SeenBoard(lab, print_distance2), trains)
    away = np.array([np.minimum(distance2(lab, t.lab) / t.spread**2, CAP) for t in trains])
    assert evidence.shape == (4000, colours)
    for c in range(colours):
        best = np.min([print_distance2, *np.delete(away, c, axis=0)], axis=0)
        assert np.allclose(evidence[:, c], (best - away[c]) / 2, atol=1e-5)


def test_colours_of_pixels_are_those_of_a_picture() -> None:
    picture = drawn.texture((60, 80))
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    expected = lab * np.array([100 / 255, 1, 1]) - np.array([0, 128, 128])
    assert np.allclose(to_lab(picture), expected, atol=1e-4)
    assert np.array_equal(to_lab(picture[::2, ::3]), to_lab(picture)[::2, ::3])


def test_edges_are_the_same_in_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = drawn.texture((150, 90))
    whole = edges.colour_edges(picture, 1.0)
    monkeypatch.setattr(edges, "BAND_PX", 40)
    assert np.allclose(edges.colour_edges(picture, 1.0), whole, atol=1e-4)
    some = np.arange(5, whole[..., 0].size, 7, dtype=np.int32)
    assert np.allclose(edges.edges_at(picture, 1.0, some), whole.reshape(-1, 6)[some], atol=1e-4)


def test_the_place_of_a_pixel_is_where_it_is_seen(weighed: WeighedBoard) -> None:
    printed = weighed.view.printed
    at = printed.place_among_seen[printed.windows]
    assert np.array_equal(at, printed.windows_of_seen)


def test_what_routes_are_nearest_to_is_found_for_all_at_once(weighed: WeighedBoard) -> None:
    view, first = weighed.view, weighed.first
    best = weighed.odds.routes.argmax(axis=1)
    for r, (colour, lead) in enumerate(_nearest(weighed, best)):
        spaces = np.flatnonzero(view.printed.route_of == r)
        offset_mm = first.trains.placements.offset_mm[spaces, best[r]]
        height_mm = view.pieces.train_size_mm[2]
        tops, _ = top_colours(
            view.printed, view.viewpoint, height_mm, first.seen.lab, spaces, offset_mm
        )
        away = sorted(
            (float(np.minimum(distance2(tops, t.lab) / t.spread**2, FURTHEST).mean()), t.name)
            for t in first.colours
        )
        assert lead == pytest.approx((away[1][0] - away[0][0]) / 2, abs=1e-4)
        assert colour == away[0][1] or lead < 1e-4


def test_of_one_colour_none_is_nearest(weighed: WeighedBoard) -> None:
    alone = replace(weighed, first=replace(weighed.first, colours=weighed.first.colours[:1]))
    best = np.zeros(len(weighed.odds.routes), np.intp)
    assert set(_nearest(alone, best)) == {(None, 0.0)}


def test_each_space_is_hidden_by_what_looks_like_nothing(weighed: WeighedBoard) -> None:
    printed, first = weighed.view.printed, weighed.first
    visible = visible_spaces(printed, first)
    inside = printed.windows_of_seen[(slice(None), *printed.middle(20.0, 6.0))]
    for space in range(0, len(inside), 7):
        lab = first.seen.lab[inside[space]]
        unlike = [distance2(lab, t.lab) / t.spread**2 >= CAP for t in first.colours]
        strange = np.all([*unlike, first.seen.print_distance2[inside[space]] >= CAP], axis=0)
        share = np.clip((HIDDEN - strange.mean()) / (HIDDEN - SEEN), 0, 1)
        assert visible[space] == pytest.approx(share, abs=1e-5)
