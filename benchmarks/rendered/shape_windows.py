"""Cut windows around spaces from drawn boards of the accessible edition, to train its net.

    python benchmarks/rendered/shape_windows.py OUT.npz [--windows N] [--seed S]

Copies, cameras, lamps and games are random, and shapes are of any outline and size, as people make
them. A board is read beside its own empty picture, or beside a drawing of it. Half of the windows
have a shape in the middle.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pose import Pose, rectify, viewpoint
from railspotter.calibration.profiles.drawn_reference import draw_reference, measure_colours
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import Board, load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board import pieces
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.pieces import Piece, place_trains
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.solids import circle, loft, outlines_px
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame, VirtualCamera
from railspotter.table.pieces import pieces_of_edition
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look.view import View
from railspotter.vision.printed.printed_board import PrintedBoard

from teaching.photo_windows import cut_windows
from teaching.relit_boards import FREE, RelitBoard
from teaching.taught_windows import TrainingWindows, save, windows_parser

EDITION = load_edition("usa-accessible")
BOARD = load_board(EDITION.board)
COLOURS = [train.name for train in plastic(EDITION.plastic)]
GAMES = 2  # of each copy and camera
DRAWN = 0.35  # how many boards are read beside a drawing
LIKE_PRINT = 0.4  # share of games in which pieces lie on prints of their own colour where they can
MOST_COVERED, LEAST_FREE = 45, 20  # windows of one game
SIZES = ((1600, 1200), (1280, 960), (1024, 768))
SHAPES_APART_MM = 14.0  # least distance between the pins of a made board
CORNER_PX = 0.5  # standard deviation of the errors of the corners by which boards are rectified


def made_shapes(rng: Generator) -> Any:
    """Return the mould of each colour's shape as somebody made them, instead of the drawn ones."""
    radius, height = rng.uniform(4.5, 9.5), rng.uniform(2.5, 8)
    corners = dict(zip(COLOURS, rng.permutation([3, 4, 5, 6, 16]).tolist(), strict=True))
    rings = ((0.0, radius), (0.8 * height, radius), (height, rng.uniform(0.75, 1) * radius))
    return cache(
        lambda colour: loft([circle((0.0, 0.0, z), wide, corners[colour]) for z, wide in rings])
    )


def place_on_pins(board: Board, claims: Mapping[str, str], seed: int) -> tuple[Piece, ...]:
    """Put one shape on each claimed route, on the pin that a made board of that seed has there.

    No maker puts two pins where two shapes have no room, unless there is no other space.
    """
    rng = np.random.default_rng([seed, 5])
    placed: list[tuple[float, float]] = []
    shapes = []
    for route in sorted(board.routes, key=lambda route: route.length):
        spaces = rng.permutation(route.length).tolist()
        free = [i for i in spaces if not _is_near(route.spaces[i].xy_mm, placed)]
        pin = next(iter(free), spaces[0])
        placed.append(route.spaces[pin].xy_mm)
        if route.id in claims:
            row = place_trains(board, {route.id: claims[route.id]}, seed)
            shapes.append(replace(row[pin], kind="shape"))
    return tuple(shapes)


def _is_near(xy_mm: tuple[float, float], others: Sequence[tuple[float, float]]) -> bool:
    return any(np.hypot(*np.subtract(xy_mm, other)) < SHAPES_APART_MM for other in others)


def random_light(rng: Generator) -> Light:
    """Return the light of a random lamp."""
    red, green, blue = np.exp(rng.normal(0, [0.12, 0.06, 0.18])).tolist()
    return Light(
        strength=float(np.exp(rng.normal(0, 0.25))),
        gain_bgr=(blue, green, red),
        from_deg=float(rng.uniform(0, 360)),
        softness=float(np.exp(rng.uniform(np.log(0.01), np.log(0.4)))),
        ambient=float(rng.uniform(0.3, 0.8)),
        height_deg=float(rng.uniform(22, 75)),
        falloff=float(rng.choice([0.0, rng.uniform(0, 0.6)])),
        glare=float(rng.choice([0.0, 0.0, rng.uniform(0, 0.35)])),
    )


def random_claims(rng: Generator) -> dict[str, str]:
    """Return random claims, in many games of pieces on prints of their own colour."""
    players = rng.permutation(COLOURS)[: rng.integers(2, len(COLOURS) + 1)].tolist()
    density, is_alike = rng.choice([0.1, 0.35, 0.7, 0.95]), rng.random() < LIKE_PRINT
    return {
        route.id: route.colour if is_alike and route.colour in players else str(rng.choice(players))
        for route in BOARD.routes
        if rng.random() < density
    }


