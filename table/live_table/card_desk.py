"""What people do at a table whose cards are on phones: moves, laying, and having cards back."""

from __future__ import annotations

from railspotter.scoring.dealing.moves import Move
from railspotter.scoring.spot import Spot

from ..game_log.budgets import HOST, Writer
from ..game_log.card_facts import CardsPutAway
from ..game_log.errors import EventError
from ..game_log.facts import Event, SeatId
from .card_play import deal_anew_facts, move_facts
from .live_table import LiveTable
from .taking_back import have_back_facts

# Hindrances in which nothing that is laid is seen: it is believed then.
NOBODY_SEES = ("camera", "board")


class CardDesk:
    """Writes down what is done with cards; `EventError` says in a sentence why it is refused."""

    def __init__(self, table: LiveTable) -> None:
        self._table = table

    def move(self, seat: SeatId, move: Move, by: Writer = HOST) -> tuple[Event, ...]:
        """Let a player make a move.

        What a person pays for while nobody sees the board, that person has laid or lays now. A
        computer lays nothing: somebody has to say that its pieces lie there.
        """
        view = self._table.view
        player = view.game.table.player(seat)
        is_hindered = view.hindrance is not None and view.hindrance.kind in NOBODY_SEES
        is_blind = view.is_over or not view.has_camera or is_hindered
        lies_there = is_blind and not (player is not None and player.computer)
        return self._table.write(
            lambda game: move_facts(game, seat, move, lies_there=lies_there), by
        )

    def lay(self, spot: Spot, by: Writer = HOST) -> tuple[Event, ...]:
        """Write down that what is paid for lies on the board, where no camera sees it."""
        table = self._table.log.state.table
        colour = table.to_lay.get(spot)
        if colour is None:
            raise EventError("nothing is to be laid there")
        return self._table.correct(spot, colour, by=by)

    def have_back(self, spot: Spot, by: Writer = HOST) -> tuple[Event, ...]:
        """Give the cards back that were paid for a spot: it is not claimed after all."""
        asked = self._table.view.asked_back
        return self._table.write(lambda game: have_back_facts(game, spot, by, asked), by)

    def deal_anew(self, seat: SeatId) -> tuple[Event, ...]:
        """Deal a hand anew that no phone may see any more."""
        return self._table.write(lambda game: deal_anew_facts(game.table, seat))

    def put_away(self, by: Writer = HOST) -> tuple[Event, ...]:
        """Go on with cards on the table: what lies on the board is claimed from now on."""
        if self._table.log.state.table.dealing is None:
            raise EventError("no cards are dealt here")
        return self._table.write([CardsPutAway()], by)
