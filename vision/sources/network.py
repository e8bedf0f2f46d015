"""Network cameras: single pictures or moving JPEG over HTTP, other streams by FFmpeg.

Their addresses are opened as given, so only the command line may name one. Proxies are not used:
the camera is on this side of them.
"""

import re
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

import cv2
from railspotter.calibration.pyramid import Pyramid
from railspotter.scoring.sentence import Sentence, raised_as

from ..errors import PictureError
from .moving_jpeg import BEGINNING, NO_PICTURE, IntactJpegs, split_pictures
from .source import Frame, Pace, Shots, Source, SourceLostError, SourceUnusableError, Watch
from .video import live_shots, opened

# Size limit of one picture: the largest phone cameras' JPEGs have about 30 MB.
MOST_BYTES = 32 * 2**20
MOST_REDIRECTIONS = 3
# urllib's limit of Digest retries: set as reached, so that it sends a password once. Some cameras
# lock out whoever repeats a wrong one.
MOST_DIGESTS = 5
MOST_REASON = 100  # letters of a camera's message that are shown
MOST_DAMAGED = 10  # damaged pictures in a row; on a weak Wi-Fi single ones are common
SCHEMES = ("http", "https", "rtsp", "rtsps")
# An address after its scheme: host part, and the rest.
AUTHORITY = re.compile(r"([^/?#]*)(.*)", re.DOTALL)
# Status codes after which retrying is no use; some cameras lock out whoever does.
REFUSED = {401: Sentence("it asks for a password"), 403: Sentence("it refuses access")}
UNUSABLE = Sentence("what it sends cannot be used: {error}")
LEADS_AWAY = Sentence(
    "it redirects to {address}, which is not followed: give that address yourself"
)
PLAYLIST = Sentence(
    "it sends a playlist, whose parts may be anywhere: give the address of the video itself"
)


def camera_address(text: str) -> str:
    """Check and return a camera's address, its scheme in lower case.

    Raises
    ------
    SourceUnusableError
        When it is not such an address.

    Examples
    --------
    >>> camera_address("RTSP://me:secret@192.0.2.7/live")
    'rtsp://me:secret@192.0.2.7/live'
    """
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises if it is no number
    except ValueError:
        parts = urlsplit("")
    # http.client would refuse white space and non-ASCII with its own messages.
    is_plain = parts.scheme.startswith("rtsp") or (text.isascii() and " " not in text)
    if parts.scheme not in SCHEMES or not parts.hostname or not (is_plain and text.isprintable()):
        raise SourceUnusableError(
            "{address!r} is no camera's address: it is written as http://192.168.1.20:8080/video,"
            " with http, https or rtsp, and signs like / in a password as %2F",
            address=redacted_url(text),
        )
    return parts._replace(fragment="").geturl()


def redacted_url(url: str) -> str:
    """Return an address without anything that may be a password, to be shown.

    User name, password and query are removed, and a path with a value in it. A password with
    unescaped reserved characters may look like a part of the path: then only the scheme is shown.

    >>> redacted_url("rtsp://me:secret@192.0.2.7/live")
    'rtsp://192.0.2.7/live'
    >>> redacted_url("http://192.0.2.7/shot.jpg?pwd=secret")
    'http://192.0.2.7/shot.jpg'
    >>> redacted_url("rtsp://me:sec/ret@192.0.2.7/live")
    'rtsp://...'
    >>> redacted_url("rtsp://192.0.2.7/user=me&password=secret")
    'rtsp://192.0.2.7/...'
    """
    before, scheme_end, rest = url.partition("://")
    authority, path = AUTHORITY.fullmatch(rest).groups()  # type: ignore[union-attr]  # always fits
    if "@" in path:
        return f"{before}{scheme_end}..."
    path = re.split("[?#]", path, maxsplit=1)[0]
    return f"{before}{scheme_end}{authority.rpartition('@')[2]}{'/...' if '=' in path else path}"


@dataclass(frozen=True)
class VideoStream(Source):
    """A camera's stream, opened and read by OpenCV's FFmpeg: mostly RTSP."""

    is_filming = True
    url: str  # ``rtsp://user:password@192.0.2.7:554/stream1``
    per_s: float = 5.0  # pictures a second; the others are skipped
    # Timeout to open it, and for each picture; FFmpeg's default is 30 s.
    timeout_s: float = 5.0

    @property
    def name(self) -> str:
        """Its address, without user name and password."""
        return redacted_url(self.url)

    def shots(self, watch: Watch) -> Shots:
        """Give its pictures as they come."""
        timeout_ms = round(1000 * self.timeout_s)
        timeouts = (
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, timeout_ms),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, timeout_ms),
        )
        why = Sentence("it does not answer, or sends no video")
        with opened(camera_address(self.url), cv2.CAP_FFMPEG, timeouts, why) as capture:
            yield from live_shots(capture, watch, self.per_s)


