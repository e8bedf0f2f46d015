"""Finding: wherever a board lies in a picture, and the right reason where it does not."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from examples import every_run
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.feature_pose import FrameFeatures, poses_by_features
from railspotter.calibration.finding.finder import NOWHERE, TWO_BOARDS, find_by_print
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.finding.proof import TooSmall
from railspotter.calibration.geometry import project
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame
from railspotter.table.photo_file import READ_PX, load_photo, shrunk_to

from hardships.spoiling import blur_around, stitch


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(CameraSetup((1200, 900), tilt_deg=0), id="from above", marks=pytest.mark.long),
        pytest.param(CameraSetup((1200, 900), tilt_deg=35, heading_deg=20), id="tilted"),
        pytest.param(
            CameraSetup((1200, 900), tilt_deg=12, roll_deg=180),
            id="upside down",
            marks=pytest.mark.long,
        ),
        pytest.param(
            CameraSetup((1200, 900), tilt_deg=25, heading_deg=90, roll_deg=90), id="from the side"
        ),
        pytest.param(CameraSetup((1400, 1400), tilt_deg=15, roll_deg=45), id="across the picture"),
        pytest.param(CameraSetup((1600, 1200), tilt_deg=15, fill=0.4), id="small in the picture"),
    ],
)
def test_finds_the_board_to_a_millimetre(view: CameraSetup) -> None:
    assert_found(drawn.game(view))


@pytest.mark.parametrize(
    ("light", "sensor"),
    [
        pytest.param(Light(), Sensor(noise=5, blur_px=0.8), id="a webcam"),
        pytest.param(Light(strength=0.4), Sensor(), id="in poor light"),
    ],
)
def test_finds_the_board_in_a_poor_picture(light: Light, sensor: Sensor) -> None:
    assert_found(drawn.game(CameraSetup((800, 600), tilt_deg=20), light, sensor))


def assert_found(frame: RenderedFrame) -> None:
    """The board is found to a millimetre."""
    pose = find_by_print(frame.picture, drawn.profile())
    assert not isinstance(pose, NotFound), pose
    assert drawn.corner_error_mm(frame.frame_from_board, pose.corners_px).max() < 1.0


@pytest.mark.parametrize("longer_side_px", [800, 1200])
def test_features_alone_are_not_off_to_one_side(longer_side_px: int) -> None:
    """Half a pixel at either scale, or of the profile's features, would show."""
    frame, profile = drawn.game(), drawn.profile()
    seen = FrameFeatures(frame.picture).at(longer_side_px, 4000)
    (pose,) = poses_by_features(seen, profile.features, profile.size_mm)
    middle_px = pose.corners_px.mean(axis=0) - frame.corners_px.mean(axis=0)
    assert np.abs(middle_px).max() < 0.2


def part_of(picture: Picture, side: str, cut: float) -> tuple[Picture, tuple[int, int]]:
    """What is left of a picture when a share of it is cut off at a side, and where that begins."""
    height, width = picture.shape[:2]
    x, y = round(width * cut), round(height * cut)
    left, right, top, bottom = {
        "left": (x, width, 0, height),
        "right": (0, width - x, 0, height),
        "top": (0, width, y, height),
        "bottom": (0, width, 0, height - y),
    }[side]
    return np.ascontiguousarray(picture[top:bottom, left:right]), (left, top)


SIDES = ["left", "right", "top", "bottom"]


@pytest.mark.parametrize("side", every_run("left", SIDES))
def test_half_a_board_is_found_by_what_is_inside(side: str) -> None:
    frame = drawn.game()
    part, first = part_of(frame.picture, side, 0.5)
    pose = find_by_print(part, drawn.profile())
    assert not isinstance(pose, NotFound), pose
    spaces = np.array([s.xy_mm for route in drawn.usa().routes for s in route.spaces])
    inside = spaces[pose.is_in_frame(spaces, (part.shape[1], part.shape[0]))]
    assert 0.3 < len(inside) / len(spaces) < 0.7
    off_mm = project(np.linalg.inv(frame.frame_from_board), pose.seen_at(inside) + first) - inside
    assert np.hypot(*off_mm.T).max() < 1.0


@pytest.mark.parametrize("side", every_run("top", SIDES))
def test_too_little_of_a_board_names_the_side_that_is_cut_off(side: str) -> None:
    part, _ = part_of(drawn.game().picture, side, 0.72)
    result = find_by_print(part, drawn.profile())
    assert isinstance(result, NotFound)
    assert f"its {side} side is cut off" in result.reason


