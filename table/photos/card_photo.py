"""Train cards counted in a photo: the content of a file in, what lies there out."""

from __future__ import annotations

from railspotter.vision.decoding import ENOUGH_PX
from railspotter.vision.train_cards import CardReading, SeenCard, read_cards

from ..photo_file import parse_photo

__all__ = ["CardReading", "SeenCard", "count_cards"]


def count_cards(content: bytes) -> CardReading:
    """Return the train cards in a photo.

    Raises
    ------
    PhotoError
        When the file is no usable picture. A picture without cards is no error: the reading has
        the reason.
    """
    return read_cards(parse_photo(content, ENOUGH_PX))
