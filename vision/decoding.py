"""Pictures from the bytes of a file, an upload or a camera: decoded whole, or refused.

A picture of a few kilobytes may be one of gigabytes when it is unpacked, and take minutes for it.
What that will cost is read from its head, and what costs more than a photo's worth is refused.
Cameras send JPEG, PNG, WebP or BMP; a photo may also be HEIC or AVIF (`heif.py`).
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import numpy as np
from PIL import ExifTags, Image, UnidentifiedImageError, features
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pyramid import Pyramid, pyramid_of
from railspotter.scoring.sentence import Sentence

from .errors import PictureError, TornPictureError
from .hdr import Curve, sdr
from .heif import DAMAGED, NO_AVIF, Heic, ends_in_zeros, heif_kind, primary_curve
from .jpeg_damage import END_BYTES, Scans, is_undamaged, scans_of, whole_pixels

# What cameras and photos come in; a photo also in what `heif.py` tells.
FORMATS = ("JPEG", "PNG", "WEBP", "BMP")
# The largest phone cameras make 108 megapixels; a picture of more is a mistake or an attack.
MOST_PIXELS = 120_000_000
# Memory for unpacking what is not unpacked row by row; the page and a game take as much again.
MOST_BYTES_UNPACKED = 256_000_000
# Of what is not unpacked row by row, measured with Pillow 13, OpenCV 5 and pillow-heif 1.8: of a
# PNG 18 megapixels are read, of a WebP 14, of an AVIF 20, of a progressive JPEG 28, of a HEIC 51,
# which is as much as phones' cameras take for it. `JPEG` is one in other colours than a photo's.
BYTES_PER_PIXEL = {
    "PNG": 14,
    "BMP": 14,
    "WEBP": 18,
    "JPEG": 14,
    "PROGRESSIVE": 9,
    "AVIF": 13,
    "HEIC": 5,
    "DEEP HEIC": 10,
}
# Of a progressive JPEG: usual programs make 10. At 28 megapixels so many take half a second.
MOST_SCANS = 20
# Of a longer side, half as much again as photos are read at: what is decoded at a fraction of its
# size for those who need no more keeps so many pixels. A photo of 24 megapixels is decoded whole.
ENOUGH_PX = 3600
REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
# Pillow's own limit would warn on standard error where `MOST_PIXELS` refuses with a sentence.
Image.MAX_IMAGE_PIXELS = None
LEAST_SIDE_PX = 200  # on a smaller picture no space of a board has ten pixels
# Longer side over shorter: cameras of two lenses give 32:9; what is longer is a panorama, which
# bends what it shows.
MOST_SLENDER = 3.6
LARGE_PX = 1400  # pictures that are so wide are followed and glanced at in half their size
# Of an EXIF orientation (Exif 2.3, 4.6.4): how OpenCV flips what is stored, from 5 on transposed,
# to what is to be seen.
FLIPS = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}


def decode(
    content: bytes,
    enough_px: int | None = None,
    *,
    may_be_torn: bool = False,
    as_stored: bool = False,
) -> Picture:
    """Return the picture in a file's content.

    Parameters
    ----------
    enough_px : int, optional
        A plain JPEG is decoded at a half, a quarter or an eighth of its size where its longer side
        keeps so many pixels, for a fraction of the memory; a HEIC is made so much smaller
        afterwards. Without it, at its own size.
    may_be_torn : bool
        Whether a JPEG is taken of which a part was lost or changed on the way, which its decoder
        fills with grey or with noise.
    as_stored : bool
        Whether the pixels stay as they lie in the file, whatever its EXIF says: in pictures that a
        program has turned, it is often wrong. The boxes of a HEIC or AVIF count in any case.

    Returns
    -------
    (H, W, 3) uint8 array, BGR
        The right way up, as its EXIF orientation or its own boxes say.

    Raises
    ------
    PictureError
        With one sentence on what is wrong; `TornPictureError` where only a part of it is left.
    """
    kind = heif_kind(content)
    if ends_in_zeros(content):
        raise TornPictureError(DAMAGED)
    if kind == "HEIC":
        heic = _checked_heic(content)
        return heic.unpacked(_reduction(heic.size_wh, enough_px))
    with _opened(content, FORMATS if kind is None else (kind,)) as image:
        # Pillow tells an AVIF's boxes as an orientation.
        orientation = 1 if as_stored and kind is None else _orientation(image)
        if _is_colour_jpeg(image):
            picture = _of_jpeg(content, image, _reduction(image.size, enough_px), may_be_torn)
        else:
            if _is_jpeg(image) and not (may_be_torn or is_undamaged(content)):
                raise TornPictureError(DAMAGED)
            if image.format == "PNG":  # whose checksums are not looked at while it is unpacked
                with Image.open(io.BytesIO(content)) as file:
                    file.verify()
            picture = _of_pillow(image)
    curve = primary_curve(content) if kind == "AVIF" else _curve_of_png(content)
    if curve is not None and curve.is_hdr:
        picture = sdr(picture, curve)
    return _turned(picture, orientation)


def unpack(content: bytes, *, may_be_torn: bool = False) -> Pyramid:
    """Return the picture in a file's content, a large JPEG's decoded at half its size for now.

    That costs half of the whole, and shows as well whether it is damaged. Of what is larger than
    anybody looks at, half (or a quarter) is the whole. It takes what cameras send, no HEIC or AVIF.

    Raises
    ------
    PictureError
        As `decode` does.
    """
    with _opened(content) as image:
        is_even = all(side % 2 == 0 for side in image.size)
        is_halved = _is_colour_jpeg(image) and is_even and image.width >= LARGE_PX
        if not is_halved or _reduction(image.size, ENOUGH_PX) > 1:
            return pyramid_of(decode(content, ENOUGH_PX, may_be_torn=may_be_torn))
        half = _turned(_of_jpeg(content, image, 2, may_be_torn), _orientation(image))
    height, width = half.shape[:2]  # upright
    # What is whole at half its size is so at its own: it need not be told twice.
    return Pyramid(lambda: decode(content, may_be_torn=True), (2 * width, 2 * height), lambda: half)


def check_head(content: bytes) -> None:
    """Refuse what is no picture of a usable size, by its head alone: it is not unpacked.

    Raises
    ------
    PictureError
        With one sentence on what is wrong. What is damaged further on turns out when it is read.
    """
    kind = heif_kind(content)
    if kind == "HEIC":
        _checked_heic(content)
        return
    with _opened(content, FORMATS if kind is None else (kind,)):
        pass


def _checked_heic(content: bytes) -> Heic:
    heic = Heic.of(content)
    _check_size(*heic.size_wh)
    _check_pixels(heic.size_wh, "DEEP HEIC" if heic.is_deep else "HEIC")
    return heic


@contextmanager
def _opened(content: bytes, formats: tuple[str, ...] = FORMATS) -> Iterator[Image.Image]:
    """Open a picture of a usable size, which is not unpacked yet; say what is wrong with it."""
    try:
        with warnings.catch_warnings():
            # Odd metadata of a sound picture is nobody's concern.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=formats) as image:
                _check_size(*image.size)
                _check_cost(image, content)
                yield image
    except UnidentifiedImageError as error:
        if formats is not FORMATS:
            raise PictureError(DAMAGED if features.check("avif") else NO_AVIF) from error
        if content.startswith(b"%PDF"):
            raise PictureError("this is a PDF: save its page as a picture (PNG) first") from error
        raise PictureError(
            "this is not a picture in a known format (JPEG, PNG, WebP, HEIC, AVIF)"
        ) from error
    except (OSError, SyntaxError, ValueError, EOFError, RuntimeError) as error:  # the last of AVIF
        raise PictureError(DAMAGED) from error


def _is_jpeg(image: Image.Image) -> bool:
    # To Pillow a JPEG with another picture behind it, as phones make them, is an MPO.
    return image.format in ("JPEG", "MPO")


def _is_colour_jpeg(image: Image.Image) -> bool:
    return _is_jpeg(image) and image.mode == "RGB"


def _reduction(size_wh: tuple[int, int], enough_px: int | None) -> int:
    """Return by how much a picture can be made smaller while it is decoded."""
    if enough_px is None:
        return 1
    return max(by for by in REDUCED if by == 1 or max(size_wh) >= by * enough_px)


def _of_jpeg(content: bytes, image: Image.Image, by: int, may_be_torn: bool) -> Picture:
    """Return a colour JPEG's pixels as stored; Pillow's would be the same, and copied twice."""
    picture = None if may_be_torn else whole_pixels(content, image.size, by)
    if picture is None:
        if not may_be_torn:
            if not is_undamaged(content):
                raise TornPictureError(DAMAGED)
            content += END_BYTES  # which OpenCV insists on, and may be all that is missing
        coded = np.frombuffer(content, np.uint8)
        decoded = cv2.imdecode(coded, REDUCED[by] | cv2.IMREAD_IGNORE_ORIENTATION)
        if decoded is None:
            raise OSError(Sentence("it is cut short"))
        picture = np.asarray(decoded, np.uint8)
    return picture


def _of_pillow(image: Image.Image) -> Picture:
    image.load()
    rgb = np.array(image if image.mode == "RGB" else image.convert("RGB"))
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR, dst=rgb), np.uint8)


def _curve_of_png(content: bytes) -> Curve | None:
    """Return how a PNG's colours are coded, where it says so (PNG 3rd edition, 11.3.2.6: cICP)."""
    if not content.startswith(b"\x89PNG"):
        return None
    at = content.find(b"cICP", 0, content.find(b"IDAT"))
    return None if at < 0 else Curve(content[at + 4], content[at + 5])


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # whatever odd metadata make Pillow raise: they are nobody's concern
        return 1


