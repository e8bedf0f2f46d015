"""Which routes show their print, told by their colours alone."""

import cv2
import numpy as np
import pytest
from railspotter.scoring.board import load_board
from railspotter.vision.colours.print_inks import bare_routes
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.printed.printed_board import PrintedBoard

USA = load_board("usa")
# An edition's own inks, BGR: none is as another edition has it, and its green is nearly grey.
INKS = {
    "grey": (120, 130, 150),
    "white": (240, 225, 200),
    "black": (90, 40, 60),
    "red": (120, 90, 200),
    "orange": (90, 150, 200),
    "yellow": (150, 220, 230),
    "green": (120, 140, 130),
    "blue": (150, 90, 60),
    "pink": (200, 150, 220),
}
TRAINS = {
    "red": (40, 40, 190),
    "blue": (170, 90, 30),
    "black": (35, 30, 30),
    "yellow": (30, 200, 235),
}


@pytest.mark.parametrize("share", [0.0, 0.2, 0.6])
def test_an_ink_is_on_one_printed_colour_and_trains_are_on_all(share: float) -> None:
    rng = np.random.default_rng(5)
    trains = list(TRAINS.values())
    is_covered = rng.random(len(USA.routes)) < share
    picture = np.full((525, 795, 3), (100, 160, 170), np.uint8)
    for route, covered in zip(USA.routes, is_covered, strict=True):
        tone = trains[rng.integers(len(trains))] if covered else INKS[route.colour]
        for space in route.spaces:
            box = cv2.boxPoints((space.xy_mm, space.size_mm, space.angle_deg))
            cv2.fillConvexPoly(picture, np.asarray(box.round(), np.int32), tone)
    noisy = np.clip(picture + rng.normal(0, 6, picture.shape), 0, 255).astype(np.uint8)
    printed = PrintedBoard(USA, noisy, 1.0)
    bare = bare_routes(printed, plastic("usa"))
    assert np.mean(bare == ~is_covered) > 0.95
