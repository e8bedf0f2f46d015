"""The demonstration: games on a board of the project's own drawing, read like any photo."""

from __future__ import annotations

from dataclasses import replace

from railspotter.calibration.profiles import make_profile
from railspotter.scoring import load_board, load_edition
from railspotter.simulation.enactment import CALM, Habits
from railspotter.simulation.virtual_board import CameraSetup, Sensor, draw_board
from railspotter.simulation.virtual_game import VirtualGame, virtual_game

from ..photos import PhotoScorer, ScoredPhoto

BOARD = "usa"
SEED = 7
"""Of the game whose end is printed."""
LIVE_SEED = SEED + 1
"""Of the first game on the page, so that nobody knows how it ends."""
SIZE_WH = (1280, 720)
HABITS = replace(CALM, pace=3.0, thinking_s=(1.5, 4.0), pointing=0.1, over_border=0.3)
"""A game of four takes some six minutes. People mind their hands, more or less."""
PX_PER_MM = 2.0


def demo_scorer() -> PhotoScorer:
    """Return a scorer for the drawn board; its profile is made of a drawing without trains."""
    board = load_board(BOARD)
    blank = draw_board(board, PX_PER_MM)
    height, width = blank.shape[:2]
    right, bottom = width - 0.5, height - 0.5
    corners = [(-0.5, -0.5), (right, -0.5), (right, bottom), (-0.5, bottom)]
    profile = make_profile(blank, board, corners, "demo", "")
    return PhotoScorer(board, load_edition(BOARD), profile)


def demo_game(
    seed: int = SEED, habits: Habits = HABITS, size_wh: tuple[int, int] = SIZE_WH
) -> VirtualGame:
    """Return a game on the drawn board, under a camera on a stand."""
    view = CameraSetup(size_wh, tilt_deg=12.0, heading_deg=4.0)
    return virtual_game(
        load_edition(BOARD), load_board(BOARD), seed, habits, view=view, sensor=Sensor(seed=seed)
    )


def demo_score(scorer: PhotoScorer) -> ScoredPhoto:
    """Return the end of a game, read and scored."""
    game = demo_game()
    return scorer.score(game.frame_at(game.duration_s).picture, "drawn board")
