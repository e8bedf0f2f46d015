"""A reference with trains on it is noticed."""

from __future__ import annotations

from pathlib import Path

import drawn
import numpy as np
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.pose import Pose, rectify
from railspotter.calibration.profiles.reference import make_profile
from railspotter.table.photo_file import load_photo
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.watching.emptiness import covered_routes


def test_a_drawn_empty_board_is_empty() -> None:
    assert covered_routes(PrintedBoard.of(drawn.usa(), drawn.profile())) == ()


def test_trains_on_plain_routes_are_seen() -> None:
    frame = drawn.game()
    pose = Pose(
        homography_from_corners(frame.corners_px, drawn.usa().size_mm),
        np.zeros((1, 1, 2)),
        drawn.usa().size_mm,
        0,
        1.0,
    )
    seen = PrintedBoard(drawn.usa(), rectify(frame.picture, pose, 2.0), 2.0)
    covered = covered_routes(seen)
    plain = {
        route.id
        for route in drawn.usa().routes
        if route.colour in ("grey", "white") and drawn.CLAIMS.get(route.id, "black") != "black"
    }
    assert set(covered) <= plain
    assert len(covered) >= len(plain) - 1


def test_real_boards_empty_and_played(photos: Path) -> None:
    corners = [[0, 0], [1499, 0], [1499, 989], [0, 989]]
    blank = load_photo(photos / "usa" / "blank_rectified_1500x990.jpg")
    profile = make_profile(blank, drawn.usa(), corners, "x", "")
    assert covered_routes(PrintedBoard.of(drawn.usa(), profile)) == ()

    played = load_photo(photos / "usa" / "IMG_4066_1008.jpg")
    corners_px = [[77.1, 56.6], [945.1, 50.8], [976.4, 642.8], [57.5, 652.4]]
    profile = make_profile(played, drawn.usa(), corners_px, "x", "")
    assert len(covered_routes(PrintedBoard.of(drawn.usa(), profile))) >= 20
