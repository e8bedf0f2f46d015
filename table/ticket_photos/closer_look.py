"""Words of a photo, looked at more closely where they are small in it.

Words are searched for in a picture of `LONGEST_SIDE_PX`. Of a photo with many tickets its four
quarters are looked at too, which overlap so that a title is whole in one of them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.vision.words.text_recogniser import Word
from railspotter.vision.words.word_reader import LONGEST_SIDE_PX, read_words

from .names import Names, letters

CLEAR_PX = 22.0  # all of eight cards' titles are found that are so high in what is searched
PART = 0.58  # of each side of the photo that a quarter takes
RIM_PX = 6.0


def look_for_words(picture: Picture, names: Names) -> list[Word]:
    """Return the words of a photo; raises `WordsMissingError`."""
    words = read_words(picture)
    shrunk = min(1.0, LONGEST_SIDE_PX / max(picture.shape[:2]))
    heights = [shrunk * word.height_px for word in words if _is_named(word, names)]
    if shrunk == 1 or (heights and min(heights) > CLEAR_PX):
        return words
    return _each_once([*_in_quarters(picture), *words])


def _is_named(word: Word, names: Names) -> bool:
    text = letters(word.text)
    return bool(names.single(text) or names.pairs(text))


def _in_quarters(picture: Picture) -> Iterator[Word]:
    """Yield the words of the four quarters, but those that a quarter's edge may have cut."""
    high, wide = (round(PART * side) for side in picture.shape[:2])
    for top, left in product((0, picture.shape[0] - high), (0, picture.shape[1] - wide)):
        quarter = np.ascontiguousarray(picture[top : top + high, left : left + wide])
        cut_low = np.array([left > 0, top > 0]) * RIM_PX
        cut_high = np.array([wide - (left == 0) * RIM_PX, high - (top == 0) * RIM_PX])
        for word in read_words(quarter):
            if (word.outline >= cut_low).all() and (word.outline <= cut_high).all():
                yield replace(word, outline=word.outline + np.array([left, top]))


def _each_once(words: Iterable[Word]) -> list[Word]:
    """Return the words without those that stand where another, longer one stands."""
    kept: list[Word] = []
    for word in sorted(words, key=lambda one: (-len(one.text), -one.log_odds)):
        middle = word.outline.mean(0)
        if not any(_is_inside(middle, other) for other in kept):
            kept.append(word)
    return kept


def _is_inside(point: Float64s, word: Word) -> bool:
    along, down = word.outline[1] - word.outline[0], word.outline[3] - word.outline[0]
    seen = point - word.outline[0]
    return bool(0 < seen @ along < along @ along and 0 < seen @ down < down @ down)
