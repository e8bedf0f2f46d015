"""Where a camera's address and its answers may lead: nowhere but to the host that was named."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import cv2
import pytest
from camera_server import Request, serving
from railspotter.vision.sources import (
    AllowedHosts,
    Grabber,
    HostNotAllowedError,
    Patience,
    Source,
    SourceLostError,
    SourceUnusableError,
    VideoFile,
    VideoStream,
    WebCamera,
    camera_of_phone,
    hosts,
)
from railspotter.vision.sources.phone_named import NO_PICTURE

from .rtsp_server import Session, playing
from .stand_ins import QuickWatch, jpeg, number_in, numbered, taken

OTHER = "127.0.0.2"
NOBODY = AllowedHosts()


def picture(request: Request) -> None:
    request.picture(jpeg(5))


def test_a_redirection_to_another_host_is_not_followed() -> None:
    with serving(picture, host=OTHER) as other:

        def lead_away(request: Request) -> None:
            request.head(302, Location=other.url)

        with serving(lead_away) as server, pytest.raises(SourceLostError) as said:
            taken(WebCamera(server.url), 1)
        assert other.asked == []
    assert str(said.value).startswith(f"it redirects to http://{OTHER}:")


def test_a_redirection_of_rtsp_is_not_followed() -> None:
    def play(session: Session) -> None:
        session.server.done.wait()

    with playing(play, OTHER) as other:
        with (
            playing(play, leads_to=other.url) as server,
            pytest.raises(SourceLostError) as said,
        ):
            taken(VideoStream(server.url), 1)
        assert other.asked == []
    assert str(said.value).startswith(f"it redirects to rtsp://{OTHER}:")


PLAYLIST = "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n{}\n#EXT-X-ENDLIST\n"


@pytest.mark.parametrize("kind", ["application/vnd.apple.mpegurl", "video/mp4"])
def test_a_playlist_names_no_other_host(kind: str) -> None:
    """Also one that is said to be a film."""
    with serving(picture, host=OTHER) as other:

        def handler(request: Request) -> None:
            content = PLAYLIST.format(other.url).encode()
            request.picture(content, Content_Type=kind)

        with serving(handler) as server:
            camera = WebCamera(server.url.replace("/camera", "/camera.m3u8"), timeout_s=1.0)
            with pytest.raises((SourceLostError, SourceUnusableError)):
                taken(camera, 1)
        assert other.asked == []


def test_a_film_that_is_a_playlist_opens_no_other_file(tmp_path: Path) -> None:
    film = tmp_path / "secret.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    writer.write(numbered(7))
    writer.release()
    listed = tmp_path / "game.mp4"
    listed.write_text(f"ffconcat version 1.0\nfile {film.name}\n")
    assert [number_in(shot.picture) for shot in taken(VideoFile(film))] == [7]
    with pytest.raises(SourceUnusableError):
        taken(VideoFile(listed))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:631/",
        "http://localhost:631/",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://0.0.0.0/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest",
        "https://10.0.0.1/",
        "rtsp://[fe80::1]/live",
        "rtsp://172.16.0.1:22/live",
    ],
)
def test_a_phone_names_no_host_at_home(url: str) -> None:
    camera = VideoStream(url) if url.startswith("rtsp") else WebCamera(url)
    with pytest.raises(HostNotAllowedError, match="'--allow-camera"):
        taken(camera_of_phone(camera, NOBODY), 1)


@pytest.mark.parametrize("allowed", ["127.0.0.1", "127.0.0.0/8"])
def test_what_the_terminal_allows_is_watched(allowed: str) -> None:
    with serving(picture) as server:
        camera = camera_of_phone(WebCamera(server.url), AllowedHosts.parse([allowed]))
        assert [number_in(shot.picture) for shot in taken(camera, 1)] == [5]


def test_a_name_is_allowed_by_its_name_or_by_where_it_leads() -> None:
    with serving(picture) as server:
        camera = WebCamera(server.url.replace("127.0.0.1", "localhost"))
        for allowed in ("LOCALHOST", "127.0.0.0/8"):
            watched = camera_of_phone(camera, AllowedHosts.parse([allowed]))
            assert [number_in(shot.picture) for shot in taken(watched, 1)] == [5]


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.2 is taken for an address of the internet."""

    def is_at_home(address: hosts.Address) -> bool:
        return address != ip_address(OTHER)

    monkeypatch.setattr(hosts, "_is_at_home", is_at_home)


