"""Past games, The Card Game and boards at 360 px, in every language: nothing is cut or scrolls."""

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, FilePayload, ViewportSize, expect
from railspotter.table.photo_file import to_jpeg
from railspotter.webui.words.translation import languages
from resting_pages import Shelf, shelf_in
from table_pages import faultless, fits, ready, rest

PLAIN_BOARD = to_jpeg(np.full((750, 1000, 3), 128, np.uint8))
SMALL: ViewportSize = {"width": 360, "height": 740}
LANGUAGE = pytest.mark.parametrize("language", languages())
# Long names, as towns have them.
DECK = "Aachen an der langen Straße\tSaint-Germain-en-Laye\t12\t2 red 1 blue\nbonus\tDallas\t8"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with shelf_in(tmp_path_factory.mktemp("shelf")) as shelf:
        yield shelf


# Names that are broken between letters.
BROKEN = """() => [...document.querySelectorAll(".score-name")].filter((one) => {
  const words = one.textContent.trim().split(/\\s+/).length;
  return one.offsetHeight > 1.7 * words * parseFloat(getComputedStyle(one).fontSize);
}).map((one) => one.textContent)"""


@LANGUAGE
def test_past_games_fit(browser: Browser, shelf: Shelf, language: str) -> None:
    with faultless(browser, SMALL, locale=language, has_touch=True) as page:
        page.goto(f"{shelf.url}history#host={shelf.phone_access.codes.host}")
        ready(page)
        assert page.locator("html").get_attribute("lang") == language
        fits(page, "past games")
        for opener in page.locator("summary").all():
            opener.click()
        fits(page, "past games, unfolded")
        page.goto(f"{shelf.url}history/{shelf.names['usa']}")
        ready(page)
        rest(page)
        for opener in page.locator("summary").all():
            if opener.is_visible():
                opener.click()
        fits(page, "a past game")


@LANGUAGE
def test_the_card_game_fits(browser: Browser, shelf: Shelf, language: str) -> None:
    with faultless(browser, SMALL, locale=language, has_touch=True) as page:
        page.goto(f"{shelf.url}card-game")
        ready(page)
        fits(page, "The Card Game")
        page.locator("[data-key=deck]").click()
        page.locator("[data-key=paste]").click()
        page.locator("#deck-text").fill(DECK)
        fits(page, "pasting a deck")
        page.locator("dialog form [type=submit]").last.click()
        expect(page.locator(".deck-ticket").first).to_be_visible()
        fits(page, "the deck")
        page.locator("[data-key=new-ticket]").click()
        fits(page, "a ticket's form")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        for _ in range(2):
            page.locator("[data-key=more]").click()
        page.locator("#player-0").fill("Maximiliane von Hohenstein")
        fits(page, "players")
        page.locator("[data-key=done]").click()
        page.locator("[data-key=more-red]").wait_for()
        for card in ("red", "red", "locomotive", "blue"):
            page.locator(f"[data-key=more-{card}]").tap()
        page.locator("[data-key=ticket-add]").click()
        page.locator("dialog .result").first.click()
        fits(page, "choosing a ticket")
        page.keyboard.press("Escape")
        fits(page, "a player's cards")
        assert page.evaluate(BROKEN) == []
        for key in ("players", "share", "second-deck"):
            page.locator(f"[data-key={key}]").click()
            expect(page.locator("dialog")).to_have_count(1)
            fits(page, key)
            page.keyboard.press("Escape")
        page.locator("[data-key=end]").click()
        expect(page.locator("[data-key=go-on]")).to_be_visible()
        fits(page, "the end")


@LANGUAGE
def test_the_boards_and_the_first_page_fit(browser: Browser, shelf: Shelf, language: str) -> None:
    with faultless(browser, SMALL, locale=language, has_touch=True) as page:
        page.goto(shelf.url)
        fits(page, "the first page")
        page.goto(f"{shelf.url}history#host={shelf.phone_access.codes.host}")
        ready(page)
        expect(page.locator("#toast")).to_be_visible()
        page.goto(f"{shelf.url}boards")
        ready(page)
        expect(page.locator("#new-width")).to_be_visible()
        fits(page, "boards")
        page.locator("form input[type=text], form input:not([type])").first.fill(
            f"Karte {language}"
        )
        page.locator("#new-width").fill("300")
        page.locator("#new-height").fill("400")
        page.locator("form [type=submit]").first.click()
        page.locator("#photo-file").wait_for()
        fits(page, "a board's photo")
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
        fits(page, "a board that is made")
