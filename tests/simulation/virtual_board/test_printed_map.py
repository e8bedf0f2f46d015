"""The drawing of a board, straight from above."""

import msgspec
import numpy as np
import pytest
from drawn import render
from railspotter.scoring.board import Board, load_board, parse_board
from railspotter.simulation.arrays import Float64s
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.errors import SceneError
from railspotter.simulation.virtual_board.printed_copy import Copy, printed_ink
from railspotter.simulation.virtual_board.printed_map import draw_board, draw_copy


@pytest.fixture(scope="module")
def usa() -> Board:
    return load_board("usa")


@pytest.mark.parametrize("name", ["usa", "europe", "newyork"])
@pytest.mark.parametrize(
    "copy", [Copy(), Copy(seed=3, scale=1.1, stray_print_mm=6)], ids=["as filed", "another copy"]
)
def test_prints_every_space_in_its_colour_where_the_copy_says(name: str, copy: Copy) -> None:
    board = copy.printed(load_board(name))
    drawing = draw_copy(board, copy, 2.0)
    inks: dict[str, list[Float64s]] = {}
    for route in board.routes:
        for space in route.spaces:
            angle = np.deg2rad(space.angle_deg)
            off_mm = 0.38 * space.size_mm[0]  # beside the sign in its middle
            x = round(2 * (space.xy_mm[0] + off_mm * np.cos(angle)))
            y = round(2 * (space.xy_mm[1] + off_mm * np.sin(angle)))
            seen = np.median(drawing[y - 3 : y + 4, x - 3 : x + 4], axis=(0, 1))
            inks.setdefault(route.colour, []).append(seen)
    typical = {colour: np.median(seen, axis=0) for colour, seen in inks.items()}
    wrong = [
        colour
        for colour, seen in inks.items()
        for ink in seen
        if min(typical, key=lambda other: np.abs(typical[other] - ink).sum()) != colour
    ]
    # Where routes meet, the more so where they strayed, one or a place covers the other.
    assert len(wrong) <= 0.02 * sum(map(len, inks.values()))


def test_any_board_file_will_do() -> None:
    small = parse_board("""{
        "id": "toy", "title": "Toy", "size_mm": [300, 410.5],
        "places": [{"id": "a", "name": "A", "xy_mm": [60, 60]},
                   {"id": "b", "name": "Longer name", "xy_mm": [299, 1]}],
        "routes": [{
            "id": "a--b", "a": "a", "b": "b", "length": 1, "colour": "turquoise",
            "spaces": [{"xy_mm": [100, 100], "angle_deg": 300, "size_mm": [20, 8]}]
        }]
    }""")
    assert draw_board(small).shape == (821, 600, 3)
    assert render(small, {"a--b": "white"}, CameraSetup((400, 300))).picture.shape == (300, 400, 3)


def test_a_board_that_was_not_measured_cannot_be_drawn() -> None:
    with pytest.raises(SceneError, match="board 'philly' was not measured"):
        draw_board(load_board("philly"))


def test_tunnels_and_ferries_are_printed_as_such() -> None:
    """The same board without them differs around the tunnels and on the ferries' first spaces."""
    europe = load_board("europe")
    plain = msgspec.structs.replace(
        europe,
        routes=tuple(
            msgspec.structs.replace(route, tunnel=False, ferry_locomotives=0)
            for route in europe.routes
        ),
    )
    special, same = (draw_copy(board, Copy(), 2.0).astype(int) for board in (europe, plain))
    changed = np.abs(special - same).max(axis=2) > 30
    tunnels = ferries = 0
    for route in europe.routes:
        for number, space in enumerate(route.spaces):
            x, y = (round(2 * mm) for mm in space.xy_mm)
            rim = changed[y - 40 : y + 41, x - 40 : x + 41].mean()
            inside = changed[y - 6 : y + 7, x - 6 : x + 7].mean()
            if route.tunnel:
                tunnels += 1
                assert rim > 0.01, route.id
            elif number < route.ferry_locomotives:
                ferries += 1
                assert inside > 0.2, route.id
            else:
                assert inside == 0, route.id
    assert (tunnels, ferries) == (
        sum(route.length for route in europe.routes if route.tunnel),
        sum(route.ferry_locomotives for route in europe.routes),
    )


def test_a_site_has_both_its_colours() -> None:
    board = parse_board("""{
        "id": "toy", "title": "Toy", "size_mm": [300, 300],
        "places": [{"id": "a", "name": "A", "xy_mm": [60, 60]},
                   {"id": "b", "name": "B", "xy_mm": [200, 200]}],
        "routes": [{
            "id": "a--b", "a": "a", "b": "b", "length": 1, "colour": "grey",
            "spaces": [{"xy_mm": [130, 130], "angle_deg": 45, "size_mm": [26, 9]}]
        }],
        "sites": [{"id": "s", "name": "S", "station": "a", "colours": ["red", "blue"],
                   "space": {"xy_mm": [60, 120], "angle_deg": 0, "size_mm": [26, 9]}}]
    }""")
    drawing = draw_board(board)
    assert drawing[240, 108].tolist() == list(printed_ink("red"))
    assert drawing[240, 132].tolist() == list(printed_ink("blue"))
