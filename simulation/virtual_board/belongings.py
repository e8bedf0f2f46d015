"""What people put down on the table: cards, cups, phones, cases, the lid of the box."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Float64s
from .bodies import box, disc, flat, loft, tube
from .inks import PRINTED_INKS
from .solids import Solid, fused

CHINAS = ((226, 232, 234), (150, 92, 40), (54, 60, 176), (70, 74, 78), (120, 150, 84))
DRINKS = ((22, 34, 58), (40, 84, 150), (150, 180, 206), (196, 190, 178))
CASES = ((40, 38, 44), (40, 50, 96), (110, 60, 40), (60, 84, 60))
LIDS = ((86, 54, 32), (40, 58, 120), (50, 92, 60), (140, 170, 190))
CUP_MM = 88.0
SCREEN = (34, 30, 28)
CARD_MM = ((88.0, 57.0), (68.0, 44.0))  # large cards and small ones; both are sold
THICK_MM = 0.4
GLOSS = 26.0
RIM = (226, 236, 240)
TICKET_GROUND = (150, 188, 206)
DARK = (58, 60, 66)


def cup(seed: int) -> tuple[Solid, ...]:
    """Return a cup with a handle, filled."""
    rng = np.random.default_rng([seed, 31])
    china = CHINAS[rng.integers(len(CHINAS))]
    drink = DRINKS[rng.integers(len(DRINKS))]
    radius = rng.uniform(36.0, 44.0)
    rings = ((0.0, 0.78), (12.0, 0.92), (CUP_MM, 1.0))
    wall = loft([disc((0.0, 0.0, z), share * radius, 28) for z, share in rings]).dyed(china, 40.0)
    inside = flat(disc((0.0, 0.0, 0.0), 0.91 * radius, 28)[:, :2], CUP_MM)
    # The far inner wall is darker than the drink's brim: a cup looks hollow by that alone.
    brim = inside.dyed(0.55 * np.array(china), 0.0)
    filled = flat(disc((0.0, 0.0, 0.0), 0.84 * radius, 28)[:, :2], CUP_MM).dyed(drink, 60.0)
    turn = np.linspace(-np.pi / 2, np.pi / 2, 8)
    out = radius * 0.93 + 20.0 * np.cos(turn)
    bow = np.column_stack([out, 0 * turn, CUP_MM / 2 + 24.0 * np.sin(turn)])
    handle = tube(bow, np.full(len(bow), 5.5), corners=8)
    return fused([wall, brim, filled]), *(one.dyed(china, 40.0) for one in handle)


def phone(seed: int) -> tuple[Solid, ...]:
    """Return a phone, its screen up and dark."""
    rng = np.random.default_rng([seed, 32])
    long, wide = rng.uniform(140.0, 162.0), rng.uniform(68.0, 77.0)
    outline = _rounded(long, wide, 10.0)
    rings = [
        np.insert(outline * share, 2, z, axis=1) for z, share in ((0, 0.985), (3, 1), (8, 0.985))
    ]
    body = loft(rings).dyed((64, 62, 60), 60.0)
    screen = flat(_rounded(long - 6, wide - 6, 7.0), 8.0).dyed(SCREEN, 90.0)
    return (fused([body, screen]),)


def case(seed: int) -> tuple[Solid, ...]:
    """Return a spectacle case."""
    rng = np.random.default_rng([seed, 33])
    ink = rng.uniform(0.8, 1.2) * np.array(CASES[rng.integers(len(CASES))])
    x = np.array([-80.0, -78.0, -70.0, -40.0, 0.0, 40.0, 70.0, 78.0, 80.0])
    line = np.column_stack([x, 0 * x, np.full(len(x), 17.0)])
    shares = np.array([0.02, 0.5, 0.8, 0.97, 1.0, 0.97, 0.8, 0.5, 0.02])
    return tuple(
        one.dyed(ink, 45.0) for one in tube(line, np.outer(shares, (29.0, 17.0)), corners=18)
    )


def box_lid(seed: int) -> tuple[Solid, ...]:
    """Return the lid of the game's box, its printed side up."""
    rng = np.random.default_rng([seed, 34])
    ink = rng.uniform(0.8, 1.2) * np.array(LIDS[rng.integers(len(LIDS))])
    half, high = 148.0, 48.0
    lid = box((-half, -half, 0.0), (half, half, high)).dyed(ink, 30.0)
    prints = [(0.92, 0.92, 1.2), (0.86, 0.86, 0.9), (0.6, 0.2, 2.2), (0.54, 0.14, 0.8)]
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return (
        fused(
            [
                lid,
                *(
                    flat(half * signs * (wide, tall), high).dyed(np.minimum(tone * ink, 235), 30.0)
                    for wide, tall, tone in prints
                ),
            ]
        ),
    )


def _rounded(long: float, wide: float, radius: float) -> Float64s:
    """Return a rectangle with round corners, (N, 2)."""
    turn = np.arange(4) * np.pi / 6
    corners = []
    for quarter, (i, j) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        way = turn + quarter * np.pi / 2
        middle = i * (long / 2 - radius), j * (wide / 2 - radius)
        corners.append(middle + radius * np.column_stack([np.cos(way), np.sin(way)]))
    return np.vstack(corners)


def train_card(seed: int) -> tuple[Solid, ...]:
    """Return a train card: a wagon on rails, in one of the printed colours."""
    rng = np.random.default_rng([seed, 21])
    long, wide = CARD_MM[rng.integers(len(CARD_MM))]
    colours = [ink for colour, ink in PRINTED_INKS.items() if colour != "grey"]
    ink = np.array(colours[rng.integers(len(colours))], np.float64)
    ground = 0.45 * ink + 0.55 * np.array((190, 206, 214))
    print_ = _CardPrinter(long, wide)
    return (
        fused(
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
        ),
    )


def ticket_card(seed: int) -> tuple[Solid, ...]:
    """Return a ticket: two cities on a small map, and the line to be built."""
    rng = np.random.default_rng([seed, 22])
    long, wide = CARD_MM[rng.integers(len(CARD_MM))]
    print_ = _CardPrinter(long, wide)
    land = rng.uniform(-0.28, 0.28, 2)
    ends = np.array([(-0.32, rng.uniform(-0.15, 0.25)), (0.32, rng.uniform(-0.15, 0.25))])
    steps = [ends[0] + share * (ends[1] - ends[0]) for share in (0.2, 0.4, 0.6, 0.8)]
    return (
        fused(
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
        ),
    )


def _sheet(long: float, wide: float) -> Solid:
    sheet = box((-long / 2, -wide / 2, 0.0), (long / 2, wide / 2, THICK_MM))
    return sheet.dyed(RIM, GLOSS)


class _CardPrinter:
    """Prints rectangles on a card; places and sizes are shares of the card's sides."""

    def __init__(self, long: float, wide: float) -> None:
        self.side = np.array([long, wide])

    def __call__(self, x: float, y: float, long: float, wide: float, ink: ArrayLike) -> Solid:
        half = np.array([long, wide]) / 2
        signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        outline = ((x, y) + signs * half) * self.side
        return flat(outline, THICK_MM).dyed(ink, GLOSS)
