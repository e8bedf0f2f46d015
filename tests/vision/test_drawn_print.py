"""What is asked where the reference is only drawn."""

from __future__ import annotations

from functools import cache

import drawn
import pytest
from railspotter.calibration.fingerprint import make_fingerprint, stand_in_of
from railspotter.scoring import load_edition
from railspotter.table.photo_score import FoundBoard, PhotoScorer
from railspotter.vision.drawn_print import NOTE, cautious
from railspotter.vision.first_look import FirstLook, look
from railspotter.vision.reading import Doubt, PieceReading, Reading
from railspotter.vision.view import View

OWN, OTHER, GREY = "chicago--duluth", "el-paso--houston", "calgary--seattle"
"""A route printed red, one printed green and one printed grey, all free in the photo."""


@cache
def seen() -> tuple[View, FirstLook]:
    """The empty drawn board, found by its numbers."""
    fingerprint = make_fingerprint(drawn.profile(), drawn.usa(), drawn.profile().features)
    stand_in = stand_in_of(fingerprint, drawn.usa())
    found = PhotoScorer(drawn.usa(), load_edition("usa"), stand_in).find(drawn.empty().picture)
    assert isinstance(found, FoundBoard), found
    return found.view, look(found.view)


def read(**answers: PieceReading) -> Reading:
    """A reading with some answers; all other routes are surely free."""
    free = {route.id: PieceReading(route.id, None, 0.999) for route in drawn.usa().routes}
    given = {answer.about: answer for answer in answers.values()}
    return cautious(*seen(), Reading({**free, **given}))


def test_the_routes_are_printed_as_the_tests_say() -> None:
    printed = {name: drawn.usa().route_by_id[name].colour for name in (OWN, OTHER, GREY)}
    assert printed == {OWN: "red", OTHER: "green", GREY: "grey"}


def test_it_is_said_what_it_was_read_by() -> None:
    assert read().notes == (NOTE,)
    assert read().doubts == ()


@pytest.mark.parametrize(("confidence", "is_asked"), [(0.9, True), (0.995, False)])
def test_unsure_trains_on_their_own_print_are_asked_about(
    confidence: float, is_asked: bool
) -> None:
    reading = read(
        own=PieceReading(OWN, "red", confidence), other=PieceReading(OTHER, "red", 0.999)
    )
    assert reading.claims == {OWN: "red", OTHER: "red"}
    assert [doubt.about for doubt in reading.doubts] == ([OWN] if is_asked else [])


def test_a_colour_on_its_own_prints_alone_is_nobodys_and_asked_about() -> None:
    reading = read(own=PieceReading(OWN, "red", 0.999))
    assert reading.claims == {}
    (doubt,) = reading.doubts
    assert (doubt.about, doubt.said, doubt.alternatives) == (OWN, None, ("red",))


def test_colour_alone_may_say_that_a_grey_print_is_bare() -> None:
    shape = Doubt(GREY, None, ("red",), "something stands there")
    assert read(grey=PieceReading(GREY, None, 0.6, shape)).doubts == ()


def test_a_free_lane_beside_a_claimed_one_stays_doubted() -> None:
    """Its trains may be those that lie between the two."""
    first, second = "dallas--houston--0", "dallas--houston--1"
    doubt = Doubt(first, None, ("blue",), "trains lie between the two lanes")
    reading = read(
        first=PieceReading(first, None, 0.9, doubt), second=PieceReading(second, "blue", 0.999)
    )
    assert doubt in reading.doubts


def test_a_print_of_a_players_colour_stays_doubted() -> None:
    doubt = Doubt(OWN, None, ("red",), "red trains and the red print look alike")
    assert read(own=PieceReading(OWN, None, 0.7, doubt)).doubts == (doubt,)
