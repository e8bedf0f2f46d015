"""The page of `railspotter play`: opened before the table watches, shut when it is over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from railspotter.table.display_desk import DisplayDesk
from railspotter.table.live_table import LiveTable

from .access import Limits, Opens
from .app import create_app
from .rooms import Room, Score, ScoreTogether
from .serving import Https
from .shown_page import ShownPage


class PlayPage(ShownPage):
    """The page of a running game, while its `with` block runs.

    Parameters
    ----------
    table : LiveTable
    host, port : str, int
        Where to listen.
    score, score_together : callable
        Score photos that are sent from a phone.
    say : callable
        Says something to whoever is at the computer.
    again : callable, optional
        Begins a new game with the same people.
    desk : DisplayDesk, optional
        The display beside the board.
    https : Https, optional
        The certificates of a page on https.

    Raises
    ------
    AddressError
        On entering, when the address or port cannot be used.
    CertificateError
        On entering, when there is no port for the page that tells how to trust it.
    """

    def __init__(
        self,
        table: LiveTable,
        host: str,
        port: int,
        score: Score,
        score_together: ScoreTogether | None = None,
        *,
        say: Callable[[str], None],
        again: Callable[[Callable[[Path], None]], None] | None = None,
        desk: DisplayDesk | None = None,
        limits: Limits | None = None,
        https: Https | None = None,
    ) -> None:
        self.room = Room(table, again=again, desk=desk, on_codes=self._say_new)
        app = create_app(score, score_together=score_together, room=self.room, limits=limits)
        super().__init__(
            app,
            self.room,
            self.room,
            self.room.feed.close,
            host,
            port,
            say=say,
            https=https,
        )

    def _say_links(self) -> None:
        self._say_new("join")
        self._say_new("host")
        if self.room.phone is not None:
            self._say_new("camera")
            if self._https is None:
                self._say("over http that phone sends photos one by one; to film, add '--https'")
        self._say_who_gets_in(
            "everyone in this network can look on; to change anything needs a code"
        )

    def _say_new(self, opens: Opens) -> None:
        self._say_code(opens, is_scanned=opens != "host")
