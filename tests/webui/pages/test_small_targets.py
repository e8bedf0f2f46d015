"""Whatever is tapped is large enough for a thumb, and no choice is cut, on a small phone."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from phones import Table
from playwright.sync_api import Browser, Page
from railspotter.webui.words.languages import languages
from table_pages import claim, opened, rest, tab

PAGES = ("photo", "help", "history", "boards", "card-game", "calibration")
# What is tapped and less than 44 px high; switches are tapped by their labels.
SMALL = """() => [...document.querySelectorAll("a[href], button, summary, select, input")]
  .filter((one) => one.getClientRects().length && !one.closest("svg, .unseen"))
  .filter((one) => !["checkbox", "radio", "range"].includes(one.type))
  .filter((one) => one.getBoundingClientRect().height < 43.5)
  .map((one) => `${one.outerHTML.slice(0, 90)}: ${one.getBoundingClientRect().height}`)"""
# Choices that are not as wide as their longest option.
CUT = """() => [...document.querySelectorAll("select")]
  .filter((one) => one.getClientRects().length)
  .filter((one) => {
    const free = one.cloneNode(true);
    Object.assign(free.style, { position: "absolute", width: "max-content", flex: "none" });
    one.parentElement.append(free);
    const isCut = free.offsetWidth > one.offsetWidth + 1;
    free.remove();
    return isCut;
  })
  .map((one) => `${one.id}: ${one.offsetWidth} px`)"""


def look(page: Page, what: str) -> None:
    for opener in page.locator("summary").all():
        if opener.is_visible():
            opener.click()
    rest(page)
    assert page.evaluate(SMALL) == [], what
    assert page.evaluate(CUT) == [], what


@pytest.mark.parametrize("language", languages())
def test_all_pages(browser: Browser, running: Table, language: str) -> None:
    claim(running, helena__seattle="blue")
    with opened(browser, running, host=True, locale=language) as page:
        for name in ("score", "board", "tickets", "table"):
            tab(page, name)
            look(page, name)
        for path in PAGES:
            page.goto(urljoin(running.page.server.url, path))
            look(page, path)
