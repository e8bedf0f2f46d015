"""Places things over photos of boards: drawn hands, cups, phones and cards, and real cut-outs.

Drawn things are painted as the photo's own camera would see them, with their shadows; cut-outs are
pixels of other photos, laid flat. What of a board they hide is known by geometry.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.pose import viewpoint
from railspotter.scoring.board import Board
from railspotter.simulation.virtual_board.board_renderer import painted_body, slices_of
from railspotter.simulation.virtual_board.camera import Projection, VirtualLens
from railspotter.simulation.virtual_board.ground import darken
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.solids import paint_solid
from railspotter.simulation.virtual_board.things import HANDS, Thing, thing_solid
from railspotter.table.photo_file import load_photo

from photos.labelled import PHOTOS

SHADOW_SHARE = 0.5  # share of the light that a thing's shadow takes
BLUR_PX = 0.6  # drawn edges are made as soft as a photo's
NOISE_LEVELS = 2.0  # grey levels
APART_MM = 170.0  # between what is laid over one photo
Item = Thing | tuple[str, tuple[float, float], float]
# What is laid over a photo, drawn things and cut-outs by their names.
THING_SETS: dict[str, tuple[str, ...]] = {
    "drawn cards": ("train card", "ticket card", "train card", "ticket card"),
    "drawn cup and phone": ("cup", "phone"),
    "drawn hands": ("hand", "flat hand"),
    "real cards": ("yellow card", "pink card", "tickets", "blue cards"),
    "real fans": ("fan", "light fan"),
    "real hand": ("held fan", "wrist"),
}


@dataclass(frozen=True)
class CutOut:
    """A thing cut from a photo."""

    photo: str  # below the photos' folder
    px_per_mm: float  # its scale
    outline_px: tuple[tuple[float, float], ...]


# By eye, on enlarged photos; scales by the cards, which are 88 mm long, or by the board beside.
CUT_OUTS = {
    "fan": CutOut(
        "europe/house6_800.jpg",
        0.86,
        (
            *((268, 508), (283, 498), (306, 473), (354, 470), (368, 483), (388, 486)),
            *((422, 515), (429, 528), (383, 560), (311, 560)),
        ),
    ),
    "light fan": CutOut(
        "europe/house6_800.jpg",
        0.86,
        (
            *((455, 512), (472, 491), (513, 470), (542, 470), (582, 483), (602, 502)),
            *((572, 560), (498, 554)),
        ),
    ),
    "yellow card": CutOut("europe/house6_800.jpg", 0.86, ((7, 86), (78, 76), (80, 120), (10, 128))),
    "pink card": CutOut("europe/house6_800.jpg", 0.86, ((4, 140), (77, 139), (75, 180), (3, 184))),
    "tickets": CutOut(
        "cards/usa_cards_and_ticket_540.jpg",
        2.1,
        ((331, 82), (502, 45), (538, 137), (519, 232), (333, 171)),
    ),
    "blue cards": CutOut(
        "cards/usa_cards_and_ticket_540.jpg",
        2.1,
        ((1, 102), (112, 78), (150, 160), (188, 206), (171, 314), (1, 296)),
    ),
    "held fan": CutOut(
        "cards/europe_hand_400.jpg",
        1.1,
        (
            *((25, 316), (36, 298), (50, 273), (92, 246), (137, 229), (194, 233), (238, 247)),
            *((276, 276), (295, 315), (196, 356), (164, 322), (140, 344), (118, 359)),
            *((110, 398), (40, 398), (53, 336)),
        ),
    ),
    "wrist": CutOut(
        "cards/europe_hand_400.jpg",
        1.1,
        (
            *((54, 337), (100, 336), (150, 310), (164, 318), (160, 332), (118, 359)),
            *((110, 398), (40, 398)),
        ),
    ),
}


def cover_board(
    picture: Picture, corners_px: Float64s, size_mm: tuple[float, float], things: Sequence[Item]
) -> tuple[Picture, Picture]:
    """Return a photo with things over its board, and their mask: 255 in (H, W).

    They are drawn things, and cut-outs by name, with where their middles lie on the board, and
    degrees.
    """
    covered, mask = picture.copy(), np.zeros(picture.shape[:2], np.uint8)
    frame_from_board = homography_from_corners(corners_px, size_mm)
    projection = board_projection(frame_from_board, (picture.shape[1], picture.shape[0]))
    for thing in things:
        if isinstance(thing, Thing):
            _paint_thing(covered, mask, thing, projection)
        else:
            _paste_cut_out(covered, mask, thing, frame_from_board)
    return covered, mask


def board_projection(frame_from_board: Float64s, size_wh: tuple[int, int]) -> Projection:
    """Return the projection of points above a photo's board."""
    eye = viewpoint(frame_from_board, size_wh)
    # A point above the board is seen where the line from the eye through it meets the board:
    # (x, y, z) at the eye's (x, y) + (point - eye) * height / (height - z).
    h = eye.height_mm
    onto_board = np.array([[h, 0, -eye.x_mm, 0], [0, h, -eye.y_mm, 0], [0, 0, -1, h]], np.float64)
    lens = VirtualLens(float(max(size_wh)), (size_wh[0] / 2, size_wh[1] / 2))
    return Projection(frame_from_board / frame_from_board[2, 2] @ onto_board, lens, size_wh)