def random_boards(rng: Generator) -> Iterator[RelitBoard]:
    """Yield boards as the program looks at them, with their ground truth, without end."""
    while True:
        seed = int(rng.integers(1000, 1 << 30))
        copy = Copy(
            seed=seed,
            stray_print_mm=3.0,
            ink_spread=5.0,
            plastic_spread=9.0,
            train_size_mm=EDITION.train_size_mm,
        )
        profile = _empty_profile(copy, seed, rng)
        printed = PrintedBoard.of(BOARD, profile)
        if rng.random() < DRAWN:
            scale = printed.px_per_mm
            colours = measure_colours(printed.reference, scale, BOARD, {})
            printed = replace(printed, reference=draw_reference(colours, scale, BOARD, {}))
        camera = VirtualCamera(BOARD, copy, _random_view(rng), _random_sensor(seed, rng))
        with patch.object(pieces, "shape_mould", made_shapes(rng)):
            boards = [_random_game(camera, printed, profile, rng) for _ in range(GAMES)]
        yield from boards


def _random_game(
    camera: VirtualCamera, printed: PrintedBoard, profile: Profile, rng: Generator
) -> RelitBoard:
    placed = place_on_pins(camera.printed, random_claims(rng), int(rng.integers(1 << 30)))
    frame = camera.take(Scene(placed, light=random_light(rng)))
    return _label_board(frame, printed, profile, rng)


def _empty_profile(copy: Copy, seed: int, rng: Generator) -> Profile:
    """Return the profile of a copy by a picture of it empty."""
    above = CameraSetup(SIZES[0], tilt_deg=3)
    empty = VirtualCamera(BOARD, copy, above, Sensor(seed=seed)).take(
        Scene(light=random_light(rng))
    )
    return make_profile(empty.picture, BOARD, empty.corners_px, "drawn", "2026-01-01T00:00:00")


def _random_view(rng: Generator) -> CameraSetup:
    return CameraSetup(
        SIZES[rng.integers(len(SIZES))],
        tilt_deg=float(rng.uniform(0, 42)),
        heading_deg=float(rng.uniform(-180, 180)),
        roll_deg=float(rng.choice([0.0, 180.0, rng.normal(0, 5)])),
        distance_mm=float(rng.uniform(700, 1300)),
        fill=float(rng.uniform(0.6, 0.92)),
    )


def _random_sensor(seed: int, rng: Generator) -> Sensor:
    return Sensor(
        noise=float(rng.uniform(1, 6)),
        seed=seed,
        blur_px=float(rng.uniform(0.4, 1.5)),
        jpeg_quality=int(rng.integers(40, 97)),
    )


def _label_board(
    frame: RenderedFrame, printed: PrintedBoard, profile: Profile, rng: Generator
) -> RelitBoard:
    mask: Picture = np.zeros(frame.picture.shape, np.uint8)
    for piece in frame.pieces:
        solid = pieces.piece_solid(piece, EDITION.train_size_mm)
        for outline in outlines_px(solid, frame.projection):
            cv2.fillConvexPoly(mask, outline, (255,) * 3, cv2.LINE_8, 4)
    pose = Pose.at_corners(frame.corners_px + rng.normal(0, CORNER_PX, (4, 2)), BOARD.size_mm)
    scale = printed.px_per_mm
    seen = rectify(mask, pose, scale)[..., 0].astype(np.float32) / np.float32(255)
    numbers = {colour: c for c, colour in enumerate(COLOURS)}
    colours = [
        FREE if colour is None else numbers[colour]
        for route in BOARD.routes
        for colour in frame.spaces[route.id]
    ]
    eye = viewpoint(pose.frame_from_board, frame.picture.shape[1::-1])
    view = View(
        printed,
        rectify(frame.picture, pose, scale),
        eye,
        pieces_of_edition(EDITION, BOARD, profile),
    )
    return RelitBoard("drawn", view, np.array(colours, np.intp), seen)


def board_windows(seed: int) -> Iterator[TrainingWindows]:
    """Yield some windows of one board after the other, half of them covered, without end."""
    rng = np.random.default_rng(seed)
    for board in random_boards(rng):
        windows = cut_windows(board, rng, len(board.colours))
        covered = np.flatnonzero(windows.covered == 1)[:MOST_COVERED]
        free = np.flatnonzero(windows.covered == 0)[: max(len(covered), LEAST_FREE)]
        yield windows.subset(np.concatenate([covered, free]))


def main() -> None:
    """Cut as many windows as asked for."""
    arguments = windows_parser(__doc__, 9000).parse_args()
    save(arguments.out, board_windows(arguments.seed), arguments.windows)


if __name__ == "__main__":
    main()
