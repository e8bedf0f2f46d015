"""Pages whose server takes its time: what is typed meanwhile stays, and so does the keyboard."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from phone_photos import png_of
from phones import Phone, Table
from playwright.sync_api import Browser, Page, expect
from table_pages import LAPTOP, Held, faultless, opened, ready, say, tab

PLACES = "name,x_mm,y_mm\nAville,50,60\nBeetown,250,60\nCee,150,200\n"


def test_letters_typed_before_the_tickets_have_come_are_searched_for(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, seat="ann", size=LAPTOP) as page:
        deck = Held(page, "GET", "/deck")
        tab(page, "tickets")
        page.locator("[data-key=ticket-add]").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")  # pressed again by somebody who does not like to wait
        page.keyboard.type("duluth el")
        deck.asked()
        expect(page.locator("dialog .result")).to_have_count(0)
        expect(page.locator("dialog")).not_to_contain_text(say("tickets.not_found"))
        deck.release()
        search = page.get_by_label(say("tickets.search"))
        expect(search).to_have_value("duluth el")
        expect(search).to_be_focused()
        expect(page.locator("dialog")).to_have_count(1)
        expect(page.locator("dialog .result")).to_have_count(1)


def to_board(host: Phone) -> str:
    """Put a board into the editor that has three places and two routes; return its path."""
    said = {"title": "Toy map", "width_mm": 300, "height_mm": 300}
    draft: Any = host.post("/board-drafts", said).json
    path = f"/board-drafts/{draft['id']}"
    photo = png_of(np.full((300, 300, 3), 200, np.uint8))
    assert host.ask("PUT", f"{path}/photo", photo, Content_Type="application/octet-stream").json
    number = host.ask("PUT", f"{path}/corners", {"corners_px": []}).json["number"]
    routes = [("beetown", "red"), ("cee", "blue")]
    edits: list[dict[str, Any]] = [{"kind": "all places", "table": PLACES}]
    for end, colour in routes:
        route = {"place": "aville", "other_place": end, "colour": colour, "length": 3}
        edits.append({"kind": "add route", **route})
    for edit in edits:
        answer = host.post(f"{path}/edits", {"seen": number, **edit})
        assert answer.status == 200, answer.content
        number = answer.json["number"]
    return path


@contextmanager
def editor(browser: Browser, running: Table) -> Iterator[tuple[Page, str]]:
    """Open the editor of boards; give back the path of the draft's calls, too."""
    path = to_board(running.host())
    with faultless(browser, LAPTOP) as page:
        url = running.page.server.url
        page.goto(f"{url}boards#host={running.codes.host}")
        ready(page)
        page.goto(f"{url}boards/{path.rpartition('/')[2]}/edit")
        ready(page)
        yield page, path


def key(page: Page, name: str) -> None:
    page.locator(f"[data-key='{name}']").click()


def unfold(page: Page, card: str) -> None:
    page.locator(f"[data-key='{card}'] > summary").click()


def test_a_field_is_typed_while_the_board_is_drawn_anew(browser: Browser, running: Table) -> None:
    with editor(browser, running) as (page, path):
        unfold(page, "board")
        complete = Held(page, "POST", f"{path}/edits")
        page.locator("#board-complete").click()
        complete.asked()
        title = page.locator("#board-title")
        title.fill("")
        page.keyboard.type("Map")
        complete.release()
        expect(title).to_be_focused()
        expect(title).to_have_value("Map")
        # It is said where it is left, though nothing was typed since.
        page.keyboard.press("Tab")
        expect(page.locator("#title")).to_have_text("Map")


def test_a_space_is_dragged_while_the_board_is_drawn_anew(browser: Browser, running: Table) -> None:
    with editor(browser, running) as (page, path):
        unfold(page, "routes")
        key(page, "route-1")
        key(page, "space-0")
        before = float(page.locator("#space-x").input_value())
        colour = Held(page, "POST", f"{path}/edits")
        page.locator("#route-colour").select_option("green")
        colour.asked()
        box = page.locator("rect.is-space").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 30, y, steps=3)
        colour.release()
        page.mouse.move(x + 60, y, steps=3)
        page.mouse.up()
        expect(page.locator("#space-x")).not_to_have_value(f"{before:g}")
        expect(page.locator("#route-colour")).to_have_value("green")
        expect(page.locator("rect.print-green").first).to_be_attached()
