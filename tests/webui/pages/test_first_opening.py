"""The colours and size of the page at the table, read from its files."""

import gzip
import re
from pathlib import Path

from house.project import ROOT
from page_scripts import SCRIPTS, imports
from phones import Answer, Table, table
from railspotter.webui.pages.page_table import PARTS, STATIC

WEBUI = ROOT / "webui"
MAIN = "table/main.js"
# Of all that the first opening of the page needs, compressed, with what goes before each answer.
MOST_BYTES = 100_000
MOST_ANSWERS = 40


def test_scripts_and_styles_paint_alike() -> None:
    script = (STATIC / "shared" / "paint.js").read_text("utf-8")
    style = (STATIC / "shared" / "look.css").read_text("utf-8")
    for colour in ("black", "blue", "green", "orange", "purple", "red", "white", "yellow"):
        found = re.search(rf'{colour}: {{ letter: "(\w)", paint: "(#\w+)"', script)
        assert found, colour
        assert found[1] == ("K" if colour == "black" else colour[0].upper())
        styled = re.search(rf"\.car-{colour} {{ --paint: (#\w+);", style)
        assert styled
        assert styled[1].ljust(7, styled[1][-1]) == found[2], colour


def test_the_first_opening_is_small(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        sizes = {path: sent(running, path) for path in first_opening()}
    assert sum(sizes.values()) < MOST_BYTES, sizes
    assert len(sizes) <= MOST_ANSWERS


def first_opening() -> list[str]:
    """Return what is asked for: of what scripts import later, all that is no part of few games."""
    template = (WEBUI / "templates" / "table.html").read_text("utf-8")
    named = re.findall(r"url_for\('static', filename='([^']+)'\)", template)
    assert len([name for name in named if name.endswith(".css")]) > 1
    parts = {STATIC / path for part in PARTS.values() for path in part}
    scripts, waiting = set[Path](), {STATIC / MAIN}
    while waiting:
        scripts |= waiting
        waiting = {other for path in waiting for other in imports(path)} - scripts - parts
    named += ["installed/register.js", *(path.relative_to(STATIC).as_posix() for path in scripts)]
    static = [f"/static/{name}" for name in dict.fromkeys(named)]
    return ["/", "/api/v1/state", "/api/v1/you", "/api/v1/board", *static]


def sent(running: Table, path: str) -> int:
    """Bytes of an answer as they go over the line."""
    answer = fetch(running, path)
    assert answer.status == 200, path
    return len(bytes(answer.headers)) + len(answer.content)


def fetch(running: Table, path: str, **headers: str) -> Answer:
    """Ask as a browser does that takes compressed texts."""
    return running.phone().page(path, Accept_Encoding="gzip", **headers)


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
            again = fetch(running, f"/static/{name}", If_None_Match=tag)
            assert again.status == 304, name
        for a, b in (("calgary", "phoenix"), ("boston", "miami"), ("dallas", "new-york")):
            assert ann.post("/hand", {"a": a, "b": b}).status == 200
        for number in range(12):
            ann.post("/hand", {"a": "atlanta", "b": "montreal", "points": number + 1})
        host = running.host()
        for phone, secret in ((ann, "/hand"), (host, "/boards/usa")):
            answer = phone.get(secret, Accept_Encoding="gzip")
            assert answer.status == 200
            assert "Content-Encoding" not in answer.headers
        assert ann.get("/board", Accept_Encoding="gzip").headers["Content-Encoding"] == "gzip"
