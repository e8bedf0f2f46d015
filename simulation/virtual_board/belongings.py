"""What people put down on the border of a board: cups and train cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .bodies import box, disc, flat, loft, tube
from .inks import PRINTED_INKS
from .solids import Solid, fused

CHINAS = ((226, 232, 234), (150, 92, 40), (54, 60, 176), (70, 74, 78), (120, 150, 84))
DRINKS = ((22, 34, 58), (40, 84, 150), (150, 180, 206), (196, 190, 178))
CUP_MM = 88.0
CARD_MM = ((88.0, 57.0), (68.0, 44.0))  # large cards and small ones; both are sold
THICK_MM = 0.4
GLOSS = 26.0
RIM = (226, 236, 240)
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
