"""The page: a photo that shows a part of the board is completed by one of the rest."""

import io
import re
from collections.abc import Iterator
from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from flask.testing import FlaskClient
from railspotter.table.photo_file import Files, parse_photo
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.app import create_app
from railspotter.webui.sessions.photo_queue import MOST_UNFINISHED, PhotoReading, PhotoResult
from railspotter.webui.sessions.services import Services
from resting_pages import photo_services


@cache
def scored(*files: tuple[bytes, str]) -> ScoredPhoto:
    return drawn.scorer().score([(name, parse_photo(content)) for content, name in files])


def score(files: Files) -> ScoredPhoto:
    return scored(*files)


def part(side: str) -> bytes:
    """Two thirds of the drawn game, the content of a PNG."""
    picture = drawn.game().picture
    cut = picture.shape[1] * 36 // 100
    shown = picture[:, cut:] if side == "left" else picture[:, :-cut]
    return cv2.imencode(".png", np.ascontiguousarray(shown))[1].tobytes()


@pytest.fixture
def services() -> Services:
    return photo_services(PhotoReading(score))


@pytest.fixture
def client(services: Services) -> Iterator[FlaskClient]:
    with create_app(services).test_client() as client:
        yield client


def send(client: FlaskClient, side: str, **fields: str) -> str:
    """Send a photo; return the page that shows what came of it."""
    file = io.BytesIO(part(side)), f"{side}.png"
    answer = client.post("/", data={"photo": file, **fields}, follow_redirects=True)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_a_photo_of_the_rest_makes_the_board_whole(client: FlaskClient) -> None:
    page = send(client, "left")
    (name,) = re.findall(r'name="rest_of" value="([^"]+)"', page)
    assert "Photograph the rest" in page
    assert "routes are out of the picture, covered, in glare or too small in it" in page
    assert '<td class="points">≥' in page
    whole = send(client, "right", rest_of=name)
    assert "rest_of" not in whole
    assert "out of the picture" not in whole
    assert "≥" not in whole


def test_the_first_photo_is_of_no_rest(client: FlaskClient) -> None:
    page = client.get("/photo").get_data(as_text=True)
    assert "Photograph the board" in page
    assert "rest_of" not in page


def test_photos_are_kept_for_the_rest_of_the_newest_few_only(services: Services) -> None:
    queue = services.photos
    photo = score([(part("left"), "left.png")])

    files = [(b"a", "a.png")]
    kept = [PhotoResult(str(n), photo, None, None, files=files) for n in range(4)]
    for result in kept:
        queue.keep(result)
    left = [one for one in map(queue.result, "0123") if one is not None and one.files]
    assert [one.id for one in left] == ["1", "2", "3"][-MOST_UNFINISHED:]
