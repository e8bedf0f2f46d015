"""A camera's lens from photos of the chequered sheet, through lenses that are known."""

from collections.abc import Callable
from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from marker_scenes import SIDES, MarkedBoard, lens_sheet_photos
from railspotter.calibration.arrays import Picture
from railspotter.calibration.geometry import project
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.pose import NotFound
from railspotter.calibration.sheets.lens_sheet import detect_sheet, lens_from_sheets
from railspotter.simulation.virtual_board.camera import Projection
from railspotter.simulation.virtual_board.light import Sensor

SENSOR = Sensor(blur_px=0.5, noise=2.0, jpeg_quality=85)


@cache
def photographed(k1: float, fill: float = 1.3) -> tuple[MarkedBoard, ...]:
    return lens_sheet_photos((960, 720), k1, fill, SENSOR)


def pictures(k1: float, fill: float = 1.3) -> list[Picture]:
    return [shown.picture for shown in photographed(k1, fill)]


def left_px(lens: Lens, projection: Projection) -> float:
    """How far from a pinhole's picture a lens leaves what the camera sees, where sheets were."""
    x, y = np.meshgrid(np.linspace(0, 959, 25), np.linspace(0, 719, 19))
    seen = np.column_stack([x.ravel(), y.ravel()])
    seen = seen[np.hypot(*((seen - lens.centre_px) / lens.half_diagonal_px).T) < 0.7]
    true, straight = projection.lens.undistort(seen), lens.straightened(seen)
    common, _ = cv2.findHomography(true, straight, 0)
    return float(np.hypot(*(project(np.asarray(common, float), true) - straight).T).max())


@pytest.mark.parametrize("k1", [-0.4, 0.15])
def test_the_lens_is_found(k1: float) -> None:
    lens = lens_from_sheets(pictures(k1))
    assert isinstance(lens, Lens), lens
    assert (lens.size_wh, lens.views) == ((960, 720), len(SIDES))
    projection = photographed(k1)[0].projection
    none = left_px(Lens((960, 720), (0.0, 0.0, 0.0)), projection)
    assert left_px(lens, projection) < max(1.5, 0.2 * none)


def test_a_camera_without_a_lens_to_speak_of() -> None:
    lens = lens_from_sheets(pictures(0.0))
    assert isinstance(lens, Lens), lens
    assert lens.bending == (0.0, 0.0, 0.0)


def test_most_corners_are_seen_where_they_are() -> None:
    shown = photographed(-0.4)[1]
    seen = detect_sheet(shown.picture)
    assert seen is not None
    at_mm, at_px = seen
    assert len(at_mm) >= 24
    # The sheet's own corners begin beside the paper's: a shift that is the same for all.
    shift = shown.projection.board_points(at_px) - at_mm
    assert np.hypot(*(shift - np.median(shift, axis=0)).T).max() < 0.5


@pytest.mark.parametrize(
    ("frames", "words"),
    [
        pytest.param(lambda: [drawn.texture()] * 4, "in 0 of 4 photos", id="no sheet"),
        pytest.param(lambda: pictures(-0.4)[:2], "in 2 of 2 photos", id="too few"),
        pytest.param(lambda: pictures(-0.4, 0.45), "go nearer", id="from afar"),
        pytest.param(
            lambda: [*pictures(-0.4), cv2.resize(pictures(-0.4)[0], (640, 480))],
            "different sizes",
            id="two cameras",
        ),
    ],
)
def test_the_reason_says_what_to_photograph(
    frames: Callable[[], list[Picture]], words: str
) -> None:
    result = lens_from_sheets(frames())
    assert isinstance(result, NotFound)
    assert words in result.reason


def test_zooming_in_between_is_seen() -> None:
    mixed = [*pictures(-0.4)[:2], *pictures(0.4)[2:]]
    result = lens_from_sheets(mixed)
    assert isinstance(result, NotFound), "two lenses are not one"
    assert "do not fit one lens" in result.reason
