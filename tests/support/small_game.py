"""A drawn game of the USA, small, for live tables that are watched on a clock of their own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import VirtualGame, plain_game
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import Player

SEED, SIZE_WH = 3, (960, 640)
FIRST_CLAIM_S = 12.0  # by then the first claim of this game is settled, and the next one not begun


@cache
def game() -> VirtualGame:
    return plain_game(load_edition("usa"), load_board("usa"), SEED, SIZE_WH)


def small_log(folder: Path) -> GameLog:
    """Begin the log of the game in a folder."""
    players = tuple(Player(s.colour, s.colour) for s in game().enactment.played.seats)
    return GameStore(folder).create(GameStarted("usa", players), 1.0)


@cache
def profile() -> Profile:
    blank = game().camera.take(Scene(light=game().enactment.lamps[0].light))
    return make_profile(blank.picture, load_board("usa"), blank.corners_px, "drawn", "")
