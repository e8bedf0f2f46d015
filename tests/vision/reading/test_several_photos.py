"""Several photos of one board: they add up, and none outshouts another."""

from dataclasses import replace
from functools import cache

import cv2
import drawn
import numpy as np
import numpy.typing as npt
import pytest
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame
from railspotter.vision.look.first_look import visible_spaces
from railspotter.vision.reading.odds import WeighedBoard
from railspotter.vision.reading.several_photos import likeness, read_together

HIDDEN = "duluth--helena"
FROM_THE_LEFT = CameraSetup((1200, 900), tilt_deg=20, heading_deg=-40)
COOLER = Light(from_deg=40, gain_bgr=(1.0, 0.95, 0.85))
SKIN, CARD = (120, 150, 210), (150, 60, 140)


FEWER = {route: colour for route, colour in drawn.CLAIMS.items() if route != HIDDEN}


@cache
def before() -> WeighedBoard:
    """The board from the left before a route was claimed."""
    played = drawn.game(FROM_THE_LEFT, COOLER).picture
    return drawn.weigh_photo(drawn.found(drawn.photographed(FEWER, FROM_THE_LEFT), played).view)


def covered(frame: RenderedFrame, route: str, bgr: tuple[int, int, int]) -> npt.NDArray[np.uint8]:
    """The frame's picture with something of one colour over a route."""
    picture = frame.picture.copy()
    middles = np.array([[space.xy_mm for space in drawn.usa().route_by_id[route].spaces]])
    for x, y in cv2.perspectiveTransform(middles, frame.frame_from_board)[0]:
        cv2.circle(picture, (round(x), round(y)), 40, bgr, -1)
    return picture


@cache
def from_the_left() -> WeighedBoard:
    return drawn.weigh_photo(drawn.found(drawn.game(FROM_THE_LEFT, COOLER).picture).view)


@cache
def with_a_hand() -> WeighedBoard:
    return drawn.weigh_photo(
        drawn.found(covered(drawn.game(), HIDDEN, SKIN), drawn.game().picture).view
    )


def test_one_photo_is_read_as_ever() -> None:
    together = read_together([drawn.weighed()])
    assert together.reading == drawn.reading()
    assert (together.counts, together.disagreed) == ((1.0,), ())


def test_photos_from_another_side_and_in_another_light_are_not_alike() -> None:
    noisier = drawn.weigh_photo(drawn.found(drawn.game(sensor=Sensor(seed=8)).picture).view)
    assert likeness(drawn.weighed(), noisier) > 0.95
    assert likeness(drawn.weighed(), drawn.weighed()) == pytest.approx(1)
    assert likeness(drawn.weighed(), from_the_left()) < 0.1
    assert likeness(from_the_left(), drawn.weighed()) == likeness(drawn.weighed(), from_the_left())


@pytest.mark.parametrize(
    ("view", "light"),
    [(FROM_THE_LEFT, None), (drawn.ABOVE, Light(from_deg=20, height_deg=30, falloff=0.7))],
    ids=["another side", "another lamp"],
)
def test_either_difference_makes_a_photo_count(view: CameraSetup, light: Light | None) -> None:
    other = drawn.weigh_photo(drawn.found(drawn.game(view, light).picture).view)
    assert likeness(drawn.weighed(), other) < 0.5


def test_a_game_in_two_photos_is_read_right() -> None:
    together = read_together([drawn.weighed(), from_the_left()])
    assert together.reading.claims == drawn.CLAIMS
    assert together.disagreed == ()
    assert together.counts == pytest.approx((1, 1), abs=0.1)


def test_the_same_photo_twice_says_what_it_says_once() -> None:
    weighed = drawn.weighed()
    hazy = replace(weighed.odds, visible=np.full_like(weighed.odds.visible, 0.6))
    photo = replace(weighed, odds=hazy)
    once, twice = read_together([photo]), read_together([photo] * 2)
    assert twice.counts == pytest.approx((0.5, 0.5))
    assert twice.reading.claims == once.reading.claims
    doubts = {spot: seen.doubt for spot, seen in once.reading.pieces.items()}
    assert {spot: seen.doubt for spot, seen in twice.reading.pieces.items()} == doubts


def test_a_hidden_route_is_decided_by_the_other_photo() -> None:
    route = [route.id for route in drawn.usa().routes].index(HIDDEN)
    hidden = with_a_hand().view.printed.route_of == route
    assert visible_spaces(with_a_hand().view.printed, with_a_hand().first)[hidden].mean() < 0.1
    assert visible_spaces(drawn.weighed().view.printed, drawn.weighed().first)[hidden].mean() > 0.9
    assert read_together([with_a_hand()]).reading.claims.get(HIDDEN) != drawn.CLAIMS[HIDDEN]
    for photos in ([with_a_hand(), from_the_left()], [with_a_hand(), drawn.weighed()]):
        together = read_together(photos)
        assert together.reading.claims == drawn.CLAIMS
        assert together.reading.pieces[Spot("route", HIDDEN)].doubt is None
        assert together.disagreed == ()


def test_photos_that_contradict_each_other_raise_a_doubt() -> None:
    together = read_together([drawn.weighed(), before()])
    assert [doubt.spot.id for doubt in together.disagreed] == [HIDDEN]
    doubt = together.reading.pieces[Spot("route", HIDDEN)].doubt
    assert doubt is not None
    assert {doubt.said, *doubt.alternatives} >= {"red", None}
    assert doubt.why == "the photos disagree: free or red"


def test_one_sure_photo_does_not_outshout_two() -> None:
    right = CameraSetup((1200, 900), tilt_deg=20, heading_deg=60)
    third = drawn.weigh_photo(drawn.found(drawn.photographed(FEWER, right)).view)
    assert HIDDEN not in read_together([before(), drawn.weighed(), third]).reading.claims
