"""The table's door in a real browser: who is unknown types the word or scans a link, and is in."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace
from phones import Table, table
from playwright.sync_api import Browser, Page, expect
from railspotter.webui.access.phone_access import PhoneAccess
from table_pages import close_sheet, everyone_can_use, faultless, fits, opened, ready, say, tab

FAR = {"X-Forwarded-For": "192.0.2.7"}  # no browser of this computer


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table(tmp_path_factory.mktemp("home")) as running:
        yield running


def access_of(running: Table) -> PhoneAccess:
    return running.page.services.phone_access


@contextmanager
def stranger(browser: Browser, url: str) -> Iterator[Page]:
    with faultless(browser, extra_http_headers=FAR) as page:
        page.goto(url)
        yield page


def test_a_stranger_types_the_word_and_is_where_it_wanted_to_be(
    browser: Browser, running: Table
) -> None:
    url, access = f"{running.page.server.url}card-game#game={'0' * 32}", access_of(running)
    access.change(lambda devices: replace(devices, all=()))  # there is no host
    with stranger(browser, url) as page:
        ready(page)
        expect(page.locator("h1")).to_have_text(say("hosts.whose"))
        wrong = (int(access.becoming_host.number) + 1) % 10_000
        page.locator("#host-number").fill(f"{wrong:04}")
        page.get_by_text(say("hosts.mine")).click()
        expect(page.get_by_role("alert")).to_have_text(re.compile("another number"))
        running.host()
        page.reload()
        ready(page)
        expect(page.locator("h1")).to_have_text(say("door.title"))
        page.locator("#word").fill("abcdef")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text(say("door.wrong"))
        everyone_can_use(page)
        fits(page)
        word = running.codes.join
        page.locator("#word").fill(f" {word[:3].upper()} {word[3:]}")
        page.get_by_text(say("door.come_in")).click()
        expect(page.locator("#word")).to_have_count(0)
        ready(page)
        assert page.url == url, "also what stands behind the #"


def test_what_is_scanned_opens_the_door(browser: Browser, running: Table) -> None:
    url, codes, host = running.page.server.url, running.codes, running.host()
    with stranger(browser, f"{url}help#join={codes.join}") as page:
        expect(page).to_have_title(re.compile("help", re.IGNORECASE))
        assert page.url == f"{url}help"
    with stranger(browser, f"{url}#host={codes.host}") as page:
        ready(page)
        close_sheet(page)
        tab(page, "table")
        expect(page.locator("#panel-table .join")).to_be_visible()
    with stranger(browser, f"{url}camera#camera={codes.camera}") as page:
        expect(page.locator("#word")).to_have_count(0)
        expect(page.get_by_text(say("camera.no_phone"))).to_be_visible()
    with stranger(browser, f"{url}#join=aaaaaa") as page:
        expect(page.get_by_role("alert")).to_contain_text("no longer works")
        expect(page.locator("#word")).to_be_visible()
    link = host.post("/guest-link").json["screen"]["url"].replace("#", "?theme=dark#")
    with stranger(browser, link) as page:
        ready(page)
        expect(page.locator(".rs-board")).to_be_visible()
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        host.ask("DELETE", "/guest-link")
        page.goto("about:blank")
        page.goto(link)
        expect(page.get_by_role("alert")).to_have_text(say("screen.taken_back"))


def test_the_keeper_prints_the_code_and_says_who_may_come_in(
    browser: Browser, running: Table
) -> None:
    access = access_of(running)
    # Phones could open links with this name.
    access.url = running.page.server.url.replace("127.0.0.1", "table.local")
    with opened(browser, running, host=True) as page:
        tab(page, "table")
        page.locator("#panel-table [data-key=this-table]").click()
        sheet = page.get_by_role("dialog")
        expect(sheet.locator(".word")).to_have_text(running.codes.join)
        everyone_can_use(page)
        fits(page)
        page.get_by_label(say("door.open")).check()
        expect(sheet).to_contain_text(say("door.open_text"))
        page.get_by_label(say("door.guests")).select_option("cafe")
        expect(sheet).to_contain_text(say("door.cafe_text"))
        page.get_by_label(say("pin.label")).fill("4711")
        page.keyboard.press("Enter")
        expect(sheet.locator("[data-key=pin-remove]")).to_be_visible()
        expect(page.get_by_label(say("pin.label"))).to_have_value("")
        assert (access.devices.door.is_open, access.devices.door.guests) == (True, "cafe")
        access.change_door(is_open=False, guests="home", pin="")
        old = running.codes.join
        sheet.locator("[data-key=new-word]").click()
        page.get_by_role("dialog").last.locator(".primary").click()
        expect(sheet.locator(".word")).not_to_have_text(old)
        close_sheet(page)
        expect(page.locator("#panel-table .join .link")).to_contain_text(running.codes.join)
        page.goto(f"{running.page.server.url}wall")
        ready(page)
        expect(page.locator("#word")).to_have_text(running.codes.join)
        everyone_can_use(page)
        page.emulate_media(media="print")
        expect(page.locator("#print")).to_be_hidden()
        expect(page.locator("#paper .qr")).to_be_visible()


def test_a_player_becomes_the_host_by_the_pin_on_the_tables_page(
    browser: Browser, running: Table
) -> None:
    host = running.host()
    assert host.ask("PATCH", "/door", {"pin": "4711"}).status == 200
    with opened(browser, running, seat="ann") as page:
        tab(page, "table")
        page.locator("[data-key=become-host]").click()
        everyone_can_use(page)
        page.get_by_label(say("hosts.pin")).fill("4711")
        page.keyboard.press("Enter")
        expect(page.locator("#panel-table [data-key=this-table]")).to_be_visible()
        expect(page.locator("[data-key=become-host]")).to_have_count(0)
