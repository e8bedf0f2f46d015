"""A wide camera: its board found in one picture, and the lens in it."""

from __future__ import annotations

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.pose import Pose
from railspotter.simulation.virtual_board import CameraSetup

SIZE_WH = (1200, 900)
K1, K2 = -0.2, 0.03
FOCAL_PX = 560.0
SPACES = np.array([space.xy_mm for route in drawn.usa().routes for space in route.spaces])


def wide(tilt_deg: float, heading_deg: float, distance_mm: float) -> CameraSetup:
    """A view through the one camera, as wide as a phone's .5x lens: it has one focal length."""
    any_view = CameraSetup(SIZE_WH, tilt_deg, heading_deg, 0.0, distance_mm, 0.9, K1, K2)
    filling_px = any_view.projection(drawn.usa().size_mm).lens.focal_px
    return replace(any_view, fill=0.9 * FOCAL_PX / filling_px)


def off_mm(pose: Pose, view: CameraSetup) -> float:
    """How far the worst space is off."""
    projection = view.projection(drawn.usa().size_mm)
    return float(np.hypot(*(projection.board_points(pose.seen_at(SPACES)) - SPACES).T).max())


@pytest.mark.parametrize(
    "view", [wide(25, 100, 700), wide(25, 230, 700)], ids=["from the right", "from behind"]
)
def test_the_board_is_found_through_a_wide_lens(view: CameraSetup) -> None:
    pose = find_board(drawn.game(view).picture, drawn.profile())
    assert isinstance(pose, Pose), pose
    assert pose.lens is not None
    assert off_mm(pose, view) < 0.6
