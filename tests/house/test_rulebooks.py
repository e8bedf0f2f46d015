"""What docs/rulebooks.md says of the five rulebooks: what does it is there, and so is its test."""

from __future__ import annotations

import re

import pytest
from house.project import ROOT

PAGE = (ROOT / "docs" / "rulebooks.md").read_text("utf-8")
DOCUMENTS = ("New York", "USA, accessible", "10th Anniversary", "Philly", "The Card Game")
TEST = re.compile(r"  - `(tests/[\w/]+\.py)::(test_\w+)(?:\[(.+)\])?`")
ASKED = re.compile(r"- .+: `([\w/.-]+)`")


def sentences(title: str) -> list[list[str]]:
    """Return each sentence of a document, with the lines of its tests behind its own."""
    (part,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    found = re.findall(r"^- .+\n(?:  .+\n)*", f"{part}\n", re.M)
    return [one.splitlines() for one in found]


def test_there_is_a_part_for_each_rulebook() -> None:
    assert tuple(re.findall(r"^## (.+)$", PAGE, re.M)) == DOCUMENTS
    assert all("\nLeft out: " in part for part in PAGE.split("\n## ")[1:])


@pytest.mark.parametrize("title", DOCUMENTS)
def test_every_sentence_has_what_does_it_and_a_test_that_is_there(title: str) -> None:
    said = sentences(title)
    assert len(said) > 20
    for asked, *proofs in said:
        does = ASKED.fullmatch(asked)
        assert does is not None, asked
        assert (ROOT / does[1]).is_file(), asked
        assert proofs, asked
        for proof in proofs:
            named = TEST.fullmatch(proof)
            assert named is not None, proof
            path, test, case = named.groups()
            text = (ROOT / path).read_text("utf-8")
            assert f"def {test}(" in text, proof
            assert not case or case in text or f"case {case}" in cases(path), proof


def cases(path: str) -> list[str]:
    """Return the cases of the tables that lie beside a test."""
    tables = (ROOT / path).parent.joinpath("oracles").glob("*.txt")
    return [line for table in tables for line in table.read_text("utf-8").splitlines()]
