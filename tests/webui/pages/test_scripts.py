"""The pages' scripts, read from their files: where they lie, what they import, what is in them."""

import re
from collections import defaultdict

from page_scripts import SCRIPTS, imports, reached
from railspotter.webui.pages.page_table import PAGES, STATIC, all_imports

SHARED = "shared"
PARTS = {
    "home": {"set_up"},
    "set_up": {"calibration"},
    "table": {"dealt", "voice"},
    "dealt": {"table"},
    "voice": {"dealt", "table"},
    "screen": {"voice"},
}
"""Pages that have another one as a part of theirs: the first page offers what was set up the last
time, and one step of setting up finds the board.

What a game with cards on phones adds to the table is fetched for such a game alone, and the voice
where somebody turns it on.
"""
MOST_LINES = 250


def test_a_script_imports_from_its_page_and_from_what_all_share() -> None:
    for path in SCRIPTS:
        page = path.parent.name
        known = {page, SHARED} | PARTS.get(page, set())
        for other in imports(path):
            assert other.exists(), f"{path.name}: {other}"
            assert other.parent.name in known, f"{path.name}: {other}"


def test_what_is_shared_is_used_by_more_than_one_page() -> None:
    users = defaultdict(set)
    for page in PAGES:
        if page.script:
            for path in reached(STATIC / page.script):
                users[path].add(page.script.split("/")[0])
    shared = {path for path in SCRIPTS if path.parent.name == SHARED}
    assert {path.name: users[path] for path in shared if len(users[path]) < 2} == {}
    others = {path for path in users if path.parent.name != SHARED}
    assert {path.name for path in others if len(users[path]) > 1} <= {
        path.name for path in others if path.parent.name in set().union(*PARTS.values())
    }


def test_a_document_names_what_its_script_imports_at_once() -> None:
    table = all_imports("table/main.js")
    assert "shared/words.js" in table, "by its name"
    assert "shared/stream.js" in table
    assert "shared/board.js" not in table, "it is fetched later"
    for page in PAGES:
        if page.script:
            named = {STATIC / script for script in all_imports(page.script)}
            assert named <= reached(STATIC / page.script), page.script


def test_a_script_says_what_it_is_and_is_short() -> None:
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        assert text.startswith("// "), path.name
        assert len(text.splitlines()) <= MOST_LINES, path.name


def test_no_word_stands_in_a_script() -> None:
    """A text with a space between two words belongs to the catalogue."""
    for path in SCRIPTS:
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
        for text in re.findall(r'"([^"\n]*)"', code):
            assert not re.search(r"[A-Z][a-z]+ [a-z]+ [a-z]+", text), f"{path.name}: {text}"
