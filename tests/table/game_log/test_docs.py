"""docs/game-log.md says what is true."""

import argparse
import doctest

import pytest
from house.project import ROOT
from railspotter.cli.command import build_parser
from railspotter.table.game_log.budgets import MOST_EVENTS
from railspotter.table.game_log.events import FACTS, FORMAT
from railspotter.table.game_log.log import MOST_CROPS

PAGE = ROOT / "docs" / "game-log.md"
TEXT = PAGE.read_text("utf-8")


def test_the_examples_run() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 10
    assert found.failed == 0


@pytest.mark.parametrize("kind", FACTS, ids=str)
def test_every_fact_and_field_is_told(kind: str) -> None:
    (row,) = (line for line in TEXT.splitlines() if line.startswith("|") and f"`{kind}`" in line)
    if "the same with" not in row:
        assert [name for name in FACTS[kind].__struct_fields__ if f"`{name}`" not in row] == []


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
