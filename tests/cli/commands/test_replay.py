"""A logged game is told event by event."""

import json
from pathlib import Path

import pytest
from railspotter.cli.command import main
from railspotter.scoring.game import TicketText
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.course_facts import GameStarted, Undone
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player, TicketTaken

STARTED = GameStarted("usa", (Player("ann", "red", "Ann"), Player("bo", "blue", "Bo")))


def test_a_game_is_told_event_by_event(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with GameStore(home).create(STARTED, 1_790_000_000.0) as log:
        log.append([Placed.on(Spot("route", "helena--seattle"), colour="red", by="camera")], 1e9)
        log.append([ticket()], 1e9)
        log.append([Corrected.on(Spot("route", "helena--seattle"), was="red", now=None)], 1e9)
        log.append([Undone(4)], 1e9)
        game = log.id
    assert main(["replay", game[:8]]) == 0
    out = capsys.readouterr().out
    assert "Ann (red): Helena - Seattle" in out
    assert "Ann (red) 15 (39 left)" in out
    assert "undone: corrected" in out
    assert main(["replay", game[:8], "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["kind"] for line in lines] == [
        "game_started",
        "route_claimed",
        "claim_corrected",
        "undone",
    ], "a ticket that is not revealed is not told"
    assert lines[-1]["points"] == {"red": 15, "blue": 0}
    assert [line["stands"] for line in lines] == [True, True, False, True]


def ticket() -> TicketTaken:
    return TicketTaken("ann", TicketText("new-york", "seattle"))
