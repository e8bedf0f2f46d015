"""A game's set-up on a real port."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from no_limits import quiet
from phones import Phone, never
from railspotter.firmware_bridge.display_controller import DisplayController
from railspotter.table.set_up.game_set_up import GameSetUp
from railspotter.table.set_up.planned_game import Preset
from railspotter.webui.access.phone_access import Codes
from railspotter.webui.served_pages import TablePage
from railspotter.webui.sessions.photo_queue import PhotoReading
from railspotter.webui.sessions.services import SetUpSession


@dataclass(frozen=True)
class SetUp:
    """A set-up that runs, and its page."""

    desk: GameSetUp
    page: TablePage
    cameras: tuple[str, ...]

    @property
    def players(self) -> list[tuple[str, str]]:
        return [(one.name, one.colour) for one in self.desk.view().players]

    @property
    def codes(self) -> Codes:
        return self.page.services.phone_access.codes

    def phone(self, cookie: str = "") -> Phone:
        return Phone(self.page.server.port, cookie)

    def host(self) -> Phone:
        return self.phone().join(self.codes.host)


@contextmanager
def set_up(
    home: Path,
    *cameras: str,
    score: Callable[..., Any] = never,
    port: int = 0,
    display: DisplayController | None = None,
) -> Iterator[SetUp]:
    """Serve a set-up in a home, with cameras in the network, which is left as it is begun."""
    with (
        GameSetUp(home, Preset(cameras=cameras)) as desk,
        TablePage(home, quiet(port=port), PhotoReading(score), display=display) as page,
        page.running(SetUpSession(desk)),
    ):
        try:
            yield SetUp(desk, page, cameras)
        finally:
            if desk.begun is not None:
                desk.begun.grabber.stop()
