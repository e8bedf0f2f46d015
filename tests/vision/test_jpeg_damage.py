"""Pictures that lost something on the way are refused; what only looks odd is read."""

import io
import struct
from collections.abc import Callable
from typing import Any

import drawn
import numpy as np
import pytest
from phone_photos import phone_photo
from PIL import Image
from railspotter.calibration.arrays import Picture
from railspotter.vision.decoding import decode
from railspotter.vision.errors import PictureError, TornPictureError
from railspotter.vision.heif import NO_END

END = b"\xff\xd9"


SIZE_WH = (600, 450)


def board(mode: str = "RGB") -> Image.Image:
    rgb = np.ascontiguousarray(drawn.game().picture[..., ::-1])
    return Image.fromarray(rgb).resize(SIZE_WH).convert(mode)


def packed(kind: str = "JPEG", mode: str = "RGB", **how: object) -> bytes:
    file = io.BytesIO()
    board(mode).save(file, kind, **how)
    return file.getvalue()


def never_written(content: bytes, share: float = 0.65) -> bytes:
    """As an interrupted copy leaves it: in full size, and zeros from somewhere on."""
    kept = int(share * len(content))
    return content[:kept] + bytes(len(content) - kept)


def lost(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + content[middle + 4096 :]


def overwritten(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes(4096) + content[middle + 4096 :]


JPEGS = [
    pytest.param(packed(), id="plain"),
    pytest.param(packed(optimize=True, restart_marker_rows=4), id="restarts"),
    pytest.param(packed(progressive=True), id="progressive"),
    pytest.param(packed(mode="L"), id="grey"),
    pytest.param(packed(mode="CMYK"), id="CMYK"),
]


@pytest.mark.parametrize("content", JPEGS)
@pytest.mark.parametrize("damaged", [never_written, lost, overwritten])
def test_a_jpeg_that_lost_something_is_refused(
    content: bytes, damaged: Callable[[bytes], bytes]
) -> None:
    assert decode(content).shape == (450, 600, 3)
    with pytest.raises(TornPictureError, match="damaged or cut short; send it again"):
        decode(damaged(content))


@pytest.mark.parametrize(
    ("kind", "how"),
    [
        pytest.param("PNG", {}, id="PNG"),
        pytest.param("WEBP", {"quality": 85}, id="WebP"),
        pytest.param("WEBP", {"lossless": True}, id="WebP, lossless"),
    ],
)
def test_another_format_that_was_never_written_to_its_end_is_refused(
    kind: str, how: dict[str, Any]
) -> None:
    content = packed(kind, **how)
    assert decode(content).shape == (450, 600, 3)
    for share in (0.3, 0.95):
        with pytest.raises(PictureError, match="damaged"):
            decode(never_written(content, share))


@pytest.mark.parametrize("film", [b"", b"\0\0\x02\x08mpvd" + NO_END])
def test_a_phones_photo_that_was_never_written_to_its_end_is_refused(film: bytes) -> None:
    for content in (phone_photo(board(), "HEIC"), phone_photo(board(), "AVIF")):
        assert decode(content + film).shape == (450, 600, 3)
        with pytest.raises(TornPictureError, match="damaged"):
            decode(never_written(content))


def with_another_behind() -> bytes:
    """As phones keep a gain map or a depth map: a second JPEG, which a directory names (MPF)."""
    file = io.BytesIO()
    board().save(file, "MPO", save_all=True, append_images=[board("L").resize((300, 225))])
    return file.getvalue()


def before_the_end(content: bytes, what: bytes) -> bytes:
    return content.removesuffix(END) + what + END


def in_the_head(content: bytes, what: bytes) -> bytes:
    """With something behind the first segment, JFIF's of 16 bytes."""
    return content[:20] + what + content[20:]


FILM = struct.pack(">I4s4sI", 24, b"ftyp", b"mp42", 0) + b"mp42isom" + bytes(4096)
PLAIN = packed()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(with_another_behind(), id="a gain map behind"),
        pytest.param(PLAIN + FILM, id="a film behind"),
        pytest.param(with_another_behind() + FILM, id="both"),
        pytest.param(PLAIN + bytes(4096), id="zeros behind"),
        pytest.param(PLAIN.removesuffix(END), id="no end"),
        pytest.param(before_the_end(PLAIN, bytes(3)), id="filling before the end"),
        pytest.param(before_the_end(PLAIN, b"\xff\xff"), id="filling that is allowed"),
        pytest.param(in_the_head(PLAIN, bytes(7)), id="bytes between segments"),
        pytest.param(PLAIN.replace(b"JFIF\0\1", b"JFIF\0\2"), id="a later JFIF"),
        pytest.param(
            in_the_head(PLAIN, b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\7"), id="an unknown transform"
        ),
        pytest.param(in_the_head(PLAIN, b"\xff\xe2\0\x12ICC_PROFILE\0\3\1zz"), id="half a profile"),
    ],
)
def test_what_lacks_nothing_is_read(content: bytes) -> None:
    whole: Picture = decode(PLAIN)
    assert np.abs(decode(content).astype(int) - whole).mean() < 6


def test_a_few_zeros_are_no_filling_where_the_picture_lacks_something() -> None:
    with pytest.raises(TornPictureError):
        decode(before_the_end(lost(PLAIN), bytes(3)))
    with pytest.raises(TornPictureError):
        decode(before_the_end(PLAIN[:-4000], bytes(4000)))
