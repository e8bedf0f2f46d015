"""A table that is always on: a day with ten games, and what it holds after each.

    python benchmarks/table_days.py [--games 10] [--hours 24] [--polls 2000] [--idle-s 60]

`railspotter serve` is one process on this computer, asked by phones of its own. Games take turns:
one before a phone's camera, in which a drawn board is watched, routes are claimed, corrected and
undone, tickets kept and shown, pages opened and a photo scored; and one with cards on phones, in
which computers play. Each is ended, counted and left for the first page. After each are told the
process' processor time, memory, threads, open files, and the files of the data directory that are
no game's; the last of each kind of game is held against the first, and more than 5 % is said.

What is real: every call, picture, stream and reading, in real time. What is compressed: the hours
between two games. The program's clocks (`time.time`, `time.monotonic`) are put forward at once, as
when a computer sleeps, so what is due after hours is due; what threads do every few seconds is not
done as often. For that a page at rest asks `--polls` times after each game, without a pause (a page
left open asks once in 1.5 s: 2,000 are 50 minutes), and at last the table rests for `--idle-s` in
real time, with a page that asks as pages do.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

import cv2
import drawn
import numpy as np
import phones
from phones import Answer, Phone
from railspotter.scoring.board import load_board
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import to_jpeg
from served_play import RUN, free_port, put
from waiting import until as until_then

from browsers.filmed_board import FilmedBoard
from hostile.running_game import child_processes, memory_mb, processor_s

COLOURS = ("red", "blue", "green")
SEEN = (("helena--seattle", "red"), ("atlanta--nashville", "blue"))
SAID = ("houston--new-orleans", "dallas--houston--0", "calgary--helena", "el-paso--houston")
TICKET = {"a": "denver", "b": "el-paso", "points": 4}
PICTURE_EVERY_S, FRAME_S, VARIANTS = 0.3, 0.7, 4
POLL_EVERY_S = 1.5  # of a page at rest (webui/static/home/main.js)
TRIM_S = 6.0  # until the program has given free memory back (table/memory.py)
MOST_TURNS = 12
MOST_GROWTH = 0.05
# The program, whose clocks a signal puts forward.
CLOCKS = """
import signal, time
passed_s = 0.0
def running_on(clock):
    return lambda: clock() + passed_s
time.time, time.monotonic = running_on(time.time), running_on(time.monotonic)
def put_forward(*_):
    global passed_s
    passed_s += SKIPPED_S
