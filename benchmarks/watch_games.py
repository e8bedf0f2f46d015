"""Watch drawn games being played, and say how surely and how late each claim is seen.

    python benchmarks/watch_games.py [--edition usa] [--kind calm] [--seeds 100 101]
                                     [--until 300] [--every-frame] [--tell]

Bots play, hands lay the trains, a drawn camera takes ten pictures a second, and the watcher says
what changed. "composed" games show trains cut from photos, on a photo of an empty board. The clock
is the game's: a reading takes `--reading-s` of it. Stretches in which nobody moves and nothing is
being read are skipped, unless `--every-frame` is given. Someone answers every question after a
while, as the truth is. Seeds below 100 were looked at while limits were chosen, and 101, 105, 106.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import Spot
from railspotter.vision.watching.changes import Appeared, Change, QuestionAsked, Vanished
from railspotter.vision.watching.looks import LookRead, read
from railspotter.vision.watching.watcher import Watcher

from live.game_table import ANSWERED_S, FRAME_S, Table

QUIET_S = 1.5  # so long after the last movement still stretches are skipped
LATE_S = 3.0  # a claim that is seen so late is listed
KINDS = ("calm", "light", "lively", "composed")


@dataclass
class Watched:
    """What watching one game came to."""

    name: str
    claims: int = 0
    # Every change that was not true when it was said.
    wrong: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    # From the hand's leaving the board to the claim.
    delays_s: list[float] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    frames: int = 0
    see_ms: list[float] = field(default_factory=list)
    decode_ms: list[float] = field(default_factory=list)
    readings: int = 0
    reading_cpu_s: list[float] = field(default_factory=list)

    def row(self) -> str:
        """Return a line of figures."""
        delays = np.array(self.delays_s or [np.nan])
        see, decode = (float(np.median(ms or [np.nan])) for ms in (self.see_ms, self.decode_ms))
        return (
            f"{self.name:24} {self.claims:6} {len(self.missing):7} {len(self.wrong):6}"
            f" {len(self.questions):6} {np.median(delays):7.2f} {np.quantile(delays, 0.95):6.2f}"
            f" {self.frames:7} {see:6.1f} {see / decode:7.2f} {self.readings:6}"
            f" {np.mean(self.reading_cpu_s or [np.nan]):6.2f}"
        )


HEAD = (
    f"{'game':24} claims missing  wrong  asked  median    p95  frames     ms  decode  reads  cpu s"
)


def watch(table: Table, name: str, options: argparse.Namespace) -> Watched:
    """Watch a game."""
    result = Watched(name)
    watcher = Watcher(table.printed, table.pieces, table.truth(options.start))
    said: list[Change] = []
    answers: list[tuple[float, Spot]] = []
    inbox: list[tuple[float, LookRead]] = []
    until_s = min(options.until, table.enactment.duration_s)
    for t_s in _moments(table, watcher, inbox, options, until_s):
        picture = table.picture_at(t_s)
        pose = table.pose(t_s, picture)
        if result.frames % 25 == 0:
            _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
            began = time.perf_counter()
            cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
            result.decode_ms.append(1000 * (time.perf_counter() - began))
        while inbox and inbox[0][0] <= t_s:
            watcher.take_in(inbox.pop(0)[1])
        while answers and answers[0][0] <= t_s:
            spot = answers.pop(0)[1]
            watcher.correct(spot, table.truth(t_s).get(spot))
        began = time.perf_counter()
        seen = watcher.see(picture, pose, t_s)
        result.see_ms.append(1000 * (time.perf_counter() - began))
        result.frames += 1
        said += seen.changes
        for change in seen.changes:
            _judge(result, table, change, t_s, options.tell)
            if isinstance(change, QuestionAsked):
                answers.append((t_s + ANSWERED_S, change.spot))
        look = watcher.due()
        if look is not None:
            began = time.process_time()
            said_of_look = read(look)
            result.reading_cpu_s.append(time.process_time() - began)
            result.readings += 1
            inbox.append((t_s + options.reading_s, said_of_look))
    _sum_up(result, table, watcher, said, (options.start, until_s))
    return result


def _moments(
    table: Table,
    watcher: Watcher,
    inbox: Sequence[object],
    options: argparse.Namespace,
    until_s: float,
) -> Iterator[float]:
    """Yield the times of frames."""
    starts = table.moments()
    t_s = moved_s = float(options.start)
    while t_s < until_s:
        yield t_s
        t_s = round(t_s + FRAME_S, 3)
        ahead = starts[np.searchsorted(starts, t_s) :]
        next_s = float(ahead[0]) if len(ahead) else until_s
        if not table.is_still_at(t_s) or next_s - t_s < 1.0:
            moved_s = t_s
        is_quiet = not inbox and not watcher.asked and watcher.state == "settled"
        if not options.every_frame and is_quiet and t_s - moved_s > QUIET_S:
            t_s = round(max(t_s, min(next_s - 1.0, until_s - 1.0)), 1)


def _judge(result: Watched, table: Table, change: Change, t_s: float, tell: bool) -> None:
    truth = table.truth(t_s).get(change.spot)
    words = f"{t_s:7.1f} {type(change).__name__} {change.spot.id}"
    match change:
        case Appeared(colour=colour):
            words += f" {colour} {change.sure:.3f} after {change.still_s:.1f}"
            if truth != colour:
                result.wrong.append(f"{words}, is {truth}")
        case Vanished(colour=colour):
            words += f" {colour} after {change.still_s:.1f}"
            if truth == colour:
                result.wrong.append(words)
        case QuestionAsked(doubt=doubt):
            words += f": {doubt.said}? {doubt.why}; is {truth}"
            result.questions.append(words)
    if tell:
        print(words, flush=True)


def _sum_up(
    result: Watched,
    table: Table,
    watcher: Watcher,
    said: Sequence[Change],
    span_s: tuple[float, float],
) -> None:
    """Compare the end, and find for each claim how late it was seen."""
    truth, settled = table.truth(span_s[1]), watcher.settled
    for spot in sorted(truth.keys() | settled.keys()):
        if truth.get(spot) != settled.get(spot):
            result.missing.append(f"{spot}: {settled.get(spot)}, is {truth.get(spot)}")
    claimed: dict[str, float] = {}
    for event in table.events:
        if not span_s[0] <= event.t_s < span_s[1]:
            continue
        if event.kind in ("claimed", "station built"):
            claimed[event.name] = event.t_s
        elif event.kind == "withdrawn":
            claimed.pop(event.name, None)
        elif event.kind == "hand left" and event.name in claimed:
            result.claims += 1
            since_s = claimed.pop(event.name)
            seen = [c.at_s for c in said if isinstance(c, Appeared) and c.spot.id == event.name]
            late = [t_s - event.t_s for t_s in seen if t_s >= since_s]
            result.delays_s += late[:1]
            if late and late[0] > LATE_S:
                result.late.append(f"{event.t_s:7.1f} {event.name}, {late[0]:.1f} s late")


def main(argv: Sequence[str] | None = None) -> int:
    """Watch games and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edition", default="usa")
    parser.add_argument("--kind", choices=KINDS, default="calm")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--size", type=int, nargs=2, default=(1280, 720))
    parser.add_argument("--start", type=float, default=0.0)
    parser.add_argument("--until", type=float, default=np.inf)
    parser.add_argument("--reading-s", type=float, default=0.4)
    parser.add_argument("--every-frame", action="store_true")
    parser.add_argument("--tell", action="store_true", help="print what is said, when")
    options = parser.parse_args(argv)
    print(HEAD)
    for seed in options.seeds:
        edition, size_wh = load_edition(options.edition), tuple(options.size)
        if options.kind == "composed":
            table = Table.composed(edition, seed, size_wh)
        else:
            table = Table.drawn(edition, options.kind, seed, size_wh)
        result = watch(table, f"{options.edition} {options.kind} {seed}", options)
        print(result.row())
        for title in ("wrong", "missing", "late", "questions"):
            for words in getattr(result, title):
                print(f"    {title}: {words}")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
