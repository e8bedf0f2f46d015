"""Words of a photo, looked at more closely where they are small in it.

Lines of letters are searched for in a picture of `LONGEST_SIDE_PX`. Of a photo with many tickets
its four quarters are searched too, which overlap so that a title is whole in one of them.
"""

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.vision.words.text_detector import find_lines
from railspotter.vision.words.text_recogniser import Word, read_lines
from railspotter.vision.words.word_reader import LONGEST_SIDE_PX

# Of eight cards' titles all are found where they are so high in the picture that is searched.
CLEAR_PX = 18.0
LONG = 3.0  # a name is so much longer than high
PART = 0.58  # of each side of the photo that a quarter takes
RIM_PX = 6.0
SAME = 0.3  # of a line's height apart at most


def look_for_words(picture: Picture) -> list[Word]:
    """Return the words of a photo; raises `WordsMissingError`."""
    far = find_lines(picture, LONGEST_SIDE_PX)
    shrunk = min(1.0, LONGEST_SIDE_PX / max(picture.shape[:2]))
    heights = [shrunk * high for wide, high in map(_size, far) if wide > LONG * high]
    if shrunk == 1 or (heights and np.median(heights) > CLEAR_PX):
        return read_lines(picture, far)
    outlines = list(_in_quarters(picture))
    outlines += [one for one in far if not any(_is_same(one, other) for other in outlines)]
    return _each_once(read_lines(picture, outlines))


def _size(outline: Float64s) -> tuple[float, float]:
    """Return how long and how high an outline is."""
    wide, high = np.linalg.norm(np.diff(outline[:3], axis=0), axis=1)
    return float(wide), float(high)


def _in_quarters(picture: Picture) -> Iterator[Float64s]:
    """Yield the lines of the four quarters, but those that a quarter's edge may have cut."""
    high, wide = (round(PART * side) for side in picture.shape[:2])
    for top, left in product((0, picture.shape[0] - high), (0, picture.shape[1] - wide)):
        quarter = np.ascontiguousarray(picture[top : top + high, left : left + wide])
        cut_low = np.array([left > 0, top > 0]) * RIM_PX
        cut_high = np.array([wide - (left == 0) * RIM_PX, high - (top == 0) * RIM_PX])
        for outline in find_lines(quarter, LONGEST_SIDE_PX):
            if (outline >= cut_low).all() and (outline <= cut_high).all():
                yield outline + np.array([left, top])


def _is_same(outline: Float64s, other: Float64s) -> bool:
    """Tell whether a line was found twice, and read once is enough."""
    (wide, high), (other_wide, _) = _size(outline), _size(other)
    off = float(np.linalg.norm(outline.mean(0) - other.mean(0)))
    return off < SAME * high and abs(wide - other_wide) < SAME * high


def _each_once(words: Iterable[Word]) -> list[Word]:
    """Return the words without those that stand where another, longer one stands."""
    kept: list[Word] = []
    for word in sorted(words, key=lambda one: (-len(one.text), -one.log_odds)):
        if not any(_is_inside(word.outline.mean(0), other.outline) for other in kept):
            kept.append(word)
    return kept


def _is_inside(point: Float64s, outline: Float64s) -> bool:
    along, down = outline[1] - outline[0], outline[3] - outline[0]
    seen = point - outline[0]
    return bool(0 < seen @ along < along @ along and 0 < seen @ down < down @ down)
