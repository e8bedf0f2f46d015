"""Which phone has which seat, kept beside the game's log: a restart pairs nobody anew."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
from railspotter.table.game_log.game_store import PAIRING
from railspotter.table.whole_file import write_whole

from ..errors import PairingError
from .roles import Device, Devices, HandUse

SUFFIX = PAIRING
FORMAT = 1
# Names of cookies; of a game that is gone on with more often, the oldest are forgotten.
MOST_COOKIES = 8


class _PairingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of the file: nothing in it opens more than every guest sees."""

    format: int
    cookie: str  # the name of the cookies that phones get
    devices: tuple[Device, ...] = ()
    # Names of the cookies of phones that came over from where the game was set up anew.
    more: tuple[str, ...] = ()
    # The token of the guest link, plain: the host is shown the same link again after a restart.
    guest: str = ""
    # Who had the hands of dealt cards last, by their seats.
    hands: Mapping[str, HandUse] = msgspec.field(default_factory=dict)


class Pairing:
    """The phones of one game, in memory and in its file. Several threads may use it at once.

    A file that cannot be read is as good as none: everyone scans the code again. `cookie` is what
    the cookies of a new game are called.
    """

    def __init__(self, path: Path, cookie: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        kept = _read(path) or _PairingFile(FORMAT, cookie)
        self.cookie, self._more = kept.cookie, kept.more
        self.guest_token = kept.guest  # of the guest link; empty where none is out
        self._devices = Devices(kept.devices, kept.hands)

    @property
    def devices(self) -> Devices:
        """The phones, as they are now."""
        return self._devices

    @property
    def cookies(self) -> tuple[str, ...]:
        """What the cookies of all these phones are called."""
        return (self.cookie, *self._more)

    def copy_phones_to(self, game: Path) -> None:
        """Give everyone the same part in another game, whose file this is.

        Who has a part in that already keeps it.
        """
        path = game.with_suffix(SUFFIX)
        there = _read(path) or _PairingFile(FORMAT, self.cookie)
        devices = Devices(there.devices, there.hands)
        if any(device.is_camera for device in self._devices.all):  # one phone at a time
            devices = devices.without_camera()
        for device in self._devices.all:
            devices = devices.put(_moved(device, devices))
        more = dict.fromkeys((*there.more, *self.cookies))
        more.pop(there.cookie, None)
        guest = self.guest_token or there.guest
        more_names = tuple(more)[-MOST_COOKIES:]
        kept = _PairingFile(FORMAT, there.cookie, devices.all, more_names, guest, devices.hands)
        _write(path, kept)

    def copy_phones_from(self, game: Path) -> None:
        """Let the phones of a game in as what they are there, but for their seats and hands."""
        there = _read(game.with_suffix(SUFFIX))
        if there is None:
            return
        with self._lock:
            devices = self._devices
            for device in there.devices:
                if devices.current(device) is None:
                    devices = devices.put(_moved(replace(device, seat=None), Devices()))
            more = dict.fromkeys((*self._more, *there.more, there.cookie))
            self._devices, self._more = devices, tuple(more)[-MOST_COOKIES:]
            self.guest_token = self.guest_token or there.guest

    def change(self, change: Callable[[Devices], Devices]) -> Devices:
        """Change the phones and keep them; what it or `change` raises leaves all as it was.

        Raises `PairingError` when they cannot be written.
        """
        with self._lock:
            devices = change(self._devices)
            _write(self._path, self._content(devices))
            self._devices = devices
            return devices

    def set_guest_token(self, token: str) -> None:
        """Keep another token of the guest link, empty for none; raises as `change` does."""
        with self._lock:
            before, self.guest_token = self.guest_token, token
            try:
                _write(self._path, self._content(self._devices))
            except PairingError:
                self.guest_token = before
                raise

    def _content(self, devices: Devices) -> _PairingFile:
        return _PairingFile(
            FORMAT, self.cookie, devices.all, self._more, self.guest_token, devices.hands
        )


def _moved(device: Device, there: Devices) -> Device:
    """Return a phone as it comes into another game: no hand there is opened by a seat of this."""
    known = there.current(device)
    known_here = known or Device("")
    device = replace(
        device,
        other_hands=known_here.other_hands,
        had=known_here.had,
        lost_seat=known_here.lost_seat,
    )
    if known is not None and known.seat is not None:
        return replace(device, seat=known.seat, hand_from=known.hand_from)
    seat = None if device.seat in there.seats else device.seat
    return replace(device, seat=seat, hand_from=None)


def _read(path: Path) -> _PairingFile | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_PairingFile)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _write(path: Path, kept: _PairingFile) -> None:
    try:
        write_whole(path, msgspec.json.encode(kept), is_private=True)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise PairingError(
            "cannot write {path}: {error}", path=f"{path}, who sits where", error=why
        ) from error
