"""Cards on phones: a tablet for several, secrets, what the host does, and the page for everyone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from dealt_tables import dealt_table, keep_first, move
from examples import every_run
from phones import PLAYERS, Table
from playwright.sync_api import Browser, Page, expect
from railspotter.scoring.dealing.moves import DrawCard, Pay
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.commands import End
from railspotter.webui.words.languages import COOKIE, languages
from table_pages import LAPTOP, Scheme, claim, opened, ready, rest, tab

from .test_cards_on_phones import headline, held, key, say
from .test_small_pages_in_languages import WIDER
from .test_small_targets import SMALL

SEATTLE = "portland--seattle--0"
# Keeps all messages of the stream that the page takes in.
HEARS = """
  window.heard = [];
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => (window.heard.push(text), parse(text, ...more));
"""


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[Table]:
    with dealt_table(tmp_path, players=PLAYERS[:2], hands=("red red red red",) * 2) as running:
        yield running


def texts(page: Page) -> str:
    """All that stands in the document, seen or not, with its attributes."""
    return str(page.evaluate("document.documentElement.outerHTML"))


def test_a_tablet_is_passed_round_and_shows_nothing_in_between(
    browser: Browser, tmp_path: Path
) -> None:
    hands = ("green green green green", "pink pink pink pink")
    with (
        dealt_table(tmp_path, players=PLAYERS[:2], hands=hands) as running,
        opened(browser, running, host=True, seat="ann") as page,
    ):
        tab(page, "tickets")
        key(page, "pass-bob").click()
        cover = page.locator("dialog.pass")
        for name in ("bob", "ann"):
            expect(cover).to_contain_text(say("dealt.pass_to", name=name.title()))
            expect(page.locator("#panel-tickets .turn-panel")).to_have_count(0)
            assert "pink" not in cover.inner_html()
            key(page, "pass-open").click()
            key(page, "open-offered").click()
            key(page, "offered-0").click()
            key(page, "offered-1").click()
            key(page, "keep-tickets").click()
            expect(page.locator("dialog.sheet:not(.pass)")).to_have_count(0)
            if name == "bob":
                expect(page.locator(".pass-foot .is-done")).to_be_visible()
                rest(page)
                key(page, "pass-hide").click()
        # Ann begins: her turn follows at once.
        expect(page.locator(".pass .turn-head")).to_contain_text(say("dealt.step_begin"))
        assert held(page, "dialog.pass") == "green: 4"
        key(page, "take-2").click()
        expect(page.locator(".pass .turn-head")).to_contain_text(say("dealt.step_second"))
        rest(page, 600)
        key(page, "take-deck").click()
        expect(page.locator(".pass .fresh li")).to_have_count(2)
        key(page, "pass-hide").click()
        expect(cover).to_contain_text(say("dealt.pass_to", name="Bob"))
        assert "fresh" not in cover.inner_html()
        assert "green" not in cover.inner_html()
        key(page, "pass-open").click()
        assert held(page, "dialog.pass") == "pink: 4"
        # A whole turn: what can be claimed is a list here.
        key(page, "tap-routes").click()
        page.locator(f"dialog [data-key='route:{SEATTLE}']").click()
        key(page, "payment-0").click()
        expect(page.locator(".pass .turn-head h2")).to_have_text(say("dealt.turn_of", name="Ann"))
        key(page, "pass-tickets").click()
        expect(page.locator("dialog .hand-list li")).to_have_count(2)
        page.locator("dialog:not(.pass) .sheet-close").click()
        key(page, "pass-hide").click()
        expect(cover).to_contain_text(say("dealt.pass_to", name="Ann"))
        key(page, "pass-later").click()
        expect(cover).to_have_count(0)
        tab(page, "score")
        expect(page.locator(".to-lay")).to_be_visible()


def test_phones_never_hear_of_each_others_cards(browser: Browser, tmp_path: Path) -> None:
    hands = ("green green green green", "pink pink pink pink")
    with (
        dealt_table(tmp_path, players=PLAYERS[:2], hands=hands, then="orange blue") as running,
        opened(browser, running, seat="ann") as ann,
        opened(browser, running, seat="bob") as bob,
        opened(browser, running, size=LAPTOP) as guest,
    ):
        heard: dict[str, list[str]] = {"bob": [], "guest": []}

        def listen(name: str, page: Page) -> None:
            def note(answer: Any) -> None:
                path = answer.url.partition("/api/v1/")[2]
                if path and path not in ("board", "events", "camera.jpg"):
                    heard[name].append(answer.text())

            page.add_init_script(HEARS)
            page.on("response", note)
            page.reload()
            ready(page)

        listen("bob", bob)
        listen("guest", guest)
        keep_first(running)
        tab(ann, "tickets")
        expect(headline(ann)).to_have_text(say("dealt.your_turn"))
        assert held(ann) == "green: 4"
        key(ann, "take-deck").click()
        expect(ann.locator(".fresh")).to_contain_text("orange")
        rest(ann, 600)
        key(ann, "take-deck").click()
        tab(bob, "tickets")
        expect(headline(bob)).to_have_text(say("dealt.your_turn"))
        assert held(bob) == "pink: 4"
        dealing = running.log.state.table.dealing
        assert dealing is not None
        tickets = running.log.state.table.tickets["ann"]
        for name, page in (("bob", bob), ("guest", guest)):
            all_heard = "".join(heard[name] + page.evaluate("window.heard.slice(1)"))
            assert "in_deck" in all_heard
            for secret in ("green", "orange", *(held.ticket.a for held in tickets)):
                without_players = all_heard.replace('"colour": "green"', "")
                assert f'"{secret}"' not in without_players, (name, secret)
            panel = page.locator(".side").inner_html()
            assert "car-orange" not in panel
            if name == "guest":
                assert "car-pink" not in panel
        assert '"pink"' not in "".join(heard["guest"])


def test_a_game_with_cards_on_the_table_fetches_nothing_of_it(
    browser: Browser, running: Table
) -> None:
    asked: list[str] = []
    with opened(browser, running, seat="ann") as page:
        page.on("request", lambda request: asked.append(request.url))
        page.reload()
        ready(page)
        rest(page)
        assert asked
        assert not [url for url in asked if "dealt" in url or "/cards" in url]
        expect(page.locator(".market")).to_have_count(0)


def test_the_host_puts_the_cards_away(browser: Browser, dealt: Table) -> None:
    with opened(browser, dealt, host=True) as host, opened(browser, dealt, seat="ann") as ann:
        keep_first(dealt)
        tab(ann, "tickets")
        expect(headline(ann)).to_have_text(say("dealt.your_turn"))
        tab(host, "table")
        key(host, "put-away").click()
        host.get_by_role("button", name=say("dealt.put_away_yes")).click()
        expect(ann.locator("#panel-tickets .turn-panel")).to_have_count(0)
        expect(ann.locator("#tickets .ticket")).to_have_count(3)
        expect(key(ann, "ticket-add")).to_be_visible()
        tab(ann, "score")
        expect(ann.locator(".open-table")).to_have_count(0)
        expect(ann.locator(".players [data-seat=ann]")).not_to_contain_text("cards")
        expect(key(host, "put-away")).to_have_count(0)


def test_a_phone_that_takes_over_a_seat_waits_for_another_players_word(
    browser: Browser, dealt: Table
) -> None:
    with (
        opened(browser, dealt, seat="bob") as bob,
        opened(browser, dealt, seat="ann") as old,
        opened(browser, dealt, host=True) as host,
    ):
        keep_first(dealt)
        assert dealt.host().ask("DELETE", "/seat/ann").status == 200
        tab(old, "tickets")
        expect(old.locator("#tickets .problem")).to_have_text(say("seat.lost", name="Ann"))
        with opened(browser, dealt, seat="ann") as ann:
            tab(ann, "tickets")
            expect(ann.locator(".tasks")).to_contain_text(say("dealt.hidden", name="Ann")[:40])
            expect(ann.locator(".hand")).to_be_hidden()
            tab(host, "table")
            expect(key(host, "vouch-ann")).to_have_count(0)
            tab(bob, "table")
            key(bob, "vouch-ann").click()
            expect(ann.locator(".hand")).to_be_visible()
            assert held(ann) == "red: 4"
            expect(key(bob, "vouch-ann")).to_have_count(0)


def test_where_nobody_can_vouch_the_host_deals_a_hand_anew(browser: Browser, dealt: Table) -> None:
    with opened(browser, dealt, host=True, seat="bob") as host:
        with opened(browser, dealt, seat="ann"):
            keep_first(dealt)
        assert dealt.host().ask("DELETE", "/seat/ann").status == 200
        with opened(browser, dealt, seat="ann") as ann:
            tab(ann, "tickets")
            expect(ann.locator(".tasks")).to_contain_text(say("dealt.hidden_alone", name="Ann"))
            tab(host, "table")
            expect(key(host, "vouch-ann")).to_have_count(0)
            key(host, "deal-anew-ann").click()
            host.get_by_role("button", name=say("dealt.deal_anew_yes"), exact=True).click()
            expect(key(ann, "open-offered")).to_be_visible()
            expect(key(host, "deal-anew-ann")).to_have_count(0)


def test_a_paid_claim_is_taken_back(browser: Browser, dealt: Table) -> None:
    with opened(browser, dealt, seat="ann") as page:
        keep_first(dealt)
        claim(dealt, portland__seattle__0="red")
        move(dealt, "ann", Pay("route", SEATTLE, {"red": 1}))
        expect(page.locator(".open-table")).to_contain_text("Ann paid 1 red")
        tab(page, "board")
        page.locator("#board .all-routes").click()
        key(page, f"route:{SEATTLE}").click()
        key(page, "have-back").click()
        page.get_by_role("button", name=say("dealt.have_back_yes")).click()
        expect(page.locator("#toast")).to_contain_text("Portland")
        page.locator("dialog .sheet-close").click()
        tab(page, "tickets")
        expect(headline(page)).to_have_text(say("dealt.your_turn"))
        assert held(page) == "red: 4"


def test_the_host_asks_for_a_claim_and_its_player_takes_it_back(
    browser: Browser, dealt: Table
) -> None:
    with opened(browser, dealt, seat="ann") as page:
        keep_first(dealt)
        claim(dealt, portland__seattle__0="red")
        move(dealt, "ann", Pay("route", SEATTLE, {"red": 1}))
        for _ in range(2):
            move(dealt, "bob", DrawCard())
        tab(page, "tickets")
        expect(key(page, "asked-back")).to_have_count(0)
        asked = dealt.host().post("/cards/have-back", {"kind": "route", "about": SEATTLE})
        assert asked.code == "asked"
        expect(page.locator("#panel-tickets .tasks")).to_contain_text("Portland")
        key(page, "asked-back").click()
        page.get_by_role("button", name=say("dealt.have_back_yes")).click()
        expect(page.locator("#toast")).to_contain_text("Portland")
        expect(key(page, "asked-back")).to_have_count(0)
        assert held(page) == "red: 4"
        # What the host says of the game is not a player's to undo.
        dealt.live.do(End())
        newest = page.locator(".latest .event").first
        expect(newest).to_contain_text(say("log.ended"))
        expect(newest.locator(".event-undo")).to_have_count(0)


def test_a_computers_claim_says_what_to_lay_until_the_camera_sees_it(
    browser: Browser, tmp_path: Path
) -> None:
    players = (PLAYERS[0], Player("blue", "blue", "", computer="hard"))
    with (
        dealt_table(tmp_path, players=players, hands=("red red red red",) * 2) as running,
        opened(browser, running, size=LAPTOP) as page,
    ):
        keep_first(running)
        move(running, "ann", DrawCard(0))
        move(running, "ann", DrawCard(0))
        move(running, "blue", Pay("route", SEATTLE, {"red": 1}))
        card = page.locator(".to-lay")
        expect(card).to_contain_text("Computer Blue claims Portland")
        expect(card).to_contain_text("left lane: lay 1 train (blue)")
        expect(card.locator(".lay-here")).to_be_visible()
        expect(page.locator(".players [data-seat=blue]")).to_contain_text(say("dealt.hard"))
        claim(running, portland__seattle__0="blue")
        expect(page.locator(".to-lay.is-seen")).to_be_visible()
        expect(page.locator(".to-lay")).to_have_count(0)


@pytest.mark.parametrize("language", every_run("de", languages()))
def test_nothing_is_cut_or_too_small_in_any_language(
    browser: Browser, dealt: Table, language: str
) -> None:
    def look(page: Page, what: str) -> None:
        rest(page, 600)
        assert page.evaluate(WIDER) == [], what
        assert page.evaluate(SMALL) == [], what

    with opened(browser, dealt, seat="ann") as page:
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": page.url}])
        page.reload()
        ready(page)
        look(page, "first tickets, score")
        tab(page, "tickets")
        look(page, "first tickets")
        key(page, "open-offered").click()
        key(page, "offered-0").click()
        look(page, "choice")
        page.keyboard.press("Escape")
        keep_first(dealt)
        expect(key(page, "draw-tickets")).to_be_visible()
        look(page, "turn")
        claim(dealt, portland__seattle__0="red", kansas_city__saint_louis__0="blue")
        expect(page.locator(".laid")).to_be_visible()
        look(page, "laid")
        page.locator(".laid button").click()
        look(page, "payments")
        key(page, "payment-0").click()
        rest(page)
        tab(page, "score")
        look(page, "unpaid")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(browser: Browser, dealt: Table, scheme: Scheme) -> None:
    def faults(page: Page) -> list[str]:
        found = Axe().run(page).response["violations"]
        return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]

    with opened(browser, dealt, host=True, seat="ann", color_scheme=scheme) as page:
        tab(page, "tickets")
        key(page, "open-offered").click()
        key(page, "offered-0").click()
        rest(page, 600)
        assert faults(page) == []
        page.keyboard.press("Escape")
        keep_first(dealt)
        expect(key(page, "draw-tickets")).to_be_visible()
        claim(dealt, portland__seattle__0="red", kansas_city__saint_louis__0="blue")
        expect(page.locator(".laid")).to_be_visible()
        rest(page, 600)
        assert faults(page) == []
        page.locator(".laid button").click()
        rest(page, 600)
        assert faults(page) == []
        page.keyboard.press("Escape")
        tab(page, "score")
        rest(page, 600)
        assert faults(page) == []
        tab(page, "tickets")
        key(page, "pass-bob").click()
        rest(page, 600)
        assert faults(page) == []
        key(page, "pass-open").click()
        rest(page, 600)
        assert faults(page) == []
