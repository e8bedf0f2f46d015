"""Prints of boards, seen from above.

Real copies were photographed empty; made-up ones are drawn in the manners of the virtual board, of
rendered/print.py and, editions of art of their own, of rendered/own_art.py.
"""

from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import Board, load_board
from railspotter.simulation.virtual_board.printed_copy import FOLDS, Copy
from railspotter.simulation.virtual_board.printed_map import draw_copy

from photos.labelled import PHOTOS, labelled_photos, reference_profile
from rendered.canvas import PX_PER_MM
from rendered.own_art import draw_own_art
from rendered.print import INKS, Space, Style, print_spaces

REAL_PRINTS = {
    "usa": ("blank_rectified_1500x990", "IMG_4172_1920", "IMG_4181_1920", "pale_print_empty_1000"),
    "europe": ("cropped_blank",),
    "newyork": ("scan_534x750",),
}
OWN_ART = "own-art-"  # editions that are drawn anew, by their numbers: asked for by name only
DRAWN_COUNT = 24  # made-up prints of each board: their numbers name them


@dataclass(frozen=True, eq=False)
class Print:
    """One printed copy of a board."""

    name: str
    board: Board  # as this copy prints it
    picture: Picture  # (H, W, 3) uint8, BGR: edge to edge, from above
    copy: Copy  # how it lies


def print_names(board: str) -> list[str]:
    """Return the available prints of a board, real ones first."""
    there = [name for name in REAL_PRINTS[board] if (PHOTOS / board).is_dir()]
    return there + [f"drawn-{number}" for number in range(DRAWN_COUNT)]


def choose_print_name(board: str, rng: Generator) -> str:
    """Choose a print: nearly half are real."""
    names = print_names(board)
    real = names[:-DRAWN_COUNT]
    return str(rng.choice(real if real and rng.random() < 0.45 else names[-DRAWN_COUNT:]))


def load_print(board: str, name: str) -> Print:
    """Return a print of a board by its name."""
    flat = load_board(board)
    if name.startswith("drawn-"):
        return _draw_print(flat, int(name.removeprefix("drawn-")))
    if name.startswith(OWN_ART):
        return _draw_own_art_print(flat, name)
    corners = {photo.path.stem: photo for photo in labelled_photos(PHOTOS / board)}
    if name in corners:
        profile = reference_profile(corners[name].path, flat, corners[name].corners_px)
    else:
        profile = reference_profile(PHOTOS / board / f"{name}.jpg", flat)
    lies = np.random.default_rng([len(name), *name.encode()])
    return Print(name, flat, profile.reference, Copy(1, fold_mm=lies.uniform(0, 1.2)))


def _draw_print(flat: Board, number: int) -> Print:
    rng = np.random.default_rng([number, 103])
    copy = Copy(
        int(rng.integers(1 << 30)),
        stray_print_mm=rng.uniform(0, 4) if rng.random() < 0.4 else 0.0,
        ink_spread=rng.uniform(4, 22),
        fold_mm=rng.uniform(0, 1.5),
    )
    printed = copy.printed(flat)
    drawn = draw_copy(printed, copy, PX_PER_MM) if number % 2 else _draw_styled(printed, copy, rng)
    return Print(f"drawn-{number}", printed, _draw_folds(_change_inks(drawn, rng)), copy)


def _draw_own_art_print(flat: Board, name: str) -> Print:
    rng = np.random.default_rng([int(name.removeprefix(OWN_ART)), 127])
    stray_mm = rng.uniform(0, 5)
    copy = Copy(int(rng.integers(1 << 30)), stray_print_mm=stray_mm, fold_mm=rng.uniform(0, 1.0))
    printed = copy.printed(flat)
    return Print(name, printed, draw_own_art(printed, copy, rng), copy)


def _draw_styled(printed: Board, copy: Copy, rng: Generator) -> Picture:
    """Return the virtual board's land and names with spaces in a style of rendered/print.py."""
    land = msgspec.structs.replace(printed, routes=printed.routes[:1])
    ground = draw_copy(land, copy, PX_PER_MM)
    spaces = [
        Space(np.array(space.xy_mm), float(np.deg2rad(space.angle_deg)), space.size_mm, number)
        for number, route in enumerate(printed.routes)
        for space in route.spaces
    ]
    colours = {
        number: route.colour if route.colour in INKS else "grey"
        for number, route in enumerate(printed.routes)
    }
    places = [np.array(place.xy_mm) for place in printed.places]
    return print_spaces(ground, Style.random(rng), spaces, colours, places, rng)


def _change_inks(picture: Picture, rng: Generator) -> Picture:
    """Return a print with another paper and other inks."""
    share = picture.astype(np.float32) / np.float32(255)
    mixing = np.eye(3) + rng.normal(0, 0.05, (3, 3))
    share = np.clip(cv2.transform(share, mixing / mixing.sum(axis=1, keepdims=True)), 0, 1)
    share = share ** np.float32(np.exp(rng.normal(0, 0.3)))
    grey = share.mean(axis=-1, keepdims=True)
    share = grey + np.float32(np.exp(rng.normal(0, 0.2))) * (share - grey)
    paper = np.clip(rng.normal((0.9, 0.95, 0.97), 0.06), 0.7, 1.0).astype(np.float32)
    return np.asarray(np.clip(share * paper * 255 + 0.5, 0, 255), np.uint8)


def _draw_folds(picture: Picture) -> Picture:
    """Return a print with the thin pale lines of the board's folds."""
    folded = picture.copy()
    for axis, shares in zip((1, 0), FOLDS, strict=True):
        lines = np.moveaxis(folded, axis, 0)
        at = [round(share * len(lines)) for share in shares]
        lines[at] = lines[at] // 2 + 112
    return folded
