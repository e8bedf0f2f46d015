"""The page on which a game is set up, step by step in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import drawn
import pytest
import set_ups
import table_pages
from camera_server import Request, serving
from playwright.sync_api import Browser, Locator, Page, Route, expect
from railspotter.firmware_bridge.display_controller import DisplayController
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.display_control import DisplayChoice
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import to_jpeg
from railspotter.table.set_up.planned_game import Choices, ChosenPlayer, choices_file
from railspotter.webui.serving.system_network import phone_addresses
from railspotter.webui.words.translation import PageWords, languages
from set_ups import SetUp
from table_pages import at_rest, everyone_can_use, faultless, fits
from waiting import until

PATIENCE_MS = 60_000  # for a busy machine; alone, each wait takes a second or two
LANGUAGES = pytest.mark.parametrize("language", languages())


@contextmanager
def set_up(
    home: Path, camera_port: int = 0, port: int = 0, others: tuple[str, ...] = ()
) -> Iterator[SetUp]:
    """A set-up in a home, and a camera in the network that sees the drawn board."""
    picture = to_jpeg(drawn.empty(CameraSetup((1000, 750), tilt_deg=10)).picture)

    def film(request: Request) -> None:
        request.moving()
        while not request.server.done.wait(0.2):
            request.part(picture)

    with (
        serving(film, camera_port) as camera,
        DisplayController(DisplayChoice(), find=lambda: ()) as display,
        set_ups.set_up(home, camera.url, *others, port=port, display=display) as running,
    ):
        yield running


@pytest.fixture(scope="module", autouse=True)
def _more_patience() -> Iterator[None]:
    expect.set_options(timeout=PATIENCE_MS)
    yield
    expect.set_options(timeout=table_pages.PATIENCE_MS)


@contextmanager
def opened(browser: Browser, running: SetUp, language: str = "en", **more: Any) -> Iterator[Page]:
    """Open the host's page on a phone; nothing may go wrong in it."""
    with faultless(browser, locale=language, **more) as page:
        page.set_default_timeout(PATIENCE_MS)
        page.goto(running.page.services.phone_access.links(running.page.url)["host"])
        page.wait_for_selector("body[data-ready]")
        yield page


def at(page: Page, key: str) -> Locator:
    return page.locator(f"[data-key='{key}']")


def step(page: Page, name: str) -> None:
    page.wait_for_selector(f"body[data-at={name}]")


def choose_all(page: Page, running: SetUp) -> None:
    """Choose an edition, two players and the camera in the network, and wait for the board."""
    at(page, "edition-usa-usa").click()
    for colour in ("red", "blue"):
        at(page, f"colour-{colour}").click()
    at(page, "next").click()
    at(page, f"source-{running.cameras[0]}").click()
    step(page, "board")
    expect(at(page, "begin")).to_be_enabled()


def check(page: Page) -> None:
    """Everyone can use it, and no step's name lies over another."""
    everyone_can_use(page)
    fits(page)
    boxes = [box for step in page.locator(".step").all() if (box := step.bounding_box())]
    for left, right in pairwise(boxes):
        assert left["x"] + left["width"] <= right["x"] + 1


@LANGUAGES
def test_every_step_fits_a_small_phone_and_is_accessible(
    browser: Browser, home: Path, language: str
) -> None:
    ProfileStore(home).save(drawn.profile())
    own = PageWords(language)
    with set_up(home) as running, opened(browser, running, language) as page:
        assert page.locator("html").get_attribute("lang") == language
        expect(page.locator("h1")).to_have_text(own["set_up.game_title"])
        check(page)
        at(page, "edition-usa-usa").click()
        step(page, "players")
        for colour in ("red", "blue", "green"):
            at(page, f"colour-{colour}").click()
        expect(page.locator(".seat")).to_have_count(3)
        at(page, "add-computer").click()
        check(page)
        at(page, "computer-yellow").click()
        check(page)
        at(page, "remove-yellow").click()
        at(page, "next").click()
        step(page, "camera")
        at(page, "source-phone").click()
        # No phone can open a page that is served to this computer alone: there is no code to scan.
        expect(page.locator(".options ~ .card h2")).to_have_text(own["set_up.phone_in"])
        assert at_rest(page.locator(".link"))["y"] < at_rest(page.locator("#foot"))["y"]
        check(page)
        if phone_addresses():
            at(page, "let-in").click()
            expect(page.locator(".qr")).to_be_visible()
            check(page)
        at(page, f"source-{running.cameras[0]}").click()
        step(page, "board")
        expect(at(page, "begin")).to_be_enabled()
        expect(page.locator(".calibration-state")).to_have_attribute("data-state", "found")
        check(page)
        at(page, "extra-rules").click()
        step(page, "rules")
        check(page)
        at(page, "back").click()
        step(page, "ready")
        expect(page.locator(".row")).to_have_count(3)
        expect(page.locator(".row .done-text")).to_have_text(own["set_up.sees_board"])
        check(page)
        at(page, "extra-display").click()
        expect(page.get_by_text(own["display.none"])).to_be_visible()
        check(page)


