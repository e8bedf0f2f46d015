"""HEIC and AVIF, as phones keep photos: the primary picture, upright, or refused by its head."""

import struct
import tracemalloc
from typing import Literal

import numpy as np
import pytest
from orientations import AS_STORED, UPRIGHT
from phone_photos import phone_photo as packed
from PIL import Image
from railspotter.calibration.arrays import Picture
from railspotter.vision.decoding import (
    BYTES_PER_PIXEL,
    MOST_BYTES_UNPACKED,
    check_head,
    decode,
    unpack,
)
from railspotter.vision.errors import PictureError
from railspotter.vision.heif import heif_kind

Kind = Literal["HEIC", "AVIF"]
ORIENTATION = 0x0112
KINDS: list[Kind] = ["HEIC", "AVIF"]


def image_of(picture: Picture) -> Image.Image:
    return Image.fromarray(np.ascontiguousarray(picture[..., ::-1]))


def claiming_size(content: bytes, width: int, height: int) -> bytes:
    """The same file, with another size in its head (`ispe`, ISO/IEC 23008-12, 6.5.3)."""
    at = content.index(b"ispe") + 8
    return content[:at] + struct.pack(">II", width, height) + content[at + 8 :]


def is_like(one: Picture, other: Picture) -> bool:
    return one.shape == other.shape and np.abs(one.astype(int) - other).mean() < 6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("orientation", AS_STORED)
def test_every_orientation_gives_the_same_picture(orientation: int, kind: Kind) -> None:
    """The boxes say how it is turned, and EXIF says it too: it is turned once."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    content = packed(image_of(AS_STORED[orientation]), kind, exif=exif.tobytes())
    assert heif_kind(content) == kind
    assert is_like(decode(content), UPRIGHT)


def test_an_orientation_that_stands_in_exif_alone_is_for_information() -> None:
    """ISO/IEC 23008-12, A.2.1: the boxes tell it."""
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    told_twice = packed(image_of(AS_STORED[6]), "HEIC", exif=exif.tobytes())
    assert b"irot" in told_twice
    assert is_like(decode(told_twice.replace(b"irot", b"free")), AS_STORED[6])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", ["L", "RGBA", "LA"])
def test_other_colours_become_a_photos(kind: Kind, mode: str) -> None:
    image = Image.new("RGB", (320, 240), (90, 90, 90)).convert(mode)
    assert is_like(decode(packed(image, kind)), np.full((240, 320, 3), 90, np.uint8))


def test_of_several_pictures_the_primary_one_is_meant() -> None:
    """A burst, a photo that moves: what lies beside it is not unpacked."""
    other = Image.new("RGB", (640, 480), "black")
    content = packed(
        other, "HEIC", save_all=True, append_images=[image_of(UPRIGHT), other], primary_index=1
    )
    assert is_like(decode(content), UPRIGHT)


def test_a_thumbnail_is_not_taken_for_the_picture() -> None:
    large = image_of(UPRIGHT.repeat(2, axis=0).repeat(2, axis=1))
    content = packed(large, "HEIC", thumbnails=[256])
    assert decode(content).shape == (480, 640, 3)


def test_a_large_photo_is_made_smaller_for_who_needs_less() -> None:
    content = packed(Image.new("RGB", (1612, 1208), (200, 120, 40)), "HEIC")
    half = decode(content, 800)
    assert half.shape == (604, 806, 3)
    assert np.abs(half.reshape(-1, 3).mean(axis=0) - (40, 120, 200)).max() < 6


@pytest.mark.parametrize(
    ("width", "height"),
    [(4032, 3024), (5712, 4284), (8064, 6048), (8160, 6120)],
    ids=["12", "24", "48", "50"],
)
def test_phones_photos_are_not_too_large(width: int, height: int) -> None:
    assert MOST_BYTES_UNPACKED // BYTES_PER_PIXEL["HEIC"] > width * height
    # By its head alone: the picture behind it is a small one.
    check_head(claiming_size(packed(image_of(UPRIGHT), "HEIC"), width, height))


@pytest.mark.parametrize(
    ("kind", "size_wh", "words"),
    [
        ("HEIC", (12000, 9900), "119 megapixels, more than the 51 that .* ordinary JPEG"),
        ("HEIC", (60000, 40000), "2400 megapixels, more than the 210"),
        ("AVIF", (6000, 5000), "30 megapixels, more than the 20 that .* ordinary JPEG"),
        ("AVIF", (21200, 9980), "212 megapixels, more than the 210"),
        ("HEIC", (16382, 3628), "16382 x 3628 pixels, is too narrow .* panorama bends it"),
        ("AVIF", (1000, 4000), "1000 x 4000 pixels, is too narrow"),
        ("HEIC", (150, 200), "only 150 x 200 pixels"),
    ],
)
def test_what_no_photo_is_as_large_as_is_refused_by_its_head(
    kind: Kind, size_wh: tuple[int, int], words: str
) -> None:
    content = claiming_size(packed(image_of(UPRIGHT), kind), *size_wh)
    tracemalloc.start()
    try:
        for look in (check_head, decode):
            with pytest.raises(PictureError, match=words):
                look(content)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_a_heic_that_is_larger_than_its_head_says_is_not_unpacked() -> None:
    content = packed(Image.new("RGB", (1600, 1200)), "HEIC")
    with pytest.raises(PictureError, match="damaged"):
        decode(claiming_size(content, 400, 300))


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_picture_is_refused(kind: Kind) -> None:
    content = packed(image_of(UPRIGHT), kind)
    for end in (20, 60, 200, len(content) // 2, len(content) - 20):
        with pytest.raises(PictureError, match="damaged"):
            decode(content[:end])
    rng = np.random.default_rng(8)
    for _ in range(60):
        torn = bytearray(content)
        for at in rng.integers(8, len(content), 6):
            torn[at] = int(rng.integers(256))
        try:
            picture = decode(bytes(torn))
        except PictureError:
            continue
        assert picture.ndim == 3


@pytest.mark.parametrize("kind", KINDS)
def test_what_watches_a_camera_takes_none(kind: Kind) -> None:
    """Their decoders are kept out of the process in which a game runs."""
    with pytest.raises(PictureError, match="not a picture in a known format"):
        unpack(packed(image_of(UPRIGHT), kind))
