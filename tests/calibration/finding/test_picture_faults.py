"""What is wrong with a picture is told by the picture alone, whatever it shows."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from msgspec.structs import replace
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.finding.picture_faults import (
    FLICKERING,
    NO_COLOURS,
    PARTLY_SHARP,
    TOO_BLURRED,
    TOO_DARK,
    fault_of,
    why_colourless,
)
from railspotter.calibration.pose import Grounds, Pose
from railspotter.scoring.sentence import Sentence
from railspotter.table.photo_file import load_photo

from hardships.renderings import defocus
from hardships.spoiling import blur_around, darken, flicker, shake

# Of each house one photo, and none of those that limits were chosen on.
PHOTOS = ("usa/IMG_4155_1920.jpg", "usa/other_copy_1_1920.jpg", "europe/house5_1500.jpg")
SPOILT: dict[str, tuple[Callable[[Picture], Picture], Sentence]] = {
    "dark": (lambda photo: darken(photo, 0.22), TOO_DARK),
    "out of focus": (lambda photo: defocus(photo, 0.004), TOO_BLURRED),
    "shaken": (lambda photo: shake(photo, 0.02), TOO_BLURRED),
    "portrait mode": (lambda photo: blur_around(photo, 0.0075), PARTLY_SHARP),
    "flickering": (lambda photo: flicker(photo, 0.9), FLICKERING),
    "flickering, held upright": (
        lambda photo: np.rot90(flicker(np.rot90(photo), 0.9, bands=12.2)),
        FLICKERING,
    ),
}


@cache
def photo_at(path: Path) -> Picture:
    return load_photo(path)


@pytest.mark.parametrize("name", PHOTOS)
def test_a_sound_photo_has_no_fault(photos: Path, name: str) -> None:
    assert fault_of(photo_at(photos / name)) is None


@pytest.mark.parametrize("name", PHOTOS)
@pytest.mark.parametrize("spoilt", SPOILT)
def test_what_spoils_a_photo_is_told(photos: Path, spoilt: str, name: str) -> None:
    spoil, reason = SPOILT[spoilt]
    fault = fault_of(np.ascontiguousarray(spoil(photo_at(photos / name))))
    assert fault is not None
    assert fault.reason == reason


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(np.full((600, 800, 3), 255, np.uint8), id="a white wall"),
        pytest.param(drawn.texture(), id="something busy"),
        pytest.param(np.full((5, 5, 3), 200, np.uint8), id="hardly a picture"),
    ],
)
def test_what_is_no_board_has_no_fault_for_that(picture: Picture) -> None:
    assert fault_of(picture) is None


def test_what_is_hopeless_is_not_looked_at_in_other_ways() -> None:
    picture = drawn.game().picture
    for share, grounds in ((0.25, Grounds.LOOKS), (0.1, Grounds.PICTURE)):
        fault = fault_of((picture * share).astype(np.uint8))
        assert fault is not None
        assert (fault.reason, fault.grounds) == (TOO_DARK, grounds)


def test_a_dark_table_is_no_dark_board() -> None:
    frame = drawn.game()
    corners = np.rint(frame.corners_px).astype(np.int32)
    board = np.zeros(frame.picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(board, corners, 1)
    on_black = np.where(board[..., None] > 0, frame.picture, 0)
    far = np.zeros((4 * on_black.shape[0], 4 * on_black.shape[1], 3), np.uint8)
    far[: on_black.shape[0], : on_black.shape[1]] = on_black
    assert fault_of(far, frame.corners_px) is None
    for dark, corners_px in (
        (far, None),
        (far // 8, frame.corners_px),
        (far, frame.corners_px + 9000),
    ):
        fault = fault_of(dark, corners_px)
        assert fault is not None
        assert fault.reason == TOO_DARK


# A picture without colours is told from one that is dark, pale or under an orange lamp.


@cache
def pose() -> Pose:
    found = find_by_print(drawn.game().picture, drawn.profile())
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
