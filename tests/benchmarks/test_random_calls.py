"""Random calls move nobody's cards without a word; a rule that is left out is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from railspotter.table.game_log.budgets import Writer

import random_calls


def test_a_few_hundred_calls_break_nothing(tmp_path: Path) -> None:
    found, answered = random_calls.run(tmp_path, 500, seed=4)
    assert found == []
    assert answered["POST /cards/moves yes"] > 30


def test_a_rule_that_is_left_out_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Writer, "speaks_for", lambda *_: True)
    found, _ = random_calls.run(tmp_path, 500, seed=4)
    assert any("by another phone" in what for what in found)
