"""The hall's pages in a real browser: many tables, one of them, and a screen across the room."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from halls import HallAtWork, hall, many, player, report
from playwright.sync_api import Browser, Page, ViewportSize, expect
from railspotter.club.messages import Command, Status, TableEvent
from railspotter.scoring.sentence import Sentence
from railspotter.webui.words.translation import PageWords
from table_pages import LAPTOP, PHONE, Scheme, everyone_can_use, faultless, ready

TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
ALL = ("pause", "resume", "look_again")
GONE = Sentence("the broker {name} cannot be reached: trying again", name="b:1883")


def say(key: str, **values: Any) -> str:
    return PageWords("en", "hall")[key].format(**values)


@pytest.fixture
def work(tmp_path: Path) -> Iterator[HallAtWork]:
    with hall(tmp_path) as work:
        yield work


@contextmanager
def opened(browser: Browser, url: str, size: ViewportSize = LAPTOP, **more: Any) -> Iterator[Page]:
    with faultless(browser, size, reduced_motion="reduce", **more) as page:
        page.goto(url)
        ready(page)
        yield page


def names(page: Page) -> list[str]:
    return page.locator("#tables > li:visible h2").all_inner_texts()


def three(work: HallAtWork) -> None:
    """One table plays, one needs somebody, one is not there."""
    work.listener.hear(
        *(Status(table=id, status="online", commands=ALL) for id in ("t2", "t10")),
        report("t2"),
        report("t10", help=("covered",), players=(player("zoe"), player("yan", colour="blue"))),
        Status(table="t1", status="online"),
        report("t1", phase="counted"),
    )
    work.listener.hear(Status(table="t1", status="offline"))


@pytest.mark.parametrize(
    ("size", "scheme"), [(PHONE, "light"), (LAPTOP, "dark")], ids=["phone", "laptop"]
)
def test_who_needs_somebody_stands_first_and_everybody_can_use_the_page(
    browser: Browser, work: HallAtWork, size: ViewportSize, scheme: Scheme
) -> None:
    three(work)
    with opened(browser, work.url, size, color_scheme=scheme) as page:
        assert names(page) == ["Table 10", "Table 2", "Table 1"]
        first = page.locator("#tables > li").first
        expect(first).to_contain_text(say("hall.help_covered"))
        expect(page.locator("[data-table=t1] .tag").first).to_contain_text("Offline since")
        everyone_can_use(page)
        page.locator("[data-key=table-t10]").click()
        expect(page.locator("dialog tbody tr")).to_have_count(2)
        expect(page.locator("dialog")).not_to_contain_text(say("hall.pause"))
        everyone_can_use(page)


def test_filters_and_search_leave_what_is_wanted_also_after_a_reload(
    browser: Browser, work: HallAtWork
) -> None:
    three(work)
    with opened(browser, work.url) as page:
        page.locator("[data-key=show-help]").click()
        assert names(page) == ["Table 10"]
        page.locator("[data-key=show-over]").click()
        assert names(page) == ["Table 1"]
        page.locator("[data-key=show-all]").click()
        page.locator("#search").fill("ZO\u00c9")
        assert names(page) == ["Table 10"]
        page.reload()
        ready(page)
        expect(page.locator("#tables > li:visible")).to_have_count(1)
        page.locator("#search").fill("nobody")
        expect(page.locator("#count")).to_have_text(say("hall.nothing"))


def test_what_a_table_tells_is_there_at_once_and_a_finger_stays_where_it_is(
    browser: Browser, work: HallAtWork
) -> None:
    three(work)
    with opened(browser, work.url) as page:
        name = page.locator("[data-key=table-t2]")
        name.focus()
        work.listener.hear(report("t2", 2, players=(player("ann", 99),), help=("camera",)))
        expect(page.locator("[data-table=t2]")).to_contain_text("99")
        assert names(page) == ["Table 2", "Table 10", "Table 1"]
        expect(name).to_be_focused()
        expect(page.locator("#said")).to_contain_text(
            say("hall.table_needs", table="Table 2", why=say("hall.help_camera"))
        )
        page.keyboard.press("Enter")
        expect(page.locator("dialog")).to_contain_text("99")
        work.log.write(
            [],
            [
                TableEvent(
                    table="t2",
                    game="g",
                    number=1,
                    at_s=1.0,
                    kind="game_paused",
                    fact={"kind": "game_paused"},
                )
            ],
        )
        work.listener.hear(report("t2", 3, phase="paused", events=1))
        expect(page.locator("dialog .hall-events li")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(name).to_be_focused()


def test_the_host_has_a_table_pause_and_sees_what_was_not_believed(
    browser: Browser, work: HallAtWork
) -> None:
    three(work)
    work.listener.hear_raw(("club/v1/tables/t2/report", b"{}"))
    with opened(browser, f"{work.url}#host={work.page.phone_access.codes.host}", PHONE) as page:
        expect(page.locator("#guest")).to_be_hidden()
        page.locator("[data-key=table-t2]").click()
        page.locator("[data-key=pause]").click()
        expect(page.locator("#toast")).to_contain_text(say("hall.pause_sent", table="Table 2"))
        assert work.listener.told == [("t2", Command(command="pause"))]
        work.listener.is_connected = False
        work.listener.hear(trouble=GONE)
        expect(page.locator("#trouble")).to_contain_text("broker b:1883 cannot be reached")
        work.listener.hear()
        expect(page.locator("#trouble")).to_be_hidden()
        page.locator(".toast-close").click()
        page.locator("[data-key=look_again]").click()
        expect(page.locator("#toast")).to_contain_text("broker is not reached")
        everyone_can_use(page)
        page.keyboard.press("Escape")
        page.locator("[data-key=ignored]").click()
        expect(page.locator("dialog")).to_contain_text(say("hall.ignored_schema"))
        everyone_can_use(page)


@pytest.mark.parametrize("count", [3, 500])
def test_a_big_screen_turns_its_pages_and_holds_all_of_each(
    browser: Browser, work: HallAtWork, count: int
) -> None:
    many(work, count)
    with opened(browser, f"{work.url}?view=big", TELEVISION, color_scheme="dark") as page:
        page.wait_for_url("**/big")
        cards = page.locator("#tables > li")
        expect(cards.first).to_be_visible()
        everyone_can_use(page)
        low = page.evaluate(
            """() => Math.max(...[...document.querySelectorAll("#tables > li")]
              .map((one) => one.getBoundingClientRect().bottom))"""
        )
        assert low <= TELEVISION["height"]
        if count == 3:
            expect(cards).to_have_count(3)
            expect(page.locator("#pages")).to_be_hidden()
            return
        first = cards.first.get_attribute("data-table")
        expect(page.locator("#pages")).to_have_text(re.compile("1 / "))
        page.keyboard.press("ArrowRight")
        expect(page.locator("#pages")).to_have_text(re.compile("2 / "))
        assert cards.first.get_attribute("data-table") != first
        page.keyboard.press(" ")
        expect(page.locator("#pages")).to_have_attribute("aria-label", re.compile("go on"))
