"""No phone fills a log: who may write how much, and what no honest game ever meets."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from logged_games import SEATTLE, STARTED
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition, ticket_deck
from railspotter.scoring.game import TicketText
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.budgets import (
    BUDGETS,
    CAMERA,
    CAMERA_END,
    HOST,
    MOST_EVENTS,
    TABLE_END,
    TICKETS_END,
    Writer,
    require_budget,
)
from railspotter.table.game_log.course_facts import GameEnded, GameRenamed
from railspotter.table.game_log.errors import BudgetError
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import PlayerRenamed, TicketTaken
from railspotter.table.live_table.log_writer import LogWriter

ANN, BOB = Writer("player", "ann"), Writer("player", "bob")
SPOT = Spot("route", SEATTLE)
CLAIM = Placed.on(SPOT, colour="red", by="camera")
MOST_ROUTES, MOST_TICKETS = 147, 69  # the largest map and deck that the reckoning in `budgets` has


@pytest.fixture
def log(tmp_path: Path) -> Iterator[GameLog]:
    with GameStore(tmp_path).create(STARTED, 1e9) as log:
        yield log


def fill(log: GameLog, up_to: int) -> None:
    """Let the host write until the log has so many events."""
    log.append([GameRenamed("Friday")] * (up_to - len(log.state.events)), 1e9)


def test_a_seat_says_only_so_much_of_a_kind_also_after_a_restart(tmp_path: Path) -> None:
    renamed = [PlayerRenamed("ann", f"Ann {n}") for n in range(30)]
    store = GameStore(tmp_path)
    with store.create(STARTED, 1e9) as log:
        log.append(renamed[:29], 1e9, by=ANN)
        with pytest.raises(BudgetError, match="30 times from this seat"):
            log.append(renamed[:2], 1e9, by=ANN)
        log.append(renamed[:1], 1e9, by=ANN)
    with store.open(log.id) as log:
        before = log.state
        with pytest.raises(BudgetError):
            log.append(renamed[:1], 1e9, by=ANN)
        assert log.state is before
        # Of other kinds there is room, and others have room.
        log.append([Corrected.on(SPOT, now="red")], 1e9, by=ANN)
        log.append([PlayerRenamed("bob", "Bert")], 1e9, by=BOB)
        log.append(renamed, 1e9, by=HOST)


def test_the_end_of_a_log_is_kept(log: GameLog) -> None:
    ticket = TicketTaken("ann", load_ticket(log))
    fill(log, TABLE_END)
    with pytest.raises(BudgetError, match="only the host can still correct"):
        log.append([PlayerRenamed("ann", "A")], 1e9, by=ANN)
    log.append([CLAIM], 1e9, by=CAMERA)
    fill(log, CAMERA_END)
    with pytest.raises(BudgetError, match="what the camera sees"):
        log.append([CLAIM], 1e9, by=CAMERA)
    log.append([ticket], 1e9, by=ANN)
    fill(log, TICKETS_END)
    with pytest.raises(BudgetError):
        log.append([ticket], 1e9, by=BOB)
    log.append([Corrected.on(SPOT, was="red", now="blue"), GameEnded()], 1e9)
    assert log.state.table.ended


def load_ticket(log: GameLog) -> TicketText:
    table = log.state.table
    first = ticket_deck(load_edition(table.started.edition), table.board)[0]
    return TicketText(first.a, first.b)


def test_a_camera_without_room_says_so(log: GameLog) -> None:
    writer = LogWriter(log, lambda: 1e9)
    fill(log, CAMERA_END)
    writer.queue_fact(CLAIM)
    assert writer.write_queued() == ()
    assert "nearly full" in writer.trouble


def longest_game() -> Iterator[tuple[Writer, str, int]]:
    """Yield who says what how often in the longest honest game, as `budgets` reckons it."""
    yield CAMERA, "route_claimed", 2 * MOST_ROUTES
    yield CAMERA, "claim_withdrawn", MOST_ROUTES
    for seat in ("ann", "bob", "cleo", "dan", "eve"):
        by, share = Writer("player", seat), 1 if seat == "ann" else 2
        yield by, "claim_corrected", 3 * MOST_ROUTES // share
        yield by, "undone", 100 // share
        yield by, "redone", 100 // share
        yield by, "turn_marked", 5 * 70 // share
        yield by, "marker_compared", 70 // share
        yield by, "game_paused", 30 // share
        yield by, "game_resumed", 30 // share
        yield by, "player_renamed", 2
    yield ANN, "ticket_taken", 2 * MOST_TICKETS
    yield ANN, "ticket_dropped", MOST_TICKETS
    yield ANN, "ticket_revealed", MOST_TICKETS


def test_the_longest_honest_game_never_meets_a_budget() -> None:
    seq, said = 1, defaultdict[Writer, Counter[str]](Counter)
    for by, kind, times in longest_game():
        for _ in range(times):
            seq += 1
            require_budget(by, kind, seq, said[by])
            said[by][kind] += 1
    assert 4000 < seq < TABLE_END * 0.6


@pytest.mark.parametrize("name", ["usa", "usa-1910", "usa-mega", "usa-big-cities", "europe"])
def test_printed_games_are_not_larger_than_the_reckoning(name: str) -> None:
    edition = load_edition(name)
    board = load_board(edition.board)
    assert len(board.routes) <= MOST_ROUTES
    assert len(ticket_deck(edition, board)) <= MOST_TICKETS


def test_five_seats_that_spend_everything_leave_room_for_the_end() -> None:
    tickets = sum(budget.most for budget in BUDGETS if budget.end == TICKETS_END)
    table = sum(budget.most for budget in BUDGETS if budget.end == TABLE_END)
    assert 5 * table < TABLE_END
    assert CAMERA_END + 5 * tickets < TICKETS_END < MOST_EVENTS