def test_names_order_and_colours_are_kept_whatever_is_tapped(browser: Browser, home: Path) -> None:
    with set_up(home) as running, opened(browser, running) as page:
        at(page, "edition-usa-usa").click()
        expect(at(page, "next")).to_be_disabled()
        for colour in ("red", "blue", "green"):
            at(page, f"colour-{colour}").click()
        expect(at(page, "name-green")).to_have_attribute("placeholder", "green")
        at(page, "name-green").fill("Cleo")
        at(page, "up-green").click()
        until(lambda: running.players == [("", "red"), ("Cleo", "green"), ("", "blue")])
        at(page, "remove-red").click()
        until(lambda: running.players == [("Cleo", "green"), ("", "blue")])
        at(page, "colour-red").click()
        at(page, "name-red").fill("Ann")  # and is not left before Next
        at(page, "next").click()
        step(page, "camera")
        assert running.players == [("Cleo", "green"), ("", "blue"), ("Ann", "red")]
        expect(at(page, "step-players")).to_contain_text("3 players")
        page.go_back()
        step(page, "players")
        expect(at(page, "name-green")).to_have_value("Cleo")
        for colour in ("black", "yellow"):
            at(page, f"colour-{colour}").click()
        expect(page.locator(".seat")).to_have_count(5)
        # Six need trains of their own, and one alone a house rule: a second tap says so.
        for colour in ("red", "green", "black", "yellow"):
            at(page, f"remove-{colour}").click()
        expect(page.locator(".problem:visible")).to_contain_text("2 to 5 people play")
        expect(at(page, "next")).to_be_disabled()
        at(page, "any-number").click()
        expect(at(page, "any-number")).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".problem:visible")).to_have_count(0)
        expect(at(page, "next")).to_be_enabled()
        for colour in ("red", "green", "black", "yellow"):
            at(page, f"colour-{colour}").click()
        expect(at(page, "any-number")).to_have_count(0)
        at(page, "name-green").fill("Cleo")
        at(page, "name-red").focus()
        # New York is for four, in other colours: that is said, and nothing is lost.
        at(page, "step-edition").click()
        at(page, "edition-newyork-newyork").click()
        step(page, "players")
        expect(page.locator(".problem:visible").first).to_be_visible()
        expect(at(page, "next")).to_be_disabled()
        expect(page.locator(".seat")).to_have_count(5)
        assert ("Cleo", "green") in running.players


def test_all_of_it_by_keyboard_alone(browser: Browser, home: Path) -> None:
    ProfileStore(home).save(drawn.profile())
    with set_up(home) as running, opened(browser, running) as page:

        def go_to(selector: str) -> None:
            for _ in range(60):
                page.keyboard.press("Tab")
                if page.evaluate("one => document.activeElement.matches(one)", selector):
                    return
            raise AssertionError(f"the keyboard does not reach {selector}")

        def press(key: str) -> None:
            go_to(f"[data-key='{key}']")
            page.keyboard.press("Enter")

        press("edition-usa-usa")
        step(page, "players")
        assert page.evaluate("document.activeElement.tagName") == "H1"
        for colour in ("red", "blue"):
            press(f"colour-{colour}")
            expect(at(page, f"name-{colour}")).to_be_visible()
        press("down-red")
        until(lambda: [colour for _, colour in running.players] == ["blue", "red"])
        # It can go no further down: the keyboard is where it can go back up.
        assert page.evaluate("document.activeElement.dataset.key") == "up-red"
        press("next")
        step(page, "camera")
        press(f"source-{running.cameras[0]}")
        step(page, "board")
        expect(at(page, "begin")).to_be_enabled()
        press("begin")
        step(page, "beginning")
        assert running.desk.begun is not None


