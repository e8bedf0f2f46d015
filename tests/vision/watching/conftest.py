"""One drawn game of USA, its board as it is printed, and where it is seen, for all tests here."""

from dataclasses import replace

import numpy as np
import pytest
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.enactment.habits import CALM
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Sensor
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import VirtualGame, virtual_game
from railspotter.vision.printed.printed_board import PrintedBoard

from .still_table import StillTable

BOARD, EDITION = load_board("usa"), load_edition("usa")


@pytest.fixture(scope="package")
def game() -> VirtualGame:
    habits = replace(CALM, undone=1.0, pace=1.3)
    view = CameraSetup((1280, 720))
    return virtual_game(EDITION, BOARD, 1, habits, view=view, sensor=Sensor(seed=1))


@pytest.fixture(scope="package")
def printed(game: VirtualGame) -> PrintedBoard:
    blank = game.camera.take(Scene())
    return PrintedBoard.of(BOARD, make_profile(blank.picture, BOARD, blank.corners_px, "drawn", ""))


@pytest.fixture(scope="package")
def pose(game: VirtualGame) -> Pose:
    corners = game.camera.take(Scene()).corners_px
    frame_from_board = homography_from_corners(corners, BOARD.size_mm)
    return Pose(frame_from_board, np.zeros((1, 1, 2)), BOARD.size_mm, 100, 1.0)


@pytest.fixture
def table(game: VirtualGame, printed: PrintedBoard, pose: Pose) -> StillTable:
    return StillTable(game, printed, pose)