@dataclass(frozen=True)
class WebCamera(Source):
    """A camera, or a phone as one, with an http or https address.

    The response tells how it is read: a single picture is polled, moving JPEG is read as it comes,
    and any other video is left to FFmpeg. Pictures are decoded as carefully as uploaded photos:
    whole, or not at all.
    """

    is_filming = True
    url: str  # may hold a user name and a password: ``http://user:password@192.0.2.7/shot.jpg``
    per_s: float = 5.0  # pictures a second of moving JPEG; others are not decoded
    every_s: float = 0.5  # poll interval of single pictures
    timeout_s: float = 5.0  # for a response, and for each further part of it
    _pictures: IntactJpegs = field(default_factory=IntactJpegs, repr=False, compare=False)

    @property
    def name(self) -> str:
        """Its address, without user name and password."""
        return redacted_url(self.url)

    def shots(self, watch: Watch) -> Shots:
        """Request pictures and yield them."""
        picture: Pyramid | None = None
        headers: dict[str, str] = {}
        while not watch.is_over:
            asked_at_s = watch.now_s()
            with _open_response(self.url, self.timeout_s, headers) as answer:
                kind, is_moving = answer.headers.get_content_type(), _is_moving(answer)
                is_film = not is_moving and kind.startswith("video/")
                if is_moving:
                    yield from self._moving(answer, watch)
                elif kind.endswith("mpegurl"):
                    raise SourceUnusableError(PLAYLIST)
                elif answer.status != HTTPStatus.NOT_MODIFIED and not is_film:
                    picture = self._unpacked(_Body(answer, watch, self.timeout_s).read_all())
                    tag = answer.headers.get("ETag")
                    headers = {"If-None-Match": tag} if tag else {}
            if is_film:  # FFmpeg makes its own request
                yield from VideoStream(self.url, self.per_s, self.timeout_s).shots(watch)
                return
            if not is_moving:
                if picture is None:
                    raise SourceLostError("it says that nothing changed before it sent anything")
                yield Frame(picture, asked_at_s)
            watch.rest(max(0.0, asked_at_s + self.every_s - watch.now_s()))

    def _moving(self, answer: HTTPResponse, watch: Watch) -> Shots:
        body, pace = _Body(answer, watch, self.timeout_s), Pace(watch, self.per_s)
        damaged = 0
        fault: SourceLostError | None = SourceLostError(NO_PICTURE)
        for content in split_pictures(body.read1, MOST_BYTES):
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
                    yield Frame(picture, taken_at_s)
            body.restart_deadline()
        # Some cameras close after each picture: those are asked again.
        if fault and not watch.is_over:
            raise fault

    def _unpacked(self, content: bytes) -> Pyramid:
        with raised_as(SourceLostError, PictureError, UNUSABLE):
            return self._pictures.unpack(content)


def _is_moving(answer: HTTPResponse) -> bool:
    """Tell whether a response is moving JPEG, to be split into pictures.

    Many cameras send no content type or a wrong one. A single picture without a length is treated
    as moving JPEG that ends after one picture.
    """
    if answer.headers.get_content_maintype() == "multipart":
        return True
    return answer.length is None and BEGINNING.match(answer.peek(1)) is not None


class _Body:
    """A response body with a deadline for each picture, against one that trickles."""

    def __init__(self, answer: HTTPResponse, watch: Watch, timeout_s: float) -> None:
        self._answer, self._watch, self._timeout_s = answer, watch, timeout_s
        self.restart_deadline()

    def restart_deadline(self) -> None:
        """Restart the deadline for the next picture."""
        self._deadline_s = self._watch.now_s() + self._timeout_s

    def read1(self, n: int, /) -> bytes:
        """Return up to n bytes as they come; none at the end, or when the watch is over."""
        chunk = self._answer.read1(n)
        if self._watch.now_s() > self._deadline_s:
            raise SourceLostError("it sends something, but no whole picture in time")
        return b"" if self._watch.is_over else chunk

    def read_all(self) -> bytes:
        """Return the whole body, which is one picture."""
        content = bytearray()
        while chunk := self.read1(2**16):
            content += chunk
            if len(content) > MOST_BYTES:
                raise SourceLostError("it sends something larger than a picture")
        return bytes(content)


