"""A table with 10,000 events to tell, and a broker that comes back: `benchmarks/table_behind.py`.

A drawn game is watched by a real live table while a real broker (mosquitto) is away; its log is
filled up with marked turns. Then the broker comes back. How long does it take until it has all of
them, and do pictures come as often meanwhile as before?
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from railspotter.club.broker import parse_broker
from railspotter.club.outbox import Outbox
from railspotter.club.publisher import Publisher
from railspotter.table.game_log.course_facts import GameStarted, TurnMarked
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.set_up.demo import demo_table
from railspotter.vision.sources.grabber import Grabber

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from mosquitto import Listener, mosquitto, wait_until

WINDOW_S = 8.0
TOGETHER = 100


class Frames:
    """Counts the pictures that a table looks at, and adds up the time between them."""

    def __init__(self) -> None:
        self.seen = 0

    def __call__(self, *looked: object) -> None:
        """Count one."""
        self.seen += 1

    def per_s(self, seconds: float) -> float:
        """Wait, and return how many there were in a second."""
        before, began_s = self.seen, time.monotonic()
        time.sleep(seconds)
        return (self.seen - before) / (time.monotonic() - began_s)


def main(argv: Sequence[str] | None = None) -> int:
    """Print how long it took and what pictures came; return 1 where an event is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=9_900, help="(%(default)s; a log's most)")
    args = parser.parse_args(argv)
    shown, frames = demo_table(), Frames()
    with tempfile.TemporaryDirectory() as name:
        folder, store = Path(name), GameStore(Path(name) / "home")
        with mosquitto(folder / "broker") as broker:
            broker.kill()
            started = GameStarted(shown.edition.id, shown.players)
            with store.create(started, time.time()) as log, Grabber(shown.source) as grabber:
                seats = [player.seat for player in shown.players]
                for first in range(1, args.events, TOGETHER):
                    turns = range(first, min(first + TOGETHER, args.events))
                    log.append([TurnMarked(seats[n % len(seats)]) for n in turns], time.time())
                table = LiveTable(log, grabber, shown.profile)
                shown.set_up(table)
                table.look_on(frames)
                with (
                    table,
                    Outbox(folder / "outbox.sqlite") as outbox,
                    Publisher(parse_broker(broker.url), outbox, table="t", name="T") as publisher,
                ):
                    time.sleep(WINDOW_S)
                    before = frames.per_s(WINDOW_S)
                    publisher.follow(table)
                    keeping = frames.per_s(WINDOW_S)
                    broker.start()
                    with Listener(broker.port, "club/v1/tables/+/events") as listener:
                        wait_until(lambda: bool(listener.heard), 60.0)  # it connects again
                        began_s, seen = time.monotonic(), frames.seen
                        wait_until(lambda: publisher.is_told, 120.0)
                        took_s = time.monotonic() - began_s
                        during = (frames.seen - seen) / took_s
                        wait_until(lambda: len(listener.heard) >= args.events, 60.0)
                        heard = {payload for _, payload, _ in listener.heard}
                    after = frames.per_s(WINDOW_S)
    print(f"{len(heard)} events told in {took_s:.1f} s from the first of them")
    print(
        f"pictures a second: {before:.1f} before, {keeping:.1f} while they are put into the outbox,"
        f" {during:.1f} while they are sent, {after:.1f} afterwards"
    )
    return int(len(heard) < args.events)


if __name__ == "__main__":
    sys.exit(main())
