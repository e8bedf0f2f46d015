"""How often one address may ask: enough for people, too little to keep others from playing."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

MOST_ADDRESSES = 1000
"""Addresses that are remembered; those that were silent the longest are forgotten first."""


@dataclass(frozen=True)
class Rate:
    """How often something may be done: in the long run, times a second, and at once."""

    per_s: float
    at_once: int


@dataclass(frozen=True)
class Settings:
    """What one address may do, and all together.

    Attributes
    ----------
    rates : mapping of str to Rate
        The rate of each kind of request.
    streams, cameras : int
        Streams of changes, and moving pictures of the camera, that one address may have open; this
        machine itself may open all there are, for a tunnel or proxy on it stands for many.
    all_streams, all_cameras : int
        The same for everyone together. Each holds a thread of the server.
    """

    rates: Mapping[str, Rate] = field(
        default_factory=lambda: {
            "look": Rate(40.0, 400),
            "change": Rate(5.0, 30),
            "join": Rate(0.5, 10),
            "photo": Rate(0.5, 10),
            "frame": Rate(10.0, 20),
            "page": Rate(5.0, 100),
            "file": Rate(100.0, 1000),
        }
    )
    streams: int = 20
    all_streams: int = 230
    cameras: int = 4
    all_cameras: int = 20


class Limits:
    """Counts what addresses do. Several threads may use it at once."""

    def __init__(
        self, settings: Settings | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.settings = settings or Settings()
        self._clock = clock
        self._lock = threading.Lock()
        self._spent: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._open: dict[tuple[str, str], int] = {}

    def wait_s(self, what: str, address: str) -> float:
        """Count one more; return 0, or how long to wait where it is too much.

        Examples
        --------
        >>> limits = Limits(Settings(rates={"join": Rate(0.5, 2)}), clock=lambda: 0.0)
        >>> [limits.wait_s("join", "192.0.2.7") for _ in range(3)]
        [0.0, 0.0, 2.0]
        """
        rate, now_s, key = self.settings.rates[what], self._clock(), (what, address)
        with self._lock:
            spent, since_s = self._spent.pop(key, (0.0, now_s))
            spent = max(0.0, spent - (now_s - since_s) * rate.per_s)
            is_too_much = spent + 1 > rate.at_once
            self._spent[key] = (spent if is_too_much else spent + 1, now_s)
            while len(self._spent) > MOST_ADDRESSES:
                self._spent.popitem(last=False)
        return (spent + 1 - rate.at_once) / rate.per_s if is_too_much else 0.0

    def take(self, what: str, address: str) -> bool:
        """Take one of the `streams` or `cameras` there are; tell whether there was one left."""
        most = {"streams": self.settings.streams, "cameras": self.settings.cameras}[what]
        of_all = {"streams": self.settings.all_streams, "cameras": self.settings.all_cameras}[what]
        with self._lock:
            own = self._open.get((what, address), 0)
            everyone = sum(count for (of, _), count in self._open.items() if of == what)
            is_free = everyone < of_all and (own < most or _is_this_machine(address))
            if is_free:
                self._open[what, address] = own + 1
            return is_free

    def held(self, what: str) -> int:
        """Return how many of the `streams` or `cameras` are taken."""
        with self._lock:
            return sum(count for (of, _), count in self._open.items() if of == what)

    def give_back(self, what: str, address: str) -> None:
        """Give back what `take` gave."""
        with self._lock:
            left = self._open[what, address] - 1
            if left:
                self._open[what, address] = left
            else:
                del self._open[what, address]


def _is_this_machine(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
