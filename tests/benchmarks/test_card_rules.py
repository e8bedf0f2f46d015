"""The judge of games with cards finds what is wrong, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from railspotter.scoring.dealing.dealing import first_dealing
from railspotter.scoring.dealing.moves import DrawCard
from railspotter.scoring.position import Position, Seat
from railspotter.simulation.played_game import SeededLuck, play_move

import card_rules
from card_rules import Judge, WrongStateError


def judge() -> Judge:
    edition, board = card_rules.table("usa")
    luck, position = SeededLuck(1), Position(edition, board, (Seat("red"), Seat("blue")))
    judged = Judge(position, first_dealing(edition, board, position.colours, luck))
    judged.dealing = replace(judged.dealing, offered={}, is_first=False)
    return judged


def test_a_run_prints_a_line_for_each_edition(capsys: pytest.CaptureFixture[str]) -> None:
    assert card_rules.main(["--games", "2", "--editions", "newyork", "philly"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["newyork", "philly"]
    assert all("2 games, 0 illegal, 0 wrong" in line for line in lines)


def test_a_lost_card_is_found() -> None:
    judged = judge()
    hand = judged.dealing.hand("blue")
    hand.subtract([next(iter(hand))])
    lost = judged.dealing.with_hand("blue", hand)
    with pytest.raises(WrongStateError, match="cards: "):
        judged.see(play_move(judged.position, lost, "red", DrawCard(), SeededLuck(1)))


def test_a_lost_ticket_is_found() -> None:
    judged = judge()
    with pytest.raises(WrongStateError, match="24 tickets, printed 30"):
        judged._judge_tickets()
