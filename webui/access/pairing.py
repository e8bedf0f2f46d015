"""The phones of a game and their seats, saved beside the game's log to survive a restart."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec.structs import replace
from railspotter.table.game_log.game_store import PAIRING
from railspotter.table.whole_file import write_whole

from ..errors import PairingError
from .roles import Device, Devices


class Pairing:
    """The phones of one game, in memory (`devices`) and in its file. Thread-safe.

    An unreadable file counts as missing: everyone has to scan the code again. `cookie` is the
    cookies' name for a new game.
    """

    def __init__(self, path: Path, cookie: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        self.devices = _read(path) or Devices(cookie)

    def copy_phones_to(self, game: Path) -> None:
        """Copy the phones to another game's pairing file, where known phones keep their seats."""
        here, path = self.devices, game.with_suffix(PAIRING)
        there = _read(path) or Devices(here.cookie)
        if any(device.is_camera for device in here.all):  # one phone at a time
            there = there.without_camera()
        for device in here.all:
            there = there.put(_moved(device, there))
        _write(path, there.with_links(here.cookies, here.guest or there.guest))

    def copy_phones_from(self, game: Path) -> None:
        """Import the phones of another game, without their seats and hands."""
        there = _read(game.with_suffix(PAIRING))
        if there is None:
            return
        with self._lock:
            here = self.devices
            for device in there.all:
                if here.current(device) is None:
                    here = here.put(_moved(replace(device, seat=None), here))
            self.devices = here.with_links(there.cookies, here.guest or there.guest)

    def change(self, change: Callable[[Devices], Devices]) -> Devices:
        """Change the phones and save them; nothing changes if an exception is raised.

        Raises `PairingError` when they cannot be saved.
        """
        with self._lock:
            devices = change(self.devices)
            _write(self._path, devices)
            self.devices = devices
            return devices


def _moved(device: Device, there: Devices) -> Device:
    """Return a phone for another game, with its rights but without access to hands there."""
    moved = replace(
        there.current(device) or Device(device.cookie_hash),
        has_joined=device.has_joined,
        is_host=device.is_host,
        is_camera=device.is_camera,
    )
    if moved.seat is not None:
        return moved
    seat = None if device.seat in there.seats else device.seat
    return replace(moved, seat=seat, hand_from=None)


def _read(path: Path) -> Devices | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Devices)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _write(path: Path, devices: Devices) -> None:
    try:
        write_whole(path, msgspec.json.encode(devices), is_private=True)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise PairingError(
            "cannot write {path}: {error}", path=f"{path}, who sits where", error=why
        ) from error
