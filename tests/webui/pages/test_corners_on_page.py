"""The page: where no board is found, a person shows where it lies, and it is read there."""

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import drawn
import pytest
from corner_rings import drag_rings
from flask import Flask
from no_limits import no_limits
from PIL import ExifTags, Image
from playwright.sync_api import Browser, expect
from railspotter.calibration.finding.finder import NOWHERE
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import Files, parse_photo, to_jpeg
from railspotter.table.photo_reader.messages import Corners
from railspotter.table.photo_reader.reader import PhotoReader
from railspotter.table.photos.score import ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.pages import texts
from railspotter.webui.serving.server import Server
from railspotter.webui.sessions.photo_queue import MOST_UNFOUND, PhotoReading
from resting_pages import photo_app
from table_pages import PHONE
from werkzeug.test import TestResponse

ON_ITS_SIDE = 6  # an EXIF orientation: to be turned clockwise to be upright


def sent_photo() -> bytes:
    """A photo of the drawn game as a phone that is held upright stores it: on its side."""
    picture = Image.open(io.BytesIO(to_jpeg(drawn.game().picture)))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = ON_ITS_SIDE
    stored = io.BytesIO()
    picture.transpose(Image.Transpose.ROTATE_90).save(stored, "JPEG", exif=exif, quality=95)
    return stored.getvalue()


def not_found(files: Files) -> ScoredPhoto:
    return drawn.scorer().unreadable(files[0][1], NOWHERE)


@pytest.fixture
def reading() -> Iterator[PhotoReading]:
    """What finds no board, and reads one where a person says that it is."""
    plan = ReadingPlan(drawn.usa(), load_edition("usa"), drawn.profile())
    with PhotoReader() as reader:
        yield PhotoReading(
            not_found,
            score_at=lambda files, corners_px, _: reader.score(plan, files, corners_px),
        )


@pytest.fixture
def app(reading: PhotoReading) -> Flask:
    return photo_app(reading, limits=no_limits())


def send(app: Flask) -> TestResponse:
    return app.test_client().post("/", data={"photo": (io.BytesIO(sent_photo()), "table.jpg")})


def place_of(answer: TestResponse) -> str:
    """Where the corners of a photo are to be said."""
    (path,) = re.findall(r'action="(/photos/[^"]+/corners)"', answer.text)
    return str(path)


def as_text(corners: Corners) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def test_a_photo_is_read_where_a_person_shows_the_board(app: Flask) -> None:
    answer = send(app)
    assert answer.status_code == 422
    assert "Or show where the board is" in answer.text
    path, client = place_of(answer), app.test_client()
    shown = parse_photo(client.get(path.replace("corners", "photo.jpg")).data, as_stored=True)
    assert shown.shape == drawn.game().picture.shape, "it is shown upright"
    corners = tuple((float(x), float(y)) for x, y in drawn.game().corners_px)
    page = client.post(path, data={"corners": as_text(corners)}, follow_redirects=True)
    assert page.status_code == 200
    assert "Scores" in page.text
    assert set(re.findall(r'data-colour="(\w+)"', page.text)) == set(drawn.CLAIMS.values())


@pytest.mark.parametrize(
    ("corners", "status"),
    [
        ("", 400),
        ("1,2 3,4 5,6", 400),
        ("1,2 3,4 5,6 nan,8", 400),
        ("1,2 3,4 5,6 7,8,9", 400),
        pytest.param("10,10 20,10 20,20 10,20", 422, marks=pytest.mark.long),
        ("10,10 900,900 900,10 10,900", 409),
    ],
)
def test_corners_that_no_board_has_are_refused_and_asked_for_again(
    app: Flask, corners: str, status: int
) -> None:
    path = place_of(send(app))
    answer = app.test_client().post(path, data={"corners": corners})
    assert answer.status_code == status
    assert (status == 400) or place_of(answer) == path


def test_where_the_page_does_not_know_the_board_it_is_asked_which_it_is(
    reading: PhotoReading,
) -> None:
    app = photo_app(replace(reading, boards=lambda: {"usa": "USA", "europe": "Europe"}))
    answer = send(app)
    assert re.findall(r'<option value="(\w+)">', answer.text) == ["usa", "europe"]
    somewhere = {"corners": "1,2 3,4 5,6 7,8", "board": "mars"}
    assert app.test_client().post(place_of(answer), data=somewhere).status_code == 400


def test_corners_are_asked_for_one_photo_and_while_it_is_kept(app: Flask) -> None:
    two = [(io.BytesIO(b"read by nobody"), name) for name in ("one.jpg", "two.jpg")]
    assert "/corners" not in app.test_client().post("/", data={"photo": two}).text
    first, *_, last = [place_of(send(app)) for _ in range(MOST_UNFOUND + 1)]
    client = app.test_client()
    assert client.get(last.replace("corners", "photo.jpg")).status_code == 200
    assert client.get(first.replace("corners", "photo.jpg")).status_code == 404
    gone = client.post(first, data={"corners": "1,2 3,4 5,6 7,8"})
    assert (gone.status_code, texts.GONE in unescape(gone.text)) == (404, True)


@pytest.fixture
def url(app: Flask) -> Iterator[str]:
    with Server(app, "127.0.0.1", 0) as server:
        yield f"{server.url}photo"


@pytest.mark.long
def test_rings_are_dragged_onto_the_corners_on_a_phone(
    browser: Browser, url: str, tmp_path: Path
) -> None:
    (tmp_path / "table.jpg").write_bytes(sent_photo())
    complaints: list[str] = []
    with browser.new_context(viewport=PHONE) as context:
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url)
        page.set_input_files("#camera", tmp_path / "table.jpg")
        page.get_by_role("button", name="Read the board").click()
        expect(page.get_by_role("heading", name="Or show where the board is")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        drag_rings(page, drawn.game().corners_px.tolist())
        page.get_by_role("button", name="Read the board there").click()
        expect(page.get_by_role("heading", name="Scores")).to_be_visible()
    assert complaints == []
