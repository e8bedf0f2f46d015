"""The virtual board's camera against projections worked out another way."""

from dataclasses import replace

import cv2
import drawn
import numpy as np
import pytest
from railspotter.scoring.board import Board, load_board
from railspotter.simulation.arrays import Points
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.scene import BoardShift, Scene
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame, VirtualCamera

VIEWS = {
    "from above": CameraSetup((640, 480), tilt_deg=0),
    "from the chair": CameraSetup((800, 600), tilt_deg=30),
    "from the left, camera turned": CameraSetup(
        (800, 600), tilt_deg=20, heading_deg=-90, roll_deg=35
    ),
    "upside down, near": CameraSetup((720, 720), tilt_deg=10, heading_deg=180, distance_mm=700),
    "partly out of the picture": CameraSetup((640, 360), tilt_deg=40, heading_deg=60, fill=1.4),
    "flat": CameraSetup((640, 480), tilt_deg=75, distance_mm=1500),
}
LENSES = {
    "a pinhole": {},
    "a webcam": {"k1": -0.1, "k2": 0.01},
    "a wide angle": {"k1": -0.28, "k2": 0.08},
    "a pincushion": {"k1": 0.15},
}

any_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
any_lens = pytest.mark.parametrize("lens", LENSES.values(), ids=LENSES.keys())


@pytest.fixture(scope="module")
def usa() -> Board:
    return load_board("usa")


def eye(view: CameraSetup, board: Board) -> Points:
    """Where the camera is, from the words of `CameraSetup` alone."""
    tilt, heading = np.deg2rad([view.tilt_deg, view.heading_deg])
    aside = view.distance_mm * np.sin(tilt) * np.array([np.sin(heading), np.cos(heading)])
    middle = np.array(board.size_mm) / 2
    return np.array([*(middle + aside), view.distance_mm * np.cos(tilt)])


def projected(view: CameraSetup, board: Board, points: Points, focal_px: float) -> Points:
    """The points' pixels by OpenCV's model of a camera, which looks along its z, y down."""
    right_handed = np.array([1.0, 1.0, -1.0])
    lens = eye(view, board) * right_handed
    ahead = np.array([*(np.array(board.size_mm) / 2), 0.0]) - lens
    ahead /= np.linalg.norm(ahead)
    heading, roll = np.deg2rad([view.heading_deg, view.roll_deg])
    nearer = np.array([np.sin(heading), np.cos(heading), 0.0])
    down = nearer - ahead * (nearer @ ahead)
    down /= np.linalg.norm(down)
    right = np.cross(down, ahead)
    upright = np.array([right, down, ahead])
    turn = np.array([(np.cos(roll), -np.sin(roll), 0), (np.sin(roll), np.cos(roll), 0), (0, 0, 1)])
    rotation = turn @ upright
    width, height = view.size_wh
    sensor = np.array([(focal_px, 0, width / 2 - 0.5), (0, focal_px, height / 2 - 0.5), (0, 0, 1)])
    bending = np.array([view.k1, view.k2, 0.0, 0.0])
    seen, _ = cv2.projectPoints(
        points * right_handed, cv2.Rodrigues(rotation)[0], -rotation @ lens, sensor, bending
    )
    return np.asarray(seen[:, 0], np.float64)


@any_lens
@any_view
def test_projects_as_opencv_does(usa: Board, view: CameraSetup, lens: dict[str, float]) -> None:
    view = replace(view, **lens)  # type: ignore[arg-type]
    projection = view.projection(usa.size_mm)
    x, y, z = np.meshgrid(*(np.linspace(0, side, 6) for side in (*usa.size_mm, 60.0)))
    points = np.column_stack([x.ravel(), y.ravel(), z.ravel()])
    expected = projected(view, usa, points, projection.lens.focal_px)
    inside = ((expected > 0) & (expected < view.size_wh)).all(axis=1)
    assert inside.sum() > 60
    assert np.allclose(projection.project(points)[inside], expected[inside], atol=1e-6)
    assert np.allclose(projection.eye, eye(view, usa))


@any_lens
@any_view
def test_tells_what_of_the_board_a_pixel_shows(
    usa: Board, view: CameraSetup, lens: dict[str, float]
) -> None:
    projection = replace(view, **lens).projection(usa.size_mm)  # type: ignore[arg-type]
    points = np.random.default_rng(1).uniform((0, 0), usa.size_mm, (50, 2))
    seen = projection.project(np.column_stack([points, np.zeros(50)]))
    assert np.allclose(projection.board_points(seen), points, atol=0.01)


@pytest.mark.parametrize(
    "view",
    [*VIEWS.values(), *(replace(VIEWS["from the chair"], **lens) for lens in LENSES.values())],  # type: ignore[arg-type]
    ids=[*VIEWS, *LENSES],
)
def test_the_board_is_drawn_where_the_projection_says(usa: Board, view: CameraSetup) -> None:
    """The picture, sampled back through the projection, is the drawing."""
    frame = drawn.render(usa, {}, replace(view, fill=min(view.fill, 0.95)))
    assert offset_mm(frame) < 0.1


def offset_mm(frame: RenderedFrame) -> float:
    """How far, on the board, the picture is from where the projection has it."""
    drawing = drawn.drawing()
    y, x = np.mgrid[: drawing.shape[0], : drawing.shape[1]] / 2 + 0.25
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    at = frame.projection.project(points).astype(np.float32).reshape(*x.shape, 2)
    back = cv2.remap(frame.picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    seen, printed = (
        cv2.cvtColor(one, cv2.COLOR_BGR2GRAY).astype(np.float64) for one in (back, drawing)
    )
    window = cv2.createHanningWindow((seen.shape[1], seen.shape[0]), cv2.CV_64F)
    offset_px, _ = cv2.phaseCorrelate(printed, seen, window)
    return float(np.abs(offset_px).max() / 2)


def test_a_nudged_board_is_where_it_was_nudged_to(usa: Board) -> None:
    camera = VirtualCamera(usa, view=CameraSetup((800, 600), tilt_deg=25, heading_deg=10))
    still, moved = (
        camera.take(Scene(shift=shift))
        for shift in (BoardShift(), BoardShift(30.0, -20.0, turn_deg=10.0))
    )
    middle = np.array(usa.size_mm) / 2
    points = np.array([(100.0, 100.0), (700.0, 80.0), (350.0, 420.0)])
    angle = np.deg2rad(10.0)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    there = (points - middle) @ turn.T + middle + (30.0, -20.0)
    assert np.allclose(
        moved.projection.project(np.column_stack([points, np.zeros(3)])),
        still.projection.project(np.column_stack([there, np.zeros(3)])),
    )
    assert offset_mm(moved) < 0.1
