"""The words, colours and size of the page at the table, read from its files."""

from __future__ import annotations

import gzip
import re
from http.client import HTTPConnection
from pathlib import Path

from house.project import ROOT
from page_scripts import SCRIPTS, reached
from phones import Answer, Table, table
from railspotter.webui.pages.page_table import STATIC, carried
from railspotter.webui.pages.result_view import PAINTS
from railspotter.webui.words.languages import WordList, languages, words

WEBUI = ROOT / "webui"
MAIN = "table/main.js"
FOLDERS = ("shared", "table", "history", "screen")
# Words that only few pages carry, or that are fetched when somebody opens what says them.
LISTS = ("charts", "guest", "screen")
# What a game with cards on phones adds, and no other fetches: its words are its own.
DEALT = STATIC / "dealt"
ALL_SCRIPTS = [path for folder in FOLDERS for path in (STATIC / folder).glob("*.js")]
MOST_BYTES = 120_000  # of all that the first opening of the page needs, compressed
KEY = re.compile(r'"([a-z]+(?:_[a-z]+)*(?:\.[a-z0-9_]+)+)"')
# Of a template: the names that it goes through, and what it does with each.
LOOP = re.compile(r"{% for [\w, ]+ in \((.*?)\) %}(.*?){% endfor %}", re.DOTALL)
FORMS = ("", ".zero", ".one", ".two", ".few", ".many", ".other")


def keys_in(text: str) -> set[str]:
    return set(KEY.findall(text))


def keys_used() -> set[str]:
    found = {key for path in ALL_SCRIPTS for key in keys_in(path.read_text("utf-8"))}
    templates = WEBUI / "templates"
    shared = (templates / "small_page.html", templates / "brand.html")
    pages = [path for name in ("table", "history", "screen") for path in templates.glob(f"{name}*")]
    for path in (*pages, *shared):
        text = path.read_text("utf-8")
        found |= set(re.findall(r'words\["([a-z_.]+)"\]', text))
        for names, body in LOOP.findall(text):
            parts = re.findall(r'\("(\w+)",', names) or re.findall(r'"(\w+)"', names)
            for prefix, ending in re.findall(r'words\["([a-z_.]+)" ~ \w+(?: ~ "(\w+)")?\]', body):
                found |= {prefix + part + ending for part in parts}
    return found


def test_every_word_that_is_used_is_there_and_every_one_is_used() -> None:
    known, used = {**words("en"), **WordList(LISTS).in_language("en")}, keys_used()
    of_key = {key: {key + form for form in FORMS if key + form in known} for key in used}
    assert [key for key, found in of_key.items() if not found] == []
    assert sorted(set(known) - set().union(*of_key.values())) == []


def test_words_of_a_game_with_cards_on_phones_are_fetched_with_its_scripts() -> None:
    known = WordList(("dealt",), ("dealt.",)).in_language("en")
    used = {key for path in DEALT.glob("*.js") for key in keys_in(path.read_text("utf-8"))}
    own = {key for key in used if key.startswith("dealt.")}
    assert {re.sub(r"\.(one|other)$", "", key) for key in known} == own
    carries = carried(words("en"), MAIN)
    assert not [key for key in carries if key.startswith("dealt.")]
    shared = used - own
    assert [key for key in shared if not {key + form for form in FORMS} & carries.keys()] == []
    for language in languages():
        other = WordList(("dealt",), ("dealt.",)).in_language(language)
        assert list(other) == list(known), language
        for key, text in other.items():
            places = set(re.findall(r"\{(\w+)\}", text))
            assert places <= set(re.findall(r"\{(\w+)\}", known[key])) | {"n"}, key


def test_words_that_few_see_are_not_carried_by_the_first_page() -> None:
    carries = carried(words("en"), MAIN)
    for name in LISTS:
        own = WordList((name,)).in_language("en")
        assert own
        assert all(key.startswith(f"{name}.") for key in own)
        assert not own.keys() & carries.keys()
        assert not [key for key in carries if key.startswith(f"{name}.")], name


