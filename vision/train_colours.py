"""The colours of plastic trains, and how a photo's own trains correct them, on a leash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from .errors import ReaderError
from .lab import Lab


@dataclass(frozen=True)
class TrainColour:
    """What one player's trains look like in the light of the reference.

    Attributes
    ----------
    lab : tuple of float
        CIE L*, a*, b*.
    spread : float
        One standard deviation of it over a train, in the units of `lab.distance2`.
    leash : float
        How far a photo may move it, in Lab units: in dim warm light a colour that was let go
        drifted to the tan of the grey spaces.
    """

    name: str
    lab: Lab
    spread: float
    leash: float = 14.0


PLASTIC = {
    colour.name: colour
    for colour in (
        # Medians over the trains of shoot-2, in the light of the reference.
        TrainColour("black", (15.0, 0.0, 4.0), 9.0, leash=9.0),
        TrainColour("blue", (41.0, -6.0, -29.0), 10.0),
        TrainColour("green", (37.0, -23.0, 15.0), 10.0, leash=10.0),
        TrainColour("red", (42.0, 43.0, 31.0), 11.0),
        TrainColour("yellow", (74.0, -5.0, 66.0), 12.0),
    )
}
"""The trains of the USA and Europe boxes."""


def trains_in_play(names: Sequence[str]) -> tuple[TrainColour, ...]:
    """Return the trains of these colours.

    Raises
    ------
    ReaderError
        When a colour is not known, or none is given.

    Examples
    --------
    >>> [colour.name for colour in trains_in_play(["red", "blue"])]
    ['red', 'blue']
    """
    unknown = [name for name in names if name not in PLASTIC]
    if unknown or not names:
        raise ReaderError(
            f"there are no trains of the colour {', '.join(map(repr, unknown)) or 'none'};"
            f" known are {', '.join(PLASTIC)}"
        )
    return tuple(PLASTIC[name] for name in names)


def leashed(colour: TrainColour, seen: npt.NDArray[np.floating], trains: int) -> TrainColour:
    """Return a colour moved towards what a photo shows of it, no further than its leash.

    Parameters
    ----------
    seen : (3,) array
        The median Lab of the trains that are surely of this colour.
    trains : int
        How many there are; three weigh as much as what is known beforehand.
    """
    step = (seen - np.array(colour.lab)) * trains / (trains + 3)
    length = float(np.linalg.norm(step))
    if length > colour.leash:
        step *= colour.leash / length
    moved = np.array(colour.lab) + step
    return replace(colour, lab=(float(moved[0]), float(moved[1]), float(moved[2])))
