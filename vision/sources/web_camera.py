"""Cameras with an http address: a picture each time it is asked, or moving JPEG."""

from __future__ import annotations

import http.client
import socket
from dataclasses import dataclass, field
from http import HTTPStatus

from railspotter.calibration.pyramid import Pyramid
from railspotter.scoring.sentence import Sentence

from ..errors import PictureError
from .capture import Pace
from .errors import SourceLostError, SourceUnusableError
from .hosts import AllowedHosts
from .moving_jpeg import BEGINNING, NO_PICTURE, pictures
from .relay import LOOPBACK, relayed
from .sound_pictures import SoundPictures
from .source import Shot, Shots, Source, Watch
from .video import stream_shots
from .web_request import MOST_BYTES, WebAddress, answer_from, shown

MOST_DAMAGED = 10
"""Moving pictures in a row; cheap cameras on a weak Wi-Fi damage one now and then."""
PLAYLIST = Sentence(
    "it sends a playlist, whose parts may be anywhere: give the address of the video itself"
)


@dataclass(frozen=True)
class WebCamera(Source):
    """A camera, or a phone that plays one, with an http or https address.

    What the address gives is seen from its answer: a single picture is asked for again and again,
    moving JPEG is read as it comes, and any other video is handed to FFmpeg, which opens no address
    itself. Pictures are decoded as carefully as photos that somebody sends: whole, or not at all.

    Attributes
    ----------
    url : str
        May hold a user name and a password: ``http://user:password@192.0.2.7/shot.jpg``.
    per_s : float
        Pictures a second of moving ones; the others are passed over without being decoded.
    every_s : float
        Single pictures are asked for so often.
    timeout_s : float
        Longest wait for an answer, and for each further bit of it.
    allowed : AllowedHosts or None
        What may be opened at home; None where the terminal named the address.
    """

    url: str
    per_s: float = 5.0
    every_s: float = 0.5
    timeout_s: float = 5.0
    allowed: AllowedHosts | None = None
    _pictures: SoundPictures = field(default_factory=SoundPictures, repr=False, compare=False)

    @property
    def name(self) -> str:
        """Its address, without user name and password."""
        return shown(self.url)

    def shots(self, watch: Watch) -> Shots:
        """Ask for pictures."""
        address = WebAddress.parse(self.url)
        picture: Pyramid | None = None
        headers: dict[str, str] = {}
        while not watch.is_over:
            asked_at_s = watch.now_s()
            with answer_from(address, self.timeout_s, headers, self.allowed) as answer:
                kind, is_moving = answer.headers.get_content_type(), _is_moving(answer)
                if is_moving:
                    yield from self._moving(answer, watch)
                elif answer.status != HTTPStatus.NOT_MODIFIED:
                    if kind.endswith("mpegurl"):
                        raise SourceUnusableError(PLAYLIST)
                    if kind.startswith("video/"):
                        yield from self._video(answer, watch)
                        return
                    picture = self._unpacked(_Body(answer, watch, self.timeout_s).whole())
                    tag = answer.headers.get("ETag")
                    headers = {"If-None-Match": tag} if tag else {}
            if not is_moving:
                if picture is None:
                    raise SourceLostError("it says that nothing changed before it sent anything")
                yield Shot(picture, asked_at_s)
            watch.rest(max(0.0, asked_at_s + self.every_s - watch.now_s()))

    def _video(self, answer: http.client.HTTPResponse, watch: Watch) -> Shots:
        def pass_on(reader: socket.socket) -> None:
            while chunk := answer.read1(2**16):
                reader.sendall(chunk)

        with relayed(pass_on, self.timeout_s) as port:
            yield from stream_shots(f"tcp://{LOOPBACK}:{port}", watch, self.per_s, self.timeout_s)

    def _moving(self, answer: http.client.HTTPResponse, watch: Watch) -> Shots:
        body, pace = _Body(answer, watch, self.timeout_s), Pace(watch, self.per_s)
        damaged = 0
        fault: SourceLostError | None = SourceLostError(NO_PICTURE)
        for content in pictures(body, MOST_BYTES):
            taken_at_s = watch.now_s()
            if pace.lets_through(taken_at_s):
                try:
                    picture = self._unpacked(content)
                except SourceLostError as error:
                    damaged, fault = damaged + 1, fault and error
                    if damaged == MOST_DAMAGED:
                        raise
                else:
                    damaged, fault = 0, None
                    yield Shot(picture, taken_at_s)
            body.expect_a_picture()
        # Some cameras close after each picture: those are asked again.
        if fault and not watch.is_over:
            raise fault

    def _unpacked(self, content: bytes) -> Pyramid:
        try:
            return self._pictures.unpack(content)
        except PictureError as error:
            raise SourceLostError("what it sends cannot be used: {error}", error=error) from error


def _is_moving(answer: http.client.HTTPResponse) -> bool:
    """Tell whether an answer's pictures are to be looked for in it.

    Many cameras say nothing of what they send, or something else. A single picture that does not
    say how long it is comes the same way: it is the only one, and then the camera is asked again.
    """
    if answer.headers.get_content_maintype() == "multipart":
        return True
    return answer.length is None and BEGINNING.match(answer.peek(1)) is not None


class _Body:
    """An answer's body, whose pictures come in time: one that trickles is put up with no longer."""

    def __init__(self, answer: http.client.HTTPResponse, watch: Watch, timeout_s: float) -> None:
        self._answer, self._watch, self._timeout_s = answer, watch, timeout_s
        self.expect_a_picture()

    def expect_a_picture(self) -> None:
        """Begin to wait for the next picture."""
        self._deadline_s = self._watch.now_s() + self._timeout_s

    def read1(self, n: int, /) -> bytes:
        """Return some bytes as soon as there are any; none at the end, or when the watch is over.

        Raises
        ------
        SourceLostError
            When the picture should be there by now.
        """
        chunk = self._answer.read1(n)
        if self._watch.now_s() > self._deadline_s:
            raise SourceLostError("it sends something, but no whole picture in time")
        return b"" if self._watch.is_over else chunk

    def whole(self) -> bytes:
        """Return all that comes, which is one picture."""
        content = bytearray()
        while chunk := self.read1(2**16):
            content += chunk
            if len(content) > MOST_BYTES:
                raise SourceLostError("it sends something larger than a picture")
        return bytes(content)
