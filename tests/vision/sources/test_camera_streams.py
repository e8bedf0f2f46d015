"""Moving pictures as cameras send them, in order or not: every one of these is watched.

Each was reported of some camera or program, which is named where one is known for it. All of them
are sent by a real server that then waits, so that no picture comes out only because the stream
ended, and once more with damaged pictures between: none of those is ever shown.
"""

import gzip
import math
import random
import re
import shutil
import socket
import struct
import subprocess
from collections.abc import Callable, Iterable
from itertools import repeat
from pathlib import Path

import cv2
import pytest
from camera_server import Handler, Request, serving
from railspotter.vision.sources.grabber import Grabber, RetryPolicy
from railspotter.vision.sources.network import WebCamera
from railspotter.vision.sources.source import SourceLostError

from .stand_ins import PATIENT_S, jpeg, number_in, numbered, taken

Parts = Callable[[bytes], bytes]  # what is sent of one picture
OK = b"HTTP/1.1 200 OK\r\n"
MIXED = OK + b"Content-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"
BARE = OK + b"\r\n"


def typed(content_type: bytes) -> bytes:
    return OK + b"Content-Type: " + content_type + b"\r\n\r\n"


def part(picture: bytes, *, line: bytes = b"--frame\r\n", says: bytes | None = None) -> bytes:
    says = b"Content-Length: %d\r\n" % len(picture) if says is None else says
    return line + b"Content-Type: image/jpeg\r\n" + says + b"\r\n" + picture + b"\r\n"


def without_lengths(picture: bytes) -> bytes:
    return part(picture, says=b"")


def after(picture: bytes) -> bytes:
    return part(picture, line=b"") + b"--frame\r\n"


def lined(line: bytes, **options: bytes) -> Parts:
    return lambda picture: part(picture, line=line, **options)


def told(length: bytes) -> Parts:
    return lambda picture: part(picture, says=b"Content-Length: " + length + b"\r\n")


def of_other_length(by: int) -> Parts:
    return lambda picture: told(b"%d" % (len(picture) + by))(picture)


def chunked(picture: bytes) -> bytes:
    sent = part(picture)
    middle = len(sent) // 2
    return b"".join(b"%x\r\n%s\r\n" % (len(s), s) for s in (sent[:middle], sent[middle:]))


def with_sound(picture: bytes) -> bytes:
    """Quiet samples are full of what starts a JPEG: FF D8 FF, and then a long segment."""
    chance = random.Random(1)
    sound = struct.pack("<4000h", *(round(chance.gauss(0, 40)) for _ in range(4000)))
    head = b"--frame\r\nContent-Type: audio/x-wav\r\nContent-Length: %d\r\n\r\n" % len(sound)
    return head + sound + b"\r\n" + part(picture + bytes(2**16))


def with_text(picture: bytes) -> bytes:
    return b"--frame\r\nContent-Type: text/xml\r\n\r\n<motion/>\r\n" + part(picture)


def with_segment(kind: int, content: bytes) -> Parts:
    segment = b"\xff" + bytes((kind,)) + (len(content) + 2).to_bytes(2, "big") + content
    return lambda picture: without_lengths(picture[:2] + segment + picture[2:])


def without_tables(picture: bytes) -> bytes:
    """As webcams give it, which AVI files have the tables for."""
    return without_lengths(re.sub(rb"(?s)(\xff\xc4..(?:(?!\xff).)*)+", b"", picture, count=1))


