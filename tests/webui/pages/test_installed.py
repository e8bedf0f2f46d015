"""The page as an app: a phone can install it, and opens it calmly where the computer is off."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser_driver import CHROMIUM, USUAL
from house.project import ROOT
from phones import Phone
from PIL import Image
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from railspotter.webui.pages.installed import KEPT, UNREACHABLE, version
from railspotter.webui.serving.server import Server
from railspotter.webui.words.translation import PageWords, languages
from resting_pages import resting_app
from served_play import free_port
from table_pages import PHONE

STATIC = ROOT / "webui" / "static"


def serving(folder: Path, port: int = 0) -> Server:
    return Server(resting_app(folder)[0], "127.0.0.1", port)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


def test_the_manifest_has_what_a_phone_asks_for(server: Server) -> None:
    for language in languages():
        answer = Phone(server.port).page("/manifest.webmanifest", Accept_Language=language)
        told = answer.json
        assert answer.headers.get_content_type() == "application/manifest+json"
        assert (told["lang"], told["start_url"], told["display"]) == (language, "/", "standalone")
        assert told["description"] == PageWords(language)["installed.description"]
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    for icon in told["icons"]:
        path = STATIC / icon["src"].removeprefix("/static/")
        with Image.open(path) as picture:
            assert f"{picture.width}x{picture.height}" == icon["sizes"]
        assert path.stat().st_size < 10_000


def test_the_worker_keeps_the_small_page_only(server: Server) -> None:
    phone = Phone(server.port)
    answer = phone.page("/service-worker.js")
    text = answer.content.decode()
    assert answer.headers.get_content_type() == "text/javascript"
    assert f'const VERSION = "{version()}"' in text
    (kept,) = re.findall(r"^const KEPT = (\[.*\]);$", text, re.MULTILINE)
    paths = json.loads(kept)
    assert paths == [UNREACHABLE, *(f"/static/{name}" for name in KEPT)]
    for path in paths:
        assert phone.page(path).status == 200


def test_every_page_leads_to_the_manifest_but_the_one_that_tells_of_trust() -> None:
    folder = ROOT / "webui" / "templates"
    for template in folder.glob("*.html"):
        text = template.read_text("utf-8")
        # A television and OBS install nothing.
        if "<!doctype" in text and template.name not in ("unreachable.html", "screen.html"):
            assert '{% include "installing.html" %}' in text, template.name
    assert "{% block installing %}<link" in (folder / "trust.html").read_text("utf-8")


@contextmanager
def phone(playwright: Playwright, folder: Path, locale: str = "en-GB") -> Iterator[BrowserContext]:
    """A browser that keeps what it is given, as a phone's does."""
    with playwright.chromium.launch_persistent_context(
        folder / "browser", executable_path=CHROMIUM, args=USUAL, viewport=PHONE, locale=locale
    ) as context:
        yield context


def taken_over(page: Page) -> None:
    page.evaluate(
        """() => navigator.serviceWorker.controller ? null : new Promise((go) =>
            navigator.serviceWorker.addEventListener("controllerchange", () => go(null)))"""
    )


@pytest.mark.long
def test_chromium_can_install_it(playwright: Playwright, tmp_path: Path, server: Server) -> None:
    with phone(playwright, tmp_path) as context:
        page = context.pages[0]
        page.goto(f"{server.url}card-game")
        taken_over(page)
        devtools = context.new_cdp_session(page)
        manifest = devtools.send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert json.loads(manifest["data"])["name"] == "Railspotter"
        assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []


@pytest.mark.long
@pytest.mark.parametrize("language", languages())
def test_a_server_that_is_off_is_said_calmly_and_waited_for(
    playwright: Playwright, tmp_path: Path, language: str
) -> None:
    words = PageWords(language)
    with phone(playwright, tmp_path, language) as context:
        page = context.pages[0]
        port = free_port()
        with serving(tmp_path, port) as server:
            page.goto(f"{server.url}card-game")
            taken_over(page)
            page.reload()
            page.wait_for_selector("body[data-ready]")
            kept = page.evaluate(
                """async () => (await Promise.all((await caches.keys()).map(async (name) =>
                    (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname)
                ))).flat().sort()"""
            )
            assert kept == sorted([UNREACHABLE, *(f"/static/{name}" for name in KEPT)])
        page.goto(f"http://127.0.0.1:{port}/boards")
        heading = page.get_by_role("heading", name=words["installed.title"])
        expect(heading).to_be_visible()
        assert page.locator("html").get_attribute("lang") == language
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        # It has its look and its script, which no server gave.
        button = page.get_by_role("button", name=words["installed.retry"])
        assert button.evaluate("one => getComputedStyle(one).minHeight") == "56px"
        button.click()
        expect(heading).to_be_visible()
        with serving(tmp_path, port):
            page.wait_for_selector("body.boards[data-ready]", timeout=20_000)
            assert page.url.endswith("/boards")
