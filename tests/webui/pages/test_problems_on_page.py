"""What cannot be on a board, in a real browser: beside the score, and with who wins."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from logged_games import BOTH_LANES, IMPOSSIBLE, NEW_YORK, TOO_MANY
from phones import Table, table
from playwright.sync_api import Browser, expect
from railspotter.table.game_log.course_facts import GameEnded
from railspotter.table.live_table.commands import AddFacts
from table_pages import count, opened, ready, say

LANES = f"B{BOTH_LANES[1:]}."
TAXIS = f"R{TOO_MANY[1:]}."


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path, started=NEW_YORK, has_camera=False) as running:
        running.live.execute(AddFacts(IMPOSSIBLE[:-1]))
        yield running


def test_it_is_said_at_the_claim_and_with_who_wins(browser: Browser, running: Table) -> None:
    told = running.host().post("/guest-link").json
    with (
        opened(browser, running, seat="ann") as ann,
        browser.new_context() as context,
    ):
        screen, overlay = context.new_page(), context.new_page()
        screen.goto(told["screen"]["url"])
        overlay.goto(told["overlay"]["url"].replace("#", "?parts=scores#"))
        ready(screen)
        ready(overlay)
        running.live.execute(AddFacts(IMPOSSIBLE[-1:]))
        card = ann.locator("#problems")
        expect(card).to_contain_text(LANES)
        expect(card).to_contain_text(TAXIS)
        for page in (screen, overlay):
            expect(page.locator(".rs-scores")).to_contain_text(f"{LANES} {TAXIS}")
        # Either lane may be the one that is not so.
        assert card.locator("button").count() == 4
        card.get_by_role("button", name="Chinatown").first.click()
        expect(ann.locator("dialog.spot-sheet")).to_be_visible()
        ann.keyboard.press("Escape")
        running.live.execute(AddFacts([GameEnded()]))
        count(ann)
        title = say("winner.doubtful", names="Ann")
        ann.locator("[data-key=skip]").click()
        for result in (ann.locator("#ending"), screen.locator(".rs-result")):
            expect(result).to_contain_text(title)
            expect(result).to_contain_text(f"{LANES} {TAXIS}")
            expect(result).not_to_contain_text(say("winner.single", name="Ann"))
