"""Computer players at a live table: a thread that plays their turns.

A computer sees only what a person in its seat would see. People lay its trains; before they do, it
begins no new turn.
"""

import logging
import time
import zlib
from typing import Self

from railspotter.simulation.computer_players.computer_player import ComputerPlayer
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


class Computers(WokenWorker):
    """A thread that plays for all computer players; `pace_s` is the least time for a move."""

    def __init__(self, table: LiveTable, pace_s: float = PACE_S) -> None:
        super().__init__("computers")
        self._table, self._pace_s = table, pace_s
        self._players: dict[tuple[SeatId, str], ComputerPlayer] = {}

    def __enter__(self) -> Self:
        super().__enter__()
        self._table.subscribe(self.wake)
        return self

    def _player(self, player: Player) -> ComputerPlayer:
        key = player.seat, player.computer
        if key not in self._players:
            # The seed is the same after a restart.
            seed = zlib.crc32(f"{self._table.log.id} {player.seat}".encode())
            self._players[key] = computer_player(player.computer, seed)
        return self._players[key]

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
        began_s = time.monotonic()
        move = self._player(player).move(seat_view(before.table, seat))
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
