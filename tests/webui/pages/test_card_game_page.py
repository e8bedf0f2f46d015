"""The Card Game's page: its words and size from its files, and a whole game in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from card_phones import deck_table
from phones import table
from playwright.sync_api import Browser, Page, ViewportSize, expect
from railspotter.webui.serving.server import Server
from resting_pages import resting_app
from table_pages import MINUS, PHONE, faultless, ready, say

# Made up, as a spreadsheet copies it.
TABLE = (
    "from\tto\tpoints\tred\tblue\tpink\n"
    "Aville\tBeetown\t5\t2\t1\t\n"
    "City C\tDale\t9\t\t\t3\n"
    "bonus\tDale\t8"
)
NARROW: ViewportSize = {"width": 320, "height": 640}
ENLARGED: ViewportSize = {"width": 180, "height": 370}  # a phone at 200 %


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with Server(resting_app(tmp_path)[0], "127.0.0.1", 0) as server:
        yield f"{server.url}card-game"


@contextmanager
def opened(browser: Browser, url: str) -> Iterator[Page]:
    with faultless(browser, locale="en-GB") as page:
        page.goto(url)
        ready(page)
        yield page


def is_narrow(page: Page) -> bool:
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width <= (page.viewport_size or PHONE)["width"]


def key(page: Page, name: str) -> None:
    """Press a button as the keyboard does."""
    page.locator(f"[data-key='{name}']").focus()
    page.keyboard.press("Enter")


def test_the_first_page_leads_to_it(browser: Browser, url: str) -> None:
    with browser.new_context(viewport=PHONE, locale="en-GB") as context:
        page = context.new_page()
        page.goto(url.removesuffix("card-game"))
        page.get_by_role("link", name=say("home.card_game")).click()
        ready(page)
        expect(page).to_have_title(say("cards.page_title"))


def test_a_game_can_be_dealt_as_soon_as_the_deck_is_typed_in(browser: Browser, url: str) -> None:
    with opened(browser, url) as page:
        name = page.get_by_label(say("cards.player_n", n=1))
        name.fill("Ann")
        expect(page.locator("main")).to_contain_text(say("cards.deal_needs"))
        page.locator("[data-key=deck]").click()
        page.locator("[data-key=paste]").click()
        page.get_by_label(say("cards.paste_label")).fill(deck_table(12))
        page.get_by_role("button", name=say("cards.paste_take")).click()
        expect(page.locator(".deck-ticket")).to_have_count(12)
        page.keyboard.press("Escape")
        expect(page.locator("[data-key=deal-done]")).to_be_visible()
        expect(name.last).to_have_value("Ann")  # of the game to be counted: what was typed stays


@pytest.mark.journey
def test_a_game_is_counted_on_a_phone_by_tapping_and_by_keyboard(
    browser: Browser, url: str
) -> None:
    with opened(browser, url) as page:
        assert is_narrow(page)
        # The deck: a fault is told with its line and nothing is taken.
        page.locator("[data-key=deck]").click()
        page.locator("[data-key=paste]").click()
        page.get_by_label(say("cards.paste_label")).fill(TABLE.replace("9", "many"))
        page.get_by_role("button", name=say("cards.paste_take")).click()
        expect(page.locator("dialog .trouble-text").last).to_contain_text("Line 3")
        assert is_narrow(page)
        page.get_by_label(say("cards.paste_label")).fill(TABLE)
        page.get_by_role("button", name=say("cards.paste_take")).click()
        expect(page.locator(".deck-ticket")).to_have_count(2)
        assert is_narrow(page)
        page.keyboard.press("Escape")
        # A game, its cards and tickets.
        page.get_by_label(say("cards.player_n", n=1)).fill("Ann")
        page.locator("[data-key=done]").click()
        page.locator("[data-key=more-red]").wait_for()
        assert "#game=" in page.url
        for card, times in (("red", 2), ("locomotive", 4)):
            for _ in range(times):
                page.locator(f"[data-key=more-{card}]").tap()
        key(page, "more-pink")
        expect(page.locator("[data-key=more-pink]")).to_be_focused()
        expect(page.locator("[data-key=more-pink] .tile-count")).to_have_text("1")
        key(page, "more-blue")
        key(page, "less-locomotive")
        key(page, "less-blue")
        key(page, "ticket-add")
        page.get_by_label(say("cards.search")).fill("dal")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_label(say("cards.search")).fill("avil bee")
        page.locator("dialog .result").click()
        expect(page.locator("dialog .result")).to_have_count(0)
        page.keyboard.press("Escape")
        points = page.locator("[data-points=red]")
        expect(points).to_have_text("14")
        # Another choice: only the small ticket is completed.
        key(page, "counts-0")
        expect(points).to_have_text("5")
        key(page, "end")
        expect(points).to_have_text(f"{MINUS}4")
        key(page, "best")
        expect(points).to_have_text("22")
        expect(page.locator("[data-part=winner]")).to_contain_text(say("cards.winner", name="Ann"))
        lines = page.locator("[data-lines=red] .line")
        expect(lines).to_have_count(3)
        expect(lines.last).to_contain_text(say("cards.line.city", city="Dale"))
        expect(lines.last).to_contain_text("+8")
        assert is_narrow(page)
        # A reload has everything, and so has another phone with the link.
        page.reload()
        ready(page)
        expect(page.locator("[data-points=red]")).to_have_text("22")
        with opened(browser, page.url) as other:
            other.locator("[data-key=player-blue]").click()
            other.locator("[data-key=more-green]").tap()
            expect(other.locator("[data-key=more-green] .tile-count")).to_have_text("1")
            page.locator("[data-key=player-blue]").click()
            expect(page.locator("[data-key=more-green] .tile-count")).to_have_text("1")
        for size in (NARROW, ENLARGED):
            page.set_viewport_size(size)
            assert is_narrow(page)


def test_the_page_of_a_running_game_has_it_too(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        page = running.phone().page("/card-game")
        assert say("cards.page_title") in page.content.decode()
        begun = running.phone().post("/card-games", {"players": [{"colour": "red"}] * 2})
        assert begun.status == 400, "two cannot play red"
        two = {"players": [{"colour": "red"}, {"colour": "blue"}]}
        assert running.phone().post("/card-games", two).status == 200
    (game,) = (tmp_path / "card-game" / "games").iterdir()
    assert '"card-game"' in game.read_text("utf-8")
