"""The page at the table in every language, in a real browser: all of it fits a small phone."""

from __future__ import annotations

import pytest
from phones import Table
from playwright.sync_api import Browser, Page, expect
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.course_facts import LastTurnsBegun, TurnMarked
from railspotter.table.live_table.commands import Say
from railspotter.webui.words.languages import PageWords, languages, translator_to
from table_pages import PHONE, claim, fits, opened, ready, tab

LANGUAGE = pytest.mark.parametrize("language", languages())


def sheet(page: Page, opener: str) -> None:
    """Open a sheet, see that it fits, and close it."""
    page.locator(opener).first.click()
    expect(page.locator("dialog")).to_have_count(1)
    for more in page.locator("dialog summary").all():
        more.click()
    fits(page)
    page.locator("dialog .sheet-close").last.click()
    expect(page.locator("dialog")).to_have_count(0)


@LANGUAGE
def test_every_view_fits_a_small_phone(browser: Browser, running: Table, language: str) -> None:
    own = PageWords(language)
    running.live.do(Say([TurnMarked("cleo"), LastTurnsBegun("bob")]))
    claim(running, helena__seattle="blue", denver__helena="red")
    with opened(browser, running, host=True, locale=language) as page:
        assert page.locator("html").get_attribute("lang") == language
        expect(page.locator("#tab-board")).to_have_text(own["tab.board"])
        tab(page, "table")
        fits(page)
        page.locator("[data-key=choose-seat]").click()
        page.locator("dialog [data-key=seat-ann]").click()
        expect(page.locator("dialog")).to_have_count(0)
        tab(page, "score")
        running.live.ask(Spot("route", "helena--seattle"), "blue", "red", None)
        expect(page.locator(".question")).to_contain_text(
            translator_to(language)(Sentence("glare lies over it"))
        )
        fits(page)
        sheet(page, "#status")
        sheet(page, "#ask")
        sheet(page, "[data-seat=bob] .row")
        sheet(page, "#latest .event-open")
        sheet(page, "#latest button.quiet")
        tab(page, "board")
        fits(page)
        tab(page, "tickets")
        expect(page.locator("#tickets")).to_contain_text(own["tickets.none"])
        fits(page)
        sheet(page, "[data-key=ticket-add]")
        tab(page, "table")
        fits(page)
        sheet(page, "[data-key=routes]")
        sheet(page, "[data-key=add-player]")
        page.locator("[data-key=end]").click()
        fits(page)
        page.locator("dialog .primary").click()
        tab(page, "score")
        expect(page.locator("#ending")).to_contain_text(own["ending.text"])
        fits(page)
        for path in ("help", "photo"):
            page.goto(f"{running.page.server.url}{path}")
            expect(page.locator("html")).to_have_attribute("lang", language)
            fits(page)


def test_the_phone_keeps_the_language_that_is_chosen_on_it(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, locale="de", size=PHONE) as page:
        tab(page, "table")
        expect(page.locator("#language option").nth(1)).to_have_text("Deutsch")
        page.locator("#language").select_option(label="Français")
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        ready(page)
        expect(page.locator("#tab-board")).to_have_text(PageWords("fr")["tab.board"])
        page.reload()
        ready(page)
        tab(page, "table")
        expect(page.locator("#language")).to_have_value("fr")
        page.locator("#language").select_option("")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        ready(page)


@pytest.mark.parametrize(
    ("locale", "language", "said"),
    [
        ("en-GB", "en", "09:11 and 23 Nov 2026, 09:11"),
        ("en-US", "en", "09:11 AM and Nov 23, 2026, 9:11 AM"),
        ("de-DE", "en", "09:11 and 23 Nov 2026, 09:11"),
        ("de", "de", "09:11 and 23.11.2026, 09:11"),
    ],
)
def test_times_are_written_as_in_the_phones_region(
    browser: Browser, running: Table, locale: str, language: str, said: str
) -> None:
    at = "Date.UTC(2026, 10, 23, 9, 11) / 1000"
    told = f"({{ clock, dayAndTime }}) => `${{clock({at})}} and ${{dayAndTime({at})}}`"
    with opened(browser, running, locale=locale, timezone_id="UTC") as page:
        tab(page, "table")
        page.locator("#language").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        ready(page)
        found = page.evaluate(f"import('/static/shared/words.js').then({told})")
        assert found.replace("\N{NARROW NO-BREAK SPACE}", " ") == said
