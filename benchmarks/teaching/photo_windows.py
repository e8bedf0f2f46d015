"""Cut windows around spaces from relit photos, to train vision/look/train_net.py.

    python benchmarks/teaching/photo_windows.py OUT.npz --house own-copy [--windows N] [--seed S]

Boards are those of relit_boards.py, seen as the program sees them: light taken out, in windows.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from railspotter.vision.look.first_look import in_reference_light
from railspotter.vision.look.train_net import cut, seen_windows, window_grid

from teaching.relit_boards import FREE, HOUSES, UNKNOWN_SPACE, RelitBoard, RelitHouse
from teaching.taught_windows import UNKNOWN, TrainingWindows, cell_means, save, windows_parser

# Windows of one board: more boards, each in its own light, teach more than more of one.
MOST_A_BOARD = 40


def cut_windows(
    relit: RelitBoard, rng: np.random.Generator, at_most: int = MOST_A_BOARD
) -> TrainingWindows:
    """Return the windows of a board, or some of them."""
    view = relit.view
    _, lit = in_reference_light(view)
    windows = seen_windows(view, lit)
    printed = view.printed
    grid_mm = window_grid(printed.xy_mm, printed.along)
    pixels = np.asarray(grid_mm * printed.px_per_mm - 0.5, np.float32)
    share = np.clip(relit.plastic * 255 + 0.5, 0, 255).astype(np.uint8)
    plastic = cell_means(cut(np.dstack([share] * 3), pixels)[..., 0])
    covered = np.where(relit.colours == FREE, 0, 1)
    covered[relit.colours == UNKNOWN_SPACE] = UNKNOWN
    samples = TrainingWindows(windows, covered.astype(np.uint8), plastic)
    return samples.subset(rng.permutation(len(covered))[:at_most])


def board_windows(house: str, seed: int) -> Iterator[TrainingWindows]:
    """Yield the windows of one board after the other, without end."""
    rng = np.random.default_rng([seed, *map(ord, house)])
    source = RelitHouse(HOUSES[house])
    while True:
        yield cut_windows(source.draw(rng), rng)


def main() -> None:
    """Cut as many windows as asked for."""
    parser = windows_parser(__doc__)
    parser.add_argument("--house", choices=tuple(HOUSES), required=True)
    arguments = parser.parse_args()
    save(arguments.out, board_windows(arguments.house, arguments.seed), arguments.windows)


if __name__ == "__main__":
    main()
