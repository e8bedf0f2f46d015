"""What is measured in a picture is what was done to it; its remarks say what to change."""

from dataclasses import replace
from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.picture_quality import PictureQuality, measure_picture
from railspotter.calibration.profiles.quality import FINE_PX_PER_MM, Grade, grade_of, judge_picture
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor

FINE = CameraSetup((1800, 1350), tilt_deg=0, distance_mm=1500)


@cache
def photo(view: CameraSetup = FINE, light: Light | None = None) -> tuple[Picture, Pose]:
    frame = drawn.render(drawn.usa(), {}, view, light=light, sensor=Sensor(seed=2))
    frame_from_board = homography_from_corners(frame.corners_px, drawn.usa().size_mm)
    return frame.picture, Pose(frame_from_board, np.zeros((1, 1, 2)), drawn.usa().size_mm, 0, 1.0)


def measured(picture: Picture | None = None, view: CameraSetup = FINE) -> PictureQuality:
    own, pose = photo(view)
    return measure_picture(own if picture is None else picture, pose)


def about(quality: PictureQuality) -> dict[str, Grade]:
    return {remark.about: remark.grade for remark in judge_picture(quality)}


def test_a_good_picture_gets_no_remark() -> None:
    remarks = judge_picture(measured())
    assert (grade_of(remarks), remarks) == (Grade.GOOD, ())
    assert grade_of(remarks).words.startswith("good")


def test_pixels_are_counted_where_they_are_fewest() -> None:
    own = measured()
    corners = photo()[1].corners_px
    assert own.px_per_mm == pytest.approx(np.ptp(corners[:, 0]) / 795, rel=0.02)
    assert min(own.corners_px_per_mm) == pytest.approx(own.px_per_mm, rel=0.03)
    aside = measured(view=replace(FINE, tilt_deg=40))
    # The camera stands below the bottom edge: the far, northern corners are the coarse ones.
    assert max(aside.corners_px_per_mm[:2]) < 0.8 * min(aside.corners_px_per_mm[2:])


@pytest.mark.parametrize("tilt_deg", [0.0, 15.0, 35.0, 50.0])
def test_the_camera_s_angle_is_told(tilt_deg: float) -> None:
    """Roughly: from nearly straight above a far camera and a near one see almost the same."""
    quality = measured(view=replace(FINE, tilt_deg=tilt_deg))
    assert quality.tilt_deg == pytest.approx(tilt_deg, abs=7)


@pytest.mark.parametrize("blur_px", [1.0, 1.5, 2.5, 4.0])
def test_smearing_is_measured_in_millimetres(blur_px: float) -> None:
    """Thin lines look somewhat sharper than edges do: up to a third is told too little."""
    picture, _ = photo()
    own, soft = measured(), measured(np.asarray(cv2.GaussianBlur(picture, (0, 0), blur_px)))
    before, after = own.blur_p90_mm, soft.blur_p90_mm
    assert before is not None
    assert after is not None
    true_mm = np.hypot(blur_px / own.px_per_mm, before)
    assert 0.6 * true_mm < after < 1.2 * true_mm


def test_one_soft_corner_is_named() -> None:
    picture, pose = photo()
    soft = cv2.GaussianBlur(picture, (0, 0), 5)
    column, row = pose.seen_at(np.array([[795 / 3, 525 / 2]]))[0].astype(int)
    mixed = picture.copy()
    mixed[row:, :column] = soft[row:, :column]
    (remark,) = judge_picture(measured(mixed))
    assert remark.about == "sharpness"
    assert "south-west" in remark.words


def test_coarse_pixels_are_not_called_out_of_focus() -> None:
    """Each pixel of a coarse picture is wide, and as sharp as it can be."""
    remarks = about(measured(view=replace(FINE, size_wh=(480, 360))))
    assert remarks["resolution"] < Grade.GOOD
    assert "sharpness" not in remarks


def test_glare_is_found_where_it_is() -> None:
    picture, pose = photo()
    at = pose.seen_at(np.array([[720.0, 60.0]]))[0]
    spot = np.zeros(picture.shape[:2], np.float32)
    cv2.circle(spot, (int(at[0]), int(at[1])), 110, 1.0, -1)
    lamp = np.asarray(cv2.GaussianBlur(spot, (0, 0), 20), np.float32)[..., None]
    shining = np.asarray(picture + (255 - picture) * lamp, np.uint8)
    quality = measured(shining)
    grid = np.array(quality.glare, np.float64)
    assert grid.argmax() == 5  # the first row's last cell
    assert grid[0, 5] > 0.3
    assert grid[2:].max() < 0.02
    (remark,) = judge_picture(quality)
    assert remark.about == "glare"
    assert "north-east" in remark.words


def test_dark_and_overexposed_pictures_are_told_apart() -> None:
    picture, _ = photo()
    dark = about(measured(np.asarray(picture * 0.12, np.uint8)))
    light = judge_picture(measured(np.asarray(255 - (255 - picture) * 0.05, np.uint8)))
    assert dark["light"] is Grade.POOR
    assert any("overexposed" in remark.words for remark in light)
    assert grade_of(light) is Grade.POOR


def test_a_board_that_is_cut_off_is_told() -> None:
    picture, pose = photo()
    shifted = replace(
        pose,
        frame_from_board=np.array([[1, 0, 250], [0, 1, 0], [0, 0, 1]]) @ (pose.frame_from_board),
    )
    quality = measure_picture(picture, shifted)
    assert 0.7 < quality.shown < 0.97
    assert "cut off" in about(quality)


def test_a_picture_of_nothing_is_measured_too() -> None:
    grey = np.full((300, 400, 3), 128, np.uint8)
    quality = measure_picture(grey, photo(replace(FINE, size_wh=(400, 300)))[1])
    assert quality.blur_p90_mm is None
    assert about(quality)["sharpness"] is Grade.POOR


def test_what_is_called_good_is_found() -> None:
    """The coarsest picture that gets no remark about its resolution is one that can be used."""
    view = replace(FINE, size_wh=(1000, 750))
    picture, _ = photo(view)
    pose = find_by_print(picture, drawn.profile())
    assert not isinstance(pose, NotFound)
    quality = measure_picture(picture, pose)
    by = FINE_PX_PER_MM.good / min(quality.corners_px_per_mm)
    coarse = cv2.resize(picture, None, fx=by * 1.02, fy=by * 1.02, interpolation=cv2.INTER_AREA)
    again = find_by_print(np.asarray(coarse, np.uint8), drawn.profile())
    assert not isinstance(again, NotFound)
    assert "resolution" not in about(measure_picture(np.asarray(coarse, np.uint8), again))
