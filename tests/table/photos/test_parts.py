"""Photos that show a part of a board: read for what they show, the rest is unseen."""

from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from examples import every_run
from railspotter.calibration.arrays import Picture
from railspotter.calibration.geometry import project
from railspotter.scoring.spot import Spot
from railspotter.table.photos.score import FEW_SHOWN, LEAST_SHOWN
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.table.photos.scored_photo_text import to_text

CUT = 0.34  # share of the picture that is cut off at a side


def without(side: str, share: float = CUT) -> tuple[Picture, int]:
    """The drawn game without a side, and where that begins from the left."""
    picture = drawn.game().picture
    cut = round(share * picture.shape[1])
    if side == "left":
        return np.ascontiguousarray(picture[:, cut:]), cut
    return np.ascontiguousarray(picture[:, : picture.shape[1] - cut]), 0


def shown_in(picture: Picture, left: int) -> tuple[set[str], set[str]]:
    """The routes of which every space lies in the picture, and those of which one does not."""
    whole, out = set(), set()
    for route in drawn.usa().routes:
        spaces = np.array([space.xy_mm for space in route.spaces])
        x = project(drawn.game().frame_from_board, spaces)[:, 0] - left
        if np.all((x > 20) & (x < picture.shape[1] - 20)):
            whole.add(route.id)
        elif np.any((x < 0) | (x > picture.shape[1])):
            out.add(route.id)
    return whole, out


@cache
def scored(*sides: str) -> ScoredPhoto:
    return drawn.scorer().score([(f"{side}.jpg", without(side)[0]) for side in sides])


@cache
def whole() -> ScoredPhoto:
    return drawn.scorer().score([("whole.jpg", drawn.game().picture)])


@pytest.mark.parametrize("side", every_run("left", ("left", "right")))
def test_a_part_is_read_for_what_it_shows(side: str) -> None:
    photo = scored(side)
    whole, out = shown_in(*without(side))
    unseen = {spot.id for spot in photo.unseen}
    assert len(out) > 15
    assert out <= unseen
    assert not unseen & whole
    asked = {doubt.spot.id for doubt in photo.doubts}
    assert not asked & unseen
    assert photo.claims.keys().isdisjoint(unseen)
    truth = {route: colour for route, colour in drawn.CLAIMS.items() if route in whole}
    said = {route: colour for route, colour in photo.claims.items() if route in whole}
    assert {route: said.get(route) for route in whole - asked} == {
        route: truth.get(route) for route in whole - asked
    }


def test_what_is_unseen_is_said_and_the_score_is_the_least() -> None:
    photo = scored("left")
    line, text = photo.as_json(), to_text(photo)
    assert line["unseen"] == [spot.id for spot in photo.unseen]
    count = len(photo.unseen)
    where = "out of the picture, covered, in glare or too small in it"
    assert f"note: {count} routes are {where}: " in text
    points = photo.standing["green"].route_points
    assert f"at least {points}" in text
    assert f"at most {photo.standing['green'].trains_left}" in text
    assert "at least" not in to_text(whole())


def test_an_answer_about_what_is_unseen_is_seen() -> None:
    photo = scored("left")
    spot = Spot("route", "portland--seattle--0")
    assert spot in photo.unseen
    answered = photo.with_answers({spot: "blue"})
    assert spot not in answered.unseen
    assert answered.claims[spot.id] == "blue"


def test_two_parts_make_a_whole() -> None:
    together = scored("left", "right")
    assert together.unseen == ()
    assert together.claims == whole().claims == drawn.CLAIMS
    assert len(together.doubts) <= len(whole().doubts) + 1
    assert together.annotated is not None
    dark = (together.annotated.max(axis=2) == 0).mean()
    assert dark < 0.01, "the picture is of both"


def test_fewer_than_a_third_of_the_routes_are_no_score() -> None:
    picture = drawn.game().picture
    # A third of the board has more sea than routes in the south.
    part = np.ascontiguousarray(picture[round(0.63 * picture.shape[0]) :])
    photo = drawn.scorer().score([("south.jpg", part)])
    assert photo.reason == FEW_SHOWN
    assert 0 < LEAST_SHOWN < 0.5


def test_what_lies_under_a_booklet_is_unseen_and_the_rest_is_read() -> None:
    picture = drawn.game().picture.copy()
    corners = np.array([[280, 120], [500, 120], [500, 320], [280, 320]], float)
    outline = project(drawn.game().frame_from_board, corners)
    cv2.fillConvexPoly(picture, np.rint(outline).astype(np.int32), (60, 90, 190))
    photo = drawn.scorer().score([("booklet.jpg", picture)])
    unseen = {spot.id for spot in photo.unseen}
    spaces = {
        route.id: np.array([space.xy_mm for space in route.spaces]) for route in drawn.usa().routes
    }

    def under(route: str, margin_mm: float) -> bool:
        inside = (spaces[route] > corners[0] + margin_mm) & (spaces[route] < corners[2] - margin_mm)
        return bool(inside.all(axis=1).any())

    deep = {route for route in spaces if under(route, 25.0)}
    beside = {route for route in spaces if under(route, -25.0)}
    assert len(deep) >= 4
    assert deep <= unseen <= beside
    asked = {doubt.spot.id for doubt in photo.doubts}
    sure = spaces.keys() - beside - asked
    assert {route: photo.claims.get(route) for route in sure} == {
        route: drawn.CLAIMS.get(route) for route in sure
    }
    assert photo.claims.keys().isdisjoint(unseen)
