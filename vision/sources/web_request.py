"""Asking a camera on the home network: by http or https only, with a limit on everything.

Proxies are not asked: the camera is on this side of them.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from railspotter.scoring.sentence import Sentence

from .errors import SourceLostError, SourceUnusableError
from .hosts import AllowedHosts, connected

MOST_BYTES = 32 * 2**20
"""Most bytes of one picture: the largest phone cameras' JPEGs have about 30 MB."""
MOST_REDIRECTIONS = 3
MOST_DIGESTS = 5
"""After so many, the library sends a Digest password once more: it is told that they are over, for
some cameras lock out whoever repeats a wrong one."""
MOST_REASON = 100
"""Letters of what a camera says that are told on."""
AUTHORITY = re.compile(r"([^/?#]*)(.*)", re.DOTALL)
"""The part of an address with the host, and what follows it."""
REFUSED = {401: Sentence("it asks for a password"), 403: Sentence("it refuses access")}
"""Asking again is no use, and some cameras lock out whoever does."""
LEADS_AWAY = Sentence(
    "it redirects to {address}, which is not followed: give that address yourself"
)


@dataclass(frozen=True)
class WebAddress:
    """An http or https address, its user name and password apart.

    Attributes
    ----------
    url : str
        Without user name and password.
    user, password : str
        Empty when there are none.
    """

    url: str
    user: str = ""
    password: str = ""

    @classmethod
    def parse(cls, text: str) -> WebAddress:
        """Take an address apart.

        Raises
        ------
        SourceUnusableError
            When it is not an http or https address.

        Examples
        --------
        >>> address = WebAddress.parse("http://me:se%3Acret@192.0.2.7:8080/shot.jpg")
        >>> address.url, address.user, address.password
        ('http://192.0.2.7:8080/shot.jpg', 'me', 'se:cret')
        """
        try:
            parts = urlsplit(text)
            is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
            _ = parts.port  # raises for what is no number
        except ValueError:
            is_address = False
        # http.client refuses white space and what is not ASCII, in words of its own.
        if not is_address or not text.isascii() or any(c.isspace() for c in text):
            raise SourceUnusableError(f"{shown(text)!r} is not an http or https address")
        host = parts.netloc.rpartition("@")[2]
        url = urlunsplit((parts.scheme, host, parts.path or "/", parts.query, ""))
        return cls(url, unquote(parts.username or ""), unquote(parts.password or ""))


def shown(url: str) -> str:
    """Return an address as it may be shown: without what may be a password.

    User name, password and query go, and a path that has a value in it. A password that is written
    with signs that an address keeps for itself may reach into what looks like the path: then
    nothing but the scheme is shown.

    >>> shown("rtsp://me:secret@192.0.2.7/live"), shown("http://192.0.2.7/shot.jpg?pwd=secret")
    ('rtsp://192.0.2.7/live', 'http://192.0.2.7/shot.jpg')
    >>> shown("rtsp://me:sec/ret@192.0.2.7/live"), shown("rtsp://192.0.2.7/user=me&password=secret")
    ('rtsp://...', 'rtsp://192.0.2.7/...')
    """
    before, scheme_end, rest = url.partition("://")
    authority, path = AUTHORITY.fullmatch(rest).groups()  # type: ignore[union-attr]  # always fits
    if "@" in path:
        return f"{before}{scheme_end}..."
    path = re.split("[?#]", path, maxsplit=1)[0]
    return f"{before}{scheme_end}{authority.rpartition('@')[2]}{'/...' if '=' in path else path}"


