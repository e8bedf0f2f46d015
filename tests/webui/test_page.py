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
from msgspec.structs import replace
from no_limits import no_limits
from phones import never
from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import HomeError, PhotoError
from railspotter.table.photo_file import Files
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.access.gate import MOST_BYTES, REFUSAL_DELAY_S
from railspotter.webui.access.limits import Limits, Rate, Settings
from railspotter.webui.app import create_app
from railspotter.webui.pages import texts as words
from railspotter.webui.sessions.photo_queue import MOST_KEPT, MOST_TOGETHER, PhotoReading
from resting_pages import photo_app, photo_services
from waiting import until
from werkzeug.test import TestResponse

Score = Callable[[Files], ScoredPhoto]


def failing(error: Exception) -> Score:
    def score(photos: Files) -> ScoredPhoto:
        raise error

    return score


def send(client: FlaskClient, name: str = "board.jpg", **headers: str) -> TestResponse:
    photo = (io.BytesIO(b"the file's content"), name)
    headers = {key.replace("_", "-"): value for key, value in headers.items()}
    return client.post("/", data={"photo": photo}, headers=headers)


def text_of(response: TestResponse) -> str:
    return unescape(response.text)


def test_the_start_page_asks_for_a_photo_and_shows_no_score() -> None:
    page = photo_app(PhotoReading(never)).test_client().get("/photo")
    assert page.status_code == 200
    assert 'accept="image/*" capture="environment"' in page.text
    assert "unofficial and not affiliated with the game's publisher" in text_of(page)
    assert "Scores" not in page.text


def test_a_photo_is_handed_over_and_its_result_shown(scored: ScoredPhoto) -> None:
    given: list[tuple[bytes, str]] = []

    def score(photos: Files) -> ScoredPhoto:
        given.extend(photos)
        return scored

    client = photo_app(PhotoReading(score)).test_client()
    answer = send(client, "board.jpg")
    assert given == [(b"the file's content", "board.jpg")]
    assert answer.status_code == 303
    page = client.get(answer.location)
    assert page.status_code == 200
    assert re.findall(r'data-colour="(\w+)"', page.text) == ["blue", "red"]
    assert "Is the left lane of Portland - Seattle red, empty, or black?" in page.text
    assert "evening &lt;1&gt;.jpg" in page.text
    picture = client.get(f"{answer.location}/board.jpg")
    assert picture.mimetype == "image/jpeg"
    assert picture.data.startswith(b"\xff\xd8\xff")
    assert picture.headers["Cache-Control"] == "no-store"


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


def test_the_second_file_field_will_do(scored: ScoredPhoto) -> None:
    client = photo_app(
        PhotoReading(lambda photos: replace(scored, photo=photos[0][1]))
    ).test_client()
    both = {"photo": [(io.BytesIO(b""), ""), (io.BytesIO(b"x"), "from the gallery.jpg")]}
    assert "from the gallery.jpg" in client.post("/", data=both, follow_redirects=True).text


def test_only_the_newest_results_are_kept(scored: ScoredPhoto) -> None:
    client = photo_app(PhotoReading(lambda photos: scored), limits=no_limits()).test_client()
    places = [send(client).location for _ in range(MOST_KEPT + 1)]
    assert len(set(places)) == len(places)
    gone = client.get(places[0])
    assert gone.status_code == 404
    assert words.GONE in gone.text
    assert client.get(f"{places[0]}/board.jpg").status_code == 404
    assert [client.get(place).status_code for place in places[1:]] == [200] * MOST_KEPT


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
    assert "Read the board" in answer.text
    assert "What helps" not in answer.text


def test_a_photo_without_a_board_says_why_and_what_helps(scored: ScoredPhoto) -> None:
    lost = ScoredPhoto(
        "x", scored.board, scored.edition, reason=Sentence("no board is in the picture")
    )
    answer = send(photo_app(PhotoReading(lambda photos: lost)).test_client())
    assert answer.status_code == 422
    assert "No board is in the picture." in answer.text
    assert "All four corners of the board are in the picture." in answer.text
    assert "Scores" not in answer.text


