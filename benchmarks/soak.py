"""Let a live table watch for hours, and say what it costs: processor time, memory, threads, files.

    python benchmarks/soak.py [--seconds 300] [--fast] [--per-s 10] [--size 1920 1080]
                              [--clip-s 40] [--seed 11]

A stretch of a drawn game is kept as JPEG pictures and shown again and again: its claims are made,
and when it begins anew they are gone, so that the log goes on growing. Another process draws them;
they are decoded as a camera's are, and that is counted apart. With `--fast` they come as soon as
the last one was looked at, and the clock is theirs: `--fast --seconds 7200` is two hours.
Without it they come in real time, and the share of one core is told. Processor time is counted, not
the clock's: other programs on the machine do not matter much.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import numpy as np
from railspotter.calibration.profile import Profile
from railspotter.calibration.reference import make_profile
from railspotter.scoring import load_board, load_edition
from railspotter.table.game_log import GameStarted, GameStore, Player
from railspotter.table.live_table import LiveTable
from railspotter.table.memory import give_back_large_memory
from railspotter.table.photo_file import to_jpeg
from railspotter.table.replay import AtOnce
from railspotter.table.virtual_game import plain_game
from railspotter.vision.decoding import decode
from railspotter.vision.sources import Grabber, Shot, Shots, Source, Watch
from railspotter.vision.virtual_board import Scene
from railspotter.vision.watching import State

SAMPLED_S = 20.0
QUALITY = 90


@dataclass
class Clip(Source):
    """A stretch of a game, over and over.

    Attributes
    ----------
    files : list of Path
        Its pictures.
    decode_ms : list of float
        Processor time of decoding each picture that was shown.
    """

    files: list[Path]
    per_s: float
    seconds: float
    is_fast: bool
    decode_ms: list[float] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What people call it."""
        return "the clip"

    @property
    def waits_for_reader(self) -> bool:
        """Whether pictures come as soon as they are looked at."""
        return self.is_fast

    def shots(self, watch: Watch) -> Shots:
        """Show the pictures."""
        begun_s = watch.now_s()
        for number in count():
            t_s = number / self.per_s
            if t_s > self.seconds or watch.is_over:
                return
            if not self.is_fast:
                watch.rest(max(0.0, begun_s + t_s - watch.now_s()))
            content = self.files[number % len(self.files)].read_bytes()
            began = time.thread_time()
            picture = decode(content)
            self.decode_ms.append(1000 * (time.thread_time() - began))
            yield Shot(picture, begun_s + t_s)


@dataclass(frozen=True)
class Sample:
    """What the program holds at one moment."""

    at_s: float
    rss_mb: float
    threads: int
    files: int
    events: int

    @classmethod
    def now(cls, at_s: float, events: int) -> Sample:
        """Look at this process."""
        status = Path("/proc/self/status").read_text("utf-8")
        rss_kb = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
        open_files = len(list(Path("/proc/self/fd").iterdir()))
        return cls(at_s, int(rss_kb) / 1024, threading.active_count(), open_files, events)


def clip_of(
    seed: int, size_wh: tuple[int, int], seconds: float, per_s: float, folder: Path
) -> tuple[list[Path], Profile, tuple[Player, ...]]:
    """Draw the beginning of a game; return its pictures, a profile of its board and who plays."""
    game = plain_game(load_edition("usa"), load_board("usa"), seed, size_wh)
    players = tuple(Player(seat.colour, seat.colour) for seat in game.enactment.played.seats)
    blank = game.camera.take(Scene(light=game.enactment.timeline.lamps[0].light))
    board = load_board("usa")
    profile = make_profile(blank.picture, board, blank.corners_px, "drawn", "")
    files: list[Path] = []
    for number in range(int(seconds * per_s)):
        path = folder / f"{number:05}.jpg"
        path.write_bytes(to_jpeg(game.frame_at(number / per_s).picture, QUALITY))
        files.append(path)
    return files, profile, players


def soak(options: argparse.Namespace) -> None:
    """Watch, and print what it costs."""
    if not options.keep_memory:
        give_back_large_memory()
    with tempfile.TemporaryDirectory() as folder:
        asked = options.seed, tuple(options.size), options.clip_s, options.per_s, Path(folder)
        with ProcessPoolExecutor(1) as another:
            files, profile, players = another.submit(clip_of, *asked).result()
        print(f"{len(files)} pictures of {options.size[0]} x {options.size[1]} drawn", flush=True)
        clip = Clip(files, options.per_s, options.seconds, options.fast)
        store = GameStore(Path(folder))
        with store.create(GameStarted("usa", players), 1.0) as log, Grabber(clip) as grabber:
            work = AtOnce() if options.fast else None  # of the clip's time a reading takes none
            table = LiveTable(log, grabber, profile, work=work)
            _watch(table, clip, options)


def _watch(table: LiveTable, clip: Clip, options: argparse.Namespace) -> None:
    began_cpu, began_s = time.process_time(), time.monotonic()
    turns_ms: list[float] = []
    samples: list[Sample] = []
    first_s: float | None = None
    while not table.view.is_over:
        before, began = table.frame, time.thread_time()
        table.turn()
        spent_ms = 1000 * (time.thread_time() - began)
        frame = table.frame
        if frame is None or frame is before:
            continue
        first_s = frame.taken_at_s if first_s is None else first_s
        if table.view.state is State.SETTLED:
            turns_ms.append(spent_ms)
        at_s = frame.taken_at_s - first_s
        if at_s >= len(samples) * SAMPLED_S:
            samples.append(Sample.now(at_s, len(table.view.game.events)))
            print(samples[-1], flush=True)
    cpu_s, wall_s = time.process_time() - began_cpu, time.monotonic() - began_s
    decode_s = sum(clip.decode_ms) / 1000
    shown_s = len(clip.decode_ms) / options.per_s
    locked, decoding = float(np.median(turns_ms)), float(np.median(clip.decode_ms))
    half = samples[len(samples) // 2 :]
    print(f"{shown_s:.0f} s of game time, {len(clip.decode_ms)} pictures in {wall_s:.0f} s")
    print(f"one core: {100 * cpu_s / shown_s:.0f} %, {100 * decode_s / shown_s:.0f} % to decode")
    print(f"a picture, locked on: {locked:.1f} ms; to decode: {decoding:.1f} ms", end="; ")
    print(f"ratio {locked / decoding:.2f}")
    print(f"memory: at most {max(s.rss_mb for s in samples):.0f} MB", end="; ")
    print(f"over the second half {half[0].rss_mb:.0f} to {half[-1].rss_mb:.0f} MB")
    for what in ("threads", "files"):
        held = [getattr(sample, what) for sample in half]
        print(f"{what} over the second half: {min(held)} to {max(held)}")
    print(f"events written down: {len(table.view.game.events)}")


def main(argv: Sequence[str] | None = None) -> int:
    """Soak."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument(
        "--keep-memory", action="store_true", help="leave memory to the C library's own ways"
    )
    parser.add_argument("--per-s", type=float, default=10.0)
    parser.add_argument("--size", type=int, nargs=2, default=(1920, 1080))
    parser.add_argument("--clip-s", type=float, default=40.0)
    parser.add_argument("--seed", type=int, default=11)
    soak(parser.parse_args(argv))
    return 0


if __name__ == "__main__":
    sys.exit(main())
