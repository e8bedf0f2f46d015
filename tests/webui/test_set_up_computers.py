"""Computers and a drawn game, chosen on the page that sets a game up; and where the cards are."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from waiting import until

from .test_set_up_page import at, opened, set_up


@pytest.mark.journey
def test_a_game_without_a_camera_is_set_up_in_three_steps(browser: Browser, home: Path) -> None:
    with set_up(home) as running, opened(browser, running) as page:
        at(page, "edition-newyork-newyork").click()
        at(page, "colour-blue").click()
        at(page, "colour-white").click()
        at(page, "cards-phones").click()
        at(page, "next").click()
        at(page, "source-none").click()
        expect(at(page, "begin")).to_be_enabled()
        expect(at(page, "change-source")).to_contain_text("No camera")
        expect(page.locator(".row")).to_have_count(3)  # the box, the camera, the cards
        at(page, "begin").click()
        until(lambda: running.desk.begun is not None)
        assert running.desk.begun is not None
        assert running.desk.begun.profile is None


def test_computers_play_along_and_are_dealt_their_cards(browser: Browser, home: Path) -> None:
    def played() -> list[tuple[str, str]]:
        return [(one.colour, one.computer) for one in running.desk.view().players]

    with set_up(home) as running, opened(browser, running) as page:
        at(page, "edition-usa-usa").click()
        expect(at(page, "cards-table")).to_have_attribute("aria-pressed", "true")
        at(page, "colour-red").click()
        expect(at(page, "next")).to_be_disabled()
        at(page, "add-computer").click()
        expect(at(page, "strength-medium")).to_have_attribute("aria-pressed", "true")
        expect(at(page, "computer-red")).to_have_count(0)
        at(page, "strength-hard").click()
        at(page, "computer-green").click()
        until(lambda: played() == [("red", ""), ("green", "hard")])
        expect(at(page, "next")).to_be_enabled()
        expect(at(page, "cards-phones")).to_have_attribute("aria-pressed", "true")
        expect(at(page, "cards-table")).to_be_disabled()
        at(page, "strength-of-green").select_option("easy")
        until(lambda: played() == [("red", ""), ("green", "easy")])
        at(page, "up-green").click()
        until(lambda: played() == [("green", "easy"), ("red", "")])
        page.reload()
        page.wait_for_selector("body[data-ready]")
        at(page, "step-players").click()
        expect(at(page, "strength-of-green")).to_have_value("easy")
        at(page, "remove-green").click()
        expect(at(page, "cards-table")).to_have_attribute("aria-pressed", "true")
        at(page, "cards-phones").click()
        until(lambda: running.desk.view().cards == "phones")
