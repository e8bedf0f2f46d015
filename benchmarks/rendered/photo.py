"""Rendered photos: a scene with light, lens, sensor noise and JPEG compression."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Picture

from rendered.canvas import PX_PER_MM, SIZE_PX, normal_noise, smooth_noise


@dataclass(frozen=True, eq=False)
class ScaledPicture:
    """A picture and its resolution."""

    picture: Picture
    px_per_mm: float


def photograph(picture: Picture, rng: Generator) -> tuple[ScaledPicture, Float64s]:
    """Return a photo in random light.

     The light's gain over the print's own tones, as the ground would tell it: shadows' edges, glare
    and unevenness are not in it.
    """
    x, y = _axes()
    cast = rng.choice([0.1, 0.13, 0.35])
    gain = np.exp(rng.normal(-0.12, 0.22) + rng.normal(0, cast, 3))
    uneven = np.exp(rng.normal(0, 0.07) + rng.normal(0, 0.12) * _ramp(rng, x, y) / SIZE_PX[0])
    light = uneven[..., None] * np.exp(rng.normal(0, 0.05, 3)).astype(np.float32)
    for _ in range(rng.poisson(0.5)):
        light *= _shadow(rng, x, y)
    lit = picture * light * gain.astype(np.float32)
    if rng.random() < 0.35:
        tint = np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
        lit += _glare(rng, x, y)[..., None] * tint
    if rng.random() < 0.5:
        lit = 255 * (np.clip(lit, 0, 255) / 255) ** np.float32(np.exp(rng.normal(0, 0.13)))
    if rng.random() < 0.5:
        grey = lit.mean(axis=-1, keepdims=True)
        lit = grey + (lit - grey) * np.float32(np.exp(rng.normal(0, 0.15)))
    resolution = np.exp(rng.uniform(np.log(0.6), np.log(3.2)))
    noise = np.exp(rng.uniform(-1, 1.7 if rng.random() < 0.7 else 3.0))
    blur = rng.uniform(0.2, 0.9) * rng.choice([1, 1, 1, 2, 3])
    return _take_shot(
        np.clip(lit, 0, 255), resolution, blur, noise, int(rng.integers(25, 97)), rng
    ), gain


def photograph_empty(picture: Picture, rng: Generator) -> ScaledPicture:
    """Take the reference photo: good light, though perhaps a little glare or not quite sharp."""
    lit = picture.astype(np.float32)
    if rng.random() < 0.3:
        x, y = _axes()
        middle, radius = rng.uniform(0, 1, 2) * SIZE_PX, np.exp(rng.uniform(3.5, 6))
        away2 = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / radius**2
        lit += (rng.uniform(5, 110) * np.exp(-away2 / 2))[..., None].astype(np.float32)
    sharp = rng.random() < 0.75
    resolution = rng.uniform(1.6, 2.6) if sharp else rng.uniform(1.0, 1.6)
    noise, blur = rng.uniform(0, 2.5), rng.uniform(0.2, 0.7)
    return _take_shot(np.clip(lit, 0, 255), resolution, blur, noise, int(rng.integers(75, 97)), rng)


def _take_shot(
    lit: Float32s, px_per_mm: float, blur_px: float, noise: float, quality: int, rng: Generator
) -> ScaledPicture:
    scale = px_per_mm / PX_PER_MM
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    taken = cv2.resize(lit.astype(np.float32), None, fx=scale, fy=scale, interpolation=way)
    taken = cv2.GaussianBlur(taken, (0, 0), blur_px)
    grey_noise = normal_noise(rng, taken.shape[:2])[..., None] * np.float32(noise)
    taken = taken + grey_noise + normal_noise(rng, taken.shape) * np.float32(noise / 2)
    if rng.random() < 0.3:
        edges = taken - cv2.GaussianBlur(taken, (0, 0), 1.2)
        taken = taken + edges * np.float32(np.exp(rng.uniform(-1.2, 0.9)))
    levels = np.clip(taken, 0, 255).astype(np.uint8)
    if noise > 4 and rng.random() < 0.7:  # cameras smooth what is so noisy
        levels = cv2.bilateralFilter(levels, 5, 5 * min(noise, 16.0), 1.5)
    packed = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return ScaledPicture(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), px_per_mm)


def _axes() -> tuple[Float32s, Float32s]:
    width, height = SIZE_PX
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    return x, y


def _ramp(rng: Generator, x: Float32s, y: Float32s) -> Float32s:
    """Return the distance of pixels from the middle along a direction, in pixels."""
    turn = rng.uniform(0, 2 * np.pi)
    width, height = SIZE_PX
    off = (x - width / 2) * np.float32(np.cos(turn)) + (y - height / 2) * np.float32(np.sin(turn))
    return np.asarray(off, np.float32)


def _shadow(rng: Generator, x: Float32s, y: Float32s) -> Float32s:
    """Return the light that the shadow of a straight edge or a bar leaves, hard or soft."""
    beyond = _ramp(rng, x, y) - np.float32(rng.uniform(-0.5, 0.5) * SIZE_PX[0])
    softness = np.float32(np.exp(rng.uniform(0, 3.5)) / 3)
    dark = 1 / (1 + np.exp(-np.clip(beyond / softness, -30, 30)))
    if rng.random() < 0.4:
        width = np.float32(rng.uniform(15, 80) * PX_PER_MM / 2)
        dark = dark / (1 + np.exp(np.clip((beyond - width) / softness, -30, 30)))
    left = np.exp(-rng.uniform(0.1, 0.9) + rng.normal(0, 0.05, 3)).astype(np.float32)
    return np.asarray(1 + dark[..., None] * (left - 1), np.float32)


def _glare(rng: Generator, x: Float32s, y: Float32s) -> Float32s:
    """Return the grey levels of glare on the print: smooth, rough, or in stripes."""
    glare = np.zeros_like(x)
    for _ in range(rng.integers(1, 4)):
        middle, turn = rng.uniform(0, 1, 2) * SIZE_PX, rng.uniform(0, np.pi)
        radius, flat = np.exp(rng.uniform(2.5, 5.2)), rng.uniform(0.3, 1)
        off_x, off_y = x - np.float32(middle[0]), y - np.float32(middle[1])
        cos, sin = np.float32(np.cos(turn)), np.float32(np.sin(turn))
        along, across = off_x * cos + off_y * sin, (off_y * cos - off_x * sin) / np.float32(flat)
        glare += np.exp(-((along**2 + across**2) / np.float32(2 * radius**2)))
    glare = np.clip(glare, 0, 1) * np.float32(rng.uniform(10, 190))
    if rng.random() < 0.7:
        rough = smooth_noise(rng, (2.5, 6), (0.35, 0.25)) * np.float32(rng.uniform(0.2, 1.6))
        glare = glare * np.clip(1 + rough, 0, 3)
    if rng.random() < 0.3:
        stripes = np.sin(_ramp(rng, x, y) * np.float32(rng.uniform(0.3, 1.4)))
        glare = glare * (1 + np.float32(0.6) * stripes)
    return np.asarray(glare, np.float32)
