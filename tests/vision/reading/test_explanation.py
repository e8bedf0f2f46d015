"""Explanations: their sums are the odds that the reading was made from."""

from __future__ import annotations

from functools import cache

import drawn
import numpy as np
import pytest
from railspotter.vision.reading.cue_reader import WeighedBoard, weigh
from railspotter.vision.reading.cues import CUES
from railspotter.vision.reading.explanation import explain

ROUTES = ("duluth--helena", "denver--helena", "portland--seattle--0", "duluth--omaha--0")


@cache
def weighed() -> WeighedBoard:
    return weigh(drawn.found(drawn.game().picture).view)


@pytest.mark.parametrize("name", ROUTES)
def test_cues_and_bias_sum_up_to_the_odds(name: str) -> None:
    explained = explain(weighed(), name)
    r = [route.id for route in drawn.usa().routes].index(name)
    for case in explained.colours:
        c = weighed().view.pieces.colours.index(case.colour)
        assert case.log_odds == pytest.approx(weighed().odds.routes[r, c], abs=1e-3)
        assert tuple(cue.name for cue in case.cues) == (*CUES, "whose")
        length = drawn.usa().route_by_id[name].length
        assert [len(case.spaces), len(case.along_mm), len(case.across_mm)] == [length] * 3
    odds = [case.log_odds for case in explained.colours]
    assert odds == sorted(odds, reverse=True)
    best = explained.colours[0]
    assert (best.colour if best.log_odds > 0 else None) == drawn.CLAIMS.get(name)


def test_says_what_the_light_is_and_how_much_can_be_seen() -> None:
    explained = explain(weighed(), "duluth--helena")
    assert explained.visible > 0.9
    assert np.all(np.array(explained.light_bgr) > 0.3)
    assert np.all(np.array(explained.light_bgr) < 1.5)
