"""A board that the camera sees a part of: what is out of its picture is drawn so, and tapped."""

from __future__ import annotations

import pytest
from phones import Table
from playwright.sync_api import Browser, expect
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.live_table.board_keeper import UNSEEN
from railspotter.table.live_table.board_watch import BoardWatch, FrameResult
from railspotter.table.live_table.table_view import BoardSight
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.settling import WatchState
from table_pages import opened, tab

OUT = Spot("route", "calgary--seattle")
SAID = UNSEEN.filled(n=1, side=Sentence("left"))


def test_a_route_out_of_the_picture_is_drawn_so(
    browser: Browser, running: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take(watch: BoardWatch, frame: Frame) -> FrameResult:
        return FrameResult(BoardSight(WatchState.SETTLED, SAID, unseen=(OUT,)))

    monkeypatch.setattr(BoardWatch, "take", take)
    with opened(browser, running, host=True) as page:
        tab(page, "board")
        expect(page.locator(".print.out-of-picture")).to_have_count(1)
        page.locator("#status").click()
        expect(page.get_by_text(SAID)).to_be_visible()
