"""The page at the table for everyone: by keyboard, by ear, in every light, for all eyes."""

from collections.abc import Iterator
from io import BytesIO
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from phones import Table, table
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect
from railspotter.calibration.arrays import Float64s
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.course_facts import GameEnded, TurnMarked
from railspotter.table.live_table.commands import AddFacts
from railspotter.webui.words.translation import PageWords, translator_to
from table_pages import (
    LAPTOP,
    PHONE,
    Scheme,
    claim,
    close_sheet,
    everyone_can_use,
    fits,
    opened,
    points,
    rest,
    tab,
)

SEATTLE = Spot("route", "helena--seattle")
SEES = ["none", "deuteranopia", "protanopia", "tritanopia", "achromatopsia"]
# Of two players' train cars, mean over their pixels, of 255; chosen: well seen side by side.
LEAST_DIFFERENCE = 12.0


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path) as running:
        claim(running, helena__seattle="blue", duluth__helena="blue", calgary__seattle="red")
        running.live.execute(AddFacts([TurnMarked("ann")]))
        yield running


@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [
        (PHONE, "light", "en"),
        (PHONE, "dark", "de"),
        (PHONE, "light", "fr"),
        (LAPTOP, "dark", "en"),
    ],
    ids=["phone", "dark and German", "French", "laptop"],
)
def test_every_part_of_the_page_is_open_to_everyone_and_fits(
    browser: Browser, running: Table, size: ViewportSize, scheme: Scheme, language: str
) -> None:
    own = PageWords(language)

    def look(page: Page) -> None:
        everyone_can_use(page)
        if size is PHONE:
            fits(page)

    def sheet(opener: str) -> None:
        page.locator(opener).first.click()
        expect(page.locator("dialog")).to_have_count(1)
        for more in page.locator("dialog summary").all():
            more.click()
        look(page)
        close_sheet(page)

    running.live.ask(Spot("route", "denver--helena"), "red", None, "blue")
    with opened(
        browser, running, host=True, size=size, color_scheme=scheme, locale=language
    ) as page:
        assert page.locator("html").get_attribute("lang") == language
        expect(page.locator(".question")).to_contain_text(
            translator_to(language)(Sentence("glare lies over it"))
        )
        tab(page, "table")
        page.locator("[data-key=choose-seat]").click()
        page.locator("dialog [data-key=seat-ann]").click()
        expect(page.locator("dialog")).to_have_count(0)
        page.locator(".toast-close").click()
        for name in ("score", "board", "tickets", "table"):
            if page.locator(f"#tab-{name}").is_visible():
                tab(page, name)
                look(page)
        tab(page, "tickets")
        page.locator("[data-key=ticket-add]").click()
        expect(page.locator("dialog .result").first).to_be_visible()
        look(page)
        page.locator("dialog .result").first.click()
        expect(page.locator(".ticket")).to_have_count(1)
        close_sheet(page)
        look(page)
        tab(page, "table")
        for key in ("log", "routes", "person-bob", "add-player", "end"):
            sheet(f"#table [data-key={key}]")
        tab(page, "score")
        for opener in ("#status", "#ask", "[data-seat=bob] .row", "#latest .event-open"):
            sheet(opener)
        running.live.find({SEATTLE: "red"})
        expect(page.locator(".joining")).to_be_visible()
        look(page)
        running.live.execute(AddFacts([GameEnded()]))
        expect(page.locator("[data-key=count]")).to_be_visible()
        expect(page.locator("#ending")).to_contain_text(own["ending.text"])
        look(page)
        page.emulate_media(reduced_motion="reduce")
        page.locator("[data-key=count]").click()
        page.get_by_role("button", name=own["ending.count_anyway"]).click()
        expect(page.locator(".final")).to_be_visible()
        look(page)
        for path in ("help", "photo"):
            page.goto(f"{running.page.server.url}{path}")
            expect(page.locator("html")).to_have_attribute("lang", language)
            look(page)


@pytest.mark.parametrize("sees", SEES)
def test_no_two_players_look_the_same_to_anyone(
    browser: Browser, running: Table, sees: str
) -> None:
    names = ["black", "blue", "green", "orange", "purple", "red", "white", "yellow", "other"]
    with opened(browser, running, size=LAPTOP) as page:
        page.evaluate(
            """(names) => {
              const svg = document.querySelector("svg.board").cloneNode(true);
              const row = (name, i) => `<g transform="translate(0 ${i * 10})"><rect`
                + ` id="train-${name}" width="26" height="9" fill="url(#trains-${name})"/></g>`;
              svg.setAttribute("viewBox", "0 0 26 100");
              svg.setAttribute("class", "samples");
              svg.innerHTML = svg.querySelector("defs").outerHTML + names.map(row).join("");
              document.body.replaceChildren(svg, ...names.map((name) => {
                const car = document.createElement("span");
                car.id = `car-${name}`;
                car.className = `car car-${name}`;
                car.innerHTML = "<b></b>";
                return car;
              }));
              svg.style.cssText = "position: fixed; top: 0; left: 0; width: 130px; height: 500px";
            }""",
            names,
        )
        cdp = page.context.new_cdp_session(page)
        cdp.send("Emulation.setEmulatedVisionDeficiency", {"type": sees})
        for kind in ("car", "train"):
            shots = {name: shot(page, f"#{kind}-{name}") for name in names}
            for one, other in combinations(names, 2):
                height, width = (min(shots[one].shape[i], shots[other].shape[i]) for i in (0, 1))
                a, b = (shots[name][:height, :width] for name in (one, other))
                assert np.abs(a - b).mean() > LEAST_DIFFERENCE, f"{kind}: {one} and {other}"


