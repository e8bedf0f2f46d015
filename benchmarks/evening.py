"""A whole first evening in a real browser: what it costs. `python benchmarks/evening.py FOLDER`.

Four players of whom one has no phone, the real program on this computer, and a second phone as the
camera, whose pictures are of a drawn board: set-up, tickets, claims, whose turn, a question, a
correction, a camera that is lost and comes back, a program that is killed and started again, the
end, the result and the next game. Printed is a Markdown table with the taps and seconds of each
step, beside what was known of it before; screenshots of each step go into the folder, in three
sizes. Fingers wait for the program alone, so seconds are the program's. Needs Chromium.
"""

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

import drawn
from browser_driver import chromium, started_driver
from playwright.sync_api import Page
from railspotter.scoring.board import load_board
from railspotter.table.home import ProfileStore

from browsers.beginning import set_up_game, take_seats, take_tickets
from browsers.phones import Phones
from browsers.program import Program
from browsers.step_recorder import StepRecorder

LOCALES = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR"}
CLAIMS = (
    ("helena--seattle", "red"),
    ("portland--san-francisco--0", "blue"),
    ("denver--kansas-city--0", "green"),
    ("atlanta--nashville", "yellow"),
)
LATER_CLAIM = ("chicago--pittsburgh--0", "red")
# A route with trains of two colours, about which everyone is asked: whose they are, or who plays
# the colour that they look like together.
QUESTION = ":is(#questions, #strange) .question"
DOUBTFUL_ROUTE = ("duluth--omaha--0", ("red", "blue"))
MISTAKEN_ROUTE = "houston--new-orleans"  # nobody laid it, somebody corrects it by mistake
SETTLE_MS = 3000  # until the table has done with what was corrected


def claim_routes(phones: Phones) -> None:
    """Let everyone claim a route; then correct whose turn it is."""
    diary = phones.diary
    phones.screenshot("score")
    for i, (route, colour) in enumerate(CLAIMS):
        with diary.step(f"{colour} claims a route, from the hand's leaving", "2 to 4 s"):
            phones.place_route_and_wait(route, colour)
        if i == 0:
            phones.screenshot("first-claim")
            phones.screenshot("first-claim-player", phones.bo)
    phones.screenshot("four-claims")
    phones.host.locator("#tab-board").click()
    phones.screenshot("board")
    phones.host.locator("#tab-score").click()
    with diary.step("whose turn it is, put right", "not possible"):
        phones.tap("turn")
        phones.screenshot("turn")
        phones.tap("turn-green")
        phones.host.locator("[data-seat=green] .tag").first.wait_for()
        phones.screenshot("turn-corrected")


def answer_question(phones: Phones) -> None:
    """Let a player answer a question."""
    diary, route, colours = phones.diary, *DOUBTFUL_ROUTE
    with diary.step("a question comes, from the hand's leaving"):
        phones.film(phones.board.place_route(route, colours))
        diary.wait_for(phones.each(lambda page: page.locator(QUESTION).is_visible()))
    phones.screenshot("question")
    phones.screenshot("question-player", phones.bo)
    with diary.step("it is answered"):
        card = phones.bo.locator(QUESTION)
        diary.tap(card.locator(".answers button").first)
        card.wait_for(state="detached")
        phones.screenshot("question-answered", phones.bo)


def correct_route(phones: Phones) -> None:
    """Let a player correct a right route, and undo that."""
    diary, page = phones.diary, phones.bo
    with diary.step("a route is put right, found by its name"):
        phones.open_tab("board", page)
        diary.tap(page.locator("#board .all-routes"))
        phones.screenshot("all-routes", page)
        diary.write(page.locator("#route-search"), "hous")
        phones.tap(f"route:{MISTAKEN_ROUTE}", page)
        phones.screenshot("route", page)
        diary.tap(page.locator("dialog").last.locator("[data-key=choice-green]"))
        page.locator(".toast-undo").wait_for()
        phones.screenshot("corrected", page)
    with diary.step("that is undone"):
        diary.tap(page.locator(".toast-undo"))
        phones.element(f"route:{MISTAKEN_ROUTE}", page).locator(".no-car").wait_for()
        phones.screenshot("undone", page)
    page.locator("dialog .sheet-close").last.click()
    page.locator("#tab-score").click()


def lose_camera(phones: Phones, program: Program) -> None:
    """Close the camera's page for some time."""
    diary, host = phones.diary, phones.host
    host.wait_for_timeout(SETTLE_MS)
    calm = host.locator("#status").inner_text()

    def is_calm(page: Page) -> bool:
        is_in_trouble = page.locator("#trouble").is_visible()
        return page.locator("#status").inner_text() == calm and not is_in_trouble

    with diary.step("the camera's page is closed, until that is read", "56 s and more"):
        phones.camera.goto("about:blank")
        diary.wait_for(phones.each(lambda page: not is_calm(page)))
    phones.screenshot("camera-lost")
    phones.screenshot("camera-lost-player", phones.bo)
    host.locator("#status").click()
    phones.screenshot("camera-lost-status")
    host.locator("dialog .sheet-close").click()
    with diary.step("it is opened again, until that is read"):
        phones.camera.goto(f"http://127.0.0.1:{program.port}/camera")
        phones.camera.wait_for_selector("body[data-ready=yes]")
        phones.start_camera()
        diary.wait_for(phones.each(is_calm))
    phones.screenshot("camera-back")


