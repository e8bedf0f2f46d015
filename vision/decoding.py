"""Decodes pictures from the bytes of a file, an upload or a camera, or refuses them.

A few kilobytes may decode to gigabytes and take minutes. The cost is read from the header, and a
picture that costs more than a usual photo is refused. Cameras send JPEG, PNG, WebP or BMP; a photo
may also be HEIC or AVIF (`heif.py`).
"""

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
from .jpeg_damage import END_BYTES, is_undamaged, parse_scans, undamaged_pixels

# Formats of cameras and photos; photos may also have those of `heif.py`.
FORMATS = ("JPEG", "PNG", "WEBP", "BMP")
# The largest phone cameras make 200 megapixels; a picture of more is a mistake or an attack.
MOST_PIXELS = 210_000_000
# Memory for decoding formats that are not decoded row by row; a game and its page take as much.
MOST_BYTES_UNPACKED = 256_000_000
# Peak memory of formats that are not decoded row by row, measured with Pillow 13, OpenCV 5 and
# pillow-heif 1.8. So at most 18 megapixels of a PNG are read, 14 of a WebP, 20 of an AVIF and 51 of
# a HEIC, as large as phones make them. `JPEG` is one that is not RGB.
BYTES_PER_PIXEL = {
    "PNG": 14,
    "BMP": 14,
    "WEBP": 18,
    "JPEG": 14,
    "AVIF": 13,
    "HEIC": 5,
    "DEEP HEIC": 10,
}
# Scans of a progressive JPEG: usual programs make 10. At 28 megapixels 20 take half a second.
MOST_SCANS = 20
# A JPEG of several scans keeps all coefficients until the last one, of 2 bytes, then its pixels.
COEFFICIENT_BYTES, PIXEL_BYTES = 2, 3
# Pixels that the longer side keeps when a picture is decoded at a fraction of its size: half as
# much again as photos are read at. A photo of 24 megapixels is decoded whole.
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
# Longer side over shorter: cameras with two lenses give 32:9; a longer picture is a panorama, whose
# lines are bent.
MOST_SLENDER = 3.6
LARGE_PX = 1400  # pictures at least this wide are followed and glanced at in half their size
# OpenCV's flip code for each EXIF orientation (Exif 2.3, 4.6.4); from 5 on after transposing.
FLIPS = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}


def decode(
    content: bytes,
    enough_px: int | None = None,
    *,
    may_be_torn: bool = False,
    as_stored: bool = False,
) -> Picture:
    """Return the picture in a file's content, upright.

    Parameters
    ----------
    enough_px : int, optional
        Decode at a half, a quarter or an eighth of the size, if the longer side keeps this many
        pixels. A JPEG then needs a fraction of the memory; a HEIC is reduced after decoding.
    may_be_torn : bool
        Accept a JPEG with lost or damaged parts, which its decoder fills with grey or noise.
    as_stored : bool
        Ignore the EXIF orientation, which is often wrong in pictures that a program has turned.
        The boxes of a HEIC or AVIF are obeyed in any case.

    Returns
    -------
    (H, W, 3) uint8 array, BGR
        Upright by its EXIF orientation or its own boxes.

    Raises
    ------
    PictureError
        With a sentence on what is wrong; `TornPictureError` when a part of it is missing.
    """
    kind = heif_kind(content)
    if ends_in_zeros(content):
        raise TornPictureError(DAMAGED)
    if kind == "HEIC":
        heic = _checked_heic(content)
        return heic.unpacked(_reduction(heic.size_wh, enough_px))
    with _opened(content, FORMATS if kind is None else (kind,)) as image:
        # Pillow reports an AVIF's rotation boxes as an orientation.
        orientation = 1 if as_stored and kind is None else _orientation(image)
        if _is_colour_jpeg(image):
            picture = _decoded_jpeg(content, image, _reduction(image.size, enough_px), may_be_torn)
        else:
            if _is_jpeg(image) and not (may_be_torn or is_undamaged(content)):
                raise TornPictureError(DAMAGED)
            if image.format == "PNG":  # its checksums are not checked while decoding
                with Image.open(io.BytesIO(content)) as file:
                    file.verify()
            picture = _decoded_by_pillow(image)
    curve = primary_curve(content) if kind == "AVIF" else _png_curve(content)
    if curve is not None and curve.is_hdr:
        picture = sdr(picture, curve)
    return _upright(picture, orientation)


