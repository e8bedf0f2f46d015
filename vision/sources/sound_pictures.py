"""A camera's pictures unpacked, torn ones left out."""

from __future__ import annotations

from railspotter.calibration.pyramid import Pyramid

from ..decoding import unpack
from ..errors import TornPictureError

USUAL = 0.1
"""The least share of sound pictures of a camera that sends such: some never send one that is quite
in order, and are looked at all the same. Chosen."""


class SoundPictures:
    """Unpacks what one camera sends, for as long as anybody watches by it.

    What came torn is refused: a part of it shows nothing that lies on the table, and a burst of
    such pictures was taken for hands, or for the board (`jpeg_damage.py`).
    """

    def __init__(self) -> None:
        self._sound = self._torn = 0

    def unpack(self, content: bytes) -> Pyramid:
        """Unpack a picture; a large JPEG is decoded at half its size for now.

        Raises
        ------
        PictureError
            When it is none that can be used; `TornPictureError` when it came damaged.
        """
        try:
            picture = unpack(content)
        except TornPictureError:
            self._torn += 1
            if self._sound >= USUAL * (self._sound + self._torn):
                raise
            return unpack(content, may_be_torn=True)
        self._sound += 1
        return picture
