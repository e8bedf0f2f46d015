"""Pictures from files: the right way up, whatever they hold, or refused with a reason."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from orientations import AS_STORED, UPRIGHT
from phone_photos import png_of
from PIL import Image
from railspotter.table.errors import PhotoError
from railspotter.table.photo_file import load_photo, parse_photo, save_picture, to_jpeg
from railspotter.vision.decoding import MOST_PIXELS

ORIENTATION = 0x0112


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def upright_image() -> Image.Image:
    return Image.fromarray(np.ascontiguousarray(UPRIGHT[..., ::-1]))


def png_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def claiming_size(width: int, height: int) -> bytes:
    """A PNG whose header says how large it is, and which ends there."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", b"")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", AS_STORED)
def test_every_orientation_gives_the_same_picture(orientation: int, kind: str) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    stored = Image.fromarray(np.ascontiguousarray(AS_STORED[orientation][..., ::-1]))
    picture = parse_photo(encoded(stored, kind, exif=exif))
    assert picture.shape == UPRIGHT.shape
    assert np.abs(picture.astype(int) - UPRIGHT).mean() < 6


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", AS_STORED)
def test_a_file_to_be_read_stays_as_it_is_stored(
    orientation: int, kind: str, tmp_path: Path
) -> None:
    """A PNG's own EXIF, that of a program which has turned the pixels: often it is wrong."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    (tmp_path / "board").write_bytes(encoded(upright_image(), kind, exif=exif))
    picture = load_photo(tmp_path / "board")
    assert picture.shape == UPRIGHT.shape
    assert np.abs(picture.astype(int) - UPRIGHT).mean() < 6


@pytest.mark.parametrize("orientation", [0, 9, 65535])
def test_an_orientation_that_does_not_exist_is_none(orientation: int) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    assert parse_photo(encoded(upright_image(), "PNG", exif=exif)).shape == UPRIGHT.shape


def test_damaged_metadata_does_not_spoil_a_picture() -> None:
    """And no library says anything of it: warnings are errors here."""
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    content = encoded(upright_image(), "JPEG", exif=exif)
    start = content.index(b"Exif\0\0") + 6
    for at in range(start, start + 26):  # header, one entry, end
        broken = content[:at] + b"\xff" + content[at + 1 :]
        assert sorted(parse_photo(broken).shape) == [3, 240, 320]


@pytest.mark.parametrize(
    ("image", "kind", "options"),
    [
        pytest.param(upright_image().convert("CMYK"), "JPEG", {}, id="CMYK JPEG"),
        pytest.param(upright_image().convert("RGBA"), "PNG", {}, id="PNG with alpha"),
        pytest.param(upright_image().convert("P"), "PNG", {}, id="palette"),
        pytest.param(
            upright_image().convert("P"),
            "PNG",
            {"transparency": bytes(range(256))},
            id="see-through",
        ),
        pytest.param(upright_image(), "WEBP", {"lossless": True}, id="WebP"),
        pytest.param(upright_image(), "BMP", {}, id="BMP"),
        pytest.param(upright_image(), "JPEG", {"progressive": True}, id="progressive JPEG"),
    ],
)
def test_colours_survive(image: Image.Image, kind: str, options: dict[str, object]) -> None:
    picture = parse_photo(encoded(image, kind, **options))
    assert picture.shape == UPRIGHT.shape
    assert np.abs(picture.astype(int) - UPRIGHT).mean() < 8


@pytest.mark.parametrize("mode", ["L", "LA", "1"])
def test_grey_is_three_equal_channels(mode: str) -> None:
    picture = parse_photo(encoded(upright_image().convert("L").convert(mode), "PNG"))
    assert picture.shape == UPRIGHT.shape
    assert np.ptp(picture, axis=-1).max() == 0
    assert picture[200, 240].min() == 255


def test_every_truncation_of_a_jpeg_is_refused() -> None:
    content = encoded(upright_image(), "JPEG", quality=95)
    for length in range(0, len(content) - 8, 61):
        with pytest.raises(PhotoError):
            parse_photo(content[:length])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "not a picture", id="empty"),
        pytest.param(b"Dear Railspotter, the board is blue.", "not a picture", id="text"),
        pytest.param(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "save its page", id="PDF"),
        pytest.param(encoded(upright_image(), "GIF"), "not a picture", id="GIF"),
        pytest.param(encoded(upright_image(), "JPEG")[:2000], "cut short", id="half a JPEG"),
        pytest.param(encoded(upright_image(), "PNG")[:600], "cut short", id="half a PNG"),
        pytest.param(encoded(upright_image(), "WEBP")[:200], "cut short", id="half a WebP"),
        pytest.param(encoded(Image.new("RGB", (1, 1)), "PNG"), "only 1 x 1 pixels", id="1 x 1"),
        pytest.param(encoded(Image.new("RGB", (900, 199)), "PNG"), "at least 200", id="too low"),
        pytest.param(encoded(Image.new("L", (2300, 210)), "PNG"), "too narrow", id="a strip"),
        pytest.param(claiming_size(20_000, 11_000), "220 megapixels", id="220 megapixels"),
        pytest.param(claiming_size(2**31 - 1, 2**31 - 1), "megapixels", id="as large as can be"),
    ],
)
def test_what_is_no_photo_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(PhotoError, match=words):
        parse_photo(content)


def test_the_largest_phones_photos_are_not_too_large() -> None:
    assert 16_320 * 12_240 < MOST_PIXELS < 220_000_000


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="No such file"):
        load_photo(tmp_path / "board.jpg")
    with pytest.raises(PhotoError, match="directory"):
        load_photo(tmp_path)


def test_a_saved_png_is_the_same_picture(tmp_path: Path) -> None:
    save_picture(tmp_path / "out.PNG", UPRIGHT)
    assert np.array_equal(load_photo(tmp_path / "out.PNG"), UPRIGHT)
    assert np.array_equal(parse_photo(png_of(UPRIGHT)), UPRIGHT)
    assert np.abs(parse_photo(to_jpeg(UPRIGHT)).astype(int) - UPRIGHT).mean() < 6


@pytest.mark.parametrize("name", ["out.gif", "out", "nowhere/out.png"])
def test_a_picture_that_cannot_be_saved(tmp_path: Path, name: str) -> None:
    with pytest.raises(PhotoError, match="out"):
        save_picture(tmp_path / name, UPRIGHT)
    assert list(tmp_path.iterdir()) == []
