"""People in a real browser: their chips where a seat is taken, their page, and what a host does."""

from pathlib import Path

from past_games import id_of, some_games
from phones import table
from playwright.sync_api import Browser, expect
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from resting_pages import shelf_in
from table_pages import everyone_can_use, faultless, fits, ready, say

NAMELESS = GameStarted("usa", tuple(Player(one, one) for one in ("black", "blue", "green")))


def test_who_has_played_here_sits_down_in_two_taps(browser: Browser, tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    some_games(store)
    with table(tmp_path, started=NAMELESS) as running, faultless(browser) as page:
        page.goto(f"{running.page.server.url}#join={running.codes.join}")
        cleo = page.get_by_role("button", name="Cleo")
        cleo.click()
        usual = page.locator("dialog .is-usual")
        expect(usual).to_contain_text(say("seat.as_last_time"))
        everyone_can_use(page)
        fits(page)
        usual.click()
        expect(page.locator(".toast")).to_contain_text(say("seat.have", name="Cleo"))
        (colour,) = (one.colour for one in store.read(id_of(1)).table.players if one.name == "Cleo")
        assert Player(colour, colour, "Cleo") in running.log.state.table.players
        with faultless(browser) as other:
            other.goto(f"{running.page.server.url}#join={running.codes.join}")
            expect(other.get_by_role("button", name="Ann")).to_be_visible()
            expect(other.locator(".person-chip", has_text="Cleo")).to_have_count(0)
            other.locator("dialog .seat:not(:disabled)").first.click()
            everyone_can_use(other)
            fits(other)
            other.get_by_label(say("seat.name_new")).fill("Dan")
            other.keyboard.press("Enter")
            expect(other.locator(".toast")).to_contain_text(say("seat.have", name="Dan"))
        assert {one.name for one in running.log.state.table.players} == {"Cleo", "Dan", ""}


def test_a_person_has_a_page_and_the_host_changes_the_name(
    browser: Browser, tmp_path: Path
) -> None:
    with shelf_in(tmp_path) as shelf, faultless(browser, reduced_motion="reduce") as page:
        page.goto(f"{shelf.url}history#host={shelf.phone_access.codes.host}")
        ready(page)
        page.get_by_role("link", name=say("people.players")).click()
        everyone_can_use(page)
        fits(page)
        page.locator(".person-row", has_text="Ann").click()
        ready(page)
        expect(page.locator(".bar")).to_have_count(3)
        expect(page.locator("#editions > section")).to_have_count(3)
        everyone_can_use(page)
        fits(page)
        page.locator("[data-key=rename]").click()
        page.locator("#person-name").fill("Bob")
        page.keyboard.press("Enter")
        expect(page.locator("dialog [role=alert]")).to_contain_text("Bob")
        page.locator("#person-name").fill("Anna")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text("Anna")
        page.locator(".bar").last.click()
        ready(page)
        expect(page.locator("#score")).to_contain_text("Anna")
        page.get_by_role("switch").uncheck()
        page.go_back()
        ready(page)
        expect(page.locator(".bar")).to_have_count(2)
        page.locator("[data-key=forget]").click()
        everyone_can_use(page)
        page.locator("dialog button", has_text=say("people.forget")).click()
        page.wait_for_url("**/history/people")
        ready(page)
        expect(page.locator(".person-row", has_text="Bob")).to_be_visible()
        expect(page.locator(".person-row", has_text="Ann")).to_have_count(0)