def by_print(route: Route) -> None:
    told = route.fetch().json()
    route.fulfill(json={**told, "profile": {**told["profile"], "is_drawn": True}})


def test_the_second_start_is_one_tap(browser: Browser, home: Path) -> None:
    ProfileStore(home).save(drawn.profile())
    with set_up(home) as running:
        camera = running.cameras[0]
        with opened(browser, running) as page:
            choose_all(page, running)
            at(page, "extra-rules").click()
            page.locator("#rule-longest_path_bonus").click()
            until(lambda: running.desk.view().house_rules == {"longest_path_bonus": 0})
    port = urlsplit(camera).port
    assert port
    with set_up(home, port) as running, opened(browser, running) as page:
        step(page, "ready")
        expect(at(page, "change-edition")).to_contain_text("USA (2004)")
        expect(page.locator(".who [aria-pressed=true]")).to_contain_text(["red", "blue"])
        expect(at(page, "extra-rules")).to_contain_text("1 changed")
        # Where the board is read without a photo of it, one is offered.
        expect(at(page, "own-photo")).to_be_hidden()
        page.route("**/calibration", by_print)
        page.reload()
        at(page, "own-photo").click()
        step(page, "board")
        page.unroute_all(behavior="wait")
        page.evaluate("location.hash = 'ready'")
        # Each can be changed, and leads back to all of it.
        at(page, "change-players").click()
        step(page, "players")
        at(page, "next").click()
        step(page, "ready")
        at(page, "change-edition").click()
        at(page, "edition-usa-usa-1910").click()
        step(page, "ready")
        expect(at(page, "begin")).to_be_enabled()
        at(page, "begin").click()
        step(page, "beginning")
        begun = running.desk.begun
        assert begun is not None
        with GameStore(home).open(begun.game) as log:
            assert log.state.table.started.edition == "usa-1910"


def test_what_differs_from_last_time_is_one_tap_a_person(browser: Browser, home: Path) -> None:
    """Ann and Bob sat at colours without names; Cleo was there too, and goes; Dora is new."""
    last = tuple(ChosenPlayer("", colour) for colour in ("red", "blue", "green"))
    choices_file(home).save(Choices("usa", "usa", last, "none"))
    names = (("ann", "red", "Ann"), ("bob", "blue", "Bob"), ("cleo", "green", "Cleo"))
    with GameStore(home).create(GameStarted("usa", tuple(Player(*one) for one in names)), 1.0):
        pass
    with set_up(home) as running, opened(browser, running, "fr") as page:
        step(page, "ready")
        expect(at(page, "plays-Cleo")).to_have_attribute("aria-pressed", "true")
        check(page)
        expect(page.locator(".primary:visible")).to_have_count(1)
        at(page, "plays-Cleo").click()
        until(lambda: running.players == [("Ann", "red"), ("Bob", "blue")])
        expect(at(page, "plays-Cleo")).to_have_attribute("aria-pressed", "false")
        at(page, "add-person").click()
        page.locator("#new-name").fill("Dora")
        page.keyboard.press("Enter")
        until(lambda: running.players[2:] == [("Dora", "black")])
        # Who was left out comes back to the old place, in the old colour.
        at(page, "plays-Cleo").click()
        until(lambda: [name for name, _ in running.players] == ["Ann", "Bob", "Cleo", "Dora"])
        assert running.players[2] == ("Cleo", "green")
        at(page, "plays-Cleo").click()
        at(page, "change-cards").click()
        expect(at(page, "change-cards")).to_contain_text(PageWords("fr")["set_up.cards_phones"])
        check(page)
        at(page, "begin").click()
        step(page, "beginning")
        assert [name for name, _ in running.players] == ["Ann", "Bob", "Dora"]
