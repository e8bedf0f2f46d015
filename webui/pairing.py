"""Which phone has which seat, kept beside the game's log: a restart pairs nobody anew."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
from railspotter.table.game_log.game_store import PAIRING
from railspotter.table.whole_file import write_whole

from .errors import PairingError
from .roles import Device, Devices

SUFFIX = PAIRING
FORMAT = 1


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file holds: nothing in it opens anything."""

    format: int
    cookie: str
    devices: tuple[Device, ...] = ()


class Pairing:
    """The phones of one game, in memory and in its file. Several threads may use it at once.

    A file that cannot be read is as good as none: everyone scans the code again.

    Parameters
    ----------
    path : Path
        The file; it need not exist yet.
    cookie : str
        What the cookies of a new game are called.
    """

    def __init__(self, path: Path, cookie: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        try:
            kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            kept = _Kept(FORMAT, cookie)
        self.cookie = kept.cookie
        self._devices = Devices(kept.devices)

    @property
    def devices(self) -> Devices:
        """The phones, as they are now."""
        return self._devices

    def take_along(self, game: Path) -> None:
        """Give everyone the same part in another game, whose file this is."""
        _write(game.with_suffix(SUFFIX), _Kept(FORMAT, self.cookie, self._devices.all))

    def change(self, change: Callable[[Devices], Devices]) -> Devices:
        """Change the phones and keep them; what `change` raises leaves all as it was.

        Raises
        ------
        PairingError
            When they cannot be written. They are as they were then.
        """
        with self._lock:
            devices = change(self._devices)
            _write(self._path, _Kept(FORMAT, self.cookie, devices.all))
            self._devices = devices
            return devices


def _write(path: Path, kept: _Kept) -> None:
    try:
        write_whole(path, msgspec.json.encode(kept), is_private=True)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise PairingError(f"cannot write {path}, who sits where: {why}") from error
