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
from railspotter.table.live_calibration.live_calibration import LiveCalibration
from railspotter.table.live_table.pictures import PhoneCamera, TableCamera
from railspotter.table.past_games.summaries import changed_at_s, stamps
from railspotter.table.set_up.game_set_up import GameSetUp
from railspotter.table.worker import Closable

from ..access.codes import CodeKind
from ..access.phone_access import PhoneAccess

# The file of the phones, in the data directory: they go over to the game that begins.
PHONES = "set-up.pairing"

# So long the phones of a game are known in a set-up that follows, as after a restart.
SAME_EVENING_S = 12 * 3600


def newest_game(home: Path, now_s: float) -> Path | None:
    """Return the file of the game that was played last, where that was on the same evening."""
    store = GameStore(home)
    written_s = {game: changed_at_s(stamp) for game, stamp in stamps(store.folder).items()}
    newest = max(written_s, key=lambda game: written_s[game], default="")
    is_newest_old = not newest or now_s - written_s[newest] > SAME_EVENING_S
    return None if is_newest_old else store.path(newest)


class SetUpSession(Closable):
    """Everything about a set-up that the page's calls need, while its `with` block runs.

    The desk is opened already: its `with` block runs. `home` is the data directory, and `on_codes`
    is told when the host's link is another one.
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
        self.display = display  # the one beside the board; None where there can be none
        self.is_over = threading.Event()  # set when the pages are to be left
        self._no_camera = TableCamera(lambda: None)
        self._lock = threading.Lock()
        self._last: object = None
        self._number = 0

    def close(self) -> None:
        """End all moving pictures."""
        self.is_over.set()
        if self.desk.begun is not None:  # its phones have gone over to the game
            self._phones.unlink(missing_ok=True)

    @property
    def camera(self) -> TableCamera:
        """What gives the pictures of the chosen camera; none before one is chosen."""
        source = self.desk.source
        return self._no_camera if source is None else source.camera

    @property
    def phone(self) -> PhoneCamera | None:
        """What takes a phone's pictures; None where no phone is the camera."""
        source = self.desk.source
        return self.desk.phone if source is not None and source.is_phone else None

    @property
    def calibration(self) -> LiveCalibration | None:
        """Where the board is looked for; None while no board or no source is chosen."""
        return self.desk.calibration

    def number_of(self, shown: object) -> int:
        """Return a number of what the host is shown, that rises with every change.

        It goes on rising when the program is started again.
        """
        with self._lock:
            if shown != self._last:
                self._number = max(self._number + 1, time.time_ns() // 1_000_000)
                self._last = shown
            return self._number
