"""What lies on the board or passes over it and is no piece of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .belongings import box_lid, case, cup, phone, ticket_card, train_card
from .errors import SceneError
from .hands import hand
from .pieces import KINDS, PLASTIC_INKS, Piece, about_z, piece_solids
from .solids import Solid, joined

# What lies on the table, each made from a seed around its own middle.
LYING: dict[str, Callable[[int], tuple[Solid, ...]]] = {
    "train card": train_card,
    "ticket card": ticket_card,
    "cup": cup,
    "phone": phone,
    "case": case,
    "box lid": box_lid,
}
HANDS = ("hand", "flat hand")


@dataclass(frozen=True)
class Thing:
    """One thing that lies on the board or passes over it.

    Examples
    --------
    >>> hand = Thing("hand", (400.0, 200.0), angle_deg=-90.0, seed=7, holds="red")
    >>> hand.z_mm, hand.colour
    (0.0, None)
    """

    kind: str  # one of `HANDS` or of `LYING`
    # Its middle; of a hand, that of the train it holds, just ahead of its fingertips.
    xy_mm: tuple[float, float]
    # Its direction, clockwise from +x; a hand that points up the board, -90, is that of a player at
    # the bottom edge, and its sleeve reaches off the picture there.
    angle_deg: float = 0.0
    seed: int = 0  # which cup, whose hand
    z_mm: float = 0.0  # how high above the board it is
    colour: str | None = None  # a hand's: the train colour that its sleeve has
    holds: str | None = None  # a hand's: the colour of the train between its fingers
    held_kind: str = "train"  # what kind of piece that is

    def __post_init__(self) -> None:
        """Refuse what is never seen on a table."""
        if self.kind not in (*HANDS, *LYING):
            known = ", ".join((*HANDS, *LYING))
            raise SceneError(f"nothing is a {self.kind!r}; there are {known}")
        for colour in (self.colour, self.holds):
            if colour is not None and colour not in PLASTIC_INKS:
                known = ", ".join(sorted(PLASTIC_INKS))
                raise SceneError(f"no train is {colour!r}; there are {known}")
        if self.held_kind not in KINDS:
            raise SceneError(f"no piece is a {self.held_kind!r}; there are {', '.join(KINDS)}")
        if self.seed < 0:
            raise SceneError(f"seed is {self.seed!r}, allowed are 0 and more")


def thing_solids(thing: Thing) -> tuple[Solid, ...]:
    """Return the bodies of a thing, where it is.

    Examples
    --------
    >>> cup = thing_solids(Thing("cup", (700.0, 60.0)))
    >>> round(max(float(body.corners[:, 2].max()) for body in cup))
    88
    """
    made = _made(thing.kind, thing.seed, thing.colour, thing.holds, thing.held_kind)
    return (made.placed(about_z(thing.angle_deg), np.array([*thing.xy_mm, thing.z_mm])),)


@lru_cache(maxsize=64)
def _made(kind: str, seed: int, colour: str | None, holds: str | None, held_kind: str) -> Solid:
    """Return a thing at the origin: it is made once and moved often."""
    if kind not in HANDS:
        return joined(LYING[kind](seed))
    solids = [hand(kind == "flat hand", seed, colour)]
    if holds is not None:
        solids += piece_solids(Piece(held_kind, holds, (0.0, 0.0), z_mm=1.0))
    return joined(solids)