def _paint_thing(picture: Picture, mask: Picture, thing: Thing, seen: Projection) -> None:
    """Paint a drawn thing in the board's brightness."""
    light = Light()
    there = painted_body(thing_solid(thing), seen, light)
    at = slices_of(there.rectangle)
    if not picture[at].size:
        return
    darken(picture[at], there.shade, SHADOW_SHARE)
    painted, hidden = np.zeros_like(picture[at]), np.zeros_like(mask)
    paint_solid(painted, there.solid, seen, light, there.rectangle[:2])
    there.draw_mask(hidden, (0, 0), seen)
    np.maximum(mask, hidden, out=mask)
    brightness = float(np.clip(np.percentile(picture, 75) / 170, 0.45, 1.2))
    rng = np.random.default_rng(zlib.crc32(repr(thing).encode()))
    noisy = painted * brightness + rng.normal(0, NOISE_LEVELS, painted.shape)
    share = cv2.GaussianBlur(hidden[at], (0, 0), BLUR_PX)[..., None] / 255
    soft = cv2.GaussianBlur(np.clip(noisy, 0, 255).astype(np.float32), (0, 0), BLUR_PX)
    picture[at] = np.rint(picture[at] * (1 - share) + soft * share)


@cache
def _load_cut_out(name: str) -> tuple[Picture, Picture]:
    """Return a cut-out's photo, and its mask."""
    cut = CUT_OUTS[name]
    photo = load_photo(PHOTOS / cut.photo)
    inside = np.zeros(photo.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.rint(cut.outline_px).astype(np.int32)], 255)
    return photo, inside


def _paste_cut_out(
    picture: Picture,
    mask: Picture,
    laid: tuple[str, tuple[float, float], float],
    frame_from_board: Float64s,
) -> None:
    """Paste a cut-out flat on the board."""
    name, middle_mm, degrees = laid
    cut, (photo, inside) = CUT_OUTS[name], _load_cut_out(name)
    middle = np.mean(cut.outline_px, axis=0)
    angle = np.deg2rad(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    board_from_cut = np.eye(3)
    board_from_cut[:2, :2] = turn / cut.px_per_mm
    board_from_cut[:2, 2] = np.array(middle_mm) - board_from_cut[:2, :2] @ middle
    size_wh = picture.shape[1::-1]
    frame_from_cut = frame_from_board @ board_from_cut
    there = cv2.warpPerspective(photo, frame_from_cut, size_wh, flags=cv2.INTER_CUBIC)
    share = cv2.warpPerspective(inside, frame_from_cut, size_wh)
    soft = share[..., None] / np.float32(255)
    picture[:] = np.rint(picture * (1 - soft) + there * soft)
    np.maximum(mask, share, out=mask)


def choose_spots(board: Board, name: str, count: int) -> list[tuple[float, float]]:
    """Return random spaces' middles, far from each other, for the things."""
    spaces = [space.xy_mm for route in board.routes for space in route.spaces]
    lot = np.random.default_rng(zlib.crc32(name.encode())).permutation(len(spaces))
    chosen: list[tuple[float, float]] = []
    for number in lot[: len(spaces)].tolist():
        x, y = spaces[number]
        if len(chosen) < count and all(np.hypot(x - u, y - v) > APART_MM for u, v in chosen):
            chosen.append((x, y))
    return chosen


def choose_things(board: Board, name: str, step: str) -> list[Item]:
    """Return a step's things for a photo, random but reproducible."""
    seed = zlib.crc32(f"{step} {name}".encode()) % 1000
    kinds = THING_SETS[step]
    laid: list[Item] = []
    for number, (kind, (x, y)) in enumerate(
        zip(kinds, choose_spots(board, f"{step} {name}", len(kinds)), strict=True)
    ):
        degrees = float((seed + 70 * number) % 360)
        if kind in HANDS:
            # From the nearest of the long edges: an arm lies over what is between.
            from_below = y > board.size_mm[1] / 2
            degrees = (-90.0 if from_below else 90.0) + 15 * (seed % 5 - 2)
        if kind in CUT_OUTS:
            laid.append((kind, (x, y), degrees))
        else:
            laid.append(Thing(kind, (x, y), degrees, seed + number))
    return laid
