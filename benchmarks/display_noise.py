"""Noise on the display's wire: `python benchmarks/display_noise.py [--frames 100000]`.

So many frames, nine of ten damaged or nothing but noise, go through the firmware's own decoder,
compiled for this computer with the sanitizers of addresses and undefined behaviour, and through the
program's. Both must find every whole frame and nothing else.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from avr_rig import build_decoder, decoded_by_c, missing_tools
from railspotter.firmware_bridge.framing import FrameReader
from wire_noise import noisy_stream

AT_ONCE = 5000


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark; return 1 when anything was believed or missed."""
    parser = argparse.ArgumentParser(description=__doc__, prog="display_noise.py")
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    if reason := missing_tools():
        print(reason, file=sys.stderr)
        return 2
    rng = random.Random(args.seed)
    sent = damaged = size = 0
    wrong = {"firmware": 0, "program": 0}
    missed = {"firmware": 0, "program": 0}
    with tempfile.TemporaryDirectory() as folder:
        decoder = build_decoder(Path(folder))
        for at in range(0, args.frames, AT_ONCE):
            noise = noisy_stream(rng, min(AT_ONCE, args.frames - at))
            sent, damaged = sent + len(noise.whole), damaged + noise.damaged
            size += len(noise.data)
            found = {
                "firmware": decoded_by_c(decoder, noise.data),
                "program": list(FrameReader().feed(noise.data)),
            }
            for who, bodies in found.items():
                wrong[who] += len(set(bodies) - set(noise.whole))
                missed[who] += len(noise.whole) - sum(body in noise.whole for body in bodies)
    print(f"{sent} whole and {damaged} damaged frames, {size} bytes")
    for who in wrong:
        print(f"{who}: {wrong[who]} wrong frames believed, {missed[who]} whole ones missed")
    return 1 if any((*wrong.values(), *missed.values())) else 0


if __name__ == "__main__":
    sys.exit(main())
