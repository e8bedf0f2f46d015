"""The drawn USA board before a still camera: where it lies, and what it shows while it is bare."""

from functools import cache

import drawn
import numpy as np
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.reference import make_profile
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame, VirtualCamera
from railspotter.vision.printed.printed_board import PrintedBoard

BOARD = drawn.usa()
SIZE_WH = (960, 640)
CAMERA = VirtualCamera(BOARD, view=CameraSetup(SIZE_WH, tilt_deg=10.0, fill=0.8))


@cache
def bare() -> RenderedFrame:
    return CAMERA.take(Scene())


@cache
def printed() -> PrintedBoard:
    profile = make_profile(bare().picture, BOARD, bare().corners_px, "drawn", "")
    return PrintedBoard.of(BOARD, profile)


@cache
def pose() -> Pose:
    board_in_frame = homography_from_corners(bare().corners_px, BOARD.size_mm)
    return Pose(board_in_frame, np.zeros((1, 1, 2)), BOARD.size_mm, 100, 1.0)
