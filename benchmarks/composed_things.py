"""Rendered hands, cups and cards over real pixels."""

from __future__ import annotations

import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.simulation.virtual_board import Light, Projection, Thing
from railspotter.simulation.virtual_board.shadows import cast_shadows
from railspotter.simulation.virtual_board.solids import cover, paint_solids
from railspotter.simulation.virtual_board.things import thing_solids


def pass_over(
    picture: Picture, mask: Picture, thing: Thing, projection: Projection, light: Light
) -> None:
    """Paint a thing and its shadow over a picture.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR
    mask : (H, W) uint8 array
        255 is written where the thing is before the board.
    """
    solids = thing_solids(thing)
    shade = np.zeros_like(mask)
    cast_shadows(shade, solids, projection, light)
    rows, columns = (np.flatnonzero(shade.any(axis=axis)) for axis in (1, 0))
    if len(rows):
        part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        left = 1 - (1 - light.ambient) / 255 * shade[part].astype(np.float32)
        picture[part] = picture[part] * left[..., None] + np.float32(0.5)
    paint_solids(picture, solids, projection, light)
    cover(mask, solids, projection)
