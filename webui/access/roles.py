"""Phones and their roles (guest, player, host), identified by cookies."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

TOKEN_BYTES = 16  # 128 random bits
MOST_DEVICES = 100  # phones of one game; idle ones are forgotten first
MOST_COOKIES = 8  # cookie names of a game that was resumed often; the oldest are forgotten

Role = Literal["guest", "player", "host"]
# How a hand was last held: kept by the host's phone for a player without one, by a phone in that
# seat, or by one whose seat was then freed, or given to a computer.
HandUse = Literal["kept", "own", "freed"]
# What guests may do: at home all that no host is needed for; in a cafe not see past games.
Guests = Literal["home", "cafe"]


def new_token() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """Return a token's hash, for storage; 128 random bits need no salt or stretching."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_same(one: str, other: str) -> bool:
    """Compare two secrets in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())


class Device(msgspec.Struct, frozen=True):
    """A phone that was let in by a code or link."""

    cookie_hash: str
    has_joined: bool = False  # whether it may take a seat
    is_host: bool = False  # whether it opened the host's link
    seat: str | None = None
    is_camera: bool = False  # whether it may be the camera
    # How many of the game's events are hidden in its seat's hand: older tickets may be another
    # person's secrets. None until it first asks for its hand.
    hand_from: int | None = 0
    # As the host: the hands that it keeps for players without a phone, with the number of hidden
    # events of each.
    other_hands: Mapping[str, int] = {}
    had: tuple[str, ...] = ()  # all seats that it has had in this game
    lost_seat: str | None = None  # the seat that the host took from it, until it takes another

    @property
    def is_sent_away(self) -> bool:
        """Whether the host took its seat, so that it must scan a code again."""
        return self.lost_seat is not None and not (self.has_joined or self.is_host)

    @property
    def is_idle(self) -> bool:
        """Whether it may only watch."""
        return self.seat is None and not self.is_host and not self.is_camera

    @property
    def role(self) -> Role:
        """Its highest role."""
        return "host" if self.is_host else "player" if self.seat else "guest"

    def without_hand(self, seat: str | None) -> "Device":
        """Return it without the hand of a player that it kept."""
        others = {other: since for other, since in self.other_hands.items() if other != seat}
        return replace(self, other_hands=others)


class Door(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who may come in to a table, and what guests may do there, as its keeper has it."""

    word: str = ""  # lets a phone in; not hashed, so that the code on the wall stays the same
    is_open: bool = False  # whether everybody in the network may look on without it
    guests: Guests = "home"
    is_on_screens: bool = True  # whether screens show the word while a game runs, too
    # Makes a phone a host's: its salt and hash; empty for none.
    pin: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{96})?$")] = ""


class Devices(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="format",
    tag=1,
    rename={"all": "devices"},
):
    """All phones of a game, as its file has them; no secret beyond the guest link's token."""

    cookie: str = ""  # the name of the cookies for new phones
    all: tuple[Device, ...] = ()  # in order of arrival
    more: tuple[str, ...] = ()  # cookie names of phones that came from other set-ups
    guest: str = ""  # the guest link's token, not hashed, to show the link after a restart
    # How the hand of each seat was last held, with cards on phones.
    hands: Mapping[str, HandUse] = {}
    door: Door = Door()  # the table's; a game's file has none

    @property
    def cookies(self) -> tuple[str, ...]:
        """The names of the cookies of all these phones."""
        return (self.cookie, *self.more)

    def admits_guest(self, token: str) -> bool:
        """Tell whether a token is the guest link's."""
        return bool(self.guest) and is_same(token, self.guest)

    def with_cookie(self, cookie: str) -> Device | None:
        """Return the phone of a cookie, in constant time."""
        wanted = hash_of(cookie)
        found = [device for device in self.all if is_same(device.cookie_hash, wanted)]
        return found[-1] if found else None

    def current(self, device: Device) -> Device | None:
        """Return the current state of a phone; None if it was removed."""
        return next((one for one in self.all if one.cookie_hash == device.cookie_hash), None)

    def at(self, seat: str) -> Device | None:
        """Return the phone that has a seat."""
        return next((device for device in self.all if device.seat == seat), None)

    @property
    def seats(self) -> frozenset[str]:
        """The seats that phones have."""
        return frozenset(device.seat for device in self.all if device.seat is not None)

    def put(self, device: Device) -> "Devices":
        """Add or replace a phone; other phones lose the hand of its seat."""
        others = [one.without_hand(device.seat) for one in self.all]
        if self.current(device) is not None:
            changed = (device if one.cookie_hash == device.cookie_hash else one for one in others)
            return replace(self, all=tuple(changed))
        while len(others) >= MOST_DEVICES:
            idle = (i for i, one in enumerate(others) if one.is_idle)
            others.pop(next(idle, 0))
        return replace(self, all=(*others, device))

    def without_camera(self) -> "Devices":
        """Take the camera role from all phones."""
        return replace(self, all=tuple(replace(one, is_camera=False) for one in self.all))

    def without_seats(self) -> "Devices":
        """Return the phones with their rights alone: without seats, hands and a game's memory."""
        phones = (
            Device(one.cookie_hash, one.has_joined, one.is_host, is_camera=one.is_camera)
            for one in self.all
            if not one.is_sent_away
        )
        return replace(self, all=tuple(phones), hands={})

    def at_table_of(self, here: "Devices", cookies: Iterable[str]) -> "Devices":
        """Add names of cookies, and take over the guest link and the door of a table."""
        more = dict.fromkeys((*self.more, *cookies))
        more.pop(self.cookie, None)
        return replace(self, more=tuple(more)[-MOST_COOKIES:], guest=here.guest, door=here.door)

    def without(self, device: Device) -> "Devices":
        """Remove a phone."""
        return replace(
            self, all=tuple(one for one in self.all if one.cookie_hash != device.cookie_hash)
        )
