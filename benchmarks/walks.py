"""Prints the files that are called from a user's action to its result.

    python benchmarks/walks.py [--photo FILE]

For each walk it counts, in all threads: the program's files of which a function is called, how
often a game is scored, a longest path is searched, a position is built, a value becomes JSON.

photo   a photo that the command reads: `railspotter read FILE --board usa`
claim   a train that lies there, from the camera's first picture of it to phone and display
tap     a correction by a phone, until another phone and a display show it
ticket  a ticket that a phone keeps for its player

Of a photo it also counts the way of its board through `vision/reading`: how often a file is entered
by a function that was not called before, how often one that had been left is, and how many
functions that are.

The page is there and a phone follows it before tap and ticket begin; files that are only imported
do not count.
"""

import argparse
import io
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

import msgspec
from phones import Phone, never, table
from railspotter.cli.command import main as railspotter
from railspotter.cli.pages import open_display
from railspotter.table.display_control import DisplayFeed
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.set_up.demo import demo_table
from railspotter.vision.sources.grabber import Grabber
from railspotter.webui.served_pages import PlayPage, ServingOptions
from railspotter.webui.sessions.photo_queue import PhotoReading

from photos.labelled import PHOTOS

ROOT = Path(__file__).resolve().parents[1]
EXCLUDED_FOLDERS = (ROOT / "tests", ROOT / "benchmarks", ROOT / ".venv", ROOT / "build")
COUNTED = {
    ("scoring/points/standing.py", "position_standing"): "scorings",
    ("scoring/points/final_score.py", "final_score"): "scorings",
    ("scoring/paths/longest_path.py", "longest_path"): "longest paths",
    ("table/game_log/table_state.py", "position"): "positions",
    ("scoring/game.py", "position_of"): "positions",
}
ENCODINGS = "encodings"
CALLS: dict[str, tuple[str, object]] = {
    "tap": (
        "/corrections",
        {"kind": "route", "about": "helena--seattle", "was": None, "now": "red"},
    ),
    "ticket": ("/hand", {"a": "boston", "b": "miami"}),
}
WALKS = ("photo", "claim", *CALLS)
PHOTO = "usa/IMG_4142_1920.jpg"
OK_STATUS = 200
SETTLING_S = 1.5  # so long after the answer everything is shown


class CallRecorder:
    """Records the calls of all threads while it is active."""

    def __init__(self) -> None:
        self.entered: dict[tuple[str, str], None] = {}  # file and function, by their first calls
        self.counts: Counter[str] = Counter()
        self.is_on = False

    def record(self, frame: FrameType, event: str, arg: Any) -> None:
        """Record one call; a callback of `sys.setprofile`."""
        if not self.is_on:
            return
        if event == "c_call":
            if arg is msgspec.json.encode:
                self.counts[ENCODINGS] += 1
        elif event == "call":
            path, name = frame.f_code.co_filename, frame.f_code.co_name
            if not path.startswith(str(ROOT)) or path.startswith(tuple(map(str, EXCLUDED_FOLDERS))):
                return
            file = path.removeprefix(f"{ROOT}/")
            self.entered[file, name] = None
            if (file, name) in COUNTED:
                self.counts[COUNTED[file, name]] += 1

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record the calls during a block."""
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False

    def summary_line(self, name: str) -> str:
        """Return a walk's printed line."""
        counts = ", ".join(
            f"{self.counts[what]} {what}" for what in dict.fromkeys((*COUNTED.values(), ENCODINGS))
        )
        files = {file for file, _ in self.entered}
        return f"{name:8}{len(files):4} files, {counts}"

    def file_order_line(self, room: str) -> str:
        """Return the line with the order of a room's files."""
        called = [entry for entry in self.entered if entry[0].startswith(f"{room}/")]
        named = [file for file, name in called if not name.startswith("<")]
        stays = [file for file, _ in groupby(named)]
        returns = len(stays) - len({*stays})
        return f"{room}: {len(stays)} stays in files, {returns} returns, {len(named)} functions"


def walk_photo(walk: CallRecorder, photo: Path) -> None:
    """Read a photo as the command does."""
    with redirect_stdout(io.StringIO()), walk.recording():
        railspotter(["read", str(photo), "--board", "usa"])


def walk_claim(walk: CallRecorder, folder: Path) -> None:
    """Let the demonstration's first claim be read."""
    shown = demo_table()
    started = GameStarted(shown.edition.id, shown.players)
    with (
        GameStore(folder).create(started, time.time()) as log,
        Grabber(shown.source) as grabber,
        open_display(None) as desk,
        LiveTable(log, grabber, shown.profile) as live,
    ):
        live.subscribe(DisplayFeed(desk).update)
        with (
            PlayPage(
                live, ServingOptions(say=lambda _: None), PhotoReading(never), desk=desk
            ) as page,
            Phone(page.server.port).stream(),
        ):
            shown.set_up(live)
            shown.is_watched.wait()
            with walk.recording():
                while not log.state.table.held:
                    time.sleep(0.1)
                time.sleep(SETTLING_S)


def walk_call(walk: CallRecorder, folder: Path, path: str, body: object) -> None:
    """Let a player's phone make a call while another phone and a display follow the game."""
    with open_display(None) as desk, table(folder, desk=desk) as running:
        player = running.player("ann")
        with running.phone().stream(), player.stream():
            time.sleep(SETTLING_S)
            with walk.recording():
                answer = player.post(path, body)
                time.sleep(SETTLING_S)
            assert answer.status == OK_STATUS, answer


def main() -> int:
    """Record each walk once, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photo", type=Path, default=PHOTOS / PHOTO)
    parser.add_argument("--only", nargs="+", choices=WALKS, default=WALKS)
    args = parser.parse_args()
    for name in args.only:
        walk = CallRecorder()
        threading.setprofile(walk.record)
        sys.setprofile(walk.record)
        with tempfile.TemporaryDirectory() as folder:
            if name == "photo":
                walk_photo(walk, args.photo)
            elif name == "claim":
                walk_claim(walk, Path(folder))
            else:
                walk_call(walk, Path(folder), *CALLS[name])
        sys.setprofile(None)
        threading.setprofile(None)
        print(walk.summary_line(name), flush=True)
        if name == "photo":
            print(walk.file_order_line("vision/reading"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
