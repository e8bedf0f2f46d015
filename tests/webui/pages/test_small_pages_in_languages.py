"""Past games, The Card Game and boards at 360 px, in every language: nothing is cut or scrolls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from no_limits import no_limits
from past_games import some_games
from phones import never
from playwright.sync_api import Browser, FilePayload, Page, ViewportSize, expect
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.photo_file import to_jpeg
from railspotter.webui.access.phone_access import PhoneAccess
from railspotter.webui.app import create_app
from railspotter.webui.feed.history import History
from railspotter.webui.serving.server import Server
from railspotter.webui.words.languages import languages
from table_pages import faultless, ready, rest

PLAIN_BOARD = to_jpeg(np.full((750, 1000, 3), 128, np.uint8))
SMALL: ViewportSize = {"width": 360, "height": 740}
LANGUAGE = pytest.mark.parametrize("language", languages())
# Long names, as towns have them.
DECK = "Aachen an der langen Straße\tSaint-Germain-en-Laye\t12\t2 red 1 blue\nbonus\tDallas\t8"


@dataclass(frozen=True)
class Shelf:
    """A page with past games and no running one."""

    url: str
    phone_access: PhoneAccess
    a_game: str


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    folder = tmp_path_factory.mktemp("shelf")
    store = GameStore(folder)
    names = some_games(store)
    phone_access = PhoneAccess(folder / "page.pairing", "page", lambda opens: None)
    app = create_app(never, phone_access=phone_access, history=History(store), limits=no_limits())
    with Server(app, "127.0.0.1", 0) as server:
        yield Shelf(server.url, phone_access, next(iter(names.values())))


# What is wider than its place, or than the phone.
WIDER = """() => {
  const parts = "dialog, .card, button, select, h1, h2, h3, p, li, td, th, a.button";
  const told = (one) => `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 60)}`;
  const style = (one) => getComputedStyle(one);
  const canScroll = (one) => one && (["auto", "scroll"].includes(style(one).overflowX)
    && one.tagName !== "DIALOG" || canScroll(one.parentElement));
  const isSeen = (one) => one.getClientRects().length && !one.closest(".unseen");
  const isCut = (one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1
    && style(one).overflowX !== "auto" && style(one).display !== "inline";
  const isOff = ({ left, right }) => right > innerWidth + 1 || left < -1;
  const found = [...document.querySelectorAll(parts)].filter(isSeen);
  return [
    ...found.filter(isCut).map((one) => `cut: ${told(one)}`),
    ...found.filter((one) => isOff(one.getBoundingClientRect()) && !canScroll(one.parentElement))
      .map((one) => `off: ${told(one)}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : []),
  ];
}"""


# Names that are broken between letters.
BROKEN = """() => [...document.querySelectorAll(".score-name")].filter((one) => {
  const words = one.textContent.trim().split(/\\s+/).length;
  return one.offsetHeight > 1.7 * words * parseFloat(getComputedStyle(one).fontSize);
}).map((one) => one.textContent)"""


def show(page: Page, what: str) -> None:
    """See that the page is no wider than the phone, and nothing in it wider than its place."""
    language = page.locator("html").get_attribute("lang")
    assert page.evaluate(WIDER) == [], f"{what}, {language}"


@LANGUAGE
def test_past_games_fit(browser: Browser, shelf: Shelf, language: str) -> None:
    with faultless(browser, SMALL, locale=language, has_touch=True) as page:
        page.goto(f"{shelf.url}history#host={shelf.phone_access.codes.host}")
        ready(page)
        assert page.locator("html").get_attribute("lang") == language
        show(page, "past games")
        for opener in page.locator("summary").all():
            opener.click()
        show(page, "past games, unfolded")
        page.goto(f"{shelf.url}history/{shelf.a_game}")
        ready(page)
        rest(page)
        for opener in page.locator("summary").all():
            if opener.is_visible():
                opener.click()
        show(page, "a past game")


@LANGUAGE
def test_the_card_game_fits(browser: Browser, shelf: Shelf, language: str) -> None:
    with faultless(browser, SMALL, locale=language, has_touch=True) as page:
        page.goto(f"{shelf.url}card-game")
        ready(page)
        show(page, "The Card Game")
        page.locator("[data-key=deck]").click()
        page.locator("[data-key=paste]").click()
        page.locator("#deck-text").fill(DECK)
        show(page, "pasting a deck")
        page.locator("dialog form [type=submit]").last.click()
        expect(page.locator(".deck-ticket").first).to_be_visible()
        show(page, "the deck")
        page.locator("[data-key=new-ticket]").click()
        show(page, "a ticket's form")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        for _ in range(2):
            page.locator("[data-key=more]").click()
        page.locator("#player-0").fill("Maximiliane von Hohenstein")
        show(page, "players")
        page.locator("[data-key=done]").click()
        page.locator("[data-key=more-red]").wait_for()
        for card in ("red", "red", "locomotive", "blue"):
            page.locator(f"[data-key=more-{card}]").tap()
        page.locator("[data-key=ticket-add]").click()
        page.locator("dialog .result").first.click()
        show(page, "choosing a ticket")
        page.keyboard.press("Escape")
        show(page, "a player's cards")
        assert page.evaluate(BROKEN) == []
        for key in ("players", "share", "second-deck"):
            page.locator(f"[data-key={key}]").click()
            expect(page.locator("dialog")).to_have_count(1)
            show(page, key)
            page.keyboard.press("Escape")
        page.locator("[data-key=end]").click()
        expect(page.locator("[data-key=go-on]")).to_be_visible()
        show(page, "the end")


@LANGUAGE
def test_the_boards_and_the_first_page_fit(browser: Browser, shelf: Shelf, language: str) -> None:
    with faultless(browser, SMALL, locale=language, has_touch=True) as page:
        page.goto(shelf.url)
        show(page, "the first page")
        page.goto(f"{shelf.url}history#host={shelf.phone_access.codes.host}")
        ready(page)
        expect(page.locator("#toast")).to_be_visible()
        page.goto(f"{shelf.url}boards")
        ready(page)
        expect(page.locator("#new-width")).to_be_visible()
        show(page, "boards")
        page.locator("form input[type=text], form input:not([type])").first.fill(
            f"Karte {language}"
        )
        page.locator("#new-width").fill("300")
        page.locator("#new-height").fill("400")
        page.locator("form [type=submit]").first.click()
        page.locator("#photo-file").wait_for()
        show(page, "a board's photo")
        blank: FilePayload = {
            "name": "b.jpg",
            "mimeType": "image/jpeg",
            "buffer": PLAIN_BOARD,
        }
        page.locator("#photo-file").set_input_files(blank)
        page.locator("[data-key=corners-set]").click()
        page.locator("[data-key=tickets]").wait_for()
        for summary in page.locator("summary").all():
            if summary.is_visible():
                summary.click()
        show(page, "a board that is made")
