"""A wide camera: its board found in one picture, with its lens known or not."""

from __future__ import annotations

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.pose import Pose
from railspotter.simulation.virtual_board import CameraSetup

SIZE_WH = (1200, 900)
K1, K2 = -0.2, 0.03
SPACES = np.array([space.xy_mm for route in drawn.usa().routes for space in route.spaces])

FOCAL_PX = 560.0
LENS = Lens(SIZE_WH, (-0.0953, 0.0136, 0.2653), views=3)
"""The program's own formula, fitted to three pictures of that camera."""


def wide(tilt_deg: float, heading_deg: float, distance_mm: float) -> CameraSetup:
    """A view through the one camera, as wide as a phone's .5x lens: it has one focal length."""
    any_view = CameraSetup(SIZE_WH, tilt_deg, heading_deg, 0.0, distance_mm, 0.9, K1, K2)
    filling_px = any_view.projection(drawn.usa().size_mm).lens.focal_px
    return replace(any_view, fill=0.9 * FOCAL_PX / filling_px)


VIEWS = (wide(8, 0, 600), wide(25, 100, 700), wide(25, 230, 700))


def off_mm(pose: Pose, view: CameraSetup) -> float:
    """How far the worst space is off."""
    projection = view.projection(drawn.usa().size_mm)
    return float(np.hypot(*(projection.board_points(pose.seen_at(SPACES)) - SPACES).T).max())


@pytest.mark.parametrize("view", VIEWS[1:], ids=["from the right", "from behind"])
def test_the_board_is_found_through_a_wide_lens(view: CameraSetup) -> None:
    pose = find_board(drawn.game(view).picture, drawn.profile())
    assert isinstance(pose, Pose), pose
    assert pose.lens is not None
    assert off_mm(pose, view) < 0.6


def test_a_known_lens_is_taken_as_it_is() -> None:
    view = VIEWS[1]
    pose = find_board(drawn.game(view).picture, drawn.profile(), lens=LENS)
    assert isinstance(pose, Pose), pose
    assert pose.lens == LENS
    assert off_mm(pose, view) < 0.6


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(Lens((900, 1200), (0.0, 0.0, 2.0), views=4), id="of another shape"),
        pytest.param(Lens(SIZE_WH, (0.0, 0.0, 0.8), views=4), id="much wider"),
        pytest.param(Lens(SIZE_WH, (0.0, 0.0, 0.15), views=4), id="wider"),
    ],
)
def test_a_lens_of_another_camera_is_given_up(other: Lens) -> None:
    frame = drawn.game()
    pose = find_board(frame.picture, drawn.profile(), lens=other)
    assert isinstance(pose, Pose), pose
    assert pose.lens is None
    assert drawn.corner_error_mm(frame.frame_from_board, pose.corners_px).max() < 1.0
