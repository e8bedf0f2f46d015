"""The pages of past games in a real browser: the list, the replay, the chart, and the host."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from resting_pages import Shelf, shelf_in
from table_pages import LAPTOP, PHONE, SIZES, everyone_can_use, faultless, number, ready, rest, say
from waiting import until


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with shelf_in(tmp_path, patience_s=0.0) as shelf:  # the page has to ask until it knows all
        yield shelf


@contextmanager
def opened(browser: Browser, shelf: Shelf, path: str, size: ViewportSize = PHONE) -> Iterator[Page]:
    with faultless(browser, size, reduced_motion="reduce") as page:
        page.goto(f"{shelf.url}{path}")
        ready(page)
        yield page


@pytest.mark.journey
@SIZES
def test_the_list_leads_to_a_game_and_back(
    browser: Browser, shelf: Shelf, size: ViewportSize
) -> None:
    with opened(browser, shelf, "history", size) as page:
        expect(page.locator("#games > li")).to_have_count(4)
        everyone_can_use(page)
        page.get_by_label(say("score.player")).select_option("cleo")
        expect(page.locator("#games > li")).to_have_count(1)
        expect(page.locator("#against tbody tr")).to_have_count(2)
        everyone_can_use(page)
        page.locator("#games a").click()
        page.wait_for_url(f"**/history/{shelf.names['usa']}")
        ready(page)
        expect(page.locator("svg.board .train").first).to_be_visible()
        everyone_can_use(page)
        page.go_back()
        ready(page)
        expect(page.locator("#games > li")).to_have_count(1)
        page.go_back()
        expect(page.locator("#games > li")).to_have_count(4)


def points_in(page: Page) -> dict[str, int]:
    return {
        chip.get_attribute("data-seat") or "": int(chip.locator(".sum").inner_text())
        for chip in page.locator(".replay-scores > li").all()
    }


def test_a_game_is_seen_once_more_with_the_keyboard(browser: Browser, shelf: Shelf) -> None:
    name = shelf.names["usa"]
    table = shelf.store.read(name).table
    with opened(browser, shelf, f"history/{name}", LAPTOP) as page:
        trains = page.locator("svg.board .train")
        expect(trains).to_have_count(len(table.claims))
        slider = page.get_by_role("slider")
        last = int(slider.get_attribute("max") or 0)
        assert slider.input_value() == str(last)
        final = points_in(page)
        totals = page.locator(".score-table").first.locator("tbody td:last-child")
        assert sorted(map(number, final.values())) == sorted(totals.all_inner_texts())

        slider.focus()
        page.keyboard.press("Home")
        expect(trains).to_have_count(0)
        until(lambda: set(points_in(page).values()) == {0})
        assert str(say("log.game_started")) in (slider.get_attribute("aria-valuetext") or "")
        seen = 0
        for _ in range(30):
            page.keyboard.press("ArrowRight")
            seen = max(seen, trains.count())
        assert 0 < seen < len(table.claims)
        assert slider.input_value() == "30"
        until(lambda: 0 < sum(points_in(page).values()) < sum(final.values()))

        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=say("history.pause"))).to_be_focused()
        expect(slider).not_to_have_value("30")
        page.keyboard.press("Enter")
        stopped = slider.input_value()
        rest(page, 900)
        assert slider.input_value() == stopped
        slider.focus()
        page.keyboard.press("End")
        until(lambda: points_in(page) == final)

        page.locator("#chart-points summary").click()
        rows = page.locator("#chart-points .chart-table tbody tr")
        expect(rows.first).to_be_visible()  # it is drawn when it is opened
        assert rows.count() > len(table.claims) // 2
        assert sorted(rows.last.locator("td").all_inner_texts()) == sorted(
            map(number, final.values())
        )
        assert page.locator("#chart-points .chart-line").count() == len(table.players)
        everyone_can_use(page)


def test_a_spot_of_the_past_tells_who_held_it_and_no_more(browser: Browser, shelf: Shelf) -> None:
    with opened(browser, shelf, f"history/{shelf.names['europe']}", LAPTOP) as page:
        page.locator(".all-routes").click()
        page.locator("dialog .result:has(.car)").first.click()
        sheet = page.locator("dialog.spot-sheet")
        expect(sheet.locator(".holder-name")).to_be_visible()
        expect(sheet.locator("button")).to_have_count(1)
        everyone_can_use(page)


def test_a_game_is_saved_whole_or_the_page_says_why_not(browser: Browser, shelf: Shelf) -> None:
    game = shelf.names["usa"]
    host = f"history/{game}#host={shelf.phone_access.codes.host}"
    with opened(browser, shelf, host) as page:
        save = page.locator("[data-key=bundle]")
        with shelf.store.open(game):  # as while it is played
            save.click()
            expect(page.locator("#toast")).to_contain_text("it can be saved or deleted")
        with page.expect_download() as download:
            save.click()
        assert download.value.suggested_filename == "game.railspotter"
        assert Path(download.value.path()).stat().st_size
