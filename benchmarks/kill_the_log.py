"""Does a killed program lose a logged event? `python benchmarks/kill_the_log.py [--times 200]`.

A writer appends events, each with a crop, and says the number of each that `append` returned. It is
killed with SIGKILL at a random moment, while it opens the log too, and started again on the same
game. Whatever it said must then be in the log, as it was said. Beside it: how long an append takes,
and how long a plain write with fsync of as many bytes takes in the same folder.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.database import Crops, connect, crops_in
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog, read_log
from railspotter.table.game_log.people_facts import MarkerCompared, Player

JPEG = b"\xff\xd8\xff"
STARTED = GameStarted("usa", (Player("ann", "red"), Player("bob", "blue")))
# Of the writers so many are killed by the clock, most of them before their first event; the others
# some time after it.
OPENING = 0.25
LONGEST_OPENING_S = 0.4
# So many of one game, one after the other: a game has room for as many events as they write.
WRITERS = 5
LONGEST_WRITING_S = 0.1


def fact_of(seq: int) -> MarkerCompared:
    """Return what the event of a number says."""
    return MarkerCompared("ann", seq % 1000)


def crops_of(seq: int) -> Crops:
    """Return the crops of the event of a number: some kilobytes, as those of a route."""
    return (JPEG + random.Random(seq).randbytes(1000 * (seq % 20)),)


def write(path: Path) -> None:
    """Append events for ever, and say the number of each that is on the disk."""
    with GameLog(path) as log:
        while True:
            seq = len(log.state.events) + 1
            (event,) = log.append([fact_of(seq)], float(seq), {0: crops_of(seq)})
            print(event.seq, flush=True)


@dataclass(frozen=True)
class Killed:
    """What became of logs whose writers were killed."""

    acknowledged: int  # events that a writer said
    # Those of them that were not in the log afterwards, or not as they were said.
    lost: tuple[int, ...]


def kill(store: GameStore, times: int, seed: int = 0) -> Killed:
    """Kill so many writers, some of each game, and look for what they said."""
    rng = random.Random(seed)
    acknowledged = 0
    lost: list[int] = []
    for begun in range(0, times, WRITERS):
        with store.create(STARTED, 0.0) as log:
            path = log.path
        said: list[int] = []
        for _ in range(min(WRITERS, times - begun)):
            said += said_until_killed(path, rng)
            lost += missing(path, said)
        acknowledged += len(said)
    return Killed(acknowledged, tuple(lost))


def said_until_killed(path: Path, rng: random.Random) -> list[int]:
    """Start a writer of a game and kill it; return the numbers of the events that it said."""
    words = [sys.executable, __file__, "--write", str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        first = ""
        if rng.random() < OPENING:
            time.sleep(rng.uniform(0.0, LONGEST_OPENING_S))
        else:
            first = writer.stdout.readline()
            time.sleep(rng.uniform(0.0, LONGEST_WRITING_S))
        writer.kill()
        lines = (first + writer.stdout.read()).split("\n")
    # What stands behind the last newline was not said to its end.
    return [int(line) for line in lines[:-1]]


def missing(path: Path, said: list[int]) -> tuple[int, ...]:
    """Return the numbers whose events are not in a log as they were said."""
    kept = read_log(path).events
    with closing(connect(path, is_writer=False)) as database:
        return tuple(
            seq
            for seq in said
            if len(kept) < seq
            or kept[seq - 1] != Event(seq, float(seq), fact_of(seq))
            or crops_in(database, seq) != crops_of(seq)
        )


def milliseconds(do: Callable[[], object]) -> float:
    """Return how long a call took."""
    began = time.perf_counter()
    do()
    return (time.perf_counter() - began) * 1000


def appends(store: GameStore, times: int) -> None:
    """Print how long appends take, beside plain writes: in turn, for disks have moods."""
    claim = Placed.on(Spot("route", "helena--seattle"), colour="red", by="camera", sure=0.97)
    crop = {0: (JPEG + os.urandom(30_000),)}
    plain, small, large = [], [], []
    with (
        store.create(STARTED, 0.0) as log,
        store.create(STARTED, 0.0) as cropped,
        (store.folder / "plain").open("ab", buffering=0) as file,
    ):

        def write_page() -> None:
            file.write(bytes(4096))
            os.fsync(file.fileno())

        for _ in range(times):
            plain.append(milliseconds(write_page))
            small.append(milliseconds(lambda: log.append([claim], 0.0)))
            large.append(milliseconds(lambda: cropped.append([claim], 0.0, crop)))
    least = report("a plain write of 4 kB with fsync", plain)
    for what, took in (("append", small), ("append with a crop of 30 kB", large)):
        print(f"    {report(what, took) / least:.1f} times a plain write")


def report(name: str, took: list[float]) -> float:
    """Print the times of some calls; return their median."""
    median = statistics.median(took)
    most = sorted(took)[len(took) * 95 // 100]
    print(f"{name:34} median {median:6.2f} ms, 95 % under {most:.2f} ms")
    return median


def main() -> int:
    """Print the losses and the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200, help="(%(default)s)")
    parser.add_argument("--appends", type=int, default=500, help="(%(default)s)")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.write is not None:
        write(args.write)
    with tempfile.TemporaryDirectory() as name:
        store = GameStore(Path(name))
        killed = kill(store, args.times)
        said, lost = killed.acknowledged, len(killed.lost)
        print(f"{args.times} writers killed, {said} events acknowledged, {lost} lost")
        appends(store, args.appends)
    return 1 if lost or not said else 0


if __name__ == "__main__":
    sys.exit(main())
