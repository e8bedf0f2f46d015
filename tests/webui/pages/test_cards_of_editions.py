"""Cards on phones where trains are taxis, and where stations are built: one turn each."""

from __future__ import annotations

from pathlib import Path

from dealt_tables import dealt_table, move
from playwright.sync_api import Browser, expect
from railspotter.scoring.dealing.moves import Pay
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.commands import Say
from table_pages import PHONE, opened, say, tab

from .test_cards_on_phones import begun, headline, held, key

CHELSEA = "chelsea--midtown-west"  # two spaces, blue
FITS = "document.documentElement.scrollWidth"


def test_new_yorks_taxis_are_cards_and_pieces(browser: Browser, tmp_path: Path) -> None:
    players = (Player("ann", "blue", "Ann"), Player("bob", "white", "Bob"))
    with (
        dealt_table(
            tmp_path,
            hands=("blue locomotive", "red red"),
            face_up="red locomotive green black orange",
            players=players,
            edition="newyork",
        ) as running,
        opened(browser, running, seat="ann") as page,
    ):
        begun(page, running)
        assert held(page) == f"blue: 1, {say('dealt.taxi')}: 1"
        expect(key(page, "take-1")).to_have_attribute(
            "aria-label", say("dealt.take", card=say("dealt.taxi"))
        )
        key(page, "tap-routes").click()
        page.locator("#board .all-routes").click()
        key(page, f"route:{CHELSEA}").click()
        payment = key(page, "payment-0")
        expect(payment).to_contain_text("1 blue and 1 taxi")
        payment.click()
        page.locator("dialog .sheet-close").click()
        expect(headline(page)).to_have_text(say("dealt.turn_of", name="Bob"))
        tab(page, "score")
        card = page.locator(".to-lay")
        name = "Chelsea \N{EN DASH} Midtown West"
        lay = say("dealt.lay_taxi.other", name="Ann", spot=name, n=2, colour="blue")
        expect(card.locator("h2")).to_have_text(lay)
        expect(card.locator(".lay-sign")).to_have_count(2)
        expect(card).not_to_contain_text("marker")  # there is no score track
        expect(page.locator(".open-table")).to_contain_text("1 blue and 1 taxi")
        assert page.evaluate(FITS) <= PHONE["width"]
        card.locator("button").click()
        expect(page.locator(".to-lay.is-seen")).to_be_visible()
        assert running.log.state.table.held == {Spot("route", CHELSEA): "blue"}


def test_europes_stations_are_paid_for_and_put_up(browser: Browser, tmp_path: Path) -> None:
    berlin, wien = Spot("station", "berlin"), Spot("station", "wien")
    with (
        dealt_table(tmp_path, edition="europe") as running,
        opened(browser, running, seat="ann") as page,
    ):
        begun(page, running)
        running.live.do(Say([Placed.on(berlin, colour="red", by="camera")]))
        laid = page.locator(".laid")
        expect(laid).to_contain_text(
            say("dealt.you_laid", spot=say("station.name", place="Berlin"))
        )
        key(page, "pay-station:berlin").click()
        page.locator(".payment", has_text="1 red").click()
        expect(headline(page)).to_have_text(say("dealt.turn_of", name="Bob"))
        assert held(page) == "red: 3"
        assert running.log.state.table.stations == {"berlin": "red"}
        move(running, "bob", Pay("station", wien.id, {"blue": 1}))
        tab(page, "score")
        card = page.locator(".to-lay")
        spot = say("station.name", place="Wien")
        lay = say("dealt.lay_station", name="Bob", spot=spot, colour="blue")
        expect(card.locator("h2")).to_have_text(lay)
        expect(card.locator(".lay-sign")).to_have_count(1)
        assert page.evaluate(FITS) <= PHONE["width"]
        card.locator("button").click()
        expect(page.locator(".to-lay.is-seen")).to_contain_text(say("dealt.lies", spot=spot))
        assert running.log.state.table.held == {berlin: "red", wien: "blue"}
