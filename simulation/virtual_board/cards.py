"""Train cards and ticket cards, drawn by the project itself, lying face up."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .bodies import box, flat
from .inks import PRINTED_INKS
from .solids import Solid, fused

CARD_MM = ((88.0, 57.0), (68.0, 44.0))
"""Large cards and small ones; both are sold."""
THICK_MM = 0.4
GLOSS = 26.0
RIM = (226, 236, 240)
TICKET_GROUND = (150, 188, 206)
DARK = (58, 60, 66)


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
