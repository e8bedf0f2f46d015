"""A board is followed from frame to frame, and never taken to lie where it does not."""

from functools import cache
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.finding.following import Follower, FollowState
from railspotter.calibration.geometry import homography_from_corners, outline_mm
from railspotter.calibration.pose import Pose
from railspotter.calibration.pyramid import Pyramid
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.pieces import Piece
from railspotter.simulation.virtual_board.scene import BoardShift, Scene
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame, VirtualCamera
from railspotter.table.photo_file import load_photo, to_jpeg
from railspotter.table.set_up.demo import demo_game
from railspotter.vision.decoding import unpack

SIZE_MM = drawn.usa().size_mm
HAND = Thing("hand", (400.0, 260.0), -70.0, seed=5, z_mm=10.0)


@cache
def camera() -> VirtualCamera:
    view = CameraSetup((1280, 720), tilt_deg=15.0, heading_deg=5.0)
    return VirtualCamera(drawn.usa(), view=view, sensor=Sensor(noise=3.0))


@cache
def pieces(share: float = 0.4) -> tuple[Piece, ...]:
    game = demo_game()
    return game.enactment.stage_at(share * game.duration_s).pieces


def pose_of(frame: RenderedFrame) -> Pose:
    board_in_frame = homography_from_corners(frame.corners_px, SIZE_MM)
    return Pose(board_in_frame, np.zeros((1, 1, 2)), SIZE_MM, 0, 1.0)


def misfit_mm(pose: Pose, corners_px: Float64s) -> float:
    return float(np.linalg.norm(pose.on_board(corners_px) - outline_mm(SIZE_MM), axis=1).max())


def follower() -> Follower:
    first = camera().take(Scene(pieces()))
    return Follower(first.picture, pose_of(first))


def test_a_board_that_lies_still_holds() -> None:
    watch = follower()
    for number in range(4):
        followed = watch.follow(camera().take(Scene(pieces())).picture)
        assert followed.hold is FollowState.HOLDS, number
        assert followed.off_mm < 0.3


def test_hands_new_trains_and_another_light_change_nothing() -> None:
    watch = follower()
    for scene in (
        Scene(pieces(), (HAND,)),
        Scene(pieces(0.9)),
        Scene(pieces(), light=Light(gain_bgr=(0.7, 0.9, 1.0), strength=0.7, from_deg=200.0)),
    ):
        assert watch.follow(camera().take(scene).picture).hold is FollowState.HOLDS


@pytest.mark.parametrize(
    "nudge",
    [
        BoardShift(1.0, 0.0),
        BoardShift(-4.0, 7.0, 0.5),
        BoardShift(10.0, -5.0, 1.0),
        BoardShift(25.0, 10.0, -3.0),
        BoardShift(0.0, -35.0, 5.0),
    ],
)
def test_a_nudged_board_is_followed_also_under_a_hand(nudge: BoardShift) -> None:
    watch = follower()
    frame = camera().take(Scene(pieces(), (HAND,), shift=nudge))
    followed = watch.follow(frame.picture)
    assert followed.hold is FollowState.NUDGED
    assert followed.pose is not None
    assert misfit_mm(followed.pose, frame.corners_px) < 1.0
    again = watch.follow(camera().take(Scene(pieces(), shift=nudge)).picture)
    assert again.hold is FollowState.HOLDS, "it lies still where it was pushed to"


def test_a_board_that_is_pushed_on_and_on_is_not_lost() -> None:
    watch = follower()
    for step in range(1, 8):
        frame = camera().take(
            Scene(pieces(), shift=BoardShift(8.0 * step, -3.0 * step, 2.0 * step))
        )
        followed = watch.follow(frame.picture)
        assert followed.pose is not None, step
        assert misfit_mm(followed.pose, frame.corners_px) < 1.0, step


