"""Photos as other cameras would have rendered them: their tones, colours, light, sharpness, files.

Every rendering takes a picture as one phone made it and returns what another one might have made
of the same scene. What is clipped or dark in it stays so: a rendering shows less, never more.
"""

from collections.abc import Callable

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Picture

Rendering = Callable[[Picture], Picture]

LUMA = np.array([0.114, 0.587, 0.299], np.float32)  # of blue, green and red
# What a small sensor's pixel holds at white, and how much reading it adds.
FULL_WELL_ELECTRONS, READ_NOISE = 3000.0, 4.0
WAVELENGTHS_NM = np.array([450.0, 545.0, 605.0])  # where blue, green and red see most
NEUTRAL_K = 5000.0  # what the light of a photo is taken to be
BASE_ISO = 100.0  # at which a small sensor's pixel is full
MARGIN_FACTOR = 1.2  # a distorted picture is so much larger than its photo: its middle keeps all
LARGEST_RADIUS = 1.25  # beyond it nothing of a photo is left to bend, whatever the lens's axis is


def to_linear(picture: Picture) -> Float32s:
    """Return the linear light of a picture, 0 to 1."""
    share = picture.astype(np.float32) / 255
    low = share / 12.92
    return np.asarray(np.where(share <= 0.04045, low, ((share + 0.055) / 1.055) ** 2.4), np.float32)


def to_srgb(light: Float32s) -> Picture:
    """Return the picture of linear light; values above 1 are clipped."""
    light = np.clip(light, 0, 1)
    high = 1.055 * np.power(light, 1 / 2.4) - 0.055
    share = np.where(light <= 0.0031308, light * 12.92, high)
    return np.asarray(np.rint(share * 255), np.uint8)


def to_bytes(levels: AnyFloats) -> Picture:
    """Return levels of 0 to 255 as a picture."""
    return np.asarray(np.rint(np.clip(levels, 0, 255)), np.uint8)


def lamp_cast(kelvin: float, share: float = 1.0) -> tuple[float, float, float]:
    """Return the blue, green and red of a lamp, in linear light, seen as one of `NEUTRAL_K`.

    >>> tuple(round(level, 2) for level in lamp_cast(2700))
    (0.35, 0.91, 1.42)
    """
    neutral_mired = 1e6 / NEUTRAL_K
    left_k = 1e6 / (neutral_mired + share * (1e6 / kelvin - neutral_mired))
    hc_over_k = 1.438777e7  # nm K, the second radiation constant
    ratio = np.expm1(hc_over_k / (WAVELENGTHS_NM * NEUTRAL_K))
    ratio = ratio / np.expm1(hc_over_k / (WAVELENGTHS_NM * left_k))
    blue, green, red = ratio / (ratio @ LUMA)
    return float(blue), float(green), float(red)


def add_sensor_noise(light: Float32s, electrons: float) -> Float32s:
    """Return light with a sensor's noise of photons, of `electrons` at white, and of reading."""
    collected = light * electrons
    rng = np.random.default_rng(1)
    noise = rng.normal(size=light.shape).astype(np.float32) * np.sqrt(collected + READ_NOISE**2)
    return np.asarray((collected + noise) / electrons, np.float32)


def gamma(picture: Picture, power: float) -> Picture:
    """Apply a gamma curve: above 1 more contrast in bright parts, below 1 less."""
    table = 255 * (np.arange(256, dtype=np.float32) / 255) ** power
    return np.asarray(cv2.LUT(picture, to_bytes(table)), np.uint8)


def s_curve(picture: Picture, strength: float) -> Picture:
    """Increase contrast by an S-curve, as phones' vivid modes do; strength 0 to 1."""
    share = np.arange(256, dtype=np.float32) / 255
    steep = share * share * (3 - 2 * share)
    table = 255 * ((1 - strength) * share + strength * steep)
    return np.asarray(cv2.LUT(picture, to_bytes(table)), np.uint8)


def lift_blacks(picture: Picture, black: float) -> Picture:
    """Raise black to grey, as haze or a film look does."""
    return to_bytes(black + picture.astype(np.float32) * ((255 - black) / 255))


def veil(picture: Picture, share: float) -> Picture:
    """Blend the picture with white by a share, as stray light in the lens does."""
    return to_bytes(255 * share + (1 - share) * picture.astype(np.float32))


def saturate(picture: Picture, factor: float) -> Picture:
    """Scale the saturation."""
    grey = (picture @ LUMA)[..., None]
    return to_bytes(np.asarray(grey + factor * (picture - grey), np.float32))


def render_vivid(picture: Picture) -> Picture:
    """Increase contrast and saturation, as a phone's vivid mode does."""
    return saturate(s_curve(picture, 0.6), 1.3)


def render_flat(picture: Picture) -> Picture:
    """Decrease contrast and saturation, as film looks and log profiles do."""
    return saturate(lift_blacks(s_curve(picture, -0.6), 20.0), 0.75)


def overexpose(picture: Picture, stops: float) -> Picture:
    """Overexpose the picture, with clipping."""
    return to_srgb(to_linear(picture) * 2**stops)


