"""A display torn away at random moments: `python benchmarks/display_torn.py [--times 100]`.

A model of the firmware behind a pseudo terminal vanishes while a game goes on, returns a moment
later, and must show the newest score. Counted are the seconds until then, the slowest `show` of
the game meanwhile, and the threads and open files that are left at the end.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from fake_displays import FakeFirmware
from railspotter.firmware_bridge.bridge import Bridge
from railspotter.firmware_bridge.lights import DisplayMoment, Strip, lights
from railspotter.firmware_bridge.scoreboard import PlayerScore, Scoreboard

STRIP = Strip(100)
GIVEN_UP_S = 10.0


def _open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark; return 1 when a display stayed wrong or something was left over."""
    parser = argparse.ArgumentParser(description=__doc__, prog="display_torn.py")
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    rng = random.Random(args.seed)
    files, threads = _open_files(), threading.active_count()
    took_s: list[float] = []
    slowest_s = 0.0
    with (
        tempfile.TemporaryDirectory() as folder,
        FakeFirmware(Path(folder) / "port") as device,
        Bridge(str(device.link), STRIP) as bridge,
    ):
        for _ in range(args.times):
            board = Scoreboard((PlayerScore("red", rng.randrange(100), rng.randrange(45)),))
            for wait_s in (0.3, 0.5):
                before_s = time.perf_counter()
                bridge.show(board)
                slowest_s = max(slowest_s, time.perf_counter() - before_s)
                if wait_s == 0.3:
                    time.sleep(rng.random() * wait_s)
                    device.tear_away()
                time.sleep(rng.random() * wait_s)
            device.plug_in()
            began_s, wanted = time.monotonic(), lights(board, STRIP, DisplayMoment()).tobytes()
            while device.lights != wanted and time.monotonic() - began_s < GIVEN_UP_S:
                time.sleep(0.005)
            took_s.append(time.monotonic() - began_s)
    left = threading.active_count() - threads, _open_files() - files
    print(
        f"{len(took_s)} times torn away: right again after p50 {statistics.median(took_s):.2f} s,"
        f" slowest {max(took_s):.2f} s; slowest show {1000 * slowest_s:.1f} ms;"
        f" left over: {left[0]} threads, {left[1]} files"
    )
    return 1 if max(took_s) >= GIVEN_UP_S or any(left) else 0


if __name__ == "__main__":
    sys.exit(main())
