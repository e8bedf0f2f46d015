"""Small parts of the page at the table: calls for help, markers, turn times and the invitation."""

import time

from phones import Table
from playwright.sync_api import Browser, expect
from railspotter.club.report import report_of
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.course_facts import TurnMarked
from railspotter.table.live_table.commands import AddFacts
from railspotter.table.live_table.marker_watch import MarkerRemark
from railspotter.vision.watching.settling import WatchState
from railspotter.webui.access.phone_access import new_word
from table_pages import PHONE, claim, close_sheet, everyone_can_use, opened, say, tab


def test_nobody_is_called_where_nobody_hears(running: Table) -> None:
    ann = running.player("ann")
    assert ann.get("/state").json["table"]["is_called"] is None
    refused = ann.post("/call", {"wanted": True})
    assert (refused.status, refused.json["error"]["code"]) == (409, "unheard")


def test_a_player_calls_and_takes_it_back(browser: Browser, running: Table) -> None:
    running.live.enable_calls()

    def needs() -> tuple[str, ...]:
        return report_of(running.live.view, table="t", name="T", game="g", events=0).help

    with opened(browser, running, seat="ann") as page, opened(browser, running) as guest:
        tab(page, "table")
        button = page.locator("[data-key=call]")
        button.click()
        expect(button).to_have_text(say("call.back"))
        assert (needs(), running.phone().state()["table"]["is_called"]) == (("called",), True)
        button.click()
        expect(button).to_have_text(say("call.button"))
        assert needs() == ()
        tab(guest, "table")
        expect(guest.locator("[data-key=charts]")).to_be_visible()
        expect(guest.locator("[data-key=call]")).to_have_count(0)


def test_who_takes_long_is_reminded_and_a_wrong_marker_told_of(
    browser: Browser, running: Table
) -> None:
    def mark(seat: str) -> None:
        running.live.execute(AddFacts([TurnMarked(seat)]))

    with opened(browser, running, host=True) as host, opened(browser, running) as guest:
        host.locator("[data-key=turn]").click()
        choice = host.locator("[data-key=reminder]")
        expect(choice).to_have_value("0")
        choice.select_option("2")
        expect(host.locator("#toast")).to_contain_text(say("turn.reminder_kept"))
        mark("ann")
        time.sleep(1.2)
        mark("bob")
        expect(guest.locator("#turn")).to_contain_text("Bob")
        assert not guest.locator(".turn-note").count()
        running.live.reminder._clock = lambda: time.time() + 121
        expect(guest.locator(".turn-note")).to_have_text(say("turn.reminder", name="Bob"))
        mark("cleo")
        expect(guest.locator(".turn-note")).to_have_count(0)
        row = guest.locator("[data-key=player-ann]")
        running.live.see(markers=(MarkerRemark("ann", 38, 41),))
        expect(row).to_contain_text(say("tag.marker", at=38, points=41))
        assert guest.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        running.live.see(markers=())
        expect(row).not_to_contain_text("38")
        row.click()
        time_took = guest.locator("dialog .turn-time")
        expect(time_took).to_have_text(say("player.time.one", time="0:01", n=1))


def test_who_claims_twice_is_told_in_a_quiet_line(browser: Browser, running: Table) -> None:
    with opened(browser, running, seat="bob") as bob, opened(browser, running) as guest:
        claim(running, helena__seattle="red")
        claim(running, denver__helena="red")
        told = say("turn.twice", name="Ann", others="Bob and Green")
        for page in (bob, guest):
            for name in ("board", "tickets", "table", "score"):
                tab(page, name)
                expect(page.locator("#turn-doubt .turn-note")).to_have_text(told)
                expect(page.locator("#turn")).to_be_visible()
        expect(guest.locator("[data-key=turn-drew]")).to_have_count(0)
        everyone_can_use(bob)
        bob.locator("[data-key=turn-mistake]").click()
        title = say("route.name", a="Denver", b="Helena")
        expect(bob.get_by_role("dialog")).to_contain_text(title)
        close_sheet(bob)
        bob.locator("[data-key=turn-drew]").click()
        expect(guest.locator("#turn")).to_contain_text(say("turn.likely", name="Bob"))
        expect(guest.locator("#turn-doubt .turn-note")).to_have_count(0)


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


def test_a_link_that_lets_nobody_in_says_why_and_how_else(browser: Browser, running: Table) -> None:
    codes = running.codes
    links = {f"#host={codes.host}": "was used already", f"#join={codes.join}": "no longer works"}
    running.host()
    running.page.services.phone_access.change_door(word=new_word())
    with opened(browser, running) as page:
        for link, words in links.items():
            page.goto(f"{running.page.server.url}{link}")
            expect(page.locator("#toast")).to_contain_text(words)


def test_a_route_out_of_the_picture_is_drawn_so(browser: Browser, running: Table) -> None:
    out, said = Spot("route", "calgary--seattle"), Sentence("a part is out of the picture")
    running.live.see(state=WatchState.SETTLED, board=said, unseen=(out,))
    with opened(browser, running, host=True) as page:
        tab(page, "board")
        expect(page.locator(".print.out-of-picture")).to_have_count(1)
        page.locator("#status").click()
        expect(page.get_by_text(said)).to_be_visible()
