"""A whole game in real pixels shows what its enactment says."""

from __future__ import annotations

from functools import cache

import composed_boards
import numpy as np
import pytest

from composed.play import ComposedGame, composed_game

pytestmark = pytest.mark.usefixtures("photos")


@cache
def game() -> ComposedGame:
    return composed_game(composed_boards.library(), "usa", seed=1, size_wh=(640, 400))


@pytest.mark.long
def test_the_truth_is_the_enactments_all_game_long() -> None:
    enactment = game().enactment
    for t_s in np.linspace(0, enactment.duration_s, 5):
        truth = game().take(float(t_s)).truth.truth
        said = enactment.stage_at(float(t_s))
        assert said.claims.items() <= truth["claims"].items()
    assert len(said.claims) > 40


def test_a_hand_that_lays_trains_hides_spaces() -> None:
    enactment = game().enactment
    claimed = next(event.t_s for event in enactment.events if event.kind == "claimed")
    during = game().take(claimed)
    assert enactment.hands_at(claimed)
    assert max(share for shares in during.hidden.values() for share in shares) > 0.5
    left = next(event.t_s for event in enactment.events if event.kind == "hand left")
    after = game().take(left + 0.5)
    assert not any(share for shares in after.hidden.values() for share in shares)


def test_the_same_moment_is_the_same_picture() -> None:
    first = game().take(200.0).picture
    game().take(900.0)
    assert np.array_equal(first, game().take(200.0).picture)
