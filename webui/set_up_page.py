"""The page of `railspotter play` on which a game is set up, until it begins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from railspotter.table.display_desk import DisplayDesk
from railspotter.table.game_log import GameStore
from railspotter.table.set_up import SetUpDesk

from .access import Limits, Opens
from .app import create_app
from .feed import History
from .rooms import Score, ScoreTogether, SetUpRoom
from .serving import Https
from .shown_page import ShownPage


class SetUpPage(ShownPage):
    """The page of a game that is being set up, while its `with` block runs.

    Parameters
    ----------
    desk : SetUpDesk
        Whose `with` block runs.
    home : Path
        The data directory.
    host, port : str, int
        Where to listen.
    score, score_together : callable
        Score photos that are sent from a phone.
    say : callable
        Says something to whoever is at the computer.
    display : DisplayDesk, optional
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
        desk: SetUpDesk,
        home: Path,
        host: str,
        port: int,
        score: Score,
        score_together: ScoreTogether | None = None,
        *,
        say: Callable[[str], None],
        display: DisplayDesk | None = None,
        limits: Limits | None = None,
        https: Https | None = None,
    ) -> None:
        self.room = SetUpRoom(desk, home, display=display, on_codes=self._say_new)
        app = create_app(
            score,
            score_together=score_together,
            door=self.room,
            history=History(GameStore(home)),
            limits=limits,
        )
        super().__init__(
            app, self.room, self.room, self.room.close, host, port, say=say, https=https
        )

    def _say_links(self) -> None:
        self._say_code("host", is_scanned=True)
        self._say_who_gets_in(
            "everyone in this network can open the page; to set up the game needs the host's link"
        )

    def _say_new(self, opens: Opens) -> None:
        """Say the host's next link; the camera's is shown on the host's phone."""
        if opens == "host":
            self._say_code(opens, is_scanned=False)
