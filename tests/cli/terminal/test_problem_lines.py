"""What the terminal says of a board on which lies what cannot be, with the words of `score`."""

import json
from pathlib import Path

import pytest
from logged_games import BOTH_LANES, IMPOSSIBLE, NEW_YORK, TOO_MANY, after
from railspotter.cli.command import main
from railspotter.cli.terminal.watching import TerminalLog
from railspotter.scoring.game import TicketText
from railspotter.table.game_log.course_facts import GameEnded
from railspotter.table.game_log.exports import state_as_game_text
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import GameState, begin
from railspotter.table.game_log.people_facts import TicketRevealed
from railspotter.table.game_text.score_lines import final_lines
from railspotter.table.live_table.table_view import TableView

LANES = "on the page: Brooklyn - Chinatown (second lane) or Brooklyn - Chinatown (first lane)"


@pytest.fixture
def state() -> GameState:
    return after(begin(Event(1, 0.0, NEW_YORK)), *IMPOSSIBLE)


def test_it_is_said_at_the_claim_once_with_two_ways_to_put_it_right(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table, now = TerminalLog(), begin(Event(1, 0.0, NEW_YORK))
    table.update(TableView(now), ())
    for number, fact in enumerate(IMPOSSIBLE, start=1):
        assert "problem" not in capsys.readouterr().out
        now = after(now, fact)
        table.update(TableView(now), now.events[-1:])
        if number == len(IMPOSSIBLE) - 1:
            assert f"problem: {TOO_MANY} (" in capsys.readouterr().out
    said = capsys.readouterr().out
    assert f"problem: {BOTH_LANES} (" in said
    assert LANES in said
    assert TOO_MANY not in said, "that was said before"


def test_who_wins_is_not_said_without_what_is_wrong(
    state: GameState, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = {"ann": TicketText("central-park", "chelsea"), "bob": TicketText("chelsea", "brooklyn")}
    ended = after(state, *(TicketRevealed(*one) for one in shown.items()), GameEnded())
    told = [*final_lines(ended.table)]
    assert told[-1].startswith("winner, problems aside: Ann (red)")
    file = tmp_path / "game.json"
    file.write_text(state_as_game_text(ended))
    assert main(["score", str(file)]) == 0
    scored = capsys.readouterr().out.splitlines()
    assert [line for line in told if "problem" in line] == [
        line for line in scored if "problem" in line
    ]
    assert main(["score", str(file), "--json"]) == 0
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert {BOTH_LANES, TOO_MANY} <= {problem["what"] for problem in problems}
