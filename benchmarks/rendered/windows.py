"""Render windows around spaces, with and without trains, to train vision/look/train_net.py.

    python benchmarks/rendered/windows.py OUT.npz [--windows N] [--seed S]

Where spaces lie is taken from the board files; everything that is seen is made up: prints, plastic,
light, lens. No photo takes part. Half of the routes are covered, many by trains of their print's
own colour, pushed, turned and leaning; some copies print a route elsewhere than the reference does.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Picture, Points
from railspotter.scoring.board import Board, load_board
from railspotter.vision.look.train_net import (
    TALLEST_MM,
    WINDOW_MM,
    Windows,
    cut,
    mark_others,
    window_grid,
)

from rendered.canvas import MIDDLE_MM, PX_PER_MM, SIZE_MM, directions, smooth_noise
from rendered.photo import ScaledPicture, photograph, photograph_empty
from rendered.print import INKS, Space, Style, draw_ground, print_spaces
from rendered.scene import Camera, neighbourhood, paint_trains, place_trains, random_game, reprint
from teaching.taught_windows import TrainingWindows, cell_means, save, windows_parser

BOARDS = ("usa", "europe", "newyork")
BOARD_SHARES = (0.4, 0.4, 0.2)
# How often each of `INKS` is printed; grey is the commonest.
INK_SHARES = (0.19, 0.09, 0.1, 0.1, 0.1, 0.1, 0.1, 0.09, 0.09, 0.02, 0.02)
EDGE_MM = float(np.hypot(*WINDOW_MM)) / 2 - 3  # windows' middles keep so far from the edges


def render_windows(board: Board, rng: Generator) -> TrainingWindows:
    """Return the windows of one rendered scene with their ground truth."""
    spaces, places = neighbourhood(board, rng)
    inks = rng.choice(list(INKS), len(board.routes), p=INK_SHARES)
    colours = {space.route: str(inks[space.route]) for space in spaces}
    style, ground = Style.random(rng), draw_ground(rng)
    paper = smooth_noise(rng, (1.2, 4), (rng.uniform(0, 5), rng.uniform(0, 3)))[..., None]
    seed = int(rng.integers(1 << 30))

    def printed(in_style: Style, at: Sequence[Space]) -> Picture:
        print_rng = np.random.default_rng(seed)
        picture = print_spaces(ground, in_style, at, colours, places, print_rng)
        return np.asarray(np.clip(picture + paper, 0, 255), np.uint8)

    empty = printed(style, spaces)
    there, map_there = spaces, empty
    if rng.random() < 0.15:
        there = reprint(spaces, rng)
        map_there = printed(style.reprint(rng), there)
    height = rng.uniform(450, 1100)
    off = np.clip(rng.normal(0, 0.4, 2), -0.9, 0.9) * height * [1, 0.8]
    eye_x, eye_y = (MIDDLE_MM + off).tolist()
    camera = Camera(eye_x, eye_y, height)
    trains, covered = place_trains(there, colours, style, random_game(rng), rng)
    painted, plastic = paint_trains(map_there, trains, camera, rng)
    photo, gain = photograph(painted, rng)
    if rng.random() < 0.35:  # nothing known but inks, and the ground from afar
        plain = np.asarray(cv2.GaussianBlur(ground, (0, 0), 12 * PX_PER_MM), np.uint8)
        symbols = replace(style, symbol="none", inks=style.reprint(rng).inks)
        print_rng = np.random.default_rng(seed)
        empty = print_spaces(plain, symbols, spaces, colours, (), print_rng)
        reference = ScaledPicture(empty, PX_PER_MM)
    else:
        reference = photograph_empty(empty, rng)

    xy = np.array([space.xy_mm for space in spaces])
    inside = ((xy > EDGE_MM) & (xy < np.array(SIZE_MM) - EDGE_MM)).all(axis=1)
    along = np.array([directions(space.angle)[0] for space in spaces])
    size = np.array([space.size_mm for space in spaces])
    grid = window_grid(xy[inside], along[inside])
    # The pose is never quite right, nor the board flat, nor the light fully known.
    bend, shift = rng.normal(0, 0.004, (2, 2)), rng.normal(0, 0.35, 2)
    astray = (xy[inside] - MIDDLE_MM) @ bend + shift + rng.normal(0, 0.25, (len(grid), 2))
    seen = cut(photo.picture, _to_pixels(grid + astray[:, None, None], photo.px_per_mm))
    lean = camera.lean_per_mm(xy[inside]) * TALLEST_MM
    across = np.stack([-along[:, 1], along[:, 0]], axis=-1)
    seen_plastic = cut(
        np.dstack([plastic] * 3), _to_pixels(grid + astray[:, None, None], PX_PER_MM)
    )[..., 0]
    windows = Windows(
        photo=np.clip(seen / (gain * np.exp(rng.normal(0, 0.03, 3))), 0, 255).astype(np.uint8),
        reference=cut(reference.picture, _to_pixels(grid, reference.px_per_mm)),
        others=np.array([mark_others(xy, along, size, int(k)) for k in np.flatnonzero(inside)]),
        size_mm=size[inside],
        lean_mm=np.stack(
            [np.einsum("ni,ni->n", lean, way[inside]) for way in (along, across)], axis=-1
        ),
    )
    return TrainingWindows(windows, covered[inside].astype(np.uint8), cell_means(seen_plastic))


def render_scenes(seed: int) -> Iterator[TrainingWindows]:
    """Yield the windows of one scene after the other, without end."""
    rng = np.random.default_rng(seed)
    boards = [load_board(name) for name in BOARDS]
    while True:
        samples = render_windows(boards[rng.choice(len(boards), p=BOARD_SHARES)], rng)
        if len(samples.covered):
            yield samples


def _to_pixels(grid_mm: Points, px_per_mm: float) -> Float32s:
    return np.asarray(grid_mm * px_per_mm - 0.5, np.float32)


def main() -> None:
    """Render as many windows as asked for."""
    arguments = windows_parser(__doc__).parse_args()
    save(arguments.out, render_scenes(arguments.seed), arguments.windows)


if __name__ == "__main__":
    main()
