"""One tap takes a game that is over out of the house; nothing leaves before it."""

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from phones import Table
from playwright.sync_api import Browser, Page, Request, expect
from railspotter.table.game_log.course_facts import GameEnded, PointsCounted
from railspotter.table.live_table.commands import AddFacts
from table_pages import PHONE, claim, opened

TO_BG_STATS = re.compile(r"^https://app\.bgstatsapp\.com/createPlay\.html\?data=")


def play_in(page: Page) -> dict[str, Any]:
    """What the link to BG Stats carries; what else the page asked for was this computer's."""
    link = page.locator("[data-key=bgstats]")
    expect(link).to_have_attribute("href", TO_BG_STATS)
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    play: dict[str, Any] = json.loads(
        parse_qs(urlsplit(str(link.get_attribute("href"))).query)["data"][0]
    )
    return play


def strangers(page: Page) -> list[str]:
    """The addresses outside that the page has asked for so far; it grows."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if "127.0.0.1" not in request.url:
            asked.append(request.url)

    page.on("request", note)
    return asked


def test_a_game_leaves_the_table_by_a_tap(browser: Browser, running: Table) -> None:
    claim(running, helena__seattle="red", duluth__helena="red", calgary__seattle="blue")
    running.live.execute(AddFacts([GameEnded()]))
    with opened(browser, running, reduced_motion="reduce", locale="de") as page:
        asked = strangers(page)
        expect(page.locator("[data-key=bgstats]")).to_have_count(0)
        running.live.execute(AddFacts([PointsCounted()]))
        play = play_in(page)
        assert [one["name"] for one in play["players"]] == ["Ann", "Bob", "Grün"]
        assert [one["winner"] for one in play["players"]] == [True, False, False]
        expect(page.locator("[data-key=print]")).to_be_visible()
        with page.expect_popup() as text:
            page.locator("[data-key=bgg]").click()
        expect(text.value.locator("body")).to_contain_text("3. Grün, color Grün, position 3")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert asked == []
