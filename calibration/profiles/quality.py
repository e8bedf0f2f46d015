"""Judges whether a camera and a profile are good enough, with advice on what to change.

Limits are from labelled photos that were made coarser, softer and darker
(benchmarks/results/cameras.md): from the first on there were more questions, from the second on
many routes were read wrongly.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from math import inf
from typing import Annotated

import msgspec
from railspotter.scoring.sentence import Sentence

from ..arrays import NotNegative
from .picture_quality import Grid, PictureQuality

PARTS = (
    (Sentence("north-west"), Sentence("north"), Sentence("north-east")),
    (Sentence("west"), Sentence("middle"), Sentence("east")),
    (Sentence("south-west"), Sentence("south"), Sentence("south-east")),
)
Area = tuple[float, float]  # the middle of a part of the board, as shares of its width and height
SHARP_PX = 0.7  # blur of a sharp picture: labelled photos have .4 to .65 pixels, the shaky one .8
# Limit of the 95th percentile of errors: 1.3 mm on labelled photos of one copy, folds included, 2.4
# mm on another one; 4.3 mm with a corner that is 6 mm off.
MOST_ERROR_MM = 3.0
LEAST_MATCHED = 0.8  # least share of matched pieces: labelled photos of empty boards have all
TOO_DARK = Sentence("the board is too dark: give it more light, or let the camera expose longer")
TOO_LIGHT = Sentence(
    "the board is overexposed: set the camera's exposure on the board, or dim the lamp"
)
GLARING = Sentence(
    "a lamp or a window glares on the {part} of the board: move it, or the camera,"
    " until its reflection leaves the board"
)
ASIDE = Sentence(
    "the camera looks from aside, {tilt} degrees from straight above, where trains"
    " hide what lies behind them: bring it further over the board's middle"
)
CUT_OFF = Sentence(
    "only {share} % of the board is in the picture: raise the camera or turn it,"
    " until all of it shows"
)


class Grade(IntEnum):
    """Grade of a measurement."""

    POOR = 0
    USABLE = 1
    GOOD = 2

    @property
    def words(self) -> str:
        """What it means for reading the board."""
        return {
            Grade.GOOD: "good: the board can be read well like this",
            Grade.USABLE: "usable: some routes will be asked about",
            Grade.POOR: "poor: boards are often not found like this, or routes read wrongly",
        }[self]


@dataclass(frozen=True)
class GradeLimits:
    """Limits of a measurement for good and for usable pictures."""

    good: float
    usable: float

    def grade(self, value: float) -> Grade:
        """Return the grade of a value; more is better if `good` is above `usable`, else less."""
        way = 1 if self.good > self.usable else -1
        if way * value >= way * self.good:
            return Grade.GOOD
        return Grade.USABLE if way * value >= way * self.usable else Grade.POOR


FINE_PX_PER_MM = GradeLimits(0.8, 0.45)  # at the board's coarsest corner
BLUR_MM = GradeLimits(0.45, 1.0)
DARK = GradeLimits(35.0, 18.0)  # lightness below which it is too dark
LIGHT = GradeLimits(88.0, 97.0)  # lightness above which it is overexposed
# Share of glare in the worst cell. Labelled photos have a tenth at most, which did no harm; with
# half of a cell white, it cannot be read.
GLARE = GradeLimits(0.1, 0.5)
TILT_DEG = GradeLimits(35.0, 45.0)
SHOWN = GradeLimits(0.995, 0.9)


@dataclass(frozen=True)
class Remark:
    """A fault of a picture, with advice."""

    about: str  # `resolution`, `sharpness`, `light`, `glare`, `angle` or `cut off`
    grade: Grade  # `USABLE` or `POOR`
    words: Sentence  # for the person with the camera, without full stop


def judge_picture(picture: PictureQuality) -> tuple[Remark, ...]:
    """Return the faults of a picture by its measurements, the gravest first."""
    return tuple(sorted(_remarks(picture), key=lambda remark: remark.grade))


def grade_of(remarks: Iterable[Remark]) -> Grade:
    """Return the grade of a picture: that of its gravest fault."""
    return min((remark.grade for remark in remarks), default=Grade.GOOD)


@dataclass(frozen=True)
class Quality:
    """The quality of a profile, measured when it was made."""

    picture: PictureQuality  # of the photo that became the reference
    photos: Annotated[int, msgspec.Meta(ge=1)] = 1  # how many photos the profile was made from
    # Errors of the print's places, median and 95th percentile; None without a comparison.
    error_mm: tuple[NotNegative, NotNegative] | None = None
    matched: NotNegative | None = None  # share of the board's pieces with matching print, or None

    @property
    def grade(self) -> Grade:
        """The grade of the reference's photo."""
        return grade_of(judge_picture(self.picture))

    def advice(self) -> tuple[str, ...]:
        """Return advice for a better profile, the gravest first; empty if all is well."""
        return (*(remark.words for remark in judge_picture(self.picture)), *self._print_advice())

    def _print_advice(self) -> Iterator[str]:
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


