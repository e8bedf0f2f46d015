"""Find boards in pictures whose truth is exact, and say how far off.

    python benchmarks/find_boards.py [--board usa] [--scenes 60] [--seed 0] [--json]

The scenes are those of warped_boards.py. A board is found wrongly when its worst corner is more
than 15 mm off, or when there is none that may be found; this must never happen. Times are ratios
to decoding the picture's own JPEG, so that they mean the same on every machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import cv2
import msgspec
import numpy as np
from composed_library import Library
from photo_judgement import worst_corner_mm
from railspotter.calibration.pose import NotFound
from railspotter.scoring import load_board, load_edition
from railspotter.table.photo_score import PhotoScorer
from warped_boards import BLANKS, WarpedBoard, scene

WRONG_MM = 15.0
TILT_BANDS = (15.0, 30.0, 40.0, 50.0)


@dataclass(frozen=True)
class Found:
    """What finding made of one scene.

    Attributes
    ----------
    corner_mm : float or None
        How far the worst corner is off; None when no board was found, or none is there.
    times_decoding : float
    """

    seed: int
    kind: str
    tilt_deg: float
    size: str
    lens: str
    cover: str
    covered: float
    is_found: bool
    corner_mm: float | None
    reason: str
    times_decoding: float

    @property
    def is_wrong(self) -> bool:
        """Whether a board was found where none is."""
        return self.is_found and (self.corner_mm is None or self.corner_mm > WRONG_MM)

    @property
    def tilt_band(self) -> str:
        """The band of tilts it is counted in."""
        upper = next(band for band in TILT_BANDS if self.tilt_deg <= band)
        return f"to {upper:.0f} deg"


def main(argv: Sequence[str] | None = None) -> int:
    """Find the boards and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", default="usa", choices=tuple(BLANKS))
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0, help="of the first scene")
    parser.add_argument("--json", action="store_true", help="print JSON and no table")
    options = parser.parse_args(argv)
    library = Library(load_board(options.board))
    scorer = PhotoScorer(library.board, load_edition(options.board), library.profile)
    seeds = range(options.seed, options.seed + options.scenes)
    found = [find(scene(library, seed), scorer, seed, library.board.size_mm) for seed in seeds]
    if options.json:
        print(msgspec.json.encode([asdict(one) for one in found]).decode())
    else:
        print("\n".join(as_text(found)))
    return 0


def find(shown: WarpedBoard, scorer: PhotoScorer, seed: int, size_mm: tuple[float, float]) -> Found:
    """Look for the board in a scene, as the program does in a photo."""
    _, coded = cv2.imencode(".jpg", shown.picture)
    decoding = min(_seconds(lambda: cv2.imdecode(coded, cv2.IMREAD_COLOR)) for _ in range(3))
    started = time.perf_counter()
    result = scorer.find(shown.picture)
    seconds = time.perf_counter() - started
    is_found = not isinstance(result, NotFound)
    corner_mm = None
    if not isinstance(result, NotFound) and shown.kind == "board":
        corner_mm = worst_corner_mm(result.corners_px, shown.corners_px, size_mm)
    return Found(
        seed,
        shown.kind,
        shown.view.tilt_deg,
        "x".join(map(str, shown.view.size_wh)),
        "wide" if shown.view.k1 <= -0.03 else "normal",
        shown.cover,
        shown.covered,
        is_found,
        corner_mm,
        result.reason if isinstance(result, NotFound) else "",
        seconds / decoding,
    )


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def as_text(found: Sequence[Found]) -> list[str]:
    """Return the lines of the table."""
    boards = [one for one in found if one.kind == "board"]
    lines = [f"{'':22s} scenes  found  median mm   p90    max  wrong  x decoding"]
    lines.append(_row("all boards", boards))
    for group in ("tilt_band", "size", "lens", "cover"):
        for value in sorted({getattr(one, group) for one in boards}):
            lines.append(_row(value, [one for one in boards if getattr(one, group) == value]))
    lines.append(_row("no board to be found", [one for one in found if one.kind != "board"]))
    for one in found:
        if one.is_wrong or (one.kind == "board" and not one.is_found):
            what = one.reason if not one.is_found else f"found {one.corner_mm or 0:.0f} mm off"
            lines.append(f"seed {one.seed}: {one.kind}, {what}")
    return lines


def _row(name: str, found: Sequence[Found]) -> str:
    if not found:
        return f"{name:22s} {0:6d}"
    share = np.mean([one.is_found for one in found])
    off = [one.corner_mm for one in found if one.corner_mm is not None]
    middle, most, worst = np.percentile(off, [50, 90, 100]) if off else (np.nan,) * 3
    wrong = sum(one.is_wrong for one in found)
    ratio = np.median([one.times_decoding for one in found])
    return (
        f"{name:22s} {len(found):6d} {share:6.0%} {middle:10.1f} {most:5.1f} {worst:6.1f}"
        f" {wrong:6d} {ratio:11.0f}"
    )


if __name__ == "__main__":
    sys.exit(main())
