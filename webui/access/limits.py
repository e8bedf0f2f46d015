"""Rate limits and stream limits for each client address."""

import ipaddress
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

ALL = ""  # instead of an address: all of them together
MOST_ADDRESSES = 1000  # that are remembered; the least recently active are forgotten first


@dataclass(frozen=True)
class Rate:
    """A token bucket: the sustained rate per second, and the burst."""

    per_s: float
    at_once: int


@dataclass(frozen=True)
class Settings:
    """The limits."""

    rates: Mapping[str, Rate] = field(  # by kind of request
        default_factory=lambda: {
            "look": Rate(40.0, 400),
            "change": Rate(5.0, 30),
            "join": Rate(0.5, 10),
            "game": Rate(1 / 30, 10),
            "photo": Rate(0.5, 10),
            "frame": Rate(10.0, 20),
            "page": Rate(5.0, 100),
            "file": Rate(100.0, 1000),
            "word": Rate(1.0, 60),  # wrong ones, of all addresses together
            "pin": Rate(1 / 3600, 5),  # likewise
            "number": Rate(1 / 60, 5),  # likewise, while there is no host
        }
    )
    # Event streams and camera streams that one address may have open, and all together. This
    # machine itself may open all, since a tunnel or proxy on it stands for many clients. Each
    # stream takes a server thread. When all are in use, the address with most yields to others.
    streams: int = 20
    all_streams: int = 230
    cameras: int = 4
    all_cameras: int = 20


class Slot:
    """An open stream of an address.

    To end it, `is_over` is set and the callback `wake` called. `is_guest` is whether it was opened
    by no known phone: by the guest link, or a looker-on.
    """

    def __init__(self, household: str, wake: Callable[[], None], *, is_guest: bool = False) -> None:
        self.household, self.is_guest, self.is_over = household, is_guest, threading.Event()
        self._wake = wake

    def end(self) -> None:
        """Request the stream to end."""
        self.is_over.set()
        self._wake()


class Limits:
    """Enforces the limits. Thread-safe."""

    def __init__(
        self, settings: Settings | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.settings = settings or Settings()
        self._clock = clock
        self._lock = threading.Lock()
        self._spent: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._slots: dict[str, list[Slot]] = {"streams": [], "cameras": []}  # the oldest first

    def wait_s(self, what: str, address: str, *, is_counted: bool = True) -> float:
        """Count a request, or not; return 0, or the seconds to wait if it exceeds the rate.

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
            self._spent[key] = (spent + (is_counted and not is_too_much), now_s)
            while len(self._spent) > MOST_ADDRESSES:
                del self._spent[next(known for known in self._spent if known[1] != ALL)]
        return (spent + 1 - rate.at_once) / rate.per_s if is_too_much else 0.0

    def forget(self, what: str, address: str) -> None:
        """Forget the requests that were counted."""
        with self._lock:
            self._spent.pop((what, address), None)

    def take(
        self,
        what: str,
        address: str,
        wake: Callable[[], None] = lambda: None,
        *,
        is_guest: bool = False,
    ) -> Slot | None:
        """Take a slot for a stream, of the kind `streams` or `cameras`; None if there is none left.

        When all are in use, the oldest stream of the address with most is ended, if that address
        still has at least as many as the newcomer then. So a client that reconnects does not evict
        others in turn, and a single stream is never evicted.

        >>> limits = Limits(Settings(streams=3, all_streams=3))
        >>> crowd = [limits.take("streams", "192.0.2.7") for _ in range(3)]
        >>> newcomer = limits.take("streams", "192.0.2.8")
        >>> newcomer is not None, [slot.is_over.is_set() for slot in crowd]
        (True, [True, False, False])
        >>> limits.take("streams", "192.0.2.7") is None
        True
        """
        of_one, of_all = (getattr(self.settings, name) for name in (what, f"all_{what}"))
        home = household(address)
        slot, ended = Slot(home or address, wake, is_guest=is_guest), None
        with self._lock:
            slots = self._slots[what]
            counts = Counter(one.household for one in slots)
            own = counts[slot.household]
            if home and own >= of_one:
                return None
            if len(slots) >= of_all:
                crowd, most = counts.most_common(1)[0]
                if most <= own + 1:
                    return None
                ended = next(one for one in slots if one.household == crowd)
                slots.remove(ended)
            slots.append(slot)
        if ended is not None:
            ended.end()
        return slot

    def end_guests(self) -> None:
        """End all streams of who is no known phone: of the guest link, and of lookers-on."""
        with self._lock:
            guests = [slot for slot in self._slots["streams"] if slot.is_guest]
        for slot in guests:
            slot.end()

    def release(self, what: str, slot: Slot) -> None:
        """Release a slot, which may have been evicted already."""
        with self._lock:
            if slot in self._slots[what]:
                self._slots[what].remove(slot)


def ip_of(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that a text is; None for a name."""
    with suppress(ValueError):
        return ipaddress.ip_address(text)
    return None


def household(address: str) -> str:
    """Return the key to count a client by: the IPv4 address, or the /64 network of an IPv6 one.

    Empty for this machine itself, which has no limit of its own.

    >>> household("192.0.2.7"), household("2001:db8::1:2:3:4"), household("127.0.0.1")
    ('192.0.2.7', '2001:db8::/64', '')
    """
    if (ip := ip_of(address.partition("%")[0])) is None:
        return address
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if ip.is_loopback:
        return ""
    return str(ip) if ip.version == 4 else str(ipaddress.ip_network((ip, 64), strict=False))
