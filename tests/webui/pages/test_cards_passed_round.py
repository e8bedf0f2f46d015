"""Cards on phones: a tablet for several, secrets, what the host does, and the page for everyone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from dealt_tables import dealt_table, keep_first
from phones import PLAYERS, Table
from playwright.sync_api import Browser, expect
from railspotter.webui.words.translation import COOKIE
from table_pages import Scheme, claim, everyone_can_use, fits, opened, ready, rest, say, tab

from .test_cards_on_phones import held, key

SEATTLE = "portland--seattle--0"


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[Table]:
    with dealt_table(tmp_path, players=PLAYERS[:2], hands=("red red red red",) * 2) as running:
        yield running


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


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "de"), ("light", "fr")])
def test_everyone_can_use_it_and_nothing_is_cut(
    browser: Browser, dealt: Table, scheme: Scheme, language: str
) -> None:
    def look(what: str) -> None:
        everyone_can_use(page)
        fits(page, what)

    with opened(browser, dealt, host=True, seat="ann", color_scheme=scheme) as page:
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": page.url}])
        page.reload()
        ready(page)
        look("first tickets, score")
        tab(page, "tickets")
        look("first tickets")
        key(page, "open-offered").click()
        key(page, "offered-0").click()
        look("choice")
        page.keyboard.press("Escape")
        keep_first(dealt)
        expect(key(page, "draw-tickets")).to_be_visible()
        look("turn")
        claim(dealt, portland__seattle__0="red", kansas_city__saint_louis__0="blue")
        expect(page.locator(".laid")).to_be_visible()
        look("laid")
        page.locator(".laid button").click()
        look("payments")
        page.keyboard.press("Escape")
        tab(page, "score")
        look("unpaid")
        tab(page, "tickets")
        key(page, "pass-bob").click()
        look("the cover")
        key(page, "pass-open").click()
        look("another's turn")
