"""Solids of what is on or over the board besides pieces: hands, cups, phones and cards."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Float64s
from .pieces import PLASTIC_INKS, Piece, piece_solid, rotation_about_z
from .printed_copy import PRINTED_INKS
from .solids import Solid, box, circle, flat_face, fused, joined, loft, tube

# A right hand that points at the origin, along x: an adult's joints in millimetres, chosen by eye.
# They vary with the seed.

Joints = tuple[tuple[float, float, float], ...]

SKINS = (
    (158, 184, 226),
    (134, 164, 214),
    (104, 142, 196),
    (76, 112, 168),
    (52, 78, 124),
    (36, 52, 86),
)
# BGR of sleeves, besides the trains' colours.
CLOTHS = ((58, 54, 52), (122, 88, 58), (148, 168, 186), (84, 64, 48), (206, 204, 198), (60, 92, 62))
SKIN_GLOSS = 12.0
# Distances of the sleeve's segments from the cuff, until out of the picture.
SLEEVE_MM = np.array([0, 7, 50, 100, 160, 230, 310, 400, 500, 620, 760, 920, 1100])

# Thumb and index finger hold the rear of a train at the origin; the others are bent.
PINCH: dict[str, Joints] = {
    "thumb": ((-129, 6, 52), (-75, -36, 45), (-37, -31, 31), (-11, -12.5, 11)),
    "index": ((-83, 10, 60), (-43, 17, 57), (-20, 16, 34), (-8, 12.5, 10)),
    "middle": ((-83, 31, 61), (-43, 37, 54), (-23, 33, 31), (-19, 27, 14)),
    "ring": ((-91, 51, 57), (-57, 58, 46), (-45, 52, 26), (-53, 46, 18)),
    "little": ((-102, 68, 51), (-75, 75, 40), (-67, 68, 26), (-77, 62, 20)),
    "palm": ((-175, 22, 60), (-139, 23, 62), (-109, 29, 61), (-85, 38, 57), (-75, 40, 54)),
}
# A hand flat on the board.
FLAT: dict[str, Joints] = {
    "thumb": ((-140, 10, 22), (-104, -34, 17), (-78, -54, 12), (-54, -62, 9)),
    "index": ((-82, -2, 20), (-42, -5, 16), (-20, -4, 12), (0, 0, 8)),
    "middle": ((-82, 18, 21), (-36, 18, 17), (-12, 19, 12), (9, 20, 8)),
    "ring": ((-88, 38, 20), (-48, 42, 16), (-24, 44, 12), (-3, 45, 8)),
    "little": ((-98, 57, 18), (-68, 63, 14), (-50, 66, 11), (-33, 69, 8)),
    "palm": ((-172, 22, 26), (-140, 22, 24), (-110, 24, 21), (-86, 26, 19), (-76, 27, 18)),
}
FINGER_RADII = {"thumb": 10.5, "index": 8.8, "middle": 9.2, "ring": 8.7, "little": 7.5}
TAPERS = {"thumb": (2.1, 1.3, 0.95, 0.8)}
# Relative width of a finger at its knuckle, its two joints and its tip.
TAPER = (1.12, 1.0, 0.9, 0.8)
PALM_RADII = ((29, 20), (36, 20), (41, 18), (40, 14), (33, 7))
FOREARM_RADII = ((29, 23), (27, 21))
CUP_INKS = ((226, 232, 234), (150, 92, 40), (54, 60, 176), (70, 74, 78), (120, 150, 84))
DRINKS = ((22, 34, 58), (40, 84, 150), (150, 180, 206), (196, 190, 178))
CUP_MM = 88.0
SCREEN = (34, 30, 28)
CARD_MM = ((88.0, 57.0), (68.0, 44.0))  # large cards and small ones; both are sold
THICK_MM = 0.4
GLOSS = 26.0
RIM = (226, 236, 240)
TICKET_GROUND = (150, 188, 206)
DARK = (58, 60, 66)
HANDS = ("hand", "flat hand")


def hand(is_flat: bool, seed: int) -> Solid:
    """Return a hand with its arm, pointing along x at the origin.

    It is flat on the board or holds a piece. The seed determines skin, sleeve, size and side.
    """
    rng = np.random.default_rng([seed, 11])
    skin = np.array(SKINS[rng.integers(len(SKINS))]) * rng.uniform(0.94, 1.04)
    cloths = (*CLOTHS, *PLASTIC_INKS.values())
    cloth = np.array(cloths[rng.integers(len(cloths))], np.float64)
    build = np.array([1.0, -1.0 if rng.random() < 0.3 else 1.0, 1.0]) * rng.uniform(0.9, 1.08)
    joints = {
        name: build * (np.array(line, np.float64) + rng.normal(0.0, 1.2, (len(line), 3)))
        for name, line in (FLAT if is_flat else PINCH).items()
    }
    limbs: list[Solid] = []
    for name, radius in FINGER_RADII.items():
        radii = build[0] * radius * np.array(TAPERS.get(name, TAPER))
        limbs += (one.with_ink(skin, SKIN_GLOSS) for one in _finger(joints[name], radii))
    yaw = np.deg2rad(rng.normal(0.0, 9.0))
    back = np.array([-np.cos(yaw), np.sin(yaw), 0.0])
    wrist = joints["palm"][0]
    forearm = [wrist + build[0] * 58 * back + (0, 0, 5), wrist + build[0] * 25 * back + (0, 0, 2)]
    middles = _smooth([*forearm, *joints["palm"]])
    palm = tube(middles, build[0] * _smooth([*FOREARM_RADII, *PALM_RADII]), corners=26)
    limbs += (one.with_ink(skin, SKIN_GLOSS) for one in palm)
    cuff = wrist + build[0] * 46 * back + (0, 0, 4)
    limbs += _sleeve(cuff, back, build[0], cloth, rng)
    return joined(limbs)


def _finger(line: Float64s, radii: Float64s) -> tuple[Solid, ...]:
    """Return the finger along its four joints, with a round tip."""
    ahead = (line[-1] - line[-2]) / np.linalg.norm(line[-1] - line[-2])
    before, after = (line[1:-1] + 0.12 * (line[i:j] - line[1:-1]) for i, j in ((0, -2), (2, None)))
    tip = [line[-1] + share * radii[-1] * ahead for share in (-0.5, 0.0, 0.45, 0.7)]
    middles = [line[0], before[0], after[0], before[1], after[1], *tip]
    along = [*np.repeat(radii[:-1], (1, 2, 2)), *(radii[-1] * np.array((1.03, 0.95, 0.6, 0.02)))]
    return tube(middles, along, corners=14)


def _sleeve(
    cuff: Float64s, back: Float64s, build: float, cloth: Float64s, rng: np.random.Generator
) -> Iterator[Solid]:
    """Yield the segments of a sleeve, back from its cuff and up."""
    folds = rng.normal(0.0, 1.3, (len(SLEEVE_MM), 2))
    rise = 105 * (1 - np.exp(-SLEEVE_MM / 330))
    middles = cuff + SLEEVE_MM[:, None] * back + np.column_stack([0 * rise, folds[:, 0], rise])
    sizes = np.column_stack([37 + 0.03 * SLEEVE_MM, 31 + 0.045 * SLEEVE_MM]) + folds
    # The cuff closes around the arm, as the sleeve is empty inside.
    middles = np.vstack([middles[0] - 0.1 * (middles[1] - middles[0]), middles])
    sizes = build * np.vstack([(29, 23), sizes])
    for one in tube(middles, sizes, corners=26):
        yield one.with_ink(cloth * rng.uniform(0.95, 1.05), 0.0)


def _smooth(points: ArrayLike) -> Float64s:
    """Return a line with a point added to every segment, on a Catmull-Rom curve."""
    line = np.asarray(points, np.float64)
    ends = np.vstack([2 * line[0] - line[1], line, 2 * line[-1] - line[-2]])
    between = (9 * (ends[1:-2] + ends[2:-1]) - ends[:-3] - ends[3:]) / 16
    rounded = np.empty((2 * len(line) - 1, line.shape[1]))
    rounded[::2], rounded[1::2] = line, between
    return rounded


def cup(seed: int) -> Solid:
    """Return a cup with a handle, filled."""
    rng = np.random.default_rng([seed, 31])
    china = CUP_INKS[rng.integers(len(CUP_INKS))]
    drink = DRINKS[rng.integers(len(DRINKS))]
    radius = rng.uniform(36.0, 44.0)
    rings = ((0.0, 0.78), (12.0, 0.92), (CUP_MM, 1.0))
    wall = loft([circle((0.0, 0.0, z), share * radius, 28) for z, share in rings]).with_ink(
        china, 40.0
    )
    inside = flat_face(circle((0.0, 0.0, 0.0), 0.91 * radius, 28)[:, :2], CUP_MM)
    # The far inner wall is darker than the drink's brim: a cup looks hollow by that alone.
    brim = inside.with_ink(0.55 * np.array(china), 0.0)
    filled = flat_face(circle((0.0, 0.0, 0.0), 0.84 * radius, 28)[:, :2], CUP_MM).with_ink(
        drink, 60.0
    )
    turn = np.linspace(-np.pi / 2, np.pi / 2, 8)
    out = radius * 0.93 + 20.0 * np.cos(turn)
    bow = np.column_stack([out, 0 * turn, CUP_MM / 2 + 24.0 * np.sin(turn)])
    handle = tube(bow, np.full(len(bow), 5.5), corners=8)
    return joined([fused([wall, brim, filled]), *(one.with_ink(china, 40.0) for one in handle)])


def phone(seed: int) -> Solid:
    """Return a phone with its screen up, switched off."""
    rng = np.random.default_rng([seed, 32])
    long, wide = rng.uniform(140.0, 162.0), rng.uniform(68.0, 77.0)
    outline = _round_corners(long, wide, 10.0)
    rings = [
        np.insert(outline * share, 2, z, axis=1) for z, share in ((0, 0.985), (3, 1), (8, 0.985))
    ]
    body = loft(rings).with_ink((64, 62, 60), 60.0)
    screen = flat_face(_round_corners(long - 6, wide - 6, 7.0), 8.0).with_ink(SCREEN, 90.0)
    return fused([body, screen])


def _round_corners(long: float, wide: float, radius: float) -> Float64s:
    """Return a rectangle with round corners, (N, 2)."""
    turn = np.arange(4) * np.pi / 6
    corners = []
    for quarter, (i, j) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        way = turn + quarter * np.pi / 2
        middle = i * (long / 2 - radius), j * (wide / 2 - radius)
        corners.append(middle + radius * np.column_stack([np.cos(way), np.sin(way)]))
    return np.vstack(corners)


def train_card(seed: int) -> Solid:
    """Return a train card: a wagon on rails, in one of the printed colours."""
    rng = np.random.default_rng([seed, 21])
    long, wide = CARD_MM[rng.integers(len(CARD_MM))]
    colours = [ink for colour, ink in PRINTED_INKS.items() if colour != "grey"]
    ink = np.array(colours[rng.integers(len(colours))], np.float64)
    ground = 0.45 * ink + 0.55 * np.array((190, 206, 214))
    print_ = partial(_print, (long, wide))
    return fused(
        [
            _sheet(long, wide),
            print_(0.0, 0.0, 0.93, 0.9, ground),
            print_(0.0, 0.36, 0.93, 0.1, 0.6 * ground),
            print_(0.0, 0.27, 0.86, 0.03, DARK),
            print_(0.0, 0.02, 0.62, 0.4, ink),
            print_(0.0, -0.17, 0.68, 0.08, 0.7 * ink),
            *(print_(x, 0.0, 0.09, 0.16, 0.35 * ink + 120) for x in (-0.2, 0.0, 0.2)),
            *(print_(x, 0.24, 0.09, 0.1, DARK) for x in (-0.22, -0.1, 0.1, 0.22)),
            *(print_(x, y, 0.09, 0.13, ink) for x in (-0.4, 0.4) for y in (-0.36, 0.36)),
        ]
    )


def ticket_card(seed: int) -> Solid:
    """Return a ticket: two cities on a small map, and the line to be built."""
    rng = np.random.default_rng([seed, 22])
    long, wide = CARD_MM[rng.integers(len(CARD_MM))]
    print_ = partial(_print, (long, wide))
    land = rng.uniform(-0.28, 0.28, 2)
    ends = np.array([(-0.32, rng.uniform(-0.15, 0.25)), (0.32, rng.uniform(-0.15, 0.25))])
    steps = [ends[0] + share * (ends[1] - ends[0]) for share in (0.2, 0.4, 0.6, 0.8)]
    return fused(
        [
            _sheet(long, wide),
            print_(0.0, 0.0, 0.93, 0.9, TICKET_GROUND),
            print_(land[0], 0.08, 0.4, 0.5, (138, 176, 150)),
            print_(land[1], 0.12, 0.3, 0.36, (160, 200, 188)),
            print_(0.0, -0.36, 0.93, 0.16, (92, 66, 48)),
            print_(0.0, -0.36, 0.6, 0.06, RIM),
            *(print_(x, y, 0.07, 0.05, (44, 46, 170)) for x, y in steps),
            *(print_(x, y, 0.075, 0.115, (60, 120, 220)) for x, y in ends),
            print_(0.38, 0.33, 0.13, 0.18, RIM),
        ]
    )


def _sheet(long: float, wide: float) -> Solid:
    sheet = box((-long / 2, -wide / 2, 0.0), (long / 2, wide / 2, THICK_MM))
    return sheet.with_ink(RIM, GLOSS)


def _print(
    side_mm: tuple[float, float], x: float, y: float, long: float, wide: float, ink: ArrayLike
) -> Solid:
    """Print a rectangle on a card; place and size are shares of the card's sides."""
    half = np.array([long, wide]) / 2
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    outline = ((x, y) + signs * half) * side_mm
    return flat_face(outline, THICK_MM).with_ink(ink, GLOSS)


