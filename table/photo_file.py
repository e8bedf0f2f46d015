"""Decoding photos from files and uploads, and encoding pictures."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.bounded_file import read_bounded
from railspotter.scoring.sentence import raised_as
from railspotter.vision.decoding import ENOUGH_PX, MOST_BYTES_UNPACKED, check_head, decode
from railspotter.vision.errors import PictureError
from railspotter.vision.heif import heif_kind

from .errors import CANNOT_WRITE, PhotoError
from .whole_file import write_whole

Files = Sequence[tuple[bytes, str]]  # the contents and names of one board's uploaded photos

# The longer side to which photos are downscaled before reading: more pixels do not help, and a
# 12-megapixel photo then costs what a small one does.
READ_PX = 2400
PLAIN_PX = 4000  # the longer side of converted photos; photos may be read at that size too


def load_photo(path: str | Path, *, as_stored: bool = True) -> Picture:
    """Load a photo file, by default not rotated by its EXIF data; raises `PhotoError`."""
    with raised_as(PhotoError, OSError, "the file cannot be read: {error}"):
        content = read_bounded(Path(path), MOST_BYTES_UNPACKED)
    return parse_photo(content, as_stored=as_stored)


def load_named_photo(path: str | Path) -> Picture:
    """Load a photo file as stored; the `PhotoError` names the file."""
    with raised_as(PhotoError, PhotoError, "{path}: {error}", path=path):
        return load_photo(path)


def parse_photo(
    content: bytes, enough_px: int | None = None, *, as_stored: bool = False
) -> Picture:
    """Decode a photo; raises `PhotoError`.

    A JPEG or HEIC may be decoded downscaled, as long as its longer side has `enough_px`. It is
    rotated by its EXIF data, for people to look at, unless `as_stored`: finding a board needs no
    rotation.
    """
    with raised_as(PhotoError, PictureError):
        return decode(content, enough_px, as_stored=as_stored)


def check_photo(content: bytes) -> None:
    """Check a photo's header without decoding it; raises `PhotoError`."""
    with raised_as(PhotoError, PictureError):
        check_head(content)


def is_plain(content: bytes) -> bool:
    """Tell whether a photo is safe to decode in a game's process: no HEIC, no AVIF."""
    return heif_kind(content) is None


def plain_photo(content: bytes) -> bytes:
    """Convert a photo to JPEG if it is HEIC or AVIF (see `is_plain`); raises `PhotoError`."""
    if is_plain(content):
        return content
    return to_jpeg(shrunk_to(parse_photo(content, PLAIN_PX), PLAIN_PX))


def upright_photo(content: bytes) -> bytes:
    """Convert a photo to a downscaled, upright JPEG; raises `PhotoError`."""
    return to_jpeg(shrunk_to(parse_photo(content, ENOUGH_PX), READ_PX))


def mirrored_picture(picture: Picture) -> Picture:
    """Flip a picture horizontally."""
    return np.ascontiguousarray(picture[:, ::-1])


def shrunk_to(picture: Picture, most_px: int) -> Picture:
    """Downscale a picture whose longer side exceeds `most_px`."""
    shrunk = most_px / max(picture.shape[:2])
    if shrunk >= 1:
        return picture
    small = cv2.resize(picture, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def to_jpeg(picture: Picture, quality: int = 95) -> bytes:
    """Encode a picture as JPEG, of a quality from 1 to 100."""
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return content.tobytes()


def check_picture_path(path: Path, inputs: Iterable[str] = ()) -> None:
    """Raise `PhotoError` for an output path of another type, in a missing folder, or of an input.

    `inputs` are the names of the photos that are read, which must not be overwritten.
    """
    if path.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise PhotoError(f"{str(path)!r} must end in .png or .jpg")
    if not path.parent.is_dir():
        raise PhotoError(
            "cannot write {path}: {error}", path=f"{str(path)!r}", error="there is no such folder"
        )
    if path.exists() and any(Path(one).exists() and path.samefile(one) for one in inputs):
        raise PhotoError(f"{str(path)!r} is the photo itself: name another file to draw into")


def save_picture(path: Path, picture: Picture) -> None:
    """Save a picture as JPEG or PNG, by the file's suffix; raises `PhotoError`."""
    check_picture_path(path)
    _, content = cv2.imencode(path.suffix.lower(), picture)
    with raised_as(PhotoError, OSError, CANNOT_WRITE, path=f"{str(path)!r}"):
        write_whole(path, content.tobytes())
