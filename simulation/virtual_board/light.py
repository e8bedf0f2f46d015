"""The light on the virtual board: one lamp or window, and what comes back from everywhere else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Float64s
from .errors import SceneError, refuse_outside


@dataclass(frozen=True)
class Light:
    """In what light a scene is seen.

    Attributes
    ----------
    strength : float
        Brightness, 0 to 3; 1 is a well-lit table.
    gain_bgr : tuple of float
        How strongly the camera sees blue, green and red in it, 0 to 3 each: (0.5, 0.8, 1) is a
        warm lamp that the camera did not correct.
    from_deg, height_deg : float
        Where the lamp is: clockwise from the board's +x, and up from the table.
    ambient : float
        Share of the light that comes from everywhere, and that a shadow keeps.
    softness : float
        Half the lamp's size over its distance: 0.005 is the sun, 0.03 a lamp, 0.3 a bright
        ceiling. A shadow's edge is twice as wide as this times the height of what casts it.
    falloff : float
        How much darker the board's side away from the lamp is, 0 to 1.
    glare : float
        How strongly the varnish mirrors the lamp, 0 none to 1 white-out.
    glare_size : float
        How broad the mirrored lamp is, as a standard deviation in degrees seen from the board.

    Examples
    --------
    >>> Light(height_deg=90).towards.round(3).tolist()
    [-0.0, -0.0, 1.0]
    >>> Light(strength=9)
    Traceback (most recent call last):
    ...
    railspotter.simulation.virtual_board.errors.SceneError: strength is 9, allowed are 0 to 3
    """

    strength: float = 1.0
    gain_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    from_deg: float = 215.0
    height_deg: float = 55.0
    ambient: float = 0.45
    softness: float = 0.06
    falloff: float = 0.2
    glare: float = 0.0
    glare_size: float = 6.0

    def __post_init__(self) -> None:
        """Refuse what no light is."""
        refuse_outside(
            self,
            {
                "strength": (0, 3),
                "height_deg": (15, 90),
                "ambient": (0, 1),
                "softness": (0, 1),
                "falloff": (0, 1),
                "glare": (0, 1),
                "glare_size": (0.5, 45),
            },
        )
        if not all(0 <= gain <= 3 for gain in self.gain_bgr):
            raise SceneError(f"gain_bgr is {self.gain_bgr!r}, allowed are 0 to 3 each")

    @property
    def towards(self) -> Float64s:
        """The direction (x, y, z) from the board to the lamp, of length 1."""
        around, up = np.deg2rad([self.from_deg, self.height_deg])
        return np.array([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)])
