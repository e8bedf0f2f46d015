"""A picture without colours is told from one that is dark, pale or under an orange lamp."""

from collections.abc import Callable
from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from msgspec.structs import replace
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.finding.picture_faults import NO_COLOURS, TOO_DARK, why_colourless
from railspotter.calibration.pose import Pose
from railspotter.scoring.sentence import Sentence


@cache
def pose() -> Pose:
    found = find_board(drawn.game().picture, drawn.profile())
    assert isinstance(found, Pose)
    return found


def without_colours(tint_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Picture:
    grey = cv2.cvtColor(drawn.game().picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(grey[..., None] * np.array(tint_bgr), np.uint8)


def lit(*bgr: float) -> Picture:
    return np.asarray(drawn.game().picture * np.array(bgr), np.uint8)


@pytest.mark.parametrize(
    ("made", "why"),
    [
        pytest.param(lambda: drawn.game().picture, None, id="as it is"),
        pytest.param(lambda: lit(0.125, 0.125, 0.125), None, id="dark"),
        pytest.param(lambda: lit(0.2, 0.7, 1.0), None, id="an orange lamp"),
        pytest.param(lambda: lit(0.3, 0.3, 0.3) + np.uint8(160), None, id="pale"),
        pytest.param(lambda: without_colours(), NO_COLOURS, id="black and white"),
        pytest.param(
            lambda: without_colours((1.0, 0.7, 0.95)), NO_COLOURS, id="purple, by infrared"
        ),
        pytest.param(lambda: without_colours() // 8, TOO_DARK, id="black and white, in the dark"),
    ],
)
def test_only_a_picture_without_colours_is_refused(
    made: Callable[[], Picture], why: Sentence | None
) -> None:
    assert why_colourless(made(), pose(), drawn.usa()) == why


def test_a_board_that_prints_no_colours_says_nothing_of_the_camera() -> None:
    routes = tuple(replace(route, colour="grey") for route in drawn.usa().routes)
    plain = replace(drawn.usa(), routes=routes)
    assert why_colourless(without_colours(), pose(), plain) is None
