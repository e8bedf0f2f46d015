"""What lies under hands, cups and cards is unseen, and nothing is where none of them lies."""

from dataclasses import replace
from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.profiles.features import differences_at
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame
from railspotter.table.photos.score import PhotoScorer
from railspotter.vision.printed.printed_board import in_millimetres, print_features
from railspotter.vision.reading.covered_spaces import ASKED, SEEN, with_things
from railspotter.vision.reading.cue_reader import weigh
from railspotter.vision.reading.doubts import reading_of
from railspotter.vision.reading.odds import WeighedBoard
from railspotter.vision.reading.several_photos import read_together
from railspotter.vision.readings import Reading

THINGS = (
    Thing("flat hand", (420.0, 150.0), -90.0, seed=7),
    Thing("cup", (190.0, 210.0), 20.0, seed=2),
    Thing("train card", (610.0, 330.0), 35.0, seed=4),
)
REFERENCES = ("photo", "fingerprint")


def scorer(reference: str) -> PhotoScorer:
    return drawn.scorer() if reference == "photo" else drawn.own_stand_in()


@cache
def under_things() -> RenderedFrame:
    return drawn.render(drawn.usa(), drawn.CLAIMS, drawn.ABOVE, sensor=drawn.SENSOR, things=THINGS)


@cache
def weighed(reference: str, scene: str) -> WeighedBoard:
    frames = {"things": under_things, "game": drawn.game, "empty": drawn.empty}
    if (reference, scene) == ("photo", "game"):
        return drawn.weighed()
    return weigh(drawn.found(frames[scene]().picture, by=scorer(reference)).view)


@cache
def read(reference: str, scene: str) -> Reading:
    return read_together([with_things(weighed(reference, scene))]).reading


@pytest.mark.parametrize("reference", REFERENCES)
def test_what_lies_under_things_is_unseen_or_asked_about(reference: str) -> None:
    reading = read(reference, "things")
    unseen = {spot.id for spot in reading.unseen}
    asked = {doubt.spot.id for doubt in reading.doubts}
    hidden = under_things().hidden
    under = {route for route, shares in hidden.items() if max(shares) >= 0.5}
    in_sight = {route for route, shares in hidden.items() if max(shares) == 0}
    assert len(under) >= 10
    assert under <= unseen | asked
    assert len(under & unseen) > 0.6 * len(under)
    assert len(unseen & in_sight) <= 2, "what lies close beside a thing may pass for covered"
    assert reading.claims.keys().isdisjoint(unseen)
    sure = in_sight - asked - unseen
    assert len(sure) > 0.85 * len(in_sight)
    assert {route: reading.claims.get(route) for route in sure} == {
        route: drawn.CLAIMS.get(route) for route in sure
    }


@pytest.mark.parametrize("ink", [(134, 164, 214), (122, 88, 58)], ids=["skin", "blue sleeve"])
@pytest.mark.parametrize("reference", REFERENCES)
def test_routes_deep_under_a_large_even_arm_are_not_told_as_free(
    reference: str, ink: tuple[int, int, int]
) -> None:
    """Light is measured on it as on lit ground, and its even colour looks like bare print."""
    arm_mm = np.array([(330, -40), (480, -40), (470, 330), (420, 365), (370, 360), (325, 320)])
    picture = drawn.game().picture.copy()
    pose = drawn.found(picture, by=scorer(reference)).pose
    there = cv2.perspectiveTransform(arm_mm[None].astype(np.float64), pose.frame_from_board)
    cv2.fillPoly(picture, [np.rint(there[0]).astype(np.int32)], ink)
    board = drawn.found(picture, drawn.game().picture, by=scorer(reference))
    reading = read_together([with_things(weigh(board.view))]).reading
    inside = {
        route.id: [
            cv2.pointPolygonTest(arm_mm.astype(np.float32), space.xy_mm, True)
            for space in route.spaces
        ]
        for route in drawn.usa().routes
    }
    deep = {route for route, mm in inside.items() if min(mm) > 10}
    clear = {route for route, mm in inside.items() if max(mm) < -25}
    unseen = {spot.id for spot in reading.unseen}
    asked = {doubt.spot.id for doubt in reading.doubts}
    assert len(deep) >= 5
    assert deep <= unseen | asked
    assert len(deep & unseen) > 0.6 * len(deep)
    assert unseen.isdisjoint(clear)


@pytest.mark.parametrize(
    ("reference", "scene"), [("photo", "game"), ("fingerprint", "empty"), ("fingerprint", "game")]
)
def test_a_board_without_things_is_read_as_if_nobody_asked_for_them(
    reference: str, scene: str
) -> None:
    told = read(reference, scene)
    assert told.unseen == ()
    untold = reading_of(weighed(reference, scene))
    assert told.pieces == untold.pieces
    assert told.notes == untold.notes


def test_what_lies_under_a_thing_does_not_make_the_photo_poor() -> None:
    laid = weighed("photo", "game")
    things = np.where(laid.view.printed.route_of < 30, np.float32(ASKED + 1), np.float32(-9))
    covered = with_things(replace(laid, view=replace(laid.view, things=things)))
    reading = read_together([covered]).reading
    asked = {doubt.spot.id for doubt in reading.doubts}
    assert asked >= {route.id for route in drawn.usa().routes[:30]}
    assert reading.notes == read("photo", "game").notes


def test_what_one_photo_hides_another_shows() -> None:
    boards = [drawn.found(frame.picture) for frame in (under_things(), drawn.game())]
    together = scorer("photo").read(boards)
    assert together.reading.unseen == ()
    assert len(together.unseen[0]) >= 8
    assert together.unseen[1] == frozenset()
    asked = {doubt.spot for doubt in together.reading.doubts}
    wrong = {
        Spot("route", route) for route, _ in together.reading.claims.items() ^ drawn.CLAIMS.items()
    }
    assert wrong <= asked


def test_print_is_known_where_it_lies_and_not_under_a_card() -> None:
    printed = scorer("photo")._printed
    features = print_features(printed)
    millimetres = in_millimetres(printed.reference, printed.px_per_mm)

    def seen(picture: Picture) -> np.ndarray:
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        return differences_at(features, grey) < SEEN

    card = millimetres.copy()
    card[100:260, 200:420] = drawn.texture((160, 220))
    inside = np.all((features.points > (215, 115)) & (features.points < (405, 245)), axis=1)
    outside = np.any((features.points < (180, 80)) | (features.points > (440, 280)), axis=1)
    assert seen(millimetres).mean() > 0.97
    assert np.count_nonzero(inside) > 100
    assert seen(card)[inside].mean() < 0.15
    assert (seen(card) == seen(millimetres))[outside].mean() > 0.98
