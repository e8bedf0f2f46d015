"""What goes wrong on an evening: a camera goes, the program is killed, a film ends."""

from collections.abc import Callable

from playwright.sync_api import Page

from .phones import Phones
from .program import Program

SETTLE_MS = 3000  # until the table has done with what was corrected


def calm(phones: Phones) -> Callable[[Page], bool]:
    """Return what tells whether a page shows no trouble, as the host's does now."""
    phones.host.wait_for_timeout(SETTLE_MS)
    status = phones.host.locator("#status").inner_text()

    def is_calm(page: Page) -> bool:
        is_in_trouble = page.locator("#trouble").is_visible()
        return page.locator("#status").inner_text() == status and not is_in_trouble

    return is_calm


def lose_camera(phones: Phones) -> Callable[[Page], bool]:
    """Close the camera's page until everyone has read it; return what tells that it is back."""
    is_calm = calm(phones)
    with phones.diary.step("the camera's page is closed, until that is read", "56 s and more"):
        phones.camera.goto("about:blank")
        phones.diary.wait_for(phones.each(lambda page: not is_calm(page)))
    phones.screenshot("camera-lost")
    phones.screenshot("camera-lost-player", phones.bo)
    phones.host.locator("#status").click()
    phones.screenshot("camera-lost-status")
    phones.host.locator("dialog .sheet-close").click()
    return is_calm


def bring_camera_back(phones: Phones, program: Program) -> None:
    """Close the camera's page for some time."""
    is_calm = lose_camera(phones)
    with phones.diary.step("it is opened again, until that is read"):
        phones.camera.goto(f"{program.address}/camera")
        phones.camera.wait_for_selector("body[data-ready=yes]")
        phones.start_camera()
        phones.diary.wait_for(phones.each(is_calm))
    phones.screenshot("camera-back")


def put_in_another_camera(phones: Phones) -> None:
    """Pull the phone that films, and let another one film in its place."""
    diary, host = phones.diary, phones.host
    is_calm = lose_camera(phones)
    with diary.step("another phone films instead, until that is read", "not measured"):
        phones.open_tab("table")
        phones.tap("camera-code")
        link = host.locator("dialog .link").inner_text()
        phones.screenshot("another-camera-code")
        phones.close_sheet()
        phones.camera, phones.other_camera = phones.other_camera, phones.camera
        phones.camera.goto(link)
        phones.camera.wait_for_selector("body[data-ready=yes]")
        phones.start_camera()
        diary.wait_for(phones.each(is_calm))
    phones.screenshot("another-camera", phones.camera)
    phones.open_tab("score")


def restart_program(phones: Phones, program: Program) -> None:
    """Kill the program and restart it; no phone scans or reloads anything."""
    diary, host = phones.diary, phones.host
    followers = [page for page in (*phones.players.values(), phones.camera) if page is not host]
    for page in followers:
        page.evaluate("window.isSame = true")
    program.kill()
    phones.bo.locator("#trouble").wait_for()
    phones.screenshot("program-gone", phones.bo)
    known = "a tap of the host's, 2 to 5 s"
    with diary.step("the program is started again: the game goes on, on every phone", known):
        program.start()
        for page in phones.players.values():
            page.locator("#trouble").wait_for(state="hidden")
            page.locator("#status").get_by_text("No connection").wait_for(state="hidden")
    assert all(page.evaluate("window.isSame") for page in followers), "a page was loaded anew"
    phones.screenshot("gone-on")
    phones.screenshot("gone-on-player", phones.bo)


def begin_film(phones: Phones, program: Program, film: str) -> None:
    """Start the program with a film as its camera, and begin a game with last time's people."""
    diary, host = phones.diary, phones.host
    program.kill()
    with diary.step("the program is started with a film, until the game begins", "4 taps"):
        program.start("--source", film)
        host.goto(f"{program.address}/")
        host.wait_for_selector("[data-key=begin]:enabled")
        phones.screenshot("film-ready")
        phones.tap("begin")
        phones.wait_for_game()
    phones.screenshot("film-begun")


def wait_for_end_of_film(phones: Phones, *colours: str) -> None:
    """Watch a film of these players' claims until it ends, and what phones say then."""
    with phones.diary.step("a film shows claims, until it has ended", "the program ended"):
        states = phones.each(
            lambda page: page.evaluate(
                "async () => (await (await fetch('/api/v1/state')).json()).table.is_over"
            )
        )
        phones.diary.wait_for(states)
    points = [f".players [data-seat='{phones.seat(colour)}'] .row-points" for colour in colours]
    with phones.diary.step("what the film showed is scored"):
        scored = phones.each(
            lambda page: all(page.locator(one).inner_text() != "0" for one in points)
        )
        phones.diary.wait_for(scored)
    phones.screenshot("film-over")
    phones.screenshot("film-over-player", phones.bo)
    phones.host.locator("#status").click()
    phones.screenshot("film-over-status")
    phones.host.locator("dialog .sheet-close").click()
