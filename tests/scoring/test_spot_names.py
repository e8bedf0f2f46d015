"""Lanes are named one way: every board numbers them alike, and no two routes have one name."""

import pytest
from railspotter.scoring.board import board_names, load_board
from railspotter.scoring.spot_names import lane_number, lane_side, route_name


@pytest.mark.parametrize("name", board_names())
def test_lanes_are_numbered_in_the_order_of_their_ids(name: str) -> None:
    board = load_board(name)
    for lanes in board.lanes:
        assert [lane_number(board, lane) for lane in lanes] == list(range(1, len(lanes) + 1))


@pytest.mark.parametrize("name", board_names())
def test_every_route_has_a_name_of_its_own(name: str) -> None:
    board = load_board(name)
    names = {route_name(board, route.id) for route in board.routes}
    assert len(names) == len(board.routes)


def test_a_single_route_has_no_lane() -> None:
    board = load_board("usa")
    assert lane_number(board, "helena--seattle") is None
    assert lane_side(board, "helena--seattle") is None


def test_two_lanes_are_on_opposite_sides() -> None:
    board = load_board("usa")
    for first, second in board.lanes:
        sides = {lane_side(board, first), lane_side(board, second)}
        assert sides in ({"left", "right"}, {"upper", "lower"})
