"""Is this camera good enough, and this profile? What was measured, judged, and what to change.

Limits are where reading began to fail when labelled photos were made coarser, softer and darker
(benchmarks/results/cameras.md): from the first on, more routes are asked about; from the second
on, many are read wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from math import inf

from railspotter.scoring.sentence import Sentence

from .picture_quality import Grid, PictureQuality

PARTS = (
    (Sentence("north-west"), Sentence("north"), Sentence("north-east")),
    (Sentence("west"), Sentence("middle"), Sentence("east")),
    (Sentence("south-west"), Sentence("south"), Sentence("south-east")),
)
Area = tuple[float, float]  # the middle of a part of the board, as shares of its width and height
SHARP_PX = 0.7  # labelled photos that are in focus have .4 to .65 pixels, the shaky one of them .8
# 95 of 100 parts of a print lie nearer, folds included: to within 1.3 mm on labelled photos of one
# copy, 2.4 mm on another one; a corner that is 6 mm off makes it 4.3 mm.
MOST_ERROR_MM = 3.0
LEAST_MATCHED = 0.8  # share of the board's pieces: labelled photos of empty boards have all of them
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
    """How well boards can be read."""

    POOR = 0
    USABLE = 1
    GOOD = 2


@dataclass(frozen=True)
class GradeLimits:
    """Where a measure begins to cost readings, and where it makes them useless."""

    good: float
    usable: float

    def grade(self, value: float) -> Grade:
        """Grade a value: more is better where `good` is more than `usable`, else less is."""
        way = 1 if self.good > self.usable else -1
        if way * value >= way * self.good:
            return Grade.GOOD
        return Grade.USABLE if way * value >= way * self.usable else Grade.POOR


FINE_PX_PER_MM = GradeLimits(0.8, 0.45)  # at the board's coarsest corner
BLUR_MM = GradeLimits(0.45, 1.0)
DARK = GradeLimits(35.0, 18.0)  # lightness below which it is too dark
LIGHT = GradeLimits(88.0, 97.0)  # lightness above which it is overexposed
# Share of a piece of the board as large as a hand. Up to a tenth did no harm on labelled photos,
# which show no more; when half of a piece is white, nobody reads it.
GLARE = GradeLimits(0.1, 0.5)
TILT_DEG = GradeLimits(35.0, 45.0)
SHOWN = GradeLimits(0.995, 0.9)


@dataclass(frozen=True)
class Remark:
    """One thing that is not good, and what helps."""

    about: str  # `resolution`, `sharpness`, `light`, `glare`, `angle` or `cut off`
    grade: Grade  # `USABLE` or `POOR`
    words: Sentence  # for the person with the camera, without full stop


@dataclass(frozen=True)
class Verdict:
    """Whether a camera is good enough for its board, and what to change."""

    picture: PictureQuality  # what was measured
    remarks: tuple[Remark, ...] = ()  # the gravest first; none where all is well

    @property
    def grade(self) -> Grade:
        """The gravest remark's."""
        return min((remark.grade for remark in self.remarks), default=Grade.GOOD)

    def __str__(self) -> str:
        said = {
            Grade.GOOD: "good: the board can be read well like this",
            Grade.USABLE: "usable: some routes will be asked about",
            Grade.POOR: "poor: boards are often not found like this, or routes read wrongly",
        }
        return said[self.grade]


def judge_picture(picture: PictureQuality) -> Verdict:
    """Judge how a picture shows a board."""
    return Verdict(picture, tuple(sorted(_remarks(picture), key=lambda remark: remark.grade)))


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
    nothing = set()
    # What is smeared by half a pixel is as sharp as pixels can be: more of them help, not focus.
    if blur is not None and blur * picture.px_per_mm <= SHARP_PX:
        nothing.add("sharpness")
    if LIGHT.grade(picture.lightness) < Grade.GOOD:
        nothing.add("glare")  # it is white all over
    for about, limits, value, words in measured:
        grade = limits.grade(value)
        if grade < Grade.GOOD and about not in nothing:
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
    """Return the largest value of a grid, and what to call where it is."""
    rows, columns = len(grid), len(grid[0])
    told = (
        (value, cell_name(row, column, rows, columns))
        for row, values in enumerate(grid)
        for column, value in enumerate(values)
        if value is not None
    )
    return max(told, default=(0.0, PARTS[1][1]))


def corner_name(index: int) -> Sentence:
    """Return the name of one of a board's corners: top left, top right, bottom right, bottom left.

    Examples
    --------
    >>> [corner_name(index) for index in range(4)]
    ['north-west', 'north-east', 'south-east', 'south-west']
    """
    return (PARTS[0][0], PARTS[0][2], PARTS[2][2], PARTS[2][0])[index]


def part_name(area: Area) -> Sentence:
    """Return what to call a part of a board.

    Examples
    --------
    >>> part_name((0.9, 0.1)), part_name((0.5, 0.9)), part_name((0.1, 0.5)), part_name((0.5, 0.5))
    ('north-east', 'south', 'west', 'middle')
    """
    column, row = (min(2, int(share * 3)) for share in area)
    return PARTS[row][column]


def cell_name(row: int, column: int, rows: int, columns: int) -> Sentence:
    """Return what to call a cell of a grid over the board.

    Examples
    --------
    >>> cell_name(0, 5, 4, 6)
    'north-east'
    """
    return part_name(((column + 0.5) / columns, (row + 0.5) / rows))