def test_a_board_that_was_carried_off_is_covered_first_then_moved_and_known_when_back() -> None:
    watch = follower()
    away = camera().take(Scene(pieces(), shift=BoardShift(90.0, 40.0, 60.0))).picture
    holds = [watch.follow(away).hold for _ in range(4)]
    assert holds == [FollowState.COVERED] * 3 + [FollowState.MOVED]
    assert watch.follow(camera().take(Scene(pieces())).picture).hold is FollowState.HOLDS


def test_another_picture_altogether_is_no_board() -> None:
    watch = follower()
    noise = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), dtype=np.uint8)
    black = np.zeros_like(noise)
    for picture in (noise, black, black + 255):
        assert watch.follow(picture).pose is None


def test_seeded_nudges_are_followed_or_not_never_wrongly() -> None:
    rng = np.random.default_rng(11)
    seen = 0
    for number in range(6):
        way, far = rng.uniform(0, 2 * np.pi), rng.uniform(1, 40)
        turn = float(rng.uniform(-9, 9))
        nudge = BoardShift(float(far * np.cos(way)), float(far * np.sin(way)), turn)
        things = (HAND,) if number % 2 else ()
        frame = camera().take(Scene(pieces(), things, shift=nudge))
        followed = follower().follow(frame.picture)
        if followed.pose is not None:
            seen += 1
            assert misfit_mm(followed.pose, frame.corners_px) < 2.0, nudge
    assert seen >= 3


@pytest.mark.parametrize(
    "nudge", [BoardShift(), BoardShift(-4.0, 7.0, 0.5), BoardShift(25.0, 10.0, -3.0)]
)
def test_half_of_a_large_jpeg_is_enough(nudge: BoardShift) -> None:
    view = CameraSetup((1920, 1080), tilt_deg=15.0, heading_deg=5.0)
    large = VirtualCamera(drawn.usa(), view=view, sensor=Sensor(noise=3.0))
    first = large.take(Scene(pieces()))
    frame = large.take(Scene(pieces(0.6), (HAND,), shift=nudge))
    followed = Follower(half_of(first), pose_of(first)).follow(half_of(frame))
    assert followed.hold is (FollowState.HOLDS if nudge == BoardShift() else FollowState.NUDGED)
    assert followed.pose is not None
    assert misfit_mm(followed.pose, frame.corners_px) < 0.7


def half_of(frame: RenderedFrame) -> Pyramid:
    """Return the frame as a camera's JPEG, of which the whole may not be asked for."""
    unpacked = unpack(to_jpeg(frame.picture, 90))

    def whole() -> Picture:
        raise AssertionError("the whole picture was asked for")

    return Pyramid(whole, unpacked.size_wh, lambda: unpacked.at(1))


def test_real_photos_that_shift_are_followed(photos: Path) -> None:
    picture = load_photo(photos / "usa" / "IMG_4066_1008.jpg")
    corners = np.array([[77.1, 56.6], [945.1, 50.8], [976.4, 642.8], [57.5, 652.4]])
    found = Pose(homography_from_corners(corners, SIZE_MM), np.zeros((1, 1, 2)), SIZE_MM, 0, 1.0)
    for dx, dy, turn_deg in ((0.0, 0.0, 0.0), (3.0, -2.0, 0.3), (14.0, 9.0, -2.0)):
        motion = cv2.getRotationMatrix2D((500.0, 380.0), turn_deg, 1.0)
        motion = np.asarray(motion + np.array([[0.0, 0.0, dx], [0.0, 0.0, dy]]), np.float64)
        moved = cv2.warpAffine(picture, motion, picture.shape[1::-1], borderValue=(90, 90, 90))
        shown: Picture = np.asarray(moved, np.uint8)
        followed = Follower(picture, found).follow(shown)
        assert followed.pose is not None
        there = np.asarray(corners @ motion[:, :2].T + motion[:, 2], np.float64)
        assert misfit_mm(followed.pose, there) < 1.0
