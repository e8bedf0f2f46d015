"""Render placed stations, to train vision/look/station_net.py.

    python benchmarks/rendered/station_windows.py OUT.npz [--scenes N] [--seed S]

Neighbourhoods of scene.py with stations on cities, beside them and astride trains. No photo is part
of any.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Mask, Picture
from railspotter.calibration.pose import Viewpoint
from railspotter.scoring.board import Board, load_board
from railspotter.vision.lab import to_lab
from railspotter.vision.look.station_net import PX_PER_MM, PrintedGround, see_ground
from railspotter.vision.look.stations import SEEN_HEIGHT

from composed.stations import HEIGHT_MM, TRAIN_HEIGHT_MM
from rendered.canvas import MIDDLE_MM, SIZE_MM, box, directions, smooth_noise, vary
from rendered.photo import photograph, photograph_empty
from rendered.plastic import Mould
from rendered.print import INKS, Space, Style, draw_ground, print_spaces
from rendered.scene import Camera, Train, neighbourhood, paint_trains, place_trains, random_game
from teaching.relighting import change_contrast
from teaching.taught_stations import (
    SeenStations,
    StationWindows,
    approximate_colours,
    cut_windows,
    windows_parser,
    write_windows,
)

BOARDS = ("usa", "europe")
LIGHT_MM = 25.0  # over which the reader averages a photo's light


def render_windows(rng: Generator, boards: Sequence[Board]) -> StationWindows:
    """Return the windows of one rendered neighbourhood."""
    board = boards[int(rng.integers(len(boards)))]
    spaces, places = neighbourhood(board, rng)
    inks = rng.choice(list(INKS), len(board.routes))
    colours = {space.route: str(inks[space.route]) for space in spaces}
    style, ground = Style.random(rng), draw_ground(rng)
    paper = smooth_noise(rng, (1.2, 4), (rng.uniform(0, 5), rng.uniform(0, 3)))[..., None]
    seed = int(rng.integers(1 << 30))

    def printed(on: Picture, in_style: Style) -> Picture:
        lines = print_spaces(on, in_style, spaces, colours, (), rng)
        return print_spaces(lines, in_style, (), colours, places, np.random.default_rng(seed))

    empty = np.asarray(np.clip(printed(ground, style) + paper, 0, 255), np.uint8)
    eye = _random_viewpoint(rng)
    camera = Camera(eye.x_mm, eye.y_mm, eye.height_mm)
    game = random_game(rng)
    plastics = list(game.plastics.values())
    trains, _ = place_trains(spaces, colours, style, game, rng)
    laid, standing = _place_stations(plastics, spaces, places, trains, eye, rng)
    painted, plastic = paint_trains(empty, trains, camera, rng, laid)
    shot, _ = photograph(painted, rng)
    photo, is_drawn = _to_ground_scale(shot.picture), rng.random() < 0.5
    if is_drawn:  # nothing known but inks, the places' mark, and the ground from afar
        plain = np.asarray(cv2.GaussianBlur(ground, (0, 0), 30), np.uint8)
        of_another = replace(style, symbol="none", inks=style.reprint(rng).inks)
        reference = printed(plain, of_another)
    else:
        reference = photograph_empty(empty, rng).picture
    # By a photo of the empty board the reader takes most of a camera's tones out.
    if rng.random() < (0.6 if is_drawn else 0.25):
        photo = change_contrast(photo, rng)
    shown = np.zeros(photo.shape[:2], np.uint8)
    for space in spaces:
        outline = box(space.xy_mm, space.angle, *space.size_mm)
        cv2.fillConvexPoly(shown, np.rint(outline * PX_PER_MM).astype(np.int32), (255,))
    small = _to_ground_scale(reference)
    lit = _remove_light(small, photo, (shown == 0) & (_to_ground_scale(plastic) == 0))
    known = {str(k): _plastic_lab(plastic) for k, plastic in enumerate(plastics)}
    shown_at = _visible_middles([*trains, *laid], plastics, camera)
    named = approximate_colours(lit, known, shown_at, rng)
    return cut_windows(see_ground(lit, PrintedGround(small, shown), named), standing, eye, rng)


def _random_viewpoint(rng: Generator) -> Viewpoint:
    """Return a camera position: half of them nearly above, half up to 60 degrees aside."""
    height = rng.uniform(450, 1100)
    aside = abs(rng.normal(0, 0.45)) if rng.random() < 0.5 else np.tan(rng.uniform(0.35, np.pi / 3))
    at = MIDDLE_MM + aside * height * directions(rng.uniform(0, 2 * np.pi))[0]
    return Viewpoint(float(at[0]), float(at[1]), height)


def _to_ground_scale(picture: Picture) -> Picture:
    """Return a picture of the scene at the ground's scale."""
    size_wh = round(SIZE_MM[0] * PX_PER_MM), round(SIZE_MM[1] * PX_PER_MM)
    way = cv2.INTER_AREA if picture.shape[1] > size_wh[0] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size_wh, interpolation=way), np.uint8)


def _remove_light(reference: Picture, photo: Picture, bare: Mask) -> Picture:
    """Return a photo with its light removed as vision/printed/light.py does, by bare ground."""
    weight = bare.astype(np.float32)
    ratio = np.log(photo.astype(np.float32) + 2) - np.log(reference.astype(np.float32) + 2)
    overall = np.median(ratio[bare], axis=0) if bare.any() else np.zeros(3)
    around = cv2.GaussianBlur(weight, (0, 0), LIGHT_MM * PX_PER_MM)[..., None] + 1e-3
    mean = cv2.GaussianBlur(ratio * weight[..., None], (0, 0), LIGHT_MM * PX_PER_MM)
    gain = np.exp((mean + 1e-3 * overall) / around)
    return np.asarray(np.clip(photo / gain, 0, 255), np.uint8)


def _plastic_lab(plastic: Float64s) -> Float32s:
    """Return what plastic looks like of which nothing is seen."""
    return np.asarray(to_lab(np.clip(plastic, 0, 255).astype(np.uint8)[None])[0], np.float32)


def _visible_middles(
    pieces: Sequence[Train], plastics: Sequence[Float64s], camera: Camera
) -> Iterator[tuple[str, Float64s]]:
    """Yield each piece's owner, and the pixel of its visible middle."""
    for piece in pieces:
        whose = int(np.argmin([np.abs(piece.plastic - plastic).sum() for plastic in plastics]))
        up = SEEN_HEIGHT * piece.mould.size_mm[2]
        yield str(whose), (piece.foot_mm + up * camera.lean_per_mm(piece.foot_mm)) * PX_PER_MM


def _place_stations(
    plastics: Sequence[Float64s],
    spaces: Sequence[Space],
    places: Sequence[Float64s],
    trains: Sequence[Train],
    eye: Viewpoint,
    rng: Generator,
) -> tuple[list[Train], SeenStations]:
    """Place stations on places, beside them and on trains."""
    mould, laid, colours = Mould.random_station(rng), list[Train](), list[int]()
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
        ink = vary(rng, plastics[colours[-1]], 0.04)
        laid.append(Train(raised, rng.uniform(0, 2 * np.pi), ink, mould))
    seen = [one.foot_mm + eye.lean_mm(one.foot_mm, SEEN_HEIGHT * HEIGHT_MM) for one in laid]
    return laid, SeenStations(np.array(seen, np.float64).reshape(-1, 2), colours)


def main() -> None:
    """Render as many scenes as asked for."""
    options, boards = windows_parser(__doc__, 1000).parse_args(), [*map(load_board, BOARDS)]
    write_windows(options, partial(render_windows, boards=boards))


if __name__ == "__main__":
    main()
