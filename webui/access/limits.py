"""How often one address may ask: enough for people, too little to keep others from playing."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

# Addresses that are remembered; those that were silent the longest are forgotten first.
MOST_ADDRESSES = 1000


@dataclass(frozen=True)
class Rate:
    """How often something may be done: in the long run, times a second, and at once."""

    per_s: float
    at_once: int


@dataclass(frozen=True)
class Settings:
    """What one address may do, and all together."""

    # The rate of each kind of request.
    rates: Mapping[str, Rate] = field(
        default_factory=lambda: {
            "look": Rate(40.0, 400),
            "change": Rate(5.0, 30),
            "join": Rate(0.5, 10),
            "game": Rate(1 / 30, 10),
            "photo": Rate(0.5, 10),
            "frame": Rate(10.0, 20),
            "page": Rate(5.0, 100),
            "file": Rate(100.0, 1000),
        }
    )
    # streams, cameras: Streams of changes, and moving pictures of the camera, that one address may
    # have open; this machine itself may open all there are, for a tunnel or proxy on it stands for
    # many.
    streams: int = 20
    # all_streams, all_cameras: The same for everyone together. Each holds a thread of the server.
    # Where all are taken, the address that has most makes room for one that has fewer.
    all_streams: int = 230
    cameras: int = 4
    all_cameras: int = 20


class Place:
    """One of the streams or moving pictures that there are, while an address has it.

    When it has to make room `is_over` is set, and `wake` has whoever uses the place look at that.
    `is_guest` says whether it is held by the guest link.
    """

    def __init__(self, household: str, wake: Callable[[], None], *, is_guest: bool = False) -> None:
        self.household, self.is_guest, self.is_over = household, is_guest, threading.Event()
        self._wake = wake

    def end(self) -> None:
        """Have what uses it end."""
        self.is_over.set()
        self._wake()


class Limits:
    """Counts what addresses do. Several threads may use it at once."""

    def __init__(
        self, settings: Settings | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.settings = settings or Settings()
        self._clock = clock
        self._lock = threading.Lock()
        self._spent: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        # The oldest come first.
        self._places: dict[str, list[Place]] = {"streams": [], "cameras": []}

    def wait_s(self, what: str, address: str) -> float:
        """Count one more; return 0, or how long to wait where it is too much.

        Examples
        --------
        >>> limits = Limits(Settings(rates={"join": Rate(0.5, 2)}), clock=lambda: 0.0)
        >>> [limits.wait_s("join", "192.0.2.7") for _ in range(3)]
        [0.0, 0.0, 2.0]
        """
        rate, now_s = self.settings.rates[what], self._clock()
        key = (what, household(address) or address)
        with self._lock:
            spent, since_s = self._spent.pop(key, (0.0, now_s))
            spent = max(0.0, spent - (now_s - since_s) * rate.per_s)
            is_too_much = spent + 1 > rate.at_once
            self._spent[key] = (spent if is_too_much else spent + 1, now_s)
            while len(self._spent) > MOST_ADDRESSES:
                self._spent.popitem(last=False)
        return (spent + 1 - rate.at_once) / rate.per_s if is_too_much else 0.0

    def take(
        self,
        what: str,
        address: str,
        wake: Callable[[], None] = lambda: None,
        *,
        is_guest: bool = False,
    ) -> Place | None:
        """Take one of the `streams` or `cameras` there are; return None where there is none left.

        Where all are taken, the oldest of the address that has most ends, if that still has as many
        as the newcomer then: so whoever was ended and comes back ends nobody's in turn, and who has
        a single one never loses it.

        `wake` and `is_guest` are as a `Place` has them.

        Examples
        --------
        >>> limits = Limits(Settings(streams=3, all_streams=3))
        >>> crowd = [limits.take("streams", "192.0.2.7") for _ in range(3)]
        >>> newcomer = limits.take("streams", "192.0.2.8")
        >>> newcomer is not None, [place.is_over.is_set() for place in crowd]
        (True, [True, False, False])
        >>> limits.take("streams", "192.0.2.7") is None
        True
        """
        of_one, of_all = {
            "streams": (self.settings.streams, self.settings.all_streams),
            "cameras": (self.settings.cameras, self.settings.all_cameras),
        }[what]
        home = household(address)
        place, ended = Place(home or address, wake, is_guest=is_guest), None
        with self._lock:
            places = self._places[what]
            counts = Counter(one.household for one in places)
            own = counts[place.household]
            if home and own >= of_one:
                return None
            if len(places) >= of_all:
                crowd, most = counts.most_common(1)[0]
                if most <= own + 1:
                    return None
                ended = next(one for one in places if one.household == crowd)
                places.remove(ended)
            places.append(place)
        if ended is not None:
            ended.end()
        return place

    def held(self, what: str) -> int:
        """Return how many of the `streams` or `cameras` are taken."""
        with self._lock:
            return len(self._places[what])

    def end_guests(self) -> None:
        """End whatever looks on by the guest link."""
        with self._lock:
            guests = [place for place in self._places["streams"] if place.is_guest]
        for place in guests:
            place.end()

    def give_back(self, what: str, place: Place) -> None:
        """Give back what `take` gave; it may have made room already."""
        with self._lock:
            if place in self._places[what]:
                self._places[what].remove(place)


def household(address: str) -> str:
    """Return what phones are counted by: an address, of IPv6 its /64, which one phone can use.

    Empty for this machine itself, which may open all there are: a tunnel or proxy on it stands for
    many.

    Examples
    --------
    >>> household("192.0.2.7"), household("2001:db8::1:2:3:4"), household("127.0.0.1")
    ('192.0.2.7', '2001:db8::/64', '')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if ip.is_loopback:
        return ""
    return str(ip) if ip.version == 4 else str(ipaddress.ip_network((ip, 64), strict=False))
