"""The demo: simulated games on a drawn board, read as a photo or at a live table."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace

from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.dealing.moves import ticket_texts
from railspotter.scoring.edition import Edition, load_edition
from railspotter.scoring.game import TicketText
from railspotter.scoring.sentence import Sentence
from railspotter.simulation.enactment.habits import CALM, Habits
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Sensor
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import VirtualGame, virtual_game
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.sources.source import Source
from railspotter.vision.watching.settling import WatchState

from ..game_log.facts import Event, SeatId
from ..game_log.people_facts import Player
from ..live_table.live_table import LiveTable
from ..live_table.table_view import TableView
from ..photos.score import PhotoScorer, ReadingPlan
from ..photos.scored_photo import ScoredPhoto

BOARD = "usa"
SEED = 7  # of the game whose end is printed
# Of the first game on the page: another one, so that its end is not known.
LIVE_SEED = SEED + 1
SIZE_WH = (1280, 720)
# A game of four takes some six minutes. The players' hands cover the board now and then.
HABITS = replace(CALM, pace=3.0, thinking_s=(1.5, 4.0), pointing=0.1, over_border=0.3)
PER_S = 5.0
# Slows the game down on a slow computer: hands that jump would never settle.
LONGEST_STEP_S = 0.4


def demo_game(
    seed: int = SEED, habits: Habits = HABITS, size_wh: tuple[int, int] = SIZE_WH
) -> VirtualGame:
    """Return a simulated game on the drawn board, with a fixed camera."""
    view = CameraSetup(size_wh, tilt_deg=12.0, heading_deg=4.0)
    return virtual_game(
        load_edition(BOARD), load_board(BOARD), seed, habits, view=view, sensor=Sensor(seed=seed)
    )


def demo_score() -> ScoredPhoto:
    """Read and score the end of the demo game."""
    game = demo_game()
    start = game.enactment.played.start
    scorer = PhotoScorer(ReadingPlan(start.board, start.edition, _profile_of(game)))
    return scorer.score([("drawn board", game.frame_at(game.duration_s).picture)])


def _profile_of(game: VirtualGame) -> Profile:
    """Make the profile of a drawn board from a picture of it, empty."""
    blank = game.camera.take(Scene(light=game.enactment.lamps[0].light))
    board = game.enactment.played.start.board
    return make_profile(blank.picture, board, blank.corners_px, "demo", "")


@dataclass(frozen=True, eq=False)
class DemoTable:
    """A demo game as a source, with its players and profile."""

    edition: Edition
    players: tuple[Player, ...]
    source: Source
    profile: Profile
    tickets: Mapping[SeatId, tuple[TicketText, ...]]  # each seat's at the end
    is_watched: threading.Event  # starts the game when it is set

    def set_up(self, table: LiveTable) -> None:
        """Start the simulated players as soon as the table watches their board."""

        def on_change(view: TableView, _: tuple[Event, ...]) -> None:
            if view.sight.state is WatchState.SETTLED:
                self.is_watched.set()

        table.subscribe(on_change)


def demo_table(seed: int = LIVE_SEED) -> DemoTable:
    """Return a simulated game as a source."""
    game = demo_game(seed)
    played = game.enactment.played
    players = tuple(Player(seat.colour, seat.colour) for seat in played.start.seats)
    tickets = {colour: ticket_texts(held) for colour, held in played.end.tickets.items()}
    is_watched = threading.Event()
    source = VirtualBoard(
        lambda t_s: game.frame_at(t_s).picture,
        duration_s=game.duration_s,
        per_s=PER_S,
        name=Sentence("the demo game"),
        may_begin=is_watched.is_set,
        longest_step_s=LONGEST_STEP_S,
    )
    return DemoTable(played.start.edition, players, source, _profile_of(game), tickets, is_watched)
