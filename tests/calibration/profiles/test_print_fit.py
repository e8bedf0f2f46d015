"""Fitting the print: routes that a copy prints elsewhere are found there."""

import drawn
import numpy as np
from msgspec.structs import replace
from railspotter.calibration.arrays import Points
from railspotter.calibration.profiles.reference import fit_print
from railspotter.scoring.board import Board, Route
from railspotter.simulation.virtual_board.printed_map import draw_board


def middle(board: Board, route: Route) -> Points:
    """The middle of all lanes between the route's places."""
    lanes = [other for other in board.routes if {other.a, other.b} == {route.a, route.b}]
    return np.asarray(np.mean([space.xy_mm for lane in lanes for space in lane.spaces], axis=0))


def offset(board: Board, route: Route) -> Points:
    """4 mm, in a direction that turns from region to region."""
    x, y = middle(board, route)
    turn = 2.0 + x / 250 + y / 200
    return 4 * np.array([np.cos(turn), np.sin(turn)])


def misprinted(board: Board) -> Board:
    """The board with every route `offset` away."""
    routes = []
    for route in board.routes:
        dx, dy = offset(board, route)
        spaces = tuple(
            replace(space, xy_mm=(space.xy_mm[0] + dx, space.xy_mm[1] + dy))
            for space in route.spaces
        )
        routes.append(replace(route, spaces=spaces))
    return replace(board, routes=tuple(routes))


def test_routes_are_found_where_they_are_printed() -> None:
    usa = drawn.usa()
    fitted = fit_print(draw_board(misprinted(usa)), 2.0, usa)
    off = [np.hypot(*(fitted[route.id] - offset(usa, route))) for route in usa.routes]
    assert max(off) < 1.5
    assert np.median(off) < 1.0


def test_a_board_printed_as_its_file_says_is_left_there() -> None:
    offsets = drawn.profile().print_offsets_mm
    assert set(offsets) == set(drawn.usa().route_by_id)
    assert max(np.hypot(*offset) for offset in offsets.values()) < 1.5


def test_both_lanes_have_one_offset() -> None:
    offsets = drawn.profile().print_offsets_mm
    for lanes in drawn.usa().lanes:
        assert len({offsets[route] for route in lanes}) == 1
