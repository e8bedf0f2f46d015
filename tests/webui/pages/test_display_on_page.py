"""The display beside the board in the host's browser: what is drawn is what the strip is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from fake_displays import FakeFirmware
from phones import Table, table, until
from playwright.sync_api import Browser, Page, expect
from railspotter.firmware_bridge.display_controller import DisplayController
from railspotter.firmware_bridge.ports import FoundPort
from railspotter.firmware_bridge.preview import EYE
from railspotter.table.display_control import DisplayChoice
from table_pages import claim, everyone_can_use, opened, say, tab

LEDS = 62


@pytest.fixture
def device(tmp_path: Path) -> Iterator[FakeFirmware]:
    with FakeFirmware(tmp_path / "port", leds=LEDS) as device:
        yield device


@pytest.fixture
def running(tmp_path: Path, device: FakeFirmware) -> Iterator[Table]:
    ports = (FoundPort(str(device.link), "USB serial", "Arduino"),)
    desk = DisplayController(
        DisplayChoice(), find=lambda: ports, test_s=6.0
    )  # so long that nobody misses it
    with desk, table(tmp_path, desk=desk) as running:
        yield running


def drawn(page: Page) -> list[list[int]]:
    """Each player's lights as the browser paints them: the sum of red, green and blue of each."""
    colours: list[list[str]] = page.locator(".leds").evaluate_all(
        """strips => strips.map((strip) => [...strip.children]
          .map((led) => getComputedStyle(led).backgroundColor))"""
    )
    found = [[re.findall(r"\d+", colour)[:3] for colour in strip] for strip in colours]
    return [[sum(map(int, led)) for led in strip] for strip in found]


def lit(strip: Sequence[int], share: float) -> list[bool]:
    """Which lights are on; the others glow faintly, at a twelfth of the brightest at most."""
    return [led > share * max(strip) for led in strip]


def test_the_host_sees_chooses_and_tries_the_display(
    browser: Browser, running: Table, device: FakeFirmware
) -> None:
    claim(running, helena__seattle="blue", duluth__helena="blue", calgary__seattle="red")
    with opened(browser, running, host=True) as page:
        tab(page, "table")
        page.locator("[data-key=display]").click()
        sheet = page.locator("dialog")
        expect(sheet).to_contain_text(say("display.none"))
        expect(sheet.get_by_role("img")).to_have_attribute(
            "aria-label", say("display.shown", players="red 7, blue 30, and green 0")
        )
        expect(page.locator(".leds")).to_have_count(3)
        page.locator("#display-which").select_option(str(device.link))
        expect(sheet).to_contain_text(say("display.connected"))
        expect(sheet).to_contain_text(f"{LEDS} LEDs")
        # Three segments of 20 with a dark LED between two; 16 of each are for 100 points.
        until(lambda: [len(strip) for strip in drawn(page)] == [20, 20, 20])
        assert page.locator(".digits").all_inner_texts()[1].split() == ["2.", "33", "30"]
        told = [sum(device.lights[3 * at : 3 * at + 3]) for at in range(21, 41)]
        assert lit(told, 0.15) == [*[True] * 5, *[False] * 11, *[True] * 3, False]
        until(lambda: lit(drawn(page)[1], 0.15 ** (1 / EYE)) == lit(told, 0.15))
        everyone_can_use(page)
        claim(running, denver__helena="blue")
        expect(sheet.get_by_role("img")).to_have_attribute("aria-label", re.compile("blue 37"))
        page.locator("[data-key=display-test]").focus()
        page.keyboard.press("Enter")
        expect(sheet).to_contain_text(say("display.testing"))
        expect(page.locator(".leds")).to_have_count(4)
        expect(page.locator(".leds")).to_have_count(3)
        page.locator("#display-brightness").focus()
        page.keyboard.press("Home")
        until(lambda: not any(device.lights))
        device.tear_away()
        expect(sheet).to_contain_text(say("display.searching"))
