"""A game that is being set up, as the page has it: the desk, the phones, what the host is shown."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from railspotter.table.display_desk import DisplayDesk
from railspotter.table.live_table import TableCamera
from railspotter.table.set_up import SetUpDesk

from ..access import Opens
from ..feed import Json
from .watched import Watched, WatchedDoor

PHONES = "set-up.pairing"
"""The file of the phones, in the data directory: they go over to the game that begins."""


class SetUpRoom(WatchedDoor):
    """Everything about a set-up that the page's calls need, while its `with` block runs.

    Parameters
    ----------
    desk : SetUpDesk
        Whose `with` block runs.
    home : Path
        The data directory.
    display : DisplayDesk, optional
        The display beside the board.
    on_codes : callable
        Is told when the host's link is another one.

    Attributes
    ----------
    is_over : threading.Event
        Set when the pages are to be left.
    """

    def __init__(
        self,
        desk: SetUpDesk,
        home: Path,
        *,
        display: DisplayDesk | None = None,
        on_codes: Callable[[Opens], None] = lambda opens: None,
    ) -> None:
        with contextlib.suppress(OSError):  # then it says so when it has to write there
            home.mkdir(parents=True, exist_ok=True)
        self._phones = home / PHONES
        # Another one for each game: who plays two keeps both.
        super().__init__(self._phones, f"railspotter-{secrets.token_hex(4)}", on_codes)
        self.desk, self.display = desk, display
        self.is_over = threading.Event()
        self._no_camera = TableCamera(lambda: None)
        self._telling = threading.Lock()
        self._told: Json = {}
        self._number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        if self.desk.begun is not None:  # its phones have gone over to the game
            self._phones.unlink(missing_ok=True)

    def close(self) -> None:
        """End all moving pictures."""
        self.is_over.set()

    def watched(self) -> Watched:
        """Return what is before the chosen camera."""
        source = self.desk.source
        camera = self._no_camera if source is None else source.camera
        phone = self.desk.phone if source is not None and source.is_phone else None
        return Watched(camera, phone, self.display, self.is_over, self.desk.calibration)

    def take_along(self, game: Path) -> None:
        """Give every phone the same part in the game that begins, whose file this is."""
        self.pairing.take_along(game)

    def numbered(self, told: Json) -> Json:
        """Return what the host is shown, with a number that rises with every change.

        It goes on rising when the program is started again.
        """
        with self._telling:
            if told != self._told or not self._number:
                self._number = max(self._number + 1, time.time_ns() // 1_000_000)
                self._told = told
            return {"number": self._number, **told}
