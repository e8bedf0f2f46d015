"""Who may do what: guests, players and the host, told apart by the cookies of their phones."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

TOKEN_BYTES = 16  # 128 random bits: nobody finds one by trying
# The phones of one game that are kept. Those that neither sit nor host are forgotten first.
MOST_DEVICES = 100

Role = Literal["guest", "player", "host"]
# Who has had a hand: the host's phone for a player without one, a phone in that seat, or one whose
# seat the host then freed, or let a computer play in.
HandUse = Literal["kept", "own", "freed"]


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """Return what is kept of a token.

    Without salt or stretching: nobody tries through 128 random bits.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def is_same(one: str, other: str) -> bool:
    """Compare two secrets in a time that tells nothing of them."""
    return hmac.compare_digest(one.encode(), other.encode())


@dataclass(frozen=True)
class Device:
    """A phone that opened the join code or the host's link."""

    cookie_hash: str
    has_joined: bool = False  # whether it may take a seat
    is_host: bool = False  # whether it opened the host's link
    seat: str | None = None
    is_camera: bool = False  # whether the host let it be the camera
    # How many events the game had when it took its seat: tickets of that seat that are older were
    # somebody else's secret and stay it. None until it first asks for its hand.
    hand_from: int | None = 0
    # Seats without a phone whose tickets it has entered as the host, each with how many events the
    # game had when it began to: it does not see older ones.
    other_hands: Mapping[str, int] = field(default_factory=dict)
    had: tuple[str, ...] = ()  # the seats that it has had in this game
    lost_seat: str | None = None  # the one that the host took from it, until it takes a seat again

    @property
    def is_sent_away(self) -> bool:
        """Whether it may do no more than a phone that nobody knows, until it scans a code again."""
        return self.lost_seat is not None and not (self.has_joined or self.is_host)

    @property
    def is_idle(self) -> bool:
        """Whether it may do no more than look on."""
        return self.seat is None and not self.is_host and not self.is_camera

    @property
    def role(self) -> Role:
        """The most that it may do."""
        return "host" if self.is_host else "player" if self.seat else "guest"


@dataclass(frozen=True)
class Devices:
    """All phones of a game, in the order in which they came."""

    all: tuple[Device, ...] = ()
    # By the seats whose hands of dealt cards phones have had, who had them last.
    hands: Mapping[str, HandUse] = field(default_factory=dict)

    def with_cookie(self, cookie: str) -> Device | None:
        """Return the phone that has a cookie."""
        wanted, found = hash_of(cookie), None
        for device in self.all:  # all of them, so that the time tells nothing
            if is_same(device.cookie_hash, wanted):
                found = device
        return found

    def current(self, device: Device) -> Device | None:
        """Return a phone as it is now; None when it was sent away meanwhile."""
        return next((one for one in self.all if one.cookie_hash == device.cookie_hash), None)

    def at(self, seat: str) -> Device | None:
        """Return the phone that has a seat."""
        return next((device for device in self.all if device.seat == seat), None)

    @property
    def seats(self) -> frozenset[str]:
        """The seats that phones have."""
        return frozenset(device.seat for device in self.all if device.seat is not None)

    def put(self, device: Device) -> Devices:
        """Return the phones with a new or changed one.

        The hand of a seat that has a phone is nobody else's any more.
        """
        others = tuple(_without_hand(one, device.seat) for one in self.all)
        if any(known.cookie_hash == device.cookie_hash for known in others):
            changed = (
                device if known.cookie_hash == device.cookie_hash else known for known in others
            )
            return replace(self, all=tuple(changed))
        kept = list(others)
        while len(kept) >= MOST_DEVICES:
            idle = (i for i, one in enumerate(kept) if one.is_idle)
            kept.pop(next(idle, 0))
        return replace(self, all=(*kept, device))

    def without_camera(self) -> Devices:
        """Return the phones, none of them the camera."""
        return replace(self, all=tuple(replace(one, is_camera=False) for one in self.all))

    def without(self, device: Device) -> Devices:
        """Return the phones without one."""
        return replace(
            self, all=tuple(one for one in self.all if one.cookie_hash != device.cookie_hash)
        )


def _without_hand(device: Device, seat: str | None) -> Device:
    if seat not in device.other_hands:
        return device
    others = {other: since for other, since in device.other_hands.items() if other != seat}
    return replace(device, other_hands=others)
