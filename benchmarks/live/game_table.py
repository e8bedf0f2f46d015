"""A drawn or composed game as it is played before a camera: pictures, poses, and the truth."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import Board, load_board
from railspotter.scoring.edition import Edition
from railspotter.scoring.spot import Spot
from railspotter.simulation.enactment.enactment import Enactment
from railspotter.simulation.enactment.habits import Habits
from railspotter.simulation.played_game import PlayedGame
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Sensor
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import VirtualGame, lively_game, plain_game, virtual_game
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.reading.sites import with_site_routes

from composed.library import Library
from composed.play import composed_game

FRAME_S = 0.1
ANSWERED_S = 8.0  # so long after it was asked a question is answered
# Fumbles, pointing, things and lamps, on a board that stays where it is.
LIGHT_HABITS = Habits(nudged=0.0, turned_around=0.0)


def game_of(edition: Edition, kind: str, seed: int, size_wh: tuple[int, int]) -> VirtualGame:
    """Return the game of a kind and seed."""
    board = load_board(edition.board)
    if kind == "calm":
        return plain_game(edition, board, seed, size_wh)
    if kind == "lively":
        return lively_game(edition, board, seed, size_wh)
    view = CameraSetup(size_wh, tilt_deg=10.0)
    return virtual_game(
        edition, board, seed, LIGHT_HABITS, view=view, sensor=Sensor(noise=3.0, seed=seed)
    )


class Table:
    """A game, its pictures, and the poses in which the board is seen."""

    def __init__(
        self,
        enactment: Enactment,
        picture_at: Callable[[float], Picture],
        profile: Profile,
        shows_stations: bool = True,
    ) -> None:
        self.enactment, self.picture_at, self.profile = enactment, picture_at, profile
        self._shows_stations = shows_stations
        self.events = [e for e in enactment.events if shows_stations or e.kind != "station built"]
        edition, board = enactment.played.edition, load_board(enactment.board.id)
        self.printed = PrintedBoard.of(with_site_routes(board), profile)
        seats = {seat.colour for seat in enactment.played.seats}
        self.pieces = Pieces(
            trains=tuple(train for train in plastic(edition.plastic) if train.name in seats),
            train_size_mm=edition.train_size_mm,
            one_piece_a_route=edition.one_piece_a_route,
            exclusive=board.lanes,
            station_size_mm=edition.station_size_mm if edition.stations else None,
            stations_each=edition.stations,
        )
        self._poses: dict[object, Pose | None] = {}

    @classmethod
    def drawn(cls, edition: Edition, kind: str, seed: int, size_wh: tuple[int, int]) -> Table:
        """Return a drawn game, on a copy that was calibrated from a picture of it empty."""
        return cls.of_game(game_of(edition, kind, seed, size_wh), edition)

    @classmethod
    def of_game(cls, game: VirtualGame, edition: Edition) -> Table:
        """Return a drawn game that there is already."""
        blank = game.camera.take(Scene(light=game.enactment.lamps[0].light))
        board = load_board(edition.board)
        profile = make_profile(blank.picture, board, blank.corners_px, "drawn", "")
        return cls(game.enactment, lambda t_s: game.frame_at(t_s).picture, profile)

    @classmethod
    def composed(
        cls,
        edition: Edition,
        seed: int,
        size_wh: tuple[int, int],
        play: Callable[[Board], PlayedGame] | None = None,
    ) -> Table:
        """Return a game of real pixels: trains cut from photos, drawn hands."""
        library = Library(load_board(edition.board))
        game = composed_game(library, edition.board, seed, size_wh, play)
        return cls(game.enactment, lambda t_s: game.take(t_s).picture, library.profile, False)

    def is_still_at(self, t_s: float) -> bool:
        """Tell whether no hand is under way."""
        return not self.enactment.hands_at(t_s)

    def truth(self, t_s: float) -> dict[Spot, str]:
        """Return what stands on the board."""
        now = self.enactment.stage_at(t_s)
        stations = now.stations if self._shows_stations else {}
        return {
            **{Spot("route", route): colour for route, colour in now.claims.items()},
            **{Spot("station", place): colour for place, colour in stations.items()},
        }

    def pose(self, t_s: float, picture: Picture) -> Pose | None:
        """Return where the board is, as finding it says; None while somebody pushes it."""
        timeline = self.enactment
        if any(push.start_s <= t_s < push.end_s for push in timeline.pushes):
            return None
        nudge = timeline.nudge_at(t_s)
        if self._poses.get(nudge) is None:
            found = find_board(picture, self.profile)
            self._poses[nudge] = found if isinstance(found, Pose) else None
        return self._poses[nudge]

    def moments(self) -> Float64s:
        """Return when something begins to happen."""
        timeline = self.enactment
        starts = [reach.start_s for reach in timeline.reaches]
        starts += [one.start_s for one in timeline.lying] + [one.end_s for one in timeline.lying]
        starts += [lamp.start_s for lamp in timeline.lamps]
        return np.sort(starts)
