"""Pictures from the bytes of a file, an upload or a camera: decoded whole, or refused."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pyramid import Pyramid, pyramid_of
from railspotter.scoring.sentence import Sentence

from .errors import PictureError

FORMATS = ("JPEG", "PNG", "WEBP", "BMP")
MOST_PIXELS = 120_000_000
"""The largest phone cameras make 108 megapixels; a picture of more is a mistake or an attack."""
# Pillow's own limit would warn on standard error where `MOST_PIXELS` refuses with a sentence.
Image.MAX_IMAGE_PIXELS = None
LEAST_SIDE_PX = 200
"""On a smaller picture no space of a board has ten pixels."""
MOST_SLENDER = 10
"""Longer side over shorter, of a picture that can show a board."""
LARGE_PX = 1400
"""Pictures that are so wide are followed and glanced at in half their size."""


def decode(content: bytes) -> Picture:
    """Return the picture in a file's content.

    Returns
    -------
    (H, W, 3) uint8 array, BGR
        The right way up, as its EXIF orientation says.

    Raises
    ------
    PictureError
        With one sentence on what is wrong.
    """
    with _opened(content) as image:
        if _is_plain_jpeg(image):
            return _of_jpeg(content)
        image.load()
        upright = ImageOps.exif_transpose(image).convert("RGB")
    return np.asarray(cv2.cvtColor(np.asarray(upright), cv2.COLOR_RGB2BGR), dtype=np.uint8)


def unpack(content: bytes) -> Pyramid:
    """Return the picture in a file's content, a large JPEG's decoded at half its size for now.

    That costs half of the whole, and shows as well whether it is damaged.

    Raises
    ------
    PictureError
        As `decode` does.
    """
    with _opened(content) as image:
        is_even = all(side % 2 == 0 for side in image.size)
        if not (_is_plain_jpeg(image) and is_even and image.width >= LARGE_PX):
            return pyramid_of(decode(content))
        half = _of_jpeg(content, cv2.IMREAD_REDUCED_COLOR_2)
    height, width = half.shape[:2]  # upright
    return Pyramid(lambda: decode(content), (2 * width, 2 * height), lambda: half)


def check_head(content: bytes) -> None:
    """Refuse what is no picture of a usable size, by its head alone: it is not unpacked.

    Raises
    ------
    PictureError
        With one sentence on what is wrong. What is damaged further on turns out when it is read.
    """
    with _opened(content):
        pass


@contextmanager
def _opened(content: bytes) -> Iterator[Image.Image]:
    """Open a picture of a usable size, which is not unpacked yet; say what is wrong with it."""
    try:
        with warnings.catch_warnings():
            # Odd metadata of a sound picture is nobody's concern.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=FORMATS) as image:
                _check_size(*image.size)
                yield image
    except UnidentifiedImageError as error:
        raise PictureError("this is not a picture in a known format (JPEG, PNG, WebP)") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise PictureError("the picture is damaged or cut short; send it again") from error


def _is_plain_jpeg(image: Image.Image) -> bool:
    return image.format == "JPEG" and image.mode == "RGB"


def _of_jpeg(content: bytes, how: int = cv2.IMREAD_COLOR) -> Picture:
    """Decode with OpenCV: the same pixels in half the time, for Pillow's are copied twice."""
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), how)
    if picture is None:
        raise OSError(Sentence("it is cut short"))
    return np.asarray(picture, np.uint8)


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise PictureError(
            "the picture has {size} megapixels, more than the {most} that are read; send a"
            " smaller one",
            size=f"{width * height / 1e6:.0f}",
            most=f"{MOST_PIXELS / 1e6:.0f}",
        )
    if min(width, height) < LEAST_SIDE_PX:
        raise PictureError(
            "the picture is only {width} x {height} pixels; at least {least} are needed on"
            " each side",
            width=width,
            height=height,
            least=LEAST_SIDE_PX,
        )
    if max(width, height) > MOST_SLENDER * min(width, height):
        raise PictureError(
            "the picture, {width} x {height} pixels, is too narrow to show a board",
            width=width,
            height=height,
        )
