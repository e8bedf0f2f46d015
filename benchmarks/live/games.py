"""Drawn and composed games before a camera: pictures, and ground truth."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "support"))

import numpy as np
from enacted_events import EnactedEvent, events_of, held_in
from railspotter.calibration.arrays import Float64s, Picture
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

from composed.library import Library
from composed.play import composed_game

# Fumbles, pointing, things and lamps, on a board that stays where it is.
LIGHT_HABITS = Habits(nudged=0.0, turned_around=0.0)
# So long after hands come, and before they are back, every picture is taken.
MARGINS_S = 0.5, 1.0


def make_game(edition: Edition, kind: str, seed: int, size_wh: tuple[int, int]) -> VirtualGame:
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


@dataclass(frozen=True, eq=False)
class GameScene:
    """A game between computers with animated hands, and its pictures."""

    enactment: Enactment
    # What a picture shows at a time, and where the printed board's corners are in it, (4, 2).
    take: Callable[[float], tuple[Picture, Float64s]]
    profile: Profile
    shows_stations: bool = True
    watch_after_s: float = 20.0  # so long the table is watched when the game is over
    question_wait_s: float = 0.0  # so long more while something is asked
    ends_game: bool = True  # whether somebody ends the game when it is over

    @classmethod
    def draw(cls, edition: Edition, kind: str, seed: int, size_wh: tuple[int, int]) -> "GameScene":
        """Return a drawn game, on a copy calibrated from a picture of it empty."""
        return cls.from_game(make_game(edition, kind, seed, size_wh), edition)

    @classmethod
    def from_game(cls, game: VirtualGame, edition: Edition) -> "GameScene":
        """Return the scene of an existing drawn game."""
        blank = game.camera.take(Scene(light=game.enactment.lamps[0].light))
        board = load_board(edition.board)
        profile = make_profile(blank.picture, board, blank.corners_px, "drawn", "")

        def take(t_s: float) -> tuple[Picture, Float64s]:
            frame = game.frame_at(t_s)
            return frame.picture, frame.corners_px

        return cls(game.enactment, take, profile)

    @classmethod
    def compose(
        cls,
        edition: Edition,
        seed: int,
        size_wh: tuple[int, int],
        play: Callable[[Board], PlayedGame] | None = None,
    ) -> "GameScene":
        """Return a game of real pixels: trains cut from photos, drawn hands."""
        library = Library(load_board(edition.board))
        game = composed_game(library, edition.board, seed, size_wh, play)

        def take(t_s: float) -> tuple[Picture, Float64s]:
            taken = game.take(t_s)
            return taken.picture, taken.truth.corners_px

        return cls(game.enactment, take, library.profile, False)

    @property
    def edition(self) -> str:
        """The edition's id."""
        return self.enactment.played.start.edition.id

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours."""
        return tuple(seat.colour for seat in self.enactment.played.start.seats)

    @property
    def duration_s(self) -> float:
        """The duration of the game."""
        return self.enactment.duration_s

    def events(self) -> tuple[EnactedEvent, ...]:
        """Return what happens at the table, in order of time."""
        return events_of(self.enactment)

    def truth(self, t_s: float) -> dict[Spot, str]:
        """Return the true pieces on the board."""
        held = held_in(self.enactment.stage_at(t_s), self.enactment.board)
        kinds = ("route", "station") if self.shows_stations else ("route",)
        return {spot: colour for spot, colour in held.items() if spot.kind in kinds}

    def is_true(self, spot: Spot, colour: str | None, t_s: float) -> bool:
        """Tell whether a spot's colour is true."""
        return self.truth(t_s).get(spot) == colour

    def is_known(self, spot: Spot) -> bool:
        """Tell whether the truth of a spot is known."""
        return True

    def claims(self, until_s: float) -> Iterator[tuple[str, float, float]]:
        """Yield the claims that were not withdrawn: spot, time, and when the hand left."""
        claimed: dict[str, float] = {}
        kinds = ("claimed", "station built") if self.shows_stations else ("claimed",)
        for event in self.events():
            if event.t_s >= until_s:
                return
            if event.kind in kinds:
                claimed[event.name] = event.t_s
            elif event.kind == "withdrawn":
                claimed.pop(event.name, None)
            elif event.kind == "hand left" and event.name in claimed:
                yield event.name, claimed.pop(event.name), event.t_s

    def is_still_at(self, t_s: float) -> bool:
        """Tell whether no hand is moving."""
        return not self.enactment.hands_at(t_s)

    def movement_starts(self) -> Float64s:
        """Return the times at which something begins to happen."""
        timeline = self.enactment
        starts = [reach.start_s for reach in timeline.hand_movements]
        starts += [t_s for one in timeline.border_things for t_s in (one.start_s, one.end_s)]
        starts += [lamp.start_s for lamp in timeline.lamps]
        return np.sort(starts)

    def hand_intervals(self) -> list[tuple[float, float]]:
        """Return the intervals with hands over the board, shortened at both ends."""
        spans: list[tuple[float, float]] = []
        for reach in sorted(self.enactment.hand_movements, key=lambda reach: reach.start_s):
            begin_s, end_s = reach.start_s, reach.end_s
            if spans and begin_s <= spans[-1][1]:
                begin_s, end_s = spans[-1][0], max(end_s, spans.pop()[1])
            spans.append((begin_s, end_s))
        return [(begin_s + MARGINS_S[0], end_s - MARGINS_S[1]) for begin_s, end_s in spans]
