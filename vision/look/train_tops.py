"""The colours of trains' tops, where they are seen to stand."""

from __future__ import annotations

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices
from railspotter.calibration.viewpoint import Viewpoint

from ..printed import PrintedBoard
from .placement import PlacementSettings

HALF_PX = 4
"""Half the square that is looked at on each top: 5.6 mm of its 9, at 1.6 px/mm."""


def top_colours(
    printed: PrintedBoard,
    viewpoint: Viewpoint,
    height_mm: float,
    lab: Float32s,
    spaces: Indices,
    offset_mm: Float64s,
) -> tuple[Float32s, Float32s]:
    """Return what trains on some spaces look like from above.

    Parameters
    ----------
    height_mm : float
        Of a train.
    lab : (M, 3) float32 array
        CIE Lab of `PrintedBoard.seen_pixels`, in the light of the reference.
    spaces : (n,) int array
    offset_mm : (n, 2) float array
        How far each train's foot stands off its space.

    Returns
    -------
    (n, 3) float32 array, (n,) float32 array
        The median of each train's pixels, and the median of their distances from it.
    """
    lean = viewpoint.lean_mm(printed.xy_mm[spaces], PlacementSettings.seen_height * height_mm)
    middle = (printed.xy_mm[spaces] + offset_mm + lean) * printed.px_per_mm
    around = np.arange(-HALF_PX, HALF_PX + 1)
    height, width = printed.reference.shape[:2]
    columns = np.clip(np.rint(middle[:, 0, None, None]) + around, 0, width - 1)
    rows = np.clip(np.rint(middle[:, 1, None, None]) + around[:, None], 0, height - 1)
    pixels = (rows * width + columns).astype(np.intp).reshape(len(spaces), -1)
    tops = lab[printed.place_among_seen[pixels]]
    median = np.median(tops, axis=1)
    scatter = np.median(np.linalg.norm(tops - median[:, None], axis=-1), axis=1)
    return np.asarray(median, np.float32), np.asarray(scatter, np.float32)
