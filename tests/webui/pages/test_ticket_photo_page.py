"""Tickets by camera on a phone: photographed, mended with a tap, kept; by keyboard and by ear."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from phones import Table
from photo_tables import ticket_table
from playwright.sync_api import Browser, FilePayload, Page, expect
from railspotter.table.photo_file import to_jpeg
from railspotter.vision.words import nets
from table_pages import opened, say, tab
from ticket_pictures import picture_of_tickets

pytestmark = pytest.mark.skipif(
    not (nets.FOLDER / "nets.json").exists(), reason="this build could not fetch the nets of words"
)
TICKETS = (("Seattle", "New York", 22), ("Denver", "El Paso", 4), ("Dallas", "New York", 11))


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Table]:
    with ticket_table(tmp_path) as running:
        yield running


def photograph(page: Page, key: str, *hidden: slice) -> None:
    picture = picture_of_tickets(TICKETS)
    for across in hidden:
        picture[60:120, across] = (60, 70, 80)
    photo: FilePayload = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": to_jpeg(picture)}
    page.locator(f"[data-key={key}]").set_input_files(photo)


def test_tickets_are_photographed_mended_and_kept(browser: Browser, running: Table) -> None:
    with opened(browser, running, seat="ann") as page:
        tab(page, "tickets")
        photograph(page, "ticket-photo", slice(380, 660))  # a thumb lies on one New York
        rows = page.locator("dialog .read-ticket")
        expect(rows).to_have_count(3)
        keep = page.locator("[data-key=keep-read]")
        expect(keep).to_be_disabled()
        expect(page.locator("dialog .foot p")).to_have_text(say("ticket_photo.first"))
        # One answer, by keyboard, settles what was half hidden; a tap takes out what is not Ann's.
        page.locator("[data-key$='new-york--seattle']").focus()
        page.keyboard.press("Enter")
        page.get_by_role("switch", name="Denver").or_(
            page.get_by_role("checkbox", name="Denver")
        ).uncheck()
        expect(keep).to_be_enabled()
        keep.click()
        hand = page.locator(".tickets .ticket-name")
        expect(hand).to_have_text(["Dallas \N{EN DASH} New York", "New York \N{EN DASH} Seattle"])


def test_what_is_read_wrongly_or_not_at_all_is_chosen_from_the_list(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, seat="ann") as page:
        tab(page, "tickets")
        page.locator("[data-key=ticket-photo]").set_input_files(
            {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"}
        )
        expect(page.locator("dialog .problem")).to_be_visible()
        photograph(page, "more-photo")
        expect(page.locator("dialog .read-ticket")).to_have_count(3)
        expect(page.locator("dialog .problem")).to_have_count(0)
        page.locator("[data-key='other-denver--el-paso']").click()
        page.locator("#ticket-search").fill("dul elp")
        page.locator("dialog .result").click()
        page.locator("dialog .sheet-close").last.click()
        page.locator("[data-key=keep-read]").click()
        expect(page.locator(".tickets .ticket-name")).to_have_count(3)
        expect(page.locator(".tickets")).to_contain_text("Duluth")


def test_the_host_photographs_the_tickets_of_who_has_no_phone(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, host=True) as page:
        tab(page, "table")
        page.locator("[data-key=person-cleo]").click()
        page.locator("[data-key=hand-of]").click()
        photograph(page, "hand-photo")
        page.locator("[data-key=keep-read]").click()
        expect(page.locator(".hand-list li")).to_have_count(3)
        expect(page.locator(".hand-list")).not_to_contain_text("Denver")
