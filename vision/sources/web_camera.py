"""Cameras with an http address: a picture each time it is asked, or moving JPEG."""

from __future__ import annotations

import http.client
from dataclasses import dataclass
from http import HTTPStatus

from ..decoding import Picture, decode
from ..errors import PictureError
from .errors import SourceLostError
from .frame import Shot
from .multipart import boundary_of, parts
from .source import Shots, Source, Watch
from .stream import Stream
from .web_request import MOST_BYTES, WebAddress, answer_from, shown


@dataclass(frozen=True)
class WebCamera(Source):
    """A camera, or a phone that plays one, with an http or https address.

    What the address gives is seen from its answer: a single picture is asked for again and again,
    moving JPEG is read as it comes, and any other video goes to FFmpeg (`Stream`). Pictures are
    decoded as carefully as photos that somebody sends: whole, or not at all.

    Attributes
    ----------
    url : str
        May hold a user name and a password: ``http://user:password@192.0.2.7/shot.jpg``.
    per_s : float
        Pictures a second of moving ones; the others are passed over without being decoded.
    every_s : float
        Single pictures are asked for so often.
    timeout_s : float
        So long an answer, and each further bit of it, is waited for.
    """

    url: str
    per_s: float = 5.0
    every_s: float = 0.5
    timeout_s: float = 5.0

    @property
    def name(self) -> str:
        """Its address, without user name and password."""
        return shown(self.url)

    def shots(self, watch: Watch) -> Shots:
        """Ask for pictures."""
        address = WebAddress.parse(self.url)
        picture: Picture | None = None
        headers: dict[str, str] = {}
        while not watch.is_over:
            asked_at_s = watch.now_s()
            with answer_from(address, self.timeout_s, headers) as answer:
                kind = answer.headers.get_content_type()
                if kind.startswith("multipart/"):
                    yield from self._moving(answer, watch)
                    raise SourceLostError("it sends nothing any more")
                if answer.status != HTTPStatus.NOT_MODIFIED:
                    if _is_video(kind):
                        answer.close()
                        yield from Stream(self.url, self.per_s, self.timeout_s).shots(watch)
                        return
                    picture = _decoded(self._body(answer, watch))
                    tag = answer.headers.get("ETag")
                    headers = {"If-None-Match": tag} if tag else {}
            if picture is None:
                raise SourceLostError("it says that nothing changed before it sent anything")
            yield Shot(picture, asked_at_s)
            watch.rest(max(0.0, asked_at_s + self.every_s - watch.now_s()))

    def _body(self, answer: http.client.HTTPResponse, watch: Watch) -> bytes:
        """Read an answer to its end, which a camera that trickles does not put off for ever."""
        deadline_s = watch.now_s() + self.timeout_s
        body = bytearray()
        while chunk := answer.read1(2**16):
            body += chunk
            if len(body) > MOST_BYTES:
                raise SourceLostError("it sends something larger than a picture")
            if watch.now_s() > deadline_s:
                raise SourceLostError("it does not answer in time")
        return bytes(body)

    def _moving(self, answer: http.client.HTTPResponse, watch: Watch) -> Shots:
        due_s = watch.now_s()
        boundary = boundary_of(answer.headers.get("Content-Type", ""))
        for part in parts(answer, boundary, MOST_BYTES):
            if watch.is_over:
                return
            taken_at_s = watch.now_s()
            if taken_at_s < due_s:
                continue
            due_s = max(due_s + 1 / self.per_s, taken_at_s)
            yield Shot(_decoded(part), taken_at_s)


def _is_video(kind: str) -> bool:
    return kind.startswith("video/") or kind.endswith("mpegurl")


def _decoded(content: bytes) -> Picture:
    try:
        return decode(content)
    except PictureError as error:
        raise SourceLostError(f"what it sends is no use: {error}") from error
