"""A phone as the camera: who may be it, what it may send, and a browser that films a board."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import drawn
import numpy as np
import pytest
from browser_driver import filming_browser, with_noise
from no_limits import quiet
from phones import PLAYERS, AskingTable, Phone, never, played
from playwright.sync_api import FilePayload, Page, Playwright, expect
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.pictures import LEASE_S, PhoneCamera, phone_view
from railspotter.table.photo_file import to_jpeg
from railspotter.vision.decoding import decode
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.phone import PostedFrames
from railspotter.webui.served_pages import TablePage
from railspotter.webui.serving.https import Https
from railspotter.webui.sessions.photo_queue import PhotoReading
from table_pages import PHONE
from waiting import until

GREY = to_jpeg(np.full((720, 1280, 3), 128, np.uint8))
JPEG = {"Content_Type": "image/jpeg"}


@cache
def filmed() -> tuple[Profile, bytes]:
    """A drawn board's profile, and what a phone sees of it: a JPEG of its real size."""
    views = (CameraSetup((1280, 720), tilt_deg=tilt) for tilt in (8.0, 14.0))
    blank, now = (VirtualCamera(drawn.usa(), view=view).take(Scene()) for view in views)
    profile = make_profile(blank.picture, drawn.usa(), blank.corners_px, "drawn", "")
    return profile, to_jpeg(now.picture, 92)


@contextmanager
def table(
    folder: Path, https: Https | None = None
) -> Iterator[tuple[TablePage, AskingTable, list[str]]]:
    """Open a table that watches through a phone, and its page."""
    said: list[str] = []
    with (
        GameStore(folder).create(GameStarted("usa", PLAYERS, name="Friday"), 1.0) as log,
        Grabber(PostedFrames()) as grabber,
        AskingTable(log, grabber, filmed()[0]) as live,
        TablePage(folder, quiet(say=said.append, https=https), PhotoReading(never)) as page,
        played(page, live, folder),
    ):
        yield page, live, said


@pytest.fixture
def running(tmp_path: Path) -> Iterator[TablePage]:
    with table(tmp_path) as (page, _, _):
        yield page


def phone(running: TablePage, token: str = "") -> Phone:
    one = Phone(running.server.port)
    return one.join(token) if token else one


def test_the_cameras_link_works_once_and_the_next_phone_takes_over(running: TablePage) -> None:
    token = running.services.phone_access.codes.camera
    first = phone(running, token)
    assert first.get("/you").json == {
        "role": "guest",
        "is_host": False,
        "seat": None,
        "has_joined": False,
        "is_camera": True,
        "lost_seat": None,
        "asking": [],
    }
    assert first.post("/frames", GREY, **JPEG).status == 200
    assert first.post("/pause").status == 403
    assert phone(running).post("/join", {"token": token}).status == 403
    second = phone(running, running.services.phone_access.codes.camera)
    assert second.post("/frames", GREY, **JPEG).json["number"] == 2
    assert first.post("/frames", GREY, **JPEG).status == 403
    host = phone(running, running.services.phone_access.codes.host)
    links = host.get("/codes").json
    assert f"/camera#camera={running.services.phone_access.codes.camera}" in links["camera"]["url"]
    assert host.post("/frames", GREY, **JPEG).code == "taken"


def test_what_is_no_frame_is_refused(running: TablePage) -> None:
    camera = phone(running, running.services.phone_access.codes.camera)
    for about, content, kind, status in (
        ("garbage", b"no picture at all", "image/jpeg", 400),
        ("nothing", b"", "image/jpeg", 400),
        ("tiny", to_jpeg(np.zeros((40, 40, 3), np.uint8)), "image/jpeg", 400),
        ("too large", GREY + bytes(8 * 2**20), "image/jpeg", 413),
        ("of another kind", GREY, "image/png", 415),
        ("of no kind", GREY, None, 415),
    ):
        assert camera.post("/frames", content, Content_Type=kind).status == status, about
        assert camera.post("/frames", GREY, **JPEG).status == 200


