"""The page as an app: a phone can install it, and opens it calmly where the computer is off."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from flask import Flask
from house.project import ROOT
from no_limits import no_limits
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright
from railspotter.table.errors import PhotoError
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.photo_file import Files
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.access.phone_access import PhoneAccess
from railspotter.webui.app import create_app
from railspotter.webui.feed.history import History
from railspotter.webui.pages.installed import KEPT, UNREACHABLE, version
from railspotter.webui.serving.server import Server
from railspotter.webui.words.languages import PageWords, languages
from table_pages import CHROMIUM, PHONE

STATIC = ROOT / "webui" / "static"


def unread(photos: Files) -> ScoredPhoto:
    raise PhotoError("nothing is read here")


def app(folder: Path) -> Flask:
    phone_access = PhoneAccess(folder / "page.pairing", "railspotter-page", lambda opens: None)
    return create_app(
        unread, phone_access=phone_access, history=History(GameStore(folder)), limits=no_limits()
    )


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(app(tmp_path), "127.0.0.1", 0) as server:
        yield server


def asked(url: str, **headers: str) -> tuple[str, Any]:
    request = Request(url, headers={name.replace("_", "-"): text for name, text in headers.items()})
    with urlopen(request, timeout=10) as answer:
        return answer.read().decode(), answer.headers


def test_the_manifest_has_what_a_phone_asks_for(server: Server) -> None:
    for language in languages():
        text, headers = asked(f"{server.url}manifest.webmanifest", Accept_Language=language)
        told = json.loads(text)
        assert headers.get_content_type() == "application/manifest+json"
        assert (told["lang"], told["start_url"], told["display"]) == (language, "/", "standalone")
        assert told["description"] == PageWords(language)["installed.description"]
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    for icon in told["icons"]:
        path = STATIC / icon["src"].removeprefix("/static/")
        with Image.open(path) as picture:
            assert f"{picture.width}x{picture.height}" == icon["sizes"]
        assert path.stat().st_size < 10_000


def test_the_worker_keeps_the_small_page_only(server: Server) -> None:
    text, headers = asked(f"{server.url}service-worker.js")
    assert headers.get_content_type() == "text/javascript"
    assert f'const VERSION = "{version()}"' in text
    (kept,) = re.findall(r"^const KEPT = (\[.*\]);$", text, re.MULTILINE)
    paths = json.loads(kept)
    assert paths == [UNREACHABLE, *(f"/static/{name}" for name in KEPT)]
    for path in paths:
        asked(server.url + path.lstrip("/"))


def test_every_page_leads_to_the_manifest_but_the_one_that_tells_of_trust() -> None:
    folder = ROOT / "webui" / "templates"
    for template in folder.glob("*.html"):
        text = template.read_text("utf-8")
        # A television and OBS install nothing.
        if "<!doctype" in text and template.name not in ("unreachable.html", "screen.html"):
            assert '{% include "installing.html" %}' in text, template.name
    assert "{% block installing %}<link" in (folder / "trust.html").read_text("utf-8")


@contextmanager
def phone(folder: Path, locale: str = "en-GB") -> Iterator[BrowserContext]:
    """A browser that keeps what it is given, as a phone's does."""
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not here: sudo apt install chromium")
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            folder / "browser",
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-dev-shm-usage"],
            viewport=PHONE,
            locale=locale,
        )
        try:
            yield context
        finally:
            context.close()


def free_port() -> int:
    """A port that can be taken again at once, as one that the system chooses cannot."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def taken_over(page: Page) -> None:
    page.evaluate(
        """() => navigator.serviceWorker.controller ? null : new Promise((go) =>
            navigator.serviceWorker.addEventListener("controllerchange", () => go(null)))"""
    )


@pytest.mark.long
def test_chromium_can_install_it(tmp_path: Path, server: Server) -> None:
    with phone(tmp_path) as context:
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
def test_a_server_that_is_off_is_said_calmly_and_waited_for(tmp_path: Path, language: str) -> None:
    words = PageWords(language)
    with phone(tmp_path, language) as context:
        page = context.pages[0]
        port = free_port()
        with Server(app(tmp_path), "127.0.0.1", port) as server:
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
        with Server(app(tmp_path), "127.0.0.1", port):
            page.wait_for_selector("body.boards[data-ready]", timeout=20_000)
            assert page.url.endswith("/boards")


@pytest.mark.long
def test_the_language_that_was_chosen_is_the_calm_pages_too(tmp_path: Path) -> None:
    with phone(tmp_path) as context:
        page = context.pages[0]
        with Server(app(tmp_path), "127.0.0.1", 0) as server:
            page.goto(f"{server.url}card-game")
            taken_over(page)
            page.evaluate("document.cookie = 'railspotter-language=de; path=/; samesite=strict'")
            url = server.url
        page.goto(url)
        expect(page.get_by_role("heading")).to_have_text(PageWords("de")["installed.title"])
