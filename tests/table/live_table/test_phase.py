"""The phase of a table, from its seats to its winner, and the steps in which points are counted."""

from math import inf

import msgspec
import pytest
from logged_games import STARTED, after
from railspotter.scoring.game import TicketText
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import (
    GameEnded,
    LastTurnsBegun,
    PointsCounted,
    TurnMarked,
    Undone,
)
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import GameState, fold
from railspotter.table.game_log.people_facts import Player, TicketRevealed, TicketTaken
from railspotter.table.live_table.phase import (
    FIRST_S,
    LAST_S,
    MOST_S,
    STEP_S,
    CountingStep,
    counting_facts,
    counting_of,
    phase_of,
)

BOTH = ("ann", "bob")
CLAIMS = (
    Placed.on(Spot("route", "helena--seattle"), colour="red", by="camera"),
    Placed.on(Spot("route", "calgary--seattle"), colour="blue", by="camera"),
)
DONE, OPEN = TicketText("helena", "seattle", 7), TicketText("boston", "miami")
SHOWN = (TicketRevealed("ann", DONE), TicketRevealed("bob", OPEN))
BEGUN_S = 500.0


def game(*facts: Fact, started: Fact = STARTED) -> GameState:
    return after(fold([Event(1, 0.0, started)]), *facts)


def counted(*facts: Fact) -> GameState:
    """A game whose points are counted from `BEGUN_S` on."""
    ended = game(*facts, GameEnded())
    return ended.after(Event(len(ended.events) + 1, BEGUN_S, PointsCounted()))


@pytest.mark.parametrize(
    ("facts", "seated", "phase"),
    [
        pytest.param([], ["ann"], "seats", id="Bob has no seat yet"),
        pytest.param([], BOTH, "tickets", id="all sit"),
        pytest.param([CLAIMS[0]], [], "play", id="something lies there"),
        pytest.param([TurnMarked("bob")], [], "play", id="it is somebody's turn"),
        pytest.param([CLAIMS[0], LastTurnsBegun("ann")], BOTH, "last_turns", id="few trains"),
        pytest.param([LastTurnsBegun("ann"), GameEnded()], BOTH, "show_tickets", id="over"),
        pytest.param([LastTurnsBegun("ann"), GameEnded(), Undone(3)], [], "last_turns", id="not"),
        pytest.param([GameEnded(), PointsCounted(), Undone(3)], [], "show_tickets", id="uncounted"),
        pytest.param([GameEnded(), PointsCounted(), Undone(2)], BOTH, "tickets", id="back"),
    ],
)
def test_the_phase_follows_from_the_log_and_the_seats(
    facts: list[Fact], seated: list[str], phase: str
) -> None:
    assert phase_of(game(*facts).table, seated, inf) == phase


def test_nobody_waits_for_a_computer_to_sit_down() -> None:
    robot = Player("robot", "green", computer="easy")
    started = msgspec.structs.replace(STARTED, players=(*STARTED.players, robot))
    assert phase_of(game(started=started).table, BOTH, inf) == "tickets"


def test_points_are_counted_by_the_clock_lowest_first_and_the_path_last() -> None:
    table = counted(*CLAIMS, *SHOWN).table
    counting = counting_of(table)
    assert counting is not None
    first_s = BEGUN_S + FIRST_S
    # Bob's route is worth less; Ann has a route, a ticket and the longest path.
    assert counting.steps == (
        CountingStep(BEGUN_S),
        CountingStep(first_s, "bob", 1),
        CountingStep(first_s + STEP_S, "ann", 1),
        CountingStep(first_s + 2 * STEP_S, "ann", 2),
    )
    assert counting.ends_at_s == first_s + 2 * STEP_S + LAST_S
    assert phase_of(table, BOTH, counting.ends_at_s - 0.01) == "counting"
    assert phase_of(table, BOTH, counting.ends_at_s) == "winner"


def test_many_tickets_take_no_longer_and_none_are_no_winner_at_once() -> None:
    places = [place.id for place in game().table.board.places[:12]]
    pairs = [(a, b) for i, a in enumerate(places) for b in places[i + 1 :]]
    many = [TicketRevealed("ann", TicketText(a, b, 5)) for a, b in pairs]
    for facts, longest_s in ((many, MOST_S), ((), 0.0)):
        counting = counting_of(counted(*facts).table)
        assert counting is not None
        took_s = counting.ends_at_s - BEGUN_S
        assert LAST_S <= took_s <= FIRST_S + longest_s + LAST_S


def test_what_nobody_has_shown_changes_no_step() -> None:
    hidden = TicketTaken("bob", TicketText("calgary", "phoenix"))
    assert counting_of(counted(*CLAIMS, hidden, *SHOWN).table) == counting_of(
        counted(*CLAIMS, *SHOWN).table
    )


def test_counting_begins_when_all_is_shown_and_nothing_is_asked() -> None:
    hidden = TicketTaken("ann", TicketText("calgary", "phoenix"))
    due = game(*SHOWN, GameEnded())
    assert counting_facts(due, is_asked=False) == (PointsCounted(),)
    assert counting_facts(due, is_asked=True) == ()
    for other in (
        game(*SHOWN),
        game(SHOWN[0], GameEnded()),
        game(*SHOWN, hidden, GameEnded()),
        counted(*SHOWN),
    ):
        assert counting_facts(other, is_asked=False) == ()


def test_a_count_that_was_taken_back_comes_again_only_with_another_ticket_or_end() -> None:
    back = [*SHOWN, GameEnded(), PointsCounted(), Undone(5)]  # the fifth event, after the start
    assert counting_facts(game(*back), is_asked=False) == ()
    more = TicketRevealed("ann", TicketText("calgary", "phoenix"))
    for facts in ([*back, more], [*back, Undone(4), GameEnded()]):
        assert counting_facts(game(*facts), is_asked=False) == (PointsCounted(),)
