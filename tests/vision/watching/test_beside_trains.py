"""What a row of trains does to what lies beside it: shadows, other spaces, a station's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import load_board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.placing import stand_stations, stand_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import VirtualGame
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.belief import SpotReading
from railspotter.vision.watching.changes import Appeared, Change, QuestionAsked
from railspotter.vision.watching.looks import LookRead
from railspotter.vision.watching.watcher import Watcher

BOARD = load_board("usa")
LEVEL = Spot("route", "duluth--helena")
MEANT = Spot("route", "atlanta--raleigh--0")
CITY = Spot("station", "atlanta")
PIECES = Pieces(plastic("usa"), exclusive=BOARD.lanes)
WITH_STATIONS = replace(PIECES, station_size_mm=(15.0, 15.0, 20.0), stations_each=3)
RED = SpotReading("red", (9.0, -9.0), parts=2, covered=2, shape=9.0)

BoxMm = tuple[float, float, float, float]  # left, top, right and bottom on the board


def reading(at_s: float, seen: dict[Spot, SpotReading]) -> LookRead:
    """Return what a look says: plainly free is whatever is not named."""
    free: dict[Spot, SpotReading] = {
        Spot("route", route.id): SpotReading(None, (-9.0, -9.0), route.length, 0)
        for route in BOARD.routes
    }
    places: dict[Spot, SpotReading] = {
        Spot("station", place.id): SpotReading(None, (-9.0, -9.0), 1, 0) for place in BOARD.places
    }
    return LookRead(at_s, {**free, **places, **seen})


def painted(picture: Picture, pose: Pose, box_mm: BoxMm, light: Sequence[float]) -> Picture:
    """Return the picture with a box of the board in so much of its light, for each channel."""
    left, top, right, bottom = box_mm
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(pose.seen_at(corners)).astype(np.int32), 1)
    return np.where(inside[..., None] > 0, picture * np.array(light), picture).astype(np.uint8)


@pytest.mark.parametrize(
    ("light", "claimed"),
    [
        pytest.param((0.65, 0.65, 0.65), [LEVEL], id="a shadow"),
        pytest.param((0.9, 0.6, 0.45), [], id="something blue lies there"),
        pytest.param((0.2, 0.2, 0.2), [], id="something black lies there"),
    ],
)
def test_a_row_of_trains_with_its_shadow_is_no_card(
    game: VirtualGame,
    printed: PrintedBoard,
    pose: Pose,
    light: Sequence[float],
    claimed: list[Spot],
) -> None:
    watcher, changes = Watcher(printed, PIECES), list[Change]()
    bare = game.camera.take(Scene()).picture
    trains = game.camera.take(Scene(stand_trains(BOARD, {LEVEL[1]: "red"}, 0))).picture
    spaces = np.array([space.xy_mm for space in BOARD.route_by_id[LEVEL[1]].spaces])
    (left, top), (right, _) = spaces.min(axis=0), spaces.max(axis=0)
    shaded = painted(trains, pose, (left, top + 6, right, top + 24), light)
    red = replace(RED, parts=6, covered=6)
    for tenth in range(50):
        changes += watcher.see(bare if tenth < 20 else shaded, pose, tenth / 10).changes
        if watcher.due() is not None:
            watcher.take_in(reading(tenth / 10, {LEVEL: red} if tenth >= 20 else {}))
    assert [change.spot for change in changes if isinstance(change, Appeared)] == claimed


def test_something_dark_over_a_city_is_no_station_with_its_shadow(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    watcher, changes = Watcher(printed, WITH_STATIONS), list[Change]()
    bare = game.camera.take(Scene()).picture
    x, y = next(place.xy_mm for place in BOARD.places if place.id == CITY[1])
    covered = painted(bare, pose, (x - 20, y - 20, x + 20, y + 20), (0.6, 0.6, 0.6))
    station = SpotReading("red", (9.0, -9.0), parts=1, covered=1, shape=9.0)
    for tenth in range(60):
        changes += watcher.see(bare if tenth < 20 else covered, pose, tenth / 10).changes
        if watcher.due() is not None:
            watcher.take_in(reading(tenth / 10, {CITY: station} if tenth >= 20 else {}))
    assert not changes


def test_trains_stay_seen_while_the_hand_that_laid_them_lays_more(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    """What is decided beside them meanwhile settles the ground, but not them."""
    watcher, changes = Watcher(printed, WITH_STATIONS), list[Change]()
    trains = stand_trains(BOARD, {MEANT.id: "red"}, 0)
    bare, one, both = (game.camera.take(Scene(laid)).picture for laid in ((), trains[:1], trains))
    x, y = BOARD.route_by_id[MEANT.id].spaces[1].xy_mm
    city_x, city_y = next(place.xy_mm for place in BOARD.places if place.id == CITY[1])
    place_mm, space_mm = (city_x - 10, city_y - 5, city_x + 6, city_y + 10), (x, y - 8, x + 12, y)
    for tenth in range(100):
        picture = bare if tenth < 20 else one if tenth < 40 else both
        if tenth >= 20:  # the place lies in a shadow
            picture = painted(picture, pose, place_mm, (0.8, 0.8, 0.8))
        if 24 <= tenth < 40:  # a hand is at work over the second space
            picture = painted(picture, pose, space_mm, (tenth % 2,) * 3)
        changes += watcher.see(picture, pose, tenth / 10).changes
        if watcher.due() is not None:
            watcher.take_in(reading(tenth / 10, {MEANT: RED} if tenth >= 40 else {}))
    assert [(type(change), change.spot) for change in changes] == [(Appeared, MEANT)]


def said_beside_new_trains(
    game: VirtualGame, printed: PrintedBoard, pose: Pose, colour: str, until_s: float = 20.0
) -> list[tuple[type[Change], Spot]]:
    """Return what is said where red trains come with what looks like a station.

    The trains are not clear for three seconds. After 20 s a hand is over the place and leaves a
    shadow there.
    """
    watcher, changes = Watcher(printed, WITH_STATIONS), list[Change]()
    bare = game.camera.take(Scene()).picture
    stood = stand_stations(BOARD, {CITY[1]: colour}, 0)
    laid = game.camera.take(Scene((*stand_trains(BOARD, {MEANT.id: "red"}, 0), *stood))).picture
    x, y = next(place.xy_mm for place in BOARD.places if place.id == CITY[1])
    shaded = painted(laid, pose, (x - 12, y - 12, x + 6, y + 12), (0.7, 0.7, 0.7))
    doubt = Doubt(MEANT, None, ("red",), Sentence("it is not clear whether trains stand there"))
    unclear = SpotReading(None, (-0.5,), parts=2, covered=0, doubt=doubt, shape=0.5)
    station = SpotReading(colour, (9.0, -9.0), parts=1, covered=1, shape=9.0)
    for tenth in range(round(10 * until_s)):
        is_hand = 200 <= tenth < 204 and tenth % 2
        picture = bare if tenth < 20 or is_hand else laid if tenth < 200 else shaded
        changes += watcher.see(picture, pose, tenth / 10).changes
        if watcher.due() is not None:
            trains = unclear if tenth < 50 else RED
            seen = {MEANT: trains, CITY: station} if tenth >= 20 else {}
            watcher.take_in(reading(tenth / 10, seen))
    return [(type(change), change.spot) for change in changes]


@pytest.mark.parametrize(
    ("colour", "said"),
    [
        pytest.param("blue", [MEANT, CITY], id="a station waits until the trains are decided"),
        pytest.param("red", [MEANT], id="nobody lays trains and builds a station in one turn"),
    ],
)
def test_what_looks_like_a_station_beside_new_trains(
    game: VirtualGame, printed: PrintedBoard, pose: Pose, colour: str, said: list[Spot]
) -> None:
    changes = said_beside_new_trains(game, printed, pose, colour)
    assert changes == [(Appeared, spot) for spot in said]


def test_where_trains_looked_like_a_station_people_are_asked_whether_one_came(
    game: VirtualGame, printed: PrintedBoard, pose: Pose
) -> None:
    changes = said_beside_new_trains(game, printed, pose, "red", 26.0)
    assert changes == [(Appeared, MEANT), (QuestionAsked, CITY)]
