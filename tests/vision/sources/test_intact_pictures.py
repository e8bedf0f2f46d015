"""Pictures of a camera that came damaged: refused, where the camera sends others too."""

import random
from collections.abc import Callable

import drawn
import numpy as np
import pytest
from PIL import Image
from railspotter.calibration.arrays import Picture
from railspotter.table.photo_file import to_jpeg
from railspotter.vision.decoding import LARGE_PX, decode, unpack
from railspotter.vision.errors import PictureError, TornPictureError
from railspotter.vision.sources.moving_jpeg import IntactJpegs

PIECE = 1400  # bytes that a network carries at once


def larger() -> Picture:
    small = drawn.game().picture
    image = Image.fromarray(small).resize((LARGE_PX + 200, 1000))
    return np.asarray(image)


def lost(content: bytes, at: int) -> bytes:
    return content[:at] + content[at + PIECE :]


def zeros(content: bytes, at: int) -> bytes:
    return content[:at] + bytes(PIECE) + content[at + PIECE :]


def noise(content: bytes, at: int) -> bytes:
    return content[:at] + random.Random(at).randbytes(PIECE) + content[at + PIECE :]


@pytest.mark.parametrize("picture", [drawn.game().picture, larger()], ids=["small", "halved"])
@pytest.mark.parametrize("torn", [lost, zeros, noise])
def test_torn_pictures_are_told_from_sound_ones(
    picture: Picture, torn: Callable[[bytes, int], bytes]
) -> None:
    content = to_jpeg(picture)
    assert np.array_equal(unpack(content).whole, decode(content))
    at = range(2000, len(content) - 2 * PIECE, len(content) // 20)
    refused = 0
    for place in at:
        try:
            unpack(torn(content, place))
        except TornPictureError:
            refused += 1
    assert refused >= 0.9 * len(at)


def test_a_camera_that_never_sends_a_sound_picture_is_looked_at() -> None:
    sound = to_jpeg(drawn.game().picture)
    torn = lost(sound, 20_000)
    camera = IntactJpegs()
    for _ in range(3):
        assert camera.unpack(torn).size_wh
    assert camera.unpack(sound).size_wh
    for _ in range(6):
        with pytest.raises(TornPictureError, match="damaged or cut short"):
            camera.unpack(torn)
    for _ in range(10):
        assert camera.unpack(sound).size_wh
    with pytest.raises(PictureError, match="not a picture"):
        camera.unpack(b"no picture")
