"""A program that plays a game with cards on phones and says what it showed; made to be killed."""

from __future__ import annotations

import sys
from pathlib import Path

from railspotter.simulation.computer_players.strengths import computer_player
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table.card_play import dealing_facts, move_facts, seat_view


def hands_text(table: TableState) -> str:
    """All that phones were shown of hands, on one line."""
    dealing = table.dealing
    if dealing is None:
        return "-"
    hands = {seat: sorted(dealing.hand(seat).items()) for seat in sorted(dealing.hands)}
    offered = {seat: [(t.a, t.b) for t in tickets] for seat, tickets in dealing.offered.items()}
    return f"{hands} {offered}"


def play(path: Path) -> None:
    """Go on with a game to its end; say each event's number and the hands once they are written."""
    with GameLog(path) as log:
        if facts := dealing_facts(log.state.table):
            log.append(facts, 1.0)
        bots = {
            one.seat: computer_player("medium", i) for i, one in enumerate(log.state.table.players)
        }
        while not log.state.table.ended:
            table = log.state.table
            assert table.dealing is not None
            seat = table.turn
            if table.dealing.is_choosing_first:
                seat = next(iter(table.dealing.offered))
            assert seat is not None
            move = bots[seat].move(seat_view(table, seat))
            log.append(move_facts(log.state, seat, move), 2.0)
            print(len(log.state.events), hands_text(log.state.table), flush=True)
        print("ended", flush=True)


if __name__ == "__main__":
    play(Path(sys.argv[1]))
