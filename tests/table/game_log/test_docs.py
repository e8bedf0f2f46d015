"""docs/game-log.md says what is true."""

from __future__ import annotations

import argparse
import doctest
from typing import get_args

import pytest
from house.project import ROOT
from railspotter.cli.command import build_parser
from railspotter.table.game_log.budgets import MOST_EVENTS
from railspotter.table.game_log.events import FORMAT, AnyFact
from railspotter.table.game_log.fact_text import text_forms
from railspotter.table.game_log.facts import Fact
from railspotter.table.game_log.log import MOST_CROPS

PAGE = ROOT / "docs" / "game-log.md"
TEXT = PAGE.read_text("utf-8")


def test_the_examples_run() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 10
    assert found.failed == 0


@pytest.mark.parametrize("kind", text_forms(get_args(AnyFact)), ids=lambda kind: str(kind.__name__))
def test_every_fact_and_field_is_told(kind: type[Fact]) -> None:
    (row,) = (line for line in TEXT.splitlines() if line.startswith("|") and name_of(kind) in line)
    if "the same with" not in row:
        assert [name for name in kind.__struct_fields__ if f"`{name}`" not in row] == []


def name_of(kind: type[Fact]) -> str:
    return f"`{kind.__struct_config__.tag}`"


def test_the_numbers_are_those_of_the_code() -> None:
    assert f"{MOST_EVENTS:,} events a game, {MOST_CROPS} crops".replace(",", " ", 1) in TEXT
    assert f"(now {FORMAT})" in TEXT


def test_every_format_of_export_is_told() -> None:
    parser: argparse.ArgumentParser = build_parser()
    for name in ("games", "export"):
        parser = next(
            action.choices[name]
            for action in parser._actions
            if isinstance(action, argparse._SubParsersAction)
        )
    (formats,) = (action.choices for action in parser._actions if action.dest == "format")
    assert formats
    assert [name for name in formats if f"`--format {name}`" not in TEXT] == []
