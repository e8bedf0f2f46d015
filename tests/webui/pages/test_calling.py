"""Players call somebody of the house, where the house listens."""

from __future__ import annotations

from phones import Table
from playwright.sync_api import Browser, expect
from railspotter.club.report import report_of
from table_pages import opened, say, tab


def test_nobody_is_called_where_nobody_hears(running: Table) -> None:
    ann = running.player("ann")
    assert ann.get("/state").json["table"]["is_called"] is None
    refused = ann.post("/call", {"wanted": True})
    assert (refused.status, refused.json["error"]["code"]) == (409, "unheard")


def test_a_player_calls_and_takes_it_back(browser: Browser, running: Table) -> None:
    running.live.enable_calls()

    def needs() -> tuple[str, ...]:
        return report_of(
            running.live.view, table="t", name="T", game="g", number=1, at_s=0.0, events=0
        ).help

    with opened(browser, running, seat="ann") as page:
        tab(page, "table")
        button = page.locator("[data-key=call]")
        button.click()
        expect(button).to_have_text(say("call.back"))
        assert needs() == ("called",)
        button.click()
        expect(button).to_have_text(say("call.button"))
        assert needs() == ()
    with opened(browser, running) as guest:
        tab(guest, "table")
        expect(guest.locator("[data-key=charts]")).to_be_visible()
        expect(guest.locator("[data-key=call]")).to_have_count(0)
