"""Who may send what to the page and how often, and what browsers may do with its answers.

A request is addressed to this machine, by a name that no foreign site can have. A page of another
site could have its own name point to this machine and then ask it as if it were the same site (DNS
rebinding); the name that it asked for gives it away.
"""

from __future__ import annotations

import ipaddress
import math
import socket
import time
from functools import cache
from urllib.parse import urlsplit

from flask import Request, Response, abort
from railspotter.scoring.sentence import Sentence

from ..words.languages import language_of, translator_to
from .limits import Limits

# The largest upload, in bytes. The largest phone photos, 108 megapixels, take some 30 MB.
MOST_BYTES = 32 * 2**20
MOST_SWALLOWED = 8 * MOST_BYTES  # bytes of a refused upload that are read before the line is cut
CHUNK = 2**16
# So long whoever asks too often waits for being told so; each holds a thread meanwhile. Chosen.
HELD_UP_S = 0.1
CHANGING = {"POST", "PUT", "PATCH", "DELETE"}
# Names under these are the local network's own: RFC 6762, RFC 6761, RFC 8375.
LOCAL_ENDINGS = (".local", ".localhost", ".home.arpa")

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "img-src 'self' blob:",  # blob: is the preview of a photo not sent yet
            "style-src 'self'",
            "script-src 'self'",
            "connect-src 'self'",  # a running game's state
            "manifest-src 'self'",
            "worker-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    # Nothing goes to other sites. "no-referrer" would also make browsers send "Origin: null" with
    # the page's own form, and on plain http that header is all that tells it from a foreign one.
    "Referrer-Policy": "same-origin",
}
# The header of a page that others may dress: a program that shows it puts a style into it. Nothing
# that anybody says at a table is ever put into such a page as HTML.
STYLED = (
    "Content-Security-Policy",
    HEADERS["Content-Security-Policy"].replace(
        "style-src 'self'", "style-src 'self' 'unsafe-inline' data:"
    ),
)


def check_request(request: Request) -> None:
    """Refuse a request that is too large, or that another site's page sent: 421, 413 or 403."""
    if not is_own_host(request.host):
        abort(421)
    if (request.content_length or 0) > MOST_BYTES:
        abort(413)
    site, origin = (request.headers.get(name) for name in ("Sec-Fetch-Site", "Origin"))
    if request.method in CHANGING and not is_same_origin(site, origin, request.host):
        abort(403)


def check_rate(request: Request, limits: Limits) -> Response | None:
    """Count a page or a file of its; return what is answered instead where it is too much.

    That is a line of text, after a moment. A page that says so would cost what the page itself
    does; and four lines without any pause took so much that a claim was written down after 6 s.
    """
    what = "file" if request.endpoint == "static" else "page"
    wait_s = limits.wait_s(what, request.remote_addr or "")
    if not wait_s:
        return None
    time.sleep(min(wait_s, HELD_UP_S))
    say = translator_to(language_of(request))
    return Response(
        say(Sentence("Too much at once: wait a moment.")),
        429,
        {"Retry-After": str(math.ceil(wait_s))},
        mimetype="text/plain",
    )


def is_same_origin(site: str | None, origin: str | None, host: str) -> bool:
    """Tell whether a request comes from the page itself or from no web page at all.

    Examples
    --------
    >>> is_same_origin(None, "http://192.0.2.7:8000", "192.0.2.7:8000")
    True
    >>> is_same_origin(None, "http://evil.example", "192.0.2.7:8000")
    False
    >>> is_same_origin("cross-site", None, "localhost:8000")
    False
    """
    if site is not None:
        return site in ("same-origin", "none")
    return origin is None or urlsplit(origin).netloc == host


def drain_body(request: Request) -> None:
    """Read what is left of a refused upload.

    A server that closes on a browser still sending makes it say "connection reset" and not show
    the answer. There is an end to this too.
    """
    stream = request.environ["wsgi.input"]
    try:
        for _ in range(MOST_SWALLOWED // CHUNK):
            if not stream.read(CHUNK):
                return
    except OSError:
        pass  # the sender gave up


def guard_response(response: Response) -> Response:
    """Add the headers that keep browsers from doing what the page never asks for."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    # Only the program's own files may be stored; results are the players'.
    if not response.headers.get("Cache-Control"):
        response.headers["Cache-Control"] = "no-store"
    return response


def is_own_host(host: str) -> bool:
    """Tell whether a request's `Host` names this machine.

    Examples
    --------
    >>> [is_own_host(h) for h in ("192.0.2.7:8000", "[::1]:80", "localhost", "den.local:8000")]
    [True, True, True, True]
    >>> is_own_host("evil.example"), is_own_host("192.0.2.7.evil.example"), is_own_host("")
    (False, False, False)
    """
    name = _name_in(host.casefold())
    if name == "localhost" or name in own_names() or name.endswith(LOCAL_ENDINGS):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_this_machine(url: str) -> bool:
    """Tell whether an address opens a page on the machine only that it is opened on.

    Examples
    --------
    >>> is_this_machine("http://localhost:8000/"), is_this_machine("http://192.0.2.7:8000/")
    (True, False)
    """
    name = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


@cache
def own_names() -> frozenset[str]:
    """Return what this machine is called."""
    name = socket.gethostname().casefold()
    return frozenset({name, name.partition(".")[0]} - {""})


def _name_in(host: str) -> str:
    """Return a host's name or address without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    name, colon, port = host.rpartition(":")
    return name.removesuffix(".") if colon and port.isdigit() else host.removesuffix(".")
