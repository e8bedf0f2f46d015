"""Computers that sit at the table: they make their moves when it is their turn, and are waited for.

A computer sees what a person in its seat would, and nothing else. It lays no trains: what it claims
is shown, and somebody lays it. Until that lies there, it begins no new turn.
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
# Seconds that a computer takes for a move at least, so that people can follow. Chosen.
PACE_S = 1.5


class MoveChooser(Protocol):
    """What chooses a computer's moves."""

    def move(self, view: SeatView) -> Move:
        """Choose the next move, of what a seat sees."""


class Computers(WokenWorker):
    """Plays for the seats in which computers sit, while its `with` block runs.

    `chooser_for` makes a mind for a player; without it, one of the player's strength. `pace_s` is
    how long a move takes at least.
    """

    def __init__(
        self,
        table: LiveTable,
        chooser_for: Callable[[Player], MoveChooser] | None = None,
        pace_s: float = PACE_S,
    ) -> None:
        super().__init__("computers")
        self._table, self._pace_s = table, pace_s
        self._mind_of = chooser_for or self._mind
        self._minds: dict[tuple[SeatId, str], MoveChooser] = {}

    def __enter__(self) -> Self:
        super().__enter__()
        self._table.subscribe(self.wake)
        return self

    def _mind(self, player: Player) -> MoveChooser:
        # The same after a restart: the game's id is random, and stays.
        seed = zlib.crc32(f"{self._table.log.id} {player.seat}".encode())
        return computer_player(player.computer, seed)

    def _step(self) -> None:
        while not self._stop_event.is_set() and self._play():
            pass

    def _play(self) -> bool:
        """Make one move, if one is a computer's; return whether there may be another."""
        before = self._table.log.state
        seat = waited_for(before.table)
        if seat is None:
            return False
        player = before.table.player(seat)
        if player is None:
            return False
        mind = self._minds.setdefault((seat, player.computer), self._mind_of(player))
        began_s = time.monotonic()
        move = mind.move(seat_view(before.table, seat))
        if self._stop_event.wait(max(0.0, self._pace_s - (time.monotonic() - began_s))):
            return False
        if self._table.log.state is not before:
            return True  # something was said meanwhile: it is thought over
        try:
            self._table.do(PlayMove(seat, move))
        except (EventError, GameLogError):
            LOG.exception("the move of %s was refused", seat)
            return False
        return True


def waited_for(table: TableState) -> SeatId | None:
    """Return the seat of a computer that has to move now; None where people are waited for."""
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
