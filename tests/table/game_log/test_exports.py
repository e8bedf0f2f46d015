"""Exports for other programs: complete, readable, and silent about secrets."""

import csv
import io
import json

import pytest
from logged_games import (
    BOTH_LANES,
    DULUTH,
    IMPOSSIBLE,
    NEW_YORK,
    SEATTLE,
    STARTED,
    TICKET,
    TOO_MANY,
    after,
    end_of,
    played,
    start_of,
    steps_of,
)
from railspotter.scoring.answer import answer, parse_game
from railspotter.scoring.game import TicketText
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameRenamed, Redone, Undone
from railspotter.table.game_log.events import parse_event
from railspotter.table.game_log.exports import (
    COLUMNS,
    events_as_csv,
    events_as_jsonl,
    state_as_game_text,
)
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import GameState, begin, fold
from railspotter.table.game_log.people_facts import (
    PlayerRecoloured,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
)

CLAIM = Placed.on(Spot("route", SEATTLE), colour="red", by="camera")
SHOWN = TicketText("dallas", "new-york")


@pytest.fixture
def state() -> GameState:
    """Five secret facts: taken, dropped and undone; two about a ticket that was revealed."""
    state = begin(Event(1, 0.0, STARTED))
    state = after(state, CLAIM, TicketTaken("ann", TICKET), TicketTaken("bob", SHOWN))
    state = after(state, TicketRevealed("bob", SHOWN), TicketDropped("ann", TICKET))
    state = after(state, Undone(6))
    return after(state, Redone(6))


def test_jsonl_is_the_log_itself(state: GameState) -> None:
    lines = events_as_jsonl(state, with_secrets=True).splitlines()
    assert fold(map(parse_event, lines)) == state


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_secrets_are_left_out_unless_asked_for(state: GameState) -> None:
    public = [parse_event(line).seq for line in events_as_jsonl(state).splitlines()]
    assert public == [1, 2, 4, 5]
    assert [int(row["seq"]) for row in rows(events_as_csv(state))] == public
    for export in (events_as_jsonl, events_as_csv, state_as_game_text):
        assert "calgary" not in export(state)
        assert "dallas" in export(state)
    assert "calgary" in events_as_jsonl(state, with_secrets=True)
    assert len(rows(events_as_csv(state, with_secrets=True))) == len(state.events)


def test_a_ticket_that_is_hidden_again_is_a_secret_again(state: GameState) -> None:
    hidden = after(state, state.undo(5))
    assert "dallas" not in events_as_jsonl(hidden)
    assert "dallas" not in events_as_csv(hidden)
    assert "dallas" not in state_as_game_text(hidden)


def test_the_table_tells_what_stands() -> None:
    state = after(begin(Event(1, 1e9, STARTED)), CLAIM)
    state = after(state, Undone(2))
    told = rows(events_as_csv(state))
    assert tuple(told[0]) == COLUMNS
    assert [row["stands"] for row in told] == ["yes", "no", "yes"]
    assert told[0]["time"] == "2001-09-09T01:46:40.000+00:00"
    assert (told[1]["kind"], told[1]["route"], told[1]["colour"]) == (
        "route_claimed",
        SEATTLE,
        "red",
    )
    assert json.loads(told[1]["fact"])["by"] == "camera"


def test_no_cell_is_taken_for_a_formula() -> None:
    formula = '=HYPERLINK("https://example.org")'
    state = after(begin(Event(1, 1e300, STARTED)), PlayerRecoloured("ann", formula))
    state = after(
        state, GameRenamed(formula), Placed.on(Spot("route", DULUTH), colour=formula, by="camera")
    )
    for row in rows(events_as_csv(state)):
        assert not any(cell.startswith("=") for cell in row.values())


@pytest.mark.parametrize(("name", "players"), [("usa", 3), ("europe", 2)])
def test_the_state_is_scored_by_the_score_command(name: str, players: int) -> None:
    bots = played(name, players)
    state = begin(Event(1, 0.0, start_of(bots)))
    for facts, _ in steps_of(bots):
        state = after(state, *facts)
    assert answer(parse_game(state_as_game_text(state))) == state.table.full_score
    state = after(state, *end_of(state))
    assert answer(parse_game(state_as_game_text(state))).standing == final_score(bots.end)


def test_the_table_tells_at_which_claim_something_became_impossible() -> None:
    state = after(begin(Event(1, 0.0, NEW_YORK)), *IMPOSSIBLE)
    told = [row["problems"] for row in rows(events_as_csv(state))]
    assert told == [*[""] * 5, TOO_MANY, BOTH_LANES]
