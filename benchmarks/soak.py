"""Let a live table watch for hours, and say what it costs: processor time, memory, threads, files.

    python benchmarks/soak.py [--seconds 300] [--fast] [--per-s 10] [--size 1920 1080]
                              [--clip-s 40] [--rest-s 0] [--seed 11]

A stretch of a drawn game is kept as JPEG pictures and shown again and again: its claims are made,
and when it begins anew they are gone, so that the log goes on growing. Another process draws them;
they are unpacked as a camera's are, and that is counted apart. Every twentieth is decoded whole
besides, to have something to compare with, and that is not counted. With `--fast` pictures come as
soon as the last one was looked at, and the clock is theirs. After each stretch the board rests for
`--rest-s`; with `--fast`, what holds still is skipped as `play_games.py` skips it: from two seconds
after the last movement, if nothing is open, to a second before the next one. Whoever is asked
answers after eight seconds. Two hours with about as many claims as a game has:

    python benchmarks/soak.py --fast --seconds 7200 --rest-s 260

A minute in which little happens, and one of hands and readings:

    python benchmarks/soak.py --seconds 60 --clip-s 10 --rest-s 50
    python benchmarks/soak.py --seconds 60 --clip-s 15

Without `--fast` they come in real time, and the share of one core is told. Processor time is
counted, not the clock's: other programs on the machine do not matter much.
"""

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

import numpy as np
from at_once import AtOnce
from enacted_events import claims_at
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import RouteId, load_board
from railspotter.scoring.edition import Colour, load_edition
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import plain_game
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.commands import Correct
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.memory import configure_malloc
from railspotter.table.photo_file import to_jpeg
from railspotter.vision.decoding import decode, unpack
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import Frame, Shots, Source, Watch
from railspotter.vision.watching.settling import WatchState

# So many times what the program holds is looked at, but not more often than so many seconds.
SAMPLES = 60
LEAST_INTERVAL_S = 20.0
# So long after a movement what holds still is skipped, and so long before the next one no more.
SKIP_DELAY_S, SKIP_MARGIN_S = 2.0, 1.0
ANSWER_DELAY_S = 8.0
QUALITY = 90
COMPARED_EVERY = 20  # one of so many pictures is decoded whole besides


@dataclass
class Clip(Source):
    """A camera that shows a stretch of a game again and again."""

    excerpt: "Excerpt"
    per_s: float
    seconds: float
    rest_s: float
    is_fast: bool
    is_quiet: Callable[[], bool] = lambda: False  # whether nothing is open at the table
    # Processor time of unpacking each picture that was shown.
    unpack_ms: list[float] = field(default_factory=list)
    whole_ms: list[float] = field(default_factory=list)  # the same of decoding some of them whole

    @property
    def name(self) -> str:
        """The camera's name for people."""
        return "the clip"

    @property
    def waits_for_reader(self) -> bool:
        """Whether pictures come as soon as they are looked at."""
        return self.is_fast

    def shots(self, watch: Watch) -> Shots:
        """Yield the pictures as they are due."""
        begun_s = watch.now_s()
        t_s = moved_s = 0.0
        while t_s <= self.seconds and not watch.is_over:
            if not self.is_fast:
                watch.rest(max(0.0, begun_s + t_s - watch.now_s()))
            number = self.index_at(t_s)
            content = self.excerpt.files[number].read_bytes()
            if len(self.unpack_ms) % COMPARED_EVERY == 0:
                began = time.thread_time()
                decode(content)
                self.whole_ms.append(1000 * (time.thread_time() - began))
            began = time.thread_time()
            picture = unpack(content)
            self.unpack_ms.append(1000 * (time.thread_time() - began))
            yield Frame(picture, begun_s + t_s)
            t_s = round(t_s + 1 / self.per_s, 3)
            next_s = self._next_movement_s(t_s)
            if next_s - t_s < SKIP_MARGIN_S:
                moved_s = t_s
            is_skipped = self.is_fast and t_s - moved_s > SKIP_DELAY_S and self.is_quiet()
            if is_skipped and next_s - SKIP_MARGIN_S > t_s:
                t_s = round(next_s - SKIP_MARGIN_S, 1)

    def index_at(self, t_s: float) -> int:
        """Return which of its pictures is shown at a time."""
        return min(round(self._seconds_into_round(t_s) * self.per_s), len(self.excerpt.files) - 1)

    @property
    def _round_s(self) -> float:
        return len(self.excerpt.files) / self.per_s + self.rest_s

    def _seconds_into_round(self, t_s: float) -> float:
        return t_s % self._round_s

    def _next_movement_s(self, t_s: float) -> float:
        """Return when something moves next: a hand, or everything when it begins anew."""
        into_s = self._seconds_into_round(t_s)
        ahead = self.excerpt.hand_visible[round(into_s * self.per_s) :]
        if any(ahead):
            return t_s + ahead.index(True) / self.per_s
        return t_s + self._round_s - into_s


