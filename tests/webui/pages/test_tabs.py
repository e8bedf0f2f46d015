"""The table open in many tabs of one browser, which opens six connections to it and no more."""

from __future__ import annotations

from phones import Table
from playwright.sync_api import Browser, Page, expect
from table_pages import PATIENCE_MS, claim, opened, points, ready

MORE_THAN_CONNECTIONS = 8


def answers(page: Page) -> int:
    """Return the status with which a call of a tab is answered."""
    call = "(ms) => fetch('/api/v1/you', { signal: AbortSignal.timeout(ms) }).then((r) => r.status)"
    return int(page.evaluate(call, PATIENCE_MS))


def test_more_tabs_than_a_browser_has_connections_follow_the_table_and_answer(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, seat="ann") as first:
        tabs = [first]
        while len(tabs) < MORE_THAN_CONNECTIONS:
            page = first.context.new_page()
            page.goto(running.page.server.url)
            ready(page)
            tabs.append(page)
        claim(running, helena__seattle="blue")
        for page in tabs:
            expect(points(page, "bob")).to_have_text("15")
            assert answers(page) == 200

        # Where the tab is closed that hears for all, another one does.
        tabs.pop().close()
        claim(running, duluth__helena="blue")
        for page in tabs:
            expect(points(page, "bob")).to_have_text("30")
