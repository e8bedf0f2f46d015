"""Corner markers: found where they were laid, and the right word where they lie otherwise."""

from functools import cache
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from marker_scenes import Laid, MarkedBoard, marked_board
from railspotter.calibration.arrays import Points
from railspotter.calibration.finding.markers import (
    CODES,
    CORNERS,
    NO_MARKERS,
    TWO_SETS,
    detect_markers,
    find_by_markers,
    marker_fields,
)
from railspotter.calibration.geometry import outline_mm
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.pose import NotFound, Pose
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Sensor

SIZE = drawn.usa().size_mm
VIEW = CameraSetup((960, 540), tilt_deg=20, heading_deg=10, fill=0.78)
EVERY = {corner: Laid(corner) for corner in range(4)}


@cache
def scene(view: CameraSetup = VIEW, sensor: Sensor | None = None) -> MarkedBoard:
    return marked_board(drawn.usa(), view, sensor=sensor)


def off_mm(shown: MarkedBoard, pose: Pose) -> Points:
    """How far off, on the board, the pose has each corner."""
    at_mm = shown.projection.board_points(pose.corners_px)
    return np.asarray(np.hypot(*(at_mm - outline_mm(SIZE)).T))


@pytest.mark.parametrize(
    ("view", "sensor", "most_mm"),
    [
        pytest.param(VIEW, None, 0.5, id="a webcam"),
        pytest.param(
            CameraSetup((640, 480), tilt_deg=30, heading_deg=160, fill=0.72),
            Sensor(blur_px=0.6, noise=4, jpeg_quality=60),
            1.5,
            id="a poor one, from the other side",
        ),
        pytest.param(
            CameraSetup((640, 360), tilt_deg=5, fill=0.8),
            Sensor(noise=4),
            1.5,
            id="the smallest picture",
        ),
    ],
)
def test_markers_tell_where_the_board_is(
    view: CameraSetup, sensor: Sensor | None, most_mm: float
) -> None:
    shown = scene(view, sensor)
    pose = find_by_markers(shown.picture, SIZE)
    assert isinstance(pose, Pose), pose
    assert off_mm(shown, pose).max() < most_mm
    assert (pose.inliers, pose.agreement) == (16, 1.0)


def test_the_cards_lie_below_the_board() -> None:
    """Seen from the side they are not where they were on its plane: 2 mm would show."""
    shown = marked_board(drawn.usa(), CameraSetup((960, 540), tilt_deg=40, fill=0.78))
    pose = find_by_markers(shown.picture, SIZE)
    assert isinstance(pose, Pose)
    assert off_mm(shown, pose).max() < 0.5


@pytest.mark.parametrize("missing", range(4))
def test_three_markers_are_enough(missing: int) -> None:
    laid = {corner: card for corner, card in EVERY.items() if corner != missing}
    shown = marked_board(drawn.usa(), VIEW, laid)
    pose = find_by_markers(shown.picture, SIZE)
    assert isinstance(pose, Pose), pose
    assert (pose.inliers, pose.agreement) == (12, 0.75)
    assert off_mm(shown, pose).max() < 3.0


def turned(**laid: Laid) -> dict[int, Laid]:
    return {**EVERY, **{int(name[1:]): one for name, one in laid.items()}}


@pytest.mark.parametrize(
    ("laid", "words"),
    [
        pytest.param({}, NO_MARKERS, id="none"),
        pytest.param(
            {0: Laid(0), 2: Laid(2)}, "of the top right and bottom left corners", id="two"
        ),
        pytest.param(
            turned(_0=Laid(1, turned_deg=180), _1=Laid(0, turned_deg=180)),
            "clockwise they are those of the top left, bottom right, bottom left, top right",
            id="two swapped",
        ),
        pytest.param(turned(_0=Laid(0, -25, 0, 20)), "do not fit together", id="one carelessly"),
        pytest.param(turned(_0=Laid(0, -12, 0, 90)), "do not fit together", id="one turned"),
    ],
)
def test_the_reason_says_what_lies_wrong(laid: dict[int, Laid], words: str) -> None:
    result = find_by_markers(marked_board(drawn.usa(), VIEW, laid).picture, SIZE)
    assert isinstance(result, NotFound)
    assert words in result.reason


