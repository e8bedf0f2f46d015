"""What docs/rulebooks.md says of the five rulebooks: what does it is there, and so is its test."""

from __future__ import annotations

import re

import pytest
from house.project import ROOT

PAGE = (ROOT / "docs" / "rulebooks.md").read_text("utf-8")
DOCUMENTS = ("New York", "USA, accessible", "10th Anniversary", "Philly", "The Card Game")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)(?:\[(.+?)\])?`")


def rows(title: str) -> list[list[str]]:
    """Return the rows of a document's table: section, what is asked, by what, the tests."""
    (part,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    lines = [line for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines[1:]]


def test_there_is_a_part_for_each_rulebook() -> None:
    assert tuple(re.findall(r"^## (.+)$", PAGE, re.M)) == DOCUMENTS
    assert all("\nLeft out: " in part for part in PAGE.split("\n## ")[1:])


@pytest.mark.parametrize("title", DOCUMENTS)
def test_every_sentence_has_what_does_it_and_a_test_that_is_there(title: str) -> None:
    table = rows(title)
    assert len(table) > 20
    for row in table:
        where, asked, does, proofs = row
        assert where, row
        assert asked, row
        assert (ROOT / does.strip("`")).is_file(), row
        named = proofs.split("; ")
        assert all(TEST.fullmatch(one) for one in named), row
        for path, test, case in (found.groups() for one in named if (found := TEST.match(one))):
            text = (ROOT / path).read_text("utf-8")
            assert f"def {test}(" in text, (row, test)
            assert not case or case in text or f"case {case}" in cases(path), (row, case)


def cases(path: str) -> list[str]:
    """Return the cases of the tables that lie beside a test."""
    tables = (ROOT / path).parent.joinpath("oracles").glob("*.txt")
    return [line for table in tables for line in table.read_text("utf-8").splitlines()]
