"""What looks like a station belongs to a city: near, along its routes, one a city."""

from dataclasses import replace
from functools import cache

import numpy as np
from railspotter.calibration.arrays import Float64s
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.look.station_net import (
    PLANES,
    WINDOW_PX,
    ground_in,
    ground_of,
    planes,
    see_ground,
)
from railspotter.vision.look.stations import (
    REACH_MM,
    Houses,
    assignment_shares,
    patches_of_colour,
    places_in,
)
from railspotter.vision.printed.printed_board import PrintedBoard

EUROPE = load_board("europe")
RED = TrainColour("red", (45.0, 60.0, 40.0), 11.0)
BLUE = TrainColour("blue", (40.0, -5.0, -45.0), 11.0)


@cache
def printed() -> PrintedBoard:
    """A drawn print: only where places and spaces are counts here."""
    return PrintedBoard(EUROPE, draw_board(EUROPE, 1.5), 1.5)


def middle_of(place: str) -> Float64s:
    return np.array(EUROPE.place_by_id[place].xy_mm)


def belonging(*at_mm: Float64s, odds: float = 6.0) -> list[dict[str, float]]:
    """How probable it is that each of some stations is each place's; what is unlikely is left."""
    feet = np.array(at_mm)
    houses = Houses(feet, np.full((len(feet), 1), odds, np.float32))
    return [
        {place.id: float(p) for place, p in zip(EUROPE.places, row, strict=True) if p > 0.05}
        for row in assignment_shares(printed(), houses)
    ]


def test_a_station_beside_a_city_is_the_city_s() -> None:
    (said,) = belonging(np.add(middle_of("moskva"), (0, 25)))
    assert said["moskva"] > 0.9


def test_what_lies_out_of_reach_is_no_city_s() -> None:
    assert belonging(np.add(middle_of("moskva"), (0, REACH_MM + 1))) == [{}]


def test_of_two_beside_one_city_one_belongs_to_the_next() -> None:
    near, next_ = middle_of("wien"), middle_of("budapest")
    way = (next_ - near) / np.linalg.norm(next_ - near)
    alone = belonging(near + 16 * way)[0]
    assert alone["wien"] > alone["budapest"] > 0.05
    first, second = belonging(near + 16 * way, near - 4 * way)
    assert second["wien"] > 0.8
    assert first["budapest"] > first.get("wien", 0.0)


def test_a_route_that_ends_at_a_city_speaks_for_it() -> None:
    last = EUROPE.route_by_id["berlin--wien"].spaces[-1]
    (on_route,) = belonging(np.array(last.xy_mm))
    assert on_route["wien"] > 0.9


def test_what_is_unlikely_to_stand_belongs_to_nobody() -> None:
    assert belonging(middle_of("moskva"), odds=-5.0) == [{}]


def test_a_drawing_is_given_the_mark_that_the_photo_shows_most_places_with() -> None:
    photo = printed().reference.copy()
    for place in EUROPE.places[:-1]:
        x, y = np.rint(np.array(place.xy_mm) * printed().px_per_mm).astype(int)
        photo[y - 4 : y + 5, x - 4 : x + 5] = (20, 90, 240)
    drawn = replace(printed(), is_drawn=True)
    marked = ground_in(places_in(photo, drawn)).reference
    for place in EUROPE.places:
        x, y = np.array(place.xy_mm).astype(int)
        assert np.abs(marked[y, x] - np.array([20.0, 90.0, 240.0])).max() < 5, place.id
    assert ground_in(places_in(photo, printed())) is ground_of(printed())


def pasted(
    size_mm: tuple[int, int], bgr: tuple[int, int, int] = (52, 49, 176)
) -> tuple[Float64s, ...]:
    """Patches of red on an empty board that shows a red box of this size near Moskva."""
    ground = ground_of(printed())
    photo = ground.reference.copy()
    x, y = np.add(middle_of("moskva"), (0, 20)).astype(int)
    width, height = size_mm
    photo[y - height // 2 : y + height // 2, x - width // 2 : x + width // 2] = bgr
    near = np.ones(photo.shape[:2], bool)
    seen = see_ground(photo, ground, [RED, BLUE])
    patches = patches_of_colour(seen, near)
    red = patches.at_mm[patches.colour == 0]
    fed = planes(seen, red, np.zeros(len(red), np.intp), np.full((len(red), 2), 2.0))
    assert fed.shape == (len(red), PLANES, WINDOW_PX, WINDOW_PX)
    return tuple(red[np.hypot(*(red - np.add(middle_of("moskva"), (0, 20))).T) < 5])


def test_a_patch_as_large_as_a_station_is_looked_at() -> None:
    assert len(pasted((16, 16))) == 1
    assert len(pasted((2, 2))) == 0


def test_one_in_a_shadow_or_amid_its_own_colour_is_looked_at() -> None:
    assert pasted((16, 16), (25, 23, 95)), "half as light as trains in the light are"
    assert pasted((60, 40)), "a wide patch has no peak there"


def test_a_photo_may_have_any_number_of_patches() -> None:
    ground = ground_of(printed())
    seen = see_ground(ground.reference, ground, [RED])
    many = np.tile(middle_of("moskva"), (820, 1))
    fed = planes(seen, many, np.zeros(len(many), np.intp), np.zeros_like(many))
    assert (fed == fed[0]).all()
