"""A board at rest is only glanced at: what is seen stays as it was, and nothing is missed."""

from functools import cache

import cv2
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.simulation.virtual_board.pieces import place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look.view import Pieces
from railspotter.vision.watching import sighting
from railspotter.vision.watching.settling import FrameChanges
from railspotter.vision.watching.sighting import FrameComparer
from still_board import BOARD, CAMERA, SIZE_WH, bare, pose, printed

ROUTE = "calgary--seattle"


@cache
def laid() -> Picture:
    return CAMERA.take(Scene(place_trains(BOARD, {ROUTE: "red"}, seed=3))).picture


def fading_in(share: float) -> Picture:
    return np.asarray(cv2.addWeighted(laid(), share, bare().picture, 1 - share, 0.0), np.uint8)


def sighter() -> FrameComparer:
    """Return one that knows the bare board, at half a second before the first frame."""
    one = FrameComparer(printed(), Pieces(plastic("usa")))
    one.use_pose(pose(), SIZE_WH)
    one.compare(bare().picture, -0.5)
    one.begin()
    return one


def changes_at_s(one: FrameComparer, shown: list[Picture]) -> float | None:
    """Return when the sighter first sees that a spot changed, ten pictures a second."""
    seen = (one.compare(picture, tenth / 10) for tenth, picture in enumerate(shown))
    return next((sight.at_s for sight in seen if sight.changed.any()), None)


def test_at_rest_the_board_is_looked_at_twice_a_second() -> None:
    one = sighter()
    seen: list[FrameChanges] = [one.compare(bare().picture, tenth / 10) for tenth in range(40)]
    assert [sight.at_s for sight in seen] == [tenth / 10 for tenth in range(40)]
    looked_at = {id(sight.disturbed) for sight in seen[20:]}
    assert len(looked_at) == 4
    assert not any(sight.changed.any() or sight.disturbed.any() for sight in seen)


def test_what_is_laid_on_a_board_at_rest_is_seen_in_that_frame() -> None:
    assert changes_at_s(sighter(), [bare().picture] * 33 + [laid()] * 5) == 3.3


def test_what_changes_without_moving_is_seen_half_a_second_later_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = [bare().picture] * 30 + [fading_in(step / 150) for step in range(150)]
    resting = changes_at_s(sighter(), shown)
    monkeypatch.setattr(sighting, "RESTING_S", 0.0)
    watchful = changes_at_s(sighter(), shown)
    assert watchful is not None
    assert resting is not None
    assert watchful <= resting < watchful + 0.51
