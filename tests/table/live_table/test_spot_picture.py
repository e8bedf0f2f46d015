"""Pictures of what is asked about, upright: each pixel lies where the page draws its outlines."""

import cv2
import drawn
import numpy as np
import pytest
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.live_table.pictures import LEAST_MM, WIDTH_PX, area_around, picture_around

ROUTES = ("calgary--helena", "portland--seattle--0", "miami--new-orleans")


@pytest.mark.parametrize("heading_deg", [pytest.param(0, marks=pytest.mark.long), 180])
def test_a_train_lies_where_its_space_is_outlined(heading_deg: int) -> None:
    frame = drawn.game(CameraSetup((1600, 1000), tilt_deg=20, heading_deg=heading_deg))
    pose, board = drawn.found(frame.picture).pose, drawn.usa()
    for name in ROUTES:
        area = area_around(board, Spot("route", name))
        jpeg = picture_around(frame.picture, pose, area)
        shown = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
        height, width = shown.shape[:2]
        assert width <= WIDTH_PX
        left, top, width_mm, height_mm = area
        assert height / width == pytest.approx(height_mm / width_mm, rel=0.02)
        colour = drawn.CLAIMS[name]
        for space in board.route_by_id[name].spaces:
            x = round((space.xy_mm[0] - left) / width_mm * width)
            y = round((space.xy_mm[1] - top) / height_mm * height)
            blue, green, red = shown[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).mean(axis=0)
            seen = "red" if red > 1.5 * blue else "blue" if blue > 1.5 * red else "neither"
            assert seen == colour, (name, blue, green, red)


def test_a_short_route_is_shown_with_its_corner_of_the_board() -> None:
    board = drawn.usa()
    left, top, width, height = area_around(board, Spot("route", "portland--seattle--0"))
    assert (width, height) >= LEAST_MM
    for place in ("portland", "seattle"):
        x, y = board.place_by_id[place].xy_mm
        assert left < x < left + width
        assert top < y < top + height
    assert area_around(board, Spot("station", "denver"))[2:] == LEAST_MM
