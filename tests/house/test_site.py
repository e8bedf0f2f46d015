"""The site of documentation: whole, no link leads nowhere, and it needs no network."""

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from browser_driver import chromium
from documentation_site import SITE, SiteError, build, lay_out, pages
from house.project import ROOT, modules
from playwright.sync_api import Playwright

FETCHED = re.compile(
    r"<(?:script|img|iframe)[^>]* src=\"?(https?:)|<link[^>]*stylesheet[^>]*(https?:)"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    lay_out(folder)
    return build(folder)


def linked(nav: Any) -> set[str]:
    """Return the pages of a navigation."""
    if isinstance(nav, str):
        return {nav}
    parts = nav.values() if isinstance(nav, dict) else nav
    return set[str]().union(*map(linked, parts))


def test_every_page_is_in_the_navigation() -> None:
    nav = tomllib.loads((SITE / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    there = {str(path.relative_to(ROOT)) for path in pages() if path.suffix == ".md"}
    assert linked(nav) == there


def test_it_fetches_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert not FETCHED.search(page.read_text("utf-8")), page.name


@pytest.mark.parametrize("link", ["[x](guide-camra.md)", "[x](guide.md#nowhere)"])
def test_a_link_that_leads_nowhere_is_an_error(link: str, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "guide.md").write_text("# Guide\n")
    (tmp_path / "pages" / "index.md").write_text(f"# Start\n\n{link}\n")
    (tmp_path / "zensical.toml").write_text(
        '[project]\nsite_name = "x"\ndocs_dir = "pages"\nsite_dir = "html"\n'
    )
    with pytest.raises(SiteError):
        build(tmp_path)


@pytest.mark.long
def test_the_search_works_without_a_server(site: Path, playwright: Playwright) -> None:
    with chromium(playwright) as browser:
        page = browser.new_page()
        asked = list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "docs" / "guide.html").as_uri())
        page.keyboard.press("/")
        page.keyboard.type("nudge")
        page.get_by_text(re.compile(r"^\d+ results?$")).wait_for(timeout=60_000)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def what_the_program_says() -> str:
    """Return every text of the packages; what is filled in stands as an ellipsis."""
    texts = []
    for module in modules():
        for node in ast.walk(ast.parse(module.path.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = (
                    part.value if isinstance(part, ast.Constant) else "…" for part in node.values
                )
                texts.append("".join(map(str, parts)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(re.sub(r"\{[^}]*\}", "…", node.value))
    return "\n".join(texts)


def test_what_the_program_is_said_to_say_it_says() -> None:
    page = (ROOT / "docs/troubleshooting.md").read_text("utf-8")
    quotes = [
        quote
        for row in re.findall(r"^\| (.+?) \|", page, re.MULTILINE)
        for quote in re.findall(r"`([^`]+)`", row)
        if not quote.startswith(("--", "railspotter"))
    ]
    assert len(quotes) > 25
    said = what_the_program_says()
    assert [quote for quote in quotes if quote not in said] == []
