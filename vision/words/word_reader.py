"""Reads the words of a picture."""

from railspotter.calibration.arrays import Picture

from .text_detector import find_lines
from .text_recogniser import Word, read_lines

# Half as much again takes twice the time, and finds a twentieth more of a board's names.
LONGEST_SIDE_PX = 1280


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
    return read_lines(picture, find_lines(picture, longest_side_px))