def unpack(content: bytes, *, may_be_torn: bool = False) -> Pyramid:
    """Return a camera's picture as a pyramid; a large JPEG is decoded at half its size first.

    That takes half the time, and finds damage as well; the whole is decoded when asked for. Of a
    picture larger than `ENOUGH_PX`, a half or a quarter serves as the whole. HEIC and AVIF are
    refused.

    Raises `PictureError` as `decode` does.
    """
    with _opened(content) as image:
        is_even = all(side % 2 == 0 for side in image.size)
        is_halved = _is_colour_jpeg(image) and is_even and image.width >= LARGE_PX
        if not is_halved or _reduction(image.size, ENOUGH_PX) > 1:
            return pyramid_of(decode(content, ENOUGH_PX, may_be_torn=may_be_torn))
        half = _upright(_decoded_jpeg(content, image, 2, may_be_torn), _orientation(image))
    height, width = half.shape[:2]  # upright
    # Damage was checked at half its size.
    return Pyramid(lambda: decode(content, may_be_torn=True), (2 * width, 2 * height), lambda: half)


def check_head(content: bytes) -> None:
    """Raise unless a file's header is that of a picture of usable size; nothing is decoded.

    Raises
    ------
    PictureError
        With a sentence on what is wrong. Damage behind the header is found on decoding.
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
    _check_pixels(heic.size_wh, BYTES_PER_PIXEL["DEEP HEIC" if heic.is_deep else "HEIC"])
    return heic


@contextmanager
def _opened(content: bytes, formats: tuple[str, ...] = FORMATS) -> Iterator[Image.Image]:
    """Open a picture of usable size without decoding it; raise `PictureError` otherwise."""
    try:
        with warnings.catch_warnings():
            # Warnings are about odd metadata of sound pictures.
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
    """Return the divisor, one of `REDUCED`, that leaves `enough_px` on the longer side; else 1."""
    if enough_px is None:
        return 1
    return max(by for by in REDUCED if by == 1 or max(size_wh) >= by * enough_px)


def _decoded_jpeg(content: bytes, image: Image.Image, by: int, may_be_torn: bool) -> Picture:
    """Return a colour JPEG's pixels as stored, `by` times smaller; Pillow would copy them twice."""
    picture = None if may_be_torn else undamaged_pixels(content, image.size, by)
    if picture is None:
        if not may_be_torn:
            if not is_undamaged(content):
                raise TornPictureError(DAMAGED)
            content += END_BYTES  # OpenCV insists on them, and they may be all that is missing
        coded = np.frombuffer(content, np.uint8)
        decoded = cv2.imdecode(coded, REDUCED[by] | cv2.IMREAD_IGNORE_ORIENTATION)
        if decoded is None:
            raise OSError(Sentence("it is cut short"))
        picture = np.asarray(decoded, np.uint8)
    return picture


def _decoded_by_pillow(image: Image.Image) -> Picture:
    image.load()
    rgb = np.array(image if image.mode == "RGB" else image.convert("RGB"))
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR, dst=rgb), np.uint8)


def _png_curve(content: bytes) -> Curve | None:
    """Return a PNG's colour coding from its cICP chunk (PNG 3, 11.3.2.6); None without one."""
    if not content.startswith(b"\x89PNG"):
        return None
    at = content.find(b"cICP", 0, content.find(b"IDAT"))
    return None if at < 0 else Curve(content[at + 4], content[at + 5])


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # odd metadata make Pillow raise anything
        return 1


def _upright(picture: Picture, orientation: int) -> Picture:
    """Return a stored picture flipped and transposed by its EXIF orientation."""
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
    """Raise if decoding would take more memory or time than a usual photo."""
    if not _is_jpeg(image):
        _check_pixels(image.size, BYTES_PER_PIXEL[str(image.format)])
        return
    scans = parse_scans(content, MOST_SCANS)
    if not scans.are_few:
        raise PictureError(
            "the picture is written over itself more than {most} times: save it as an ordinary"
            " JPEG",
            most=MOST_SCANS,
        )
    if image.mode != "RGB":
        _check_pixels(image.size, BYTES_PER_PIXEL["JPEG"])
    elif not scans.is_plain:
        decoded = PIXEL_BYTES / _reduction(image.size, ENOUGH_PX) ** 2
        _check_pixels(image.size, COEFFICIENT_BYTES * scans.samples_per_pixel + decoded)


def _check_pixels(size_wh: tuple[int, int], bytes_per_pixel: float) -> None:
    """Raise if a picture has more pixels than fit in memory for its format."""
    pixels, most = size_wh[0] * size_wh[1], MOST_BYTES_UNPACKED / bytes_per_pixel
    if pixels > most:
        raise PictureError(
            "the picture has {size} megapixels, more than the {most} that are read of its format;"
            " send it as an ordinary JPEG, or a smaller one",
            size=f"{pixels / 1e6:.0f}",
            most=f"{most / 1e6:.0f}",
        )
