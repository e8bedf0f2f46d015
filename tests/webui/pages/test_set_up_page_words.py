"""The words of the page on which a game is set up, read from its files."""

from __future__ import annotations

import re

import drawn
from house.project import ROOT
from railspotter.scoring.edition import load_edition
from railspotter.table.set_up.offers import rules_offered
from railspotter.webui.words.languages import WordList, languages

WEBUI = ROOT / "webui"
SCRIPTS = WEBUI / "static" / "set_up"
KEY = re.compile(r'"(set_up(?:\.[a-z0-9_]+)+)"')
FORMS = ("", ".one", ".other")


def words_of_its_own(language: str) -> dict[str, str]:
    return dict(WordList(("set_up",)).in_language(language))


def test_every_word_that_is_used_is_there_and_every_one_is_used() -> None:
    files = [*SCRIPTS.glob("*.js"), WEBUI / "templates" / "set_up.html"]
    used = {key for path in files for key in KEY.findall(path.read_text("utf-8"))}
    known = words_of_its_own("en")
    of_key = {key: {key + form for form in FORMS if key + form in known} for key in used}
    assert [key for key, found in of_key.items() if not found] == []
    assert sorted(set(known) - set().union(*of_key.values())) == []


def test_every_language_has_every_word_with_the_same_places() -> None:
    english = words_of_its_own("en")
    for language in languages():
        other = words_of_its_own(language)
        assert set(other) == set(english), language
        for key, text in other.items():
            places = (set(re.findall(r"\{(\w+)\}", one)) for one in (text, english[key]))
            assert len(set(map(frozenset, places))) == 1, (language, key)


def test_every_rule_that_is_offered_has_words() -> None:
    rules = {
        rule.name
        for edition in ("usa", "usa-1910", "europe", "newyork")
        for rule in rules_offered(load_edition(edition), drawn.usa())
    }
    assert rules <= {key.removeprefix("set_up.rule.") for key in words_of_its_own("en")}
