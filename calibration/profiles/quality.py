"""How good a profile is: what its photos showed, and how well its print agrees with itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .picture_quality import PictureQuality
from .verdict import Verdict, judge_picture

# 95 of 100 parts of a print lie nearer, folds included: to within 1.3 mm on labelled photos of one
# copy, 2.4 mm on another one; a corner that is 6 mm off makes it 4.3 mm.
MOST_ERROR_MM = 3.0
LEAST_MATCHED = 0.8  # share of the board's pieces: labelled photos of empty boards have all of them


@dataclass(frozen=True)
class Quality:
    """What was measured while a profile was made."""

    picture: PictureQuality  # what was measured of the photo that became the reference
    photos: int = 1  # how many photos the profile was made from
    # How far the print lies from where it is expected, median and 95th percentile over the parts
    # that were recognised; None where there was nothing to compare with.
    error_mm: tuple[float, float] | None = None
    # Share of the board, in coarse pieces, where parts of the print were recognised; None where
    # there was nothing to compare with.
    matched: float | None = None

    @property
    def verdict(self) -> Verdict:
        """Whether the reference's photo is good enough."""
        return judge_picture(self.picture)

    def advice(self) -> tuple[str, ...]:
        """Return what would make a better profile, the gravest first; nothing where all is well."""
        return (*(remark.words for remark in self.verdict.remarks), *self._of_print())

    def _of_print(self) -> Iterator[str]:
        if self.error_mm is not None and self.error_mm[1] > MOST_ERROR_MM:
            yield (
                f"parts of the print lie {self.error_mm[1]:.1f} mm from where they are expected:"
                " lay the board flat, and check the corners if they were given by hand"
            )
        if self.matched is not None and self.matched < LEAST_MATCHED:
            yield (
                f"the print was recognised on {100 * self.matched:.0f} % of the board only: clear"
                " the board, light it evenly and take the photo again"
            )
