"""A Philly board of one's own in the browser: its rules are shown and chosen, and its map drawn."""

from __future__ import annotations

from pathlib import Path

import philly
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect
from railspotter.table.boards.own_boards import OwnBoards
from served_play import free_port, serving_play
from table_pages import everyone_can_use, faultless, say

ZOO = "[data-spot='site:zoo']"


@pytest.mark.parametrize("is_measured", [True, False], ids=["measured", "by nobody"])
def test_from_the_rules_to_a_site_that_is_tapped(
    browser: Browser, home: Path, *, is_measured: bool
) -> None:
    whole = philly.philly()
    bare = tuple(replace(route, spaces=()) for route in whole.routes)
    sites = tuple(replace(site, space=None) for site in whole.sites)
    unmeasured = replace(whole, measured=False, routes=bare, sites=sites, tickets=())
    OwnBoards(home).keep(whole if is_measured else unmeasured)
    with serving_play(free_port()) as play, faultless(browser, locale="en-GB") as page:

        def key(name: str) -> None:
            page.locator(f"[data-key='{name}']").click()

        page.goto(f"http://127.0.0.1:{play.port}/#host={play.link('host')}")
        own = page.locator("[data-key='edition-philly-of-ours-philly']")
        expect(own).to_contain_text(say("set_up.own", rules="Philly (a fan map)"))
        own.click()
        for colour in ("red", "blue"):
            key(f"colour-{colour}")
        key("next")
        key("source-none")
        page.wait_for_selector("body[data-at=ready]")
        row = page.locator("[data-key='change-edition']")
        expect(row).to_contain_text("Our Philly, by the rules of Philly (a fan map)")
        lacks = page.get_by_text("no tickets are known")
        expect(lacks).to_have_count(0 if is_measured else 1)
        everyone_can_use(page)
        key("change-edition")
        page.locator("#board-rules").select_option("usa")
        expect(own).to_contain_text(say("set_up.own", rules="USA (2004)"))
        page.locator("#board-rules").select_option("philly")
        expect(own).to_contain_text(say("set_up.own", rules="Philly (a fan map)"))
        everyone_can_use(page)
        page.goto(f"http://127.0.0.1:{play.port}/#rules")
        page.reload()
        page.locator("#rule-site_points").fill("4, 4 9")
        page.locator("#rule-replaced_locomotive").check()
        expect(page.locator("#rule-site_points")).to_have_value("4, 4 9")
        everyone_can_use(page)
        page.reload()
        expect(page.locator("#rule-site_points")).to_have_value("4, 4, 9")
        expect(page.locator("#rule-replaced_locomotive")).to_be_checked()
        page.goto(f"http://127.0.0.1:{play.port}/#ready")
        key("begin")
        page.locator("#tab-board").click()
        page.locator(ZOO).wait_for(state="attached")
        expect(page.locator(".dotted line")).to_have_count(len(sites) + is_measured)
        page.locator(ZOO).click(force=True)
        page.locator("dialog [data-key='choice-red']").click()
        expect(page.locator("svg.board .train")).to_have_count(1)
        assert play.ended() == 0
