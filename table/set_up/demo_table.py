"""A live table without a table: a drawn game before a drawn camera, to try `railspotter play`."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from railspotter.calibration.profiles import Profile, make_profile
from railspotter.scoring import Edition, load_edition
from railspotter.scoring.game import TicketText
from railspotter.simulation.virtual_board import Scene
from railspotter.vision.sources import Source, VirtualBoard
from railspotter.vision.watching import WatchState

from ..game_log import Event, Player, SeatId
from ..live_table import LiveTable, TableView
from .demo_board import LIVE_SEED, demo_game

PER_S = 5.0
LONGEST_STEP_S = 0.4
"""On a slow computer the drawn players are slow too: hands that jump would settle nowhere."""


@dataclass(frozen=True, eq=False)
class DemoTable:
    """What is before the camera, and what is known of it beforehand.

    Attributes
    ----------
    tickets : mapping of str to tuple of TicketText
        What each seat holds at the end.
    is_watched : threading.Event
        Until it is set nobody lays anything.
    """

    edition: Edition
    players: tuple[Player, ...]
    source: Source
    profile: Profile
    tickets: Mapping[SeatId, tuple[TicketText, ...]]
    is_watched: threading.Event

    def set_up(self, table: LiveTable) -> None:
        """Let the drawn players begin as soon as the table watches their board."""

        def told(view: TableView, _: tuple[Event, ...]) -> None:
            if view.state is WatchState.SETTLED:
                self.is_watched.set()

        table.subscribe(told)


def demo_table(seed: int = LIVE_SEED) -> DemoTable:
    """Return a drawn game as a source; its profile is made from a picture of the board empty."""
    game = demo_game(seed)
    played = game.enactment.played
    blank = game.camera.take(Scene(light=game.enactment.timeline.lamps[0].light))
    profile = make_profile(blank.picture, played.board, blank.corners_px, "demo", "")
    players = tuple(Player(seat.colour, seat.colour) for seat in played.seats)
    tickets = dict(played.final.tickets)  # a drawn player's seat is called by its colour
    is_watched = threading.Event()
    source = VirtualBoard(
        lambda t_s: game.frame_at(t_s).picture,
        duration_s=game.duration_s,
        per_s=PER_S,
        name="the drawn game",
        may_begin=is_watched.is_set,
        longest_step_s=LONGEST_STEP_S,
    )
    edition = load_edition(played.edition.id)
    return DemoTable(edition, players, source, profile, tickets, is_watched)
