"""Poses of several frames: what most say, or the reason why nobody knows."""

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.calibration.finding.ways import MOVED, RESTLESS, agreed_pose, nearest_pose
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.pose import NotFound, Pose
from railspotter.scoring.sentence import Sentence

SIZE = drawn.usa().size_mm
CORNERS = np.array([(100.0, 90), (900, 110), (930, 640), (80, 620)])


def pose(dx_mm: float = 0.0, corner_mm: float = 0.0, lens: Lens | None = None) -> Pose:
    """A pose that is moved along, or off at one corner; a millimetre is about a pixel here."""
    corners = CORNERS + np.array((dx_mm, 0.0))
    corners[2] += corner_mm
    homography = homography_from_corners(corners, SIZE)
    return Pose(homography, np.zeros((6, 9, 2)), SIZE, 100, 0.8, lens)


def noisy(seed: int, sigma_px: float = 0.2) -> Pose:
    corners = CORNERS + np.random.default_rng(seed).normal(0, sigma_px, (4, 2))
    return Pose(homography_from_corners(corners, SIZE), np.zeros((6, 9, 2)), SIZE, 100, 0.8)


def test_one_pose_agrees_with_itself() -> None:
    alone = pose()
    assert agreed_pose([alone]) is alone


def test_none_is_not_found() -> None:
    assert not agreed_pose([])


def test_many_are_better_than_one() -> None:
    poses = [noisy(seed) for seed in range(9)]
    agreed = agreed_pose(poses)
    assert isinstance(agreed, Pose)
    off = np.hypot(*(agreed.corners_px - CORNERS).T).max()
    each = [np.hypot(*(one.corners_px - CORNERS).T).max() for one in poses]
    assert off < np.median(each)
    assert (agreed.inliers, agreed.agreement) == (100, 0.8)


def test_those_that_are_off_are_dropped() -> None:
    poses = [noisy(0), pose(30), noisy(1), pose(0, 25), noisy(2), noisy(3)]
    agreed = agreed_pose(poses)
    assert isinstance(agreed, Pose)
    assert np.hypot(*(agreed.corners_px - CORNERS).T).max() < 0.5
    assert nearest_pose(agreed, poses) in (0, 2, 4, 5)


def test_the_lens_of_the_nearest_is_kept() -> None:
    lens = Lens((1000, 750), (-0.1, 0.0, 0.0))
    poses = [pose(dx, lens=lens) for dx in (0.0, 0.4, -0.3)]
    agreed = agreed_pose(poses)
    assert isinstance(agreed, Pose)
    assert agreed.lens == lens
    assert agreed.corners_px == pytest.approx(poses[0].corners_px, abs=0.5)


def test_the_bend_is_the_median_too() -> None:
    bends = [np.full((6, 9, 2), value) for value in (0.1, 0.2, 0.9)]
    agreed = agreed_pose([replace(noisy(i), bend_mm=bend) for i, bend in enumerate(bends)])
    assert isinstance(agreed, Pose)
    assert agreed.bend_mm == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("poses", "reason"),
    [
        pytest.param([pose()] * 3 + [pose(15)] * 3, MOVED, id="pushed half-way"),
        pytest.param([pose(), pose(10)], MOVED, id="two that differ"),
        pytest.param(
            [pose(0), pose(12), pose(1), pose(-14), pose(25)], RESTLESS, id="somebody leans over"
        ),
        pytest.param([pose(0), pose(9)] * 3, RESTLESS, id="to and fro"),
    ],
)
def test_the_reason_when_they_do_not_agree(poses: list[Pose], reason: str) -> None:
    assert agreed_pose(poses) == NotFound(Sentence(reason))
