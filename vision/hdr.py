"""Converts HDR pictures (PQ or HLG, wide gamut) to ordinary sRGB ones.

Cameras store them as HEIC (Canon, Sony, Panasonic), programs as AVIF or PNG. Unconverted they are
pale. What is brighter than white paper, such as reflections of lamps, is clipped.

References
----------
ITU-R BT.2100-2: table 4 (PQ, of SMPTE ST 2084), table 5 (HLG). ITU-R BT.2408-7, 2.1: white paper.
ITU-T H.273: tables 2 and 3, the codes. IEC 61966-2-1: sRGB.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture

PQ, HLG = 16, 18  # codes of transfer functions
WHITE = 203.0  # cd/m2 of diffuse white (BT.2408-7, table 1)
# The display's peak in cd/m2, and its gamma (BT.2100-2, table 5, note 5e).
HLG_PEAK, HLG_GAMMA = 1000.0, 1.2
SRGB, BT2020 = 1, 9  # codes of primaries
CORNERS_XY = {
    SRGB: ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060)),
    BT2020: ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
    12: ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060)),  # Display P3
}
D65_XY = (0.3127, 0.3290)
ROWS = 64  # rows converted at once, to save memory
STEPS = 2**16 - 1  # levels of linear light in the table of sRGB codes


@dataclass(frozen=True)
class Curve:
    """A picture's colour coding, by the codes of ITU-T H.273."""

    # Codes that `CORNERS_XY` lacks are taken for BT.2020, the only ones of BT.2100.
    primaries: int
    transfer: int

    @property
    def is_hdr(self) -> bool:
        """Whether the picture must be converted by `sdr`."""
        return self.transfer in (PQ, HLG)


def sdr(picture: np.ndarray, curve: Curve, bits: int = 8) -> Picture:
    """Return an HDR picture, of `bits` a channel, as an ordinary one."""
    size = np.iinfo(picture.dtype).max + 1
    signal = np.minimum(np.arange(size) / (size - size / 2**bits), 1.0)
    light = (_light_of_pq(signal) if curve.transfer == PQ else _scene_of_hlg(signal)).astype("f4")
    xyz_from_rgb = _xyz_from_rgb(curve.primaries)
    luminance = xyz_from_rgb[1, ::-1].astype("f4")
    matrix = (np.linalg.inv(_xyz_from_rgb(SRGB)) @ xyz_from_rgb)[::-1, ::-1].astype("f4")
    codes, converted = _srgb_codes(), np.empty(picture.shape, np.uint8)
    for row in range(0, len(picture), ROWS):
        linear = light[picture[row : row + ROWS]]
        if curve.transfer == HLG:
            bright = (linear @ luminance)[..., None]
            linear = linear * bright ** (HLG_GAMMA - 1) * (HLG_PEAK / WHITE)
        shown = np.clip(cv2.transform(linear, matrix), 0, 1) * STEPS
        converted[row : row + ROWS] = codes[shown.astype(np.uint16)]
    return converted


def _light_of_pq(signal: Float64s) -> Float64s:
    """Return light relative to white paper's (ST 2084, 5.2: the EOTF)."""
    m1, m2 = 2610 / 16384, 2523 / 32
    c1, c2, c3 = 3424 / 4096, 2413 / 128, 2392 / 128
    root = signal ** (1 / m2)
    return (np.maximum(root - c1, 0) / (c2 - c3 * root)) ** (1 / m1) * 10_000 / WHITE


def _scene_of_hlg(signal: Float64s) -> Float64s:
    """Return the scene's light, 0 to 1 (BT.2100-2, table 5: the inverse OETF)."""
    a = 0.17883277
    b, c = 1 - 4 * a, 0.5 - a * np.log(4 * a)
    return np.where(signal <= 0.5, signal**2 / 3, (np.exp((signal - c) / a) + b) / 12)


@cache
def _srgb_codes() -> Picture:
    light = np.arange(STEPS + 1) / STEPS
    coded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.round(coded * 255).astype(np.uint8)


def _xyz_from_rgb(primaries: int) -> Float64s:
    """Return the matrix from linear RGB of these primaries to XYZ, white D65 (SMPTE RP 177)."""
    corners = [
        (x / y, 1, (1 - x - y) / y) for x, y in CORNERS_XY.get(primaries, CORNERS_XY[BT2020])
    ]
    x, y = D65_XY
    columns = np.array(corners).T
    return columns * np.linalg.solve(columns, np.array((x / y, 1, (1 - x - y) / y)))
