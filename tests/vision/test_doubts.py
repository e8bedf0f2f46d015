"""From odds to answers, with odds made by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import drawn
import numpy as np
import pytest
from railspotter.vision.doubts import reading_of
from railspotter.vision.first_look import FirstLook, look
from railspotter.vision.odds import Odds
from railspotter.vision.reading import Reading
from railspotter.vision.view import View

RED_ON_RED = "denver--oklahoma-city"
ELSEWHERE = "calgary--seattle"


@cache
def looked() -> tuple[View, FirstLook]:
    view = drawn.found(drawn.empty().picture).view
    return view, look(view)


def read(
    odds: dict[tuple[str, str], float],
    by_shape: dict[str, float] | None = None,
    beside: dict[str, float] | None = None,
    hidden: str = "",
    in_play: frozenset[str] = frozenset(),
) -> Reading:
    """Read an empty board of which nothing but these odds is known."""
    view, first = looked()
    view = replace(view, in_play=in_play)
    routes = view.printed.board.routes
    names = [route.id for route in routes]
    of_routes = np.full((len(routes), len(view.colours)), -6.0, dtype=np.float32)
    for (route, colour), value in odds.items():
        of_routes[names.index(route), view.colours.index(colour)] = value
    covered = of_routes.max(axis=1)
    for route, value in (by_shape or {}).items():
        covered[names.index(route)] = value
    shows = np.array([(beside or {}).get(name, 0.0) for name in names], np.float32)
    in_sight = np.array([name != hidden for name in names], np.float32)
    of_spaces = of_routes[view.printed.route_of]
    return reading_of(view, first, Odds(of_routes, of_spaces, covered, shows, in_sight))


def test_sure_answers_raise_no_doubt() -> None:
    reading = read({(RED_ON_RED, "red"): 5.0, (ELSEWHERE, "blue"): 4.0})
    assert reading.claims == {RED_ON_RED: "red", ELSEWHERE: "blue"}
    assert reading.doubts == ()


def test_a_print_that_shows_through_is_doubted() -> None:
    sure = {(RED_ON_RED, "red"): 5.0, (ELSEWHERE, "red"): 5.0}
    reading = read(sure, by_shape={RED_ON_RED: -1.0})
    assert reading.claims == {RED_ON_RED: "red", ELSEWHERE: "red"}
    (doubt,) = reading.doubts
    assert "shows through" in doubt.why
    assert doubt.alternatives == (None,)


def test_a_colour_beside_its_own_print_is_doubted() -> None:
    reading = read({}, by_shape={RED_ON_RED: -2.0}, beside={RED_ON_RED: 2.0})
    assert reading.claims == {}
    (doubt,) = reading.doubts
    assert doubt.why == "red shows beside the red print"


def test_a_colour_beside_a_print_that_is_plainly_bare_is_anothers() -> None:
    assert read({}, by_shape={RED_ON_RED: -5.0}, beside={RED_ON_RED: 2.0}).doubts == ()


def test_one_witness_for_trains_on_their_own_print_is_enough() -> None:
    sure = {(RED_ON_RED, "red"): 5.0, (ELSEWHERE, "red"): 5.0}
    assert read(sure, by_shape={RED_ON_RED: -0.5}, beside={RED_ON_RED: 2.0}).doubts == ()
    (doubt,) = read(sure, by_shape={RED_ON_RED: -0.5}, beside={RED_ON_RED: 1.0}).doubts
    assert "shows through" in doubt.why
    (doubt,) = read(sure, by_shape={RED_ON_RED: -2.0}, beside={RED_ON_RED: 2.0}).doubts
    assert "shows through" in doubt.why


def test_what_lies_under_a_hand_is_asked_about() -> None:
    (doubt,) = read({}, hidden=ELSEWHERE).doubts
    assert (doubt.about, doubt.said) == (ELSEWHERE, None)
    assert doubt.why.startswith("something lies over it")


def test_trains_of_nobodys_colour_are_doubted() -> None:
    reading = read({}, by_shape={ELSEWHERE: 4.0})
    assert reading.claims == {}
    (doubt,) = reading.doubts
    assert (doubt.about, doubt.said, doubt.why) == (ELSEWHERE, None, "something stands there")


def test_a_colour_without_one_sure_route_is_nobodys() -> None:
    reading = read({(RED_ON_RED, "red"): 1.0})
    assert reading.claims == {}
    (doubt,) = reading.doubts
    assert (doubt.said, doubt.alternatives) == (None, ("red",))


def test_a_colour_that_is_known_to_be_in_play_needs_no_sure_route() -> None:
    plain = {(RED_ON_RED, "red"): 6.0}
    assert read(plain, by_shape={RED_ON_RED: 0.9}).claims == {}
    known = read(plain, by_shape={RED_ON_RED: 0.9}, in_play=frozenset({"red"}))
    assert known.claims == {RED_ON_RED: "red"}


def test_its_unsure_route_counts_where_it_has_a_sure_one() -> None:
    reading = read({(RED_ON_RED, "red"): 1.0, (ELSEWHERE, "red"): 5.0})
    assert reading.claims == {RED_ON_RED: "red", ELSEWHERE: "red"}
    assert [doubt.about for doubt in reading.doubts] == [RED_ON_RED]


@pytest.mark.parametrize(
    ("blue", "named"), [(1.0, ("blue",)), (-4.0, ())], ids=["near rival", "far rival"]
)
def test_rivals_are_named_where_they_are_near(blue: float, named: tuple[str, ...]) -> None:
    reading = read({(ELSEWHERE, "red"): 1.2, (ELSEWHERE, "blue"): blue, (RED_ON_RED, "red"): 5.0})
    (doubt,) = reading.doubts
    assert doubt.alternatives == (None, *named)


def test_trains_of_unclear_colour_are_asked_about_with_both_colours_first() -> None:
    reading = read({(ELSEWHERE, "red"): 4.0, (ELSEWHERE, "blue"): 2.0, (RED_ON_RED, "red"): 5.0})
    (doubt,) = reading.doubts
    assert (doubt.said, doubt.alternatives) == ("red", ("blue", None))
    assert doubt.why == "red and blue trains look alike there"


def test_a_colour_that_leads_is_not_asked_about() -> None:
    reading = read({(ELSEWHERE, "red"): 4.0, (ELSEWHERE, "blue"): 1.0, (RED_ON_RED, "red"): 5.0})
    assert reading.doubts == ()


def test_the_least_sure_doubt_comes_first() -> None:
    reading = read(
        {(ELSEWHERE, "red"): 0.9, ("duluth--helena", "red"): 0.2, (RED_ON_RED, "red"): 5}
    )
    assert [doubt.about for doubt in reading.doubts] == ["duluth--helena", ELSEWHERE]
