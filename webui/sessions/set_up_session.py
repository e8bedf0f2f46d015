"""A game that is being set up, as the page has it: the desk, the phones, what the host is shown."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path

from railspotter.table.display_control import DisplayControl
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.pictures import TableCamera
from railspotter.table.set_up.game_set_up import GameSetUp
from railspotter.table.worker import Closable

from ..access.codes import CodeKind
from ..access.phone_access import PhoneAccess
from .game_session import Equipment

# The file of the phones, in the data directory: they go over to the game that begins.
PHONES = "set-up.pairing"

# So long the phones of a game are known in a set-up that follows, as after a restart.
SAME_EVENING_S = 12 * 3600


def newest_game(home: Path, now_s: float) -> Path | None:
    """Return the file of the game that was played last, where that was on the same evening."""
    store = GameStore(home)
    written = {path: _written_at_s(path) for path in map(store.path, store.ids())}
    newest = max(written, key=lambda path: written[path], default=None)
    if newest is None or now_s - written[newest] > SAME_EVENING_S:
        return None
    return newest


def _written_at_s(path: Path) -> float:
    """Return when a game was last written to: newest is what the log beside its file has."""
    times = [0.0]
    for file in (path, path.with_name(f"{path.name}-wal")):
        with contextlib.suppress(OSError):
            times.append(file.stat().st_mtime)
    return max(times)


class SetUpSession(Closable):
    """Everything about a set-up that the page's calls need, while its `with` block runs.

    Parameters
    ----------
    desk : GameSetUp
        Opened already: its `with` block runs.
    home : Path
        The data directory.
    display : DisplayControl, optional
        The display beside the board.
    on_codes : callable
        Is told when the host's link is another one.

    Attributes
    ----------
    phone_access : PhoneAccess
        The codes and phones of the set-up; each set-up has its own.
    is_over : threading.Event
        Set when the pages are to be left.
    """

    def __init__(
        self,
        desk: GameSetUp,
        home: Path,
        *,
        display: DisplayControl | None = None,
        on_codes: Callable[[CodeKind], None] = lambda kind: None,
    ) -> None:
        with contextlib.suppress(OSError):  # then it says so when it has to write there
            home.mkdir(parents=True, exist_ok=True)
        self._phones = home / PHONES
        # Another one for each game: who plays two keeps both.
        self.phone_access = PhoneAccess(
            self._phones, f"railspotter-{secrets.token_hex(4)}", on_codes
        )
        if (game := newest_game(home, time.time())) is not None:
            self.phone_access.pairing.copy_phones_from(game)
        self.desk = desk
        self._display = display
        self.is_over = threading.Event()
        self._no_camera = TableCamera(lambda: None)
        self._lock = threading.Lock()
        self._last: object = None
        self._number = 0

    def close(self) -> None:
        """End all moving pictures."""
        self.is_over.set()
        if self.desk.begun is not None:  # its phones have gone over to the game
            self._phones.unlink(missing_ok=True)

    def equipment(self) -> Equipment:
        """Return the chosen camera, and what stands beside the board."""
        source = self.desk.source
        camera = self._no_camera if source is None else source.camera
        phone = self.desk.phone if source is not None and source.is_phone else None
        return Equipment(camera, phone, self._display, self.is_over, self.desk.calibration)

    def number_of(self, shown: object) -> int:
        """Return a number of what the host is shown, that rises with every change.

        It goes on rising when the program is started again.
        """
        with self._lock:
            if shown != self._last:
                self._number = max(self._number + 1, time.time_ns() // 1_000_000)
                self._last = shown
            return self._number
