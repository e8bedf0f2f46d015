"""Cameras with a web address: what they send, how they break, and that they come back."""

import base64
import hashlib
import math
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import cv2
import pytest
from camera_server import Handler, Request, serving
from railspotter.vision.sources.grabber import Grabber, GrabberState, RetryPolicy
from railspotter.vision.sources.network import (
    MOST_BYTES,
    MOST_DAMAGED,
    MOST_REDIRECTIONS,
    WebCamera,
)
from railspotter.vision.sources.source import SourceLostError, SourceUnusableError

from .stand_ins import PATIENT_S, QuickWatch, jpeg, number_in, numbered, taken

QUICK = RetryPolicy(first_s=0.01, most_s=0.05)


def numbers(handler: Handler, most: int = 1000, **options: Any) -> list[int]:
    """Return the numbers of the pictures that a camera gives until it is lost."""
    with serving(handler) as server:
        return [number_in(shot.picture) for shot in taken(WebCamera(server.url, **options), most)]


def reason(handler: Handler, most: int = 1000, timeout_s: float = PATIENT_S) -> str:
    """Return why no pictures come from a camera any more."""
    with serving(handler) as server, pytest.raises(SourceLostError) as said:
        taken(WebCamera(server.url, timeout_s=timeout_s), most)
    return str(said.value)


def test_a_picture_that_did_not_change_is_not_sent_again() -> None:
    def handler(request: Request) -> None:
        if request.headers["If-None-Match"] == '"seven"':
            request.head(304, ETag='"seven"')
        else:
            request.picture(jpeg(7), ETag='"seven"')

    with serving(handler) as server:
        shots = taken(WebCamera(server.url), 3)
        some = taken(WebCamera(server.url), watch=QuickWatch(looks=9))
    assert [number_in(shot.picture) for shot in shots] == [7, 7, 7]
    assert 0 < len(some) < 10, "it is asked for no longer than somebody watches"
    assert shots[1].picture is shots[0].picture
    assert shots[0].taken_at_s < shots[1].taken_at_s


def test_what_is_passed_over_of_moving_pictures_is_not_even_looked_at() -> None:
    """No time passes here, so that none but the first is due; the others cannot be decoded."""

    def handler(request: Request) -> None:
        request.moving()
        request.part(jpeg(len(request.server.asked)))
        for _ in range(2 * MOST_DAMAGED):
            request.part(jpeg(9)[:-400])

    assert numbers(handler, 2) == [1, 2]


def test_another_video_over_http_is_read_by_ffmpeg(tmp_path: Path) -> None:
    path = tmp_path / "video.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for number in range(8):
        writer.write(numbered(number))
    writer.release()

    def handler(request: Request) -> None:
        if request.headers["Authorization"] != "Basic " + base64.b64encode(b"me:secret").decode():
            request.head(401, WWW_Authenticate='Basic realm="camera"', Content_Length="0")
            return
        request.head(Content_Type="video/x-msvideo", Content_Length=str(path.stat().st_size))
        request.wfile.write(path.read_bytes())

    with serving(handler) as server:
        address = server.url.replace("//", "//me:secret@")
        shots = taken(WebCamera(address, per_s=math.inf), 8)
    assert [number_in(shot.picture) for shot in shots] == [*range(8)]


def test_a_live_film_over_http_is_read_by_ffmpeg(tmp_path: Path) -> None:
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        pytest.skip("there is no ffmpeg program here: apt-get install ffmpeg")
    cv2.imwrite(str(tmp_path / "5.png"), numbered(5))
    film = tmp_path / "film.ts"
    shown = ["-loop", "1", "-i", str(tmp_path / "5.png"), "-pix_fmt", "yuv420p", "-t", "4"]
    subprocess.run([ffmpeg, "-v", "quiet", *shown, "-f", "mpegts", str(film)], check=True)

    def handler(request: Request) -> None:
        request.head(Content_Type="video/mp2t")
        request.wfile.write(film.read_bytes())
        request.hang()

    with serving(handler) as server:
        shots = taken(WebCamera(server.url, per_s=math.inf), 3)
        server.done.set()
    assert [number_in(shot.picture) for shot in shots] == [5, 5, 5]


