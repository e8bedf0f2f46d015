"""The page at the table in every language, in a real browser: what it keeps and how it writes."""

import pytest
from phones import Table
from playwright.sync_api import Browser, expect
from railspotter.webui.words.translation import PageWords
from table_pages import PHONE, opened, ready, tab


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
