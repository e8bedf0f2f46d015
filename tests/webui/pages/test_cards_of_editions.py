"""Cards on phones where trains are taxis, and where stations are built: one turn each."""

from pathlib import Path

from dealt_tables import dealt_table, move
from playwright.sync_api import Browser, expect
from railspotter.scoring.dealing.moves import Pay
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.live_table.commands import AddFacts
from table_pages import PHONE, opened, say, tab

from .test_cards_on_phones import begun, headline, held, key

FITS = "document.documentElement.scrollWidth"


def test_europes_stations_are_paid_for_and_put_up(browser: Browser, tmp_path: Path) -> None:
    berlin, wien = Spot("station", "berlin"), Spot("station", "wien")
    with (
        dealt_table(tmp_path, edition="europe") as running,
        opened(browser, running, seat="ann") as page,
    ):
        begun(page, running)
        running.live.execute(AddFacts([Placed.on(berlin, colour="red", by="camera")]))
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
