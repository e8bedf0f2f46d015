"""`railspotter play` in its own process, watching a camera in another one."""

import itertools
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

sys.path.extend(
    str(Path(__file__).resolve().parents[2] / folder) for folder in ("tests", "tests/support")
)

from phones import Phone
from railspotter.calibration.profiles.reference import make_profile
from railspotter.cli.process import main as run_command
from railspotter.scoring.board import load_board
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import VirtualGame
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.home import ProfileStore
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import TableView
from railspotter.vision.sources.source import Frame

TIMEOUT_S = 120.0  # so long it may take to begin, on a busy machine
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
TIME_FORMAT = struct.Struct("d")


def run_play_with_times(counts: str, descriptors: int, arguments: Sequence[str]) -> int:
    """Run `railspotter play`, and record when the table processed each picture."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    file = os.open(counts, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    make = LiveTable.__init__

    def count(frame: Frame, view: TableView) -> None:
        os.write(file, TIME_FORMAT.pack(time.time()))

    def make_counted(table: LiveTable, *args: Any, **named: Any) -> None:
        make(table, *args, **named)
        table.add_frame_listener(count)

    LiveTable.__init__ = make_counted  # type: ignore[method-assign,assignment]
    sys.argv = ["railspotter", "play", *arguments]
    return run_command()


@dataclass
class RunningGame:
    """A running game; times are those of `time.time`."""

    folder: Path
    process: subprocess.Popen[bytes]
    camera: subprocess.Popen[str]
    port: int
    codes: tuple[str, ...]  # those that a player and the host join by
    begun_s: float = 0.0  # when the drawn game began
    answered: set[str] = field(default_factory=set)

    @cached_property
    def phone(self) -> Phone:
        """The phone of a player."""
        return Phone(self.port)

    def picture_times(self) -> list[float]:
        """Return when the table processed each picture."""
        content = (self.folder / "counts").read_bytes()
        return [at_s for (at_s,) in TIME_FORMAT.iter_unpack(content)]

    def answer_questions(self, truth: Mapping[Spot, str]) -> None:
        """Answer the table's open questions truthfully, once."""
        state = self.phone.state()
        for question in state["questions"]:
            if question["id"] not in self.answered:
                if not self.phone.cookie:
                    self.phone.join(self.codes[0])
                    self.phone.post("/seat", {"seat": state["players"][-1]["seat"]})
                self.answered.add(question["id"])
                answer = {"now": truth.get(Spot(question["kind"], question["about"]))}
                self.phone.post(f"/questions/{question['id']}/answer", answer)

    def end(self) -> tuple[int, GameState]:
        """Stop it; return the exit code, and the game from its log."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"q\n")
        self.process.stdin.flush()
        code = self.process.wait(60.0)
        store = GameStore(self.folder)
        return code, store.read(store.ids()[0])

    def error_lines(self) -> list[str]:
        """Return its standard error."""
        return (self.folder / "errors").read_text("utf-8").splitlines()


def memory_mb(process: int, what: str = "VmRSS") -> float:
    """Return a process' memory, or with `VmHWM` its peak."""
    text = _proc_text(process, "status")
    return sum(int(found) for found in re.findall(rf"{what}:\s+(\d+) kB", text)) / 1024


def processor_s(process: int) -> float:
    """Return a process' processor time, including system time.

    With that of processes that it began and that have ended.
    """
    cells = _proc_text(process, "stat").rpartition(")")[2].split()
    return sum(map(int, cells[11:15])) / TICKS_PER_S


def child_processes(process: int) -> list[int]:
    """Return a process' children, of all its threads."""
    found = _proc_text(process, "task/*/children").split()
    return [int(number) for number in found]


def _proc_text(process: int, what: str) -> str:
    """Return a process' entry in /proc; empty if it has just ended."""
    texts = []
    for path in Path(f"/proc/{process}").glob(what):
        with suppress(OSError):
            texts.append(path.read_text("utf-8"))
    return "".join(texts)


def all_processors_s() -> float:
    """Return the processor time of all programs of this machine."""
    cells = Path("/proc/stat").read_text("utf-8").splitlines()[0].split()[1:]
    return sum(int(cell) for number, cell in enumerate(cells[:8]) if number not in (3, 4)) / (
        TICKS_PER_S
    )


@contextmanager
def run_game(
    game: VirtualGame, script: str, pictures: Path, until_s: float, descriptors: int
) -> Iterator[RunningGame]:
    """Start `railspotter play` before a drawn game."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        blank = game.camera.take(Scene(light=game.enactment.lamps[0].light))
        profile = make_profile(blank.picture, load_board("usa"), blank.corners_px, "drawn", "")
        ProfileStore(folder).save(profile)
        colours = [seat.colour for seat in game.enactment.played.start.seats]
        camera = subprocess.Popen(
            [sys.executable, script, "--camera", str(pictures), str(until_s)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert camera.stdin is not None
        assert camera.stdout is not None
        source = f"http://127.0.0.1:{int(camera.stdout.readline())}/"
        asked = ["--source", source, "--board", "usa", "--profile", "drawn", "--port", "0"]
        asked += ["--players", *(f"{colour}:{colour}" for colour in colours)]
        with (folder / "said").open("wb") as output, (folder / "errors").open("wb") as errors:
            process = subprocess.Popen(
                [
                    sys.executable,
                    script,
                    "--play",
                    str(folder / "counts"),
                    str(descriptors),
                    *asked,
                ],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=errors,
                env={**os.environ, "RAILSPOTTER_HOME": str(folder)},
            )
        try:
            port = _wait_for_port(process, folder / "said")
            links = re.findall(r"#(?:join|host)=(\S+)", (folder / "said").read_text("utf-8"))
            played = RunningGame(folder, process, camera, port, tuple(links))
            for _ in _poll_until_timeout(process):
                if played.phone.state().get("table", {}).get("state") == "settled":
                    break
            camera.stdin.write("begin\n")
            camera.stdin.flush()
            played.begun_s = float(camera.stdout.readline())
            yield played
        finally:
            for one in (process, camera):
                one.kill()
                one.wait()
                for pipe in (one.stdin, one.stdout):
                    if pipe is not None:
                        pipe.close()


def _wait_for_port(process: subprocess.Popen[bytes], output: Path) -> int:
    for _ in _poll_until_timeout(process):
        said = output.read_text("utf-8")
        at = re.search(r"the page is at http://[\w.]+:(\d+)", said)
        if at and re.search(r"#host=\S+\n", said):  # the last of the links
            return int(at[1])
    raise AssertionError


def _poll_until_timeout(process: subprocess.Popen[bytes]) -> Iterator[int]:
    for number in itertools.count():
        if process.poll() is not None or number > 2 * TIMEOUT_S:
            raise SystemExit(f"`railspotter play` did not begin: exit code {process.poll()}")
        yield number
        time.sleep(0.5)
