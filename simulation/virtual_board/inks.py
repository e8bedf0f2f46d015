"""The inks that a board is printed in, and how one copy's inks differ from another's."""

from __future__ import annotations

import zlib

import numpy as np

Ink = tuple[int, int, int]

# BGR for each printed colour; chosen. A colour that is not here gets one from its name.
PRINTED_INKS: dict[str, Ink] = {
    "grey": (168, 166, 164),
    "red": (44, 46, 198),
    "orange": (40, 138, 232),
    "yellow": (58, 208, 244),
    "green": (62, 172, 116),
    "blue": (196, 124, 42),
    "pink": (170, 110, 206),
    "white": (238, 242, 242),
    "black": (48, 44, 42),
}


def printed_ink(colour: str) -> Ink:
    """Return the printed colour's BGR; an unknown one gets a tint from its name.

    Examples
    --------
    >>> printed_ink("black")
    (48, 44, 42)
    """
    if colour in PRINTED_INKS:
        return PRINTED_INKS[colour]
    blue, green, red, _ = zlib.crc32(colour.encode()).to_bytes(4)
    return 80 + blue // 2, 80 + green // 2, 80 + red // 2


def varied(ink: Ink, spread: float, seed: int, name: str) -> Ink:
    """Return the ink as another press or mould makes it.

    Examples
    --------
    >>> varied((48, 44, 42), 0.0, 3, "black")
    (48, 44, 42)
    >>> varied((48, 44, 42), 9.0, 3, "black") == varied((48, 44, 42), 9.0, 4, "black")
    False
    """
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    blue, green, red = np.clip(np.rint(ink + rng.normal(0.0, spread, 3)), 0, 255).astype(int)
    return int(blue), int(green), int(red)
