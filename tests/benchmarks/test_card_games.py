"""Judges of games with cards find what is wrong, and nothing else."""

import collections
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from examples import every_run
from railspotter.scoring.dealing.dealing import first_dealing
from railspotter.scoring.dealing.moves import DrawCard
from railspotter.scoring.position import Position, Seat
from railspotter.simulation.played_game import play_move, seeded_luck
from railspotter.table.card_games.dealt_games import SeatedGame
from railspotter.table.game_log.budgets import Writer
from railspotter.table.game_log.game_state import GameState
from railspotter.webui.feed import public_state
from railspotter.webui.feed.cards_state import cards_state

import card_rules
import card_secrets
import random_calls
import random_card_games
from card_rules import Checker
from card_tables.card_game_states import WrongStateError
from card_tables.game_pair import SECRET


def judge() -> Checker:
    edition, board = card_rules.edition_and_board("usa")
    luck, position = seeded_luck(1), Position(edition, board, (Seat("red"), Seat("blue")))
    judged = Checker(position, first_dealing(edition, board, position.colours, luck))
    judged.dealing = replace(judged.dealing, offered={}, is_first=False)
    return judged


def test_a_lost_card_is_found() -> None:
    judged = judge()
    hand = judged.dealing.hand("blue")
    hand.subtract([next(iter(hand))])
    lost = judged.dealing.with_hand("blue", hand)
    with pytest.raises(WrongStateError, match="cards: "):
        judged.check_move(play_move(judged.position, lost, "red", DrawCard(), seeded_luck(1)))


@pytest.mark.parametrize("edition", every_run("europe", ("usa", "europe")))
def test_a_few_turns_tell_nothing(edition: str, tmp_path: Path) -> None:
    found, compared = card_secrets.play_twice(tmp_path, edition, 5, every=20, moves=20)
    assert found == []
    assert compared > 150


def all_held(game: GameState) -> str:
    dealing = game.table.dealing
    return "" if dealing is None else str(sorted(dealing.hand(SECRET).items()))


@pytest.mark.parametrize(
    "leak",
    [
        pytest.param(all_held, marks=pytest.mark.long),
        lambda game: crc32(all_held(game).encode()) % 1000,
    ],
)
def test_a_leak_is_found(
    leak: Callable[[GameState], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = cards_state

    def telling(game: GameState, *shown: Any) -> Any:
        return {**(told(game, *shown) or {}), "extra": leak(game)}

    monkeypatch.setattr(public_state, "cards_state", telling)
    found, _ = card_secrets.play_twice(tmp_path, "usa", 6, every=6, moves=6)
    differing = {what.partition(", ")[2] for what in found}
    for place in ("guest: /state: ", "guest: the stream: "):
        assert any(what.startswith(place) for what in differing)


def test_a_few_hundred_calls_break_nothing(tmp_path: Path) -> None:
    found, answered = random_calls.run_calls(tmp_path, 300, seed=4)
    assert found == []
    assert answered["POST /cards/moves yes"] > 15


def test_a_rule_that_is_left_out_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Writer, "speaks_for", lambda *_: True)
    found, _ = random_calls.run_calls(tmp_path, 300, seed=4)
    assert any("by another phone" in what for what in found)


@pytest.mark.parametrize(
    ("what", "broken"),
    [
        ("is_hidden", lambda self, colour: colour in self.seats and colour in self.freed),
        ("is_hidden", lambda self, colour: False),
    ],
    ids=["who sits where somebody left", "nobody waits"],
)
def test_a_card_game_hand_that_is_opened_without_a_word_is_found(
    what: str, broken: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SeatedGame, what, broken)
    with pytest.raises(WrongStateError, match="opened"):
        collections.deque(random_card_games.play_and_check(seed, 3) for seed in range(20))