def test_a_page_carries_the_words_that_its_scripts_say_and_few_others() -> None:
    everything = words("en")
    for script, most in (("table/main.js", 0.85), ("history/list.js", 0.3)):
        said = carried(everything, script)
        assert len(said) < most * len(everything), script
        assert not [key for key in said if key.startswith("help.") and key != "help.link"]
    assert {"question.more.one", "question.more.other"} <= carried(
        everything, "table/main.js"
    ).keys()


def test_every_language_has_every_word_with_the_same_places() -> None:
    def base(key: str) -> str:
        return re.sub(r"\.(zero|one|two|few|many|other)$", "", key)

    english = {base(key): set(re.findall(r"\{(\w+)\}", text)) for key, text in words("en").items()}
    for language in languages():
        other = words(language)
        assert {base(key) for key in other} == set(english), language
        for key, text in other.items():
            assert set(re.findall(r"\{(\w+)\}", text)) <= english[base(key)] | {"n"}, key


def test_scripts_and_styles_paint_alike() -> None:
    script = (STATIC / "shared" / "paint.js").read_text("utf-8")
    style = (STATIC / "shared" / "look.css").read_text("utf-8")
    for colour, known in PAINTS.items():
        found = re.search(rf'{colour}: {{ letter: "(\w)", paint: "(#\w+)"', script)
        assert found, colour
        assert found[1] == known.letter
        styled = re.search(rf"\.car-{colour} {{ --paint: (#\w+);", style)
        assert styled
        assert styled[1].ljust(7, styled[1][-1]) == found[2], colour


def test_the_first_opening_is_small(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        sizes = {path: sent(running, path) for path in first_opening()}
    assert sum(sizes.values()) < MOST_BYTES, sizes


def first_opening() -> list[str]:
    template = (WEBUI / "templates" / "table.html").read_text("utf-8")
    named = re.findall(r"url_for\('static', filename='([^']+)'\)", template)
    scripts = [STATIC / MAIN, *reached(STATIC / MAIN)]
    scripts = [path for path in scripts if path.parent != DEALT]
    named += [path.relative_to(STATIC).as_posix() for path in scripts]
    assert len([name for name in named if name.endswith(".css")]) > 1
    static = [f"/static/{name}" for name in dict.fromkeys(named)]
    return ["/", "/api/v1/state", "/api/v1/board", *static]


def sent(running: Table, path: str) -> int:
    """Bytes of the answer's body as they go over the line."""
    answer = fetch(running, path)
    assert answer.status == 200, path
    return len(answer.content)


def fetch(running: Table, path: str, **headers: str) -> Answer:
    """Ask as a browser does that takes compressed texts."""
    connection = HTTPConnection("127.0.0.1", running.page.server.port, timeout=20)
    try:
        connection.request("GET", path, headers={"Accept-Encoding": "gzip", **headers})
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


def test_what_is_compressed_is_the_file_and_secrets_are_not(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann = running.player("ann")
        for path in SCRIPTS:
            name = path.relative_to(STATIC).as_posix()
            answer = fetch(running, f"/static/{name}")
            plain = path.read_bytes()
            packed = answer.headers["Content-Encoding"] == "gzip"
            assert (gzip.decompress(answer.content) if packed else answer.content) == plain
            tag = answer.headers["ETag"]
            again = fetch(running, f"/static/{name}", **{"If-None-Match": tag})
            assert again.status == 304, name
        for a, b in (("calgary", "phoenix"), ("boston", "miami"), ("dallas", "new-york")):
            assert ann.post("/hand", {"a": a, "b": b}).status == 200
        for number in range(12):
            ann.post("/hand", {"a": "atlanta", "b": "montreal", "points": number + 1})
        assert "Content-Encoding" not in ann.get("/hand", Accept_Encoding="gzip").headers
