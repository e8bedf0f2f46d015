"""Phones at a real table: a live table, its page on a real port, and browsers without a screen."""

import http.client
import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import drawn
import numpy as np
from no_limits import no_limits
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.display_control import DisplayControl, DisplayFeed
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.board_watch import SeenFacts
from railspotter.table.live_table.commands import (
    AddFacts,
    Command,
    ConfirmJoining,
    restarts_watching,
)
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import BoardSight, Joining
from railspotter.table.live_table.timeouts import HOST_TIMEOUT_S, Hindrances
from railspotter.table.photo_file import Files
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.readings import Doubt
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.sources.source import NoCamera
from railspotter.vision.watching.questions import Occasion
from railspotter.webui.access.limits import Limits
from railspotter.webui.access.phone_access import Codes
from railspotter.webui.served_pages import ServingOptions, TablePage
from railspotter.webui.sessions.photo_queue import PhotoReading
from railspotter.webui.sessions.services import GameSession
from waiting import until

API = "/api/v1"
JPEG = b"\xff\xd8\xff\xe0 a small picture"
PLAYERS = (Player("ann", "red", "Ann"), Player("bob", "blue", "Bob"), Player("cleo", "green", ""))
PATIENCE_S = 20.0
LOOKING = "looking for the board"


class AskingTable(LiveTable):
    """A live table at which a test can ask something, as the camera would.

    `away_s` is the clock by which hindrances last: no time passes for them but where a test says
    so.
    """

    away_s = 0.0

    def __init__(self, *of_a_table: Any, **more: Any) -> None:
        super().__init__(*of_a_table, **more)
        self._hindrances = Hindrances(lambda: self.away_s)
        self._found: Joining | None = None
        self._told: dict[str, Any] = {}  # fields of a sight, as a test has them

    def _apply(self, command: Command, events: tuple[Event, ...]) -> None:
        super()._apply(command, events)
        if isinstance(command, ConfirmJoining) or restarts_watching(command, events):
            self._told.pop("joining", None)
        if self._found is not None and not self._inbox:
            self._told["joining"], self._found = self._found, None

    def _use_result(self, sight: BoardSight, facts: SeenFacts) -> None:
        told = dict(self._told)
        if sight.rebuilding is None:  # it is not compared
            told.pop("rebuilding", None)
        super()._use_result(replace(sight, **told), facts)

    def let_pass(self, seconds: float) -> None:
        """Let time pass, with a picture of the camera now and then."""
        for _ in range(round(2 * seconds)):
            self.away_s += 0.5
            number = self._seen_frame
            until(lambda number=number: self._seen_frame > number)  # type: ignore[misc]

    def ask(self, spot: Spot, said: str | None, *others: str | None) -> None:
        doubt = Doubt(spot, said, others, Sentence("glare lies over it"))
        self.questions.ask(doubt, Occasion.CHANGE)
        self.questions.show(doubt, JPEG)
        with self._lock:
            self._show(self.view)

    def see(self, **told: Any) -> None:
        """Have it see from the next frame on these fields of a `BoardSight`.

        How far a board is rebuilt it sees only while it compares it.
        """
        self._told |= told

    def find(
        self,
        lying: dict[Spot, str],
        *,
        missing: int = 0,
        changed: int = 0,
        waited: bool = False,
        sure: dict[Spot, float] | None = None,
    ) -> None:
        """Have it find what lies on the board, just now or so long ago that any player answers."""
        waiting = self._found = Joining(lying, missing, changed, sure=sure or {})
        self._inbox.append((AddFacts(()), ()))
        until(lambda: self._found is None and self.view.sight.joining == waiting)
        if waited:
            self._unjoined_s -= HOST_TIMEOUT_S
            until(lambda: self.view.is_joining_open)


@cache
def profile() -> Profile:
    blank = VirtualCamera(drawn.usa(), view=CameraSetup((640, 400))).take(Scene())
    return make_profile(blank.picture, drawn.usa(), blank.corners_px, "drawn", "")


def never(photos: Files) -> ScoredPhoto:
    raise AssertionError("nothing was to be read")


@dataclass(frozen=True)
class Table:
    """A running table and its page."""

    live: AskingTable
    log: GameLog
    page: TablePage
    session: GameSession
    limits: Limits
    said: list[str]

    @property
    def codes(self) -> Codes:
        return self.page.services.phone_access.codes

    def phone(self) -> "Phone":
        return Phone(self.page.server.port)

    def host(self) -> "Phone":
        return self.phone().join(self.codes.host)

    def joined(self) -> "Phone":
        return self.phone().join(self.codes.join)

    def player(self, seat: str) -> "Phone":
        phone = self.joined()
        assert phone.post("/seat", {"seat": seat}).status == 200
        return phone


def lit(live: AskingTable, desk: DisplayControl | None) -> AskingTable:
    """Let a display show the score of a table that has not begun to watch."""
    if desk is not None:
        live.subscribe(DisplayFeed(desk).update)
    return live


