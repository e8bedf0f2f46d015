"""What one seat holds changes nobody else's answers; a leak that is planted is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from railspotter.table.game_log.game_state import GameState
from railspotter.webui.feed import public_state
from railspotter.webui.feed.cards_state import cards_state

import card_secrets


@pytest.mark.parametrize("edition", ["usa", "europe"])
def test_a_few_turns_tell_nothing(edition: str, tmp_path: Path) -> None:
    found, compared = card_secrets.differences(tmp_path, edition, 5, every=20, moves=20)
    assert found == []
    assert compared > 150


def all_held(game: GameState) -> str:
    dealing = game.table.dealing
    return "" if dealing is None else str(sorted(dealing.hand(card_secrets.SECRET).items()))


@pytest.mark.parametrize("leak", [all_held, lambda game: hash(all_held(game)) % 1000])
def test_a_leak_is_found(
    leak: Callable[[GameState], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = cards_state

    def telling(game: GameState, *shown: Any) -> Any:
        return {**(told(game, *shown) or {}), "extra": leak(game)}

    monkeypatch.setattr(public_state, "cards_state", telling)
    found, _ = card_secrets.differences(tmp_path, "usa", 6, every=6, moves=6)
    differing = {what.partition(", ")[2] for what in found}
    for place in ("guest: /state: ", "guest: the stream: "):
        assert any(what.startswith(place) for what in differing)
