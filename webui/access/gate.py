"""Checks of every request (host, origin, size, rate), and security headers of every response.

The `Host` header must be a name that no other site can have, against DNS rebinding: another site's
page could point its own name at this machine, and would then count as the same site.
"""

import math
import socket
import time
from functools import cache
from urllib.parse import urlsplit

from flask import Request, Response, abort
from railspotter.scoring.sentence import Sentence
from werkzeug.datastructures import Headers

from ..words.translation import language_of, translator_to
from .limits import Limits, ip_of

# The largest upload, in bytes. The largest phone photos, 200 megapixels, take 30 to 60 MB. A form's
# photos wait on the disk until they are read, one after the other.
MOST_BYTES = 64 * 2**20
MOST_DRAINED = 4 * MOST_BYTES  # bytes of a refused upload that are read before disconnecting
CHUNK = 2**16
# The delay of a rate limit's error response; it blocks a thread. Chosen.
REFUSAL_DELAY_S = 0.1
CHANGING_METHODS = {"POST", "PUT", "PATCH", "DELETE"}
# How headers of proxies and tunnels begin, behind which the client is somebody else.
FORWARDED = ("Forwarded", "X-Forwarded-", "X-Real-Ip", "Via")
# Domains reserved for local networks: RFC 6762, RFC 6761, RFC 8375.
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
    # Not "no-referrer", with which browsers send "Origin: null" with the page's own form: on plain
    # http that header is the only way to tell it from another site's.
    "Referrer-Policy": "same-origin",
}
# The header of pages into which streaming programs inject CSS. Users' text is never HTML there.
STYLED = (
    "Content-Security-Policy",
    HEADERS["Content-Security-Policy"].replace(
        "style-src 'self'", "style-src 'self' 'unsafe-inline' data:"
    ),
)


def check_request(request: Request) -> None:
    """Abort a request to a foreign host (421), too large (413) or from another site (403)."""
    if not is_own_host(request.host):
        abort(421)
    if (request.content_length or 0) > MOST_BYTES:
        abort(413)
    site, origin = (request.headers.get(name) for name in ("Sec-Fetch-Site", "Origin"))
    if request.method in CHANGING_METHODS and not is_same_origin(site, origin, request.host):
        abort(403)


def check_rate(request: Request, limits: Limits) -> Response | None:
    """Apply the rate limit to a page or static file; return the error response if exceeded.

    It is a line of text, since rendering a page would be costly, and delayed: without a delay four
    flooding clients slowed the table so much that a claim was logged after 6 s.
    """
    what = "file" if request.endpoint == "static" else "page"
    wait_s = limits.wait_s(what, request.remote_addr or "")
    if not wait_s:
        return None
    time.sleep(min(wait_s, REFUSAL_DELAY_S))
    say = translator_to(language_of(request))
    return Response(
        say(Sentence("Too much at once: wait a moment.")),
        429,
        {"Retry-After": str(math.ceil(wait_s))},
        mimetype="text/plain",
    )


def is_same_origin(site: str | None, origin: str | None, host: str) -> bool:
    """Tell whether a request comes from the page itself, or not from a web page at all.

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
    """Read the rest of a refused upload, up to a limit.

    A browser shows "connection reset" instead of the response if the server closes while it is
    still sending.
    """
    stream = request.environ["wsgi.input"]
    try:
        for _ in range(MOST_DRAINED // CHUNK):
            if not stream.read(CHUNK):
                return
    except OSError:
        pass  # the sender gave up


def guard_response(response: Response) -> Response:
    """Add the security headers, and forbid caching by default."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    # Only static files may be cached.
    if not response.headers.get("Cache-Control"):
        response.headers["Cache-Control"] = "no-store"
    return response


def is_own_host(host: str) -> bool:
    """Tell whether a request's `Host` names this machine.

    >>> [is_own_host(h) for h in ("192.0.2.7:8000", "[::1]:80", "localhost", "den.local:8000")]
    [True, True, True, True]
    >>> is_own_host("evil.example"), is_own_host("192.0.2.7.evil.example"), is_own_host("")
    (False, False, False)
    """
    name = _name_in(host.casefold())
    is_own = name == "localhost" or name in own_names() or name.endswith(LOCAL_ENDINGS)
    return is_own or ip_of(name) is not None


def is_this_machine(url: str) -> bool:
    """Tell whether a URL's host is the loopback address."""
    name = urlsplit(url).hostname or ""
    ip = ip_of(name)
    return name == "localhost" if ip is None else ip.is_loopback


def is_from_here(address: str, url: str, headers: Headers) -> bool:
    """Tell whether a request comes from this computer itself.

    Address and host name must be loopback, without a proxy's headers: through a proxy everybody
    seems to be on this computer.
    """
    is_passed_on = any(name.title().startswith(FORWARDED) for name, _ in headers)
    ip = ip_of(address)
    return ip is not None and ip.is_loopback and is_this_machine(url) and not is_passed_on


@cache
def own_names() -> frozenset[str]:
    """Return this machine's host names."""
    name = socket.gethostname().casefold()
    return frozenset({name, name.partition(".")[0]} - {""})


def _name_in(host: str) -> str:
    """Return a host's name or address without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    name, colon, port = host.rpartition(":")
    return name.removesuffix(".") if colon and port.isdigit() else host.removesuffix(".")
