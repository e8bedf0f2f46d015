"""A board laid out for reading: windows, neighbours and sums over routes."""

from dataclasses import replace
from functools import cache

import drawn
import numpy as np
from railspotter.calibration.profiles.profile import space_key
from railspotter.vision.printed.printed_board import PrintedBoard

USA = drawn.usa()
LONG = USA.route_by_id["duluth--helena"]


@cache
def as_filed() -> PrintedBoard:
    return PrintedBoard(USA, drawn.profile().reference, 2.0)


def test_spaces_come_in_the_order_of_the_routes() -> None:
    ids = [route.id for route in USA.routes for _ in route.spaces]
    assert [USA.routes[r].id for r in as_filed().route_of] == ids
    assert np.array_equal(as_filed().route_of[as_filed().first_space], np.arange(len(USA.routes)))


def test_a_window_has_its_space_in_its_middle() -> None:
    rows, columns = as_filed().window_shape
    width = as_filed().reference.shape[1]
    middle = as_filed().window_pixels[:, rows // 2, columns // 2]
    at_mm = (np.stack([middle % width, middle // width], axis=-1) + 0.5) / 2
    assert np.abs(at_mm - as_filed().xy_mm).max() <= 0.25 + 1e-9
    assert np.array_equal(
        as_filed().seen_pixels[as_filed().windows_of_seen], as_filed().window_pixels
    )


def test_a_window_lies_along_its_route() -> None:
    """To the right in a window is on towards the route's `b`."""
    rows, _ = as_filed().window_shape
    width = as_filed().reference.shape[1]
    for route, first in zip(USA.routes, as_filed().first_space, strict=True):
        ahead = as_filed().window_pixels[first, rows // 2, -1]
        ends = np.array([USA.place_by_id[place].xy_mm for place in (route.a, route.b)])
        to_b = ends[1] - as_filed().xy_mm[first]
        step = (np.array([ahead % width, ahead // width]) + 0.5) / 2 - as_filed().xy_mm[first]
        assert step @ to_b > 0, route.id


def test_a_copys_offsets_move_its_spaces() -> None:
    moved = replace(as_filed(), print_offsets_mm={"helena--seattle": (1.5, -0.5)})
    difference = moved.xy_mm - as_filed().xy_mm
    theirs = np.array([USA.routes[r].id == "helena--seattle" for r in moved.route_of])
    assert np.allclose(difference[theirs], (1.5, -0.5))
    assert not difference[~theirs].any()


def test_lanes_are_neighbours_and_the_coasts_are_not() -> None:
    near = as_filed().neighbours
    index = {route.id: r for r, route in enumerate(USA.routes)}
    assert np.array_equal(near, near.T)
    assert not near.diagonal().any()
    for lanes in USA.lanes:
        assert near[index[lanes[0]], index[lanes[1]]]
    assert not near[index["portland--seattle--0"], index["charleston--miami"]]


def test_the_background_is_bare() -> None:
    columns, rows = (as_filed().xy_mm * 2).astype(int).T
    assert not as_filed().background[rows, columns].any()
    assert 0.2 < as_filed().background.mean() < 0.8


def test_a_board_of_one_space_a_route_has_that_one() -> None:
    """With its nudge, which the profile has by the space's number in the whole route."""
    whole = replace(as_filed(), nudges_mm={space_key(LONG.id, 2): (1.0, -2.0)})
    numbers = np.array([min(2, route.length - 1) for route in USA.routes])
    single = whole.at_spaces(numbers)
    assert np.array_equal(single.xy_mm, whole.xy_mm[whole.first_space + numbers])
    assert np.array_equal(single.along, whole.along[whole.first_space + numbers])
    assert [route.length for route in single.board.routes] == [1] * len(USA.routes)