# Functions that make things from a seed, around their middles.
TABLE_THINGS: dict[str, Callable[[int], Solid]] = {
    "train card": train_card,
    "ticket card": ticket_card,
    "cup": cup,
    "phone": phone,
}


@dataclass(frozen=True)
class Thing:
    """One thing on or over the board.

    >>> hand = Thing("hand", (400.0, 200.0), angle_deg=-90.0, seed=7, holds="red")
    >>> hand.z_mm, hand.holds
    (0.0, 'red')
    """

    kind: str  # one of `HANDS` or of `TABLE_THINGS`
    xy_mm: tuple[float, float]  # of its middle; of a hand, just ahead of its fingertips
    # Its direction, clockwise from +x: -90 for the hand of a player at the bottom edge.
    angle_deg: float = 0.0
    seed: int = 0  # of its shape and colours
    z_mm: float = 0.0  # height above the board
    holds: str | None = None  # the colour of the train in a hand


def thing_solid(thing: Thing) -> Solid:
    """Return the solid of a thing at its position.

    >>> round(float(thing_solid(Thing("cup", (700.0, 60.0))).corners[:, 2].max()))
    88
    """
    made = _thing_at_origin(thing.kind, thing.seed, thing.holds)
    return made.placed(rotation_about_z(thing.angle_deg), np.array([*thing.xy_mm, thing.z_mm]))


@lru_cache(maxsize=64)
def _thing_at_origin(kind: str, seed: int, holds: str | None) -> Solid:
    """Return a cached thing at the origin."""
    if kind not in HANDS:
        return TABLE_THINGS[kind](seed)
    bare = hand(kind == "flat hand", seed)
    if holds is None:
        return bare
    return joined([bare, piece_solid(Piece("train", holds, (0.0, 0.0), z_mm=1.0))])
