"""A score marker that stands elsewhere than the score is told of on the page."""

from __future__ import annotations

from phones import Table
from playwright.sync_api import Browser, expect
from railspotter.table.live_table.marker_watch import MarkerRemark
from table_pages import PHONE, opened, say


def test_a_score_marker_that_was_not_moved_is_told_of_beside_its_player(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, seat="ann") as page:
        running.live.misplace(MarkerRemark("ann", 38, 41))
        row = page.locator('[data-key="player-ann"]')
        expect(row).to_contain_text(say("tag.marker", at=38, points=41))
        assert running.host().state()["table"]["markers"] == [
            {"seat": "ann", "at": 38, "should_be": 41}
        ]
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        running.live.misplace()
        expect(row).not_to_contain_text("38")
