"""The display beside the board in the host's browser: seen, chosen and tried."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_displays import FakeFirmware
from phones import Table, table
from playwright.sync_api import Browser, expect
from railspotter.firmware_bridge.display_controller import DisplayController
from railspotter.firmware_bridge.ports import FoundPort
from railspotter.table.display_control import DisplayChoice
from table_pages import claim, everyone_can_use, opened, say, tab
from waiting import until


@pytest.fixture
def device(tmp_path: Path) -> Iterator[FakeFirmware]:
    with FakeFirmware(tmp_path / "port", leds=62) as device:
        yield device


@pytest.fixture
def running(tmp_path: Path, device: FakeFirmware) -> Iterator[Table]:
    ports = (FoundPort(str(device.link), "USB serial", "Arduino"),)
    desk = DisplayController(
        DisplayChoice(), find=lambda: ports, test_s=6.0
    )  # so long that nobody misses it
    with desk, table(tmp_path, desk=desk) as running:
        yield running


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
        expect(sheet).to_contain_text("62 LEDs")
        until(lambda: [one.locator("i").count() for one in page.locator(".leds").all()] == [20] * 3)
        assert page.locator(".digits").all_inner_texts()[1].split() == ["2.", "33", "30"]
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
