"""Reads the words of a picture: PaddleOCR's recogniser, in the directions a line may run.

The net answers a line, 48 pixels high, with probabilities of all letters in each of its columns;
equal neighbours are one letter, and nothing between them parts two (Graves et al., Connectionist
Temporal Classification, ICML 2006).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Picture

from .nets import forward, letters, to_net
from .text_detector import find_lines

# Of the picture in which lines are searched for. Half as much again takes twice the time, and finds
# a twentieth more of a board's names.
LONGEST_SIDE_PX = 1280
CLOSER_SIDE_PX = 1792  # of that in which small ones are
# Of eight cards' titles all are found where they are so high in the picture that is searched.
CLEAR_PX = 18.0
LONG = 3.0  # a word is so much longer than high
HEIGHT_PX = 48
COLUMN_PX = 8  # of a line, for each column of the answer
MOST_COLUMNS = 160
BATCH_PX = 2560  # of all lines in a batch together: no more memory than the detector takes
# A line that is not longer than this, against its height, may run along either of its sides.
SQUARE = 1.3
# A line that reads so surely one way up is not read the other way up, which reads some letters of
# almost every line.
SURE_PROBABILITY = 0.93
LEAST_PROBABILITY = 0.3


@dataclass(frozen=True, eq=False)
class Word:
    """A line of letters in a picture, of one word or some that stand close together."""

    text: str
    outline: Float64s  # (4, 2), px: its corners as the text runs, from the top left clockwise
    log_odds: float  # that a letter of it, in the mean, is what the text has

    @property
    def height_px(self) -> float:
        """The height of the line, in the picture's pixels."""
        return float(np.linalg.norm(self.outline[3] - self.outline[0]))


def read_words(picture: Picture, longest_side_px: int = LONGEST_SIDE_PX) -> list[Word]:
    """Return the lines of letters in a picture, whichever way they run.

    Words that stand on two lines are two; what stands close together on one line is one.

    Parameters
    ----------
    picture : Picture
        (H, W, 3) uint8, BGR.
    longest_side_px : int
        How long the longer side is of the picture in which lines are searched for; they are then
        read in the whole picture. The time grows with its square; the memory is some 350 MB.

    Returns
    -------
    list of Word
        In no order. Letters are Latin ones, digits and signs.

    Raises
    ------
    WordsMissingError
        If this installation lacks the nets.
    """
    return _read_lines(picture, find_lines(picture, longest_side_px))


def read_small_words(picture: Picture) -> list[Word]:
    """Return what `read_words` does; where most lines are small, of a closer search."""
    lines = find_lines(picture, LONGEST_SIDE_PX)
    shrunk = min(1.0, LONGEST_SIDE_PX / max(picture.shape[:2]))
    sizes = (np.linalg.norm(np.diff(line[:3], axis=0), axis=1) for line in lines)
    heights = [shrunk * high for wide, high in sizes if wide > LONG * high]
    if shrunk < 1 and not (heights and np.median(heights) > CLEAR_PX):
        lines = find_lines(picture, CLOSER_SIDE_PX)
    return _read_lines(picture, lines)


def _read_lines(picture: Picture, outlines: Sequence[Float64s]) -> list[Word]:
    """Return what lines say, of each the likeliest way; those that say nothing are gone."""
    best: dict[int, Word] = {}
    rest = list(range(len(outlines)))
    for turned in (0, 2, 1, 3):
        ways = [
            (k, np.roll(outlines[k], -turned, axis=0))
            for k in rest
            if _may_run(outlines[k], turned)
        ]
        for k, word in _read(picture, ways):
            if k not in best or word.log_odds > best[k].log_odds:
                best[k] = word
        sure = _log_odds(SURE_PROBABILITY)
        rest = [k for k in rest if k not in best or best[k].log_odds < sure]
    least = _log_odds(LEAST_PROBABILITY)
    return [best[k] for k in sorted(best) if best[k].text and best[k].log_odds > least]


def _may_run(outline: Float64s, turned: int) -> bool:
    """Whether a line may begin so many corners on."""
    along, across = np.linalg.norm(np.diff(outline[:3], axis=0), axis=1)
    return turned % 2 == 0 or bool(along < SQUARE * across)


def _read(picture: Picture, ways: Sequence[tuple[int, Float64s]]) -> Iterator[tuple[int, Word]]:
    """Yield the words of outlines, longer lines first, with the numbers that they came with."""
    cut = sorted(
        ((k, outline, _cut(picture, outline)) for k, outline in ways), key=lambda c: c[2].shape[1]
    )
    while cut:
        width = cut[-1][2].shape[1]
        count = max(1, BATCH_PX // width)
        batch, cut = cut[-count:], cut[:-count]
        # What follows a shorter line is grey, as the net was taught.
        lines = np.zeros((len(batch), 3, HEIGHT_PX, width), np.float32)
        for line, (*_, straight) in zip(lines, batch, strict=True):
            line[:, :, : straight.shape[1]] = to_net(straight)
        for (k, outline, _), answer in zip(batch, forward("recogniser", lines), strict=True):
            yield k, Word(*_decode(answer, outline))


def _cut(picture: Picture, outline: Float64s) -> Picture:
    """Return a line as it runs, so high as the net wants it, and wide by whole columns."""
    along, across = np.linalg.norm(np.diff(outline[:3], axis=0), axis=1)
    columns = int(np.clip(np.ceil(HEIGHT_PX * along / max(across, 1) / COLUMN_PX), 4, MOST_COLUMNS))
    width = columns * COLUMN_PX
    # A line that is larger is made smaller without losing rows between pixels.
    shrink = max(1, int(across // HEIGHT_PX))
    corners = np.array([[0, 0], [width, 0], [width, HEIGHT_PX]], np.float32) * shrink
    affine = cv2.getAffineTransform(outline[:3].astype(np.float32), corners)
    size = (width * shrink, HEIGHT_PX * shrink)
    flat = cv2.warpAffine(
        picture, affine, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    if shrink > 1:
        flat = cv2.resize(flat, (width, HEIGHT_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(flat, np.uint8)


def _decode(answer: Float32s, outline: Float64s) -> tuple[str, Float64s, float]:
    """Return the text of an answer, its outline, and the log-odds of a letter of it."""
    likeliest = answer.argmax(axis=1)
    begins = (likeliest != 0) & np.r_[True, likeliest[1:] != likeliest[:-1]]
    known = letters()
    text = "".join(known[letter - 1] for letter in likeliest[begins]).strip()
    probability = float(answer.max(axis=1)[begins].mean()) if begins.any() else 0.0
    return text, outline, _log_odds(probability)


def _log_odds(probability: float) -> float:
    return float(np.log(max(probability, 1e-6) / max(1 - probability, 1e-6)))
