"""A camera's lens: a model of radial distortion.

A ray that a pinhole sends to radius r arrives at

    r (1 + a r^2 + b r^4) / (1 + c r^2)

with radii in half diagonals of the picture and the picture's middle for the lens's axis. The
numerator is the usual radial model [1]_, the denominator tames it at wide angles [2]_: fisheye
laws, that the numerator alone misses by centimetres on a board, are then met to .4 mm
(docs/vision.md, "Lenses").

References
----------
.. [1] D. C. Brown, "Close-range camera calibration", Photogrammetric Engineering 37 (1971).
.. [2] D. Claus, A. Fitzgibbon, "A rational function lens distortion model for general cameras",
   CVPR 2005.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..arrays import AnyFloats, Float32s, Float64s, NotNegative, SizeWh

WIDEST = 8.0  # largest radius of the table: 12 times what a phone's main camera sees
# Steps of the table that inverts the formula: with an error below 1/100 pixel.
STEPS = 8000
# Least slope of the formula, beyond which it goes on straight: no lens folds its edge.
LEAST_SLOPE = 0.1


@dataclass(frozen=True)
class Lens:
    """The radial distortion of one camera's pictures.

    >>> lens = Lens((800, 600), bending=(-0.1, 0.0, 0.0))
    >>> lens.bent(np.array([[399.5, 299.5], [699.5, 299.5]])).round(2).tolist()
    [[399.5, 299.5], [688.7, 299.5]]
    >>> lens.straightened(np.array([[688.7, 299.5]])).round(2).tolist()
    [[699.5, 299.5]]
    """

    size_wh: SizeWh  # of its pictures
    # a, b and c of the formula; all 0 for a pinhole, a < c for a barrel.
    bending: tuple[float, float, NotNegative]
    views: int = 1  # number of pictures that it was fitted to

    @property
    def centre_px(self) -> tuple[float, float]:
        """The middle of the picture, in pixels."""
        return (self.size_wh[0] - 1) / 2, (self.size_wh[1] - 1) / 2

    @property
    def half_diagonal_px(self) -> float:
        """The unit of radii, in pixels."""
        return float(np.hypot(*self.size_wh)) / 2

    def fits(self, size_wh: tuple[int, int]) -> bool:
        """Tell whether pictures of a size can be this camera's, by aspect ratio to a percent."""
        ratio = (size_wh[0] / size_wh[1]) / (self.size_wh[0] / self.size_wh[1])
        return abs(ratio - 1) < 0.01

    def of_size(self, size_wh: tuple[int, int]) -> "Lens":
        """Return the lens for larger or smaller pictures of the same aspect ratio."""
        return replace(self, size_wh=size_wh)

    def for_size(self, size_wh: tuple[int, int]) -> "Lens | None":
        """Return the lens for pictures of a size; None if their aspect ratio is another's."""
        return self.of_size(size_wh) if self.fits(size_wh) else None

    def bent(self, pinhole_px: npt.ArrayLike) -> Float64s:
        """Distort points, (..., 2), of a pinhole's picture."""
        points = np.asarray(pinhole_px, np.float64)
        off = (points - self.centre_px) / self.half_diagonal_px
        stretch = self.stretch(np.sum(off * off, axis=-1))
        return np.asarray(self.centre_px + self.half_diagonal_px * off * stretch[..., None])

    def bent_maps(self, pinhole_x: Float32s, pinhole_y: Float32s) -> tuple[Float32s, Float32s]:
        """Distort the x and y of a map, (H, W) each."""
        (x, y), scale = self.centre_px, self.half_diagonal_px
        off_x, off_y = (pinhole_x - x) / scale, (pinhole_y - y) / scale
        stretch = self.stretch(off_x * off_x + off_y * off_y) * scale
        return (x + off_x * stretch).astype(np.float32), (y + off_y * stretch).astype(np.float32)

    def straightened(self, picture_px: npt.ArrayLike) -> Float64s:
        """Undistort points, (..., 2), of the picture."""
        points = np.asarray(picture_px, np.float64)
        off = (points - self.centre_px) / self.half_diagonal_px
        radius = np.hypot(off[..., 0], off[..., 1])
        straight, arriving = self._table
        pinhole = np.interp(radius, arriving, straight)
        stretch = np.divide(pinhole, radius, out=np.ones_like(radius), where=radius > 0)
        return np.asarray(self.centre_px + self.half_diagonal_px * off * stretch[..., None])

    def stretch(self, radius_squared: AnyFloats) -> AnyFloats:
        """Return the distorted radius over the pinhole's, by the square of the latter."""
        a, b, c = self.bending
        edge, arriving = self._edge
        inside = np.minimum(radius_squared, edge * edge)
        stretch = (1 + inside * (a + b * inside)) / (1 + c * inside)
        beyond = radius_squared > inside
        if beyond.any():  # straight on, so that points far outside are never folded back in
            radius = np.sqrt(radius_squared[beyond])
            stretch[beyond] = (arriving + LEAST_SLOPE * (radius - edge)) / radius
        return np.asarray(stretch)

    @property
    def edge(self) -> float:
        """Largest pinhole radius at which the formula is used."""
        return self._edge[0]

    @cached_property
    def _edge(self) -> tuple[float, float]:
        """The largest pinhole radius at which the formula is used, and its distorted radius."""
        a, b, c = self.bending
        radius = np.linspace(0.0, WIDEST, STEPS)
        square = radius * radius
        arriving = radius * (1 + square * (a + b * square)) / (1 + c * square)
        pressed = np.flatnonzero(np.diff(arriving) < LEAST_SLOPE * WIDEST / (STEPS - 1))
        at = int(pressed[0]) if pressed.size else STEPS - 1
        return float(radius[at]), float(arriving[at])

    @cached_property
    def _table(self) -> tuple[Float64s, Float64s]:
        """Table of pinhole radii and their distorted radii."""
        radius = np.linspace(0.0, WIDEST, STEPS)
        return radius, np.asarray(radius * self.stretch(radius * radius))


def no_lens(size_wh: tuple[int, int]) -> Lens:
    """Return a lens without distortion."""
    return Lens(size_wh, (0.0, 0.0, 0.0))


def lens_for(lenses: Mapping[str, Lens], size_wh: tuple[int, int]) -> Lens | None:
    """Return the lens for frames of a size, by their aspect ratio; None if none fits.

    Of several (`Profile.lenses`), one of the same size is preferred, then the one that was fitted
    to more pictures.

    >>> webcam = Lens((1280, 720), (-0.1, 0.0, 0.0), views=5)
    >>> phone = Lens((4032, 3024), (0.02, 0.0, 0.0), views=3)
    >>> lenses = {"webcam": webcam, "phone": phone}
    >>> lens_for(lenses, (1920, 1080)).bending
    (-0.1, 0.0, 0.0)
    >>> lens_for(lenses, (3024, 4032)).size_wh
    (3024, 4032)
    >>> lens_for(lenses, (1000, 1000)) is None
    True
    """
    width, height = size_wh
    fitting = [
        (lens, lens.of_size((width, height)))
        for lens in lenses.values()
        # A phone held upright rotates its picture, not its lens.
        if lens.fits((width, height)) or lens.fits((height, width))
    ]
    if not fitting:
        return None
    return max(fitting, key=lambda fit: (sorted(fit[0].size_wh) == sorted(size_wh), fit[0].views))[
        1
    ]
