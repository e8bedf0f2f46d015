"""The camera's place, against the camera that took the picture."""

import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Points
from railspotter.calibration.pose import USUAL_FOCAL_LENGTH, Viewpoint, viewpoint
from railspotter.simulation.virtual_board.camera import CameraSetup

SIZE_MM = drawn.usa().size_mm


def camera(view: CameraSetup) -> tuple[Points, Viewpoint]:
    """Where the camera is, and where its picture says that it is."""
    scene = view.projection(SIZE_MM).frame_from_scene
    return (
        np.asarray(np.linalg.solve(scene[:, :3], -scene[:, 3]), np.float64),
        viewpoint(scene[:, [0, 1, 3]], view.size_wh),
    )


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(CameraSetup(tilt_deg=25), id="over the near edge"),
        pytest.param(CameraSetup(tilt_deg=35, heading_deg=20), id="over a corner"),
        pytest.param(
            CameraSetup(tilt_deg=30, heading_deg=-100, roll_deg=90), id="from the left, on its side"
        ),
        pytest.param(CameraSetup(tilt_deg=30, heading_deg=200, fill=0.7), id="from behind"),
        pytest.param(CameraSetup((800, 600), tilt_deg=50, distance_mm=1500), id="flat"),
    ],
)
def test_a_tilted_camera_is_found(view: CameraSetup) -> None:
    true, seen = camera(view)
    error = np.array([seen.x_mm, seen.y_mm, seen.height_mm]) - true
    assert np.linalg.norm(error) < 0.04 * np.linalg.norm(true)


def test_from_straight_above_the_usual_focal_length_is_taken() -> None:
    view = CameraSetup((1200, 900), tilt_deg=0)
    true, seen = camera(view)
    assert np.allclose((seen.x_mm, seen.y_mm), true[:2], atol=1.0)
    px_per_mm = view.projection(SIZE_MM).frame_from_scene[0, 0] / true[2]
    assert seen.height_mm == pytest.approx(USUAL_FOCAL_LENGTH * 1200 / px_per_mm, rel=0.02)


def test_things_lean_as_in_the_picture() -> None:
    view = CameraSetup(tilt_deg=30, heading_deg=40)
    scene = view.projection(SIZE_MM).frame_from_scene
    _, seen = camera(view)
    points = np.array([(100.0, 80.0), (700.0, 90.0), (400.0, 480.0)])
    raised = np.column_stack([points, np.full(3, 9.0), np.ones(3)]) @ scene.T
    on_board = np.column_stack([raised]) @ np.linalg.inv(scene[:, [0, 1, 3]]).T
    true = on_board[:, :2] / on_board[:, 2:] - points
    assert np.abs(seen.lean_mm(points, 9.0) - true).max() < 0.3
    assert np.hypot(*true.T).min() > 2.0


def test_straight_under_the_camera_nothing_leans() -> None:
    assert not Viewpoint(300, 200, 700).lean_mm(np.array([[300.0, 200.0]]), 9.0).any()
