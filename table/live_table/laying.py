"""How far a route is laid that is paid for: which of its spaces plainly show its trains.

Nothing follows from it but what people are told while they lay. The claim itself is seen as ever.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from railspotter.scoring.edition import Colour
from railspotter.vision.watching.belief import SpaceReading

# Log-odds from which a space is spoken of. Of 1,545 spaces of five drawn boards with routes laid in
# part, with a wrong train here and there, 1,499 were so plain, and none of them was wrong.
PLAIN = 3.0


@dataclass(frozen=True, slots=True)
class Laying:
    """How far a route is laid; a space that the camera is not sure of is in neither."""

    # The spaces on which a train of the colour stands, from 0 at the route's first place.
    standing: tuple[int, ...] = ()
    # Those on which another one stands, each with the colour of that.
    wrong: tuple[tuple[int, Colour], ...] = ()


def laying_of(spaces: Collection[SpaceReading], colour: Colour) -> Laying | None:
    """Return how far a route is laid in a colour; None where no train plainly stands there.

    Examples
    --------
    >>> seen = [SpaceReading("blue", 7.5), SpaceReading("blue", 1.5), SpaceReading("red", 4.0)]
    >>> laying_of(seen, "blue")
    Laying(standing=(0,), wrong=((2, 'red'),))
    """
    plain = {
        number: space.colour
        for number, space in enumerate(spaces)
        if space.colour is not None and space.lead >= PLAIN
    }
    if not plain:
        return None
    return Laying(
        tuple(number for number, there in plain.items() if there == colour),
        tuple((number, there) for number, there in plain.items() if there != colour),
    )