signal.signal(signal.SIGUSR1, put_forward)
"""
PATIENCE_S = 600.0  # with a machine that others use too
until = partial(until_then, patience_s=PATIENCE_S)

Variants = list[bytes]  # one picture, in JPEGs that differ
Pictures = tuple[Variants, list[list[Variants]], list[Variants]]


@dataclass(frozen=True)
class Held:
    """What the program holds at one moment."""

    rss_mb: float
    threads: int
    files: int  # open ones
    children: int  # processes that it began
    kept: int  # files of the data directory that are no game's

    @staticmethod
    def of(process: int, home: Path) -> "Held":
        """Return what a process holds now."""
        own = Path(f"/proc/{process}")
        threads, files = (len(list((own / what).iterdir())) for what in ("task", "fd"))
        children = len(child_processes(process))
        kept = [path for path in home.rglob("*") if not re.match(r"[0-9a-f-]{32}", path.name)]
        return Held(memory_mb(process), threads, files, children, len(kept))

    def __str__(self) -> str:
        return (
            f"{self.rss_mb:6.1f} MB, {self.threads} threads, {self.files} open files,"
            f" {self.children} processes, {self.kept} files kept beside games"
        )

    def growth(self, first: "Held") -> Iterator[str]:
        """Yield what has grown by too much since another moment."""
        before, after = asdict(first), asdict(self)
        for what, value in after.items():
            if value > before[what] * (1 + MOST_GROWTH):
                yield f"{what} grew from {before[what]:g} to {value:g}"


@dataclass(eq=False)
class Table:
    """The running program, and the phones at it."""

    home: Path
    skipped_s: float
    port: int = field(default_factory=free_port)
    shown: list[bytes] = field(default_factory=list)  # what the camera's phone sends by turns

    def __post_init__(self) -> None:
        code = CLOCKS.replace("SKIPPED_S", repr(self.skipped_s)) + RUN
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "serve", "--port", str(self.port)],
            env=os.environ | {"RAILSPOTTER_HOME": str(self.home)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        said = next(line for line in self.process.stdout if "#host=" in line)
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.host = Phone(self.port).join(said.partition("#host=")[2].split()[0])
        code = self.host.get("/codes").json["join"]["url"].partition("#join=")[2]
        self.players = [self.host, *(Phone(self.port).join(code) for _ in COLOURS[1:])]

    def phase(self) -> str:
        """Return what goes on."""
        return str(self.host.get("/table").json["phase"])

    def begin(self, players: list[dict[str, str]], source: str, cards: str) -> str:
        """Set a game up; return the camera's link if there is one."""
        assert self.host.post("/table/set-up").status == 200
        until(lambda: self.phase() == "set_up")
        put(self.host, "edition", {"edition": "usa"})
        put(self.host, "players", {"players": players})
        put(self.host, "cards", {"cards": cards})
        return str(put(self.host, "source", {"source": source}).get("camera_link", ""))

    def play(self) -> None:
        """Begin the game as soon as it may be, and seat everyone."""
        until(lambda: self.host.get("/set-up").json["may_begin"])
        assert self.host.post("/set-up/begin").status == 200
        until(lambda: self.phase() == "game")

    def leave(self) -> None:
        """End the game, count it, look at it in the past games, and leave it."""
        for path in ("/end", "/count"):
            self.host.post(path)  # refused where it is so already
        game = self.host.get("/table").json["game"]
        done(self.host, "/table/home")
        until(lambda: self.phase() == "home")
        until(lambda: not self.host.get("/games").json["unread"])
        for path in (f"/games/{game}", f"/games/{game}/moments", f"/games/{game}/export/jsonl"):
            assert self.host.get(path).status == 200, path

    @contextmanager
    def filming(self, link: str) -> Iterator[None]:
        """Let a phone send what is shown to it."""
        camera, is_over = Phone(self.port).join(link.partition("#camera=")[2]), threading.Event()

        def film() -> None:
            for number in cycle(range(VARIANTS)):
                if is_over.wait(PICTURE_EVERY_S):
                    return
                with suppress(OSError):  # a page is another one for a moment
                    camera.post("/frames?kind=film", self.shown[number], Content_Type="image/jpeg")

        thread = threading.Thread(target=film)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Have all phones hear the game's stream until it ends."""
        threads = [threading.Thread(target=_listen, args=(phone,)) for phone in self.players]
        for thread in threads:
            thread.start()
        yield
        for thread in threads:
            thread.join()


def _listen(phone: Phone) -> None:
    with suppress(AssertionError, OSError), phone.stream() as stream:
        while True:
            stream.next()


def watch_a_game(table: Table, pictures: Pictures) -> None:
    """Play a game before a camera."""
    table.shown = pictures[0]
    players = [{"name": colour.title(), "colour": colour} for colour in COLOURS]
    with table.filming(table.begin(players, "phone", "table")):
        table.play()
        seats = [player["seat"] for player in table.host.state()["players"]]
        with table.listening():
            for phone, seat in zip(table.players, seats, strict=True):
                done(phone, "/seat", {"seat": seat})
                assert phone.page("/").status == 200
                done(phone, "/hand", TICKET)
            until(lambda: table.host.state()["table"]["state"] == "settled", what="empty board")
            for (route, _), hands, resting in zip(SEEN, *pictures[1:], strict=True):
                for picture in hands:
                    table.shown = picture
                    time.sleep(FRAME_S)
                table.shown = resting
                until(lambda: f"route:{route}" in table.host.state()["spots"], what=route)  # noqa: B023
            for route in SAID:
                said = {"kind": "route", "about": route, "was": None, "now": "red"}
                done(table.host, "/undo", done(table.host, "/corrections", said).json["undo"])
            score_photo(table)
            done(table.host, "/end")
            for phone in table.players:
                done(phone, "/hand/reveal")
            table.leave()


def done(phone: Phone, path: str, body: Any = None) -> Answer:
    """Make a call, again where it is too early, and return its answer."""
    while (answer := phone.post(path, body)).status in (429, 503):
        time.sleep(1.0)
    assert answer.status == 200, (path, answer.content)
    return answer


def score_photo(table: Table) -> None:
    """Score a photo of the board as it lies."""
    head = b'--X\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    body = head + table.shown[0] + b"\r\n--X--\r\n"
    answer = table.host.post("/photos", body, Content_Type="multipart/form-data; boundary=X")
    assert answer.status == 200, answer.content
    assert table.host.page(answer.json["page"]).status == 200


