"""Making a profile: corners that no board has are refused, good ones give what reading needs."""

import drawn
import numpy as np
import pytest
from railspotter.calibration.errors import OutlineError
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.pose import Pose, rectify
from railspotter.calibration.profiles.features import match
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.simulation.virtual_board.camera import CameraSetup

RIGHT, BOTTOM = drawn.WIDTH - 1, drawn.HEIGHT - 1
Corners = list[tuple[float, float]]


@pytest.mark.parametrize(
    ("corners", "word"),
    [
        pytest.param([(0, 0), (RIGHT, BOTTOM), (RIGHT, 0), (0, BOTTOM)], "cross", id="crossed"),
        pytest.param([(0, 0), (RIGHT, 0), (60, 50), (0, BOTTOM)], "cross", id="concave"),
        pytest.param([(0, 0), (50, 0), (RIGHT, 0), (0, BOTTOM)], "line", id="on one line"),
        pytest.param(
            [(0, 0), (0, BOTTOM), (RIGHT, BOTTOM), (RIGHT, 0)], "wrong way", id="mirrored"
        ),
        pytest.param([(0, 0), (2 * RIGHT, 0), (RIGHT, BOTTOM), (0, BOTTOM)], "outside", id="right"),
        pytest.param([(-300, 0), (RIGHT, 0), (RIGHT, BOTTOM), (0, BOTTOM)], "outside", id="left"),
        pytest.param([(0, 0), (RIGHT, 0), (RIGHT, 5000), (0, BOTTOM)], "outside", id="below"),
        pytest.param([(0, 0), (RIGHT, 0), (RIGHT, BOTTOM)], "four corners", id="three"),
        pytest.param([(0, 0), (np.nan, 0), (RIGHT, BOTTOM), (0, BOTTOM)], "four corners", id="nan"),
    ],
)
def test_impossible_corners_are_refused(corners: Corners, word: str) -> None:
    with pytest.raises(OutlineError, match=word):
        make_profile(drawn.drawing(), drawn.usa(), corners, "kitchen", "")


def test_a_drawing_is_its_own_reference() -> None:
    profile = drawn.profile()
    assert (profile.name, profile.board, profile.size_mm) == ("drawn", "usa", (795.0, 525.0))
    assert profile.reference.shape == drawn.drawing().shape == (drawn.HEIGHT, drawn.WIDTH, 3)
    assert np.abs(profile.reference.astype(int) - drawn.drawing())[4:-4, 4:-4].max() <= 1
    assert len(profile.features) > 1500
    assert np.all((profile.features.points > 0) & (profile.features.points < profile.size_mm))


def test_corners_may_start_at_any_corner_of_the_photo() -> None:
    """A board photographed upside down: its top left is the photo's bottom right."""
    turned = np.ascontiguousarray(drawn.drawing()[::-1, ::-1])
    corners = np.roll(drawn.own_corners(drawn.drawing()), 2, axis=0)
    profile = make_profile(turned, drawn.usa(), corners, "kitchen", "")
    assert np.abs(profile.reference.astype(int) - drawn.profile().reference).mean() < 1


def test_a_photo_through_a_wide_lens_gives_a_straight_reference() -> None:
    view = CameraSetup((1600, 1200), tilt_deg=8, distance_mm=600, k1=-0.2, k2=0.03)
    frame = drawn.empty(view)
    found = find_by_print(frame.picture, drawn.profile())
    assert isinstance(found, Pose), found
    corners = frame.corners_px
    made = make_profile(frame.picture, drawn.usa(), corners, "attic", "", lens=found.lens)
    bent = make_profile(frame.picture, drawn.usa(), corners, "attic", "")
    assert off_mm(made) < 1.0
    assert off_mm(bent) > 5.0


def off_mm(profile: Profile) -> float:
    """How far print of a reference lies from where the drawing has it: half of it is nearer."""
    own, other = drawn.profile().features, profile.features
    pairs = match(own, other, ratio=0.8)
    assert len(pairs) > 300
    off = own.points[pairs[:, 0]] - other.points[pairs[:, 1]]
    return float(np.median(np.hypot(*off.T)))


def test_a_tilted_photo_of_the_empty_board_will_do() -> None:
    frame = drawn.empty()
    profile = make_profile(frame.picture, drawn.usa(), frame.corners_px, "kitchen", "")
    pose = Pose(frame.frame_from_board, np.zeros((1, 1, 2)), drawn.usa().size_mm, 0, 0.0)
    rectified = rectify(frame.picture, pose, profile.px_per_mm)
    assert np.abs(profile.reference.astype(int) - rectified).mean() < 0.1
    assert len(profile.features) > 1500