STREAMS: dict[str, tuple[bytes, Parts]] = {
    "in order": (MIXED, part),
    "no lengths (go2rtc)": (MIXED, without_lengths),
    "no boundary before the first (Tasmota)": (MIXED, after),
    "no type (MissionPlanner)": (BARE, without_lengths),
    "no type, no boundary before the first": (BARE, after),
    "no type, a line's end first": (BARE + b"\r\n", without_lengths),
    "quotes (node-mjpeg-proxy)": (typed(b'multipart/x-mixed-replace; boundary="frame"'), part),
    "hyphens said (py-mjpeg)": (typed(b"multipart/x-mixed-replace; boundary=--frame"), part),
    "another boundary (motionEye)": (MIXED, lined(b"--BoundaryString\r\n", says=b"")),
    "no boundary said": (typed(b"multipart/x-mixed-replace"), without_lengths),
    "no boundaries sent": (MIXED, lined(b"", says=b"")),
    "boundaries without hyphens": (MIXED, lined(b"frame\r\n", says=b"")),
    "hyphens behind (go2rtc)": (MIXED, lined(b"--frame--\r\n")),
    "no line's end behind it (viseron)": (MIXED, lined(b"--frame")),
    "lines end in LF": (
        MIXED.replace(b"\r", b""),
        lambda picture: b"--frame\nContent-Type: image/jpeg\n\n" + picture + b"\n",
    ),
    "small letters, image/jpg": (
        OK + b"content-type:multipart/x-mixed-replace;boundary=frame\r\n\r\n",
        lambda p: b"--frame\r\ncontent-type:image/jpg\r\ncontent-length:%d\r\n\r\n" % len(p) + p,
    ),
    "no header": (MIXED, lambda picture: b"--frame\r\n\r\n" + picture + b"\r\n"),
    "no header, no empty line": (MIXED, lambda picture: b"--frame\r\n" + picture + b"\r\n"),
    "too small a length": (MIXED, of_other_length(-500)),
    "too large a length": (MIXED, of_other_length(500)),
    "a length of 0": (MIXED, told(b"0")),
    "a length of -1 (Motion)": (MIXED, told(b"-1")),
    "a length beyond all limits": (MIXED, told(b"99999999999")),
    "the answer's own length": (
        MIXED.replace(b"\r\n\r\n", b"\r\nContent-Length: 999999999\r\n\r\n"),
        part,
    ),
    "words before": (MIXED + b"this is a stream\r\n", without_lengths),
    "a second head (sim-use)": (MIXED + MIXED, part),
    "multipart/mixed": (typed(b"multipart/mixed; boundary=frame"), part),
    "a misspelled type": (typed(b"multipart-x-mixed_replace"), part),
    "said to be text": (typed(b"text/plain"), part),
    "said to be one picture": (typed(b"image/jpeg"), part),
    "said to be any video": (typed(b"video/x-mjpeg"), part),
    "picture on picture (mjpeg-readable-stream)": (
        typed(b"application/octet-stream"),
        bytes,
    ),
    "picture on picture, as a video": (typed(b"video/x-motion-jpeg"), bytes),
    "picture on picture, as a picture": (typed(b"image/jpeg;size="), bytes),
    "HTTP/1.0 and nothing more": (b"HTTP/1.0 200 OK\r\n\r\n", without_lengths),
    "no words in the status": (MIXED.replace(b" OK", b""), part),
    "half a header (Home Assistant)": (
        OK + b"Tue, 12 Jun 2012 01:56:34 GMT\r\n" + MIXED[len(OK) :],
        part,
    ),
    "chunked (motionEye)": (
        MIXED.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n"),
        chunked,
    ),
    "sound between": (MIXED, with_sound),
    "words between": (MIXED, with_text),
    "a thumbnail": (MIXED, with_segment(0xE1, b"Exif\0\0" + jpeg(77, (160, 120)))),
    "fill bytes": (MIXED, lambda p: without_lengths(p[:2] + b"\xff\xff" + p[2:])),
    "no code tables (ofxIpVideoGrabber)": (MIXED, without_tables),
    "bytes behind each": (MIXED, lambda picture: part(picture + bytes(3000))),
    "the first begins in its middle": (MIXED + jpeg(9)[700:], part),
    "the first is cut short": (MIXED + jpeg(9)[:700], part),
}


def cut_short(picture: bytes) -> bytes:
    return picture[:-400]


