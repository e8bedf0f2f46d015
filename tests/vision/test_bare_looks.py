"""What looks like bare print beside it, or unlike its own trains elsewhere, is asked about."""

from __future__ import annotations

from functools import cache

import drawn
import numpy as np
import pytest
from railspotter.vision.bare_looks import looks_of, off_bare_prints, off_own_trains
from railspotter.vision.doubts import reading_of
from railspotter.vision.first_look import FirstLook, look
from railspotter.vision.lab import Floats
from railspotter.vision.odds import Odds
from railspotter.vision.view import View

ON_ORANGE, ON_GREY = "las-vegas--salt-lake-city", ("calgary--helena", "duluth--omaha--0")


@cache
def looked() -> tuple[View, FirstLook]:
    view = drawn.found(drawn.empty().picture).view
    return view, look(view)


def looks() -> Floats:
    view, first = looked()
    return looks_of(view.printed, first.seen.lab)


def log_odds(claimed: tuple[str, ...] = ()) -> Floats:
    routes = looked()[0].printed.board.routes
    return np.array([5.0 if r.id in claimed else -5.0 for r in routes], np.float32)


def test_bare_prints_look_alike_and_trains_do_not() -> None:
    view, _ = looked()
    seen, odds = looks(), log_odds((ON_ORANGE,))
    r = [route.id for route in view.printed.board.routes].index(ON_ORANGE)
    assert off_bare_prints(view, seen, odds, odds)[r] < 10
    seen[view.printed.route_of == r] = (74, -5, 66)
    assert off_bare_prints(view, seen, odds, odds)[r] > 12


def test_where_no_print_of_a_colour_is_bare_nothing_is_said() -> None:
    view, _ = looked()
    routes = view.printed.board.routes
    odds = log_odds(tuple(route.id for route in routes if route.colour == "pink"))
    off = off_bare_prints(view, looks(), odds, odds)
    assert [np.isinf(o) for o in off] == [route.colour == "pink" for route in routes]


@pytest.mark.parametrize(
    ("shows", "is_like_its_own"), [((70, -3, 60), True), ((50, 32, 40), False)]
)
def test_trains_on_a_print_like_theirs_must_look_like_the_others(
    shows: tuple[int, int, int], is_like_its_own: bool
) -> None:
    view, _ = looked()
    names = [route.id for route in view.printed.board.routes]
    seen, odds = looks(), log_odds((ON_ORANGE, *ON_GREY))
    best = np.full(len(names), view.colours.index("yellow"))
    for name, lab in ((ON_ORANGE, shows), *((name, (74, -5, 66)) for name in ON_GREY)):
        seen[view.printed.route_of == names.index(name)] = lab
    off = off_own_trains(view, seen, odds, best, odds)
    assert (off[names.index(ON_ORANGE)] < 30) == is_like_its_own
    assert all(off[names.index(name)] == 0 for name in ON_GREY)


@pytest.mark.parametrize(("off_bare", "off_own"), [(8.0, 0.0), (60.0, 40.0)])
def test_such_claims_are_doubted(off_bare: float, off_own: float) -> None:
    view, first = looked()
    r = [route.id for route in view.printed.board.routes].index(ON_ORANGE)
    routes = np.full((len(view.printed.board.routes), len(view.colours)), -6, np.float32)
    routes[r, view.colours.index("yellow")] = 5
    covered, ones = routes.max(axis=1), np.ones(len(routes), np.float32)
    spaces = routes[view.printed.route_of]
    for bare, own in ((np.inf, 0.0), (off_bare, off_own)):
        offs = np.full(len(routes), bare, np.float32), np.full(len(routes), own, np.float32)
        odds = Odds(routes, spaces, covered, 0 * ones, ones, off_bare=offs[0], off_own=offs[1])
        reading = reading_of(view, first, odds)
        assert reading.claims == {ON_ORANGE: "yellow"}
        whys = [doubt.why for doubt in reading.doubts]
    assert whys == ["yellow trains and the orange print look alike"]
