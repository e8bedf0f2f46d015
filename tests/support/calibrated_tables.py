"""A running game before a phone's camera, with a profile of the user's own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from no_limits import quiet
from phones import PLAYERS, AskingTable, Phone, never, played
from railspotter.calibration.profiles.profile import Profile
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.home import ProfileStore
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.phone import PostedFrames
from railspotter.webui.served_pages import TablePage
from railspotter.webui.sessions.photo_queue import PhotoReading
from waiting import until


@dataclass(frozen=True)
class Calibrated:
    """The table, its page, and the host's phone."""

    live: AskingTable
    page: TablePage
    host: Phone
    box: PostedFrames
    store: ProfileStore

    def film(self, jpeg: bytes) -> None:
        self.box.post(jpeg)

    def until(self, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Ask until it is so."""

        def seen() -> dict[str, Any] | None:
            view: dict[str, Any] = self.host.get("/calibration").json
            return view if is_so(view) else None

        view: dict[str, Any] = until(seen)
        return view

    def done(self) -> dict[str, Any]:
        return self.until(lambda view: view["state"] in ("found", "lost"))


@contextmanager
def calibrated(
    folder: Path, profile: Profile, *, is_kept: bool = True, game: str = "", edition: str = "usa"
) -> Iterator[Calibrated]:
    """Open a table with a profile of the user's own, or the one that comes with the program."""
    profiles, games = ProfileStore(folder), GameStore(folder)
    if is_kept and not game:
        profiles.save(profile)
    box = PostedFrames()
    started = GameStarted(edition, PLAYERS, name="Friday")
    with (
        games.open(game) if game else games.create(started, 1.0) as log,
        Grabber(box) as grabber,
        AskingTable(log, grabber, profile) as live,
        TablePage(folder, quiet(), PhotoReading(never)) as page,
        played(page, live, folder),
    ):
        host = Phone(page.server.port).join(page.services.phone_access.codes.host)
        yield Calibrated(live, page, host, box, profiles)
