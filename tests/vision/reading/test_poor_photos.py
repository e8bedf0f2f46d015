"""A photo that is too poor to read is told from a good one, and asked for again."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Mask
from railspotter.calibration.finding.picture_faults import TOO_BLURRED
from railspotter.vision.look.first_look import FirstLook, look
from railspotter.vision.look.view import View
from railspotter.vision.reading.photo_notes import (
    COLOURED_LIGHT,
    FAULTY_PHOTO,
    MOST_UNSURE,
    PALE_PHOTO,
    POOR_PHOTO,
    trouble_of,
)

BLURRED_PHOTO = FAULTY_PHOTO.filled(fault=TOO_BLURRED)
TROUBLES = {COLOURED_LIGHT, PALE_PHOTO, BLURRED_PHOTO, POOR_PHOTO}


@cache
def plain() -> View:
    return drawn.found(drawn.game().picture).view


def milky(veil: float, white: float = 210.0) -> View:
    picture = np.rint(plain().rectified * (1 - veil) + white * veil).astype(np.uint8)
    return replace(plain(), rectified=picture)


def lit(*gain_bgr: float) -> View:
    picture = np.clip(plain().rectified * np.array(gain_bgr) + 0.5, 0, 255).astype(np.uint8)
    return replace(plain(), rectified=picture)


def blurred(sigma: float) -> View:
    picture = np.asarray(cv2.GaussianBlur(plain().rectified, (0, 0), sigma), np.uint8)
    return replace(plain(), rectified=picture)


VIEWS: dict[str, Callable[[], View]] = {
    "as it is": plain,
    "dark": lambda: lit(0.5, 0.5, 0.5),
    "under an orange lamp": lambda: lit(0.35, 0.7, 1.0),
    "under a blue lamp": lambda: lit(1.0, 0.7, 0.4),
    "hardly milky": lambda: milky(0.1),
    "milky": lambda: milky(0.92),
    "out of focus": lambda: blurred(4.0),
}


def routes(share: float) -> Mask:
    count = len(plain().printed.board.routes)
    return np.arange(count) < share * count


@cache
def looked_at(name: str) -> tuple[View, FirstLook]:
    view = VIEWS[name]()
    return view, look(view)


def trouble(name: str, unsure: float) -> str | None:
    return trouble_of(*looked_at(name), routes(unsure), ~routes(unsure))


@pytest.mark.parametrize("name", ["hardly milky", "dark"])
def test_what_can_be_read_is_not_asked_for_again(name: str) -> None:
    assert not TROUBLES.intersection(drawn.read(VIEWS[name]()).notes)


def test_a_veil_over_the_picture_is_told() -> None:
    assert PALE_PHOTO in drawn.read(VIEWS["milky"]()).notes


def test_an_even_veil_is_taken_out_as_far_as_it_can_be() -> None:
    reading, as_is = drawn.read(milky(0.35, 255.0)), drawn.reading()
    assert not TROUBLES.intersection(as_is.notes)
    wrong = {s for s, seen in reading.pieces.items() if seen.colour != as_is.pieces[s].colour}
    assert as_is.claims
    assert all(reading.pieces[spot].doubt for spot in wrong)
    assert len(wrong) <= 1


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("as it is", POOR_PHOTO),
        ("under an orange lamp", COLOURED_LIGHT),
        ("under a blue lamp", COLOURED_LIGHT),
        ("milky", PALE_PHOTO),
        ("out of focus", BLURRED_PHOTO),
    ],
)
def test_why_too_much_is_unsure(name: str, why: str) -> None:
    assert trouble(name, MOST_UNSURE + 0.05) == why
    assert trouble(name, MOST_UNSURE - 0.05) is None


@pytest.mark.parametrize("name", ["as it is", "milky"])
def test_also_where_nothing_is_surely_free(name: str) -> None:
    assert trouble(name, 1.0) in TROUBLES
