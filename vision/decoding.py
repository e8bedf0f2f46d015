"""Pictures from the bytes of a file, an upload or a camera: decoded whole, or refused."""

from __future__ import annotations

import io
import warnings

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

from .errors import PictureError

Picture = npt.NDArray[np.uint8]

FORMATS = ("JPEG", "PNG", "WEBP", "BMP")
MOST_PIXELS = 120_000_000
"""The largest phone cameras make 108 megapixels; a picture of more is a mistake or an attack."""
# Pillow's own limit would warn on standard error where `MOST_PIXELS` refuses with a sentence.
Image.MAX_IMAGE_PIXELS = None
LEAST_SIDE_PX = 200
"""On a smaller picture no space of a board has ten pixels."""
MOST_SLENDER = 10
"""Longer side over shorter, of a picture that can show a board."""


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
    try:
        return _upright(content)
    except UnidentifiedImageError as error:
        raise PictureError("this is not a picture in a known format (JPEG, PNG, WebP)") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise PictureError("the picture is damaged or cut short; send it again") from error


def check_head(content: bytes) -> None:
    """Refuse what is no picture of a usable size, by its head alone: it is not unpacked.

    Raises
    ------
    PictureError
        With one sentence on what is wrong. What is damaged further on turns out when it is read.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=FORMATS) as image:
                _check_size(*image.size)
    except UnidentifiedImageError as error:
        raise PictureError("this is not a picture in a known format (JPEG, PNG, WebP)") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise PictureError("the picture is damaged or cut short; send it again") from error


def _upright(content: bytes) -> Picture:
    with warnings.catch_warnings():
        # Odd metadata of a sound picture is nobody's concern.
        warnings.simplefilter("ignore")
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            _check_size(*image.size)
            if image.format == "JPEG" and image.mode == "RGB":
                return _of_jpeg(content)
            image.load()
            upright = ImageOps.exif_transpose(image).convert("RGB")
    return np.asarray(cv2.cvtColor(np.asarray(upright), cv2.COLOR_RGB2BGR), dtype=np.uint8)


def _of_jpeg(content: bytes) -> Picture:
    """Decode with OpenCV: the same pixels in half the time, for Pillow's are copied twice."""
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise OSError("it is cut short")
    return np.asarray(picture, np.uint8)


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise PictureError(
            f"the picture has {width * height / 1e6:.0f} megapixels, more than the"
            f" {MOST_PIXELS / 1e6:.0f} that are read; send a smaller one"
        )
    if min(width, height) < LEAST_SIDE_PX:
        raise PictureError(
            f"the picture is only {width} x {height} pixels;"
            f" at least {LEAST_SIDE_PX} are needed on each side"
        )
    if max(width, height) > MOST_SLENDER * min(width, height):
        raise PictureError(f"the picture, {width} x {height} pixels, is too narrow to show a board")
