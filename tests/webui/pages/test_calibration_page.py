"""Calibrating in a real browser, on real pixels: corners and nudges hold, also after a restart."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import drawn
import numpy as np
import pytest
from calibrated_tables import Calibrated, calibrated
from corner_rings import drag_rings
from examples import every_run
from playwright.sync_api import Browser, Page, ViewportSize, expect
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.home import ProfileStore
from railspotter.table.live_table.commands import Correct
from railspotter.table.photo_file import to_jpeg
from railspotter.vision.readings import Doubt
from railspotter.webui.words.translation import PageWords
from table_pages import LAPTOP, PHONE, at_rest, everyone_can_use, faultless, fits, ready
from waiting import until

ROUTE, SPACE = "helena--seattle", "helena--seattle#2"
PHOTO = "IMG_4048_blank_1008"
ABOVE = CameraSetup((1200, 900), tilt_deg=8)


def say(key: str, language: str = "en", **values: object) -> str:
    return PageWords(language)[f"calibration.{key}"].format(**values)


@contextmanager
def opened(
    browser: Browser, running: Calibrated, size: ViewportSize = LAPTOP, language: str = "en"
) -> Iterator[Page]:
    """Open the page by the host's link; nothing may go wrong in it."""
    with faultless(browser, size, locale=language, reduced_motion="reduce") as page:
        page.set_default_timeout(30_000)
        codes = running.page.services.phone_access.codes
        link = f"{running.page.server.url}calibration#host={codes.host}"
        page.goto(link)
        ready(page)
        yield page


def key(page: Page, name: str) -> None:
    page.locator(f"[data-key='{name}']").click()


def found(page: Page, way: str) -> None:
    line = page.locator(".calibration-state")
    expect(line).to_contain_text(way, timeout=90_000)
    expect(line).to_have_attribute("data-state", "found")


def test_on_a_real_photo_corners_and_nudges_are_there_after_a_restart(
    browser: Browser, photos: Path, tmp_path: Path
) -> None:
    board = load_board("usa")
    file = photos / "usa" / f"{PHOTO}.jpg"
    truth = np.array(json.loads(file.with_suffix(".json").read_text())["corners_px"])
    given = truth + np.array([(2.0, -1.0), (-2.0, 1.0), (1.0, 2.0), (2.0, 1.0)])
    stand_in = stand_in_profile(board)
    assert stand_in is not None
    with calibrated(tmp_path, stand_in, is_kept=False) as running:
        running.film(file.read_bytes())
        with opened(browser, running) as page:
            found(page, "by the print that comes with the program")
            expect(page.locator(".stage-corners")).to_have_count(1)
            # Nothing is nudged on another copy's print.
            key(page, "nudge")
            expect(page.locator(".calibration-tools")).to_contain_text(say("keep_first"))
            key(page, "nudge-done")
            key(page, "corners")
            drag_rings(page, given.tolist())
            page.locator("#corners-edge").uncheck()
            key(page, "corners-set")
            found(page, "by the corners you gave")
            lies = np.array(running.host.get("/calibration").json["corners_px"])
            assert np.hypot(*(lies - given).T).max() < 1.5, "as far as a mouse is exact"
            nudge_by_keyboard(page)
        kept = running.store.newest("usa")
        assert kept.nudges_mm == {ROUTE: (5.5, -0.5), SPACE: (0.0, 0.5)}
        assert running.live.profile is not None
        assert running.live.profile.nudges_mm == kept.nudges_mm
        game = running.live.log.id
    # The program is started again.
    with calibrated(tmp_path, ProfileStore(tmp_path).newest("usa"), game=game) as running:
        running.film(file.read_bytes())
        with opened(browser, running) as page:
            found(page, "by your own photo of the board")
            expect(page.locator(".calibration-notes")).to_contain_text(say("nudged.other", n=2))
            again = np.array(running.host.get("/calibration").json["corners_px"])
            assert np.hypot(*(again - lies).T).max() < 1.5
            key(page, "nudge")
            page.locator("#nudge-route").select_option(ROUTE)
            expect(page.locator(".calibration-far")).to_contain_text("5.5 mm")
            expect(page.locator(".stage-space.is-nudged")).to_have_count(6)


def nudge_by_keyboard(page: Page) -> None:
    """Move a route by 5.5 mm and up by half of one, a space of it down, all without the mouse."""
    page.locator("[data-key='nudge']").press("Enter")
    which = page.locator("#nudge-route")
    expect(which.locator("option")).to_have_count(101)
    expect(which).to_be_focused()
    page.keyboard.type("Helena")
    for _ in range(6):
        if which.input_value() != ROUTE:
            page.keyboard.press("ArrowDown")
    expect(which).to_have_value(ROUTE)
    page.locator("svg.stage").focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    far = page.locator(".calibration-far")
    expect(far).to_have_text(say("far", x="5.5", y="\N{MINUS SIGN}0.5"))
    expect(page.locator(".stage-space.is-nudged")).to_have_count(6)
    # One space of it alone, by its tap.
    key_of = page.locator(f".stage-space[data-space='{SPACE}']")
    box = key_of.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator("#nudge-single").check()
    page.locator("[data-key='ArrowDown']").press("Enter")
    expect(far).to_have_text(say("far", x="0", y="0.5"))
    time.sleep(1)  # steps that follow each other closely are one move
    page.locator("[data-key='ArrowDown']").press("Enter")
    expect(far).to_have_text(say("far", x="0", y="1"))
    page.locator("[data-key='nudge-undo']").press("Enter")
    # Who leaves at once loses nothing.
    page.locator("[data-key='nudge-done']").press("Enter")
    expect(page.locator("[data-key='corners']")).to_be_visible()


