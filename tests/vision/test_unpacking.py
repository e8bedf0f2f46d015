"""Large JPEGs are decoded at half their size first: with the same right to be refused."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pyramid import pyramid_of
from railspotter.vision.decoding import LARGE_PX, decode, unpack
from railspotter.vision.errors import PictureError

ORIENTATION = 0x0112


def drawn(width: int = 1600, height: int = 480) -> Picture:
    """Return a smooth picture, each corner of which looks different."""
    corners = np.array([[(20, 60, 200), (200, 30, 90)], [(90, 220, 40), (240, 240, 240)]], np.uint8)
    smooth = cv2.resize(corners, (width, height), interpolation=cv2.INTER_LINEAR)
    noise = np.random.default_rng(4).normal(0, 3, smooth.shape)
    return np.asarray(np.clip(smooth + noise, 0, 255), np.uint8)


def packed(picture: Picture, kind: str = "JPEG", orientation: int = 1) -> bytes:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    file = io.BytesIO()
    rgb = cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)
    Image.fromarray(rgb).save(file, kind, exif=exif, quality=90)
    return file.getvalue()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_half_shows_what_the_whole_does(orientation: int) -> None:
    content = packed(drawn(), orientation=orientation)
    pyramid, whole = unpack(content), decode(content)
    height, width = whole.shape[:2]
    assert pyramid.size_wh == (width, height)
    assert pyramid.at(1).shape == (height // 2, width // 2, 3)
    averaged = cv2.resize(whole, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    assert np.abs(pyramid.at(1).astype(int) - averaged).mean() < 1.5
    assert np.array_equal(pyramid.whole, whole)


@pytest.mark.parametrize(
    ("size_wh", "kind"),
    [
        ((LARGE_PX - 2, 480), "JPEG"),
        ((480, 1600), "JPEG"),
        ((1601, 480), "JPEG"),
        ((1600, 480), "PNG"),
        ((1600, 480), "WEBP"),
    ],
    ids=["small", "upright", "odd", "PNG", "WebP"],
)
def test_others_are_decoded_at_once(size_wh: tuple[int, int], kind: str) -> None:
    picture = drawn(*size_wh)
    content = packed(picture, kind)
    pyramid = unpack(content)
    assert pyramid.size_wh == (picture.shape[1], picture.shape[0])
    assert np.array_equal(pyramid.whole, decode(content))
    assert np.array_equal(pyramid.at(1), pyramid_of(pyramid.whole).at(1))


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95, 0.999])
def test_what_is_cut_short_is_refused_before_anybody_looks(share: float) -> None:
    content = packed(drawn())
    with pytest.raises(PictureError, match="cut short"):
        unpack(content[: int(share * len(content))])


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PictureError, match="not a picture"):
        unpack(b"GIF89a is not taken")
    with pytest.raises(PictureError, match="too narrow"):
        unpack(packed(drawn(4000, 220)))
