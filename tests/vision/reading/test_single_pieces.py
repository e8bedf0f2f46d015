"""The accessible edition: one shape on any of a route's spaces is all of its trains."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import drawn
import numpy as np
import pytest
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.pieces import Piece, place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.vision.readings import Reading

# Where this board's pins are not in the middle of their routes.
PINS = {"calgary--seattle": 3, "chicago--pittsburgh--0": 0, "chicago--pittsburgh--1": 2}
LIGHTS = {
    "from above": (CameraSetup((1200, 900), tilt_deg=8), Light()),
    "from the left, in hard light": (
        CameraSetup((1400, 1050), tilt_deg=25, heading_deg=-50),
        Light(softness=0.01, ambient=0.35, height_deg=45),
    ),
}
RED_ON_RED, GREY = "denver--oklahoma-city", "calgary--seattle"


def claims() -> dict[str, str]:
    """A game with pieces on prints of their own colour and on both lanes of double routes."""
    own = {RED_ON_RED: "red", "duluth--helena": "green", "portland--salt-lake-city": "blue"}
    both = {"chicago--pittsburgh--0": "green", "chicago--pittsburgh--1": "yellow"}
    return {**drawn.CLAIMS, **own, **both}


def shapes(shown: Mapping[str, str], pins: Mapping[str, int] | None = None) -> tuple[Piece, ...]:
    """The pieces of claims, each on its route's pin."""
    pins = PINS if pins is None else pins
    lengths = {route.id: route.length for route in drawn.usa().routes}
    return tuple(
        replace(train, kind="shape")
        for train in place_trains(drawn.usa(), shown, seed=4)
        if train.route and train.space == pins.get(train.route, lengths[train.route] // 2)
    )


@cache
def scorer() -> PhotoScorer:
    return PhotoScorer(ReadingPlan(drawn.usa(), load_edition("usa-accessible"), drawn.profile()))


@cache
def found(pieces: tuple[Piece, ...], light: str = "from above") -> FoundBoard:
    view, lamp = LIGHTS[light]
    camera = VirtualCamera(drawn.usa(), view=view, sensor=drawn.SENSOR)
    board = scorer().find(camera.take(Scene(pieces, light=lamp)).picture)
    assert isinstance(board, FoundBoard), board
    return board


@cache
def read(pieces: tuple[Piece, ...], light: str = "from above") -> Reading:
    return drawn.read(found(pieces, light).view)


@pytest.mark.parametrize("light", LIGHTS)
def test_a_game_is_read(light: str) -> None:
    reading = read(shapes(claims()), light)
    doubted = {doubt.spot.id for doubt in reading.doubts}
    wrong = {route for route, _ in reading.claims.items() ^ claims().items()}
    assert wrong <= doubted
    assert len(wrong) <= 1
    assert len(doubted) <= 4
    assert reading.claims[RED_ON_RED] == "red"


@pytest.mark.parametrize("light", LIGHTS)
def test_an_empty_board_is_free(light: str) -> None:
    reading = read((), light)
    assert reading.claims == {}
    assert reading.pins == {}
    assert len(reading.doubts) <= 1


def test_the_space_that_carries_the_piece_is_named() -> None:
    reading = read(shapes(claims()))
    lengths = {route.id: route.length for route in drawn.usa().routes}
    wanted = {route: PINS.get(route, lengths[route] // 2) for route in reading.claims}
    assert reading.pins == wanted


def test_trains_of_the_usual_edition_have_no_pins() -> None:
    assert drawn.reading().pins == {}


def test_two_pieces_on_one_route_are_doubted() -> None:
    """One would have been enough for whoever came first."""
    second = shapes({GREY: "blue"}, {GREY: 0})
    reading = read((*shapes({**claims(), GREY: "red"}), *second))
    (doubt,) = (doubt for doubt in reading.doubts if doubt.spot.id == GREY)
    assert "pieces seem to stand on 2 of its spaces" in doubt.why


@pytest.mark.parametrize(("pin", "said"), [(2, None), (0, "blue")])
def test_a_route_is_free_only_where_all_its_spaces_show(pin: int, said: str | None) -> None:
    """A shape may stand on the space that the photo cuts off."""
    view = found(shapes({GREY: "blue"}, {GREY: pin})).view
    printed = view.printed
    first = int(printed.first_space[[route.id for route in printed.board.routes].index(GREY)])
    x, y = (printed.xy_mm[first + 2] * printed.px_per_mm).astype(int)
    shown = np.ones(view.rectified.shape[:2], bool)
    shown[y - 24 : y + 24, x - 24 : x + 24] = False
    reading = drawn.read(replace(view, shown=shown))
    spot = Spot("route", GREY)
    assert (spot in reading.unseen) == (said is None)
    assert reading.claims.get(GREY) == said
