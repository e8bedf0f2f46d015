"""RTSP through OpenCV's FFmpeg, from a real server on this machine."""

import math
import socket
import time

import pytest
from railspotter.vision.sources.grabber import Grabber, RetryPolicy
from railspotter.vision.sources.network import VideoStream
from railspotter.vision.sources.source import SourceLostError

from .rtsp_server import Session, playing
from .stand_ins import FILMS, PATIENT_S, QuickWatch, number_in, numbered, taken


def test_a_cameras_stream_is_read() -> None:
    def play(session: Session) -> None:
        for number in range(200):
            session.send(numbered(number))
        session.server.done.wait()

    with playing(play) as server:
        shots = taken(VideoStream(server.url, per_s=math.inf), 100)
        server.done.set()
    seen = [number_in(shot.picture) for shot in shots]
    assert len(seen) == 100
    # FFmpeg looks at the first pictures to find out what they are, and may keep some.
    assert seen == [*range(seen[0], seen[0] + 100)]


@pytest.mark.parametrize(("codec", "film"), [("H264", "film.h264"), ("H265", "film.hevc")])
def test_a_stream_in_h264_or_hevc_is_read(codec: str, film: str) -> None:
    content = (FILMS / film).read_bytes()

    def play(session: Session) -> None:
        for _ in range(20):
            session.send_film(content)
        session.server.done.wait()

    with playing(play, codec=codec) as server:
        shots = taken(VideoStream(server.url, per_s=math.inf), 50)
        server.done.set()
    assert [shot.picture.shape for shot in shots] == [(48, 64, 3)] * 50


def test_a_stream_that_stalls_is_given_up() -> None:
    def play(session: Session) -> None:
        for number in range(50):
            session.send(numbered(number))
        session.server.done.wait()

    with playing(play) as server:
        with pytest.raises(SourceLostError, match="no more pictures"):
            taken(VideoStream(server.url, per_s=math.inf, timeout_s=0.5))
        server.done.set()


def test_a_stream_that_breaks_off_comes_back() -> None:
    def play(session: Session) -> None:
        for number in range(50):
            session.send(numbered(number))

    with (
        playing(play) as server,
        Grabber(
            VideoStream(server.url, per_s=math.inf), patience=RetryPolicy(first_s=0.01, most_s=0.05)
        ) as grabber,
    ):
        while grabber.status.openings < 3:
            grabber.latest(grabber.status.grabbed, PATIENT_S)
            assert not grabber.status.is_over


def test_a_camera_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        stream = VideoStream(f"rtsp://127.0.0.1:{silent.getsockname()[1]}/live", timeout_s=0.5)
        began_s = time.monotonic()
        with pytest.raises(SourceLostError, match="does not answer"):
            taken(stream)
        assert time.monotonic() - began_s < PATIENT_S


def test_where_nobody_listens() -> None:
    with playing(lambda session: None) as server:
        url = server.url
    with pytest.raises(SourceLostError, match="does not answer, or sends no video"):
        taken(VideoStream(url, timeout_s=2.0), watch=QuickWatch())
