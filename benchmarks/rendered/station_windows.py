"""Render stations as people lay them, to teach vision/look/station_net.py.

    python benchmarks/rendered/station_windows.py OUT.npz [--scenes N] [--seed S]

Neighbourhoods of scene.py with stations on cities, beside them and astride trains. No photo is part
of any.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float64s
from railspotter.calibration.pose import Viewpoint
from railspotter.scoring.board import Board, load_board
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.lab import to_lab
from railspotter.vision.look.station_net import PX_PER_MM, PrintedGround, see_ground
from railspotter.vision.look.stations import SEEN_HEIGHT

from composed.stations import HEIGHT_MM, TRAIN_HEIGHT_MM
from rendered.canvas import MIDDLE_MM, SIZE_MM, box, directions, grain, varied
from rendered.photo import Shot, photograph, photograph_empty
from rendered.plastic import Mould
from rendered.print import INKS, Space, Style, draw_ground, print_spaces
from rendered.scene import Camera, Train, neighbourhood, paint_trains, players, stand_trains
from teaching.taught_stations import Standing, StationWindows, about, save, windows_of

BOARDS = ("usa", "europe")


def rendered(rng: Generator, boards: Sequence[Board]) -> StationWindows:
    """Return the windows of one rendered neighbourhood."""
    board = boards[int(rng.integers(len(boards)))]
    spaces, places = neighbourhood(board, rng)
    inks = rng.choice(list(INKS), len(board.routes))
    colours = {space.route: str(inks[space.route]) for space in spaces}
    style, ground = Style.drawn(rng), draw_ground(rng)
    paper = grain(rng, (1.2, 4), (rng.uniform(0, 5), rng.uniform(0, 3)))[..., None]
    marked = print_spaces(ground, style, spaces, colours, places, rng)
    empty = np.asarray(np.clip(marked + paper, 0, 255), np.uint8)
    height = rng.uniform(450, 1100)
    off = np.clip(rng.normal(0, 0.45, 2), -1.1, 1.1) * height
    eye = Viewpoint(float(MIDDLE_MM[0] + off[0]), float(MIDDLE_MM[1] + off[1]), height)
    camera = Camera(eye.x_mm, eye.y_mm, height)
    game = players(rng)
    trains, _ = stand_trains(spaces, colours, style, game, rng)
    laid, standing = _laid(list(game.plastics.values()), spaces, places, trains, eye, rng)
    painted, _ = paint_trains(empty, trains, camera, rng, laid)
    photo, gain = photograph(painted, rng)
    if rng.random() < 0.35:  # nothing known but inks, and the ground from afar
        plain = np.asarray(cv2.GaussianBlur(ground, (0, 0), 30), np.uint8)
        reference = Shot(print_spaces(plain, style, spaces, colours, (), rng), 2.5)
    else:
        reference = photograph_empty(empty, rng)
    size_wh = round(SIZE_MM[0] * PX_PER_MM), round(SIZE_MM[1] * PX_PER_MM)
    shown = np.zeros(size_wh[::-1], np.uint8)
    for space in spaces:
        outline = box(space.xy_mm, space.angle, *space.size_mm)
        cv2.fillConvexPoly(shown, np.rint(outline * PX_PER_MM).astype(np.int32), (255,))
    small = cv2.resize(reference.picture, size_wh, interpolation=cv2.INTER_AREA)
    lit = np.clip(photo.picture / (gain * np.exp(rng.normal(0, 0.03, 3))), 0, 255).astype(np.uint8)
    named = [_colour(str(k), ink, rng) for k, ink in enumerate(game.plastics.values())]
    seen = see_ground(lit, PrintedGround(np.asarray(small, np.uint8), shown), named)
    return windows_of(seen, standing, eye, rng)


def _colour(name: str, bgr: Float64s, rng: Generator) -> TrainColour:
    return about(name, to_lab(np.clip(bgr, 0, 255).astype(np.uint8)[None])[0], rng)


def _laid(
    plastics: Sequence[Float64s],
    spaces: Sequence[Space],
    places: Sequence[Float64s],
    trains: Sequence[Train],
    eye: Viewpoint,
    rng: Generator,
) -> tuple[list[Train], Standing]:
    """Lay stations on places, beside them and astride trains."""
    mould, laid, colours = Mould.of_station(rng), list[Train](), list[int]()
    middles: list[Float64s] = []
    for _ in range(rng.integers(2, 9)):
        kind, lifted = rng.random(), 0.0
        if kind < 0.4 and trains:
            foot = trains[int(rng.integers(len(trains)))].foot_mm + rng.normal(0, 3, 2)
            lifted = TRAIN_HEIGHT_MM
        elif kind < 0.7 and places:
            foot = places[int(rng.integers(len(places)))] + rng.normal(0, 3, 2)
        else:
            anchor = spaces[int(rng.integers(len(spaces)))].xy_mm if spaces else MIDDLE_MM
            foot = anchor + directions(rng.uniform(0, 2 * np.pi))[0] * rng.uniform(4, 25)
        inside = ((foot > 25) & (foot < np.array(SIZE_MM) - 25)).all()
        if not inside or any(np.hypot(*(foot - other)) < 18 for other in middles):
            continue
        middles.append(foot)
        colours.append(int(rng.integers(len(plastics))))
        raised = foot + eye.lean_mm(foot, lifted)
        ink = varied(rng, plastics[colours[-1]], 0.04)
        laid.append(Train(raised, rng.uniform(0, 2 * np.pi), ink, mould))
    seen = [one.foot_mm + eye.lean_mm(one.foot_mm, SEEN_HEIGHT * HEIGHT_MM) for one in laid]
    return laid, Standing(np.array(seen, np.float64).reshape(-1, 2), colours)


def main() -> None:
    """Write as many scenes' windows as asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(options.seed)
    boards = [load_board(name) for name in BOARDS]
    save(options.out, (rendered(rng, boards) for _ in range(options.scenes)))


if __name__ == "__main__":
    main()
