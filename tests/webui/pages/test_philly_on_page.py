"""A Philly board of one's own in the browser: made by taps, its rules shown and chosen, its map
drawn."""

from itertools import islice
from pathlib import Path

import philly
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from msgspec.structs import replace
from phones import table
from playwright.sync_api import Browser, expect
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.table.boards.own_boards import OwnBoards
from railspotter.table.photo_file import to_jpeg
from served_play import free_port, serving_play
from table_pages import LAPTOP, everyone_can_use, faultless, say, tap_board

ZOO = "[data-spot='site:zoo']"


@pytest.mark.parametrize("is_measured", [True, False], ids=["measured", "by nobody"])
def test_from_the_rules_to_a_site_that_is_tapped(
    browser: Browser, home: Path, *, is_measured: bool
) -> None:
    whole = philly.philly()
    bare = tuple(replace(route, spaces=()) for route in whole.routes)
    sites = tuple(replace(site, space=None) for site in whole.sites)
    unmeasured = replace(whole, measured=False, routes=bare, sites=sites, tickets=())
    OwnBoards(home).save(whole if is_measured else unmeasured)
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
        page.get_by_role("button", name=say("seat.watch_only")).click()
        page.locator("#tab-board").click()
        page.locator(ZOO).wait_for(state="attached")
        expect(page.locator(".dotted line")).to_have_count(len(sites) + is_measured)
        page.locator(ZOO).click(force=True)
        page.locator("dialog [data-key='choice-red']").click()
        expect(page.locator("svg.board .train")).to_have_count(1)
        assert play.ended() == 0


def test_sites_and_modes_are_tapped_on_the_picture(browser: Browser, tmp_path: Path) -> None:
    board = philly.philly()
    with table(tmp_path) as running, faultless(browser, LAPTOP) as page:
        host = running.host()
        size = {"width_mm": board.size_mm[0], "height_mm": board.size_mm[1]}
        draft = host.post("/board-drafts", {"title": "Ours", **size}).json
        path = f"/board-drafts/{draft['id']}"
        picture = to_jpeg(draw_board(board, 1.0))
        host.ask("PUT", f"{path}/photo", picture, Content_Type="application/octet-stream")
        seen = host.ask("PUT", f"{path}/corners", {"corners_px": []}).json["number"]
        for said in islice(philly.edits(), 2):
            seen = host.post(f"{path}/edits", {"seen": seen, **said}).json["number"]

        def key(name: str) -> None:
            page.locator(f"[data-key='{name}']").click()

        page.goto(f"{running.page.server.url}#host={running.codes.host}")
        page.wait_for_selector("body[data-ready=yes]")
        page.goto(f"{running.page.server.url}boards/{draft['id']}/edit")
        page.locator("svg.making").wait_for()
        expect(page.locator("[data-key='tool-site']")).to_have_count(0)
        page.locator("[data-key='board'] > summary").click()
        page.locator("#board-edition").select_option("philly")
        key("tool-site")
        tap_board(page, (250.0, 190.0))
        page.locator("#site-name").fill('The "Zoo", new')
        expect(page.locator("#site-station option").first).to_have_text("Brewerytown")
        page.locator("#site-colour-1").select_option("red")
        page.locator("#site-colour-2").select_option("yellow")
        assert not Axe().run(page).response["violations"]
        page.keyboard.press("Enter")
        expect(page.locator("rect.site")).to_have_count(1)
        key("tool-site")
        page.locator("[data-key='routes'] > summary").click()
        key("route-1")
        key("mode-N")
        expect(page.locator("[data-key='mode-N']")).to_have_attribute("aria-pressed", "true")
        assert not Axe().run(page).response["violations"]
        key("save")
        expect(page.locator("#saved")).to_have_text(say("boards.saved", id="ours"))
        made = OwnBoards(running.log.path.parent.parent).load("ours")
    (zoo,), (route,) = made.sites, made.routes
    assert (zoo.name, zoo.station) == ('The "Zoo", new', "brewerytown")
    assert (zoo.colours, route.mode, made.edition) == (("red", "yellow"), "N", "philly")
    assert zoo.space is not None
    assert zoo.space.xy_mm == pytest.approx((250.0, 190.0), abs=2.0)