@dataclass(frozen=True)
class Sample:
    """The resources that the program holds at one moment."""

    at_s: float
    rss_mb: float
    threads: int
    files: int
    events: int
    log_kb: float

    @classmethod
    def take(cls, at_s: float, log: GameLog) -> "Sample":
        """Return the sample of this process and its log."""
        status = Path("/proc/self/status").read_text("utf-8")
        rss_kb = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
        open_files = len(list(Path("/proc/self/fd").iterdir()))
        beside = log.path.parent.glob(f"{log.path.name}*")
        log_kb = sum(path.stat().st_size for path in beside) / 1024
        events = len(log.state.events)
        return cls(at_s, int(rss_kb) / 1024, threading.active_count(), open_files, events, log_kb)

    def line(self) -> str:
        """Return it as a line of figures."""
        return (
            f"{self.at_s:6.0f} s  {self.rss_mb:5.0f} MB  {self.threads} threads"
            f"  {self.files} files  {self.events:4} events  log {self.log_kb:6.0f} kB"
        )


@dataclass(frozen=True, eq=False)
class Excerpt:
    """The beginning of a drawn game."""

    files: list[Path]  # its pictures
    hand_visible: list[bool]  # in which of them a hand is under way
    claims: list[dict[RouteId, Colour]]  # what lies on the board in each of them
    profile: Profile  # of its board
    players: tuple[Player, ...]


def render_excerpt(
    seed: int, size_wh: tuple[int, int], seconds: float, per_s: float, folder: Path
) -> Excerpt:
    """Draw the beginning of a game into a folder."""
    game = plain_game(load_edition("usa"), load_board("usa"), seed, size_wh)
    players = tuple(Player(seat.colour, seat.colour) for seat in game.enactment.played.start.seats)
    blank = game.camera.take(Scene(light=game.enactment.lamps[0].light))
    board = load_board("usa")
    profile = make_profile(blank.picture, board, blank.corners_px, "drawn", "")
    times_s = [number / per_s for number in range(int(seconds * per_s))]
    files: list[Path] = []
    for number, t_s in enumerate(times_s):
        path = folder / f"{number:05}.jpg"
        path.write_bytes(to_jpeg(game.frame_at(t_s).picture, QUALITY))
        files.append(path)
    touched = [bool(game.enactment.hands_at(t_s)) for t_s in times_s]
    claims = [claims_at(game.enactment, t_s) for t_s in times_s]
    return Excerpt(files, touched, claims, profile, players)


