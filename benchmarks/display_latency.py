"""From a changed score to its light: `python benchmarks/display_latency.py [--changes 200]`.

The bridge drives the firmware on a simulated ATmega328P in the pace of the real one, 100 LEDs at
115200 baud. Each change comes at a random moment of a running game, the longest path's breathing
keeping the line busy all the while. Measured is the time from `Bridge.show` until the pulses of the
first strip with the new score have ended.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from avr_rig import Seen, SimulatedBoard, build, missing_tools
from railspotter.firmware_bridge.bridge import Bridge
from railspotter.firmware_bridge.lights import Strip
from railspotter.firmware_bridge.scoreboard import PlayerScore, Scoreboard

SHOWN = slice(0, 19)  # the score of the first of four players; the stock is behind it


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark and print milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__, prog="display_latency.py")
    parser.add_argument("--changes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    if reason := missing_tools():
        print(reason, file=sys.stderr)
        return 2
    rng = random.Random(args.seed)
    players = tuple(PlayerScore(c, 50, 20) for c in ("red", "blue", "green", "yellow"))
    scoreboard = Scoreboard((players[0], replace(players[1], has_longest_path=True), *players[2:]))
    took_ms = []
    with tempfile.TemporaryDirectory() as folder:
        built = build(Path(folder))
        with SimulatedBoard(built, "--paced") as board, Bridge(board.port, Strip(100)) as bridge:
            bridge.show(scoreboard)
            assert board.wait_until(lambda seen: len(seen.strips) > 20)
            for i in range(args.changes):
                time.sleep(0.1 + 0.2 * rng.random())
                was = board.seen.strips[-1][: 3 * SHOWN.stop]
                score = 80 if i % 2 else 20
                first = replace(scoreboard.players[0], score=score)
                scoreboard = replace(scoreboard, players=(first, *scoreboard.players[1:]))
                began_s = time.monotonic()
                bridge.show(scoreboard)

                def is_new(seen: Seen, was: bytes = was) -> bool:
                    return seen.strips[-1][: 3 * SHOWN.stop] != was

                assert board.wait_until(is_new)
                took_ms.append(1000 * (time.monotonic() - began_s))
    p50, p95 = (statistics.quantiles(took_ms, n=100)[p - 1] for p in (50, 95))
    print(
        f"{len(took_ms)} changes: p50 {p50:.0f} ms, p95 {p95:.0f} ms, slowest {max(took_ms):.0f} ms"
    )
    print(f"flash {built.flash} B, static RAM {built.static_ram} B, stack {board.seen.stack} B")
    print(f"bytes that the chip lost: {board.seen.lost}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
