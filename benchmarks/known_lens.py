"""Find warped boards with the camera's lens known, unknown, and with another camera's.

    python benchmarks/known_lens.py [--scenes 40] [--seed 0] [--board usa]

The scenes are those of warped_boards.py that show a board. The right lens is the program's own
formula fitted to the virtual one, as photos of the sheet give it; the other one is a .5x lens where
the picture was taken by a main camera, and none to speak of where it was taken by a .5x lens. Times
are ratios to finding without a lens.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from composed_library import Library
from find_boards import WELL_MM, WRONG_MM, print_at
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.lenses.lens import Lens, no_lens
from railspotter.calibration.pose import NotFound, Pose
from railspotter.scoring import load_board
from railspotter.simulation.virtual_board import Projection
from warped_boards import WarpedBoard, scene

OTHER_BENDING = (-0.16, 0.02, 0.05)
"""Of a .5x lens: it moves the picture's corners by 18 %."""


def main(argv: Sequence[str] | None = None) -> None:
    """Find, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", default="usa")
    parser.add_argument("--scenes", type=int, default=40, help="seeds that are looked at")
    parser.add_argument("--seed", type=int, default=0, help="of the first")
    options = parser.parse_args(argv)
    library = Library(load_board(options.board))
    off: dict[tuple[str, str], list[float | None]] = defaultdict(list)
    seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for seed in range(options.seed, options.seed + options.scenes):
        shown = scene(library, seed)
        if shown.kind != "board":
            continue
        kind = "wide" if shown.view.k1 <= -0.03 else "normal"
        for name, lens in lenses(shown).items():
            started = time.process_time()
            found = find_board(shown.picture, library.profile, lens=lens)
            seconds[kind, name].append(time.process_time() - started)
            off[kind, name].append(worst_mm(library, shown, found))
    print(f"{'':22s} scenes  to {WELL_MM} mm  refused  wrong  median mm   p90    max  x time")
    for (kind, name), values in sorted(off.items()):
        found_mm = [value for value in values if value is not None]
        middle, most, worst = np.percentile(found_mm or [np.nan], [50, 90, 100])
        ratio = np.median(seconds[kind, name]) / np.median(seconds[kind, "unknown"])
        print(
            f"{kind + ', lens ' + name:22s} {len(values):6d} "
            f"{sum(value <= WELL_MM for value in found_mm):10d} "
            f"{len(values) - len(found_mm):8d} {sum(v > WRONG_MM for v in found_mm):6d} "
            f"{middle:10.2f} {most:5.2f} {worst:6.2f} {ratio:7.2f}"
        )


def lenses(shown: WarpedBoard) -> dict[str, Lens | None]:
    """Return the lenses that a board is looked for with."""
    size_wh = shown.view.size_wh
    is_wide = shown.view.k1 <= -0.03
    other = no_lens(size_wh) if is_wide else Lens(size_wh, OTHER_BENDING, 5)
    return {"unknown": None, "right": true_lens(shown.projection), "another's": other}


def true_lens(projection: Projection) -> Lens:
    """Return a virtual lens in the program's own formula, fitted to rays across the picture."""
    none = no_lens(projection.size_wh)
    width, height = projection.size_wh
    ends = np.column_stack([np.linspace(0, width - 1, 80), np.linspace(0, height - 1, 80)])
    straight = projection.lens.straightened(ends)
    before, after = (
        np.hypot(*((at - none.centre_px) / none.half_diagonal_px).T) for at in (straight, ends)
    )
    terms = np.column_stack([before**3, before**5, -after * before**2])
    a, b, c = np.linalg.lstsq(terms, after - before, rcond=None)[0].tolist()
    if c < 0:  # rays would fold
        (a, b), c = np.linalg.lstsq(terms[:, :2], after - before, rcond=None)[0].tolist(), 0.0
    return Lens(projection.size_wh, (a, b, c), 5)


def worst_mm(library: Library, shown: WarpedBoard, found: Pose | NotFound) -> float | None:
    """Return how far the worst space is off; None where no board was found."""
    if isinstance(found, NotFound):
        return None
    spaces = np.array([space.xy_mm for route in library.board.routes for space in route.spaces])
    off = shown.projection.board_points(print_at(found, spaces)) - spaces
    return float(np.nan_to_num(np.hypot(*off.T), nan=np.inf).max())


if __name__ == "__main__":
    main()
