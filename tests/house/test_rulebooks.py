"""What docs/rulebooks.md says: what does it is there, and pytest runs each test by its name."""

import re
import subprocess
import sys

import pytest
from house.project import ROOT

PAGE = (ROOT / "docs" / "rulebooks.md").read_text("utf-8")
# The editions whose cases a rulebook's sentences cite.
DOCUMENTS = {
    "New York": "newyork",
    "USA, accessible": "usa-accessible",
    "10th Anniversary": "usa-10th",
    "Philly": "philly",
    "The Card Game": "card-game",
}
TEST = re.compile(r"  - `((tests/[\w/]+\.py)::test_\w+(?:\[.+\])?)`")
CASE = re.compile(r"oracles\.py::test_the_rule_holds\[(.+?): ")
ASKED = re.compile(r"- .+: `([\w/.-]+)`")


def sentences(title: str) -> list[list[str]]:
    """Return each sentence of a document, with the lines of its tests behind its own."""
    (part,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    found = re.findall(r"^- .+\n(?:  .+\n)*", f"{part}\n", re.M)
    return [one.splitlines() for one in found]


def test_there_is_a_part_for_each_rulebook() -> None:
    assert re.findall(r"^## (.+)$", PAGE, re.M) == [*DOCUMENTS]
    assert all("\nLeft out: " in part for part in PAGE.split("\n## ")[1:])


@pytest.mark.parametrize("title", DOCUMENTS)
def test_every_sentence_has_what_does_it_and_a_test_of_its_edition(title: str) -> None:
    said = sentences(title)
    assert len(said) > 20
    for asked, *proofs in said:
        does = ASKED.fullmatch(asked)
        assert does is not None, asked
        assert (ROOT / does[1]).is_file(), asked
        assert proofs, asked
        for proof in proofs:
            assert TEST.fullmatch(proof) is not None, proof
            assert set(CASE.findall(proof)) <= {DOCUMENTS[title]}, proof


def test_pytest_runs_each_test_by_its_name(request: pytest.FixtureRequest) -> None:
    named = {(name, path) for name, path in TEST.findall(PAGE)}
    known = {item.nodeid for item in request.session.items}
    # Those that this run leaves out are collected by another one, of their files alone.
    files = sorted({path for name, path in named if name not in known})
    if files:
        words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
        found = subprocess.run([*words, *files], cwd=ROOT, capture_output=True, text=True)
        known |= set(found.stdout.splitlines())
    assert sorted(name for name, _ in named if name not in known) == []
