"""A board is found, followed, and found again wherever it was carried."""

from __future__ import annotations

import drawn
import numpy as np
from at_once import AtOnce
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.geometry import outline_mm
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.sentence import Sentence
from railspotter.simulation.virtual_board import BoardShift, CameraSetup, Scene, VirtualCamera
from railspotter.table.live_table import BoardKeeper
from railspotter.vision.sources import Frame

CAMERA = VirtualCamera(drawn.usa(), view=CameraSetup((1280, 800), tilt_deg=10.0, fill=0.75))


def test_a_board_that_was_nudged_and_then_carried_off_is_found_again() -> None:
    blank = CAMERA.take(Scene())
    profile = make_profile(blank.picture, drawn.usa(), blank.corners_px, "drawn", "")
    searches: list[float] = []

    def find(frame: Frame) -> Pose | NotFound:
        searches.append(frame.taken_at_s)
        return find_board(frame.picture, profile)

    keeper = BoardKeeper(find, AtOnce())
    at_s, number = 0.0, 0
    for nudge in (BoardShift(), BoardShift(12.0, 5.0, 2.0), BoardShift(0.0, 0.0, 180.0)):
        shown = CAMERA.take(Scene(nudge=nudge))
        for _ in range(8):
            at_s, number = at_s + 0.2, number + 1
            pose = keeper.pose_in(Frame(shown.picture, at_s, number))
        assert pose is not None, nudge
        off = pose.on_board(shown.corners_px) - outline_mm(drawn.usa().size_mm)
        assert np.abs(off).max() < 1.5, nudge
    assert len(searches) <= 6, "a board that lies still is not searched for again and again"


def test_no_board_says_why() -> None:
    nothing = NotFound(Sentence("the picture is too dark"))
    keeper = BoardKeeper(lambda frame: nothing, AtOnce())
    picture = np.zeros((600, 800, 3), np.uint8)
    assert keeper.pose_in(Frame(picture, 1.0, 1)) is None
    assert keeper.said == "the picture is too dark"
