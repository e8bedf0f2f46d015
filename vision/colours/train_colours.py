"""The colours of plastic trains, and their bounded correction by a photo's own trains."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

import msgspec
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Lab

from ..errors import ReaderError

USUAL_SPREAD = 11.0  # spread of one plastic's looks in Lab units, as the box's trains have it
# Weight of the colour before learning, in trains or claims: with 1, a single train under glare made
# one more of 3,391 routes wrong.
PRIOR_TRAINS = 3.0


@dataclass(frozen=True)
class TrainColour:
    """The colour of one player's trains in the light of the reference."""

    name: str  # what the players call it
    lab: Lab  # CIE L*, a*, b*
    spread: float  # one standard deviation of it over a train, in the units of `lab.distance2`
    # Most that a photo may shift it, in Lab units: in dim warm light an unbounded colour drifted to
    # the tan of the grey spaces.
    leash: float = 14.0
    like: tuple[str, ...] = ()  # other printed colours that look like it

    def resembles(self, printed: str) -> bool:
        """Tell whether trains of this colour look like a printed colour.

        Parameters
        ----------
        printed : str
            The name of a printed colour.

        Examples
        --------
        >>> white = TrainColour("white", (85.0, -1.0, -2.0), 9.0, like=("grey",))
        >>> white.resembles("white"), white.resembles("grey"), white.resembles("red")
        (True, True, False)
        """
        return printed == self.name or printed in self.like


class PlasticBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The plastic of one box of the game."""

    measured_on: str  # what the numbers come from
    colours: tuple[TrainColour, ...]


def plastic(box: str) -> tuple[TrainColour, ...]:
    """Return the trains of a box, as `plastics.json` has them.

    Raises
    ------
    ReaderError
        When nobody measured that box.

    Examples
    --------
    >>> [colour.name for colour in plastic("newyork")]
    ['blue', 'white', 'purple', 'yellow']
    """
    known = _plastics()
    if box not in known:
        raise ReaderError(f"there is no plastic {box!r}; known is that of {', '.join(known)}")
    return known[box].colours


def other_plastic(box: str) -> tuple[TrainColour, ...]:
    """Return the trains of other boxes, of the colours that a box does not have.

    >>> [colour.name for colour in other_plastic("usa")]
    ['white', 'purple', 'orange', 'pink']
    """
    own = {train.name for train in plastic(box)}
    others = {one.name: one for each in _plastics().values() for one in each.colours}
    return tuple(one for name, one in others.items() if name not in own)


@cache
def _plastics() -> dict[str, PlasticBox]:
    content = resources.files(__package__).joinpath("plastics.json").read_bytes()
    return msgspec.json.decode(content, type=dict[str, PlasticBox])


def trains_in_play(names: Sequence[str], trains: Sequence[TrainColour]) -> tuple[TrainColour, ...]:
    """Return the trains of these colours, in their order; raises `ReaderError` for an unknown one.

    >>> [colour.name for colour in trains_in_play(["red", "blue"], plastic("usa"))]
    ['red', 'blue']
    """
    known = {train.name: train for train in trains}
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise ReaderError(
            f"there are no trains of the colour {', '.join(map(repr, unknown)) or 'none'};"
            f" known are {', '.join(known)}"
        )
    return tuple(known[name] for name in names)


def shifted_within_leash(colour: TrainColour, seen: AnyFloats, trains: float) -> TrainColour:
    """Return a train colour shifted towards an observed one, at most by its leash.

    `seen` is the median Lab of so many `trains` that are surely of this colour.
    """
    step = (seen - np.array(colour.lab)) * trains / (trains + PRIOR_TRAINS)
    length = float(np.linalg.norm(step))
    if length > colour.leash:
        step *= colour.leash / length
    moved = np.array(colour.lab) + step
    return replace(colour, lab=(float(moved[0]), float(moved[1]), float(moved[2])))
