"""The page over HTTP, with a reader that says what the test wants."""

import io
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from phones import never
from railspotter.table.errors import HomeError, PhotoError
from railspotter.table.photo_file import Files
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.access.gate import MOST_BYTES, REFUSAL_DELAY_S
from railspotter.webui.access.limits import Limits, Rate, Settings
from railspotter.webui.app import create_app
from railspotter.webui.pages import texts as words
from railspotter.webui.sessions.photo_queue import MOST_TOGETHER, NO_FILE, PhotoReading
from resting_pages import photo_app, photo_services
from werkzeug.test import TestResponse

Score = Callable[[Files], ScoredPhoto]


def failing(error: Exception) -> Score:
    def score(photos: Files) -> ScoredPhoto:
        raise error

    return score


def send(client: FlaskClient, name: str = "board.jpg", **headers: str) -> TestResponse:
    photo = (io.BytesIO(b"the file's content"), name)
    headers = {key.replace("_", "-"): value for key, value in headers.items()}
    return client.post("/api/v1/photos", data={"photo": photo}, headers=headers)


def text_of(response: TestResponse) -> str:
    return unescape(response.text)


def test_who_asks_for_pages_too_often_waits_and_is_told_in_a_line() -> None:
    limits = Limits(Settings({"page": Rate(0.001, 2), "file": Rate(0.001, 3)}))
    client = photo_app(PhotoReading(never), limits=limits).test_client()
    assert [client.get("/photo").status_code for _ in range(3)] == [200, 200, 429]
    began_s = time.monotonic()
    assert client.get("/nowhere").status_code == 429
    assert time.monotonic() - began_s >= REFUSAL_DELAY_S, "who asks without pause is held up"
    files = [client.get("/static/nowhere.js").status_code for _ in range(4)]
    assert files == [404, 404, 404, 429], "files are counted apart"
    answer = client.get("/photo", headers={"Accept-Language": "de"})
    assert int(answer.headers["Retry-After"]) > 100
    assert answer.mimetype == "text/plain"
    assert len(answer.data) < 100


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (PhotoError("the picture is damaged"), 400, "The picture is damaged."),
        (HomeError("no profile yet, make one"), 409, "No profile yet, make one."),
    ],
)
def test_a_refusal_is_said_in_one_sentence(error: Exception, status: int, said: str) -> None:
    answer = send(photo_app(PhotoReading(failing(error))).test_client())
    assert answer.status_code == status
    assert said in answer.text


@pytest.mark.parametrize(
    ("data", "status", "said"),
    [
        ({}, 415, "Send the photo as multipart/form-data."),
        ({"photo": "text"}, 415, "Send the photo as multipart/form-data."),
        ({"photo": (io.BytesIO(b""), "")}, 400, NO_FILE),
    ],
)
def test_a_form_without_a_file_is_refused(data: dict[str, object], status: int, said: str) -> None:
    answer = photo_app(PhotoReading(never)).test_client().post("/api/v1/photos", data=data)
    assert answer.status_code == status
    assert said in answer.text


def test_a_crash_shows_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    answer = send(photo_app(PhotoReading(failing(ZeroDivisionError("secret")))).test_client())
    assert answer.status_code == 500
    assert "Something went wrong here." in text_of(answer)
    assert "secret" not in answer.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("path", ["/photo", "/nowhere", "/static/photo/photo.css"])
def test_too_large_an_upload_is_refused_wherever_it_goes(path: str) -> None:
    body = io.BytesIO(bytes(MOST_BYTES + 1))
    answer = (
        photo_app(PhotoReading(never))
        .test_client()
        .post(path, input_stream=body, content_length=2**40)
    )
    assert answer.status_code == 413
    assert words.error(413) in answer.text
    assert body.tell() == MOST_BYTES + 1, "a browser still sending would not see the answer"


def test_another_sites_form_is_refused() -> None:
    answer = send(photo_app(PhotoReading(never)).test_client(), Origin="http://evil.example")
    assert answer.status_code == 403
    assert "This came from another site's page, so it was refused." in text_of(answer)


def test_a_wrong_method_is_refused() -> None:
    assert photo_app(PhotoReading(never)).test_client().put("/").status_code == 405


def test_no_text_stands_in_a_template() -> None:
    folder = Path(photo_app(PhotoReading(never)).root_path) / "templates"
    for template in folder.glob("*.html"):
        plain = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}|<[^>]*>", " ", template.read_text("utf-8"))
        assert not re.search(r"[A-Za-z]{2,}", plain), template.name


def test_too_many_photos_in_one_form_are_refused_unread() -> None:
    client = photo_app(PhotoReading(never)).test_client()
    photos = [(io.BytesIO(b"x"), f"{number}.jpg") for number in range(MOST_TOGETHER + 1)]
    answer = client.post("/api/v1/photos", data={"photo": photos})
    assert answer.status_code == 400
    assert "7 photos are too many at once: send at most 6 of one board." in answer.text


def test_a_slow_photo_does_not_hold_up_the_end(scored: ScoredPhoto) -> None:
    """Neither who sent it nor who waits behind it waits on; both are told."""
    begun, go_on = threading.Event(), threading.Event()

    def score(photos: Files) -> ScoredPhoto:
        begun.set()
        go_on.wait(60)
        return scored

    services = photo_services(PhotoReading(score))
    app = create_app(services)
    try:
        with ThreadPoolExecutor(2) as phones:
            answers = [phones.submit(send, app.test_client()) for _ in range(2)]
            assert begun.wait(30)
            services.photos.close()
            for answer in answers:
                assert answer.result(timeout=30).status_code == 503
                assert "The program ends" in answer.result().text
    finally:
        go_on.set()