@pytest.mark.parametrize("data", [{}, {"photo": (io.BytesIO(b""), "")}, {"photo": "text"}])
def test_a_form_without_a_file_is_refused(data: dict[str, object]) -> None:
    answer = photo_app(PhotoReading(never)).test_client().post("/", data=data)
    assert answer.status_code == 400
    assert words.NO_FILE in answer.text


def test_a_crash_shows_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    answer = send(photo_app(PhotoReading(failing(ZeroDivisionError("secret")))).test_client())
    assert answer.status_code == 500
    assert words.error(500) in text_of(answer)
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
    assert words.error(403) in text_of(answer)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost"},
        {"Sec_Fetch_Site": "same-origin", "Origin": "http://localhost"},
    ],
)
def test_the_pages_own_form_is_let_through(scored: ScoredPhoto, headers: dict[str, str]) -> None:
    client = photo_app(PhotoReading(lambda photos: scored)).test_client()
    assert send(client, **headers).status_code == 303


def test_a_wrong_method_is_refused() -> None:
    assert photo_app(PhotoReading(never)).test_client().put("/").status_code == 405


def test_one_photo_is_read_at_a_time(scored: ScoredPhoto) -> None:
    free = threading.Lock()

    def score(photos: Files) -> ScoredPhoto:
        assert free.acquire(blocking=False), "two photos are read at once"
        time.sleep(0.01)  # long enough for the others to arrive
        free.release()
        return scored

    app = photo_app(PhotoReading(score))
    with ThreadPoolExecutor(4) as phones:
        answers = list(phones.map(lambda _: send(app.test_client()).status_code, range(8)))
    assert answers == [303] * 8


def test_a_photo_that_waits_is_told_how_many_are_before_it(scored: ScoredPhoto) -> None:
    go_on, read = threading.Event(), list[str]()

    def score(photos: Files) -> ScoredPhoto:
        go_on.wait(10)
        read.append(photos[0][1])
        return scored

    app = photo_app(PhotoReading(score), limits=no_limits())
    client = app.test_client()

    def ticket(number: int) -> str:
        """As a page makes it of four random numbers, the longest."""
        return f"4294967295-4294967295-4294967295-{4294967000 + number}"

    def before(ticket: str) -> int | None:
        said: int | None = client.get(f"/photos/before/{ticket}").get_json()["before"]
        return said

    def send_as(ticket: str) -> int:
        form = {"photo": (io.BytesIO(b"a photo"), f"{ticket}.jpg"), "ticket": ticket}
        return app.test_client().post("/", data=form).status_code

    try:
        with ThreadPoolExecutor(20) as phones:
            answers = []
            for number in range(20):
                answers.append(phones.submit(send_as, ticket(number)))
                until(lambda number=number: before(ticket(number)) == number)  # type: ignore[misc]
            refused = send(client)
            assert refused.status_code == 503
            assert "20 photos are before yours: send it again in a minute." in refused.text
            assert before(ticket(20)) is None
            go_on.set()
            assert [answer.result() for answer in answers] == [303] * 20
            assert read == [f"{ticket(number)}.jpg" for number in range(20)]
    finally:
        go_on.set()
    assert before(ticket(0)) is None


def test_no_text_stands_in_a_template() -> None:
    folder = Path(photo_app(PhotoReading(never)).root_path) / "templates"
    for template in folder.glob("*.html"):
        plain = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}|<[^>]*>", " ", template.read_text("utf-8"))
        assert not re.search(r"[A-Za-z]{2,}", plain), template.name


def test_too_many_photos_in_one_form_are_refused_unread() -> None:
    client = photo_app(PhotoReading(never)).test_client()
    photos = [(io.BytesIO(b"x"), f"{number}.jpg") for number in range(MOST_TOGETHER + 1)]
    answer = client.post("/", data={"photo": photos})
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
