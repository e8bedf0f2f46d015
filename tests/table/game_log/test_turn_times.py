"""Turn times: from mark to mark, pauses left out; nothing where turns are not marked."""

import pytest
from logged_games import DULUTH, NASHVILLE, SEATTLE, STARTED
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed, TakenBack
from railspotter.table.game_log.course_facts import (
    GameEnded,
    GamePackedAway,
    GamePaused,
    GameResumed,
    TurnMarked,
    Undone,
)
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import begin
from railspotter.table.game_log.people_facts import PlayerLeft
from railspotter.table.game_log.turn_times import RunningTurn, turn_times

ANN, BOB = TurnMarked("ann"), TurnMarked("bob")


def claim(route: str, colour: str) -> Placed:
    return Placed.on(Spot("route", route), colour=colour, by="camera")


def times(*said: tuple[float, Fact]) -> tuple[list[tuple[str, float, int]], RunningTurn | None]:
    game = begin(Event(1, 1000.0, STARTED))
    for seq, (at_s, fact) in enumerate(said, start=2):
        game = game.after(Event(seq, 1000.0 + at_s, fact))
    found = turn_times(game)
    return [(one.seat, one.seconds, one.turns) for one in found.seats], found.running


def test_a_turn_runs_from_its_mark_to_that_of_who_comes_next() -> None:
    seats, running = times((0, ANN), (40, BOB), (70, ANN), (75, claim(SEATTLE, "red")), (80, BOB))
    assert seats == [("ann", 50.0, 2), ("bob", 30.0, 1)]
    assert running == RunningTurn("bob", 0.0, 1080.0)
    assert running.at(1090.0) == 10.0
    assert running.at(0.0) == 0.0, "a clock may go back"


def test_a_pause_is_left_out_and_the_end_ends_the_last_turn() -> None:
    seats, running = times(
        (0, ANN), (10, GamePaused()), (500, GameResumed()), (520, BOB), (525, GameEnded())
    )
    assert seats == [("ann", 30.0, 1), ("bob", 5.0, 1)]
    assert running is None
    _, running = times((0, ANN), (10, GamePaused()))
    assert running == RunningTurn("ann", 10.0, None)
    assert running.at(9e9) == 10.0


def test_a_game_that_is_packed_away_has_no_turn() -> None:
    seats, _ = times((0, ANN), (10, GamePackedAway()), (9e5, GameResumed()), (9e5 + 5, BOB))
    assert seats == [("ann", 15.0, 1), ("bob", 0.0, 0)]


def test_a_pause_that_was_undone_is_none() -> None:
    assert times((0, ANN), (10, GamePaused()), (20, Undone(3)), (30, BOB))[0] == [
        ("ann", 30.0, 1),
        ("bob", 0.0, 0),
    ]


@pytest.mark.parametrize(
    "said",
    [
        pytest.param([(9.0, claim(SEATTLE, "red")), (60.0, GameEnded())], id="no marks"),
        pytest.param([(0.0, ANN), (9.0, claim(SEATTLE, "red"))], id="no turn over yet"),
        pytest.param(
            [
                (0.0, ANN),
                (20.0, claim(SEATTLE, "red")),
                (60.0, claim(DULUTH, "blue")),
                (90.0, claim(NASHVILLE, "red")),
                (99.0, BOB),
            ],
            id="a mark now and then",
        ),
        pytest.param([(0.0, ANN), (4000.0, BOB)], id="a program that was off"),
    ],
)
def test_nothing_is_said_where_turns_are_not_known(said: list[tuple[float, Fact]]) -> None:
    assert times(*said)[0] == []


def test_a_claim_that_the_camera_writes_late_is_of_the_turn_before() -> None:
    seats, _ = times((0, ANN), (30, BOB), (31, claim(SEATTLE, "red")), (50, ANN))
    assert seats == [("ann", 30.0, 1), ("bob", 20.0, 1)]


def test_a_claim_that_was_taken_off_again_makes_no_second_turn() -> None:
    wrong = Spot("route", SEATTLE)
    seats, _ = times(
        (0, ANN),
        (20, claim(SEATTLE, "red")),
        (25, TakenBack.on(wrong, by="camera", why="")),
        (30, claim(DULUTH, "red")),
        (40, BOB),
    )
    assert seats == [("ann", 40.0, 1), ("bob", 0.0, 0)]


def test_who_has_left_is_passed_over() -> None:
    seats, running = times((0, ANN), (20, BOB), (30, PlayerLeft("bob")), (31, ANN), (41, ANN))
    assert seats == [("ann", 20.0, 1), ("bob", 11.0, 1)]
    assert running == RunningTurn("ann", 10.0, 1041.0)