def run_soak(options: argparse.Namespace) -> None:
    """Watch a clip with a live table, and print what it costs."""
    configure_malloc()
    with tempfile.TemporaryDirectory() as folder:
        asked = options.seed, tuple(options.size), options.clip_s, options.per_s, Path(folder)
        with ProcessPoolExecutor(1) as another:
            excerpt = another.submit(render_excerpt, *asked).result()
        print(f"{len(excerpt.files)} pictures of {options.size[0]} x {options.size[1]}", flush=True)
        clip = Clip(excerpt, options.per_s, options.seconds, options.rest_s, options.fast)
        store = GameStore(Path(folder))
        started = GameStarted("usa", excerpt.players)
        with store.create(started, 1.0) as log, Grabber(clip) as grabber:
            # Of the clip's time a reading takes none.
            work = AtOnce() if options.fast else None
            table = LiveTable(log, grabber, excerpt.profile, work=work)
            clip.is_quiet = lambda: (
                table.view.sight.state is WatchState.SETTLED and not table.view.questions
            )
            _watch(table, clip, options)


def _watch(table: LiveTable, clip: Clip, options: argparse.Namespace) -> None:
    began_cpu, began_s = time.process_time(), time.monotonic()
    turns_ms: list[float] = []
    samples: list[Sample] = []
    asked_s: dict[Spot, float] = {}
    questions = 0
    first_s: float | None = None
    at_s = sampled_s = 0.0
    while not table.view.is_over:
        before, began = table.frame, time.thread_time()
        table.process_next_frame()
        spent_ms = 1000 * (time.thread_time() - began)
        frame = table.frame
        if frame is None or frame is before:
            continue
        first_s = frame.taken_at_s if first_s is None else first_s
        if table.view.sight.state is WatchState.SETTLED:
            turns_ms.append(spent_ms)
        at_s = frame.taken_at_s - first_s
        open_ = {question.spot for question in table.view.questions}
        questions += len(open_ - asked_s.keys())
        asked_s = {spot: asked_s.get(spot, at_s) for spot in open_}
        for spot, since_s in asked_s.items():
            if at_s >= since_s + ANSWER_DELAY_S:
                table.execute(Correct(spot, clip.excerpt.claims[clip.index_at(at_s)].get(spot.id)))
        if at_s >= sampled_s:
            sampled_s = at_s + max(LEAST_INTERVAL_S, options.seconds / SAMPLES)
            samples.append(Sample.take(at_s, table.log))
            print(samples[-1].line(), flush=True)
    cpu_s, wall_s = time.process_time() - began_cpu, time.monotonic() - began_s
    cpu_s -= sum(clip.whole_ms) / 1000
    unpack_s = sum(clip.unpack_ms) / 1000
    shown_s = at_s
    locked, whole = float(np.median(turns_ms)), float(np.median(clip.whole_ms))
    unpacking = float(np.median(clip.unpack_ms))
    half = samples[len(samples) // 2 :]
    print(f"{shown_s:.0f} s of game time, {len(clip.unpack_ms)} pictures in {wall_s:.0f} s")
    print(f"one core: {100 * cpu_s / shown_s:.0f} %, {100 * unpack_s / shown_s:.0f} % to unpack")
    print(f"to decode a picture whole: {whole:.1f} ms; to unpack it: {unpacking:.1f} ms", end="; ")
    print(f"ratio {unpacking / whole:.2f}")
    print(f"after that, locked on: {locked:.1f} ms; ratio {locked / whole:.2f}")
    print(f"memory: at most {max(s.rss_mb for s in samples):.0f} MB", end="; ")
    print(f"over the second half {half[0].rss_mb:.0f} to {half[-1].rss_mb:.0f} MB")
    for what in ("threads", "files"):
        held = [getattr(sample, what) for sample in half]
        print(f"{what} over the second half: {min(held)} to {max(held)}")
    print(f"events written down: {len(table.view.game.events)}, questions asked: {questions}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the soak test."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--per-s", type=float, default=10.0)
    parser.add_argument("--size", type=int, nargs=2, default=(1920, 1080))
    parser.add_argument("--clip-s", type=float, default=40.0)
    parser.add_argument("--rest-s", type=float, default=0.0, help="after each stretch")
    parser.add_argument("--seed", type=int, default=11)
    run_soak(parser.parse_args(argv))
    return 0


if __name__ == "__main__":
    sys.exit(main())
