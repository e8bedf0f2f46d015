"""A lens: how far from the picture's middle a ray at some angle arrives.

A pinhole sends the ray whose tangent is r to `focal_px * r`. A real lens bends it to
`focal_px * r * (1 + k1 r^2 + k2 r^4)`, the first two terms of the usual radial model [1]_. With a
negative k1 the polynomial turns back at some angle; from there on the ray goes on as it went last,
so that what is far outside of the picture never folds back into it.

References
----------
.. [1] D. C. Brown, "Close-range camera calibration", Photogrammetric Engineering 37 (1971).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Points

WIDEST = 12.0  # tangent of the widest angle that is told apart, 85 degrees
STEPS = 6000  # steps of the table that undoes the bending: one is 1/500 of the focal length
# The polynomial is left where its slope falls below this: a lens' edge is pressed, not folded.
STEEP_ENOUGH = 0.15


@dataclass(frozen=True)
class VirtualLens:
    """A lens in front of a picture.

    Examples
    --------
    >>> lens = VirtualLens(500.0, (320.0, 240.0), k1=-0.2)
    >>> lens.bent([(420.0, 240.0)])
    array([[419.2, 240. ]])
    >>> lens.straightened(lens.bent([(420.0, 240.0)])).round(3)
    array([[420., 240.]])
    """

    focal_px: float
    centre_px: tuple[float, float]  # where its axis meets the picture
    k1: float = 0.0  # radial distortion; both 0 is a pinhole, k1 < 0 a barrel
    k2: float = 0.0

    def bent(self, pinhole_px: ArrayLike) -> Points:
        """Return where points of a pinhole's picture really arrive, (N, 2)."""
        points = np.asarray(pinhole_px, np.float64)
        if self.k1 == self.k2 == 0:
            return points
        off = (points - self.centre_px) / self.focal_px
        r = np.hypot(off[:, 0], off[:, 1])
        stretch = np.divide(self._reach(r), r, out=np.ones_like(r), where=r > 0)
        return np.asarray(self.centre_px + self.focal_px * off * stretch[:, None], np.float64)

    def straightened(self, picture_px: ArrayLike) -> Points:
        """Return where a pinhole would have them, (N, 2)."""
        points = np.asarray(picture_px, np.float64)
        if self.k1 == self.k2 == 0:
            return points
        tangents = np.linspace(0.0, WIDEST, STEPS)
        off = (points - self.centre_px) / self.focal_px
        r = np.hypot(off[:, 0], off[:, 1])
        pressed = np.interp(r, self._reach(tangents), tangents)
        stretch = np.divide(pressed, r, out=np.ones_like(r), where=r > 0)
        return np.asarray(self.centre_px + self.focal_px * off * stretch[:, None], np.float64)

    @cached_property
    def faithful_to(self) -> float:
        """Tangent of the angle up to which the polynomial holds."""
        r = np.linspace(0.0, WIDEST, STEPS)
        falling = np.flatnonzero(1 + 3 * self.k1 * r**2 + 5 * self.k2 * r**4 < STEEP_ENOUGH)
        return float(r[falling[0]]) if falling.size else WIDEST

    def _reach(self, r: Points) -> Points:
        held = np.minimum(r, self.faithful_to)
        bent = held * (1 + self.k1 * held**2 + self.k2 * held**4)
        return np.asarray(bent + STEEP_ENOUGH * (r - held), np.float64)
