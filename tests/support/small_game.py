"""A drawn game of the USA, small, for live tables that are watched on a clock of their own."""

from __future__ import annotations

from functools import cache

from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import VirtualGame, plain_game

SEED, SIZE_WH = 3, (960, 640)
FIRST_CLAIM_S = 12.0  # by then the first claim of this game is settled, and the next one not begun


@cache
def game() -> VirtualGame:
    return plain_game(load_edition("usa"), load_board("usa"), SEED, SIZE_WH)


@cache
def profile() -> Profile:
    blank = game().camera.take(Scene(light=game().enactment.lamps[0].light))
    return make_profile(blank.picture, load_board("usa"), blank.corners_px, "drawn", "")
