"""A running game as the page has it: its table, its phones, its codes, what everyone is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

from railspotter.table.display_control import DisplayControl
from railspotter.table.home import ProfileStore
from railspotter.table.live_calibration.live_calibration import calibration_for
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.pictures import PhoneCamera, TableCamera, phone_view
from railspotter.table.worker import Closable

from ..access.codes import CodeKind
from ..access.pairing import SUFFIX
from ..access.phone_access import PhoneAccess
from ..feed.feed import Feed


class GameSession(Closable):
    """Everything about one running game that the page's calls need, while its `with` block runs.

    `again` begins a new game with the same people; it hands the new game's file to what it is
    handed, before anybody goes over to it. `on_codes` is told when the join code or the host's link
    is another one.
    """

    def __init__(
        self,
        table: LiveTable,
        *,
        again: Callable[[Callable[[Path], None]], None] | None = None,
        display: DisplayControl | None = None,
        on_codes: Callable[[CodeKind], None] = lambda kind: None,
    ) -> None:
        log = table.log
        self.phone_access = PhoneAccess(
            log.path.with_suffix(SUFFIX),
            f"railspotter-{log.id[:8]}",
            on_codes,
            has_seat=lambda seat: log.state.table.player(seat) is not None,
        )
        self.table, self.again = table, again
        self.feed = Feed(table, self.phone_access.pairing)
        # Takes a phone's pictures; None where no phone is the camera.
        self.phone = PhoneCamera.of(table.source, lambda: phone_view(table.view, table.sighted))
        # Held by each call that changes the game: it looks at the table first.
        self.lock = threading.Lock()
        self.camera = TableCamera(lambda: table.frame)  # gives what is seen
        self.display = display  # the one beside the board; None where there can be none
        # Looks for the board; None for one that is only drawn: where that is, is known.
        self.calibration = calibration_for(table, ProfileStore(log.path.parent.parent))

    def __enter__(self) -> Self:
        self.feed.__enter__()
        if self.calibration is not None:
            self.calibration.__enter__()
        return self

    def close(self) -> None:
        """End what pages are told, and the looking for the board."""
        if self.calibration is not None:
            self.calibration.close()
        self.feed.close()

    @property
    def is_over(self) -> threading.Event:
        """Set when whoever looks on is to leave."""
        return self.feed.is_over
