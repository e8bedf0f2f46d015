"""The pages' words: each that a page says is in every language, and is where the page needs it."""

import re
from pathlib import Path

import drawn
import pytest
from house.project import ROOT
from page_scripts import SCRIPTS, imports, reached
from program_words import names_said, page_words
from railspotter.scoring.edition import load_edition
from railspotter.table.set_up.offers import rules_offered
from railspotter.webui.pages.page_table import PAGES, PARTS, STATIC, carried, scripts, words_of_part
from railspotter.webui.words.translation import PageWords, languages

TEMPLATES = sorted((ROOT / "webui" / "templates").glob("*.html"))
KEY = re.compile(r'"([a-z]+(?:_[a-z]+)*(?:\.[a-z0-9_]+)+)"')
FORM = re.compile(r"\.(zero|one|two|few|many|other)$")
ENGLISH = page_words("en")
NAMES = {name for _, name in ENGLISH}
LANGUAGE = pytest.mark.parametrize("language", languages())


def named_by_a_script(text: str) -> set[str]:
    """Return the words whose names, or what these begin with before their form, are texts of it."""
    keys = set(KEY.findall(text))
    return {name for name in NAMES if {name, FORM.sub("", name)} & keys}


def named_by_a_template(text: str) -> set[str]:
    """Return the words that it names; where it composes a name, all that begin so.

    That a word is there which it composes is seen where it is rendered, for its words are strict.
    """
    found = set(re.findall(r'words(?:_in\[one\])?\["([a-z0-9_.]+)"\]', text))
    beginnings = tuple(re.findall(r'words\["([a-z_.]+)" ~', text))
    return found | {name for name in NAMES if name.startswith(beginnings)}


def test_every_word_that_is_used_is_there_and_every_one_is_used() -> None:
    in_templates = {
        name for path in TEMPLATES for name in named_by_a_template(path.read_text("utf-8"))
    }
    assert in_templates - NAMES == set()
    assert set(names_said()) - NAMES == set()
    families = {name.partition(".")[0] for name in NAMES}
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        known = named_by_a_script(text)
        known |= {FORM.sub("", name) for name in known}
        keys = {key for key in KEY.findall(text) if key.partition(".")[0] in families}
        assert keys - known == set(), path.name
    used = {name for path in SCRIPTS for name in named_by_a_script(path.read_text("utf-8"))}
    program = (ROOT / "webui" / "pages" / "installed.py").read_text("utf-8")
    used |= in_templates | {f"installed.{name}" for name in re.findall(r'"(\w+)"', program)}
    assert NAMES - used == set()


@LANGUAGE
def test_every_language_has_every_word_with_the_same_places(language: str) -> None:
    other = page_words(language)
    assert list(other) == list(ENGLISH)
    for name, text in other.items():
        assert text.strip(), name
        assert places(text) == places(ENGLISH[name]), name


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", text))


@LANGUAGE
def test_pages_have_their_words_from_the_catalogue(language: str) -> None:
    for (context, name), text in page_words(language).items():
        assert PageWords(language, context)[name] == text, "run 'make words'"
    assert PageWords(language, "hall")["page.name"] == PageWords(language)["page.name"]
    with pytest.raises(KeyError, match=r"no\.such"):
        PageWords(language)["no.such"]


def test_what_another_page_says_in_its_own_way_is_its_own() -> None:
    contexts = {context for context, _ in ENGLISH}
    assert contexts == {page.context for page in PAGES}
    for context, name in ENGLISH:
        assert ("", name) in ENGLISH, (context, name)


def test_what_is_built_tells_what_scripts_are() -> None:
    """`make words` builds it, from what a lexer finds."""
    assert {STATIC / path for path in scripts()} == set(SCRIPTS)
    for path, script in scripts().items():
        text = (STATIC / path).read_text("utf-8")
        assert set(script.words) == named_by_a_script(text), path
        assert {STATIC / one for one in (*script.imports, *script.later)} == imports(
            STATIC / path
        ), path


def test_a_page_has_all_words_of_its_scripts_with_those_of_its_parts() -> None:
    parts = {name: set(words_of_part(name)) for name in PARTS}
    assert all(parts.values())
    for page in PAGES:
        if page.script:
            files = {STATIC / page.script, *reached(STATIC / page.script)}
            said = {name for path in files for name in named_by_a_script(path.read_text("utf-8"))}
            fetched = [parts[name] for name in PARTS if files & scripts_of(name)]
            carries = set(carried(page.script))
            assert carries <= said <= carries.union(*fetched), page.script
    of_table = set(carried("table/main.js"))
    assert not [name for name in of_table if name.startswith(("charts.", "dealt.", "voice."))]
    assert len(of_table) < len(said_by("table")) / 2


def scripts_of(part: str) -> set[Path]:
    return {STATIC / path for path in PARTS[part]}


def said_by(page: str) -> set[str]:
    files = reached(STATIC / page / "main.js")
    return {name for path in files for name in named_by_a_script(path.read_text("utf-8"))}


def test_a_script_that_fetches_a_part_waits_for_its_words() -> None:
    """Or what it fetches learns them, before it says any."""
    for part in PARTS:
        assert any(f'"{part}"' in path.read_text("utf-8") for path in SCRIPTS), part
        for path in scripts_of(part):
            assert path in SCRIPTS


def test_every_rule_that_is_offered_has_words() -> None:
    rules = {
        rule.name
        for edition in ("usa", "usa-1910", "europe", "newyork")
        for rule in rules_offered(load_edition(edition), drawn.usa())
    }
    assert {f"set_up.rule.{rule}" for rule in rules} <= NAMES
