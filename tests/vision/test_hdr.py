"""HDR pictures become what an ordinary one of the same scene is."""

import io
import zlib

import numpy as np
import numpy.typing as npt
import pillow_heif
import pytest
from phone_photos import phone_photo
from PIL import Image
from railspotter.calibration.arrays import Picture
from railspotter.vision.decoding import decode
from railspotter.vision.hdr import BT2020, HLG, PQ, SRGB, Curve, sdr
from railspotter.vision.heif import primary_curve

SIZE_WH = (320, 240)
TONES = np.random.default_rng(3).integers(0, 236, (12, 16, 3), np.uint8)
# BGR; large pieces, so that what halves the colours' resolution leaves most of them.
SCENE: Picture = TONES.repeat(20, axis=0).repeat(20, axis=1)
# ITU-R BT.2087-0, table 1.
BT2020_FROM_SRGB = np.array(
    [[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]]
)


def light(picture: Picture) -> npt.NDArray[np.float64]:
    """As an sRGB display shows it, in BT.2020's red, green and blue; 1 is white paper."""
    coded = picture[..., ::-1] / 255.0
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ BT2020_FROM_SRGB.T)


def in_pq(shown: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """BT.2100-2, table 4: the inverse EOTF, of 203 cd/m2 for white."""
    power = (shown * 203 / 10_000) ** 0.1593017578125
    return np.asarray(((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375)


def in_hlg(shown: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """BT.2100-2, table 5: the inverse OOTF at 1,000 cd/m2, and the OETF."""
    display = shown * 0.203
    luminance = (display @ (0.2627, 0.6780, 0.0593))[..., None]
    scene = display * np.maximum(luminance, 1e-9) ** (1 / 1.2 - 1)
    low, high = np.sqrt(3 * scene), np.log(np.maximum(12 * scene - 0.28466892, 1e-9))
    return np.where(scene <= 1 / 12, low, 0.17883277 * high + 0.55991073)


def off(picture: Picture, scene: Picture = SCENE) -> float:
    return float(np.abs(picture.astype(int) - scene).mean())


@pytest.mark.parametrize(("transfer", "coded"), [(PQ, in_pq), (HLG, in_hlg)], ids=["PQ", "HLG"])
@pytest.mark.parametrize(("bits", "most_off"), [(8, 1.5), (10, 0.6), (12, 0.3)])
def test_the_curve_is_undone(transfer: int, coded: object, bits: int, most_off: float) -> None:
    assert callable(coded)
    codes = np.round(coded(light(SCENE))[..., ::-1] * (2**bits - 1))
    stored = codes.astype(np.uint8) if bits == 8 else codes.astype(np.uint16) << (16 - bits)
    assert off(stored.astype(np.uint8) if bits == 8 else (stored >> 8).astype(np.uint8)) > 20
    assert off(sdr(stored, Curve(BT2020, transfer), bits)) < most_off


def test_what_is_brighter_than_paper_is_white() -> None:
    lamp = np.full((4, 4, 3), 240, np.uint8)
    for transfer in (PQ, HLG):
        assert (sdr(lamp, Curve(BT2020, transfer)) == 255).all()


@pytest.mark.parametrize(("transfer", "coded"), [(PQ, in_pq), (HLG, in_hlg)], ids=["PQ", "HLG"])
def test_a_cameras_hdr_heic_is_an_ordinary_picture(transfer: int, coded: object) -> None:
    assert callable(coded)
    codes = np.round(coded(light(SCENE)) * 65535).astype(np.uint16)
    file, nclx = io.BytesIO(), {"color_primaries": 9, "matrix_coefficients": 9}
    image = pillow_heif.from_bytes("RGB;16", SIZE_WH, codes.tobytes())
    image.save(file, quality=95, transfer_characteristics=transfer, full_range_flag=1, **nclx)
    content = file.getvalue()
    assert primary_curve(content) == Curve(BT2020, transfer)
    assert off(decode(content)) < 5
    assert decode(content, SIZE_WH[0] // 2).shape == (120, 160, 3)


def eight_bits(transfer: int) -> Image.Image:
    coded = (in_pq if transfer == PQ else in_hlg)(light(SCENE))
    return Image.fromarray(np.round(coded * 255).astype(np.uint8))


@pytest.mark.parametrize("transfer", [PQ, HLG])
def test_so_is_an_hdr_avif(transfer: int) -> None:
    usual = phone_photo(eight_bits(transfer), "AVIF", quality=95)
    assert primary_curve(usual) == Curve(SRGB, 13)
    at = usual.index(b"colrnclx") + 8
    content = usual[:at] + bytes((0, BT2020, 0, transfer)) + usual[at + 4 :]
    assert off(decode(usual)) > 20
    assert off(decode(content)) < 8


def test_so_is_an_hdr_png() -> None:
    file = io.BytesIO()
    eight_bits(PQ).save(file, "PNG")
    usual, chunk = file.getvalue(), b"cICP" + bytes((BT2020, PQ, 0, 1))
    at = usual.index(b"IDAT") - 4
    said = b"\0\0\0\4" + chunk + zlib.crc32(chunk).to_bytes(4, "big")
    assert off(decode(usual[:at] + said + usual[at:])) < 2


def test_boxes_that_say_nothing_of_colours_are_an_ordinary_picture() -> None:
    content = phone_photo(SCENE, "AVIF", quality=95)
    for kind in (b"meta", b"pitm", b"iprp", b"ipco", b"ipma", b"colr"):
        assert primary_curve(content.replace(kind, b"free")) is None
    for end in range(0, 400, 7):
        assert primary_curve(content[:end]) in (None, Curve(SRGB, 13))
    assert off(decode(content)) < 6