@contextmanager
def table(
    folder: Path,
    game: str | None = None,
    *,
    port: int = 0,
    address: str = "127.0.0.1",
    limits: Limits | None = None,
    score: Any = never,
    edition: str = "usa",
    desk: DisplayControl | None = None,
    board: Board | None = None,
    started: GameStarted | None = None,
    has_camera: bool = True,
) -> Iterator[Table]:
    """Open a table before a camera that sees no board, and its page."""
    store = GameStore(folder)
    started = started or GameStarted(edition, PLAYERS, board=board, name="Friday")
    grey = np.full((120, 160, 3), 128, np.uint8)
    said: list[str] = []
    limits = limits or no_limits()
    options = ServingOptions(address, port, said.append, limits=limits)
    with (
        store.open(game) if game else store.create(started, 1.0) as log,
        Grabber(
            VirtualBoard(lambda t_s: grey, 3600.0, 5.0) if has_camera else NoCamera()
        ) as grabber,
        lit(AskingTable(log, grabber, profile() if has_camera else None), desk) as live,
        TablePage(folder, options, PhotoReading(score), display=desk) as page,
        played(page, live, folder) as session,
    ):
        # Then nothing happens by itself.
        until(lambda: not has_camera or live.view.sight.board not in ("", LOOKING))
        yield Table(live, log, page, session, limits, said)


@contextmanager
def played(page: TablePage, live: LiveTable, folder: Path) -> Iterator[GameSession]:
    """Show a game on a table's page."""
    session = GameSession(live, page.services.phone_access, folder)
    with page.running(session):
        yield session


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def code(self) -> str:
        return str(self.json["error"]["code"])

    @property
    def refusal(self) -> tuple[int, str]:
        """Why something was refused; every refusal is told people, too, in a sentence."""
        assert self.json["error"]["message"].endswith("."), self.content
        return self.status, self.code


@dataclass
class Phone:
    """A browser: it keeps cookies, and sends the page's own origin."""

    port: int
    cookie: str = ""
    heard: bytearray = field(default_factory=bytearray)  # all that the server ever sent to it

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, body: Any = None, **headers: str | None) -> Answer:
        """Make a call; a header that is None is not sent, and `_` stands for `-`."""
        return self._send(method, API + path, body, headers)

    def page(self, path: str, **headers: str | None) -> Answer:
        """Open a page, or a file of one."""
        return self._send("GET", path, None, headers)

    def _send(self, method: str, path: str, body: Any, headers: Mapping[str, str | None]) -> Answer:
        sent: dict[str, str | None] = {"Cookie": self.cookie or None}
        if method != "GET":
            sent |= {"Origin": self.origin, "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request(
                method,
                path,
                content if method != "GET" else None,
                {name: value for name, value in sent.items() if value is not None},
            )
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        self.heard += str(answer.headers).encode() + answer.content
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookie = cookie.partition(";")[0]
        return answer

    def get(self, path: str, **headers: str | None) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str | None) -> Answer:
        return self.ask("POST", path, body, **headers)

    def join(self, token: str) -> Self:
        answer = self.post("/join", {"token": token})
        assert answer.status == 200, answer.content
        return self

    def state(self) -> Any:
        return self.get("/state").json

    def correct(self, route: str, now: str | None, was: str | None = None) -> Answer:
        """Say whose trains lie on a route; None is nobody's."""
        said = {"kind": "route", "about": route, "was": was, "now": now}
        return self.post("/corrections", said)

    @contextmanager
    def stream(self, last_id: str | None = None, query: str = "") -> "Iterator[Stream]":
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        headers = {"Cookie": self.cookie} if self.cookie else {}
        if last_id is not None:
            headers["Last-Event-ID"] = last_id
        try:
            connection.request("GET", f"{API}/events{query}", headers=headers)
            response = connection.getresponse()
            assert response.status == 200
            yield Stream(response, self.heard)
        finally:
            # The connection's socket is the response's now.
            response.close()
            connection.close()


@dataclass
class Stream:
    """What a phone hears of the stream."""

    response: http.client.HTTPResponse
    heard: bytearray

    def next(self, *wanted: str) -> tuple[str, str, Any]:
        """Return the next event of these kinds (any): its name, its id, its data."""
        name, number, data = "", "", b""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            line = self.response.readline()
            assert line, "the stream has ended"
            self.heard += line
            text = line.strip()
            if match := re.fullmatch(rb"event: (\w+)", text):
                name = match[1].decode()
            elif match := re.fullmatch(rb"id: (\d+)", text):
                number = match[1].decode()
            elif text.startswith(b"data:"):
                data = text[5:].strip()
            elif not text and name:
                if not wanted or name in wanted:
                    return name, number, json.loads(data) if data else None
                name = ""
        raise AssertionError("nothing was heard")


def netloc(url: str) -> str:
    return urlsplit(url).netloc
