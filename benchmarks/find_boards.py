"""Find boards in pictures with exact ground truth, and measure the error.

    python benchmarks/find_boards.py [--board usa] [--scenes 60] [--seed 0] [--fingerprint]
        [--kinds mirrored ...] [--processes 2] [--keep FILE]

The scenes are those of finding/warped_boards.py. What counts is where the spaces are, folds and
lens included: within 1.5 mm a board is found well. It is found wrongly when a space is half a
space's width off, or when there is none that may be found; this must never happen. A refusal is
right when its reason names a trouble that the scene has. Times are ratios to decoding the picture's
own JPEG, so that they mean the same on every machine.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from itertools import repeat
from pathlib import Path

import cv2
import msgspec
import numpy as np
from railspotter.calibration.arrays import Float64s
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.pose import NotFound
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.live_calibration.outlines import frame_points_px
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.webui.words.translation import json_bytes

from composed.library import Library
from finding.warped_boards import BLANKS, KINDS, OTHER_BOARD, WarpedBoard, make_scene, scene_kind

ACCURATE_MM = 1.5
WRONG_MM = 4.5  # half a space's width: what is read there may be the next lane
TILT_BANDS = (15.0, 30.0, 40.0, 50.0)
COVER_BANDS = (0.0, 0.1, 0.2, 0.5)
MOVED_BANDS = (0.0, 3.0, 6.0, 10.0)
DARK_LEVEL = 50.0  # grey level that 19 of 20 pixels of a dark board stay below
COARSE_PX_PER_MM = 0.7  # below this a train is less than 7 pixels wide
# What a refusal may say of scenes that show no board, or two; of a board, see `expected_reasons`.
REASON_WORDS = {
    "table alone": ("was not found", "dark", "blurred"),
    "mirrored": ("mirrored", "dark", "blurred"),
    "two boards": ("two boards", "cut off", "small", "was not found"),
    "another board": ("another board", "was not found", "edition", "dark", "blurred"),
}


@dataclass(frozen=True)
class SceneResult:
    """The result of finding in one scene."""

    seed: int
    kind: str
    tilt_deg: float
    turned_deg: float  # how far the board's upper edge is turned in the picture, -180 to 180
    size: str
    lens: str
    covered: float
    moved_px: float  # motion blur, in a picture 1920 pixels wide
    troubles: tuple[str, ...]  # words of which a refusal must use one
    is_found: bool
    # How far the worst space is off; None when no board was found, or none may be.
    off_mm: float | None
    reason: str
    times_decoding: float

    @property
    def is_wrong(self) -> bool:
        """Whether a board was found in a scene without it."""
        return self.is_found and (self.off_mm is None or self.off_mm > WRONG_MM)

    @property
    def is_accurate(self) -> bool:
        """Whether a board was found to 1.5 mm."""
        return self.off_mm is not None and self.off_mm <= ACCURATE_MM

    @property
    def is_refused_rightly(self) -> bool:
        """Whether the reason for not finding the board is right."""
        return not self.is_found and any(word in self.reason for word in self.troubles)

    @property
    def bands(self) -> tuple[str, ...]:
        """The rows of the table in which it counts."""
        turned = abs(self.turned_deg)
        return (
            f"lens {self.lens}",
            f"tilted to {_band(self.tilt_deg, TILT_BANDS):.0f} deg",
            "upright" if turned <= 45 else "on its side" if turned < 135 else "upside down",
            self.size,
            f"covered to {_band(self.covered, COVER_BANDS):.0%}",
            f"moved to {_band(self.moved_px, MOVED_BANDS):.0f} px",
        )


def _band(value: float, limits: Sequence[float]) -> float:
    return next((limit for limit in limits if value <= limit), limits[-1])


def main(argv: Sequence[str] | None = None) -> int:
    """Find the boards and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", default="usa", choices=tuple(BLANKS))
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0, help="of the first scene")
    parser.add_argument(
        "--fingerprint", action="store_true", help="find with what comes with the program"
    )
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS, help="of scenes")
    parser.add_argument("--processes", type=int, default=1, help="at once")
    parser.add_argument("--keep", type=Path, help="file of what was found, to go on from")
    options = parser.parse_args(argv)
    every = range(options.seed, options.seed + options.scenes)
    seeds = [seed for seed in every if scene_kind(seed) in options.kinds]
    known = {one.seed: one for one in _load_results(options.keep)}
    missing = [seed for seed in seeds if seed not in known]
    for one in _search_scenes(missing, options.board, options.fingerprint, options.processes):
        known[one.seed] = one
        if options.keep is not None:
            with options.keep.open("ab") as file:
                file.write(json_bytes(asdict(one)) + b"\n")
    results = [known[seed] for seed in seeds]
    print("\n".join(table_lines(results)))
    return 0


def _load_results(file: Path | None) -> Iterator[SceneResult]:
    if file is not None and file.is_file():
        for line in file.read_bytes().splitlines():
            yield msgspec.json.decode(line, type=SceneResult)


