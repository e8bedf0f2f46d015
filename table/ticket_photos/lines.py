"""Words that stand together: on one line, or one line above another.

Distances are in heights of the letters' boxes, in the direction in which a word is read: so they
are the same however far away a ticket lies and whichever way it is turned.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from railspotter.vision.words.word_reader import Word

from .names import letters

Floats = npt.NDArray[np.float64]

MOST_WORDS = 5  # of a name or a title, as they are found: SAULT, ST., MARIE, NASHVILLE
# Measured on real tickets: names of one title stand .9 to 1.1 apart (.7 with 1912's ornament),
# words of one name .3 to .5; lines of one name .8 to .9 apart; heights differ by a fifth at most.
MOST_GAP = 1.8
OVERLAP = -0.6
OFF_LINE = 0.45
PITCH = (0.55, 1.5)
OVER = 0.2  # of the shorter of two lines stands above the other at least; some are staggered
SIZES = (0.68, 1.47)
MOST_TURN_COS = 0.96  # 16 degrees


@dataclass(frozen=True)
class Line:
    """Words in reading order, on one line or below each other."""

    words: tuple[int, ...]  # their places in the photo's list
    text: str  # their letters
    outline: Floats  # (4, 2): the corners around them, from the text's top left

    @cached_property
    def centre(self) -> Floats:
        """Its middle, in pixels."""
        centre: Floats = self.outline.mean(0)
        return centre

    @cached_property
    def width(self) -> float:
        """Its length, in pixels."""
        return float(np.linalg.norm(self.outline[1] - self.outline[0]))

    @cached_property
    def axes(self) -> Floats:
        """Rows: the direction in which it is read, and the one down."""
        along = self.outline[1] - self.outline[0] + self.outline[2] - self.outline[3]
        along = along / max(float(np.linalg.norm(along)), 1e-9)
        return np.array([along, [-along[1], along[0]]])

    def seen_from(self, point: Floats, height: float) -> Floats:
        """Return where a point is: so many heights along and down from its middle."""
        seen: Floats = self.axes @ (point - self.centre) / height
        return seen


class WordMap:
    """The words of one photo, and which ones stand beside and below each other."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        outlines = np.array([word.outline for word in words], float).reshape(-1, 4, 2)
        self.outlines: Floats = outlines
        along = outlines[:, 1] - outlines[:, 0] + outlines[:, 2] - outlines[:, 3]
        self.widths: Floats = np.linalg.norm(along, axis=1) / 2
        self.heights: Floats = (
            np.linalg.norm(
                outlines[:, 3] - outlines[:, 0] + outlines[:, 2] - outlines[:, 1], axis=1
            )
            / 2
        )
        self.along: Floats = along / np.maximum(2 * self.widths, 1e-9)[:, None]
        self.centres: Floats = outlines.mean(1)
        self.texts = tuple(letters(word.text) for word in words)
        self.right, self.below = self._neighbours()

    def _neighbours(self) -> tuple[list[list[int]], list[list[int]]]:
        """Return for each word the next ones on its line, and those on the line below."""
        apart = self.centres[None] - self.centres[:, None]
        height = np.maximum(self.heights, 1e-9)[:, None]
        down = np.stack([-self.along[:, 1], self.along[:, 0]], 1)
        x = np.einsum("ijk,ik->ij", apart, self.along) / height
        y = np.einsum("ijk,ik->ij", apart, down) / height
        sizes = self.heights[None] / height
        alike = (
            (self.along @ self.along.T > MOST_TURN_COS) & (sizes > SIZES[0]) & (sizes < SIZES[1])
        )
        gap = x - (self.widths[:, None] + self.widths[None]) / 2 / height
        beside = alike & (abs(y) < OFF_LINE) & (gap > OVERLAP) & (gap < MOST_GAP)
        narrow = np.minimum(self.widths[:, None], self.widths[None]) / height
        above = (self.widths[:, None] + self.widths[None]) / 2 / height - abs(x) > OVER * narrow
        under = alike & (y > PITCH[0]) & (y < PITCH[1]) & above
        return _nearest(gap, beside), _nearest(y, under)

    def lines(self, *, below: bool = False) -> Iterator[Line]:
        """Yield each run of words on one line; with `below` also those that go on beneath."""
        spelt = [any(map(str.isalpha, word.text)) for word in self.words]  # no number
        runs: list[tuple[int, ...]] = [(n,) for n, is_spelt in enumerate(spelt) if is_spelt]
        while runs:
            yield from map(self.line, runs)
            runs = [
                (*run, n)
                for run in runs
                if len(run) < MOST_WORDS
                for n in (*self.right[run[-1]], *(self.below[run[-1]] if below else ()))
                if n not in run and spelt[n]
            ]

    def line(self, words: tuple[int, ...]) -> Line:
        """Return words as one line, with the corners around them."""
        if len(words) == 1:
            return Line(words, self.texts[words[0]], self.outlines[words[0]])
        along = self.along[list(words)].mean(0)
        axes = np.array([along, [-along[1], along[0]]]) / max(float(np.linalg.norm(along)), 1e-9)
        turned = self.outlines[list(words)].reshape(-1, 2) @ axes.T
        (left, top), (right, bottom) = turned.min(0), turned.max(0)
        corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        return Line(words, "".join(self.texts[n] for n in words), corners @ axes)

    def height(self, line: Line) -> float:
        """Return the height of a line's letters, in pixels."""
        return float(np.mean(self.heights[list(line.words)]))

    def around(self, line: Line, most: float) -> Iterator[tuple[int, Floats]]:
        """Yield the other words within so many heights, and where each is from its middle."""
        height = self.height(line)
        seen = (self.centres - line.centre) @ line.axes.T / height
        for n in np.flatnonzero(np.linalg.norm(seen, axis=1) < most):
            if int(n) not in line.words:
                yield int(n), seen[n]


def _nearest(far: Floats, stands: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Return for each word the two nearest of those that stand beside it."""
    return [
        [int(n) for n in np.argsort(row, kind="stable") if stands_here[n]][:2]
        for row, stands_here in zip(far, stands, strict=True)
    ]