def test_a_phone_that_went_away_is_said_and_leaves_its_place(tmp_path: Path) -> None:
    now = [100.0]
    with table(tmp_path) as (_, live, said):
        assert any(line.startswith("the phone that is the camera opens this once") for line in said)
        until(lambda: live.view.camera == "waiting for a picture from the phone's camera")
        box = live.source
        assert isinstance(box, PostedFrames)
        shared = PhoneCamera(box, lambda: phone_view(live.view, live.sighted), lambda: now[0])
        assert shared.post(GREY, "one") == 1
        assert shared.post(GREY, "two") is None
        until(lambda: live.frame is not None)
        now[0] += LEASE_S
        assert shared.post(GREY, "two") == 2
        until(lambda: "has stopped sending" in live.view.camera)
        assert not live.view.is_over


@contextmanager
def filming(playwright: Playwright, tmp_path: Path, **more: Any) -> Iterator[Page]:
    """A browser whose camera is a film of the drawn board; nothing may go wrong in its page."""
    film = tmp_path / "film.mjpeg"
    moments = with_noise(decode(filmed()[1]))
    film.write_bytes(b"".join(to_jpeg(moment, 92) for moment in moments))
    with (
        filming_browser(playwright, film) as browser,
        browser.new_context(viewport=PHONE, **more) as context,
    ):
        page = context.new_page()
        page.set_default_timeout(30_000)
        complaints: list[str] = []
        # Of certificates that it does not know the browser complains in its console.
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
        assert not complaints


@pytest.mark.long
def test_a_phone_films_the_board_over_https(playwright: Playwright, tmp_path: Path) -> None:
    https = Https(tmp_path, 0)
    with (
        table(tmp_path, https) as (shown, live, said),
        filming(playwright, tmp_path, ignore_https_errors=True) as page,
    ):
        assert https.authority.fingerprint in "".join(said)
        page.goto(shown.services.phone_access.links(shown.url)["camera"])
        page.wait_for_selector("body[data-ready=yes]")
        (cookie,) = page.context.cookies()
        assert cookie.get("secure")
        page.locator("#start").click()
        page.wait_for_selector("body[data-sight=found]", timeout=60_000)
        frame = live.frame
        assert frame is not None
        assert frame.picture.shape == (720, 1280, 3)
        expect(page.locator("#marks polygon")).to_be_visible()
        expect(page.locator("#state")).to_have_text("The board is in sight.")
        assert isinstance(live, AskingTable)
        live.ask(Spot("route", "helena--seattle"), "red", None)
        ring = page.locator("#marks .doubt")
        expect(ring).to_have_count(1)
        expect(page.locator("#doubts")).to_have_text("Not sure of 1 spot: it is marked.")
        # In the north-west of the board, which is a little turned away.
        assert 0.1 < float(ring.get_attribute("cx") or 0) < 0.45
        assert 0.05 < float(ring.get_attribute("cy") or 0) < 0.5
        page.goto(f"{shown.url}help")
        expect(page.locator(".help-steps > li")).to_have_count(6)
        page.go_back()
        page.wait_for_selector("body[data-ready=yes]")
        page.locator("#start").click()
        page.wait_for_selector("body[data-sight=found]")
        page.locator("#stop").click()
        expect(page.locator("#state")).to_have_text("The camera is off.")


@pytest.mark.long
def test_over_plain_http_a_phone_sends_photos(playwright: Playwright, tmp_path: Path) -> None:
    with table(tmp_path) as (shown, _, _), filming(playwright, tmp_path) as page:
        # A browser films on http://127.0.0.1 too, but on no other address over http.
        page.add_init_script("delete Navigator.prototype.mediaDevices")
        page.goto(shown.services.phone_access.links(shown.url)["camera"])
        page.wait_for_selector("body[data-ready=yes]")
        expect(page.locator("#filming")).to_be_hidden()
        expect(page.locator("#posting")).to_contain_text("served over https")
        photo = FilePayload(name="board.jpg", mimeType="image/jpeg", buffer=filmed()[1])
        page.locator("#photo").set_input_files(photo)
        page.wait_for_selector("body[data-sight=found]", timeout=60_000)
