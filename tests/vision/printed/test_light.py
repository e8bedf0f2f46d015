"""Light: what a lamp adds and a shadow takes is measured where nothing can stand."""

from functools import cache

import cv2
import drawn
import numpy as np
import numpy.typing as npt
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.vision.printed.light import measure_light
from railspotter.vision.printed.printed_board import PrintedBoard


@cache
def own_print() -> PrintedBoard:
    return PrintedBoard.of(drawn.usa(), drawn.profile())


def lit(gain: npt.ArrayLike) -> Picture:
    bright = own_print().reference * np.asarray(gain) + 0.5
    return np.asarray(np.clip(bright, 0, 255), np.uint8)


@pytest.mark.parametrize(
    "gain_bgr",
    [
        pytest.param((1.0, 1.0, 1.0), id="the reference's own"),
        pytest.param((0.5, 0.5, 0.5), id="half as bright"),
        pytest.param((0.7, 0.9, 1.1), id="a warm lamp"),
        pytest.param((0.35, 0.7, 1.0), id="an orange lamp"),
        pytest.param((1.0, 0.7, 0.4), id="a blue lamp"),
    ],
)
def test_a_lamp_is_measured(gain_bgr: tuple[float, ...]) -> None:
    light = measure_light(lit(gain_bgr), own_print())
    middle = np.median(light.gain[own_print().background], axis=0)
    assert np.allclose(middle, gain_bgr, rtol=0.05)
    assert light.blue_over_red == pytest.approx(gain_bgr[0] / gain_bgr[2], rel=0.05)


def test_a_shadow_over_one_half_is_followed() -> None:
    width = own_print().reference.shape[1]
    across = np.linspace(0, 1, width)
    shade = 1 - 0.4 / (1 + np.exp(-(across - 0.5) * 25))
    light = measure_light(lit(shade[None, :, None]), own_print())
    seen = np.array([np.median(part) for part in np.array_split(light.gain[..., 1], 9, axis=1)])
    true = np.array([np.median(part) for part in np.array_split(shade, 9)])
    assert np.abs(seen - true).max() < 0.06
    assert light.blue_over_red == pytest.approx(1.0, abs=0.02)


def test_under_glare_plastic_keeps_its_colour_in_the_light_of_the_whole_board() -> None:
    """A veil of light that only the paper throws back, over a quarter of the board."""
    height, width = own_print().reference.shape[:2]
    glare = np.ones((height, width, 1))
    glare[: height // 2, : width // 2] = 1.4
    light = measure_light(lit(0.6 * glare), own_print())
    yellow = np.array([[70.0, -1.0, 67.0]] * 2, np.float32)
    places = np.array([(width / 4, height / 4), (width * 0.75, height * 0.75)])
    bgr = cv2.cvtColor(yellow[None], cv2.COLOR_LAB2BGR)
    seen_bgr = (bgr / [[[1.4] * 3, [1.0] * 3]]).astype(np.float32)
    seen = cv2.cvtColor(seen_bgr, cv2.COLOR_BGR2LAB)[0]
    assert seen[0, 0] < 62
    assert np.abs(light.of_whole_board(seen, places) - yellow).max() < 5


def test_what_lies_on_the_board_is_not_taken_for_light() -> None:
    """A red sheet over a tenth of the board."""
    picture = own_print().reference.copy()
    picture[300:600, 500:1000] = (30, 30, 200)
    light = measure_light(picture, own_print())
    assert np.abs(light.gain - 1).max() < 0.1
