"""What docs/rulebooks.md says: what does it is there, pytest runs each test by its name, and the
rule behind each sentence can be broken on purpose."""

import re
import subprocess
import sys
from collections import Counter

import pytest
from house.project import ROOT

from mutating.rule_breaks import PAGE, rule_breaks, rule_sentences

# The editions whose cases a rulebook's sentences cite.
DOCUMENTS = {
    "New York": "newyork",
    "USA, accessible": "usa-accessible",
    "10th Anniversary": "usa-10th",
    "Philly": "philly",
    "The Card Game": "card-game",
}
TEST = re.compile(r"(tests/[\w/]+\.py)::test_\w+(?:\[.+\])?")
CASE = re.compile(r"oracles\.py::test_the_rule_holds\[(.+?): ")


def test_there_is_a_part_for_each_rulebook() -> None:
    assert re.findall(r"^## (.+)$", PAGE, re.M) == [*DOCUMENTS]
    assert all("\nLeft out: " in part for part in PAGE.split("\n## ")[1:])
    said = Counter(one.document for one in rule_sentences())
    assert min(said[title] for title in DOCUMENTS) > 20
    assert said.total() == len(re.findall(r"^- ", PAGE, re.M))


@pytest.mark.parametrize("title", DOCUMENTS)
def test_every_sentence_has_what_does_it_and_a_test_of_its_edition(title: str) -> None:
    for one in rule_sentences():
        if one.document == title:
            assert (ROOT / one.file).is_file(), one
            assert one.tests, one
            assert all(map(TEST.fullmatch, one.tests)), one
            assert set(CASE.findall("\n".join(one.tests))) <= {DOCUMENTS[title]}, one


def test_every_sentence_has_a_break_that_can_be_made() -> None:
    broken = {(d, one) for b in rule_breaks() for d, said in b.sentences.items() for one in said}
    assert broken == {(one.document, one.asked) for one in rule_sentences()}
    for one in rule_breaks():
        assert (ROOT / one.file).read_text("utf-8").count(one.old) == 1, one
        assert one.old != one.new, one


def test_pytest_runs_each_test_by_its_name(request: pytest.FixtureRequest) -> None:
    named = {test for one in rule_sentences() for test in one.tests}
    known = {item.nodeid for item in request.session.items}
    # Those that this run leaves out are collected by another one, of their files alone.
    files = sorted({name.split("::")[0] for name in named - known})
    if files:
        words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
        found = subprocess.run([*words, *files], cwd=ROOT, capture_output=True, text=True)
        known |= set(found.stdout.splitlines())
    assert sorted(named - known) == []
