"""A wide camera: its board found in one picture, and the lens in it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import drawn
import numpy as np
import pytest
from examples import every_run
from railspotter.calibration.arrays import Float64s
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.pose import Pose
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.live_calibration.outlines import frame_points_px
from railspotter.table.photo_file import load_photo

from find_boards import WRONG_MM
from hardships.renderings import distort, distort_as_fisheye, distort_radially, lens_maps

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
    "view",
    [
        pytest.param(wide(25, 100, 700), id="from the right"),
        pytest.param(wide(25, 230, 700), id="from behind", marks=pytest.mark.long),
    ],
)
def test_the_board_is_found_through_a_wide_lens(view: CameraSetup) -> None:
    pose = find_by_print(drawn.game(view).picture, drawn.profile())
    assert isinstance(pose, Pose), pose
    assert pose.lens is not None
    assert off_mm(pose, view) < 0.6


LENSES: dict[str, tuple[Callable[[Float64s], Float64s], tuple[float, float]]] = {
    "a weak one": (partial(distort_radially, k=0.05), (0.0, 0.0)),
    "a barrel": (partial(distort_radially, k=0.25), (0.0, 0.0)),
    "off its axis": (partial(distort_radially, k=0.15), (0.1, 0.05)),
    "a pincushion": (partial(distort_radially, k=-0.1), (0.0, 0.0)),
    "a fisheye": (partial(distort_as_fisheye, corner_deg=55.0), (0.0, 0.0)),
}


@pytest.mark.parametrize("lens", every_run("a fisheye", LENSES))
def test_a_board_full_of_trains_is_found_through_a_lens_by_its_fingerprint(
    photos: Path, lens: str
) -> None:
    """A homography of the middle leaves little of what it sees: taken, it was up to 13 mm off."""
    pinhole, aside = LENSES[lens]
    photo, board = load_photo(photos / "usa" / "IMG_4132_1008.jpg"), drawn.usa()
    known = stand_in_profile(board)
    assert known is not None
    plain, pose = (find_by_print(one, known) for one in (photo, distort(photo, pinhole, aside)))
    assert isinstance(plain, Pose) and plain.lens is None  # noqa: PT018
    assert isinstance(pose, Pose), pose
    x, y = np.rint(frame_points_px(pose, SPACES)).astype(int).T
    maps = lens_maps((photo.shape[1], photo.shape[0]), pinhole, aside)
    from_px = np.stack([one[y, x] for one in maps], axis=-1)
    off_mm = np.hypot(*(plain.on_board(from_px) - plain.on_board(frame_points_px(plain, SPACES))).T)
    assert off_mm.max() < WRONG_MM
