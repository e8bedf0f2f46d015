"""The session of a running game: its table, phones, feed, camera and calibration."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

from railspotter.table.display_control import DisplayControl
from railspotter.table.game_log.game_store import PAIRING
from railspotter.table.home import ProfileStore
from railspotter.table.live_calibration.live_calibration import calibration_for
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.pictures import PhoneCamera, TableCamera, phone_view
from railspotter.table.worker import Closable

from ..access.phone_access import PhoneAccess
from ..feed.feed import Feed


class GameSession(Closable):
    """Everything about a running game that calls need, while its `with` block runs.

    `again` begins a new game with the same people, after calling its argument with the new game's
    file.
    """

    def __init__(
        self,
        table: LiveTable,
        *,
        again: Callable[[Callable[[Path], None]], None] | None = None,
        display: DisplayControl | None = None,
    ) -> None:
        log = table.log
        self.phone_access = PhoneAccess(
            log.path.with_suffix(PAIRING),
            f"railspotter-{log.id[:8]}",
            has_seat=lambda seat: log.state.table.player(seat) is not None,
        )
        self.table, self.again = table, again
        self.feed = Feed(table, self.phone_access)
        self.is_over = self.feed.is_over  # set when the pages' streams must end
        # Receives a phone's pictures; None if the camera is no phone.
        self.phone = PhoneCamera.of(table.source, lambda: phone_view(table.view, table.sighted))
        # Held by each call that changes the game, since it checks the table before it acts.
        self.lock = threading.Lock()
        self.camera = TableCamera(lambda: table.frame)
        self.display = display  # None if there can be none
        # None without a camera, or with a simulated board.
        self.calibration = calibration_for(table, ProfileStore(log.path.parent.parent))

    def __enter__(self) -> Self:
        self.feed.__enter__()
        if self.calibration is not None:
            self.calibration.__enter__()
        return self

    def close(self) -> None:
        """Stop feed and calibration."""
        if self.calibration is not None:
            self.calibration.close()
        self.feed.close()
