"""The scoreboard is what the standing says."""

import itertools
from dataclasses import replace

from railspotter.firmware_bridge.made_up_game import made_up_scoreboards
from railspotter.firmware_bridge.scoreboard import scoreboard_of
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.display_control import PiecesToLay
from standings import standing

USA = load_edition("usa")
BOARD = load_board("usa")


def test_a_game_counts_its_claims_and_ends_with_last_turns() -> None:
    boards = made_up_scoreboards()
    assert not boards[0].is_last_turns
    assert boards[-1].is_last_turns
    assert boards[0].claims == 0
    for before, now in itertools.pairwise(boards):
        fallen = [
            new.colour
            for old, new in zip(before.players, now.players, strict=True)
            if new.trains_left < old.trains_left
        ]
        assert now.claims == before.claims + len(fallen)
        if fallen:
            assert [now.newest_claim] == fallen
    assert boards[-1].claims > 20


def test_equal_paths_are_both_the_longest() -> None:
    claims = {"helena--seattle": "red", "calgary--vancouver": "blue"}
    now = scoreboard_of(standing(USA, BOARD, claims, ["red", "blue", "green"]), USA)
    assert [p.has_longest_path for p in now.players] == [True, False, False]
    claims = {"denver--omaha": "red", "calgary--seattle": "blue"}
    now = scoreboard_of(standing(USA, BOARD, claims, ["red", "blue", "green"]), USA)
    assert [p.has_longest_path for p in now.players] == [True, True, False]


def test_no_bonus_no_holder() -> None:
    claims = {"helena--seattle": "red"}
    philly = load_edition("philly")
    assert philly.longest_path_bonus == 0
    now = scoreboard_of(standing(USA, BOARD, claims, ["red"]), philly)
    assert not now.players[0].has_longest_path


def test_two_claims_at_once_are_nobodys_newest() -> None:
    start = scoreboard_of(standing(USA, BOARD, {}, ["red", "blue"]), USA)
    claims = {"helena--seattle": "red", "denver--omaha": "blue"}
    now = scoreboard_of(standing(USA, BOARD, claims, ["red", "blue"]), USA, start, ["red", "blue"])
    assert (now.claims, now.newest_claim) == (1, None)


def test_a_withdrawn_claim_is_none() -> None:
    claims = {"helena--seattle": "red"}
    one = scoreboard_of(standing(USA, BOARD, claims, ["red"]), USA)
    none = scoreboard_of(standing(USA, BOARD, {}, ["red"]), USA, replace(one, claims=4))
    assert none.claims == 4


def test_more_trains_than_there_are_leave_none() -> None:
    claims = {route.id: "red" for route in BOARD.routes}
    now = scoreboard_of(standing(USA, BOARD, claims, ["red"]), USA)
    assert now.players[0].trains_left == 0


def test_everyone_has_what_is_to_be_laid_for_them_until_it_lies_there() -> None:
    six, two = (
        PiecesToLay("blue", "Helena - Seattle", 6),
        PiecesToLay("blue", "Denver - Omaha", 4),
    )
    claims = {"helena--seattle": "blue", "denver--omaha": "blue"}
    now = scoreboard_of(standing(USA, BOARD, claims, ["red", "blue"]), USA, to_lay=(six, two))
    assert [player.to_lay for player in now.players] == [(), (six, two)]
    then = scoreboard_of(standing(USA, BOARD, claims, ["red", "blue"]), USA, now, ["blue"], (two,))
    assert [player.to_lay for player in then.players] == [(), (two,)]
