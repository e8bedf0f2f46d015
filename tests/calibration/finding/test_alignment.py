"""Alignment: a pose that is off comes right, a bend is measured, a picture of nothing helps not."""

from dataclasses import replace

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.finding.alignment import align
from railspotter.calibration.pose import Pose, rectifying_maps

NO_BEND = np.zeros((1, 1, 2))


def pose_off_by(board_from_board: list[tuple[float, float, float]]) -> Pose:
    wrong = drawn.game().frame_from_board @ np.array(board_from_board)
    return Pose(wrong, NO_BEND, drawn.usa().size_mm, inliers=0, agreement=0.0)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param([(1, 0, 0), (0, 1, 0), (0, 0, 1)], id="right already"),
        pytest.param([(1, 0, 4), (0, 1, -3), (0, 0, 1)], id="5 mm aside"),
        pytest.param([(1.006, 0.003, 1), (-0.004, 0.995, 2), (3e-6, -4e-6, 1)], id="8 mm tilted"),
    ],
)
def test_comes_right_to_a_third_of_a_millimetre(wrong: list[tuple[float, float, float]]) -> None:
    frame, profile = drawn.game(), drawn.profile()
    pose = align(frame.picture, pose_off_by(wrong), profile.reference, profile.px_per_mm).pose
    assert drawn.corner_error_mm(frame.frame_from_board, pose.corners_px).max() < 0.33
    assert np.abs(pose.bend_mm).max() < 0.33
    assert pose.agreement > 0.7


def test_follows_a_fold() -> None:
    """What lies near a fold is seen up to 2 mm beside its place."""
    reference = drawn.profile().reference
    width, height = drawn.usa().size_mm
    board_px = np.array([(2, 0, -0.5), (0, 2, -0.5), (0, 0, 1)])
    flat = Pose(board_px, NO_BEND, (width, height), 0, 0.0)
    x, y = rectifying_maps(flat, 2.0)
    fold_px = 4 * np.exp(-(((x / 2 - width / 2) / 130) ** 2))
    frame = np.asarray(cv2.remap(reference, x - fold_px, y, cv2.INTER_LINEAR), np.uint8)
    pose = align(frame, flat, reference, 2.0).pose
    seen_x, seen_y = rectifying_maps(pose, 2.0)
    off_mm = np.hypot(seen_x - (x + fold_px), seen_y - y) / 2
    assert off_mm.max() < 0.5
    stiff_x, _ = rectifying_maps(replace(pose, bend_mm=NO_BEND), 2.0)
    assert np.abs(stiff_x - (x + fold_px)).max() / 2 > 1.0


def test_sees_no_print_in_a_picture_of_something_else() -> None:
    profile = drawn.profile()
    pose = pose_off_by([(1, 0, 1), (0, 1, 1), (0, 0, 1)])
    result = align(drawn.texture((900, 1200)), pose, profile.reference, profile.px_per_mm).pose
    assert result.agreement < 0.1
    assert np.array_equal(result.frame_from_board, pose.frame_from_board)
