"""How a phone becomes a host's without a link: by a number on a screen, a host's word, or a PIN.

The number, on this computer's screen, works only while no phone is a host's. Four digits can be
guessed, so a few wrong ones make it another one, and tries are limited (`limits.py`). Number and
requests are in memory.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from .roles import is_same

DIGITS = 4
MOST_WRONG = 5  # wrong numbers, after which it is another one
SALT_BYTES = 16
ASK_TIMEOUT_S = 120.0  # seconds until a request that nobody answers is forgotten
MOST_ASKING = 5  # requests at once: more would bury those of people at the table

Said = Literal["waiting", "yes", "no"]


@dataclass(frozen=True)
class HostRequest:
    """A phone that asks to be a host's, and what it was told."""

    id: str
    name: str  # of who holds it, as they call themselves
    cookie_hash: str
    asked_s: float
    said: Said = "waiting"


class BecomingHost:
    """The number and the requests of a table. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self.number = new_number()
        self._wrong = 0  # numbers since it is this one
        # The requests, the oldest first; another value after each change.
        self.requests: tuple[HostRequest, ...] = ()

    def try_number(self, number: str) -> bool:
        """Tell whether a number is the one that is shown, which is used up by that."""
        with self._lock:
            is_right = is_same(number, self.number)
            self._wrong += 1
            if is_right or self._wrong == MOST_WRONG:
                self.number, self._wrong = new_number(), 0
            return is_right

    def ask(self, cookie_hash: str, name: str) -> bool:
        """Ask the hosts for a phone; tell whether there is room for the request."""
        with self._lock:
            others = [one for one in self._fresh() if one.cookie_hash != cookie_hash]
            if sum(one.said == "waiting" for one in others) >= MOST_ASKING:
                return False
            asked = HostRequest(secrets.token_hex(4), name, cookie_hash, self._clock())
            self.requests = (*others, asked)
            return True

    def answer(self, id: str, said: Said) -> HostRequest | None:
        """Answer a waiting request; return it, None if there is none: the first answer wins."""
        with self._lock:
            found = next((one for one in self.waiting() if one.id == id), None)
            if found is None:
                return None
            answered = replace(found, said=said)
            self.requests = tuple(answered if one is found else one for one in self.requests)
            return answered

    def of(self, cookie_hash: str) -> HostRequest | None:
        """Return a phone's request."""
        return next((one for one in self._fresh() if one.cookie_hash == cookie_hash), None)

    def waiting(self) -> tuple[HostRequest, ...]:
        """Return the requests that wait for an answer."""
        return tuple(one for one in self._fresh() if one.said == "waiting")

    def _fresh(self) -> tuple[HostRequest, ...]:
        oldest_s = self._clock() - ASK_TIMEOUT_S
        return tuple(one for one in self.requests if one.asked_s > oldest_s)


def new_number() -> str:
    """Return another random number, as it is shown."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def pin_hash(pin: str, salt: bytes = b"") -> str:
    """Return a PIN's salt and hash, for storage: slow, since digits are few."""
    salt = salt or secrets.token_bytes(SALT_BYTES)
    return (salt + hashlib.scrypt(pin.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32)).hex()


def is_pin(pin: str, kept: str) -> bool:
    """Tell whether a PIN is the stored one."""
    return bool(kept) and is_same(pin_hash(pin, bytes.fromhex(kept[: 2 * SALT_BYTES])), kept)
