"""Trains of a colour that no player has: drawn before the camera, asked about once on the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import drawn
from no_limits import quiet
from phones import Phone, never, played
from railspotter.table.game_log.board_facts import TrainsAssigned
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.live_table import LiveTable
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.webui.served_pages import TablePage
from railspotter.webui.sessions.photo_queue import PhotoReading
from waiting import until

PLAYERS = (Player("ann", "red", "Ann"), Player("bob", "blue", "Bob"), Player("cleo", "black", ""))
OWN = {"calgary--seattle": "red", "portland--seattle--0": "blue"}
STRANGE = ("denver--phoenix", "denver--kansas-city--0", "kansas-city--saint-louis--0")
NOBODYS = ("el-paso--houston", "atlanta--charleston")


class Board:
    """A drawn board before a camera, and the page of its table."""

    def __init__(self, folder: Path) -> None:
        self.store = GameStore(folder)
        with self.store.create(GameStarted("usa", PLAYERS), 1.0) as log:
            self.game = log.id
            log.append([TrainsAssigned("teal", "red")], 2.0)  # as a profile that is gone had them
        self.claims: dict[str, str] = {}
        self.lay({})

    def lay(self, claims: dict[str, str]) -> None:
        self.claims |= claims
        self.picture = drawn.photographed(self.claims)

    @contextmanager
    def watched(self) -> Iterator[Phone]:
        source = VirtualBoard(lambda t_s: self.picture, 3600.0, 5.0)
        with (
            self.store.open(self.game) as log,
            Grabber(source) as grabber,
            LiveTable(log, grabber, drawn.profile()) as live,
            TablePage(self.store.folder.parent, quiet(), PhotoReading(never)) as page,
            played(page, live, self.store.folder.parent),
        ):
            host = Phone(page.server.port).join(page.services.phone_access.codes.host)
            until(lambda: host.state()["table"]["state"] == "settled")
            yield host


def claims(host: Phone) -> dict[str, str]:
    spots: dict[str, Any] = host.state()["spots"]
    return {name.partition(":")[2]: held["colour"] for name, held in spots.items()}


def asked(host: Phone) -> Any:
    state = host.state()
    assert state["questions"] == []
    return state["table"]["strange"]


def routes(*names: str) -> list[str]:
    return sorted(f"route:{name}" for name in names)


def test_whose_strange_trains_are_is_asked_once_and_holds_from_game_to_game(
    tmp_path: Path,
) -> None:
    board = Board(tmp_path)
    board.lay(OWN)
    with board.watched() as host:
        assert host.post("/joining").status == 200  # what lies there is theirs
        until(lambda: claims(host) == OWN)
        board.lay(dict.fromkeys(STRANGE[:2], "white") | {NOBODYS[0]: "purple"})
        white, purple = routes(*STRANGE[:2]), routes(NOBODYS[0])
        until(lambda: asked(host) == {"white": white, "purple": purple})
        assert claims(host) == OWN
        assert host.post("/trains", {"trains": "white", "colour": "mauve"}).status == 400
        said = host.post("/trains", {"trains": "white", "colour": "black"})
        assert said.status == 200
        until(lambda: "purple" in asked(host))
        assert host.post("/trains", {"trains": "purple", "colour": None}).status == 200
        until(lambda: claims(host) == OWN | dict.fromkeys(STRANGE[:2], "black"))
        assert asked(host) == {}
        late = host.post("/trains", {"trains": "white", "colour": "red"})
        assert late.refusal == (409, "answered")
    own = {**OWN, "calgary--helena": "red"}
    board.lay({STRANGE[2]: "white", NOBODYS[1]: "purple", **own})
    with board.watched() as host:
        until(lambda: claims(host) == own | dict.fromkeys(STRANGE, "black"))
        assert asked(host) == {}
        assert host.post("/undo", {"event": said.json["undo"]["event"]}).status == 200
        until(lambda: asked(host) == {"white": routes(*STRANGE)})
