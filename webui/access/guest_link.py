"""The guest link: what a television or a stream looks on by, at which nobody sits.

It opens what every guest sees and nothing more. A request that bears it is a guest's, whatever
cookie the browser has beside it, and changes nothing. The host makes the link, makes it anew or
takes it back; then whatever looks on by it ends.
"""

from __future__ import annotations

import secrets
import threading

from .limits import Place
from .pairing import Pairing
from .roles import is_same

# None that is taken for another one: people type the link with a television's remote control.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
LENGTH = 10  # 49 bits: too many to try at the rate of codes, and few enough to type


class GuestLink:
    """The guest link of a page. Several threads may use it at once."""

    def __init__(self, pairing: Pairing) -> None:
        self._pairing = pairing
        self._lock = threading.Lock()
        self._places: set[Place] = set()

    @property
    def token(self) -> str:
        """What stands behind the # of the link; empty where none is out."""
        return self._pairing.guest_token

    def admits(self, token: str) -> bool:
        """Tell whether a token is the link's."""
        return bool(self.token) and is_same(token, self.token)

    def renew(self) -> None:
        """Make the link, or another one in its place: the old one opens nothing from here on."""
        self._change("".join(secrets.choice(LETTERS) for _ in range(LENGTH)))

    def take_back(self) -> None:
        """Let the link open nothing from here on; raises as `renew` does."""
        self._change("")

    def hold(self, place: Place, token: str) -> None:
        """Note that a stream is open by the link, until `let_go`; where it is old, end it."""
        with self._lock:
            self._places.add(place)
        if not self.admits(token):
            place.end()

    def let_go(self, place: Place) -> None:
        """Forget a stream that has ended."""
        with self._lock:
            self._places.discard(place)

    def _change(self, token: str) -> None:
        self._pairing.set_guest_token(token)
        with self._lock:
            places, self._places = self._places, set()
        for place in places:
            place.end()
