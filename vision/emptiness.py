"""Whether a reference shows the board empty, as it must."""

from __future__ import annotations

import numpy as np
from railspotter.scoring.board import RouteId

from .lab import to_lab
from .printed_board import PrintedBoard

PLAIN = ("grey", "white")
"""Printed colours that are nearly the ground's; a coloured train stands out on them."""
COLOURFUL = 14.0
"""Difference of hue from the ground, in Lab units. On labelled photos of three shoots free plain
routes have at most 9, those with coloured trains at least 13, all but one of them 20."""


def covered_routes(printed: PrintedBoard) -> tuple[RouteId, ...]:
    """Return the plain routes on which the reference shows something coloured.

    Black trains are not seen so, but no game has only those.
    """
    ground = np.median(to_lab(printed.reference[printed.background]), axis=0)
    part = (slice(None), *printed.middle(16.0, 5.0))
    pixels = printed.reference_lab[printed.windows_of_seen[part]]
    colour = np.median(pixels.reshape(len(pixels), -1, 3), axis=1)
    hue = printed.per_route_mean(np.hypot(*(colour - ground)[:, 1:].T))
    return tuple(
        route.id
        for route, difference in zip(printed.board.routes, hue, strict=True)
        if route.colour in PLAIN and difference > COLOURFUL
    )