@contextmanager
def _open_response(
    url: str, timeout_s: float, headers: Mapping[str, str]
) -> Iterator[HTTPResponse]:
    """Send a request and yield the response, 304 included, with its body still to be read.

    Errors, while the body is read too, become a `SourceError`.
    """
    parts = urlsplit(camera_address(url))
    host = parts.netloc.rpartition("@")[2]
    asked = urlunsplit((parts.scheme, host, parts.path or "/", parts.query, ""))
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        _NotModifiedProcessor,
        _SameHostRedirects,
        *_auth_handlers(parts, asked),
    )
    try:
        request = urllib.request.Request(asked, headers=dict(headers))  # noqa: S310  # http(s)
        with opener.open(request, timeout=timeout_s) as answer:
            yield answer
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in REFUSED:
            why = Sentence(
                "{refused}: give it as http://user:password@address", refused=REFUSED[error.code]
            )
            raise SourceUnusableError(why) from error
        raise SourceLostError(
            "it answers {code} {reason}", code=error.code, reason=_one_line(error.reason)
        ) from error
    except urllib.error.URLError as error:
        raise SourceLostError(_reason(error.reason)) from error
    except (OSError, HTTPException, ValueError) as error:
        raise SourceLostError(_reason(error)) from error


def _auth_handlers(parts: SplitResult, asked: str) -> list[urllib.request.BaseHandler]:
    """Return the handlers for HTTP authentication with the password of an address."""
    if not parts.username:
        return []
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    passwords.add_password(None, asked, unquote(parts.username), unquote(parts.password or ""))
    digest = urllib.request.HTTPDigestAuthHandler(passwords)
    digest.retried = MOST_DIGESTS  # type: ignore[attr-defined]  # its types leave it out
    return [urllib.request.HTTPBasicAuthHandler(passwords), digest]


class _NotModifiedProcessor(urllib.request.HTTPErrorProcessor):
    """Passes 304 (not modified) through as a response."""

    def http_response(
        self, request: urllib.request.Request, response: HTTPResponse
    ) -> HTTPResponse:
        if response.status == HTTPStatus.NOT_MODIFIED:
            return response
        answer: HTTPResponse = super().http_response(request, response)
        return answer

    https_response = http_response


class _SameHostRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to the same host only."""

    max_redirections = MOST_REDIRECTIONS
    max_repeats = MOST_REDIRECTIONS

    def redirect_request(  # type: ignore[no-untyped-def]  # the library has no public types for these
        self, req, fp, code, msg, headers, newurl
    ) -> urllib.request.Request | None:
        to = urlsplit(newurl)
        if to.scheme not in ("http", "https"):
            fp.close()
            raise SourceLostError("it redirects to an address that is neither http nor https")
        if to.hostname != urlsplit(req.full_url).hostname:
            fp.close()
            raise SourceLostError(LEADS_AWAY.filled(address=_one_line(redacted_url(newurl))))
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _one_line(words: object) -> str:
    r"""Return a camera's message with its printable characters only, shortened.

    >>> _one_line("Not\x1b[2J Found\u202e\n")
    'Not[2J Found'
    """
    return "".join(sign for sign in str(words) if sign.isprintable())[:MOST_REASON]


def _reason(error: object) -> str:
    """Return the reason for a failed request, in a few words and none of the system's.

    >>> _reason(ConnectionRefusedError(111, "Connection refused")), _reason(TimeoutError())
    ('nothing answers there: is it on, and is that its address?', 'it does not answer in time')
    """
    match error:
        case TimeoutError():
            return Sentence("it does not answer in time")
        case ssl.SSLCertVerificationError():
            return Sentence("its certificate is not trusted here")
        case ConnectionRefusedError():
            return Sentence("nothing answers there: is it on, and is that its address?")
        case socket.gaierror():
            return Sentence("no such name is known in this network: is that its address?")
        case ConnectionResetError() | BrokenPipeError():
            return Sentence("it breaks off, or does not speak http")
        case OSError(strerror=str()):
            return Sentence("it cannot be reached: is it in this network?")
        case HTTPException() | OSError() | ValueError():
            return Sentence("it breaks off, or does not speak http")
    return _one_line(error)
