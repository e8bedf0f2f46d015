"""Stringing: which lines of spaces are routes, and what is doubted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from railspotter.calibration.board_making.print_colours import CENTRES
from railspotter.calibration.board_making.printed_spaces import FoundSpace
from railspotter.calibration.board_making.stringing import string_routes
from railspotter.scoring.board import Place

A, B, C = (
    Place("a", "Ay", (0.0, 0.0)),
    Place("b", "Bee", (120.0, 0.0)),
    Place("c", "Cee", (240.0, 0.0)),
)


def space(x: float, y: float = 0.0, angle: float = 0.0, colour: str = "red") -> FoundSpace:
    return FoundSpace((x, y), angle, (26.0, 9.0), 0.99, CENTRES[colour])


def line(*xs: float, y: float = 0.0, colour: str = "red") -> list[FoundSpace]:
    return [space(x, y, colour=colour) for x in xs]


def test_a_row_between_two_places_is_a_route() -> None:
    (route,) = string_routes(line(87, 33, 60), [A, B])
    assert (route.a, route.b, route.colour, route.doubts) == ("a", "b", "red", ())
    assert [s.xy_mm[0] for s in route.spaces] == [33, 60, 87]


def test_a_row_past_a_place_is_two_routes() -> None:
    routes = string_routes(line(33, 60, 87, 153, 180, 207), [A, B, C])
    assert [(r.a, r.b, len(r.spaces)) for r in routes] == [("a", "b", 3), ("b", "c", 3)]


def test_two_lanes_of_one_colour_are_not_mixed() -> None:
    both = line(33, 60, 87, y=-5, colour="grey") + line(33, 60, 87, y=5, colour="grey")
    routes = string_routes(both, [A, B])
    assert [{s.xy_mm[1] for s in r.spaces} for r in routes] in ([{-5}, {5}], [{5}, {-5}])


def test_a_line_that_changes_colour_is_no_route() -> None:
    assert string_routes([*line(33), *line(60, colour="blue"), *line(87)], [A, B]) == ()


@pytest.mark.parametrize(
    ("found", "b_mm", "doubt"),
    [
        (line(28, 54, 91), 120, "a gap of 11 mm after space 2 of 3"),
        (line(40, 67, 94), 133, "it ends 27 mm from Ay"),
        (
            line(33, 60, 87, y=-6) + line(44, 76, y=6, colour="blue"),
            120,
            "the lane beside it has another length",
        ),
    ],
    ids=["gap", "far", "length"],
)
def test_what_is_odd_about_a_route_is_told(
    found: list[FoundSpace], b_mm: float, doubt: str
) -> None:
    routes = string_routes(found, [A, Place("b", "Bee", (b_mm, 0.0))])
    assert routes
    assert all(doubt in route.doubts for route in routes)


def test_settled_spaces_are_taken() -> None:
    row = line(33, 60, 87)
    assert string_routes(row, [A, B], taken=row[1:2]) == ()


@pytest.mark.parametrize(
    ("xs", "places"),
    [((33, 60, 87), []), ((33, 60, 87), [A]), ((), [A, B])],
    ids=["no place", "one place", "no space"],
)
def test_without_places_or_spaces_there_are_no_routes(
    xs: tuple[float, ...], places: list[Place]
) -> None:
    assert string_routes(line(*xs), places) == ()


@given(st.lists(st.tuples(st.floats(0, 240), st.floats(-40, 40), st.floats(0, 180)), max_size=25))
def test_no_space_is_in_two_routes_whatever_is_found(
    poses: list[tuple[float, float, float]],
) -> None:
    found = [space(x, y, angle) for x, y, angle in poses]
    routes = string_routes(found, [A, B, C])
    used = [s.xy_mm for r in routes for s in r.spaces]
    assert len(used) == len(set(used))
    for route in routes:
        assert route.a < route.b
        assert len(route.spaces) <= 10


@given(st.sampled_from(sorted(CENTRES)), st.floats(0.9, 1.1))
def test_colours_keep_their_names_in_dimmer_and_brighter_light(name: str, light: float) -> None:
    lightness, a, b = CENTRES[name]
    seen = (lightness * light, 128 + (a - 128) * light, 128 + (b - 128) * light)
    (route,) = string_routes([replace(one, lab=seen) for one in line(33, 60, 87)], [A, B])
    assert route.colour == name
