"""The join code, the host's and the camera's links: tokens for cookies; the guest link."""

from __future__ import annotations

import io
import secrets
import threading
from collections import deque
from typing import Literal

import segno

from .pairing import Pairing
from .roles import is_same, new_token

CodeKind = Literal["join", "host", "camera"]  # what a token makes of the phone that trades it
# What a link opens; a guest's is traded for nothing, it is sent with every request.
LinkKind = Literal["join", "host", "camera", "guest"]
# Links of hosts that are known to have been used; of older ones no more is said than of any.
MOST_USED = 20

# None that is taken for another one: people type the link with a television's remote control.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
LENGTH = 10  # 49 bits: too many to try at the rate of codes, and few enough to type


class Codes:
    """The tokens of a running game, in memory only. Several threads may use it at once.

    The join code opens the table to every phone that scans it, until it is renewed. The host's
    link and the camera's work once: whoever finds one later, in a history or a photo, finds
    nothing.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # The join code's token, and those of the host's and the camera's link that work next.
        self.join, self.host, self.camera = new_token(), new_token(), new_token()
        self._used: deque[str] = deque(maxlen=MOST_USED)

    def redeem(self, token: str) -> CodeKind | None:
        """Return what a token opens, None for nothing."""
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
        """Tell whether a token was a host's link that has worked."""
        with self._lock:
            return any(is_same(token, used) for used in self._used)

    def renew_join(self) -> None:
        """Make a new join code; the old one opens nothing from here on."""
        with self._lock:
            self.join = new_token()


class GuestLink:
    """What a television or a stream looks on by. Several threads may use it at once.

    It opens what every guest sees and nothing more. A request that bears it is a guest's, whatever
    cookie the browser has beside it, and changes nothing. The host makes the link, makes it anew
    or takes it back; then whatever looks on by it ends (`Limits.end_guests`).
    """

    def __init__(self, pairing: Pairing) -> None:
        self._pairing = pairing

    @property
    def token(self) -> str:
        """What stands behind the # of the link; empty where none is out."""
        return self._pairing.guest_token

    def admits(self, token: str) -> bool:
        """Tell whether a token is the link's."""
        return bool(self.token) and is_same(token, self.token)

    def renew(self) -> None:
        """Make the link, or another one in its place: the old one opens nothing from here on."""
        self._pairing.set_guest_token("".join(secrets.choice(LETTERS) for _ in range(LENGTH)))

    def take_back(self) -> None:
        """Let the link open nothing from here on; raises as `renew` does."""
        self._pairing.set_guest_token("")


def link(url: str, kind: LinkKind, token: str) -> str:
    """Return a link that opens the page with a token.

    It stands behind the #, which browsers send to nobody; the page trades it.

    Examples
    --------
    >>> link("http://192.0.2.7:8000/", "join", "t0ken")
    'http://192.0.2.7:8000/#join=t0ken'
    """
    return f"{url}#{kind}={token}"


def svg(text: str) -> str:
    """Return a QR code as SVG."""
    out = io.BytesIO()
    segno.make(text, error="m").save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=4, light="#fff"
    )
    return out.getvalue().decode()


def terminal(text: str) -> str:
    """Return a QR code for a terminal, two modules a letter."""
    out = io.StringIO()
    segno.make(text, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
