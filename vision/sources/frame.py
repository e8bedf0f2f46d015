"""What a source gives: shots, and the frames that a grabber makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..decoding import Picture


class Shot(NamedTuple):
    """A picture as a source took it.

    Attributes
    ----------
    picture : (H, W, 3) uint8 array, BGR
        Nobody writes into it: a source may give the same one again.
    taken_at_s : float
        When it was taken, by the watch's clock.
    """

    picture: Picture
    taken_at_s: float


@dataclass(frozen=True, eq=False)
class Frame:
    """The newest picture of a source.

    Attributes
    ----------
    picture : (H, W, 3) uint8 array, BGR
        For reading only.
    taken_at_s : float
        When it was taken, on the clock of the grabber: seconds since some moment, which no change
        of the wall clock disturbs. A video that goes as fast as it is read counts its own seconds.
    number : int
        Counts the pictures of one grabber from 1, those that nobody saw included.
    """

    picture: Picture
    taken_at_s: float
    number: int
