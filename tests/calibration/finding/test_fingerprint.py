"""The fingerprints that come with the program: boards found and read in their first photo."""

import json
from functools import cache
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from examples import every_run
from fingerprints import fingerprint_bytes, make_fingerprint
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.finding.fingerprint import (
    Fingerprint,
    load_fingerprint,
    parse_fingerprint,
    shows_print,
    stand_in_of,
    stand_in_profile,
)
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.profile import Profile, board_of_copy
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.photo_file import load_photo

WITH_FINGERPRINT = ("usa", "europe", "newyork")


@cache
def own() -> Fingerprint:
    """The drawn board's."""
    return make_fingerprint(drawn.profile(), drawn.usa(), drawn.profile().features)


def searched(picture: Picture) -> Pose | NotFound:
    profile = stand_in_profile(drawn.usa())
    assert profile is not None
    return find_by_print(picture, profile)


@cache
def stand_in() -> Profile:
    return stand_in_of(own(), drawn.usa())


@pytest.mark.parametrize("name", WITH_FINGERPRINT)
def test_a_fingerprint_lies_on_its_board(name: str) -> None:
    board = load_board(name)
    fingerprint = load_fingerprint(board)
    assert fingerprint is not None
    features = fingerprint.features
    assert len(features) > 1000
    assert features.descriptors.shape == (len(features), 128)
    assert np.all((features.points >= 0) & (features.points <= board.size_mm))
    assert {route.colour for route in board.routes} == {*fingerprint.colours.inks}
    assert np.abs(list(fingerprint.print_offsets_mm.values())).max() <= 7


def test_a_fingerprints_file_holds_it() -> None:
    read = parse_fingerprint(fingerprint_bytes(own(), drawn.usa()), drawn.usa())
    assert np.allclose(read.features.points, own().features.points, atol=1e-3)
    assert np.array_equal(read.features.descriptors, own().features.descriptors)
    assert np.array_equal(read.colours.ground, own().colours.ground)
    for colour, ink in own().colours.inks.items():
        assert np.array_equal(read.colours.inks[colour], ink)
    for route, offset in own().print_offsets_mm.items():
        assert read.print_offsets_mm[route] == pytest.approx(offset, abs=1e-3)


def test_a_board_without_one_has_no_stand_in() -> None:
    board = load_board("philly")
    assert load_fingerprint(board) is None
    assert stand_in_profile(board) is None


def test_numbers_alone_find_the_board_to_a_millimetre() -> None:
    frame = drawn.game()
    pose = find_by_print(frame.picture, stand_in())
    assert not isinstance(pose, NotFound), pose
    assert drawn.corner_error_mm(frame.frame_from_board, pose.corners_px).max() < 1.0


@pytest.mark.parametrize("name", every_run("europe", WITH_FINGERPRINT))
def test_another_board_is_not_taken_for_it(name: str) -> None:
    profile = stand_in_profile(load_board(name))
    assert profile is not None
    assert isinstance(find_by_print(drawn.game().picture, profile), NotFound)


@pytest.mark.parametrize(
    "name",
    every_run("IMG_4181_1008", ("IMG_4048_blank_1008", "IMG_4172_1008", "IMG_4181_1008")),
)
def test_the_outline_of_a_real_empty_board(photos: Path, name: str) -> None:
    label = json.loads((photos / "usa" / f"{name}.json").read_text("utf-8"))
    pose = searched(load_photo(photos / "usa" / f"{name}.jpg"))
    assert not isinstance(pose, NotFound), pose
    true = homography_from_corners(label["corners_px"], drawn.usa().size_mm)
    assert drawn.corner_error_mm(true, pose.corners_px).max() < 1.0


def test_a_larger_copy_shows_its_print(photos: Path) -> None:
    label = json.loads((photos / "usa" / "IMG_4172_1008.json").read_text("utf-8"))
    photo, scale = load_photo(photos / "usa" / "IMG_4172_1008.jpg"), 1.1
    size_mm = board_of_copy(drawn.usa(), scale).size_mm
    pose = Pose.at_corners(np.array(label["corners_px"]), size_mm)
    fingerprint = load_fingerprint(drawn.usa())
    assert fingerprint is not None
    assert shows_print(photo, pose, fingerprint.of_copy(scale))
    assert not shows_print(photo, pose, fingerprint)


def test_new_york_is_found_by_the_print_of_its_scan(photos: Path) -> None:
    """Folded, tilted and in warm light; neither of the other prints is taken for it."""
    scan = load_photo(photos / "newyork" / "scan_534x750.jpg")
    height, width = scan.shape[:2]
    scan[height // 2] = scan[height // 2] // 2 + 100
    size_mm = load_board("newyork").size_mm
    corners = np.array([[310.0, 120.0], [840.0, 60.0], [960.0, 850.0], [190.0, 800.0]])
    true = homography_from_corners(corners, size_mm)
    of_scan = true @ np.diag([size_mm[0] / (width - 1), size_mm[1] / (height - 1), 1.0])
    picture = np.full((900, 1200, 3), 90, np.uint8)
    cv2.warpPerspective(scan, of_scan, (1200, 900), picture, borderMode=cv2.BORDER_TRANSPARENT)
    lit = np.asarray(np.clip(picture * (0.6, 0.8, 0.95), 0, 255), np.uint8)
    found = {}
    for name in WITH_FINGERPRINT:
        profile = stand_in_profile(load_board(name))
        assert profile is not None
        found[name] = find_by_print(lit, profile)
    assert [name for name, pose in found.items() if pose] == ["newyork"]
    pose = found["newyork"]
    assert not isinstance(pose, NotFound)
    assert np.abs(pose.corners_px - corners).max() < 2.0


def test_a_photo_through_a_wide_lens_has_a_pose_with_that_lens() -> None:
    view = CameraSetup((1200, 900), tilt_deg=15, distance_mm=600, k1=-0.2, k2=0.03)
    frame = drawn.game(view)
    pose = find_by_print(frame.picture, stand_in())
    assert not isinstance(pose, NotFound), pose
    assert pose.lens is not None
    assert np.abs(pose.corners_px - frame.corners_px).max() < 3.0


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(drawn.texture(), id="something busy"),
        pytest.param(np.full((600, 800, 3), 120, np.uint8), id="a plain table"),
    ],
)
def test_no_board_no_outline(picture: Picture) -> None:
    result = searched(picture)
    assert isinstance(result, NotFound)
    assert "was not found" in result.reason