@pytest.mark.usefixtures("public")
def test_a_name_is_resolved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked again, its server says another address, at which nothing may be opened."""
    asked: list[str] = []
    resolve = socket.getaddrinfo

    def resolved(host: str, *rest: Any, **options: Any) -> Any:
        if host != "rebinds.example" or options.get("flags"):
            return resolve(host, *rest, **options)
        asked.append(host)
        return resolve(OTHER if len(asked) == 1 else "127.0.0.1", *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    with serving(picture, host=OTHER) as server, serving(picture, server.server_port) as inside:
        named = WebCamera(server.url.replace(OTHER, "rebinds.example"))
        shots = camera_of_phone(named, NOBODY).shots(QuickWatch())
        assert number_in(next(shots).picture) == 5
        assert len(asked) == 1
        with pytest.raises(HostNotAllowedError):
            next(shots)
        assert (len(server.asked), inside.asked) == (1, [])


def refused(url: str) -> str:
    with socket.create_server((OTHER, 0)) as probe:
        port = probe.getsockname()[1]
    return f"{url.partition('://')[0]}://{OTHER}:{port}/x"


@contextmanager
def greeted() -> Iterator[str]:
    """A port that is open and speaks neither http nor rtsp."""

    def handler(request: Request) -> None:
        request.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")

    with serving(handler, host=OTHER) as server:
        yield server.url


@pytest.mark.usefixtures("public")
@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_a_phone_does_not_learn_which_ports_are_open(
    scheme: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Refused, silent, no camera, a password asked for: one sentence, after one time."""

    def password(request: Request) -> None:
        request.head(401)

    def silent(request: Request) -> None:
        request.hang()

    def asked(url: str) -> tuple[str, float]:
        watched: Source = WebCamera(url, timeout_s=0.4)
        if scheme == "rtsp":
            watched = VideoStream(url.replace("http", "rtsp"), timeout_s=0.4)
        grabber = Grabber(camera_of_phone(watched, NOBODY), patience=Patience(first_s=60.0))
        began_s = time.monotonic()
        with grabber:
            while not grabber.status.said.startswith("waiting"):
                grabber.latest(timeout_s=0.05)
            return str(grabber.status.said), time.monotonic() - began_s

    with (
        caplog.at_level(logging.WARNING),
        serving(password, host=OTHER) as one,
        serving(silent, host=OTHER) as two,
        greeted() as three,
    ):
        urls = (refused("http://"), one.url, two.url, three)
        told = [asked(url) for url in urls]
        for server in (one, two):
            server.done.set()
    for url, (said, seconds) in zip(urls, told, strict=True):
        address = url.replace("http", scheme)
        assert said == f"waiting for {address}: {NO_PICTURE}"
        assert seconds > 0.75, "the quickest takes as long as the slowest"
    assert "Connection refused" in caplog.text


@pytest.mark.usefixtures("public")
def test_a_camera_of_the_internet_is_watched_and_what_ends_it_is_said() -> None:
    def handler(request: Request) -> None:
        if len(request.server.asked) == 1:
            request.picture(jpeg(3))
        else:
            request.head(404)

    with serving(handler, host=OTHER) as server:
        shots = camera_of_phone(WebCamera(server.url), NOBODY).shots(QuickWatch())
        assert number_in(next(shots).picture) == 3
        with pytest.raises(SourceLostError, match="404"):
            next(shots)


def test_an_allowed_camera_says_what_is_wrong() -> None:
    def handler(request: Request) -> None:
        request.head(404)

    with serving(handler) as server:
        camera = camera_of_phone(WebCamera(server.url), AllowedHosts.parse(["127.0.0.1"]))
        with pytest.raises(SourceLostError, match="404"):
            taken(camera, 1)


def test_this_computers_own_address_is_at_home() -> None:
    own = hosts._own_address_towards(ip_address("192.0.2.1"))
    assert own is None or hosts._is_at_home(own)
