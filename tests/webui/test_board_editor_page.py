"""The editor of boards in a real browser: a map nobody knows is entered, saved and played on."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from phones import table
from playwright.sync_api import Browser, Page, expect
from railspotter.scoring import load_board
from railspotter.scoring.board import Board
from railspotter.table.command import main
from railspotter.table.game_log import GameStarted, Player
from railspotter.table.game_log.checks import check_start
from railspotter.table.own_boards import OwnBoards
from railspotter.table.photo_file import save_picture
from railspotter.table.play_command import _board_and_edition
from railspotter.vision.virtual_board import draw_board
from railspotter.webui import paint
from railspotter.webui.board_page import board_words
from railspotter.webui.languages import languages
from table_pages import LAPTOP, chromium, note, ready

WEBUI = Path(paint.__file__).parent
SCRIPTS = WEBUI / "static" / "boards"
KEY = re.compile(r'"(boards\.[a-z_]+)"')
PX_PER_MM = 2.0
CORNERS = ((90, 70), (700, 60), (720, 905), (70, 890))
"""Of the board in the photo, in pixels."""
NOT_TOLD = 1
"""Places of the table that are tapped by hand instead."""


def say(key: str) -> str:
    return board_words("en")[key]


def test_every_word_is_used_and_in_every_language_with_the_same_places() -> None:
    texts = [path.read_text("utf-8") for path in SCRIPTS.glob("*.js")]
    texts.append((WEBUI / "templates" / "boards.html").read_text("utf-8"))
    used = {key for text in texts for key in KEY.findall(text)}
    own = {
        language: json.loads((WEBUI / "words" / "boards" / f"{language}.json").read_text("utf-8"))
        for language in languages()
    }
    assert {re.sub(r"\.(one|other)$", "", key) for key in own["en"]} == used
    for path in SCRIPTS.glob("*.js"):
        assert path.read_text("utf-8").startswith("// "), path.name
        assert len(path.read_text("utf-8").splitlines()) <= 250, path.name


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def small_map() -> Board:
    """Six routes of a drawn board, with the places at their ends."""
    whole = load_board("newyork")
    doubles = {route for lanes in whole.lanes for route in lanes}
    routes = tuple(route for route in whole.routes if route.id not in doubles)[:6]
    ends = {end for route in routes for end in (route.a, route.b)}
    places = tuple(place for place in whole.places if place.id in ends)
    return msgspec.structs.replace(whole, id="small", places=places, routes=routes)


def photographed(board: Board, path: Path) -> None:
    """Save a picture of a board on a table, seen a little from aside."""
    drawn = draw_board(board, PX_PER_MM, seed=4)
    height, width = drawn.shape[:2]
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(whole, np.array(CORNERS, np.float32))
    save_picture(path, np.asarray(cv2.warpPerspective(drawn, warp, (800, 960)), np.uint8))


def drag_corners(page: Page) -> None:
    """Drag each ring onto its corner, and the last pixels by the keyboard."""
    svg = page.locator("svg.photo")
    for i, (x, y) in enumerate(CORNERS):
        ring = page.locator(f"[data-corner='{i}']")
        box = ring.bounding_box()
        to = svg.evaluate(
            "(svg, [x, y]) => { const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());"
            " return [at.x, at.y]; }",
            [x, y],
        )
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(*to, steps=4)
        page.mouse.up()
        at = [float(ring.get_attribute(name) or 0) for name in ("cx", "cy")]
        for (less, more), off in zip(
            (("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown")),
            (x - at[0], y - at[1]),
            strict=True,
        ):
            for _ in range(round(abs(off))):
                ring.press(more if off > 0 else less)


def tap_board(page: Page, xy_mm: tuple[float, float]) -> None:
    to = page.locator("svg.making").evaluate(
        "(svg, [x, y]) => { const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());"
        " return [at.x, at.y]; }",
        list(xy_mm),
    )
    page.mouse.click(*to)


def drag_a_space(page: Page, truth: Board) -> None:
    """Tap a space, drag it, and take that back."""
    space = truth.routes[0].spaces[0]
    tap_board(page, space.xy_mm)
    chosen = page.locator("rect.is-space")
    expect(chosen).to_have_count(1)
    before = page.locator("#space-x").input_value()
    box = chosen.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 25, y + 5, steps=3)
    page.mouse.up()
    expect(page.locator("#space-x")).not_to_have_value(before)
    assert float(page.locator("#space-x").input_value()) > float(before) + 5
    key(page, "undo")
    expect(page.locator("#space-x")).to_have_value(before)


def key(page: Page, name: str) -> None:
    page.locator(f"[data-key='{name}']").click()


def test_a_map_is_entered_saved_and_played_on(
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    truth = small_map()
    photographed(truth, tmp_path / "photo.png")
    complaints: list[str] = []
    with (
        table(tmp_path / "home") as running,
        browser.new_context(viewport=LAPTOP) as context,
    ):
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: note(message, complaints))
        url = running.page.server.url
        page.goto(f"{url}boards")
        ready(page)
        expect(page.locator(".problem")).to_have_text(say("boards.host_only"))
        page.goto(f"{url}#host={running.page.room.codes.host}")
        ready(page)
        page.goto(f"{url}boards")
        ready(page)
        page.get_by_label(say("boards.title")).fill("Small")
        page.locator("#new-width").fill(str(truth.size_mm[0]))
        page.locator("#new-height").fill(str(truth.size_mm[1]))
        page.get_by_role("button", name=say("boards.begin")).click()
        page.locator("#photo-file").set_input_files(tmp_path / "photo.png")
        page.locator("svg.photo").wait_for()
        drag_corners(page)
        key(page, "corners-set")
        page.locator("svg.making").wait_for()
        told, tapped = truth.places[NOT_TOLD:], truth.places[:NOT_TOLD]
        rows = [f'"{p.name}",{p.xy_mm[0]},{p.xy_mm[1]}' for p in told]
        page.locator("[data-key='places-paste'] summary").click()
        page.locator("#places-table").fill("\n".join(["name,x_mm,y_mm", *rows]))
        key(page, "take-places")
        expect(page.locator("circle.place")).to_have_count(len(told))
        key(page, "tool-place")
        for place in tapped:
            tap_board(page, place.xy_mm)
            page.locator("#place-name-new").fill(place.name)
            page.keyboard.press("Enter")
        expect(page.locator("circle.place")).to_have_count(len(truth.places))
        key(page, "tool-place")

        page.locator("[data-key='space-size'] summary").click()
        page.locator("#space-length").fill("28")
        page.locator("#space-width").fill("9.5")
        key(page, "propose")
        page.locator("rect.mark").first.wait_for(timeout=90_000)
        expect(page.locator("[data-key='propose']")).to_be_enabled(timeout=90_000)
        mend(page, truth)
        drag_a_space(page, truth)
        assert not Axe().run(page).response["violations"]
        key(page, "save")
        expect(page.locator("#saved")).to_have_text(say("boards.saved").format(id="small"))
        page.reload()
        ready(page)
        expect(page.locator("#saved")).to_have_text(say("boards.saved").format(id="small"))
        page.goto(f"{url}boards")
        ready(page)
        expect(page.locator("[data-board='small']")).to_contain_text("6")
        assert not Axe().run(page).response["violations"]
        home = running.log.path.parent.parent
    assert not complaints, complaints

    made = OwnBoards(home).read("small")
    assert sorted((*sorted((r.a, r.b)), r.length, r.colour) for r in made.routes) == sorted(
        (*sorted((r.a, r.b)), r.length, r.colour) for r in truth.routes
    )
    assert made.measured
    assert main(["board", "check", str(home / "boards" / "small.json")]) == 0
    assert "6 routes" in capsys.readouterr().out
    monkeypatch.setenv("RAILSPOTTER_HOME", str(home))
    board, edition = _board_and_edition(Namespace(board="small", edition="newyork"))
    check_start(GameStarted(edition.id, (Player("a", "blue"), Player("b", "white")), board=board))


def mend(page: Page, truth: Board) -> None:
    """Settle every route as a person does who has the map before her."""
    names = {place.id: place.name for place in truth.places}
    page.locator("[data-key='routes'] > summary").click()
    missing = {frozenset((r.a, r.b)): r for r in truth.routes}
    for row in [one.get_attribute("data-key") or "" for one in page.locator(".route-row").all()]:
        key(page, row)
        ends = frozenset(
            page.locator(f"#{end} option:checked").inner_text() for end in ("route-a", "route-b")
        )
        route = next((r for r in missing.values() if {names[r.a], names[r.b]} == ends), None)
        if route is None:
            key(page, "reject")
            expect(page.locator(f"[data-key='{row}']")).to_have_count(0)
            continue
        del missing[frozenset((route.a, route.b))]
        length = page.locator("#route-length")
        if length.input_value() != str(route.length):
            length.fill(str(route.length))
            length.press("Tab")
        if page.locator("#route-colour").input_value() != route.colour:
            page.locator("#route-colour").select_option(route.colour)
        if page.locator("[data-key='accept']").is_enabled():
            key(page, "accept")
        expect(page.locator("[data-key='accept']")).to_be_disabled()
    for count, route in enumerate(missing.values(), 1):
        before = page.locator(".route-row").count()
        page.locator("#hand-a").select_option(label=names[route.a])
        page.locator("#hand-b").select_option(label=names[route.b])
        page.locator("#hand-colour").select_option(route.colour)
        page.locator("#hand-length").fill(str(route.length))
        key(page, "add-route")
        expect(page.locator(".route-row")).to_have_count(before + 1)
        assert count <= 2, "the picture should give most routes"
    expect(page.locator(".route-row")).to_have_count(len(truth.routes))
