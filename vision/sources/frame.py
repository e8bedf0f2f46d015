"""What a source gives: shots, and the frames that a grabber makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from railspotter.calibration.arrays import Picture
from railspotter.calibration.pyramid import Pyramid, Shown, pyramid_of


class Shot(NamedTuple):
    """A picture as a source took it.

    Attributes
    ----------
    shown : Pyramid, or (H, W, 3) uint8 array, BGR
        Nobody writes into it: a source may give the same one again.
    taken_at_s : float
        When it was taken, by the watch's clock.
    """

    shown: Shown
    taken_at_s: float

    @property
    def picture(self) -> Picture:
        """The whole picture, (H, W, 3), BGR."""
        return pyramid_of(self.shown).whole


@dataclass(frozen=True, eq=False)
class Frame:
    """The newest picture of a source.

    Attributes
    ----------
    shown : Pyramid, or (H, W, 3) uint8 array, BGR
        For reading only.
    taken_at_s : float
        When it was taken, on the clock of the grabber: seconds since some moment, which no change
        of the wall clock disturbs. A video that goes as fast as it is read counts its own seconds.
    number : int
        Counts the pictures of one grabber from 1, those that nobody saw included.
    """

    shown: Shown
    taken_at_s: float
    number: int

    @cached_property
    def pyramid(self) -> Pyramid:
        """The picture at any size: half of it is all that most frames are asked for."""
        return pyramid_of(self.shown)

    @property
    def picture(self) -> Picture:
        """The whole picture, (H, W, 3), BGR; of some cameras it is decoded only now."""
        return self.pyramid.whole
