"""Where a camera's answers and a film's content may lead."""

from pathlib import Path

import cv2
import pytest
from camera_server import Request, serving
from railspotter.vision.sources.network import VideoStream, WebCamera
from railspotter.vision.sources.source import SourceLostError, SourceUnusableError
from railspotter.vision.sources.video import VideoFile

from .rtsp_server import Session, playing
from .stand_ins import jpeg, number_in, numbered, taken

OTHER = "127.0.0.2"


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


def test_a_redirection_of_rtsp_is_followed() -> None:
    """FFmpeg does that, so a camera is opened only if the terminal vouches for it."""

    def play(session: Session) -> None:
        for number in range(50):
            session.send(numbered(number))
        session.server.done.wait()

    with playing(play, OTHER) as other, playing(play, leads_to=other.url) as server:
        assert taken(VideoStream(server.url), 1)
        assert "PLAY" in other.asked


@pytest.mark.parametrize("leads_to", ["file:///etc/hostname", "udp://127.0.0.1:9", "/etc/hostname"])
def test_a_redirection_of_rtsp_leads_to_nothing_but_rtsp(leads_to: str) -> None:
    with (
        playing(lambda session: None, leads_to=leads_to) as server,
        pytest.raises(SourceLostError, match="does not answer, or sends no video"),
    ):
        taken(VideoStream(server.url, timeout_s=1.0), 1)


@pytest.mark.parametrize("leads_to", ["file://{}", "{}", "udp://127.0.0.1:9"])
def test_a_film_over_http_leads_to_no_file(leads_to: str, tmp_path: Path) -> None:
    """FFmpeg asks anew, and is told otherwise than the program was."""
    film = _film(tmp_path / "secret.avi")

    def handler(request: Request) -> None:
        if len(request.server.asked) == 1:
            request.head(Content_Type="video/mp4", Content_Length="0")
        else:
            request.head(302, Location=leads_to.format(film))

    with serving(handler) as server:
        with pytest.raises(SourceLostError, match="does not answer, or sends no video"):
            taken(WebCamera(server.url, timeout_s=1.0), 1)
        assert len(server.asked) > 1


def _film(path: Path) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    writer.write(numbered(7))
    writer.release()
    return path


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
    film = _film(tmp_path / "secret.avi")
    listed = tmp_path / "game.mp4"
    listed.write_text(f"ffconcat version 1.0\nfile {film.name}\n")
    assert [number_in(shot.picture) for shot in taken(VideoFile(film))] == [7]
    with pytest.raises(SourceUnusableError):
        taken(VideoFile(listed))
