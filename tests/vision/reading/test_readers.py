"""The reader on rendered games, whose truth is exact."""

from dataclasses import replace
from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from examples import every_run
from railspotter.scoring.spot import Spot, of_kind
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.vision.colours.train_colours import trains_in_play
from railspotter.vision.readings import Doubt, Reading

GAMES = {
    "from the chair": drawn.ABOVE,
    "from the left": CameraSetup((1200, 900), tilt_deg=25, heading_deg=-30),
    "a webcam, upside down": CameraSetup((1008, 756), tilt_deg=15, roll_deg=180),
}
MOST_DOUBTS = 8  # of 100 routes; 2 to 5 were doubted


@cache
def read(view: CameraSetup) -> Reading:
    if view == drawn.ABOVE:
        return drawn.reading()
    return drawn.read(drawn.found(drawn.game(view).picture).view)


def read_claims(claims: dict[str, str]) -> Reading:
    return drawn.read(drawn.found(drawn.photographed(claims), drawn.game().picture).view)


def wrong(reading: Reading, claims: dict[str, str]) -> set[str]:
    """The routes that are read as another's or as free, or as claimed where they are free."""
    return {route for route, _ in reading.claims.items() ^ claims.items()}


def doubt_of(reading: Reading, route: str) -> Doubt:
    doubt = reading.pieces[Spot("route", route)].doubt
    assert doubt is not None, f"{route} is not doubted"
    return doubt


@pytest.mark.parametrize("name", every_run("from the left", GAMES))
def test_a_game_is_read_right(name: str) -> None:
    reading = read(GAMES[name])
    # From the left, green trains lean over a black print that reads as black trains, and is asked.
    asked = {doubt.spot.id for doubt in reading.doubts}
    assert wrong(reading, drawn.CLAIMS) <= asked & {"new-york--washington--1"}
    assert len(reading.doubts) <= MOST_DOUBTS
    assert reading.notes == ()


def test_an_empty_board_has_no_claims() -> None:
    reading = drawn.read(drawn.found(drawn.empty().picture).view)
    assert reading.claims == {}
    assert (reading.doubts, reading.notes) == ((), ())


def test_every_route_has_an_answer_and_every_doubt_an_alternative() -> None:
    reading = read(drawn.ABOVE)
    assert set(of_kind("route", reading.pieces)) == set(drawn.usa().route_by_id)
    for route in reading.pieces.values():
        assert 0.5 <= route.confidence <= 1
    for doubt in reading.doubts:
        assert doubt.said == reading.claims.get(doubt.spot.id)
        assert doubt.alternatives
        assert doubt.said not in doubt.alternatives
        assert len(set(doubt.alternatives)) == len(doubt.alternatives)
        assert doubt.why


LIGHTS_BGR = {
    "dim": (0.6, 0.6, 0.6),
    "warm": (0.8, 1.0, 1.2),
    "cool": (1.15, 1.0, 0.9),
    "orange": (0.4, 0.8, 1.2),
    "deep orange": (0.15, 0.5, 1.3),
}


@pytest.mark.parametrize("light", every_run("deep orange", LIGHTS_BGR))
def test_no_light_asks_for_another_photo_where_this_one_will_do(light: str) -> None:
    lit = np.clip(drawn.game().picture * np.array(LIGHTS_BGR[light]), 0, 255).astype(np.uint8)
    reading = drawn.read(drawn.found(lit, drawn.game().picture).view)
    assert wrong(reading, drawn.CLAIMS) == set()
    assert len(reading.doubts) <= MOST_DOUBTS
    assert reading.notes == ()


def test_one_player_on_both_lanes_is_doubted() -> None:
    lanes = ("portland--seattle--0", "portland--seattle--1")
    claims = {**drawn.CLAIMS, **dict.fromkeys(lanes, "blue")}
    reading = read_claims(claims)
    assert wrong(reading, claims) == set()
    for lane in lanes:
        assert "both lanes" in doubt_of(reading, lane).why


def test_two_players_on_the_two_lanes_are_not() -> None:
    claims = {**drawn.CLAIMS, "portland--seattle--0": "blue", "portland--seattle--1": "red"}
    reading = read_claims(claims)
    assert wrong(reading, claims) == set()
    assert not any("both lanes" in doubt.why for doubt in reading.doubts)


@pytest.mark.parametrize("taken_away", every_run("2 of 5", ("1 of 5", "2 of 5", "3 of 5")))
def test_a_partly_covered_route_is_doubted(taken_away: str) -> None:
    """Some of a route's trains are taken away: there the photo is that of the empty board."""
    route = "portland--san-francisco--0"
    gone = int(taken_away[0])
    frame, picture = drawn.game(), drawn.game().picture.copy()
    for train in frame.pieces:
        if train.route == route and train.space is not None and train.space < gone:
            box = frame.projection.project(drawn.box_of(train))
            outline = cv2.convexHull(np.rint(box).astype(np.int32))
            there = np.zeros(picture.shape[:2], np.uint8)
            cv2.fillConvexPoly(there, outline, 1)
            there = np.asarray(cv2.dilate(there, np.ones((17, 17), np.uint8)), np.uint8)
            np.copyto(picture, drawn.empty().picture, where=there[..., None] > 0)
    reading = drawn.read(drawn.found(picture, drawn.game().picture).view)
    why = doubt_of(reading, route).why
    left = {f"{covered} of 5 spaces look covered" for covered in range(1, 5)}
    assert any(words in why for words in left) or "belongs to no route" in why
    assert wrong(reading, drawn.CLAIMS) <= {route}


def test_a_colour_that_does_not_play_is_never_said() -> None:
    view = drawn.found(drawn.game().picture).view
    two = trains_in_play(["blue", "green"], view.pieces.trains)
    reading = drawn.read(replace(view, pieces=replace(view.pieces, trains=two)))
    said = {*reading.claims.values()}
    offered = {answer for doubt in reading.doubts for answer in doubt.alternatives}
    assert said == {"blue", "green"}
    assert offered <= {"blue", "green", None}
    theirs = {route: c for route, c in drawn.CLAIMS.items() if c in said}
    assert theirs.items() <= reading.claims.items()