@pytest.mark.parametrize(
    ("handler", "words"),
    [
        pytest.param(lambda request: request.head(404), "404", id="not found"),
        pytest.param(lambda request: request.head(304), "nothing changed", id="never sent any"),
        pytest.param(lambda request: request.head(500), "500", id="broken"),
        pytest.param(lambda request: request.picture(b"<html>"), "not a picture", id="a page"),
        pytest.param(lambda request: request.picture(jpeg(1)[:900]), "cut short", id="half"),
        pytest.param(lambda request: request.picture(b""), "not a picture", id="nothing"),
        pytest.param(lambda request: None, "breaks off", id="hangs up"),
        pytest.param(lambda request: request.wfile.write(b"\0\1\2"), "breaks off", id="no http"),
        pytest.param(
            lambda request: request.head(302, Location="/camera"), "302", id="goes in circles"
        ),
        pytest.param(
            lambda request: request.head(302, Location="file:///etc/hostname"),
            "302",
            id="leads to a file",
        ),
        pytest.param(
            lambda request: request.head(302, Location="ftp://127.0.0.1/x.jpg"),
            "neither http nor https",
            id="leads to ftp",
        ),
    ],
)
def test_what_is_no_use_is_said(handler: Handler, words: str) -> None:
    assert words in reason(handler)


@pytest.mark.parametrize("moves", [False, True])
def test_a_picture_without_end_is_not_read_to_its_end(moves: bool) -> None:
    most = 0  # bytes that one connection took; the source may begin another one meanwhile

    def handler(request: Request) -> None:
        nonlocal most
        sent = 0
        if moves:
            request.moving()
            request.part(jpeg(1))
            request.part(jpeg(2)[:-2], says_length=False)
        else:
            request.head(Content_Type="image/jpeg")
        while True:
            sent += request.wfile.write(b"x" * 2**16)
            most = max(most, sent)

    assert "larger than a picture" in reason(handler)
    assert most < 2 * MOST_BYTES


def test_a_camera_that_sends_damaged_pictures_only_is_lost() -> None:
    def handler(request: Request) -> None:
        request.moving()
        request.part(jpeg(1))
        for _ in range(MOST_DAMAGED + 1):  # what is cut short is told by what follows
            request.part(jpeg(2)[:-400])
        request.hang()

    with serving(handler) as server:
        shots = WebCamera(server.url, per_s=math.inf).shots(QuickWatch())
        assert number_in(next(shots).picture) == 1
        with pytest.raises(SourceLostError, match="cut short"):
            next(shots)
        server.done.set()


@pytest.mark.parametrize("after", ["nothing", "half a head", "half a picture", "half a part"])
def test_a_camera_that_stalls_is_given_up(after: str) -> None:
    def handler(request: Request) -> None:
        if after == "half a head":
            request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-")
        elif after == "half a picture":
            request.head(Content_Type="image/jpeg", Content_Length="5000")
            request.wfile.write(jpeg(1)[:700])
        elif after == "half a part":
            request.moving()
            request.part(jpeg(1))
            request.part(jpeg(2)[:700], claims=5000)
        request.hang()

    assert reason(handler, timeout_s=0.2) == "it does not answer in time"


@pytest.mark.parametrize("moves", [False, True])
def test_a_camera_that_trickles_is_given_up(moves: bool) -> None:
    """Every bit comes in time, the picture never does."""
    watch = QuickWatch()

    def handler(request: Request) -> None:
        if moves:
            request.moving()
            request.part(b"", claims=100_000)
        else:
            request.head(Content_Type="image/jpeg", Content_Length="100000")
        while not request.server.done.wait(0.01):
            request.wfile.write(b"x")
            watch.clock.pass_by(1.0)

    with serving(handler) as server, pytest.raises(SourceLostError, match="in time"):
        taken(WebCamera(server.url, timeout_s=5.0), watch=watch)


def test_redirections_are_followed_but_not_for_ever() -> None:
    steps = 0

    def handler(request: Request) -> None:
        nonlocal steps
        steps += 1
        if steps <= MOST_REDIRECTIONS:
            request.head(302, Location=f"/step-{steps}")
        else:
            request.picture(jpeg(9))

    assert numbers(handler, 1) == [9]


