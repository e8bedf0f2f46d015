"""A claim that is disputed: its film on a phone, and a report where the camera was wrong."""

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from no_limits import no_limits
from phones import Table, never, played
from playwright.sync_api import Browser, expect
from railspotter.webui.served_pages import ServingOptions, TablePage
from railspotter.webui.sessions.photo_queue import PhotoReading
from small_game import FIRST_CLAIM_S, game, small_log, turn_to_the_end, watching
from table_pages import close_sheet, everyone_can_use, opened, say, tab

FROM_S, AFTER_S = 7.0, 2.0  # watched from shortly before the first claim until after it


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Table]:
    """A table that has watched the small drawn game until after its first claim."""
    limits = no_limits()
    options = ServingOptions("127.0.0.1", 0, lambda text: None, limits=limits)
    with (
        small_log(tmp_path) as log,
        watching(
            log,
            lambda t_s: game().frame_at(FROM_S + t_s).picture,
            FIRST_CLAIM_S + AFTER_S - FROM_S,
        ) as live,
        TablePage(tmp_path, options, PhotoReading(never)) as page,
        played(page, live, tmp_path) as session,
    ):
        turn_to_the_end(live)
        yield Table(cast(Any, live), log, page, session, limits, [])


def test_a_claim_is_seen_again_kept_and_reported_as_misread(
    browser: Browser, watched: Table
) -> None:
    (claim,) = (one for one in watched.log.state.events if one.fact.kind == "route_claimed")
    film = watched.live.films.films[claim.seq]
    assert film.after_s[0] < -1.0
    with opened(browser, watched, host=True) as page:
        page.locator(f"#latest [data-key=film-{claim.seq}]").click()
        slider = page.get_by_role("slider", name=say("film.slider"))
        first = page.locator("dialog .spot-figure img").get_attribute("src")
        expect(page.locator("dialog .spot-figure rect").first).to_be_visible()
        slider.press("End")
        expect(slider).to_have_attribute("aria-valuetext", say("film.after", s=film.after_s[-1]))
        assert page.locator("dialog .spot-figure img").get_attribute("src") != first
        everyone_can_use(page)
        page.locator("[data-key=keep]").click()
        expect(page.locator("#toast")).to_contain_text(say("film.kept"))
        close_sheet(page)
        page.locator(f"#latest [data-key=event-{claim.seq}]").click()
        expect(page.locator(f"dialog [data-key=film-{claim.seq}]")).to_be_visible()
        page.locator("dialog [data-key=choice-null]").click()
        page.locator("[data-key=toast-offer]").click()
        expect(page.locator("#toast")).to_contain_text(say("report.done"))
        tab(page, "table")
        page.locator("[data-key=reports]").click()
        cards = page.locator("dialog .card")
        expect(cards).to_have_count(2)
        expect(cards.first).to_contain_text(say("report.true", true=say("spot.free")))
        cards.first.get_by_role("button", name=say("film.button")).click()
        expect(cards.first.locator("img")).to_be_visible()
        everyone_can_use(page)
        cards.first.locator(".danger").click()
        expect(cards).to_have_count(1)
    watched.session.table.films.forget()
    phone = watched.host()
    assert phone.get(f"/log/{claim.seq}/film").status == 404
    (kept,) = phone.get("/reports").json["reports"]
    whole = phone.get(f"/reports/{kept['id']}").json
    assert [b64decode(one)[:2] for one in whole["film"]["pictures"]] == [b"\xff\xd8"] * 12
    assert watched.phone().get("/reports").status == 401
