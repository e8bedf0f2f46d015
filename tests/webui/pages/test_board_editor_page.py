"""The editor of boards in a real browser: a map nobody knows is entered, saved and playable."""

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from corner_rings import drag_rings
from phones import table
from playwright.sync_api import Browser, Page, expect
from railspotter.cli.command import main
from railspotter.scoring.board import Board, load_board
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.table.boards.board_choice import edition_on, readable_board
from railspotter.table.boards.own_boards import OwnBoards
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.people_facts import Player
from railspotter.table.photo_file import save_picture
from table_pages import LAPTOP, faultless, ready, say, tap_board

PX_PER_MM = 2.0
CORNERS = ((90, 70), (700, 60), (720, 905), (70, 890))  # of the board in the photo, in pixels
NOT_TOLD = 4  # places of the table that are tapped by hand instead
ROUTES = 20
NAMES = (
    *("Ahorn", "Birch", "Cedar", "Dogrose", "Elder", "Fern", "Gorse", "Hazel", "Ivy", "Juniper"),
    *("Kalmia", "Larch", "Maple", "Nettle", "Oak", "Poplar", "Quince", "Rowan", "Sorrel", "Thyme"),
)
MOST_BY_HAND = 5  # routes that a person lays herself, because the picture did not give them
# Typed as a person does; the first is between neighbours.
TICKETS = "Ahorn, Birch, 7\nCedar, Fern, 11\nElder, Hazel, 4"


def fan_map() -> Board:
    """A map that nobody knows: twenty routes as a drawn board has them, between other places."""
    whole = load_board("newyork")
    twins = {route for lanes in whole.lanes for route in lanes[1:]}
    singles = [route for route in whole.routes if not whole.other_lanes.get(route.id)]
    lanes = [route for route in whole.routes if route not in singles and route.id not in twins]
    chosen = (*singles, *lanes)[:ROUTES]
    ends = [place for place in whole.places if any(place.id in (r.a, r.b) for r in chosen)]
    # The first two places of the map are neighbours, for the ticket between them.
    first = max(chosen, key=lambda route: route.length)
    ends.sort(key=lambda place: place.id not in (first.a, first.b))
    names = dict(zip((place.id for place in ends), NAMES, strict=False))
    places = tuple(
        msgspec.structs.replace(p, id=names[p.id].lower(), name=names[p.id]) for p in ends
    )
    routes = tuple(
        msgspec.structs.replace(r, id=f"{a}--{b}", a=a, b=b)
        for r in chosen
        for a, b in [sorted((names[r.a].lower(), names[r.b].lower()))]
    )
    return Board("fan-map", "Fan map", places, routes, whole.size_mm, complete=False)


def photographed(board: Board, path: Path) -> None:
    """Save a picture of a board on a table, seen a little from aside."""
    drawn = draw_board(board, PX_PER_MM, seed=4)
    height, width = drawn.shape[:2]
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(whole, np.array(CORNERS, np.float32))
    save_picture(path, np.asarray(cv2.warpPerspective(drawn, warp, (800, 960)), np.uint8))


def drag_corners(page: Page) -> None:
    """Drag each ring onto its corner, and the last pixels by the keyboard."""
    drag_rings(page, CORNERS)
    for i, (x, y) in enumerate(CORNERS):
        ring = page.locator(f"[data-corner='{i}']")
        at = [float(ring.get_attribute(name) or 0) for name in ("cx", "cy")]
        for (less, more), off in zip(
            (("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown")),
            (x - at[0], y - at[1]),
            strict=True,
        ):
            for _ in range(round(abs(off))):
                ring.press(more if off > 0 else less)


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


