"""Pictures from files and uploads, and back: decoded whole, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.bounded_file import read_bounded
from railspotter.vision.decoding import ENOUGH_PX, MOST_BYTES_UNPACKED, check_head, decode
from railspotter.vision.errors import PictureError
from railspotter.vision.heif import heif_kind

from .errors import PhotoError

Files = Sequence[tuple[bytes, str]]  # uploaded photos of one board, and what they are called

# Photos are brought down to this longer side first: more pixels per train tell no more, and a
# 12-megapixel photo then costs what a small one does.
READ_PX = 2400
PLAIN_PX = 4000  # of the longer side of a photo that is made plain: what photos are read at, twice


def load_photo(path: str | Path, *, as_stored: bool = True) -> Picture:
    """Return the picture in a file, turned as `parse_photo` does.

    Raises `PhotoError` with one sentence on what is wrong with the file, which it does not name.
    """
    try:
        content = read_bounded(Path(path), MOST_BYTES_UNPACKED)
    except OSError as error:
        raise PhotoError(f"the file cannot be read: {error.strerror or error}") from error
    return parse_photo(content, as_stored=as_stored)


def load_named_photo(path: str | Path) -> Picture:
    """Return the picture in a file as it is stored; a refusal names the file."""
    try:
        return load_photo(path)
    except PhotoError as error:
        raise PhotoError(f"{path}: {error}") from error


def parse_photo(
    content: bytes, enough_px: int | None = None, *, as_stored: bool = False
) -> Picture:
    """Return the picture in a file's content; raises `PhotoError`.

    A larger JPEG or HEIC may be decoded at a fraction of its size, if its longer side keeps
    `enough_px`. It is turned the right way up, as its EXIF says, for people to look at; or it stays
    as stored, for a board is found as it lies.
    """
    try:
        return decode(content, enough_px, as_stored=as_stored)
    except PictureError as error:
        raise PhotoError(str(error)) from error


def check_photo(content: bytes) -> None:
    """Refuse by its head what `parse_photo` would, at no cost; raises `PhotoError`."""
    try:
        check_head(content)
    except PictureError as error:
        raise PhotoError(str(error)) from error


def is_plain(content: bytes) -> bool:
    """Tell whether a photo may be decoded beside a game: no HEIC and no AVIF (`vision/heif.py`)."""
    return heif_kind(content) is None


def plain_photo(content: bytes) -> bytes:
    """Return a photo as a JPEG; one that is plain as it is. Raises `PhotoError`."""
    if is_plain(content):
        return content
    return to_jpeg(brought_down(parse_photo(content, PLAIN_PX), PLAIN_PX))


def upright_photo(content: bytes) -> bytes:
    """Return a photo as people look at it, as a JPEG of the size that photos are read at.

    Raises `PhotoError`.
    """
    return to_jpeg(brought_down(parse_photo(content, ENOUGH_PX), READ_PX))


def turned_over(picture: Picture) -> Picture:
    """Return a picture as a mirror shows it."""
    return np.ascontiguousarray(picture[:, ::-1])


def brought_down(picture: Picture, most_px: int) -> Picture:
    """Return a picture whose longer side has at most so many pixels."""
    shrunk = most_px / max(picture.shape[:2])
    if shrunk >= 1:
        return picture
    small = cv2.resize(picture, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


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
        raise PhotoError(
            "cannot write {path}: {error}", path=f"{str(path)!r}", error="there is no such folder"
        )


def save_picture(path: Path, picture: Picture) -> None:
    """Write a picture to a file, as JPEG or PNG by its name; raises `PhotoError`."""
    check_picture_path(path)
    try:
        path.write_bytes(_encoded(path.suffix.lower(), picture))
    except OSError as error:
        raise PhotoError(
            "cannot write {path}: {error}", path=f"{str(path)!r}", error=error.strerror
        ) from error


def _encoded(suffix: str, picture: Picture) -> bytes:
    _, content = cv2.imencode(suffix, picture)
    return content.tobytes()