def _remarks(picture: PictureQuality) -> Iterator[Remark]:
    fine = min(picture.corners_px_per_mm)
    blur = picture.blur_p90_mm
    _, soft = _worst(picture.blur_mm)
    glare, shining = _worst(picture.glare)
    measured = (
        ("resolution", FINE_PX_PER_MM, fine, _too_coarse(picture, fine)),
        ("sharpness", BLUR_MM, inf if blur is None else blur, _too_soft(blur, soft)),
        ("light", DARK, picture.lightness, TOO_DARK),
        ("light", LIGHT, picture.lightness, TOO_LIGHT),
        ("glare", GLARE, glare, GLARING.filled(part=shining)),
        ("angle", TILT_DEG, picture.tilt_deg, ASIDE.filled(tilt=f"{picture.tilt_deg:.0f}")),
        ("cut off", SHOWN, picture.shown, CUT_OFF.filled(share=f"{100 * picture.shown:.0f}")),
    )
    skipped = set()
    # Blur of half a pixel is the limit of the resolution: more pixels help, not focus.
    if blur is not None and blur * picture.px_per_mm <= SHARP_PX:
        skipped.add("sharpness")
    if LIGHT.grade(picture.lightness) < Grade.GOOD:
        skipped.add("glare")  # it is white all over
    for about, limits, value, words in measured:
        grade = limits.grade(value)
        if grade < Grade.GOOD and about not in skipped:
            yield Remark(about, grade, words)


def _too_coarse(picture: PictureQuality, fine: float) -> Sentence:
    return Sentence(
        "the {corner} corner is too coarse, {fine} pixels to the millimetre where"
        " {wanted} are wanted: set the camera to more pixels, or bring it nearer, to"
        " {share} % of its distance",
        corner=corner_name(picture.corners_px_per_mm.index(fine)),
        fine=f"{fine:.2f}",
        wanted=f"{FINE_PX_PER_MM.good:g}",
        share=max(5, round(100 * fine / FINE_PX_PER_MM.good / 5) * 5),
    )


def _too_soft(blur: float | None, where: Sentence) -> Sentence:
    if blur is None:
        return Sentence(
            "nothing in the picture is sharp: clean the lens, let it focus, hold it still"
        )
    return Sentence(
        "the {part} of the board is out of focus, or the camera shakes: set the focus"
        " on the board and lock it, clean the lens, give it a firm stand and more light",
        part=where,
    )


def _worst(grid: Grid) -> tuple[float, Sentence]:
    """Return the largest value of a grid, and the name of the part where it is."""
    rows, columns = len(grid), len(grid[0])
    cells = (
        (value, cell_name(row, column, rows, columns))
        for row, values in enumerate(grid)
        for column, value in enumerate(values)
        if value is not None
    )
    return max(cells, default=(0.0, PARTS[1][1]))


def corner_name(index: int) -> Sentence:
    """Return the name of one of a board's corners: top left, top right, bottom right, bottom left.

    >>> [corner_name(index) for index in range(4)]
    ['north-west', 'north-east', 'south-east', 'south-west']
    """
    return (PARTS[0][0], PARTS[0][2], PARTS[2][2], PARTS[2][0])[index]


def part_name(area: Area) -> Sentence:
    """Return the name of a part of a board, by a point in shares of its size.

    >>> part_name((0.9, 0.1)), part_name((0.5, 0.9)), part_name((0.1, 0.5)), part_name((0.5, 0.5))
    ('north-east', 'south', 'west', 'middle')
    """
    column, row = (min(2, int(share * 3)) for share in area)
    return PARTS[row][column]


def cell_name(row: int, column: int, rows: int, columns: int) -> Sentence:
    """Return the name of the part of a board where a cell of a grid is.

    >>> cell_name(0, 5, 4, 6)
    'north-east'
    """
    return part_name(((column + 0.5) / columns, (row + 0.5) / rows))
