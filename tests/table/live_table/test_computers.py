"""Computers at the table play as strongly as their seats say."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from railspotter.simulation.computer_players.computer_player import ComputerPlayer
from railspotter.simulation.computer_players.strengths import STRENGTHS, computer_player
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.computers import Computers
from railspotter.table.live_table.live_table import LiveTable


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_computer_plays_by_the_strength_of_its_seat_and_the_same_after_a_restart(
    strength: str,
) -> None:
    table = cast(LiveTable, SimpleNamespace(log=SimpleNamespace(id="friday")))
    player = Player("seat-red", "red", computer=strength)
    one, again = (cast(ComputerPlayer, Computers(table)._mind(player)) for _ in range(2))
    assert type(one) is type(computer_player(strength))
    assert one.seed == again.seed
