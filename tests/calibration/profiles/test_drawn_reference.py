"""The stand-in for a photo of the empty board: spaces in their places and colours, and no art."""

import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.profiles.drawn_reference import (
    GROUND_CELL_MM,
    PrintedColours,
    draw_reference,
    measure_colours,
)
from railspotter.scoring.board import load_board

SOMEWHERE = {route.id: (0.0, 0.0) for route in drawn.usa().routes}


@pytest.fixture(scope="module")
def colours() -> PrintedColours:
    return measure_colours(drawn.drawing(), 2.0, drawn.usa(), SOMEWHERE)


@pytest.fixture(scope="module")
def stand_in(colours: PrintedColours) -> Picture:
    return draw_reference(colours, 2.0, drawn.usa(), SOMEWHERE)


def test_it_is_as_large_as_a_photographed_reference(stand_in: Picture) -> None:
    assert stand_in.shape == drawn.profile().reference.shape


def test_every_space_has_its_prints_colour(stand_in: Picture) -> None:
    """A quarter along, where no symbol is."""
    off = []
    for route in drawn.usa().routes:
        for space in route.spaces:
            angle = np.deg2rad(space.angle_deg)
            aside = space.size_mm[0] / 4 * np.array([np.cos(angle), np.sin(angle)])
            column, row = ((np.array(space.xy_mm) + aside) * 2).astype(int)
            off.append(np.abs(stand_in[row, column].astype(int) - drawn.drawing()[row, column]))
    assert np.percentile(np.max(off, axis=1), 90) < 30


def test_a_print_elsewhere_is_drawn_elsewhere(colours: PrintedColours) -> None:
    route = drawn.usa().route_by_id["helena--seattle"]
    moved = draw_reference(colours, 2.0, drawn.usa(), {route.id: (0.0, 20.0)})
    x, y = route.spaces[2].xy_mm
    there = moved[int(2 * (y + 20)), int(2 * x)].astype(int)
    ink = colours.inks[route.colour][-1].astype(int)
    assert np.abs(there - ink).max() < 10
    assert np.abs(moved[int(2 * y), int(2 * x)].astype(int) - ink).max() > 30


def test_nothing_smaller_than_a_cell_is_kept_of_the_ground(colours: PrintedColours) -> None:
    """What lies between the routes is a grid of some hundred colours, and leaves no edges."""
    assert colours.ground.shape == (525 / GROUND_CELL_MM, 32, 3)
    size_mm, none = load_board("newyork").size_mm, np.zeros((842, 600, 3), np.uint8)
    of_small = measure_colours(none, 2.0, load_board("newyork"), {}).ground
    assert of_small.shape == (17, 12, 3), f"cells are as large on a board of {size_mm}"
    busy = drawn.drawing().copy()
    busy[::2] = 0
    ground = measure_colours(busy, 2.0, drawn.usa(), SOMEWHERE).ground.astype(int)
    inner = ground[3:-3, 3:-3]
    assert np.abs(np.diff(inner, axis=0)).max() < 40
