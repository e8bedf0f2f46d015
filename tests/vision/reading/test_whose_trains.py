"""Whose trains stand there, by what is on top of them, in two lights and up to two places."""

from dataclasses import replace
from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Float64s
from railspotter.scoring.sentence import Sentence
from railspotter.vision.look.first_look import FirstLook
from railspotter.vision.reading import cue_reader
from railspotter.vision.reading.cue_reader import colours_by_markers
from railspotter.vision.reading.whose_trains import (
    AS_LIKELY,
    Whose,
    alikeness,
    whose_at_first,
    whose_trains,
)
from railspotter.vision.readings import Colour, MarkerReading

SURE = 0.97
COVERED, BARE = 40.0, -40.0  # log-odds by shape


@cache
def claimed() -> tuple[tuple[int, int], ...]:
    """Index of each route with trains, and of their colour."""
    colours = drawn.weighed().view.pieces.colours
    truth = drawn.game().claims
    routes = drawn.weighed().view.printed.board.routes
    return tuple(
        (r, colours.index(truth[route.id]))
        for r, route in enumerate(routes)
        if truth.get(route.id) in colours
    )


def shares_of(first: float = SURE) -> Float64s:
    """Whose trains they are, as sure as said; the rest goes to the next colour."""
    count = len(drawn.weighed().view.pieces.colours)
    shares = np.full((len(drawn.weighed().view.printed.board.routes), count), 1 / count)
    for r, c in claimed():
        shares[r] = 0
        shares[r, c], shares[r, (c + 1) % count] = first, 1 - first
    return shares


def looked(shares: Float64s, first: FirstLook | None = None) -> tuple[Whose, Whose]:
    """Whose trains stand on the claimed routes, and on their spaces."""
    seen = drawn.weighed()
    shapes = np.full(len(shares), BARE)
    shapes[[r for r, _ in claimed()]] = COVERED
    return whose_trains(seen.view, first or seen.first, shares, shapes)


def test_trains_are_most_like_their_players_others() -> None:
    said, of_spaces = looked(shares_of())
    assert len(claimed()) > 20
    for r, c in claimed():
        assert said.likeness[r].argmax() == c
        assert said.nobodys[r] < np.log(0.1)
    view = drawn.weighed().view
    assert of_spaces.likeness.shape == (len(view.printed.route_of), len(view.pieces.colours))
    assert said.likeness.max() <= 0
    assert of_spaces.likeness.max() <= 0


def in_another_light(gain: float, seen: float) -> Whose:
    """Around one route the light of the print, and what is seen there, are changed so much."""
    of = drawn.weighed()
    printed = of.view.printed
    r, _ = claimed()[0]
    shown = of.first.light.gain.copy()
    lab = of.first.seen.lab.copy()
    for xy_mm in printed.xy_mm[printed.route_of == r]:
        x, y = (int(v) for v in xy_mm * printed.px_per_mm)
        around = slice(max(0, y - 30), y + 30), slice(max(0, x - 30), x + 30)
        shown[around] = of.first.light.gain[around] * gain
        pixels = np.unique(printed.place_among_seen.reshape(shown.shape[:2])[around])
        bgr = cv2.cvtColor(of.first.seen.lab[None, pixels], cv2.COLOR_LAB2BGR) * seen
        lab[pixels] = cv2.cvtColor(bgr.astype(np.float32), cv2.COLOR_BGR2LAB)[0]
    first = replace(
        of.first,
        light=replace(of.first.light, gain=shown),
        seen=replace(of.first.seen, lab=lab),
    )
    return looked(shares_of(), first)[0]


def test_tops_are_told_in_either_light() -> None:
    """Glare doubles the light of the print, so that what is seen was divided by it: or not."""
    r, c = claimed()[0]
    as_it_is, glare, by_print_alone, lamp = (
        in_another_light(*lights).likeness[r, c]
        for lights in ((1.0, 1.0), (2.0, 0.5), (1.0, 0.5), (2.0, 1.0))
    )
    assert by_print_alone < as_it_is - 2
    assert glare > by_print_alone + 1
    assert lamp > as_it_is - np.log(2) - 0.1


