"""The join code, the host's, camera's and guest links: their tokens, URLs and QR codes."""

import io
import secrets
import threading
from collections import deque
from typing import Literal

import segno

from .roles import is_same, new_token

CodeKind = Literal["join", "host", "camera"]  # tokens that are exchanged for a cookie
# A guest's token is not exchanged; it is sent with every request.
LinkKind = Literal["join", "host", "camera", "guest"]
MOST_USED = 20  # used host links that are remembered, for a better error message

# No look-alikes: people type the guest link with a television's remote control.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
LENGTH = 10  # 49 bits: too many to guess at the rate limit, and few enough to type


class Codes:
    """The tokens of a running game, in memory only. Thread-safe.

    The join code works for every phone until it is renewed. The host's and the camera's links work
    once, so that one found later, in a history or a photo, is useless.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.join, self.host, self.camera = new_token(), new_token(), new_token()
        self._used: deque[str] = deque(maxlen=MOST_USED)

    def redeem(self, token: str) -> CodeKind | None:
        """Use a token; return its kind, or None if it is invalid."""
        with self._lock:
            is_host, is_join = is_same(token, self.host), is_same(token, self.join)
            is_camera = is_same(token, self.camera)
            if is_host:
                self._used.append(self.host)
                self.host = new_token()
            if is_camera:
                self.camera = new_token()
            return "host" if is_host else "camera" if is_camera else "join" if is_join else None

    def is_used(self, token: str) -> bool:
        """Tell whether a token is that of a used host link."""
        with self._lock:
            return any(is_same(token, used) for used in self._used)

    def renew_join(self) -> None:
        """Replace the join code; the old one becomes invalid."""
        with self._lock:
            self.join = new_token()


def new_guest_token() -> str:
    """Return a random token for the read-only link of televisions and streams.

    A request with it has a guest's rights, whatever cookie comes with it. The host makes, renews or
    revokes the link; then streams opened by it must be ended (`Limits.end_guests`).
    """
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def link(url: str, kind: LinkKind, token: str) -> str:
    """Return a link to the page with a token.

    It is after the #, which browsers do not send to servers; the page's script exchanges it.

    Examples
    --------
    >>> link("http://192.0.2.7:8000/", "join", "t0ken")
    'http://192.0.2.7:8000/#join=t0ken'
    """
    return f"{url}#{kind}={token}"


def qr_svg(text: str) -> str:
    """Return a QR code as SVG."""
    out = io.BytesIO()
    segno.make(text, error="m").save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=4, light="#fff"
    )
    return out.getvalue().decode()


def qr_terminal(text: str) -> str:
    """Return a QR code for a terminal, with two modules in each character."""
    out = io.StringIO()
    segno.make(text, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
