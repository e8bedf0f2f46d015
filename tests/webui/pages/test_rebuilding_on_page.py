"""Packing away and laying out again on a phone: one button, and a list that shrinks."""

import drawn
import pytest
from phones import AskingTable, Table
from playwright.sync_api import Browser, expect
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GamePackedAway, GameResumed
from railspotter.table.live_table.commands import AddFacts
from railspotter.table.live_table.table_view import Difference, RebuildingView
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.settling import WatchState
from table_pages import PHONE, opened, say, tab

CLAIMS = {route: colour for colour in ("red", "blue", "green") for route in drawn.GAME[colour][:4]}
GONE = Difference("missing", Spot("route", "calgary--seattle"), "red", None)
LANE, OTHER_LANE = (Spot("route", f"portland--seattle--{lane}") for lane in (0, 1))
MOVED = Difference("lane", LANE, "blue", None, OTHER_LANE)
EXTRA = Difference("extra", Spot("route", "atlanta--nashville"), None, "green")
OTHER = Difference("colour", Spot("route", "denver--phoenix"), "green", "red")
UNSURE = Difference("check", Spot("route", "el-paso--houston"), None, "blue")


def lies(running: Table, *differences: Difference, is_rebuilt: bool = False) -> None:
    """Have the camera see what is wrong on a board that is laid out again."""
    view = RebuildingView(differences, is_read=True, is_rebuilt=is_rebuilt)
    board = Sentence("the board is in sight")
    running.live.see(state=WatchState.SETTLED, board=board, rebuilding=view)


@pytest.fixture
def laid_out(running: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game of which the camera saw the board, much of which is wrong when it is laid out."""
    picture = drawn.game().picture
    sighted = Frame(picture, 1.0, 1), drawn.found(picture).pose
    monkeypatch.setattr(
        AskingTable, "sighted", property(lambda _: sighted, lambda *_: None), raising=False
    )
    placed = [Placed.on(Spot("route", r), colour=c, by="camera") for r, c in CLAIMS.items()]
    running.live.execute(AddFacts(placed))
    lies(running, MOVED, OTHER, EXTRA, GONE, UNSURE)
    return running


def test_a_phone_packs_away_and_says_what_is_still_to_be_laid(
    browser: Browser, laid_out: Table
) -> None:
    running = laid_out
    with opened(browser, running, host=True) as page:
        tab(page, "table")
        page.locator("[data-key=pack-away]").click()
        page.get_by_role("button", name=say("pack.yes")).last.click()
        expect(page.locator("#toast")).to_contain_text(say("pack.done"))
        expect(page.locator("#status")).to_contain_text(say("status.packed"))
        event = running.log.state.events[-1]
        assert isinstance(event.fact, GamePackedAway)
        assert running.log.crops(event.seq)
        tab(page, "score")
        expect(page.locator("#rebuilding")).to_be_hidden()
        expect(page.locator("#latest")).to_contain_text(say("log.packed_away"))

        page.locator("#trouble [data-key=pause]").click()
        card = page.locator("#rebuilding .card")
        expect(card).to_contain_text(say("rebuilding.left.other", n=4))
        lines = card.locator("li")
        expect(lines).to_have_count(5)
        expect(lines.first).to_contain_text(say("rebuilding.lane", who="Bob", other="")[:-1])
        expect(card).to_contain_text(say("rebuilding.missing.other", n=4, who="Ann"))
        expect(card).to_contain_text(say("rebuilding.check_free"))
        outlined = card.locator(".mend rect")
        assert outlined.count() >= 12
        assert card.locator("img").evaluate("img => img.decode().then(() => img.naturalWidth)")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        lies(running, GONE)
        expect(lines).to_have_count(1)
        expect(card).to_contain_text(say("rebuilding.left.one", n=1))
        lies(running, is_rebuilt=True)
        expect(page.locator("#rebuilding")).to_be_hidden()
        expect(page.locator("#said")).to_contain_text(say("rebuilding.done"))
    assert isinstance(running.log.state.events[-1].fact, GameResumed)