def asks_for_a_password(request: Request) -> None:
    if request.headers["Authorization"] == "Basic " + base64.b64encode(b"me:se:cret").decode():
        request.picture(jpeg(5))
    else:
        request.head(401, WWW_Authenticate='Basic realm="camera"', Content_Length="0")


def md5(*words: str) -> str:
    return hashlib.md5(":".join(words).encode()).hexdigest()


def asks_for_a_digest(request: Request) -> None:
    """RFC 2617, 3.2.2; each answer has a nonce of its own."""
    said = dict(re.findall(r'(\w+)="?([^",]+)', request.headers["Authorization"] or ""))
    if said:
        nonce = (said[name] for name in ("nonce", "nc", "cnonce", "qop"))
        secret, asked = md5("me", "camera", "se:cret"), md5("GET", said["uri"])
        if said["response"] == md5(secret, *nonce, asked):
            return request.picture(jpeg(5))
    challenge = f'Digest realm="camera", nonce="{len(request.server.asked)}", qop="auth"'
    return request.head(401, WWW_Authenticate=challenge, Content_Length="0")


@pytest.mark.parametrize("asks", [asks_for_a_password, asks_for_a_digest])
def test_a_password_is_sent_where_it_is_asked_for(asks: Handler) -> None:
    with serving(asks) as server:
        address = server.url.replace("//", "//me:se%3Acret@")
        camera = WebCamera(address)
        assert [number_in(shot.picture) for shot in taken(camera, 1)] == [5]
    assert "cret" not in camera.name
    assert camera.name == server.url


@pytest.mark.parametrize("asks", [asks_for_a_password, asks_for_a_digest])
def test_a_wrong_password_is_sent_once(asks: Handler) -> None:
    with serving(asks) as server, pytest.raises(SourceUnusableError, match="password"):
        taken(WebCamera(server.url.replace("//", "//me:wrong@")), 1)
    assert len(server.asked) == 2


def test_a_password_is_not_sent_to_where_a_camera_redirects() -> None:
    heard: list[str | None] = []

    def other(request: Request) -> None:
        heard.append(request.headers["Authorization"])
        request.head(401, WWW_Authenticate='Basic realm="camera"')

    with serving(other) as elsewhere:

        def handler(request: Request) -> None:
            request.head(302, Location=elsewhere.url)

        with serving(handler) as server, pytest.raises(SourceUnusableError):
            taken(WebCamera(server.url.replace("//", "//me:secret@")), 1)
    assert heard == [None]


@pytest.mark.parametrize("status", [401, 403])
def test_asking_again_is_no_use_without_the_password(status: int) -> None:
    """Some cameras lock out whoever asks too often."""
    with (
        serving(lambda request: request.head(status)) as server,
        Grabber(WebCamera(server.url), patience=QUICK) as grabber,
    ):
        grabber.latest(timeout_s=PATIENT_S)
        assert grabber.status.doing is GrabberState.FAILED
        assert "http://user:password@address" in grabber.status.said
        assert len(server.asked) == 1


NOBODY_THERE = "nothing answers there: is it on, and is that its address?"


def test_a_camera_that_was_away_comes_back() -> None:
    with serving(lambda request: request.picture(jpeg(1))) as server:
        port, camera = server.server_port, WebCamera(server.url, every_s=0.01)
        grabber = Grabber(camera, patience=QUICK)
        grabber.start()
        assert grabber.latest(timeout_s=PATIENT_S)
    try:
        while grabber.status.said != f"waiting for {camera.name}: {NOBODY_THERE}":
            grabber.latest(10**9, 0.02)
        with serving(lambda request: request.picture(jpeg(2)), port):
            newest = grabber.latest(timeout_s=PATIENT_S)
            while newest is None or number_in(newest.picture) != 2:
                newest = grabber.latest(newest.number if newest else 0, PATIENT_S)
            assert grabber.status.openings == 2
    finally:
        grabber.stop()


def test_what_a_camera_says_commands_no_terminal() -> None:
    def handler(request: Request) -> None:
        request.wfile.write(b"HTTP/1.1 500 Gone\x1b[2J\x07wrong" + b"!" * 500 + b"\r\n\r\n")

    said = reason(handler)
    assert said.startswith("it answers 500 Gone[2Jwrong!")
    assert said.isprintable()
    assert len(said) < 150
