"""All methods to find a board: which one it was, and each bad input has its own word."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from marker_scenes import MarkedBoard, marked_board
from railspotter.calibration.arrays import Picture, Points
from railspotter.calibration.finding.finder import MIRRORED, NOWHERE, TWO_BOARDS
from railspotter.calibration.finding.ways import (
    MOVED,
    Candidate,
    FindBy,
    FoundByNone,
    FoundPose,
    find_board,
)
from railspotter.calibration.geometry import outline_mm
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup

VIEW = CameraSetup((960, 720), tilt_deg=12, fill=0.78)
# Looking for a print that is not there takes its time: once is enough.
WITHOUT_NUMBERS = (FindBy.OWN_PHOTO, FindBy.MARKERS)
NOTHING = drawn.texture((720, 960))
USA = Candidate(drawn.usa())


@cache
def marked(view: CameraSetup = VIEW) -> MarkedBoard:
    return marked_board(drawn.usa(), view)


def corners_px(shown: MarkedBoard) -> Points:
    corners = np.column_stack([outline_mm(drawn.usa().size_mm), np.zeros(4)])
    return np.asarray(shown.projection.project(corners))


def reasons(result: FoundPose | FoundByNone) -> dict[FindBy, str]:
    return {method: lost.reason for method, lost in result.tried.items()}


def found(
    result: FoundPose | FoundByNone, method: FindBy, shown: MarkedBoard, most_px: float = 2.0
) -> FoundPose:
    assert isinstance(result, FoundPose), result
    assert result.method is method
    assert np.hypot(*(result.pose.corners_px - corners_px(shown)).T).max() < most_px
    return result


def test_ones_own_photo_comes_first() -> None:
    result = find_board([marked().picture], [Candidate(drawn.usa(), drawn.profile())])
    assert found(result, FindBy.OWN_PHOTO, marked()).tried == {}


def test_without_a_profile_or_a_print_markers_find_it() -> None:
    """The drawn board is nobody's print: its fingerprint is of the published one."""
    shown = marked(replace(VIEW, size_wh=(640, 480)))
    result = find_board([shown.picture], [USA])
    tried = reasons(found(result, FindBy.MARKERS, shown))
    assert list(tried) == [FindBy.FINGERPRINT]


def test_where_a_person_gives_corners_nothing_else_is_tried() -> None:
    given = drawn.empty(VIEW).corners_px
    result = find_board([marked().picture], [USA], corners=given, is_snapped=False)
    assert isinstance(result, FoundPose)
    assert result.method is FindBy.CORNERS
    assert result.pose.corners_px == pytest.approx(given, abs=1e-3)
    assert result.tried == {}


def test_given_corners_that_cannot_be() -> None:
    given = drawn.empty(VIEW).corners_px[::-1]
    result = find_board([drawn.empty(VIEW).picture], [USA], corners=given)
    assert isinstance(result, FoundByNone)
    assert "the wrong way round" in result.reason


def profile_of(**changes: object) -> Profile:
    return replace(drawn.profile(), **changes)  # type: ignore[arg-type]


def test_a_profile_of_another_board_is_no_photo_of_this_one() -> None:
    other = Candidate(drawn.usa(), profile_of(board="europe"))
    result = find_board([marked().picture], [other], WITHOUT_NUMBERS)
    assert found(result, FindBy.MARKERS, marked()).tried == {}


def test_a_board_file_of_another_board() -> None:
    newyork = load_board("newyork")
    result = find_board([marked().picture], [Candidate(newyork)], [FindBy.MARKERS])
    assert isinstance(result, FoundByNone)
    assert not result
    assert "the markers fit a board of" in result.reason
    assert "not of 300 x 421 mm" in result.reason


def test_a_profile_for_another_mode_of_the_camera() -> None:
    lens = Lens((1920, 1080), (-0.2, 0.0, 0.0), 5)
    known = Candidate(drawn.usa(), profile_of(lenses={"webcam": lens}))
    result = find_board([marked().picture], [known])
    (note,) = found(result, FindBy.OWN_PHOTO, marked()).notes
    assert "1920x1080" in note
    assert "960x720" in note
    assert "another mode" in note


@pytest.mark.parametrize(
    ("picture", "profile", "reason"),
    [
        pytest.param(lambda: marked().picture[:, ::-1], None, MIRRORED, id="mirrored markers"),
        pytest.param(lambda: marked().picture[:, ::-1], drawn.profile, MIRRORED, id="mirrored"),
        pytest.param(
            lambda: np.hstack([drawn.empty(VIEW).picture] * 2),
            drawn.profile,
            TWO_BOARDS,
            id="two boards",
        ),
        pytest.param(lambda: drawn.texture((300, 400)), drawn.profile, NOWHERE, id="nothing"),
    ],
)
def test_each_bad_picture_has_its_own_word(
    picture: Callable[[], Picture], profile: Callable[[], Profile] | None, reason: str
) -> None:
    shown = np.ascontiguousarray(picture())
    known = Candidate(drawn.usa(), profile and profile())
    result = find_board([shown], [known], WITHOUT_NUMBERS)
    assert isinstance(result, FoundByNone)
    assert result.reason == reason


def test_an_upside_down_board_is_found_and_said() -> None:
    shown = marked(replace(VIEW, roll_deg=180))
    result = find_board([shown.picture], [USA], WITHOUT_NUMBERS)
    (note,) = found(result, FindBy.MARKERS, shown).notes
    assert note == "the board lies upside down in the picture, which is fine"


def test_one_frame_of_three_may_fail() -> None:
    frames = [marked().picture, NOTHING, marked().picture]
    result = find_board(frames, [USA], WITHOUT_NUMBERS)
    assert found(result, FindBy.MARKERS, marked()).frame in (0, 2)


def test_a_board_that_moves_is_refused() -> None:
    picture = marked().picture
    moved = np.roll(picture, 20, axis=1)
    result = find_board([picture, picture, moved, moved], [USA], WITHOUT_NUMBERS)
    assert isinstance(result, FoundByNone)
    assert result.reason == MOVED


@pytest.mark.parametrize(
    ("frames", "words"),
    [
        pytest.param([], "no picture", id="none"),
        pytest.param([NOTHING, cv2.resize(NOTHING, (480, 360))], "different sizes", id="two sizes"),
    ],
)
def test_frames_that_cannot_be_compared(frames: list[Picture], words: str) -> None:
    result = find_board(frames, [USA])
    assert isinstance(result, FoundByNone)
    assert words in result.reason