def test_the_side_is_the_boards_however_the_camera_is_held() -> None:
    picture = drawn.game(CameraSetup((1200, 900), tilt_deg=12, roll_deg=180)).picture
    result = find_by_print(part_of(picture, "right", 0.72)[0], drawn.profile())
    assert isinstance(result, NotFound)
    assert "its left side is cut off" in result.reason


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(drawn.texture, id="something busy"),
        pytest.param(lambda: np.full((600, 800, 3), 255, np.uint8), id="a white wall"),
    ],
)
def test_no_board(picture: Callable[[], Picture]) -> None:
    result = find_by_print(picture(), drawn.profile())
    assert result == NotFound(NOWHERE)
    assert not result


def blurred(picture: Picture) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 9), np.uint8)


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        pytest.param(np.zeros_like, "too dark", id="a covered lens"),
        pytest.param(blurred, "too blurred", id="out of focus"),
    ],
)
def test_the_reason_is_what_can_be_changed(
    spoilt: Callable[[Picture], Picture], words: str
) -> None:
    result = find_by_print(spoilt(drawn.game().picture), drawn.profile())
    assert isinstance(result, NotFound)
    assert words in result.reason


def test_a_board_too_small_to_be_read_says_so() -> None:
    picture = drawn.game(CameraSetup((1200, 900), tilt_deg=12, fill=0.15)).picture
    assert isinstance(find_by_print(picture, drawn.profile()), TooSmall)


def within(picture: Picture, width: int) -> Picture:
    """A photo, small, on a grey table."""
    height = round(width * picture.shape[0] / picture.shape[1])
    table = np.full((900, 1200, 3), 120, np.uint8)
    table[100 : 100 + height, 200 : 200 + width] = cv2.resize(
        picture, (width, height), interpolation=cv2.INTER_AREA
    )
    return table


@cache
def own_print() -> Profile:
    profile = stand_in_profile(load_board("usa"))
    assert profile is not None
    return profile


# What is made of a photo of the board, and the word that is said of it.
BAD: dict[str, tuple[Callable[[Picture], Picture], str]] = {
    "a mirror": (lambda photo: photo[:, ::-1], "mirrored"),
    "two boards": (lambda photo: np.hstack([photo, photo]), "two boards"),
    "cut off": (lambda photo: photo[:, : photo.shape[1] * 3 // 10], "its right side is cut off"),
    "too dark": (lambda photo: photo // 12, "too dark"),
    "blurred": (blurred, "too blurred"),
    "too small": (lambda photo: within(photo, 250), "too small"),
    "in portrait mode": (
        lambda photo: blur_around(photo, 0.0075),
        "only a part of",
    ),
    "stitched": (lambda photo: stitch(photo, 0.04), "put together of parts"),
}


@pytest.mark.parametrize("name", BAD)
def test_every_bad_photo_has_a_word_of_its_own(photos: Path, name: str) -> None:
    photo = load_photo(photos / "usa" / "IMG_4152_1008.jpg")
    spoil, words = BAD[name]
    result = find_by_print(np.ascontiguousarray(spoil(photo)), own_print())
    assert isinstance(result, NotFound)
    assert words in result.reason
    assert not any(other in result.reason for _, other in BAD.values() if other != words)


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("IMG_4144_1920", "IMG_4132_1920"), id="two games"),
        pytest.param(("IMG_4132_1920", "IMG_4144_1920"), id="the other one first"),
    ],
)
def test_a_second_copy_of_the_board_is_seen_in_whichever_light(
    photos: Path, names: Sequence[str]
) -> None:
    beside = np.hstack([load_photo(photos / "usa" / f"{name}.jpg") for name in names])
    result = find_by_print(shrunk_to(beside, READ_PX), own_print())
    assert result == NotFound(TWO_BOARDS)


def test_a_photo_upside_down_is_no_bad_one(photos: Path) -> None:
    photo = load_photo(photos / "usa" / "IMG_4152_1008.jpg")
    pose = find_by_print(np.ascontiguousarray(photo[::-1, ::-1]), own_print())
    assert isinstance(pose, Pose)
    assert pose.corners_px[0, 0] > pose.corners_px[1, 0], "its top edge runs to the left"
    assert pose.corners_px[0, 1] > pose.corners_px[3, 1]


def test_a_photo_of_another_board_says_which(photos: Path) -> None:
    photo = load_photo(photos / "europe" / "cropped1_12-12.jpg")
    result = find_by_print(photo, own_print())
    assert isinstance(result, NotFound)
    assert "another board, 'europe'" in result.reason
