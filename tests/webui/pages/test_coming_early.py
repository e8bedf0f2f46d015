"""Phones that come early, with links in an open page, without an answer; names of every script."""

import time
from pathlib import Path

import pytest
from phones import PLAYERS, Table, table
from playwright.sync_api import Browser, Page, Route, expect
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.errors import LogFileError
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.webui.access.phone_access import new_word
from served_play import free_port
from set_ups import set_up
from table_pages import faultless, opened, points, say, sit, tab

LONG_MS = 30_000  # the page asks once a second whether there is a game
BUSY_MS = 90_000  # on a busy machine


def test_who_came_before_the_game_finds_it_when_it_has_begun(browser: Browser, home: Path) -> None:
    with faultless(browser) as page:
        port = free_port()
        with set_up(home, port=port) as setting_up:
            page.goto(setting_up.page.server.url)
            expect(page.locator("#view p")).to_have_text(say("set_up.host_only"))
        with table(home, port=port):
            for player in PLAYERS:
                expect(points(page, player.seat)).to_have_text("0", timeout=LONG_MS)


def test_a_link_that_is_put_into_an_open_page_is_taken(browser: Browser, home: Path) -> None:
    """Only what stands behind the # changes then, and no page is fetched."""
    with faultless(browser) as page, set_up(home) as setting_up:
        url = setting_up.page.server.url
        page.goto(url)
        expect(page.locator("#view p")).to_be_visible()
        page.goto(f"{url}#host={setting_up.codes.host}")
        expect(page.locator("#view h1")).to_have_text(say("set_up.game_title"))


def test_the_join_code_is_taken_by_a_page_that_looked_on(browser: Browser, running: Table) -> None:
    with opened(browser, running) as page:
        page.goto(f"{running.page.server.url}#join={running.codes.join}")
        sit(page, "bob")


def lost(page: Page, path: str) -> None:
    """Let a call arrive, and its answer be lost."""

    def answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(f"**/api/v1{path}", answer)


def test_nobody_hears_that_nothing_was_done_where_only_the_answer_was_lost(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, seat="ann") as page:
        lost(page, "/pause")
        tab(page, "table")
        page.locator("#panel-table [data-key=pause]").click()
        expect(page.locator("#toast")).to_contain_text(say("error.unsure"))
        assert running.log.state.table.paused


def test_the_host_shows_the_code_that_works_now(browser: Browser, running: Table) -> None:
    """Whom the host sends away needs another code; so does whoever comes after a new start."""
    ann = running.player("ann")
    with opened(browser, running, host=True) as page:
        tab(page, "table")
        shown = page.locator("#panel-table .join .link")
        expect(shown).to_contain_text(running.codes.join)
        assert running.host().ask("DELETE", "/seat/ann").status == 200
        expect(shown).to_contain_text(running.codes.join)
        assert ann.join(running.codes.join).post("/seat", {"seat": "ann"}).status == 200
        page.context.set_offline(True)
        expect(page.locator("#status")).to_contain_text(say("status.lost"), timeout=BUSY_MS)
        running.page.services.phone_access.change_door(word=new_word())
        page.context.set_offline(False)
        expect(shown).to_contain_text(running.codes.join, timeout=BUSY_MS)


def test_a_full_disk_is_called_so_on_the_phone_of_whoever_tapped(
    browser: Browser, running: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the computer nothing is said of it."""

    def full(*_: object, **__: object) -> None:
        raise LogFileError(Sentence("there is no room left on the disk for {path}", path="a"))

    with opened(browser, running, seat="ann") as page:
        monkeypatch.setattr(running.log, "append", full)
        tab(page, "table")
        page.locator("#panel-table [data-key=pause]").click()
        expect(page.locator("#toast")).to_contain_text("There is no room left on the disk for a.")
        monkeypatch.undo()


def test_points_stay_beside_their_player_whichever_way_a_name_runs(
    browser: Browser, home: Path
) -> None:
    miriam = "\N{HEBREW LETTER MEM}\N{HEBREW LETTER RESH}\N{HEBREW LETTER YOD}"
    players = (
        Player("ann", "red", "Ann"),
        Player("m", "blue", miriam),
        Player("bo", "green", "Bo"),
    )
    with GameStore(home).create(GameStarted("usa", players), time.time()):
        pass
    with faultless(browser) as page, set_up(home) as setting_up:
        page.goto(f"{setting_up.page.server.url}#host={setting_up.codes.host}")
        line = page.locator("#left-game p")
        expect(line).to_contain_text(miriam)
        lefts = line.evaluate(
            """(line, name) => {
              const text = line.firstChild;
              line.style.whiteSpace = "nowrap";
              const start = text.data.indexOf(name);
              return [start, text.data.indexOf("0", start)].map((at) => {
                const range = document.createRange();
                range.setStart(text, at);
                range.setEnd(text, at + 1);
                return range.getBoundingClientRect().left;
              });
            }""",
            miriam,
        )
        assert lefts == sorted(lefts), "its points stand before the name"