@cache
def photographed() -> Profile:
    seen = drawn.empty(ABOVE)
    return make_profile(seen.picture, drawn.usa(), seen.corners_px, "mine", "2026-01-01T00:00:00")


@cache
def filmed() -> bytes:
    return to_jpeg(drawn.game(ABOVE).picture, 90)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Calibrated]:
    with calibrated(tmp_path, photographed()) as one:
        one.film(filmed())
        yield one


@pytest.mark.journey
def test_a_route_is_dragged_put_back_and_what_is_read_is_shown(
    browser: Browser, running: Calibrated
) -> None:
    with opened(browser, running) as page:
        found(page, "by your own photo of the board")
        running.live.execute(Correct(Spot("route", ROUTE), "red"))
        doubt = Doubt(
            Spot("route", "chicago--toronto"), "blue", (None,), Sentence("glare lies over it")
        )
        running.live.ask(doubt.spot, doubt.said, *doubt.alternatives)
        expect(page.locator(".stage-space.is-claimed").first).to_be_attached(timeout=60_000)
        expect(page.locator(".stage-letter").first).to_have_text("R")
        expect(page.locator(".stage-asked").first).to_have_text("?", timeout=60_000)
        key(page, "show-spaces")
        expect(page.locator(".stage-space")).to_have_count(309)
        key(page, "nudge")
        mark = page.locator(f".stage-space[data-space='{SPACE}']")
        expect(mark).to_be_attached()
        page.locator("#nudge-route").select_option(ROUTE)
        box = at_rest(mark)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 12, y + 6, steps=4)
        page.mouse.up()
        expect(page.locator("[data-key='nudge-back']")).to_be_enabled()
        expect(page.locator(".stage-space.is-nudged")).to_have_count(6)
        until(lambda: ROUTE in running.store.load("mine").nudges_mm)
        dx, dy = running.store.load("mine").nudges_mm[ROUTE]
        assert dx > 1
        assert dy > 0
        assert (2 * dx, 2 * dy) == (round(2 * dx), round(2 * dy))
        key(page, "nudge-back")
        expect(page.locator(".stage-space.is-nudged")).to_have_count(0)
        until(lambda: running.store.load("mine").nudges_mm == {})
        assert running.live.log.state.table.claims[ROUTE] == "red"


@pytest.mark.parametrize("language", every_run("de", ["en", "de", "fr"]))
def test_a_small_phone_has_room_for_all_of_it_and_everyone_can_use_it(
    browser: Browser, running: Calibrated, language: str
) -> None:
    with opened(browser, running, PHONE, language) as page:
        expect(page.locator(".stage image")).to_have_attribute("href", re.compile("picture"))
        expect(page.locator("[data-key='nudge']")).to_be_enabled(timeout=60_000)
        everyone_can_use(page)
        fits(page, "the board is found")
        key(page, "show-spaces")
        key(page, "corners")
        expect(page.locator("[data-key='corners-set']")).to_be_visible()
        everyone_can_use(page)
        key(page, "corners-back")
        key(page, "keep")
        everyone_can_use(page)
        page.keyboard.press("Escape")
        key(page, "nudge")
        page.locator("#nudge-route").select_option(ROUTE)
        everyone_can_use(page)
        fits(page, "a route is nudged")
        page.locator("[data-key='ArrowLeft']").tap()
        expect(page.locator(".stage-space.is-nudged")).to_have_count(6)


def test_the_part_of_a_board_that_is_out_of_the_picture_is_hatched_beside_it(
    browser: Browser, running: Calibrated
) -> None:
    whole = drawn.game(ABOVE).picture
    with opened(browser, running, PHONE) as page:
        found(page, "by your own photo of the board")
        expect(page.locator(".stage-corners")).to_have_count(1)
        expect(page.locator(".stage-cut")).to_have_count(0)
        cut_px = whole.shape[1] // 4
        running.film(to_jpeg(np.ascontiguousarray(whole[:, cut_px:]), 90))
        view = running.until(lambda view: min(x for x, _ in view["corners_px"] or [(0, 0)]) < 0)
        corners = page.locator(".stage-corners")
        points = " ".join(f"{x},{y}" for x, y in view["corners_px"])
        expect(corners).to_have_attribute("points", points, timeout=30_000)
        expect(page.locator(".stage-cut")).to_have_count(1)
        expect(page.locator(".stage-cut-said")).to_have_text(say("cut"))
        fits(page, "a part is out of the picture")
        # What is hatched lies left of the picture, which still begins where its corners say.
        at = page.evaluate(
            "() => [...document.querySelectorAll('.stage image, .stage-corners')]"
            ".map((one) => one.getBoundingClientRect()).map(({left, right}) => [left, right])"
        )
        (left, right), (board_left, board_right) = at
        lies = np.array(view["corners_px"])[:, 0]
        scale = (right - left) / (whole.shape[1] - cut_px)
        assert lies.min() < 0
        assert board_left < left
        assert abs(board_left - (left + lies.min() * scale)) < 4
        assert abs(board_right - (left + lies.max() * scale)) < 4