@pytest.mark.parametrize(("share", "counts"), [(1 - AS_LIKELY + 0.01, False), (0.5, True)])
def test_where_two_colours_are_as_likely_both_places_are_looked_at(
    share: float, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    torn = looked(shares_of(share))[0].likeness
    monkeypatch.setattr("railspotter.vision.reading.whose_trains.AS_LIKELY", 1.0)
    by_one_place = looked(shares_of(share))[0].likeness
    changed = np.abs(torn - by_one_place).max(axis=1)
    own = [r for r, _ in claimed()]
    assert bool(changed[own].max() > 1.0) is counts
    # A place that shows something else takes no more away than the half that it counts.
    assert np.all(torn >= by_one_place + np.log(0.5) - 1e-9)


def test_what_stands_on_the_next_lane_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railspotter.vision.reading.whose_trains.ONE_TRAIN_MM", 0.0)
    torn = looked(shares_of(0.5))[0].likeness
    monkeypatch.setattr("railspotter.vision.reading.whose_trains.AS_LIKELY", 1.0)
    assert np.allclose(torn, looked(shares_of(0.5))[0].likeness)


def test_alike_trains_under_two_names_are_as_doubtful_as_these() -> None:
    """Trains that are either of two players' are all alike, and tell nothing of whose they are."""
    seen = drawn.weighed()
    blue, green = (seen.view.pieces.colours.index(name) for name in ("blue", "green"))
    learned = seen.first.colours_seen
    _, every, as_blue = max(learned._sets, key=lambda one: len(one[1]))
    as_green = as_blue.copy()
    as_green[green] = as_blue[blue]
    sets = (0.2, np.delete(every, green), as_blue), (0.8, np.delete(every, blue), as_green)
    first = replace(seen.first, colours_seen=replace(learned, _sets=sets))
    shapes = np.full(len(seen.view.printed.board.routes), BARE)
    shapes[[r for r, c in claimed() if c != green]] = COVERED
    said = whose_trains(seen.view, first, shares_of(), shapes)[0].likeness
    for r, c in claimed():
        if c == blue:
            assert said[r, green] - said[r, blue] == pytest.approx(np.log(4), abs=0.3)
        elif c != green:
            assert said[r].argmax() == c


def test_who_has_a_marker_on_the_track_plays_where_that_is_not_clear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view, first = drawn.weighed().view, drawn.weighed().first
    colours = view.pieces.colours
    read = {colour: MarkerReading(7) for colour in colours}
    read[colours[1]] = MarkerReading(None, Sentence("it is not seen on the score track"))
    monkeypatch.setattr(cue_reader, "read_markers", lambda *_: read)

    def marked(*shares: float) -> set[Colour]:
        plays = np.ones(len(colours))
        plays[: len(shares)] = shares
        learned = replace(first.colours_seen, in_play=plays)
        return set(colours_by_markers(view, replace(first, colours_seen=learned)))

    assert marked() == set()
    assert marked(0.5, 0.5) == {colours[0]}, "the second one's is not seen"
    assert marked(0.001, 0.5) == set(), "of the first no train lies there"


def test_at_first_the_colour_of_the_whole_and_each_pixel_say_whose_trains_they_are() -> None:
    shares = whose_at_first(drawn.weighed().view, drawn.weighed().first)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert np.mean([shares[r].argmax() == c for r, c in claimed()]) > 0.95


def test_a_print_of_their_colour_is_alike() -> None:
    view, first = drawn.weighed().view, drawn.weighed().first
    red = np.full(len(view.printed.route_of), view.pieces.colours.index("red"))
    inks = view.printed.inks
    alike = alikeness(first.colours_seen, first.shape.looks.bare, inks, red)
    assert np.all((alike >= 0) & (alike <= 1))
    of_inks = {ink: np.median(alike[np.array(inks) == ink]) for ink in sorted({*inks})}
    assert max(of_inks, key=of_inks.__getitem__) == "red"
    assert of_inks["red"] > 0.5
    assert all(of_inks[ink] < 0.1 for ink in ("blue", "green", "black", "grey", "white"))
