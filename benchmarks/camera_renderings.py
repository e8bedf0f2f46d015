"""Photos as other cameras would have rendered them: their tones, colours, light, sharpness, files.

Every rendering takes a picture as one phone made it and returns what another one might have made
of the same scene. What is clipped or dark in it stays so: a rendering shows less, never more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.pose import Picture

Floats = npt.NDArray[np.float32]
Rendering = Callable[[Picture], Picture]

LUMA = np.array([0.114, 0.587, 0.299], np.float32)
"""Of blue, green and red."""
ELECTRONS, READ_NOISE = 3000.0, 4.0
"""What a small sensor's pixel holds at white, as in camera_limits.py."""
SEEN_2700_K = (0.35, 0.91, 1.42)
"""Blue, green and red, in linear light, of a lamp of 2700 K seen as one of 5000 K, by Planck's law
at 450, 545 and 605 nm, brought to the same brightness."""


def linear(picture: Picture) -> Floats:
    """Return the light that a picture stands for, 0 to 1."""
    share = picture.astype(np.float32) / 255
    low = share / 12.92
    return np.asarray(np.where(share <= 0.04045, low, ((share + 0.055) / 1.055) ** 2.4), np.float32)


def encoded(light: Floats) -> Picture:
    """Return the picture that a light makes; what is brighter than white is clipped."""
    light = np.clip(light, 0, 1)
    high = 1.055 * np.power(light, 1 / 2.4) - 0.055
    share = np.where(light <= 0.0031308, light * 12.92, high)
    return np.asarray(np.rint(share * 255), np.uint8)


def as_bytes(levels: npt.NDArray[np.floating]) -> Picture:
    """Return levels of 0 to 255 as a picture."""
    return np.asarray(np.rint(np.clip(levels, 0, 255)), np.uint8)


def gamma(picture: Picture, power: float) -> Picture:
    """More contrast in the lights above 1, less below."""
    table = 255 * (np.arange(256, dtype=np.float32) / 255) ** power
    return np.asarray(cv2.LUT(picture, as_bytes(table)), np.uint8)


def s_curve(picture: Picture, strength: float) -> Picture:
    """Steeper in the middle, flatter at black and white: what phones call vivid, 0 to 1."""
    share = np.arange(256, dtype=np.float32) / 255
    steep = share * share * (3 - 2 * share)
    table = 255 * ((1 - strength) * share + strength * steep)
    return np.asarray(cv2.LUT(picture, as_bytes(table)), np.uint8)


def lifted(picture: Picture, black: float) -> Picture:
    """Black is grey, as haze or a film look has it."""
    return as_bytes(black + picture.astype(np.float32) * ((255 - black) / 255))


def veiled(picture: Picture, share: float) -> Picture:
    """Milky, as by a lamp that shines into the lens: that share of white over everything."""
    return as_bytes(255 * share + (1 - share) * picture.astype(np.float32))


def saturated(picture: Picture, factor: float) -> Picture:
    """Further from grey, or nearer."""
    grey = (picture @ LUMA)[..., None]
    return as_bytes(np.asarray(grey + factor * (picture - grey), np.float32))


def vivid(picture: Picture) -> Picture:
    """Give contrast and colour, as a phone's vivid mode does."""
    return saturated(s_curve(picture, 0.6), 1.3)


def exposed(picture: Picture, stops: float) -> Picture:
    """More light, clipped."""
    return encoded(linear(picture) * 2**stops)


def dark(picture: Picture, stops: float) -> Picture:
    """Less light, brightened again by the camera, noise and all."""
    electrons = linear(picture) * ELECTRONS * 2**-stops
    rng = np.random.default_rng(1)
    counted = electrons + rng.normal(size=electrons.shape).astype(np.float32) * np.sqrt(
        electrons + READ_NOISE**2
    )
    return encoded(np.asarray(counted / ELECTRONS * 2 ** (stops * 0.5), np.float32))


def jpeg(picture: Picture, quality: int) -> Picture:
    """Store it small, colours at half the size."""
    flags = [cv2.IMWRITE_JPEG_QUALITY, quality]
    flags += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]
    _, content = cv2.imencode(".jpg", picture, flags)
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8)


