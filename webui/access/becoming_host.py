"""How a phone becomes a host's without a link: by a number on a screen, a host's word, or a PIN.

The number, on this computer's screen, works only while no phone is a host's. Digits can be guessed,
so few tries are let through, from all addresses together: after some wrong ones the number is
another one, and takes one try a minute; a PIN takes them twice as seldom each time, at last one an
hour. The tries and requests are in memory.
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
FREE_TRIES = 5  # wrong numbers at once; each further one costs a minute
TRY_EVERY_S = 60.0
PIN_EVERY_S = 3600.0  # at last
PIN_PATTERN = "^[0-9]{4,8}$"
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


class Tries:
    """Tries of a short secret, over all addresses. Thread-safe.

    After some wrong ones each further one costs a minute, then twice as long up to `most_wait_s`.
    """

    def __init__(self, clock: Callable[[], float], most_wait_s: float = TRY_EVERY_S) -> None:
        self._clock, self._most_wait_s, self._lock = clock, most_wait_s, threading.Lock()
        self.wrong, self._next_s = 0, float("-inf")

    def wait_s(self) -> float:
        """Return the seconds until the next try."""
        return max(0.0, self._next_s - self._clock())

    def forget(self) -> None:
        """Forget the wrong ones: there is another secret."""
        with self._lock:
            self.wrong, self._next_s = 0, float("-inf")

    def check(self, is_right: Callable[[], bool]) -> bool | None:
        """Tell whether a try is right; None, and it is not looked at, while it is too early."""
        with self._lock:
            if self.wait_s():
                return None
            if is_right():
                self.wrong = 0
                return True
            self.wrong += 1
            if (more := self.wrong - FREE_TRIES) >= 0:
                wait_s = min(TRY_EVERY_S * 2 ** min(more, 10), self._most_wait_s)
                self._next_s = self._clock() + wait_s
            return False


class BecomingHost:
    """The number and the requests of a table. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self.number = new_number()
        self.numbers, self.pins = Tries(clock), Tries(clock, PIN_EVERY_S)
        # The requests, the oldest first; another value after each change.
        self.requests: tuple[HostRequest, ...] = ()

    def try_number(self, number: str) -> bool | None:
        """Tell whether a number is the one that is shown, which is used up by that.

        None while another try is too early.
        """

        def is_right() -> bool:
            is_shown = is_same(number, self.number)
            if is_shown or (self.numbers.wrong + 1) % FREE_TRIES == 0:
                self.number = new_number()
            return is_shown

        return self.numbers.check(is_right)

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
    """Return another random number, as it is shown.

    Examples
    --------
    >>> len(new_number())
    4
    """
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def pin_hash(pin: str, salt: bytes = b"") -> str:
    """Return a PIN's salt and hash, for storage: slow, since digits are few."""
    salt = salt or secrets.token_bytes(SALT_BYTES)
    return (salt + hashlib.scrypt(pin.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32)).hex()


def is_pin(pin: str, kept: str) -> bool:
    """Tell whether a PIN is the stored one.

    Examples
    --------
    >>> is_pin("4711", pin_hash("4711")), is_pin("4712", pin_hash("4711")), is_pin("4711", "")
    (True, False, False)
    """
    return bool(kept) and is_same(pin_hash(pin, bytes.fromhex(kept[: 2 * SALT_BYTES])), kept)
