"""What is said where the reference is only drawn, or partly."""

from dataclasses import replace
from functools import cache

import drawn
import numpy as np
from fingerprints import make_fingerprint
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.fingerprint import stand_in_of
from railspotter.scoring.edition import load_edition
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.vision.look.first_look import visible_spaces
from railspotter.vision.look.view import View
from railspotter.vision.reading.cue_reader import weigh
from railspotter.vision.reading.photo_notes import BY_DRAWING, PARTLY_BY_DRAWING
from railspotter.vision.readings import Reading


def seen(picture: Picture, strength: float = 1.0) -> View:
    """The drawn board, found by its numbers, in which inks have so much of their colour."""
    if strength == 1:
        return drawn.found(picture, by=drawn.own_stand_in()).view
    fingerprint = make_fingerprint(drawn.profile(), drawn.usa(), drawn.profile().features)
    colours = fingerprint.colours
    inks = {
        name: np.rint(ink.mean(axis=1, keepdims=True) * (1 - strength) + strength * ink)
        for name, ink in colours.inks.items()
    }
    fingerprint = replace(fingerprint, colours=replace(colours, inks=inks))
    stand_in = stand_in_of(fingerprint, drawn.usa())
    return drawn.found(
        picture, by=PhotoScorer(ReadingPlan(drawn.usa(), load_edition("usa"), stand_in))
    ).view


@cache
def read(is_empty: bool) -> Reading:
    return drawn.read(seen((drawn.empty() if is_empty else drawn.game()).picture))


def test_it_is_said_what_it_was_read_by() -> None:
    assert read(is_empty=True).notes == (BY_DRAWING,)
    assert BY_DRAWING in read(is_empty=False).notes


def test_nothing_is_seen_on_an_empty_board() -> None:
    assert read(is_empty=True).claims == {}
    assert read(is_empty=True).doubts == ()


def test_inks_that_a_camera_draws_stronger_hide_no_print() -> None:
    weighed = weigh(seen(drawn.empty().picture, strength=0.5))
    assert visible_spaces(weighed.view.printed, weighed.first).min() > 0.9


def test_what_is_wrong_is_asked_about() -> None:
    reading = read(is_empty=False)
    doubted = {doubt.spot.id for doubt in reading.doubts}
    wrong = {route for route, _ in reading.claims.items() ^ drawn.CLAIMS.items()}
    assert wrong <= doubted
    assert len(wrong) <= 1


def test_how_many_routes_are_drawn_is_said() -> None:
    routes = ("calgary--helena", "denver--phoenix")
    view = drawn.found(drawn.empty().picture).view
    partly = replace(view, printed=replace(view.printed, drawn_routes=frozenset(routes)))
    assert drawn.read(partly).notes == (PARTLY_BY_DRAWING.format(count=len(routes)),)
