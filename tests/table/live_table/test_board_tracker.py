"""A board is found, followed, and found again wherever it was carried."""

import cv2
import drawn
import numpy as np
from at_once import AtOnce
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.finding.picture_faults import NO_COLOURS, TOO_DARK, why_colourless
from railspotter.calibration.geometry import outline_mm
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.sentence import Sentence
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.scene import BoardShift, Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.live_table.board_tracker import BoardTracker
from railspotter.vision.sources.source import Frame

CAMERA = VirtualCamera(drawn.usa(), view=CameraSetup((1280, 800), tilt_deg=10.0, fill=0.75))


def test_a_board_that_was_nudged_and_then_carried_off_is_found_again() -> None:
    blank = CAMERA.take(Scene())
    profile = make_profile(blank.picture, drawn.usa(), blank.corners_px, "drawn", "")
    searches: list[float] = []

    def find(frame: Frame) -> Pose | NotFound:
        searches.append(frame.taken_at_s)
        return find_by_print(frame.picture, profile)

    keeper = BoardTracker(find, AtOnce())
    at_s, number = 0.0, 0
    for shift in (BoardShift(), BoardShift(12.0, 5.0, 2.0), BoardShift(0.0, 0.0, 180.0)):
        shown = CAMERA.take(Scene(shift=shift))
        for _ in range(8):
            at_s, number = at_s + 0.2, number + 1
            pose = keeper.pose_in(Frame(shown.picture, at_s, number))
        assert pose is not None, shift
        off = pose.on_board(shown.corners_px) - outline_mm(drawn.usa().size_mm)
        assert np.abs(off).max() < 1.5, shift
    assert len(searches) <= 6, "a board that lies still is not searched for again and again"


def test_no_board_says_why() -> None:
    nothing = NotFound(Sentence("the picture is too dark"))
    keeper = BoardTracker(lambda frame: nothing, AtOnce())
    picture = np.zeros((600, 800, 3), np.uint8)
    assert keeper.pose_in(Frame(picture, 1.0, 1)) is None
    assert keeper.status == "the picture is too dark"


def test_a_dark_room_is_said_to_be_dark_and_a_camera_without_colours_to_see_none() -> None:
    lit = CAMERA.take(Scene()).picture
    grey = np.asarray(cv2.merge([cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY)] * 3), np.uint8)
    dark = np.full(lit.shape, 9, np.uint8)
    profile = drawn.profile()
    keeper = BoardTracker(
        lambda frame: find_by_print(frame.picture, profile),
        AtOnce(),
        lambda frame, pose: why_colourless(frame.pyramid, pose, drawn.usa()),
    )
    at_s, said = 0.0, []
    for shown in (lit, grey, lit, dark):
        for number in range(8):
            at_s += 0.25
            pose = keeper.pose_in(Frame(shown, at_s, number))
        said.append((pose is not None, keeper.status))
    in_sight = (True, "the board is in sight")
    assert said == [in_sight, (False, NO_COLOURS), in_sight, (False, TOO_DARK)]