def test_laid_by_hand_is_good_to_some_millimetres() -> None:
    rng = np.random.default_rng(4)
    off = rng.normal(0, 1, (4, 3)).tolist()
    laid = {corner: Laid(corner, x, y, turned) for corner, (x, y, turned) in enumerate(off)}
    shown = marked_board(drawn.usa(), VIEW, laid)
    pose = find_by_markers(shown.picture, SIZE)
    assert isinstance(pose, Pose), pose
    assert off_mm(shown, pose).max() < 4.0


def test_a_mirrored_picture() -> None:
    result = find_by_markers(np.ascontiguousarray(scene().picture[:, ::-1]), SIZE)
    assert isinstance(result, NotFound)
    assert "mirrored" in result.reason


def test_two_boards_with_markers() -> None:
    picture = scene().picture
    result = find_by_markers(np.vstack([picture, picture]), SIZE)
    assert result == NotFound(TWO_SETS)


def test_one_stray_marker_does_not_matter() -> None:
    shown = scene()
    card = 200 * np.ones((90, 90, 3), np.uint8)
    fields = marker_fields(1).astype(np.uint8) * 200
    card[15:75, 15:75] = cv2.resize(fields, (60, 60), interpolation=cv2.INTER_NEAREST)[..., None]
    picture = shown.picture.copy()
    picture[20:110, 850:940] = card
    assert len(detect_markers(picture)) == 5
    pose = find_by_markers(picture, SIZE)
    assert isinstance(pose, Pose)
    assert off_mm(shown, pose).max() < 0.5


@pytest.mark.parametrize(
    ("size_mm", "words"),
    [
        pytest.param((600.0, 525.0), "mm, not of 600 x 525 mm", id="too narrow"),
        pytest.param((760.0, 500.0), "mm, not of 760 x 500 mm", id="a little too small"),
        pytest.param((525.0, 795.0), "one corner on", id="laid one corner on"),
        pytest.param((100.0, 60.0), "at least 140 mm", id="a board that is none"),
    ],
)
def test_a_wrong_size_is_seen(size_mm: tuple[float, float], words: str) -> None:
    result = find_by_markers(scene().picture, size_mm)
    assert isinstance(result, NotFound)
    assert words in result.reason


def test_the_size_that_fits_is_named() -> None:
    result = find_by_markers(scene().picture, (600.0, 525.0))
    assert isinstance(result, NotFound)
    width, height = (float(result.reason.split()[i]) for i in (6, 8))
    assert width == pytest.approx(SIZE[0], rel=0.03)
    assert height == pytest.approx(SIZE[1], rel=0.03)


def test_a_wide_lens_that_is_known() -> None:
    view = CameraSetup((960, 540), tilt_deg=10, fill=0.8, k1=-0.2, distance_mm=700)
    shown = scene(view)
    # What the virtual lens does, in the program's own formula: fitted to rays across the picture.
    ends = np.column_stack([np.linspace(0, 959, 40), np.linspace(0, 539, 40)])
    straight = shown.projection.lens.undistort(ends)
    none = Lens((960, 540), (0.0, 0.0, 0.0))
    before, after = (
        np.hypot(*((at - none.centre_px) / none.half_diagonal_px).T) for at in (straight, ends)
    )
    terms = np.column_stack([before**3, before**5, -after * before**2])
    a, b, c = np.linalg.lstsq(terms, after - before, rcond=None)[0].tolist()
    lens = Lens((960, 540), (a, b, c))
    pose = find_by_markers(shown.picture, SIZE, lens)
    assert isinstance(pose, Pose), pose
    assert pose.lens == lens
    assert off_mm(shown, pose).max() < 1.0
    other = find_by_markers(shown.picture, SIZE)
    assert not isinstance(other, Pose) or off_mm(shown, other).max() > 2.0


def test_the_codes_are_as_different_as_they_can_be() -> None:
    fields = [marker_fields(corner)[1:-1, 1:-1] for corner in range(4)]

    def difference(one: int, other: int) -> int:
        views = [np.rot90(v, k) for v in (fields[other], fields[other].T) for k in range(4)]
        same = [int(np.count_nonzero(fields[one] != view)) for view in views]
        return min(same[1:] if one == other else same)

    assert len(CODES) == len(CORNERS)
    assert min(difference(i, j) for i in range(4) for j in range(4)) >= 6


def test_no_marker_is_seen_in_real_photos(photos: Path) -> None:
    names = ("usa/IMG_4172_1008.jpg", "usa/IMG_4076_1008.jpg", "europe/cropped1_12-12.jpg")
    for name in names:
        picture = cv2.imread(str(photos / name))
        assert picture is not None
        assert detect_markers(np.asarray(picture, np.uint8)) == ()
