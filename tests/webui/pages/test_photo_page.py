"""One photo on a phone: taken, asked about, its rest counted, its players named; or its corners."""

from pathlib import Path

import numpy as np
from photo_tables import photo_table
from playwright.sync_api import Browser, FilePayload, expect
from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import BoardNotRecognisedError
from railspotter.table.photo_file import Files, to_jpeg
from railspotter.table.photo_reader.messages import Corners
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.sessions.photo_queue import PhotoReading
from table_pages import faultless, say

PICTURE = to_jpeg(np.full((400, 600, 3), 120, np.uint8))
PHOTO: FilePayload = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": PICTURE}


def test_a_photo_goes_from_the_shutter_to_the_tickets(
    browser: Browser, home: Path, scored: ScoredPhoto
) -> None:
    with (
        photo_table(home, PhotoReading(lambda photos: scored)) as served,
        faultless(browser) as page,
    ):
        page.goto(f"{served.server.url}#host={served.services.phone_access.codes.host}")
        page.get_by_role("link", name=say("home.photo")).click()
        page.locator("[data-key=shutter]").set_input_files(PHOTO)
        # Its doubt first, then what is left, then who is who: one after another, by the keyboard.
        page.locator("main [data-key=choice-red]").focus()
        page.keyboard.press("Enter")
        page.locator("[data-key=differs]").click()
        page.locator("[data-key=differs-blue]").click()
        pieces = page.locator("dialog [data-key^='piece-route']")
        expect(pieces).to_have_count(sum(c == "blue" for c in scored.held.values()))
        page.locator("dialog .sheet-close").click()
        page.locator("[data-key=fits]").click()
        page.locator("[data-key=sit]").click()
        page.locator("dialog [data-key=seat-blue]").click()
        page.locator("dialog input").fill("Ann")
        page.keyboard.press("Enter")
        page.locator("[data-key=tickets-now]").click()
        expect(page.locator("[data-key=ticket-photo]")).to_be_attached()


def test_where_no_board_is_found_its_corners_are_asked_for(
    browser: Browser, home: Path, scored: ScoredPhoto
) -> None:
    def lost(photos: Files) -> ScoredPhoto:
        raise BoardNotRecognisedError(Sentence("no board was found"))

    at: list[Corners] = []

    def score_at(photos: Files, corners_px: Corners, board: str) -> ScoredPhoto:
        at.append(corners_px)
        return scored

    reading = PhotoReading(lost, score_at=score_at)
    with photo_table(home, reading) as served, faultless(browser) as page:
        page.goto(f"{served.server.url}#host={served.services.phone_access.codes.host}")
        page.get_by_role("link", name=say("home.photo")).click()
        page.locator("[data-key=shutter]").set_input_files(PHOTO)
        expect(page.get_by_role("alert")).to_have_text("No board was found.")
        page.locator("[data-key=read-there]").click()
        expect(page.locator("main [data-key=choice-red]")).to_be_visible()
        assert len(at) == 1
        assert len(at[0]) == 4
