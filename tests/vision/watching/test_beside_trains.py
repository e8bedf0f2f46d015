"""What a row of trains does to what lies beside it: shadows, other spaces, a station's place."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pose import Pose
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.pieces import place_stations, place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.changes import Appeared, Change, QuestionAsked
from railspotter.vision.watching.spot_state import SpotReading

from .still_table import BOARD, MEANT, StillTable

LEVEL = Spot("route", "duluth--helena")
CITY = Spot("station", "atlanta")
CITY_XY_MM = BOARD.place_by_id[CITY.id].xy_mm
RED = SpotReading("red", (9.0, -9.0), parts=2, covered=2, shape=9.0)

BoxMm = tuple[float, float, float, float]  # left, top, right and bottom on the board


def around_city(left: float, top: float, right: float, bottom: float) -> BoxMm:
    x, y = CITY_XY_MM
    return x - left, y - top, x + right, y + bottom


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
        pytest.param((0.65, 0.65, 0.65), [(Appeared, LEVEL)], id="a shadow"),
        pytest.param((0.9, 0.6, 0.45), [], id="something blue lies there"),
        pytest.param((0.2, 0.2, 0.2), [], id="something black lies there"),
    ],
)
def test_a_row_of_trains_with_its_shadow_is_no_card(
    table: StillTable, light: Sequence[float], claimed: list[tuple[type[Change], Spot]]
) -> None:
    spaces = np.array([space.xy_mm for space in BOARD.route_by_id[LEVEL.id].spaces])
    (left, top), (right, _) = spaces.min(axis=0), spaces.max(axis=0)
    trains = table.picture({LEVEL: "red"})
    shaded = painted(trains, table.pose, (left, top + 6, right, top + 24), light)
    table.show(table.picture(), 2.0)
    changes = table.show(shaded, 3.0, {LEVEL: replace(RED, parts=6, covered=6)})
    assert [change for change in changes if change[0] is Appeared] == claimed


def test_something_dark_over_a_city_is_no_station_with_its_shadow(table: StillTable) -> None:
    table.with_stations()
    bare = table.picture()
    covered = painted(bare, table.pose, around_city(20, 20, 20, 20), (0.6, 0.6, 0.6))
    station = SpotReading("red", (9.0, -9.0), parts=1, covered=1, shape=9.0)
    table.show(bare, 2.0)
    table.show(covered, 4.0, {CITY: station})
    assert not table.said


def test_trains_stay_seen_while_the_hand_that_laid_them_lays_more(table: StillTable) -> None:
    """What is decided beside them meanwhile settles the ground, but not them."""
    table.with_stations()
    table.show(table.picture(), 2.0)
    x, y = BOARD.route_by_id[MEANT.id].spaces[1].xy_mm
    one, both = (  # the place lies in a shadow
        painted(table.picture({MEANT: "red"}, n), table.pose, around_city(10, 5, 6, 10), (0.8,) * 3)
        for n in (1, 2)
    )
    table.show(one, 0.4)
    for tenth in range(24, 40):  # a hand is at work over the second space
        table.show(painted(one, table.pose, (x, y - 8, x + 12, y), (tenth % 2,) * 3), 0.1)
    assert not table.said
    assert table.show(both, 6.0, {MEANT: RED}) == [(Appeared, MEANT)]


@pytest.mark.parametrize(
    ("colour", "seconds", "said"),
    [
        pytest.param(
            "blue",
            0,
            [(Appeared, MEANT), (Appeared, CITY)],
            id="a station waits until the trains are decided",
        ),
        pytest.param(
            "red",
            0,
            [(Appeared, MEANT)],
            id="nobody lays trains and builds a station in one turn",
        ),
        pytest.param(
            "red",
            6,
            [(Appeared, MEANT), (QuestionAsked, CITY)],
            id="where trains looked like a station people are asked whether one came",
        ),
    ],
)
def test_what_looks_like_a_station_beside_new_trains(
    table: StillTable, colour: str, seconds: float, said: list[tuple[type[Change], Spot]]
) -> None:
    """The trains are not clear at first; in the end a hand is over the place, and its shadow."""
    table.with_stations()
    bare = table.picture()
    pieces = (
        *place_trains(BOARD, {MEANT.id: "red"}, 0),
        *place_stations(BOARD, {CITY.id: colour}, 0),
    )
    laid = table.game.camera.take(Scene(pieces)).picture
    shaded = painted(laid, table.pose, around_city(12, 12, 6, 12), (0.7, 0.7, 0.7))
    doubt = Doubt(MEANT, None, ("red",), Sentence("it is not clear whether trains stand there"))
    unclear = SpotReading(None, (-0.5,), parts=2, covered=0, doubt=doubt, shape=0.5)
    station = SpotReading(colour, (9.0, -9.0), parts=1, covered=1, shape=9.0)
    table.show(bare, 2.0)
    table.show(laid, 3.0, {MEANT: unclear, CITY: station})
    table.show(laid, 15.0, {MEANT: RED, CITY: station})
    if seconds:
        for picture in (shaded, bare) * 2:
            table.show(picture, 0.1, {MEANT: RED, CITY: station})
        table.show(shaded, seconds - 0.4, {MEANT: RED, CITY: station})
    assert [(type(change), change.spot) for change in table.said] == said
