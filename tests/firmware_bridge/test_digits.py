"""Digits read as the scoreboard says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.firmware_bridge.scoreboard import (
    BLIND_S,
    DIGITS,
    LAY_S,
    PAGE_S,
    PlayerScore,
    Scoreboard,
    digits,
    to_text,
)
from railspotter.table.display_control import PiecesToLay
from scoreboards import scoreboards


@given(scoreboards(), st.integers(0, 8), st.floats(0, 1e6))
def test_each_module_has_eight_digits(board: Scoreboard, modules: int, t_s: float) -> None:
    shown = digits(board, modules, t_s)
    assert len(shown) == modules
    assert all(len(module) == DIGITS for module in shown)
    for place, module in enumerate(shown):
        text = to_text(module).replace(".", "")
        assert "?" not in text
        if len(board.players) > modules or place >= len(board.players):
            continue
        player = board.players[place]
        assert text[:1] == str(place + 1)
        if laying := player.laying_at(t_s):
            assert text[2:5] == "LAY"
            assert int(text[5:]) == laying.pieces
            continue
        assert int(text[2:4]) == player.trains_left
        assert int(text[4:]) == player.score


@pytest.mark.parametrize(
    ("player", "text"),
    [
        (PlayerScore("red", 7, 45), "1 45   7"),
        (PlayerScore("red", -12, 3), "1  3 -12"),
        (PlayerScore("red", 203, 0, has_longest_path=True), "1.  0 203"),
    ],
)
def test_a_line(player: PlayerScore, text: str) -> None:
    assert to_text(digits(Scoreboard((player,)), 1, 0.0)[0]) == text


def test_last_turns_light_all_points() -> None:
    board = Scoreboard((PlayerScore("red", 7, 2),), is_last_turns=True)
    assert to_text(digits(board, 1, 0.0)[0]).count(".") == DIGITS


def test_pieces_to_lay_take_turns_with_the_score() -> None:
    lay = PiecesToLay("blue", "Helena - Seattle", 6)
    board = Scoreboard((PlayerScore("red", 7), PlayerScore("blue", 15, 39, to_lay=(lay,))))
    seen = [[to_text(line) for line in digits(board, 2, t_s)] for t_s in (0.0, LAY_S, 2 * LAY_S)]
    assert seen == [
        ["1 45   7", "2 LAY  6"],
        ["1 45   7", "2 39  15"],
        ["1 45   7", "2 LAY  6"],
    ]


def test_a_page_of_a_shared_module_shows_both() -> None:
    lay = PiecesToLay("blue", "Helena - Seattle", 6)
    players = (PlayerScore("red", 7), PlayerScore("blue", 15, 39, to_lay=(lay,)))
    for page in (1, 3, 5):
        times = [(page + share / 10) * PAGE_S for share in range(1, 10)]
        shown = {to_text(digits(Scoreboard(players), 1, t_s)[0]) for t_s in times}
        assert shown == {"2 LAY  6", "2 39  15"}


def test_players_take_turns_on_one_module() -> None:
    board = Scoreboard(tuple(PlayerScore(c, i) for i, c in enumerate(("red", "blue", "green"))))
    seen = [to_text(digits(board, 1, page * PAGE_S)[0])[0] for page in range(4)]
    assert seen == ["1", "2", "3", "1"]


def test_dashes_take_turns_with_an_old_score() -> None:
    board = Scoreboard((PlayerScore("red", 7, 2),))
    seen = [digits(board, 2, t_s, is_blind=True) for t_s in (0.0, BLIND_S)]
    assert [to_text(shown[0]) for shown in seen] == ["-" * DIGITS, "1  2   7"]
    assert {shown[1] for shown in seen} == {bytes(DIGITS)}
