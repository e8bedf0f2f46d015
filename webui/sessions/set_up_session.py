"""The session of a game's set-up: the set-up itself, its phones, and the state's number."""

import contextlib
import secrets
import threading
import time
from pathlib import Path

from railspotter.table.display_control import DisplayControl
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_calibration.live_calibration import LiveCalibration
from railspotter.table.live_table.pictures import PhoneCamera, TableCamera
from railspotter.table.past_games.summaries import changed_at_s, stamps
from railspotter.table.set_up.game_set_up import GameSetUp
from railspotter.table.worker import Closable

from ..access.phone_access import PhoneAccess

# The pairing file in the data directory; its phones are copied to the game that begins.
PHONES = "set-up.pairing"

# For so long after a game its phones are known in the next set-up.
SAME_EVENING_S = 12 * 3600


def newest_game(home: Path, now_s: float) -> Path | None:
    """Return the file of the last game, if it was played on the same evening."""
    store = GameStore(home)
    written_s = {game: changed_at_s(stamp) for game, stamp in stamps(store.folder).items()}
    newest = max(written_s, key=lambda game: written_s[game], default="")
    is_newest_old = not newest or now_s - written_s[newest] > SAME_EVENING_S
    return None if is_newest_old else store.path(newest)


class SetUpSession(Closable):
    """Everything about a set-up that calls need, while its `with` block runs.

    `desk` must have been entered already. `home` is the data directory.
    """

    def __init__(
        self, desk: GameSetUp, home: Path, *, display: DisplayControl | None = None
    ) -> None:
        with contextlib.suppress(OSError):  # reported when it has to write there
            home.mkdir(parents=True, exist_ok=True)
        self._phones = home / PHONES
        # A new cookie name for each game, so that a phone can have several.
        self.phone_access = PhoneAccess(self._phones, f"railspotter-{secrets.token_hex(4)}")
        if (game := newest_game(home, time.time())) is not None:
            self.phone_access.copy_phones_from(game)
        self.desk = desk
        self.display = display  # None if there can be none
        self.is_over = threading.Event()  # set when the pages' streams must end
        self._no_camera = TableCamera(lambda: None)
        self._lock = threading.Lock()
        self._last: object = None
        self._number = 0

    def close(self) -> None:
        """End the camera streams."""
        self.is_over.set()
        if self.desk.begun is not None:  # its phones were copied to the game
            self._phones.unlink(missing_ok=True)

    @property
    def camera(self) -> TableCamera:
        """The chosen camera's pictures; none before one is chosen."""
        source = self.desk.now.source
        return self._no_camera if source is None else source.camera

    @property
    def phone(self) -> PhoneCamera | None:
        """The receiver of a phone's pictures; None if the camera is no phone."""
        source = self.desk.now.source
        return self.desk.phone if source is not None and source.is_phone else None

    @property
    def calibration(self) -> LiveCalibration | None:
        """The running calibration; None without a board or a source."""
        return self.desk.now.calibration

    def number_of(self, shown: object) -> int:
        """Return a number for the host's view that rises with every change, also over restarts."""
        with self._lock:
            if shown != self._last:
                self._number = max(self._number + 1, time.time_ns() // 1_000_000)
                self._last = shown
            return self._number
