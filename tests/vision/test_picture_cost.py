"""Small files that are huge when they are unpacked: refused before anybody unpacks them."""

import io
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from railspotter.vision.decoding import (
    BYTES_PER_PIXEL,
    ENOUGH_PX,
    MOST_BYTES_UNPACKED,
    MOST_SCANS,
    check_head,
    decode,
    unpack,
)
from railspotter.vision.errors import PictureError, TornPictureError
from railspotter.vision.jpeg_damage import Scans, parse_scans

SCAN, END = b"\xff\xda", b"\xff\xd9"


def plain(width: int, height: int, mode: str = "RGB") -> Image.Image:
    return Image.new(mode, (width, height))


def packed(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def scanned(times: int, width: int = 400, height: int = 300) -> bytes:
    """A progressive JPEG that goes over itself so often: its last scan again and again."""
    content = packed(plain(width, height), "JPEG", progressive=True)
    last = content[content.rindex(SCAN) : -2]
    return content[:-2] + last * (times - content.count(SCAN)) + END


def part_by_part(content: bytes) -> bytes:
    """A JPEG as if only its first part of three were in its first scan."""
    at = content.index(SCAN)
    return content[: at + 2] + b"\0\x08\1\1\0\0\x3f\0" + content[at + 14 :]


@pytest.mark.parametrize(
    ("made", "words"),
    [
        pytest.param(
            lambda: packed(plain(12000, 9900), "PNG", compress_level=1),
            "119 mega.* 18 .* ordinary",
            id="PNG",
        ),
        pytest.param(
            lambda: packed(plain(12000, 9900), "WEBP", quality=1, method=0),
            "14 that .* JPEG",
            id="WebP",
        ),
        pytest.param(lambda: packed(plain(6000, 5000, "1"), "BMP"), "30 megapixels", id="BMP"),
        pytest.param(lambda: packed(plain(6000, 5000, "L"), "JPEG"), "30 megapixels", id="grey"),
        pytest.param(
            lambda: packed(plain(16320, 12240), "JPEG", progressive=True, quality=5),
            "200 megapixels, more than the 80 that are .* ordinary JPEG",
            id="progressive",
        ),
        pytest.param(
            lambda: part_by_part(packed(plain(6000, 5000), "JPEG", subsampling=0)),
            "28 that are",
            id="part by part",
        ),
        pytest.param(lambda: scanned(400), "more than 20 times", id="400 scans"),
        pytest.param(
            lambda: scanned(400).replace(SCAN, b"\xff\xfe\0\x04" + END + SCAN),
            "more than 20 times",
            id="400 scans, their end feigned",
        ),
    ],
)
def test_what_costs_more_than_a_photo_is_refused_by_its_head(
    made: Callable[[], bytes], words: str
) -> None:
    content = made()
    assert len(content) < 4_000_000
    tracemalloc.start()
    try:
        for look in (check_head, decode, unpack):
            with pytest.raises(PictureError, match=words):
                look(content)
        assert tracemalloc.get_traced_memory()[1] < 8 * len(content) + 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("width", "height", "is_progressive", "size_wh"),
    [
        pytest.param(8064, 6048, False, (4032, 3024), id="48 megapixels"),
        pytest.param(8064, 6048, True, (4032, 3024), id="48, progressive"),
        pytest.param(12240, 16320, False, (3060, 4080), id="200, upright"),
        pytest.param(5712, 4284, False, (5712, 4284), id="24"),
    ],
)
def test_a_huge_photo_is_decoded_as_large_as_reading_needs(
    width: int, height: int, is_progressive: bool, size_wh: tuple[int, int]
) -> None:
    content = packed(plain(width, height), "JPEG", quality=30, progressive=is_progressive)
    with pytest.raises(TornPictureError):
        decode(content[: len(content) // 2], ENOUGH_PX)
    assert decode(content, ENOUGH_PX).shape[1::-1] == size_wh
    assert unpack(content).whole.shape[1::-1] == unpack(content).size_wh == size_wh


def test_a_corner_is_at_its_own_place_where_nobody_asked_for_less() -> None:
    assert decode(packed(plain(8000, 2400), "JPEG")).shape == (2400, 8000, 3)


def test_ordinary_photos_are_decoded_as_they_are() -> None:
    rng = np.random.default_rng(5)
    image = Image.fromarray(rng.integers(0, 256, (300, 400, 3), np.uint8)).resize((4032, 3024))
    content = packed(image, "JPEG", quality=50)
    assert np.array_equal(decode(content, ENOUGH_PX), decode(content))


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG"])
def test_phones_pictures_of_12_megapixels_are_read_whatever_their_format(kind: str) -> None:
    assert MOST_BYTES_UNPACKED // BYTES_PER_PIXEL[kind] > 4032 * 3024


def test_usual_programs_scans_are_few() -> None:
    content = packed(plain(400, 300), "JPEG", progressive=True)
    assert parse_scans(content, MOST_SCANS // 2).are_few
    assert decode(scanned(MOST_SCANS), may_be_torn=True).shape == (300, 400, 3)


@pytest.mark.parametrize(
    "photo",
    [
        pytest.param(lambda: packed(plain(400, 300), "JPEG") + SCAN * 100, id="a film behind"),
        pytest.param(
            lambda: packed(
                plain(400, 300),
                "JPEG",
                exif=b"Exif\0\0" + packed(plain(160, 120), "JPEG", progressive=True),
            ),
            id="a thumbnail",
        ),
    ],
)
def test_what_is_beside_a_photo_has_no_scans_of_it(photo: Callable[[], bytes]) -> None:
    assert parse_scans(photo(), 2) == Scans(are_few=True, is_plain=True, samples_per_pixel=1.5)
    assert decode(photo()).shape == (300, 400, 3)
