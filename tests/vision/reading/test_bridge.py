"""A route that crosses under another is read as any other, whoever holds the one above it."""

from functools import cache

import drawn
import numpy as np
import philly
import pytest
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan

ABOVE_IT = "frankford--somerset"


@cache
def scorer() -> PhotoScorer:
    board = philly.philly()
    drawing = draw_board(board)
    corners = drawn.own_corners(drawing)
    profile = make_profile(drawing, board, corners, "drawn", "2026-01-01T00:00:00")
    return PhotoScorer(ReadingPlan(board, load_edition("philly"), profile))


def test_where_spaces_do_not_follow_on_each_other_a_route_crosses() -> None:
    bridges = {route.id: route.bridges for route in philly.philly().routes if route.bridges}
    ((start, end),) = bridges.pop(philly.BRIDGE)
    assert not bridges
    way_mm = end[0] - start[0], end[1] - start[1]
    # Between the third and fourth space from North Philly; the route begins at Bridesburg.
    assert way_mm == pytest.approx((-47 * 0.9647, -47 * 0.2632), abs=0.3)
    for name in ("usa", "europe", "newyork"):
        assert not any(route.bridges for route in load_board(name).routes)


def test_it_is_drawn_dotted() -> None:
    board = philly.philly()
    ((start, end),) = board.route_by_id[philly.BRIDGE].bridges
    x, y = np.rint(np.linspace(start, end, 60) * 3).astype(int).T
    is_dark = draw_board(board, 3.0)[y, x].max(axis=1) < 110
    assert 0.3 < is_dark.mean() < 0.8


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param({philly.BRIDGE: "red"}, id="under"),
        pytest.param({ABOVE_IT: "red"}, id="above", marks=pytest.mark.long),
        pytest.param({philly.BRIDGE: "red", ABOVE_IT: "blue"}, id="both", marks=pytest.mark.long),
        pytest.param(
            {philly.BRIDGE: "black", ABOVE_IT: "black", "liberty-bell": "green"}, id="one player's"
        ),
    ],
)
def test_it_is_read_under_what_lies_above(claims: dict[str, str]) -> None:
    picture = drawn.render(philly.philly(), claims, drawn.ABOVE, sensor=drawn.SENSOR).picture
    found = scorer().find(picture)
    assert isinstance(found, FoundBoard), found
    reading = drawn.read(found.view)
    assert {spot.id: colour for spot, colour in reading.held.items()} == claims
    assert not reading.doubts