def defocused(picture: Picture, share: float) -> Picture:
    """Spread every point over a disc of that share of the picture's length."""
    radius = share * max(picture.shape[:2])
    side = 2 * int(np.ceil(radius)) + 1
    y, x = np.mgrid[:side, :side] - side // 2
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    light = cv2.filter2D(linear(picture), -1, disc / disc.sum())
    return encoded(np.asarray(light, np.float32))


def sharpened(picture: Picture, amount: float) -> Picture:
    """Edges with halos, as phones make them."""
    levels = picture.astype(np.float32)
    radius = max(picture.shape[:2]) / 1000
    soft = cv2.GaussianBlur(levels, (0, 0), radius)
    return as_bytes(np.asarray(levels + amount * (levels - soft), np.float32))


def vignetted(picture: Picture, corner: float) -> Picture:
    """Darker towards the corners, down to that share of the light."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    away2 = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / ((width**2 + height**2) / 4)
    return encoded(linear(picture) * (1 - (1 - corner) * away2)[..., None])


def mixed_light(picture: Picture) -> Picture:
    """Light it by a warm lamp on the left, by a cool window on the right."""
    warm, cool = np.array([0.6, 0.95, 1.3], np.float32), np.array([1.3, 1.0, 0.8], np.float32)
    along = np.linspace(0, 1, picture.shape[1], dtype=np.float32)[None, :, None]
    return encoded(linear(picture) * (warm * (1 - along) + cool * along))


def white_balance(picture: Picture, bgr: tuple[float, float, float]) -> Picture:
    """Take the light for another one."""
    return encoded(linear(picture) * np.array(bgr, np.float32))


def small(picture: Picture, board_px: float) -> Picture:
    """So few pixels that the board, taken to fill nine tenths of the picture, has that many."""
    shrink = board_px / (0.9 * max(picture.shape[:2]))
    if shrink >= 1:
        return picture
    size = None
    return np.asarray(cv2.resize(picture, size, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))


def smoothed(picture: Picture) -> Picture:
    """Noise and fine pattern taken away with it, colours coarser than light."""
    ycc = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
    ycc[..., 0] = cv2.bilateralFilter(ycc[..., 0], 9, 30, 4)
    for i in (1, 2):
        ycc[..., i] = cv2.GaussianBlur(ycc[..., i], (0, 0), 3)
    return np.asarray(cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR), np.uint8)


def tone_mapped(picture: Picture) -> Picture:
    """Shadows lifted and lights held down by what lies around, as many phones do unasked."""
    light = np.log(linear(picture) + 0.01)
    base = cv2.GaussianBlur(light @ LUMA, (0, 0), max(picture.shape[:2]) / 25)
    middle = np.median(base)
    return encoded(np.exp(light - 0.5 * (base - middle)[..., None]) - 0.01)


RENDERINGS: dict[str, Rendering] = {
    "plain": lambda picture: picture,
    **{f"gamma {g}": partial(gamma, power=g) for g in (0.6, 0.75, 1.33, 1.5, 1.8)},
    "s-curve": partial(s_curve, strength=0.8),
    "vivid": vivid,
    "blacks lifted by 25": partial(lifted, black=25.0),
    "blacks lifted by 50": partial(lifted, black=50.0),
    "veil of 30 %": partial(veiled, share=0.3),
    "veil of 50 %": partial(veiled, share=0.5),
    "veil of 70 %": partial(veiled, share=0.7),
    **{f"saturation {s}": partial(saturated, factor=s) for s in (0.5, 0.7, 1.4)},
    "over by 1/2 stop": partial(exposed, stops=0.5),
    "over by 1 stop": partial(exposed, stops=1.0),
    "under by 2 stops": partial(dark, stops=2.0),
    "under by 4 stops": partial(dark, stops=4.0),
    "JPEG 25": partial(jpeg, quality=25),
    "defocus": partial(defocused, share=1 / 800),
    "sharpened": partial(sharpened, amount=1.5),
    "vignette": partial(vignetted, corner=0.3),
    "mixed light": mixed_light,
    "2700 K": partial(white_balance, bgr=SEEN_2700_K),
    "half of 2700 K": partial(
        white_balance, bgr=(SEEN_2700_K[0] ** 0.5, SEEN_2700_K[1] ** 0.5, SEEN_2700_K[2] ** 0.5)
    ),
    "board 700 px wide": partial(small, board_px=700.0),
    "smoothed": smoothed,
    "tone-mapped": tone_mapped,
}
"""By name: what photos are rendered as."""
