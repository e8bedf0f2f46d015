"""Small parts of the page at the table: calls for help, markers, turn times and the invitation."""

from __future__ import annotations

import time

from phones import Table
from playwright.sync_api import Browser, expect
from railspotter.club.report import report_of
from railspotter.table.game_log.course_facts import TurnMarked
from railspotter.table.live_table.commands import Say
from railspotter.table.live_table.marker_watch import MarkerRemark
from table_pages import PHONE, claim, opened, say, tab


def test_nobody_is_called_where_nobody_hears(running: Table) -> None:
    ann = running.player("ann")
    assert ann.get("/state").json["table"]["is_called"] is None
    refused = ann.post("/call", {"wanted": True})
    assert (refused.status, refused.json["error"]["code"]) == (409, "unheard")


def test_a_call_is_shown_until_it_is_taken_back(running: Table) -> None:
    running.live.enable_calls()
    ann, host = running.player("ann"), running.host()
    for wanted in (True, False):
        assert ann.post("/call", {"wanted": wanted}).status == 200
        assert host.state()["table"]["is_called"] is wanted


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


def mark(running: Table, seat: str, after_s: float = 0.0) -> None:
    time.sleep(after_s)
    running.live.do(Say([TurnMarked(seat)]))


def test_a_players_sheet_says_what_her_turns_took(browser: Browser, running: Table) -> None:
    with opened(browser, running) as page:
        page.locator("[data-key=player-ann]").click()
        sheet = page.locator("dialog")
        expect(sheet).to_contain_text(say("player.no_points"))
        expect(sheet.locator(".turn-time")).to_have_count(0)
        mark(running, "ann")
        mark(running, "bob", after_s=1.2)
        expect(sheet.locator(".turn-time")).to_have_text(say("player.time.one", time="0:01", n=1))


def test_the_host_chooses_a_reminder_and_everyone_reads_it(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, host=True) as host, opened(browser, running) as guest:
        host.locator("[data-key=turn]").click()
        choice = host.locator("[data-key=reminder]")
        expect(choice).to_have_value("0")
        choice.select_option("2")
        expect(host.locator("#toast")).to_contain_text(say("turn.reminder_kept"))
        assert running.live.reminder.minutes == 2
        mark(running, "bob")
        expect(guest.locator("#turn")).to_contain_text("Bob")
        assert not guest.locator(".turn-note").count()
        running.live.reminder._clock = lambda: time.time() + 121
        said = say("turn.reminder", name="Bob")
        expect(guest.locator(".turn-note")).to_have_text(said)
        mark(running, "cleo")
        expect(guest.locator(".turn-note")).to_have_count(0)
        assert guest.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_host_is_led_to_the_code_until_another_phone_has_come_in(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, host=True) as host:
        host.locator("[data-key=invite]").click()
        expect(host.locator("#table .join")).to_be_visible()
        tab(host, "score")
        with opened(browser, running, seat="bob") as bob:
            expect(host.locator("#invite")).to_be_hidden()
            expect(bob.locator("#invite")).to_be_hidden()


def test_who_plays_with_the_hosts_phone_alone_is_not_asked_for_others(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, host=True) as host:
        expect(host.locator("#invite")).to_be_visible()
        claim(running, helena__seattle="red")
        expect(host.locator("#invite")).to_be_hidden()


def test_a_link_that_lets_nobody_in_says_why_and_how_else(browser: Browser, running: Table) -> None:
    codes = running.page.session.phone_access.codes
    links = {f"#host={codes.host}": "was used already", f"#join={codes.join}": "no longer works"}
    running.host()
    codes.renew_join()
    with opened(browser, running) as page:
        for link, words in links.items():
            page.goto(f"{running.page.server.url}{link}")
            page.reload()  # only what stands behind the # has changed
            expect(page.locator("#toast")).to_contain_text(words)