def underexpose(picture: Picture, stops: float) -> Picture:
    """Underexpose the picture, brightened again with its noise."""
    light = add_sensor_noise(to_linear(picture) * np.float32(2**-stops), FULL_WELL_ELECTRONS)
    return to_srgb(light * np.float32(2 ** (stops * 0.5)))


def at_iso(picture: Picture, iso: float) -> Picture:
    """Reduce the light and amplify it: noise, and a phone's noise reduction.

    Colours are smoothed far, brightness as much as the noise asks for and no edge is lost to,
    and what is left is sharpened. All of it at the picture's own resolution.
    """
    electrons = FULL_WELL_ELECTRONS * BASE_ISO / iso
    noisy = to_srgb(add_sensor_noise(to_linear(picture), electrons))
    at_grey = np.sqrt(0.2 * electrons + READ_NOISE**2) / electrons
    levels = 286 * float(at_grey)  # sRGB there rises by 286 levels in 1 of linear light
    ycc = cv2.cvtColor(noisy, cv2.COLOR_BGR2YCrCb)
    ycc[..., 0] = cv2.bilateralFilter(ycc[..., 0], 9, 2.5 * levels, 2)
    for i in (1, 2):
        ycc[..., i] = cv2.GaussianBlur(ycc[..., i], (0, 0), 1 + levels / 5)
    return sharpen(np.asarray(cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR), np.uint8), 0.6)


def defocus(picture: Picture, share: float) -> Picture:
    """Blur by a disc with a radius of that share of the picture's length."""
    radius = share * max(picture.shape[:2])
    side = 2 * int(np.ceil(radius)) + 1
    y, x = np.mgrid[:side, :side] - side // 2
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    light = cv2.filter2D(to_linear(picture), -1, disc / disc.sum())
    return to_srgb(np.asarray(light, np.float32))


def sharpen(picture: Picture, amount: float) -> Picture:
    """Sharpen with halos, as phones do."""
    levels = picture.astype(np.float32)
    radius = max(picture.shape[:2]) / 1000
    soft = cv2.GaussianBlur(levels, (0, 0), radius)
    return to_bytes(np.asarray(levels + amount * (levels - soft), np.float32))


def apply_white_balance(picture: Picture, bgr: tuple[float, float, float]) -> Picture:
    """Apply the white balance of another light."""
    return to_srgb(to_linear(picture) * np.array(bgr, np.float32))


def tone_map(picture: Picture) -> Picture:
    """Brighten shadows and darken highlights locally, as many phones do."""
    light = np.log(to_linear(picture) + 0.01)
    base = cv2.GaussianBlur(light @ LUMA, (0, 0), max(picture.shape[:2]) / 25)
    middle = np.median(base)
    return to_srgb(np.exp(light - 0.5 * (base - middle)[..., None]) - 0.01)


def lens_maps(
    size_wh: tuple[int, int],
    pinhole: Callable[[Float64s], Float64s],
    aside: tuple[float, float] = (0.0, 0.0),
) -> tuple[Float32s, Float32s]:
    """Return a lens' remapping: a photo's x and y for each pixel, with a margin."""
    photo_wh, wider_wh = np.array(size_wh), np.rint(np.multiply(size_wh, MARGIN_FACTOR)).astype(int)
    axis = np.array(aside)
    x, y = np.meshgrid(*(np.arange(side) for side in wider_wh))
    half, wider_half = np.hypot(*photo_wh) / 2, np.hypot(*wider_wh) / 2
    off = (np.stack([x, y], axis=-1) - (wider_wh - 1) / 2) / wider_half - axis
    radius = np.maximum(np.hypot(off[..., 0], off[..., 1]), 1e-9)
    corner, top = pinhole(np.array([1.0, photo_wh.min() / np.hypot(*photo_wh)]))
    filled = max(1 / corner, photo_wh.min() / np.hypot(*photo_wh) / top)  # all of the photo shows
    straight = off * (pinhole(np.minimum(radius, LARGEST_RADIUS)) / radius * filled)[..., None]
    at = (straight + axis) * half + (photo_wh - 1) / 2
    return np.asarray(at[..., 0], np.float32), np.asarray(at[..., 1], np.float32)


def distort(
    picture: Picture,
    pinhole: Callable[[Float64s], Float64s],
    aside: tuple[float, float] = (0.0, 0.0),
) -> Picture:
    """Distort a picture as a lens does, with a margin that continues its edge."""
    maps = lens_maps((picture.shape[1], picture.shape[0]), pinhole, aside)
    bent = cv2.remap(picture, *maps, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.uint8)


def distort_radially(radius: Float64s, k: float) -> Float64s:
    """Distort radially: a barrel above 0, a pincushion below."""
    return radius * (1 + k * radius**2)


def distort_as_fisheye(radius: Float64s, corner_deg: float) -> Float64s:
    """Distort to an equidistant fisheye with that angle at the corners."""
    return np.asarray(np.tan(radius * np.deg2rad(corner_deg)))