def restart_program(phones: Phones, program: Program) -> None:
    """Kill the program and restart it; no phone scans or reloads anything."""
    diary, followers = phones.diary, (phones.bo, phones.cleo, phones.camera)
    for page in followers:
        page.evaluate("window.isSame = true")
    program.kill()
    phones.bo.locator("#trouble").wait_for()
    phones.screenshot("program-gone", phones.bo)
    known = "a tap of the host's, 2 to 5 s"
    with diary.step("the program is started again: the game goes on, on every phone", known):
        program.start()
        for page in (phones.host, phones.bo, phones.cleo):
            page.locator("#trouble").wait_for(state="hidden")
            page.locator("#status").get_by_text("No connection").wait_for(state="hidden")
    assert all(page.evaluate("window.isSame") for page in followers), "a page was loaded anew"
    phones.screenshot("gone-on")
    phones.screenshot("gone-on-player", phones.bo)
    with diary.step(f"{LATER_CLAIM[1]} claims a route, from the hand's leaving"):
        phones.place_route_and_wait(*LATER_CLAIM)


def end_game(phones: Phones) -> None:
    """Reveal all tickets, also of players without a phone, and count the points."""
    diary, host = phones.diary, phones.host
    with diary.step("the game is ended"):
        phones.open_tab("table")
        phones.screenshot("table-before-end")
        phones.tap("end")
        phones.screenshot("end-sure")
        diary.tap(host.locator("dialog .primary"))
        phones.open_tab("score")
        host.locator(".ending").wait_for()
        phones.screenshot("ended")
        phones.screenshot("ended-player", phones.bo)
    with diary.step("three phones show their tickets"):
        for page in phones.players.values():
            phones.tap("reveal", page)
            phones.element("reveal", page).wait_for(state="detached")
    with diary.step("the count says whose tickets are missing", "not said"):
        phones.tap("count")
        host.locator("dialog").get_by_text("Dan").first.wait_for()
        phones.screenshot("count-missing")
        diary.tap(host.locator("dialog .choices .primary"))  # not to count yet
    with diary.step("the host shows the tickets of who has no phone"):
        phones.tap("enter-yellow")
        phones.screenshot("other-hand-at-the-end")
        phones.tap("hand-reveal")
        phones.element("hand-reveal").wait_for(state="detached")
        phones.close_sheet()
        phones.screenshot("ended-all-shown")
    with diary.step("the points are counted by themselves, until every phone has the winner"):
        phones.bo.locator(".ceremony").wait_for()
        phones.screenshot("ceremony", phones.bo)
        for page in phones.players.values():
            page.locator(".ending.final").wait_for()
    phones.screenshot("result")
    phones.screenshot("result-player", phones.bo)
    with diary.step("the result after a reload of three pages", "gone"):
        for page in phones.players.values():
            page.reload()
            page.locator(".ending.final").wait_for()
    phones.screenshot("result-reloaded", phones.bo)
    with diary.step("play again, on every phone"):
        phones.tap("play-again")
        for page in phones.players.values():
            page.locator(".ending.final").wait_for(state="detached")
            page.locator(".players > li").first.wait_for()
    phones.screenshot("again")
    phones.screenshot("again-player", phones.bo)


def play_another_time(phones: Phones) -> None:
    """Leave the game for the table's first page, and begin another one as last time."""
    diary, host = phones.diary, phones.host
    with diary.step("to the first page, on every phone", "the program ends"):
        phones.open_tab("table")
        phones.tap("leave")
        phones.screenshot("leave-sure")
        diary.tap(host.locator("dialog .primary"))
        for page in phones.players.values():
            page.locator(".hero").wait_for()
    host.wait_for_selector("body[data-ready=yes]")
    phones.screenshot("home")
    phones.screenshot("home-player", phones.bo)
    with diary.step("a game that was left goes on, on every phone", "2 taps"):
        phones.tap("go-on")
        for page in phones.players.values():
            page.locator(".players > li").first.wait_for()
    phones.open_tab("table")
    phones.tap("end")
    diary.tap(host.locator("dialog .primary"))
    phones.open_tab("score")
    phones.tap("count")
    diary.tap(host.locator("dialog .choices button:not(.primary)"))
    host.locator(".ending.final").wait_for()
    with diary.step("as last time, on every phone", "the link, then 2 taps"):
        phones.tap("home")
        phones.element("play").wait_for()
        phones.screenshot("home-last")
        phones.tap("play")
        for page in phones.players.values():
            page.locator(".players > li").first.wait_for()


def main() -> None:
    """Play the evening and print its table, even if it was not completed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the screenshots go")
    parser.add_argument("--language", choices=LOCALES, default="en", help="what phones speak")
    given = parser.parse_args()
    board, diary = load_board("usa"), StepRecorder(given.folder)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.callback(lambda: print(diary.table()))
        ProfileStore(home).save(drawn.profile())
        program = Program(home)
        stack.callback(program.kill)
        driver = stack.enter_context(started_driver())
        browser = stack.enter_context(chromium(driver))
        phones = Phones(browser, board, diary, LOCALES[given.language])
        set_up_game(phones, program)
        take_seats(phones)
        take_tickets(phones)
        claim_routes(phones)
        answer_question(phones)
        correct_route(phones)
        lose_camera(phones, program)
        restart_program(phones, program)
        end_game(phones)
        play_another_time(phones)


if __name__ == "__main__":
    main()
