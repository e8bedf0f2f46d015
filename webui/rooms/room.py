"""A running game as the page has it: its table, its phones, its codes, what everyone is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from railspotter.table.calibration_desk import desk_of
from railspotter.table.display_desk import DisplayDesk
from railspotter.table.home import ProfileStore
from railspotter.table.live_table import LiveTable, PhoneCamera, TableCamera

from ..access import SUFFIX, Device, Opens
from ..feed import Feed, Questions
from .watched import Watched, WatchedDoor


class Room(WatchedDoor):
    """Everything about one running game that the page's calls need, while its `with` block runs.

    Parameters
    ----------
    table : LiveTable
    again : callable, optional
        Begins a new game with the same people; it hands the new game's file to what it is handed,
        before anybody goes over to it.
    desk : DisplayDesk, optional
        The display beside the board.
    on_codes : callable
        Is told when the join code or the host's link is another one.

    Attributes
    ----------
    phone : PhoneCamera or None
        Takes a phone's pictures, where a phone is the camera.
    calibration : CalibrationDesk or None
        Where the board is, for the host; None for a board that is only drawn.
    lock : threading.Lock
        Held by a call that looks at the table first and then changes it.
    """

    def __init__(
        self,
        table: LiveTable,
        *,
        again: Callable[[Callable[[Path], None]], None] | None = None,
        desk: DisplayDesk | None = None,
        on_codes: Callable[[Opens], None] = lambda opens: None,
    ) -> None:
        log = table.log
        super().__init__(log.path.with_suffix(SUFFIX), f"railspotter-{log.id[:8]}", on_codes)
        self.table, self.again = table, again
        self.desk = desk
        self.questions = Questions()
        self.feed = Feed(table, self.pairing, self.questions)
        self.camera = TableCamera(lambda: table.frame)
        self.phone = PhoneCamera.of(table)
        self.calibration = desk_of(table, ProfileStore(log.path.parent.parent))
        self.lock = threading.Lock()

    def __enter__(self) -> Self:
        self.feed.__enter__()
        if self.calibration is not None:
            self.calibration.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.calibration is not None:
            self.calibration.__exit__(kind, error, trace)
        self.feed.__exit__(kind, error, trace)

    def watched(self) -> Watched:
        """Return what is before the table's camera."""
        return Watched(self.camera, self.phone, self.desk, self.feed.is_over, self.calibration)

    def device_with(self, cookie: str) -> Device | None:
        """Return the phone that has a cookie; without its seat where the game has that no more.

        Somebody who came in may be undone again, and who left is not in the next game.
        """
        device = super().device_with(cookie)
        if device is None or device.seat is None:
            return device
        player = self.table.log.state.table.player(device.seat)
        return device if player is not None else replace(device, seat=None)
