"""Turn times and the reminder on the page: unobtrusive, and only where turns are marked."""

from __future__ import annotations

import time

from phones import Table
from playwright.sync_api import Browser, expect
from railspotter.table.game_log.course_facts import GameEnded, PointsCounted, TurnMarked
from table_pages import opened, say


def mark(running: Table, seat: str, after_s: float = 0.0) -> None:
    time.sleep(after_s)
    running.live.write([TurnMarked(seat)])


def test_a_players_sheet_says_what_her_turns_took(browser: Browser, running: Table) -> None:
    with opened(browser, running) as page:
        page.locator("[data-key=player-ann]").click()
        sheet = page.locator("dialog")
        expect(sheet).to_contain_text(say("player.no_points"))
        expect(sheet.locator(".turn-time")).to_have_count(0)
        mark(running, "ann")
        mark(running, "bob", after_s=1.2)
        expect(sheet.locator(".turn-time")).to_have_text(say("player.time.one", time="0:01", n=1))
        running.live.write([GameEnded()])
        running.live.write([PointsCounted()])


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
