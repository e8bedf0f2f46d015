"""Pictures from files and uploads, and back: decoded whole, the right way up, or refused."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

from .errors import PhotoError

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


def load_photo(path: str | Path) -> Picture:
    """Return the picture in a file.

    Returns
    -------
    (H, W, 3) uint8 array, BGR
        The right way up, as its EXIF orientation says.

    Raises
    ------
    PhotoError
        With one sentence on what is wrong with the file, which it does not name.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise PhotoError(f"the file cannot be read: {error.strerror or error}") from error
    return parse_photo(content)


def parse_photo(content: bytes) -> Picture:
    """Return the picture in a file's content, as `load_photo` does."""
    try:
        rgb = _upright_rgb(content)
    except UnidentifiedImageError as error:
        raise PhotoError("this is not a picture in a known format (JPEG, PNG, WebP)") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise PhotoError("the picture is damaged or cut short; send it again") from error
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), dtype=np.uint8)


def to_jpeg(picture: Picture, quality: int = 95) -> bytes:
    """Return a picture as the content of a JPEG file, of a quality from 1 to 100."""
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return content.tobytes()


def to_png(picture: Picture) -> bytes:
    """Return a picture as the content of a PNG file."""
    return _encoded(".png", picture)


def check_picture_path(path: Path) -> None:
    """Refuse a path that no picture can be written to, before there is one; raises `PhotoError`."""
    if path.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise PhotoError(f"{str(path)!r} must end in .png or .jpg")
    if not path.parent.is_dir():
        raise PhotoError(f"cannot write {str(path)!r}: there is no such folder")


def save_picture(path: Path, picture: Picture) -> None:
    """Write a picture to a file, as JPEG or PNG by its name.

    Raises
    ------
    PhotoError
        When it cannot be written, or the name ends in something else.
    """
    check_picture_path(path)
    try:
        path.write_bytes(_encoded(path.suffix.lower(), picture))
    except OSError as error:
        raise PhotoError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _upright_rgb(content: bytes) -> Picture:
    with warnings.catch_warnings():
        # Odd metadata of a sound picture is nobody's concern.
        warnings.simplefilter("ignore")
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            _check_size(*image.size)
            image.load()
            return np.asarray(ImageOps.exif_transpose(image).convert("RGB"), dtype=np.uint8)


def _encoded(suffix: str, picture: Picture) -> bytes:
    _, content = cv2.imencode(suffix, picture)
    return content.tobytes()


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise PhotoError(
            f"the picture has {width * height / 1e6:.0f} megapixels, more than the"
            f" {MOST_PIXELS / 1e6:.0f} that are read; send a smaller one"
        )
    if min(width, height) < LEAST_SIDE_PX:
        raise PhotoError(
            f"the picture is only {width} x {height} pixels;"
            f" at least {LEAST_SIDE_PX} are needed on each side"
        )
    if max(width, height) > MOST_SLENDER * min(width, height):
        raise PhotoError(f"the picture, {width} x {height} pixels, is too narrow to show a board")