def _search_scenes(
    seeds: Sequence[int], board: str, is_by_fingerprint: bool, processes: int
) -> Iterator[SceneResult]:
    """Search the scenes of all seeds, in several processes."""
    if processes == 1:
        yield from map(search_seed, seeds, repeat(board), repeat(is_by_fingerprint))
        return
    with ProcessPoolExecutor(processes, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.map(search_seed, seeds, repeat(board), repeat(is_by_fingerprint))


def search_seed(seed: int, board: str, is_by_fingerprint: bool) -> SceneResult:
    """Make the scene of a seed and search its board."""
    library, other, scorer = _load_boards(board, is_by_fingerprint)
    return search_scene(make_scene(library, seed, other), scorer, seed)


@cache
def _load_boards(board: str, is_by_fingerprint: bool) -> tuple[Library, Library, PhotoScorer]:
    """Return the board's photos, another board's, and the finder."""
    library, other = Library(load_board(board)), Library(load_board(OTHER_BOARD[board]))
    profile = stand_in_profile(library.board) if is_by_fingerprint else library.profile
    assert profile is not None, "the boards of this benchmark have fingerprints"
    return library, other, PhotoScorer(ReadingPlan(library.board, load_edition(board), profile))


def search_scene(warped: WarpedBoard, scorer: PhotoScorer, seed: int) -> SceneResult:
    """Search the board in a scene, as the program does in a photo."""
    _, coded = cv2.imencode(".jpg", warped.picture)
    decoding = min(_measure_s(lambda: cv2.imdecode(coded, cv2.IMREAD_COLOR)) for _ in range(3))
    started = time.perf_counter()
    result = scorer.find(warped.picture)
    seconds = time.perf_counter() - started
    off_mm = None
    if not isinstance(result, NotFound) and warped.kind in ("board", "two boards"):
        board = scorer.plan.board
        spaces = np.array([space.xy_mm for route in board.routes for space in route.spaces])
        seen_px = (frame_points_px(result.pose, spaces) + 0.5) / result.shrunk - 0.5
        off = np.hypot(*(warped.projection.board_points(seen_px) - spaces).T)
        off_mm = float(np.nan_to_num(off, nan=np.inf).max())
    return SceneResult(
        seed,
        warped.kind,
        warped.view.tilt_deg,
        _turned_deg(warped.corners_px),
        "x".join(map(str, warped.view.size_wh)),
        "wide" if warped.view.k1 <= -0.03 else "normal",
        warped.covered,
        warped.moved_px,
        expected_reasons(warped, scorer.plan.board.size_mm),
        not isinstance(result, NotFound),
        off_mm,
        result.reason if isinstance(result, NotFound) else "",
        seconds / decoding,
    )


def _turned_deg(corners_px: Float64s) -> float:
    """Return the rotation of the board's upper edge in the picture, clockwise."""
    across, down = corners_px[1] - corners_px[0]
    return float(np.rad2deg(np.arctan2(down, across)))


def expected_reasons(warped: WarpedBoard, size_mm: tuple[float, float]) -> tuple[str, ...]:
    """Return the words of which a right refusal of the scene has one."""
    if warped.kind != "board":
        return REASON_WORDS[warped.kind]
    has = {
        "small": warped.projection.px_per_mm(np.array(size_mm) / 2) < COARSE_PX_PER_MM,
        "blurred": warped.moved_px > MOVED_BANDS[1],
        "wide lens": warped.view.k1 <= -0.03,
        "covered": warped.covered > COVER_BANDS[1],
        "dark": _board_brightness(warped) < DARK_LEVEL,
    }
    return tuple(word for word, is_so in has.items() if is_so)


def _board_brightness(warped: WarpedBoard) -> float:
    """Return the board's 95th percentile of grey levels."""
    grey = cv2.cvtColor(warped.picture, cv2.COLOR_BGR2GRAY)
    board = np.zeros_like(grey)
    cv2.fillConvexPoly(board, np.rint(warped.corners_px).astype(np.int32), 1)
    return float(np.percentile(grey[board > 0], 95))


def _measure_s(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def table_lines(results: Sequence[SceneResult]) -> list[str]:
    """Return the table in lines, followed by the failed scenes."""
    boards = [one for one in results if one.kind == "board"]
    lines = [
        f"{'':20s} scenes  to 1.5 mm  refused, rightly  wrong  median mm   p90    max  x decoding"
    ]
    lines.append(_table_row("all boards", boards))
    for band in sorted({band for one in boards for band in one.bands}):
        lines.append(_table_row(band, [one for one in boards if band in one.bands]))
    for kind in sorted({one.kind for one in results} - {"board"}):
        lines.append(_table_row(kind, [one for one in results if one.kind == kind]))
    for one in results:
        if one.is_found and not one.is_accurate:
            lines.append(f"seed {one.seed}: {one.kind}, found {one.off_mm or 0:.1f} mm off")
        elif not one.is_found and (one.kind == "board" or not one.is_refused_rightly):
            lines.append(f"seed {one.seed}: {one.kind}, {one.reason}")
    return lines


def _table_row(name: str, results: Sequence[SceneResult]) -> str:
    well, wrong = sum(one.is_accurate for one in results), sum(one.is_wrong for one in results)
    refused = sum(not one.is_found for one in results)
    rightly = sum(one.is_refused_rightly for one in results)
    off = [one.off_mm for one in results if one.off_mm is not None]
    middle, most, worst = np.percentile(off, [50, 90, 100]) if off else (np.nan,) * 3
    ratio = np.median([one.times_decoding for one in results]) if results else np.nan
    return (
        f"{name:20s} {len(results):6d} {well:10d} {refused:8d} {rightly:8d} {wrong:6d}"
        f" {middle:10.2f} {most:5.2f} {worst:6.2f} {ratio:11.0f}"
    )


if __name__ == "__main__":
    sys.exit(main())