@contextmanager
def answer_from(
    address: WebAddress,
    timeout_s: float,
    headers: Mapping[str, str],
    allowed: AllowedHosts | None = None,
) -> Iterator[http.client.HTTPResponse]:
    """Ask once and give the answer, whose body is still to be read; a 304 is one too.

    Redirections are followed to the same host only: another one was named by nobody.

    Parameters
    ----------
    allowed : AllowedHosts or None
        What may be opened at home; None where the terminal vouches for the host.

    Raises
    ------
    SourceUnusableError
        When a password is missing or wrong.
    HostNotAllowedError
        When the terminal has to allow it first.
    SourceLostError
        When there is no answer, also not in time while its body is read, or an unusable one; also
        when it leads to another host.
    """
    try:
        request = urllib.request.Request(address.url, headers=dict(headers))  # noqa: S310
        with _opener(address, allowed).open(request, timeout=timeout_s) as answer:
            yield answer
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in REFUSED:
            why = Sentence(
                "{refused}: give it as http://user:password@address", refused=REFUSED[error.code]
            )
            raise SourceUnusableError(why) from error
        raise SourceLostError(
            "it answers {code} {reason}", code=error.code, reason=one_line(error.reason)
        ) from error
    except urllib.error.URLError as error:
        raise SourceLostError(reason(error.reason)) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SourceLostError(reason(error)) from error


def one_line(words: object) -> str:
    r"""Return what a camera says as a terminal may show it.

    >>> one_line("Not\x1b[2J Found\u202e\n")
    'Not[2J Found'
    """
    return "".join(sign for sign in str(words) if sign.isprintable())[:MOST_REASON]


def reason(error: object) -> str:
    """Say in a few words why there is no answer.

    >>> reason(ConnectionRefusedError(111, "Connection refused")), reason(TimeoutError())
    ('Connection refused', 'it does not answer in time')
    """
    match error:
        case TimeoutError():
            return Sentence("it does not answer in time")
        case ssl.SSLCertVerificationError():
            return Sentence("its certificate is not trusted here")
        case OSError(strerror=str(words)):
            return one_line(words)
        case http.client.HTTPException() | OSError() | ValueError():
            return Sentence("it breaks off, or does not speak http")
    return one_line(error)


class _Answers(urllib.request.HTTPErrorProcessor):
    """Takes "not modified" for an answer."""

    def http_response(
        self, request: urllib.request.Request, response: http.client.HTTPResponse
    ) -> http.client.HTTPResponse:
        if response.status == HTTPStatus.NOT_MODIFIED:
            return response
        answer: http.client.HTTPResponse = super().http_response(request, response)
        return answer

    https_response = http_response


class _Redirections(urllib.request.HTTPRedirectHandler):
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
            raise SourceLostError(LEADS_AWAY.filled(address=one_line(shown(newurl))))
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Connections(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Connects to what was checked, by http and https."""

    def __init__(self, host: str | None, allowed: AllowedHosts | None) -> None:
        super().__init__()
        self._host, self._allowed = host, allowed

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(self._connection, http.client.HTTPConnection), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(self._connection, http.client.HTTPSConnection), req)

    def _connection(
        self, kind: type[http.client.HTTPConnection], host: str, **options: Any
    ) -> http.client.HTTPConnection:
        connection = kind(host, **options)

        def connect(to: tuple[str, int], timeout_s: float, _: object) -> socket.socket:
            host, port = to
            if host.casefold().strip("[]") != self._host:  # two libraries took one address apart
                raise OSError
            return connected(host, port, timeout_s, self._allowed)

        # The library's own place for it: its tests put sockets of their own there.
        connection._create_connection = connect  # type: ignore[attr-defined]
        return connection


def _opener(address: WebAddress, allowed: AllowedHosts | None) -> urllib.request.OpenerDirector:
    """Return what opens http and https and nothing else: no files, no ftp, no proxies."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        _Connections(urlsplit(address.url).hostname, allowed),
        urllib.request.HTTPDefaultErrorHandler(),
        _Answers(),
        _Redirections(),
    ):
        opener.add_handler(handler)
    if address.user:
        passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        passwords.add_password(None, address.url, address.user, address.password)
        opener.add_handler(urllib.request.HTTPBasicAuthHandler(passwords))
        digest = urllib.request.HTTPDigestAuthHandler(passwords)
        digest.retried = MOST_DIGESTS  # type: ignore[attr-defined]  # its types leave it out
        opener.add_handler(digest)
    return opener