def play_cards(table: Table) -> None:
    """Play a game with cards on phones against computers."""
    table.begin(
        [
            {"name": "Ann", "colour": "red"},
            {"name": "", "colour": "blue", "computer": "hard"},
            {"name": "", "colour": "green", "computer": "easy"},
        ],
        "none",
        "phones",
    )
    table.play()
    seat = table.host.state()["players"][0]["seat"]
    with table.listening():
        done(table.host, "/seat", {"seat": seat})
        for _ in range(MOST_TURNS):
            until(lambda: move(table.host))
        table.leave()


def move(host: Phone) -> bool:
    """Lay what computers have paid for, and make the host's next move, if it is to move."""
    for laid in host.state()["cards"]["to_lay"]:
        kind, _, about = laid["spot"].partition(":")
        host.post("/cards/laid", {"kind": kind, "about": about})
    own = host.get("/cards").json
    if own["offered"]:
        choice: dict[str, Any] = {"move": "keep_tickets", "tickets": own["offered"]}
    elif own["is_turn"] and own["can_draw"]["deck"]:
        choice = {"move": "draw_card"}
    else:
        return False
    return host.post("/cards/moves", {"move": choice}).status == 200


def rest(table: Table, polls: int, every_s: float = 0.0) -> None:
    """Have a page at rest ask so many times; then let the hours pass until free memory is back."""
    for _ in range(polls):
        for path in ("/table", "/you", "/host"):
            table.players[-1].get(path)
        time.sleep(every_s)
    table.process.send_signal(signal.SIGUSR1)
    time.sleep(TRIM_S)


def draw_pictures() -> Pictures:
    """Draw the board: empty; for each claim the hands; and after each, at rest."""
    board = FilmedBoard(load_board("usa"))
    empty, hands, resting = variants(board.jpeg), [], []
    for route, colour in SEEN:
        colours = [colour] * board.route_length(route)
        hands.append([variants(jpeg) for jpeg in board.place_route(route, colours)])
        resting.append(hands[-1][-1])
    return empty, hands, resting


def variants(jpeg: str) -> Variants:
    """Return a picture with other corners: no camera sends one twice."""
    decoded = cv2.imdecode(np.frombuffer(b64decode(jpeg), np.uint8), cv2.IMREAD_COLOR)
    picture = np.array(decoded, np.uint8)
    made = []
    for number in range(VARIANTS):
        picture[:4, :4] = 255 * number // VARIANTS
        made.append(to_jpeg(picture, 90))
    return made


def main() -> int:
    """Let the days pass; return 1 if more is held than after the first games."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--hours", type=float, default=24.0, help="how long all of it lasts")
    parser.add_argument(
        "--polls", type=int, default=2000, help="of a page at rest, after each game"
    )
    parser.add_argument("--idle-s", type=float, default=60.0, help="in real time, at last")
    given = parser.parse_args()
    phones.PATIENCE_S = PATIENCE_S
    pictures = draw_pictures()
    samples: list[Held] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        ProfileStore(home).save(drawn.profile())
        table = Table(home, given.hours * 3600 / given.games)
        try:
            print(f"at the start:        {Held.of(table.process.pid, home)}", flush=True)
            for number in range(given.games):
                began_s, used_s = time.monotonic(), processor_s(table.process.pid)
                watch_a_game(table, pictures) if number % 2 == 0 else play_cards(table)
                took_s = time.monotonic() - began_s
                used_s = processor_s(table.process.pid) - used_s
                rest(table, given.polls)
                samples.append(Held.of(table.process.pid, home))
                kind = "cards" if number % 2 else "camera"
                took = f"{number + 1:2} {kind:6} {took_s:5.1f} s, {used_s:4.1f} s of a core"
                print(f"{took}:  {samples[-1]}", flush=True)
            rest(table, int(given.idle_s / POLL_EVERY_S), POLL_EVERY_S)
            print(f"after {given.idle_s:.0f} s at rest: {Held.of(table.process.pid, home)}")
        finally:
            table.process.kill()
            table.process.wait()
    grown = [
        f"{kind}: {what}"
        for kind, (first, last) in {
            "camera": (samples[0], samples[(given.games - 1) // 2 * 2]),
            "cards": (samples[1], samples[(given.games - 2) // 2 * 2 + 1]),
        }.items()
        for what in last.growth(first)
    ]
    print("\n".join(grown) or f"nothing grew by more than {MOST_GROWTH:.0%} after the first game")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
