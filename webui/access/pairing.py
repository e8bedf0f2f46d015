"""The phones of a game and their seats, saved beside the game's log to survive a restart."""

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
MOST_COOKIES = 8  # cookie names of a game that was resumed often; the oldest are forgotten


class _PairingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of the file; contains no secret beyond the guest link's token."""

    format: int
    cookie: str  # the name of the cookies for new phones
    devices: tuple[Device, ...] = ()
    more: tuple[str, ...] = ()  # cookie names of phones that came from other set-ups
    guest: str = ""  # the guest link's token, not hashed, to show the link after a restart
    hands: Mapping[str, HandUse] = msgspec.field(default_factory=dict)  # see `Devices.hands`


class Pairing:
    """The phones of one game, in memory and in its file. Thread-safe.

    An unreadable file counts as missing: everyone has to scan the code again. `cookie` is the
    cookies' name for a new game.
    """

    def __init__(self, path: Path, cookie: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        kept = _read(path) or _PairingFile(FORMAT, cookie)
        self.cookie, self._more = kept.cookie, kept.more
        self.guest_token = kept.guest  # of the guest link; empty if there is none
        self._devices = Devices(kept.devices, kept.hands)

    @property
    def devices(self) -> Devices:
        """The current phones."""
        return self._devices

    @property
    def cookies(self) -> tuple[str, ...]:
        """The names of the cookies of all these phones."""
        return (self.cookie, *self._more)

    def copy_phones_to(self, game: Path) -> None:
        """Copy the phones to another game's pairing file, where known phones keep their seats."""
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
        """Import the phones of another game, without their seats and hands."""
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
        """Change the phones and save them; nothing changes if an exception is raised.

        Raises `PairingError` when they cannot be saved.
        """
        with self._lock:
            devices = change(self._devices)
            _write(self._path, self._content(devices))
            self._devices = devices
            return devices

    def set_guest_token(self, token: str) -> None:
        """Set and save the guest link's token, empty for none; raises as `change`."""
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
    """Return a phone for another game, without access to hands there."""
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
