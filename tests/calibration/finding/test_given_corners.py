"""Corners that a person pointed at: the board moves to where its spaces are seen, or stays."""

from dataclasses import replace
from pathlib import Path

import drawn
import numpy as np
import pytest
from msgspec.structs import replace as replaced
from railspotter.calibration.arrays import Picture, Points
from railspotter.calibration.finding.outline_fit import align_at_corners
from railspotter.calibration.geometry import area_px2
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import Board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.photo_file import load_photo

from photos.labelled import load_label

VIEW = CameraSetup((1000, 750), tilt_deg=15, heading_deg=20, fill=0.85)


def roughly(corners_px: Points, seed: int) -> Points:
    """Corners within 1.5 % of a picture 1000 pixels wide."""
    rng = np.random.default_rng(seed)
    way, far = rng.uniform(0, 2 * np.pi, 4), 15 * np.sqrt(rng.uniform(0, 1, 4))
    return np.asarray(corners_px + np.column_stack([np.cos(way), np.sin(way)]) * far[:, None])


def moved(picture: Picture, corners_px: Points, board: Board | None = None) -> Points:
    """Where the board's corners are in the end."""
    board = board or drawn.usa()
    given = Pose.at_corners(np.asarray(corners_px, np.float64), board.size_mm)
    return align_at_corners(picture, given, board).corners_px


def worst_px(corners_px: Points, true_px: Points) -> float:
    return float(np.hypot(*(corners_px - true_px).T).max())


@pytest.mark.parametrize(
    ("view", "most_px"),
    [
        pytest.param(VIEW, 1, id="seen plainly"),
        pytest.param(replace(VIEW, tilt_deg=10, k1=-0.06), 8, id="a lens that nobody knows"),
    ],
)
def test_rough_corners_are_moved_to_where_spaces_are(view: CameraSetup, most_px: float) -> None:
    frame = drawn.empty(view)
    rough = roughly(frame.corners_px, 2)
    assert worst_px(rough, frame.corners_px) > 10
    assert worst_px(moved(frame.picture, rough), frame.corners_px) < most_px


def test_corners_that_are_right_stay_exactly() -> None:
    frame = drawn.empty(VIEW)
    assert worst_px(moved(frame.picture, frame.corners_px), frame.corners_px) < 0.01


@pytest.mark.parametrize("seen", ["no spaces", "no board file with routes"])
def test_where_nothing_tells_corners_stay(seen: str) -> None:
    frame = drawn.empty(VIEW)
    rough = roughly(frame.corners_px, 1)
    if seen == "no spaces":
        after = moved(np.full_like(frame.picture, 128), rough)
    else:
        after = moved(frame.picture, rough, replaced(drawn.usa(), routes=()))
    assert worst_px(after, rough) < 0.01


def test_real_boards(photos: Path) -> None:
    before_mm: list[float] = []
    after_mm: list[float] = []
    for name in ("IMG_4171_1008", "IMG_4066_1008", "IMG_4132_1008"):
        photo = load_label(photos / "usa" / f"{name}.json")
        assert photo is not None
        picture = load_photo(photo.path)
        px_per_mm = np.sqrt(area_px2(photo.corners_px) / np.prod(drawn.usa().size_mm))
        rough = roughly(photo.corners_px, 3)
        for corners, off_mm in ((rough, before_mm), (moved(picture, rough), after_mm)):
            off_mm += (np.hypot(*(corners - photo.corners_px).T) / px_per_mm).tolist()
    assert max(after_mm) < 8.0, "the labels are some 2 mm off, some 5"
    assert np.mean(after_mm) < 0.5 * np.mean(before_mm)