def shot(page: Page, selector: str) -> Float64s:
    picture = Image.open(BytesIO(page.locator(selector).screenshot())).convert("RGB")
    return np.asarray(picture, np.float64)


def test_everything_can_be_done_with_the_keyboard_alone(browser: Browser, running: Table) -> None:
    running.live.ask(Spot("route", "denver--helena"), "red", None)
    with opened(browser, running, seat="ann", size=LAPTOP) as page:

        def go_to(selector: str) -> None:
            expect(page.locator(selector).first).to_be_visible()
            for _ in range(80):
                if page.evaluate("(s) => document.activeElement.matches(s)", selector):
                    return
                page.keyboard.press("Tab")
            raise AssertionError(f"the keyboard does not come to {selector}")

        page.mouse.click(2, 300)
        go_to(".question [data-key=choice-red]")
        page.keyboard.press("Enter")
        expect(points(page, "ann")).to_have_text("14")
        go_to(".toast-undo")
        page.keyboard.press("Enter")
        expect(points(page, "ann")).to_have_text("7")
        go_to("svg.board")
        board = page.locator("svg.board")
        for key in ("+", "ArrowRight"):
            before = board.get_attribute("viewBox") or ""
            page.keyboard.press(key)
            expect(board).not_to_have_attribute("viewBox", before)
        go_to(".all-routes")
        page.keyboard.press("Enter")
        go_to("dialog input")
        page.keyboard.type("seattle helena")
        go_to("dialog .result")
        page.keyboard.press("Space")
        expect(page.locator("dialog")).to_have_count(2)
        go_to("dialog [data-key=choice-red]")
        page.keyboard.press("Enter")
        expect(points(page, "ann")).to_have_text("22")
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        assert page.evaluate("document.activeElement.matches('.all-routes')"), "the place is kept"
        go_to("[role=tab][data-tab=score]")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#panel-tickets")).to_be_visible()
        go_to("[data-key=ticket-add]")
        page.keyboard.press("Enter")
        page.keyboard.type("duluth el")
        go_to("dialog .result")
        page.keyboard.press("Enter")
        expect(page.locator(".ticket")).to_have_count(1)


def test_a_screen_reader_is_told_what_there_is(browser: Browser, running: Table) -> None:
    with opened(browser, running, seat="ann") as page:
        expect(page.locator("#turn")).to_match_aria_snapshot("""
            - button "Probably Ann's turn Not so?"
            """)
        expect(page.locator("#panel-score")).to_match_aria_snapshot("""
            - tabpanel "Score":
              - heading "Score" [level=2]
              - list "Players, most points first":
                - listitem:
                  - 'button "Bob, blue: 30 points, 33 trains left, path 12. Longest path."'
                - listitem:
                  - 'button "Ann, red: 7 points, 41 trains left, path 4. To play? You."'
                - listitem:
                  - button /Green, green. 0 points/
              - region "Latest":
                - heading "Latest" [level=2]
                - list:
                  - listitem:
                    - 'button /Ann: Calgary . Seattle/'
                    - 'button /Undo: Ann: Calgary . Seattle/'
                  - listitem:
                    - 'button /Bob: Duluth . Helena/'
                    - 'button /Undo: Bob: Duluth . Helena/'
            """)
        expect(page.get_by_role("navigation")).to_match_aria_snapshot("""
            - navigation "Parts of the page":
              - tablist "Parts of the page":
                - tab "Score" [selected]
                - tab "Board"
                - tab "My tickets"
                - tab "Table"
            """)
        tab(page, "board")
        expect(page.locator("#panel-board")).to_match_aria_snapshot("""
            - tabpanel "Board":
              - heading "Board" [level=2]
              - application "The board"
              - button "Closer"
              - button "Farther"
              - button "The whole board"
              - button "All routes"
              - group "Show a player's longest path":
                - 'button "Ann: path 4"'
                - 'button "Bob: path 12"'
            """)


def test_a_game_in_a_hurry_is_not_chatty(browser: Browser, running: Table) -> None:
    with opened(browser, running) as page:
        page.evaluate(
            """() => {
              window.heard = [];
              new MutationObserver(() => heard.push(document.getElementById("said").textContent))
                .observe(document.getElementById("said"), { childList: true });
            }"""
        )
        claim(running, denver__helena="red", helena__winnipeg="red", calgary__helena="green")
        claim(running, miami__new_orleans="green", el_paso__houston="blue")
        expect(points(page, "bob")).to_have_text("45")
        expect(page.locator("#said")).not_to_be_empty()
        rest(page, 1500)
        heard = page.evaluate("heard")
        assert 1 <= len(heard) <= 2
        assert all(text.count(":") <= 3 for text in heard), heard


def test_who_wants_no_motion_gets_none(browser: Browser, running: Table) -> None:
    with opened(browser, running, reduced_motion="reduce", size=PHONE) as page:
        claim(running, denver__helena="red", helena__winnipeg="red", calgary__helena="red")
        expect(points(page, "ann")).to_have_text(str(4 * 7))
        assert page.evaluate("document.getAnimations().length") == 0
        tab(page, "table")
        page.locator("[data-key=log]").click()
        assert page.evaluate("document.getAnimations().length") == 0
