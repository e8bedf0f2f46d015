"""A drawn game of the USA, small, for live tables that are watched on a clock of their own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from at_once import AtOnce
from enacted_events import claims_at
from railspotter.calibration.arrays import Picture
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import RouteId, load_board
from railspotter.scoring.edition import Colour, load_edition
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import VirtualGame, plain_game
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.live_table import LiveTable
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard

SEED, SIZE_WH = 3, (960, 640)
FIRST_CLAIM_S = 12.0  # by then the first claim of this game is settled, and the next one not begun


@cache
def game() -> VirtualGame:
    return plain_game(load_edition("usa"), load_board("usa"), SEED, SIZE_WH)


def true_claims(t_s: float) -> dict[RouteId, Colour]:
    return claims_at(game().enactment, t_s)


def small_log(folder: Path) -> GameLog:
    """Begin the log of the game in a folder."""
    players = tuple(Player(s.colour, s.colour) for s in game().enactment.played.start.seats)
    return GameStore(folder).create(GameStarted("usa", players), 1.0)


@cache
def profile() -> Profile:
    blank = game().camera.take(Scene(light=game().enactment.lamps[0].light))
    return make_profile(blank.picture, load_board("usa"), blank.corners_px, "drawn", "")


@contextmanager
def watching(
    log: GameLog,
    picture_at: Callable[[float], Picture],
    for_s: float,
    fps: float = 5.0,
    meanwhile: Callable[[], object] = lambda: None,
) -> Iterator[LiveTable]:
    """A table whose camera shows pictures, and ends after so many seconds of a clock of its own."""
    source = VirtualBoard(picture_at, for_s, fps, as_fast_as_read=True)
    with Grabber(source) as grabber:
        yield LiveTable(log, grabber, profile(), work=AtOnce(meanwhile))


def turn_until(table: LiveTable, is_so: Callable[[], object]) -> None:
    """Let a table turn until something is so, before its camera ends."""
    while not is_so():
        assert not table.view.is_over
        table.process_next_frame()


def turn_to_the_end(table: LiveTable) -> None:
    while not table.view.is_over:
        table.process_next_frame()
