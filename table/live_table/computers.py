"""Computer players at a live table: a thread that plays their turns.

A computer sees only what a person in its seat would see. People lay its trains; before they do, it
begins no new turn.
"""

from __future__ import annotations

import logging
import time
import zlib
from collections.abc import Callable
from typing import Protocol, Self

from railspotter.scoring.dealing.moves import Move
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.simulation.computer_players.strengths import computer_player

from ..game_log.errors import EventError, GameLogError
from ..game_log.facts import SeatId
from ..game_log.people_facts import Player
from ..game_log.table_state import TableState
from ..worker import WokenWorker
from .card_play import seat_view
from .commands import PlayMove
from .live_table import LiveTable

LOG = logging.getLogger(__name__)
# The least seconds for a move, so that people can follow. Chosen.
PACE_S = 1.5


class MoveChooser(Protocol):
    """The strategy of a computer player."""

    def move(self, view: SeatView) -> Move:
        """Choose the next move."""


class Computers(WokenWorker):
    """A thread that plays for all computer players.

    `chooser_for` makes a player's strategy, by default one of the player's strength. `pace_s` is
    the least time for a move.
    """

    def __init__(
        self,
        table: LiveTable,
        chooser_for: Callable[[Player], MoveChooser] | None = None,
        pace_s: float = PACE_S,
    ) -> None:
        super().__init__("computers")
        self._table, self._pace_s = table, pace_s
        self._chooser_for = chooser_for or self._default_chooser
        self._choosers: dict[tuple[SeatId, str], MoveChooser] = {}

    def __enter__(self) -> Self:
        super().__enter__()
        self._table.subscribe(self.wake)
        return self

    def _default_chooser(self, player: Player) -> MoveChooser:
        # The seed is the same after a restart.
        seed = zlib.crc32(f"{self._table.log.id} {player.seat}".encode())
        return computer_player(player.computer, seed)

    def _step(self) -> None:
        while not self._stop_event.is_set() and self._play():
            pass

    def _play(self) -> bool:
        """Play one move if it is a computer's turn; return whether there may be another."""
        before = self._table.log.state
        seat = computer_to_move(before.table)
        if seat is None:
            return False
        player = before.table.player(seat)
        if player is None:
            return False
        chooser = self._choosers.setdefault((seat, player.computer), self._chooser_for(player))
        began_s = time.monotonic()
        move = chooser.move(seat_view(before.table, seat))
        if self._stop_event.wait(max(0.0, self._pace_s - (time.monotonic() - began_s))):
            return False
        if self._table.log.state is not before:
            return True  # the game changed meanwhile: choose again
        try:
            self._table.execute(PlayMove(seat, move))
        except (EventError, GameLogError):
            LOG.exception("the move of %s was refused", seat)
            return False
        return True


def computer_to_move(table: TableState) -> SeatId | None:
    """Return the seat of a computer that has to move now; None if it is people's turn."""
    dealing = table.dealing
    if dealing is None or table.ended or table.paused:
        return None
    computers = {p.seat: p.colour for p in table.players if p.computer and p.seat not in table.left}
    if dealing.is_choosing_first:
        return next((seat for seat in computers if seat in dealing.offered), None)
    seat = table.turn
    if seat not in computers or computers[seat] in table.to_lay.values():
        return None
    return seat
