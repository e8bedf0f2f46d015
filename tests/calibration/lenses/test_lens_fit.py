"""Lenses fitted to points of the board, against lenses that have laws of their own."""

from collections.abc import Callable

import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Points
from railspotter.calibration.finding.lens_choice import pose_with_lens
from railspotter.calibration.geometry import homography_between, outline_mm, project
from railspotter.calibration.lenses.lens import Lens, no_lens
from railspotter.calibration.lenses.lens_fit import Sighting, fit_lens, search_lens
from railspotter.calibration.pose import Pose
from railspotter.simulation.virtual_board.camera import CameraSetup

SIZE_MM = drawn.usa().size_mm
SIZE_WH = (1600, 1200)
GRID = np.stack(np.meshgrid(np.linspace(5, 790, 24), np.linspace(5, 520, 16)), -1).reshape(-1, 2)
TOLERANCE = 4.0

# Where a ray arrives by the tangent of its angle.
LAWS: dict[str, Callable[[Points], Points]] = {
    "equidistant": np.arctan,
    "stereographic": lambda tangent: 2 * np.tan(np.arctan(tangent) / 2),
    "equisolid": lambda tangent: 2 * np.sin(np.arctan(tangent) / 2),
    "webcam": lambda tangent: tangent * (1 - 0.1 * tangent**2),
    "pincushion": lambda tangent: tangent * (1 + 0.05 * tangent**2),
}
VIEWS = (
    CameraSetup(SIZE_WH, tilt_deg=5, distance_mm=600),
    CameraSetup(SIZE_WH, tilt_deg=30, heading_deg=60, roll_deg=20, distance_mm=650),
    CameraSetup(SIZE_WH, tilt_deg=45, heading_deg=200, roll_deg=180, distance_mm=800),
)


def seen_through(
    law: Callable[[Points], Points], view: CameraSetup, at_mm: Points = GRID, focal_px: float = 0.0
) -> Points:
    """Where points of the board are in a picture, which it fills unless a focal length is given."""
    projection = view.projection(SIZE_MM)

    def bent(points: Points) -> Points:
        pinhole = project(projection.frame_from_scene[:, [0, 1, 3]], points)
        off = (pinhole - projection.lens.centre_px) / projection.lens.focal_px
        tangent = np.hypot(*off.T)
        return np.asarray(off * (law(tangent) / tangent)[:, None])

    filling_px = 0.47 / np.abs(bent(outline_mm(SIZE_MM)) / SIZE_WH).max()
    return np.asarray(bent(at_mm) * (focal_px or filling_px) + np.array(SIZE_WH) / 2 - 0.5)


def off_mm(lens: Lens, frame_from_board: Points, true_px: Points) -> float:
    """How far the worst point of the grid is off, on the board."""
    at_mm = project(np.linalg.inv(frame_from_board), lens.straightened(true_px))
    return float(np.hypot(*(at_mm - GRID).T).max())


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("view", range(len(VIEWS)))
def test_one_picture_tells_its_lens(law: str, view: int) -> None:
    seen = seen_through(LAWS[law], VIEWS[view])
    fit = search_lens(GRID, seen, SIZE_WH, TOLERANCE)
    assert fit is not None
    assert off_mm(fit.lens, fit.frame_from_board[0], seen) < 0.1


@pytest.mark.parametrize("law", ["equidistant", "webcam"])
def test_several_pictures_have_one_lens(law: str) -> None:
    rng = np.random.default_rng(1)
    sightings = []
    true = [seen_through(LAWS[law], view, focal_px=700.0) for view in VIEWS]
    for exact in true:
        seen = exact + rng.normal(0, 0.5, GRID.shape)
        found = homography_between(GRID, seen, 30.0)
        assert found is not None
        sightings.append(Sighting(GRID, seen, found[0]))
    fit = fit_lens(sightings, no_lens(SIZE_WH), (60.0, 20.0, TOLERANCE))
    assert fit.lens.views == 3
    for homography, exact in zip(fit.frame_from_board, true, strict=True):
        assert off_mm(fit.lens, homography, exact) < 0.8


def test_wrong_pairs_do_not_matter() -> None:
    rng = np.random.default_rng(2)
    true = seen_through(LAWS["equidistant"], VIEWS[1])
    seen = true.copy()
    wrong = rng.random(len(seen)) < 0.4
    seen[wrong] = rng.uniform((0, 0), SIZE_WH, (np.count_nonzero(wrong), 2))
    fit = search_lens(GRID, seen, SIZE_WH, TOLERANCE)
    assert fit is not None
    assert off_mm(fit.lens, fit.frame_from_board[0], true) < 0.7


def test_a_lens_that_is_known_stays_as_it_is() -> None:
    known = Lens(SIZE_WH, (-0.1, 0.0, 0.2), views=5)
    seen = known.bent(seen_through(lambda tangent: tangent, VIEWS[0]))
    found = homography_between(GRID, known.straightened(seen), TOLERANCE)
    assert found is not None
    fit = fit_lens([Sighting(GRID, seen, found[0])], known, (TOLERANCE,), is_free=False)
    assert fit.lens.bending == known.bending
    assert fit.off_px[0].max() < 0.1


def chosen(seen: Points) -> Pose | None:
    """The pose of these points through a lens, if they ask for one."""
    found = homography_between(GRID, seen, TOLERANCE)
    assert found is not None
    straight = Pose(found[0], np.zeros((1, 1, 2)), SIZE_MM, int(found[1].sum()), 0.0)
    return pose_with_lens(straight, GRID, seen, SIZE_WH, TOLERANCE)


def test_a_wide_picture_gets_a_lens() -> None:
    pose = chosen(seen_through(LAWS["equidistant"], VIEWS[1]))
    assert pose is not None
    assert pose.lens is not None


@pytest.mark.parametrize("view", range(len(VIEWS)))
def test_a_fold_gets_none(view: int) -> None:
    """A board that stands up 3 mm along its fold is no lens' work."""
    fold_mm = 3 * np.exp(-(((GRID[:, 0] - 400) / 60) ** 2))
    at_mm = GRID + np.column_stack([np.zeros(len(GRID)), fold_mm])
    assert chosen(seen_through(lambda tangent: tangent, VIEWS[view], at_mm)) is None


def test_pairs_of_nothing_have_no_lens() -> None:
    assert search_lens(GRID[:3], GRID[:3], SIZE_WH, TOLERANCE) is None
