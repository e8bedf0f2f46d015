"""How good a profile is: what its photos showed, and how well its print agrees with itself."""

from __future__ import annotations

from dataclasses import dataclass

from .picture_quality import PictureQuality


@dataclass(frozen=True)
class Quality:
    """What was measured while a profile was made.

    Attributes
    ----------
    picture : PictureQuality
        Of the photo that became the reference.
    photos : int
        How many photos the profile was made from.
    error_mm : tuple of float, optional
        How far the print lies from where it is expected, median and 95th percentile over the parts
        that were recognised; None where there was nothing to compare with.
    matched : float, optional
        Share of the board, in coarse cells, where parts of the print were recognised; None where
        there was nothing to compare with.
    """

    picture: PictureQuality
    photos: int = 1
    error_mm: tuple[float, float] | None = None
    matched: float | None = None