def test_a_map_is_entered_saved_and_can_be_played(
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    truth = fan_map()
    photographed(truth, tmp_path / "photo.png")
    with table(tmp_path / "home") as running, faultless(browser, LAPTOP) as page:
        url = running.page.server.url
        page.goto(f"{url}boards")
        ready(page)
        expect(page.locator(".problem")).to_have_text(say("boards.host_only"))
        page.goto(f"{url}#host={running.codes.host}")
        ready(page)
        page.goto(f"{url}boards")
        ready(page)
        page.get_by_label(say("boards.title")).fill("Fan map")
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
        for n, place in enumerate(tapped, len(told) + 1):
            tap_board(page, place.xy_mm)
            page.locator("#place-name-new").fill(place.name)
            page.keyboard.press("Enter")
            expect(page.locator("circle.place")).to_have_count(n)
        key(page, "tool-place")

        page.locator("[data-key='space-size'] summary").click()
        page.locator("#space-length").fill("28")
        page.locator("#space-width").fill("9.5")
        key(page, "propose")
        page.locator("rect.mark").first.wait_for(timeout=90_000)
        expect(page.locator("[data-key='propose']")).to_be_enabled(timeout=90_000)
        mend(page, truth)
        drag_a_space(page, truth)
        type_tickets(page)
        assert not Axe().run(page).response["violations"]
        key(page, "save")
        expect(page.locator("#saved")).to_have_text(say("boards.saved", id="fan-map"))
        page.reload()
        ready(page)
        expect(page.locator("#saved")).to_have_text(say("boards.saved", id="fan-map"))
        page.goto(f"{url}boards")
        ready(page)
        expect(page.locator("[data-board='fan-map']")).to_contain_text(str(ROUTES))
        assert not Axe().run(page).response["violations"]
        home = running.log.path.parent.parent

    made = OwnBoards(home).load("fan-map")
    assert sorted((*sorted((r.a, r.b)), r.length, r.colour) for r in made.routes) == sorted(
        (*sorted((r.a, r.b)), r.length, r.colour) for r in truth.routes
    )
    assert made.measured
    assert main(["board", "check", str(home / "boards" / "fan-map.json")]) == 0
    assert f"{ROUTES} routes" in capsys.readouterr().out
    monkeypatch.setenv("RAILSPOTTER_HOME", str(home))
    board = readable_board("fan-map")
    edition = edition_on(board, "newyork")
    players = (Player("a", "blue"), Player("b", "white"))
    GameStarted(edition.id, players, board=board).check_start()
    assert [(t.a, t.b, t.points) for t in made.tickets] == [
        ("ahorn", "birch", 7),
        ("cedar", "fern", 11),
        ("elder", "hazel", 4),
    ]


def type_tickets(page: Page) -> None:
    """Type the map's tickets; a place that is not there is told with its line."""
    page.locator("[data-key='tickets'] > summary").click()
    table = page.locator("#tickets-table")
    table.fill("")
    table.press_sequentially("Ahorn, Nowhere, 7")
    key(page, "take-tickets")
    expect(page.locator("#toast")).to_contain_text("Nowhere")
    table.fill("")
    table.press_sequentially(TICKETS)
    key(page, "take-tickets")
    expect(page.locator("[data-key='tickets'] h2")).to_have_text(
        say("boards.tickets", n=TICKETS.count("\n") + 1)
    )


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
        length, colour = page.locator("#route-length"), page.locator("#route-colour")
        accept = page.locator("[data-key='accept']")
        is_right = True
        if length.input_value() != str(route.length):
            length.fill(str(route.length))
            length.press("Tab")
            is_right = False
        if colour.input_value() != route.colour:
            colour.select_option(route.colour)
            is_right = False
        if is_right and accept.is_enabled():  # what was mended is accepted by that
            key(page, "accept")
        expect(accept).to_be_disabled()
        expect(length).to_have_value(str(route.length))
        expect(colour).to_have_value(route.colour)
    assert len(missing) <= MOST_BY_HAND, "the picture should give most routes"
    for route in missing.values():
        before = page.locator(".route-row").count()
        page.locator("#hand-a").select_option(label=names[route.a])
        page.locator("#hand-b").select_option(label=names[route.b])
        page.locator("#hand-colour").select_option(route.colour)
        page.locator("#hand-length").fill(str(route.length))
        key(page, "add-route")
        expect(page.locator(".route-row")).to_have_count(before + 1)
    expect(page.locator(".route-row")).to_have_count(len(truth.routes))
