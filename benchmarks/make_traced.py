"""Make path-traced pictures of boards in made-up rooms, with ground truth.

    python benchmarks/make_traced.py OUT --pictures N --seed S [--board usa] [--prints NAME ...]
                                     [--tilt LOW HIGH] [--size 1600 1200] [--samples 24]
                                     [--strange-colours] [--empty] [--plastic]
                                     [--variant llvm_ad_rgb]

One seed is one picture, BOARD-SEED.jpg, as a phone would have taken it, and BOARD-SEED.json beside
it, its truth with the names of the labelled photos' (benchmarks/photos/labelled.py), so that
`read_photos.py --photos OUT` judges it:
- `board`, `photo`, `size_px`, `corners_px`: the printed board's corners TL, TR, BR, BL.
- `spaces`: of each route whose train lies on each space, null for none; a route of which a hand
  hides a space is missing there, and listed in `unseen`. `claims`, `half_filled_routes`,
  `stations`: the same of whole routes and of places.
- `shoot`: the house, PRINT/room-N/phone-N/moulds-N: what the print, the room with its table and its
  lamps, the phone, and the box's plastic are called; any of the four can be left out.
- `traced`: `seed`, `samples`, the four names, `players` (their colours), `lamps` (kind and kelvin),
  `tilt_deg`, `heading_deg`, `roll_deg`, `distance_mm`, `focal_mm` (equivalent), `hand`, `fallen`.

A print is a real copy's (`../shared/photos`) or made up, drawn-0 to drawn-23; without `--prints`
nearly half are real. `--empty` takes a picture before the game: with `--prints drawn-3 --tilt 0 5`
what `read_photos.py --profile-from` reads that print by.

Pictures to judge by, planned: 100 of 0 to 45 degrees (usa 50, europe 40, newyork 10; seeds from
1000), 50 of 45 to 62 degrees (25, 20, 5; seeds from 2000), 20 with `--strange-colours` (10, 6, 4;
seeds from 3000); whoever teaches with such pictures takes seeds from 100000.

Needs Mitsuba 3 (`pip install mitsuba==3.9.1`), which the program does not. Its variant llvm_ad_rgb
needs LLVM (19 works, 15 does not; DRJIT_LIBLLVM_PATH says where it is); scalar_rgb needs none and
takes longer. A picture takes one processor: start several for several.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
from railspotter.webui.words.translation import json_bytes

from traced.picture import Spec, make_picture
from traced.tracer import start_mitsuba

BOARDS = ("usa", "europe", "newyork")


def main(argv: Sequence[str] | None = None) -> int:
    """Make as many pictures as asked for."""
    options = _parse_options(argv)
    try:
        start_mitsuba(options.variant)
    except ImportError as error:
        print(f"no Mitsuba here ({error}): pip install mitsuba==3.9.1", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    width, height = options.size
    low, high = options.tilt
    spec = Spec(
        options.board,
        (width, height),
        (low, high),
        options.samples,
        options.prints,
        options.strange_colours,
        options.empty,
    )
    for seed in range(options.seed, options.seed + options.pictures):
        started = time.perf_counter()
        jpeg, truth, is_plastic = make_picture(spec, seed)
        picture = options.out / truth["photo"]
        picture.write_bytes(jpeg)
        label = msgspec.json.format(json_bytes(truth)) + b"\n"
        picture.with_suffix(".json").write_bytes(label)
        if options.plastic:
            mask = np.asarray(is_plastic, np.uint8) * 255
            picture.with_suffix(".png").write_bytes(cv2.imencode(".png", mask)[1].tobytes())
        took = time.perf_counter() - started
        print(f"{picture.name}  {took:5.1f} s  {truth['shoot']}", flush=True)
    return 0


def _parse_options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="of the first; each next has the next")
    parser.add_argument("--board", choices=BOARDS, default="usa")
    parser.add_argument("--prints", nargs="+", default=(), help="names as the truth has them")
    parser.add_argument("--tilt", nargs=2, type=float, default=(0.0, 62.0), metavar="DEG")
    parser.add_argument("--size", nargs=2, type=int, default=(1600, 1200), metavar="PX")
    parser.add_argument("--samples", type=int, default=24, help="paths for each pixel")
    parser.add_argument("--strange-colours", action="store_true", help="trains of other boxes")
    parser.add_argument("--empty", action="store_true", help="nobody has played yet")
    parser.add_argument("--plastic", action="store_true", help="write where it is seen, too: a PNG")
    parser.add_argument("--variant", default="llvm_ad_rgb", help="of Mitsuba; or scalar_rgb")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