def with_zeros(picture: bytes) -> bytes:
    middle = len(picture) // 2
    return picture[:middle] + bytes(len(picture) // 4) + picture[middle:]


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("damage", [None, cut_short, with_zeros])
def test_every_stream_is_watched(stream: str, damage: Parts | None) -> None:
    head, sent = STREAMS[stream]
    pictures = [jpeg(1), jpeg(2), jpeg(3)]
    if damage:
        pictures[1:2] = [damage(jpeg(9)), jpeg(2), damage(jpeg(9))]

    def handler(request: Request) -> None:
        request.wfile.write(head + b"".join(map(sent, pictures)))
        request.hang()

    with serving(handler) as server:
        shots = taken(WebCamera(server.url, per_s=math.inf, timeout_s=PATIENT_S), 3)
        server.done.set()
    assert [number_in(shot.picture) for shot in shots] == [1, 2, 3]


def test_pictures_without_their_end_are_watched_when_the_next_begins() -> None:
    def handler(request: Request) -> None:
        request.wfile.write(MIXED + b"".join(without_lengths(jpeg(n)[:-2]) for n in (1, 2, 3)))
        request.hang()

    with serving(handler) as server:
        shots = taken(WebCamera(server.url, per_s=math.inf, timeout_s=PATIENT_S), 2)
        server.done.set()
    assert [number_in(shot.picture) for shot in shots] == [1, 2]


def answering(answers: Iterable[bytes]) -> Handler:
    """Answer one request after the other, and close."""
    to_come = iter(answers)

    def handler(request: Request) -> None:
        request.wfile.write(next(to_come))

    return handler


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda p: MIXED + part(p) + b"--frame--\r\n", id="a part and the end"),
        pytest.param(
            lambda p: typed(b"image/jpeg\r\nContent-Length: %d" % len(p)) + p, id="a picture"
        ),
        pytest.param(lambda p: typed(b"image/jpeg") + p, id="a picture without its length"),
        pytest.param(lambda p: BARE + p, id="a picture without anything (OctoPrint)"),
        pytest.param(lambda p: b"HTTP/1.0 200 OK\r\n\r\n" + p, id="the same by HTTP/1.0"),
        pytest.param(
            lambda p: OK + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(p), p),
            id="a picture in chunks",
        ),
    ],
)
def test_what_ends_after_each_picture_is_asked_for_again(answer: Parts) -> None:
    with serving(answering(answer(jpeg(number)) for number in range(1, 100))) as server:
        shots = taken(WebCamera(server.url, every_s=0.5), 4)
        assert len(server.asked) == 4
    assert [number_in(shot.picture) for shot in shots] == [1, 2, 3, 4]
    assert [shot.taken_at_s for shot in shots] == [1000.0, 1000.5, 1001.0, 1001.5]


def png(number: int) -> bytes:
    return cv2.imencode(".png", numbered(number))[1].tobytes()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        pytest.param(jpeg(1), "does not speak http", id="HTTP/0.9"),
        pytest.param(b"ICY 200 OK\r\n\r\n" + jpeg(1), "does not speak http", id="as radios"),
        pytest.param(MIXED, "no JPEG picture", id="nothing"),
        pytest.param(MIXED + 9 * part(png(1)), "no JPEG picture", id="moving PNG"),
        pytest.param(MIXED + 9 * part(b"\0\0\0\1g" * 9999), "no JPEG picture", id="H.264 in parts"),
        pytest.param(MIXED + gzip.compress(part(jpeg(1))), "no JPEG picture", id="packed"),
        pytest.param(BARE + gzip.compress(part(jpeg(1))), "known format", id="packed, no type"),
        pytest.param(BARE + b"Connection limit", "no JPEG picture", id="words"),
        pytest.param(typed(b"text/html") + b"<form>", "known format", id="a page for a password"),
        pytest.param(BARE + jpeg(1)[:-400], "damaged or cut short", id="a picture cut short"),
        pytest.param(MIXED + part(jpeg(1)[:-400]), "damaged or cut short", id="a part cut short"),
    ],
)
def test_what_is_not_taken_is_said(answer: bytes, words: str) -> None:
    with (
        serving(answering(repeat(answer))) as server,
        pytest.raises(SourceLostError, match=words),
    ):
        taken(WebCamera(server.url), 1)


@pytest.mark.parametrize("form", ["mpjpeg", "mjpeg"])
def test_ffmpegs_own_server_is_watched(form: str, tmp_path: Path) -> None:
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        pytest.skip("there is no ffmpeg program here: apt-get install ffmpeg")
    (tmp_path / "5.png").write_bytes(png(5))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/camera"
    shown = ["-loop", "1", "-re", "-i", str(tmp_path / "5.png"), "-pix_fmt", "yuvj420p"]
    command = [ffmpeg, "-v", "quiet", *shown, "-f", form, "-listen", "1", url]
    with (
        subprocess.Popen(command, stdin=subprocess.DEVNULL) as server,
        Grabber(WebCamera(url), patience=RetryPolicy(first_s=0.05, most_s=0.05)) as grabber,
    ):
        try:
            assert grabber.latest(timeout_s=PATIENT_S) is not None
            frame = grabber.latest(2, PATIENT_S)
            assert frame is not None
            assert number_in(frame.picture) == 5
        finally:
            server.kill()
