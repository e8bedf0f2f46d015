"""A train on a print of its own colour shows that colour beside the print too.

Hardly a train stands so straight under the camera that nothing of it shows outside of its space.
"""

from __future__ import annotations

import numpy as np
from railspotter.calibration.arrays import Float32s

from ..lab import distance2
from ..look import FirstLook, PlacementSettings, View

RIM_MM = (4.0, 1.0)
"""By how much the part of a train that shows one colour is shorter and narrower than the train."""
UNLIKE = 6.0
"""Squared standard deviations from a train's colour from which a print does not look like it."""
FEW = 12
"""How many pixels, of some two hundred, are too few to say much."""


def colour_beside_print(view: View, first: FirstLook) -> Float32s:
    """Return how much of a print's own colour shows where that is not printed, (N,).

    Mean evidence for the colour, as of `evidence.colour_evidence`, at the best places of its
    trains, over the pixels of which the print has another colour; 0 for a print that no player's
    trains resemble.
    """
    printed = view.printed
    is_own = view.is_own_print
    own = np.where(is_own.any(axis=1), is_own.argmax(axis=1), -1)[printed.route_of]
    spaces = np.flatnonzero(own >= 0)
    result = np.zeros(len(own), np.float32)
    if len(spaces) == 0:
        return result

    lean = view.viewpoint.lean_mm(
        printed.xy_mm[spaces], PlacementSettings.seen_height * view.pieces.train_size_mm[2]
    )
    off = first.trains.placements.offset_mm[spaces, own[spaces]]
    box_mm = np.subtract(view.pieces.train_size_mm[:2], RIM_MM)
    u, v = (np.arange(-side / 2, side / 2 + 0.1) for side in box_mm)
    xy_mm = (
        (printed.xy_mm[spaces] + off + lean)[:, None, None]
        + u[None, None, :, None] * printed.along[spaces][:, None, None]
        + v[None, :, None, None] * printed.across[spaces][:, None, None]
    )
    height, width = printed.reference.shape[:2]
    pixel = np.rint(xy_mm * printed.px_per_mm - 0.5).astype(np.intp)
    rows = np.clip(pixel[..., 1], 0, height - 1)
    columns = np.clip(pixel[..., 0], 0, width - 1)
    at = printed.place_among_seen[rows * width + columns]
    owner = first.trains.owner[rows, columns]
    visible = (owner == 0) | (owner == (printed.route_of[spaces] + 1)[:, None, None])
    for c, train in enumerate(first.colours):
        of = own[spaces] == c
        pixels = at[of]
        elsewhere = visible[of] & (
            distance2(printed.reference_lab[pixels], train.lab) > UNLIKE * train.spread**2
        )
        away = distance2(first.seen.lab[pixels], train.lab) / train.spread**2
        evidence = (first.seen.print_distance2[pixels] - np.minimum(away, 9.0)) / 2
        total = (evidence * elsewhere).sum(axis=(1, 2))
        result[spaces[of]] = total / (elsewhere.sum(axis=(1, 2)) + FEW)
    return result