def _turned(picture: Picture, orientation: int) -> Picture:
    """Return a stored picture as it is to be seen."""
    if 5 <= orientation <= 8:
        picture = np.asarray(cv2.transpose(picture), np.uint8)
    if (flip := FLIPS.get(orientation)) is not None:
        picture = np.asarray(cv2.flip(picture, flip), np.uint8)
    return picture


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
            "the picture, {width} x {height} pixels, is too narrow to show a board; a panorama"
            " bends it: take an ordinary photo",
            width=width,
            height=height,
        )


def _check_cost(image: Image.Image, content: bytes) -> None:
    """Refuse what would take more to unpack than any photo's worth."""
    scans = (
        scans_of(content, MOST_SCANS) if _is_jpeg(image) else Scans(are_few=True, is_plain=False)
    )
    if not scans.are_few:
        raise PictureError(
            "the picture is written over itself more than {most} times: save it as an ordinary"
            " JPEG",
            most=MOST_SCANS,
        )
    if not _is_jpeg(image):
        kind = str(image.format)
    elif not scans.is_plain:
        kind = "PROGRESSIVE"
    elif image.mode != "RGB":
        kind = "JPEG"
    else:
        return
    _check_pixels(image.size, kind)


def _check_pixels(size_wh: tuple[int, int], kind: str) -> None:
    """Refuse a picture of more pixels than are unpacked of its kind."""
    pixels, most = size_wh[0] * size_wh[1], MOST_BYTES_UNPACKED // BYTES_PER_PIXEL[kind]
    if pixels > most:
        raise PictureError(
            "the picture has {size} megapixels, more than the {most} that are read of its format;"
            " send it as an ordinary JPEG, or a smaller one",
            size=f"{pixels / 1e6:.0f}",
            most=f"{most / 1e6:.0f}",
        )
