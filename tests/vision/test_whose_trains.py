"""Whose trains stand there, by what is on top of them, in two lights and up to two places."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import drawn
import numpy as np
import numpy.typing as npt
import pytest
from railspotter.vision.cue_reader import Weighed, weigh
from railspotter.vision.light import Light
from railspotter.vision.whose_trains import AS_LIKELY, WhoseTrains, whose_trains

SURE = 0.97
Shares = npt.NDArray[np.float64]


@cache
def weighed() -> Weighed:
    return weigh(drawn.found(drawn.game().picture).view)


@cache
def claimed() -> tuple[tuple[int, int], ...]:
    """Index of each route with trains, and of their colour."""
    colours = weighed().view.colours
    truth = drawn.game().claims
    routes = weighed().view.printed.board.routes
    return tuple(
        (r, colours.index(truth[route.id]))
        for r, route in enumerate(routes)
        if truth.get(route.id) in colours
    )


def shares_of(first: float = SURE) -> Shares:
    """Whose trains they are, as sure as said; the rest goes to the next colour."""
    count = len(weighed().view.colours)
    shares = np.full((len(weighed().view.printed.board.routes), count), 1 / count)
    for r, c in claimed():
        shares[r] = 0
        shares[r, c], shares[r, (c + 1) % count] = first, 1 - first
    return shares


def looked(shares: Shares, light: Light | None = None) -> WhoseTrains:
    seen = weighed()
    first = replace(seen.first, light=light or seen.first.light)
    stands = np.zeros(len(shares))
    stands[[r for r, _ in claimed()]] = 1.0
    return whose_trains(seen.view, first, seen.shape, shares, stands)


def test_trains_are_most_like_their_players_others() -> None:
    said = looked(shares_of())
    assert len(claimed()) > 20
    for r, c in claimed():
        assert said.routes[r].argmax() == c
        assert said.nobodys_routes[r] < np.log(0.1)
    view = weighed().view
    assert said.spaces.shape == (len(view.printed.route_of), len(view.colours))
    assert said.routes.max() <= 0
    assert said.spaces.max() <= 0


def test_what_a_lamp_on_the_print_says_is_not_all() -> None:
    """Where the print is twice as bright by glare, the tops are as they were."""
    light = weighed().first.light
    r, c = claimed()[0]
    view = weighed().view
    x, y = (view.printed.xy_mm[view.printed.route_of == r] * view.printed.px_per_mm).T
    gain = light.gain.copy()
    rows = slice(max(0, int(y.min()) - 30), int(y.max()) + 30)
    gain[rows, max(0, int(x.min()) - 30) : int(x.max()) + 30] *= 2.0
    plain, glared = looked(shares_of()), looked(shares_of(), replace(light, gain=gain))
    # What is seen was divided by the light already, so that here the other light is the wrong one.
    assert glared.routes[r].argmax() == c
    assert glared.routes[r, c] > plain.routes[r, c] - np.log(2) - 0.1


@pytest.mark.parametrize(("share", "counts"), [(1 - AS_LIKELY + 0.01, False), (0.5, True)])
def test_where_two_colours_are_as_likely_both_places_are_looked_at(
    share: float, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    torn = looked(shares_of(share))
    monkeypatch.setattr("railspotter.vision.whose_trains.AS_LIKELY", 1.0)
    by_one_place = looked(shares_of(share))
    changed = np.abs(torn.routes - by_one_place.routes).max(axis=1)
    own = [r for r, _ in claimed()]
    assert bool(changed[own].max() > 1.0) is counts
    # A place that shows something else takes no more away than the half that it counts.
    assert np.all(torn.routes >= by_one_place.routes + np.log(0.5) - 1e-9)


def test_what_stands_on_the_next_lane_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railspotter.vision.whose_trains.ONE_TRAIN_MM", 0.0)
    torn = looked(shares_of(0.5))
    monkeypatch.setattr("railspotter.vision.whose_trains.AS_LIKELY", 1.0)
    assert np.allclose(torn.routes, looked(shares_of(0.5)).routes)
