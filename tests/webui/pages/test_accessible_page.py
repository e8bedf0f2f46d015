"""The page for people who see little: asked and answered, at 400 %, and in colours of their own."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from dealt_tables import dealt_table, keep_first
from phones import Table, table
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from railspotter.calibration.arrays import Float64s
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.people_facts import Player
from table_pages import PHONE, claim, close_sheet, everyone_can_use, opened, rest, say, tab

from .test_voice import spoken, texts, undo, voiced

PLAYERS = (Player("ann", "red", "Ann", shape="circle"), Player("bob", "blue", "Bob"))
# A window of 1280 x 1024 at 400 %, as WCAG 2.2 has it (1.4.10 Reflow).
ZOOMED: ViewportSize = {"width": 320, "height": 256}
MOST_COVERED = 0.2  # of that window, by what stays in view; chosen
ENLARGED: ViewportSize = {"width": 180, "height": 370}  # a phone at 200 %
COVERED = """() => [...document.querySelectorAll("body *")]
  .filter((one) => ["fixed", "sticky"].includes(getComputedStyle(one).position))
  .map((one) => one.getBoundingClientRect())
  .filter(({ height, top }) => height && top < innerHeight)
  .reduce((sum, { height }) => sum + height, 0) / innerHeight"""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path, started=GameStarted("usa-accessible", PLAYERS)) as running:
        yield running


def test_a_claim_says_what_goes_on_the_pin_and_what_into_the_box(
    browser: Browser, running: Table
) -> None:
    with voiced(browser, running) as page, opened(browser, running) as silent:
        claim(running, denver__helena="red")
        spoken(
            page,
            "Ann takes Denver to Helena, 7 points; Ann leads."
            " One circle on the pin, 3 back in the box.",
        )
        told = "Ann: Denver \N{EN DASH} Helena. One circle on the pin, 3 back in the box."
        expect(silent.locator("#said")).to_have_text(told)
        expect(silent.locator("#latest .event").first).to_contain_text("3 back in the box")
        expect(silent.locator("[data-seat=ann] .row")).to_have_accessible_name(
            "Ann, red, circle: 7 points, 41 shapes left, path 4. Longest path."
        )
        claim(running, dallas__houston__0="blue")
        spoken(page, "Bob takes Dallas to Houston, 1 point. One shape on the pin.")


def test_a_route_that_is_tapped_says_what_goes_on_the_pin_as_a_seen_one(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, seat="ann") as page, voiced(browser, running) as other:
        close_sheet(other)
        tab(page, "board")
        page.locator(".all-routes").click()
        sheet = tap(page, "denver oklahoma", "Ann")
        pin = "One circle on the pin, 3 back in the box."
        name = "Denver \N{EN DASH} Oklahoma City"
        expect(page.locator("#toast")).to_contain_text(f"{name}: Ann. {pin}")
        expect(page.locator("#said")).to_contain_text(f"Ann: {name}. {pin}")
        spoken(other, f"Ann takes Denver to Oklahoma City, 7 points; Ann leads. {pin}")
        event = other.locator("#latest .event").first
        expect(event).to_contain_text(f"Ann: {name}{pin}")
        assert asked_last(other)[:2] == ["Ann takes Denver to Oklahoma City, 7 points.", pin]
        page.locator(f"[data-key='{ROUTE}']").click()
        expect(sheet).to_contain_text(pin)
        # Put right from one player to another it is said again, and no more once it is undone.
        sheet.locator("[data-key=choice-blue]").click()
        pin = "One shape on the pin, 3 back in the box."
        spoken(other, f"Correction: Denver to Oklahoma City is Bob's. Bob leads. {pin}")
        assert asked_last(other)[:2] == [CORRECTED, pin]
        undo(running, Spot("route", "denver--oklahoma-city"))
        expect(other.locator("#latest .event").nth(1)).not_to_contain_text("pin")
        expect(event).to_contain_text("Undone: ")


CORRECTED = "Corrected: Denver \N{EN DASH} Oklahoma City is Bob's."
ROUTE = "route:denver--oklahoma-city"


def tap(page: Page, words: str, name: str) -> Locator:
    """Find a route in the open list, and say whose it is; return the sheet of a route."""
    page.locator("#route-search").fill(words)
    page.locator(f"[data-key='{ROUTE}']").click()
    sheet = page.locator("dialog.spot-sheet")
    sheet.get_by_role("button", name=name).click()
    return sheet


def asked_last(page: Page) -> list[str]:
    """Return what the page answers, when it is asked what was last."""
    page.locator("#ask").click()
    page.locator("[data-key=ask-2]").click()
    answer = page.locator("dialog .answer p")
    expect(answer.first).not_to_be_empty()
    told = answer.all_inner_texts()
    close_sheet(page)
    return told


def test_answers_are_read_or_spoken_but_not_both(browser: Browser, running: Table) -> None:
    with voiced(browser, running) as page:
        close_sheet(page)
        page.locator("#ask").click()
        answer = page.get_by_role("dialog").locator(".answer")
        page.locator("[data-key=ask-4]").click()
        expect(answer).to_contain_text("45 shapes left")
        expect(answer).to_have_attribute("aria-live", "polite")
        assert len(texts(page)) == 1, "the voice was turned on"
        page.locator("#answers-aloud").check()
        page.keyboard.press("1")
        spoken(page, f"{say('turn.likely', name='Ann')}.")
        expect(answer).to_have_attribute("aria-live", "off")
        page.locator("#ask-city").fill("salt")
        page.keyboard.press("Enter")
        expect(answer).to_contain_text(say("ask.free.other", n=7, place="Salt Lake City"))
        page.locator("#ask-city").fill("s")
        page.keyboard.press("Enter")
        expect(page.locator("dialog .result")).to_have_count(6)
        page.get_by_role("button", name="Seattle").click()
        expect(answer).to_contain_text("Seattle")
        page.locator("#ask-city").fill("atlantis")
        page.keyboard.press("Enter")
        spoken(page, say("ask.no_city"))


def test_a_tunnel_and_a_ferry_are_told_by_words(browser: Browser, tmp_path: Path) -> None:
    started = GameStarted("europe", PLAYERS)
    with table(tmp_path, started=started) as running, opened(browser, running) as page:
        page.locator("#ask").click()
        answer = page.get_by_role("dialog").locator(".answer")
        page.locator("#ask-city").fill("smyrna")
        page.keyboard.press("Enter")
        expect(answer).to_contain_text("Angora: 3 spaces, printed orange, a tunnel.")
        expect(answer).to_contain_text("2 spaces, printed grey, a ferry with one Locomotive.")
        close_sheet(page)
        tab(page, "board")
        page.locator(".all-routes").click()
        page.locator("dialog .result", has_text="Palermo \N{EN DASH} Smyrna").click()
        size = page.locator("dialog.spot-sheet p.soft").first
        expect(size).to_have_text("6 spaces, printed grey, a ferry with 2 Locomotives")


def test_an_answer_ends_with_its_sheet_and_no_call_is_lost(
    browser: Browser, running: Table
) -> None:
    with voiced(browser, running) as page:
        close_sheet(page)
        page.locator("#ask").click()
        page.locator("#answers-aloud").check()
        page.evaluate("heldMs = 600000")
        page.keyboard.press("4")
        page.wait_for_function("() => aloud.at(-1).text.startsWith('Ann, red, circle')")
        claim(running, denver__helena="red")
        expect(page.locator("[data-seat=ann] .row-points")).to_have_text("7")
        close_sheet(page)
        page.wait_for_function("() => aloud.at(-1).text.startsWith('Ann takes Denver')")
        assert page.evaluate("brokenOff") == 1


@pytest.mark.parametrize("colours", ["none", "active"])
def test_it_is_whole_at_400_percent_and_in_forced_colours(
    browser: Browser, tmp_path: Path, colours: str
) -> None:
    with (
        dealt_table(tmp_path, players=PLAYERS, edition="usa-accessible") as running,
        opened(browser, running, seat="ann", size=ZOOMED, forced_colors=colours) as page,
    ):
        keep_first(running)
        for name in ("score", "board", "tickets", "table"):
            tab(page, name)
            everyone_can_use(page)
            page.mouse.wheel(0, 400)
            rest(page)
            assert page.evaluate(COVERED) <= MOST_COVERED, name
        page.locator("#ask").click()
        page.locator("[data-key=ask-7]").click()
        expect(page.locator(".answer p")).to_have_count(3)
        everyone_can_use(page)


def test_a_phone_at_200_percent_scrolls_down_alone(browser: Browser, tmp_path: Path) -> None:
    with (
        dealt_table(tmp_path, has_camera=False) as running,
        opened(browser, running, host=True, size=ENLARGED, locale="de") as page,
    ):
        for name in ("score", "board", "tickets", "table"):
            tab(page, name)
            page.mouse.wheel(0, 400)
            rest(page)
            assert page.evaluate(COVERED) <= MOST_COVERED, name
            assert page.evaluate("document.documentElement.scrollWidth") == ENLARGED["width"], name
            assert page.locator(".top").evaluate("(top) => top.offsetHeight") < 150, name


def test_forced_colours_still_tell_what_is_chosen(browser: Browser, running: Table) -> None:
    with opened(browser, running, size=PHONE, forced_colors="active") as page:
        tab(page, "table")
        one, other = page.locator("#tab-table"), page.locator("#tab-score")
        chosen = edges(one)
        tab(page, "score")
        assert differ(chosen, edges(one))
        assert differ(edges(other), edges(one))
        tab(page, "table")
        switch = page.locator("#sounds")
        off = edges(switch)
        switch.check()
        assert differ(off, edges(switch))
        tab(page, "score")
        cars = page.locator(".players .car")
        assert differ(edges(cars.nth(0)), edges(cars.nth(1)))


def edges(part: Locator) -> Float64s:
    """Return how light each part of it is."""
    part.page.mouse.move(1, 1)
    rest(part.page)
    picture = Image.open(BytesIO(part.screenshot())).convert("L").resize((64, 64))
    return np.asarray(picture, np.float64)


def differ(one: Float64s, other: Float64s) -> bool:
    """Whether two parts look different to an eye that sees no colours: by their lightness."""
    return float(np.abs(one - other).mean()) > 6.0
