"""A running game on the page: over HTTP, and in a browser while it is really played."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from ctypes.util import find_library
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import drawn
import pytest
from playwright.sync_api import expect, sync_playwright
from railspotter.scoring import load_edition, standing
from railspotter.table.demo import HABITS, demo_game
from railspotter.table.live_demo import LiveDemo
from railspotter.table.photo_file import parse_photo
from railspotter.table.scored_photo import ScoredPhoto
from railspotter.table.virtual_game import VirtualGame
from railspotter.webui import Server, create_app
from railspotter.webui import texts as words

CHROMIUM = Path("/usr/bin/chromium")


def never(content: bytes, name: str) -> ScoredPhoto:
    raise AssertionError("nothing was to be read")


def test_the_page_shows_the_game_and_says_that_it_is_drawn(still: Any) -> None:
    client = create_app(never, live=still).test_client()
    page = client.get("/")
    text = unescape(page.text)
    assert words.LIVE_HINT in text
    assert "Game 8, 1:05 of 5:00." in text
    assert re.findall(r'data-colour="(\w+)"', text) == ["blue", "red"]
    assert "Is the left lane of Portland - Seattle red, empty, or black?" in text
    assert words.READ in text, "a photo can be sent all the same"
    (seen,) = set(re.findall(r'src="(/photos/\S+/board\.jpg)"', text))
    assert client.get(seen).mimetype == "image/jpeg"


def test_the_picture_is_the_cameras(still: Any) -> None:
    answer = create_app(never, live=still).test_client().get("/live/board.jpg")
    assert answer.data == still.picture()
    assert answer.mimetype == "image/jpeg"
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_scores_follow_the_reading(still: Any) -> None:
    client = create_app(never, live=still).test_client()
    assert client.get("/live/state").json == {"number": 1, "said": "Game 8, 1:05 of 5:00."}
    before = client.get("/live/scores").text
    claims = {"helena--seattle": "green"}
    scored: ScoredPhoto = still.shown.photo
    newer = replace(scored, standing=standing(scored.edition, scored.board, claims), doubts=())
    still.shown = replace(still.shown, number=2, photo=newer)
    assert client.get("/live/state").json["number"] == 2  # type: ignore[index]
    after = client.get("/live/scores").text
    assert re.findall(r'data-colour="(\w+)"', before) == ["blue", "red"]
    assert re.findall(r'data-colour="(\w+)"', after) == ["green"]
    assert words.NO_DOUBTS in after
    pictures = [re.findall(r'src="(\S+)"', text)[0] for text in (before, after)]
    assert pictures[0] != pictures[1]
    assert [client.get(picture).status_code for picture in pictures] == [200, 200]


def test_what_was_not_read_has_no_score(still: Any) -> None:
    client = create_app(never, live=still).test_client()
    still.shown = replace(still.shown, photo=None)
    assert words.NOT_READ_YET in client.get("/").text
    lost = ScoredPhoto("x", drawn.usa(), load_edition("usa"), reason="the board was not found")
    still.shown = replace(still.shown, number=2, photo=lost)
    page = client.get("/").text
    assert "The board was not found." in page
    assert words.SCORES_HEADING not in page


def test_the_end_names_the_winner(still: Any) -> None:
    client = create_app(never, live=still).test_client()
    assert words.FINAL_HEADING not in client.get("/").text
    end = demo_game(3, size_wh=(320, 240)).enactment.played.standing
    still.shown = replace(still.shown, t_s=300.0, final=end)
    page = client.get("/").text
    assert words.FINAL_HEADING in page
    assert "Game 8 is over." in page
    assert page.count(f">{words.WINNER}<") == len(end.winners)
    winner = end[end.winners[0]]
    first = page.index(f'<td class="points">{winner.total}</td>')
    assert all(first <= page.index(f'<td class="points">{p.total}</td>') for p in end.players)


def test_without_a_game_nothing_is_live() -> None:
    client = create_app(never).test_client()
    assert words.LIVE_HEADING not in client.get("/").text
    assert client.get("/live/state").status_code == 404


def hurried(seed: int) -> VirtualGame:
    """A small game with hands that are away for longer than over the board."""
    return demo_game(seed, replace(HABITS, pace=20.0, thinking_s=(12.0, 16.0)), (800, 530))


@pytest.fixture
def running() -> Iterator[str]:
    ahead_s = 0.0
    demo = LiveDemo(drawn.scorer(), hurried, clock=lambda: time.monotonic() + ahead_s)
    ahead_s = demo.state().duration_s / 3  # there are trains on the board already
    app = create_app(lambda content, name: demo.score(parse_photo(content), name), live=demo)
    with demo, Server(app, "127.0.0.1", 0) as server:
        yield server.url


@pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not here: sudo apt install chromium")
@pytest.mark.skipif(
    find_library("atomic") is None, reason="Playwright needs it: sudo apt install libatomic1"
)
def test_the_score_changes_before_ones_eyes(running: str) -> None:
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        page = browser.new_page(viewport={"width": 360, "height": 740})
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(running)
        camera = page.get_by_role("img", name=words.LIVE_PICTURE)
        expect(camera).to_have_js_property("naturalWidth", 800)
        first = camera.get_attribute("src")
        points = page.locator(".read .points")
        expect(points.first).to_be_visible(timeout=20_000)
        before = points.all_inner_texts()
        page.locator(".read summary").first.click()
        opened = page.locator(".read details[open]")
        expect(points).not_to_have_text(before, timeout=20_000)
        expect(opened).to_have_count(1)
        assert camera.get_attribute("src") != first
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        browser.close()
    assert complaints == []
