"""Random relighting of a photo: lamps, cameras, compression.

Photos of few houses teach a net those houses. Here what a room, a lens, a sensor and a file do to a
picture is drawn anew each time, in the order in which it happens: light falls (in linear light),
the lens blurs, the sensor counts and its noise is smoothed, tones are drawn, edges sharpened, a
JPEG is stored. The room hardships/, which judges, shares nothing with it but the sRGB curve.
"""

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Picture

from hardships.renderings import to_linear, to_srgb

WAVELENGTHS_NM = (460.0, 540.0, 600.0)  # of a camera's blue, green and red
NEUTRAL_K = 5200.0
SECOND_RADIATION_NM_K = 1.4388e7


def lamp_bgr(kelvin: float) -> Float64s:
    """Return a lamp's blue, green and red relative to daylight, with equal green.

    Planck's law at one wavelength for each channel.

    >>> [round(float(v), 2) for v in lamp_bgr(2700.0)]
    [0.44, 1.0, 1.6]
    """

    def radiance(temperature: float) -> Float64s:
        nm = np.array(WAVELENGTHS_NM)
        return nm**-5 / np.expm1(SECOND_RADIATION_NM_K / nm / temperature)

    gain = radiance(kelvin) / radiance(NEUTRAL_K)
    return np.asarray(gain / gain[1], np.float64)


def relight(picture: Picture, plastic: Float32s, px_per_mm: float, rng: Generator) -> Picture:
    """Return the same board in another room, by another camera."""
    light = to_linear(picture) * _random_light(picture.shape[:2], rng)
    if rng.random() < 0.3:
        shine = _glare(picture.shape[:2], px_per_mm, rng)
        light += (shine * (1 - 0.8 * plastic))[..., None]
    light *= np.float32(np.exp(rng.normal(0.0, 0.3)))
    light = blur(light, px_per_mm, rng)
    if rng.random() < 0.6:
        light = add_noise(light, rng)
    levels = change_tones(to_srgb(light), px_per_mm, rng)
    if rng.random() < 0.4:
        soft = cv2.GaussianBlur(levels, (0, 0), rng.uniform(0.6, 1.6))
        amount = rng.uniform(0.3, 1.8)
        sharp = cv2.addWeighted(levels, 1 + amount, soft, -amount, 0)
        levels = np.asarray(sharp, np.uint8)
    quality = int(rng.integers(20, 97))
    stored = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)


def change_contrast(levels: Picture, rng: Generator) -> Picture:
    """Return the picture by a camera with much higher, or lower, contrast and saturation."""
    share = levels.astype(np.float32) / np.float32(255)
    share = np.asarray(share ** np.exp(rng.uniform(-0.5, 0.6)), np.float32)
    share += np.float32(rng.uniform(-0.6, 1.0)) * (share * share * (3 - 2 * share) - share)
    grey = share @ np.array([0.114, 0.587, 0.299], np.float32)
    share = grey[..., None] + np.float32(2 ** rng.uniform(-1, 1)) * (share - grey[..., None])
    return np.asarray(np.clip(share * 255 + 0.5, 0, 255), np.uint8)


def _random_light(shape: tuple[int, ...], rng: Generator) -> Float32s:
    """Return the light on every pixel relative to the photo's own, (H, W, 3)."""
    field = np.ones((*shape, 3), np.float32)
    field *= _random_lamp_bgr(rng)
    kind = rng.random()
    if kind < 0.25:  # two lamps of different temperatures, from two sides
        share = _edge_mask(shape, rng.uniform(0.3, 0.8), rng)[..., None]
        field += share * (_random_lamp_bgr(rng) - field)
    elif kind < 0.5:  # a shadow's hard or soft edge, or half of the board in sun
        share = _edge_mask(shape, float(np.exp(rng.uniform(-5, -1))), rng)[..., None]
        left = np.exp(rng.uniform(-1.5, -0.2)) * np.exp(rng.normal(0, 0.12, 3))
        field *= 1 + share * (left.astype(np.float32) - 1)
    if rng.random() < 0.4:  # one lamp near the board
        away2 = _squared_distance(shape, rng.uniform(-0.2, 1.2, 2))
        field /= (1 + away2 * np.float32(np.exp(rng.uniform(-2, 1.2))))[..., None]
    return np.asarray(field / np.median(field.mean(axis=-1)), np.float32)


def _random_lamp_bgr(rng: Generator) -> Float32s:
    """Return a lamp's colour after a partial white balance, and its tint."""
    mired = rng.uniform(1e6 / 7500, 1e6 / 2000) if rng.random() < 0.6 else 1e6 / NEUTRAL_K
    left = rng.choice([1.0, rng.uniform(0, 1)])
    gain = lamp_bgr(1e6 / mired) ** left * np.exp(rng.normal(0, [0.05, 0.08, 0.05]))
    return np.asarray(gain, np.float32)


def _edge_mask(shape: tuple[int, ...], softness: float, rng: Generator) -> Float32s:
    """Return 0 on one side of a line and 1 on the other, (H, W)."""
    height, width = shape
    turn = rng.uniform(0, 2 * np.pi)
    x = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None]
    y = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    beyond = x * np.cos(turn) + y * np.sin(turn) - rng.uniform(-0.35, 0.35)
    return np.asarray(1 / (1 + np.exp(-np.clip(beyond * 4 / softness, -30, 30))), np.float32)


def _squared_distance(shape: tuple[int, ...], middle: Float64s) -> Float32s:
    """Return the squared distance of pixels from a point, in widths of the picture."""
    height, width = shape
    x = (np.arange(width, dtype=np.float32) / width - np.float32(middle[0]))[None]
    y = (np.arange(height, dtype=np.float32) / width - np.float32(middle[1]))[:, None]
    return np.asarray(4 * (x * x + y * y), np.float32)


def _glare(shape: tuple[int, ...], px_per_mm: float, rng: Generator) -> Float32s:
    """Return the lamps' reflection on glossy paper, in linear light, (H, W)."""
    shine = np.zeros(shape, np.float32)
    for _ in range(rng.integers(1, 4)):
        radius = rng.uniform(15, 120) * px_per_mm / shape[1]
        shine += np.exp(-_squared_distance(shape, rng.uniform(0, 1, 2)) / np.float32(8 * radius**2))
    rough = rng.normal(size=(shape[0] // 6 + 2, shape[1] // 6 + 2)).astype(np.float32)
    rough = cv2.resize(rough, shape[::-1]) * np.float32(rng.uniform(0, 0.4))
    return np.asarray(
        np.clip(shine, 0, 1) * np.exp(rng.uniform(-3, -0.4)) * (1 + rough), np.float32
    )


def blur(light: Float32s, px_per_mm: float, rng: Generator) -> Float32s:
    """Return the picture in focus, out of focus, or with motion blur."""
    kind = rng.random()
    if kind < 0.45:
        return light
    if kind < 0.75:
        sigma = rng.uniform(0.2, 1.1) * px_per_mm
        return np.asarray(cv2.GaussianBlur(light, (0, 0), max(sigma, 0.3)), np.float32)
    length = rng.uniform(0.5, 3.0) * px_per_mm
    side = int(np.ceil(length)) // 2 * 2 + 3
    kernel = np.zeros((side, side), np.float32)
    turn, middle = rng.uniform(0, np.pi), side // 2
    way = np.array([np.cos(turn), np.sin(turn)]) * length / 2
    ends = [tuple(np.rint((middle + s * way) * 16).astype(int).tolist()) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], (1.0,), 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum()), np.float32)


def add_noise(light: Float32s, rng: Generator) -> Float32s:
    """Return the picture with a small sensor's noise, partly smoothed."""
    electrons = np.exp(rng.uniform(np.log(60), np.log(4000)))
    read = rng.uniform(1.5, 5)
    counts = np.maximum(light, 0) * np.float32(electrons)
    noise = rng.standard_normal(light.shape, dtype=np.float32)
    if rng.random() < 0.5:  # colours are told from neighbouring pixels
        noise = cv2.GaussianBlur(noise, (0, 0), 0.6) * 1.6
    counts += noise * np.sqrt(counts + np.float32(read**2))
    noisy = counts / np.float32(electrons)
    if rng.random() < 0.7:
        levels = cv2.cvtColor(to_srgb(noisy), cv2.COLOR_BGR2YCrCb)
        sigma = float(np.clip(1200 / electrons, 0.5, 6)) * rng.uniform(0.5, 1.5)
        levels[..., 0] = cv2.bilateralFilter(levels[..., 0], 5, 12 * sigma, 1.0 + 0.4 * sigma)
        for channel in (1, 2):
            levels[..., channel] = cv2.GaussianBlur(levels[..., channel], (0, 0), 0.6 + 0.5 * sigma)
        noisy = to_linear(np.asarray(cv2.cvtColor(levels, cv2.COLOR_YCrCb2BGR), np.uint8))
    return np.asarray(noisy, np.float32)


def change_tones(levels: Picture, px_per_mm: float, rng: Generator) -> Picture:
    """Return the picture with another camera's tone curve and colours."""
    share: Float32s = levels.astype(np.float32) / np.float32(255)
    if rng.random() < 0.25:  # each part held against what lies around it
        grey = np.log(share.mean(axis=-1) + 0.03)
        base = cv2.GaussianBlur(grey, (0, 0), rng.uniform(10, 40) * px_per_mm)
        strength = rng.uniform(0.1, 0.5)
        share *= np.exp(-strength * (base - np.median(base)))[..., None].astype(np.float32)
        share = np.asarray(np.clip(share, 0, 1), np.float32)
    if rng.random() < 0.6:
        share = np.asarray(share ** np.exp(rng.normal(0, 0.25)), np.float32)
    if rng.random() < 0.5:
        steep = share * share * (3 - 2 * share)
        share += np.float32(rng.uniform(-0.3, 0.8)) * (steep - share)
    if rng.random() < 0.2:
        black = np.float32(rng.uniform(0, 0.18))
        share = black + share * (1 - black)
    if rng.random() < 0.6:
        grey = share @ np.array([0.114, 0.587, 0.299], np.float32)
        share = grey[..., None] + np.float32(np.exp(rng.normal(0, 0.2))) * (share - grey[..., None])
    if rng.random() < 0.5:  # filters of another maker mix colours otherwise
        mixing = np.eye(3) + rng.normal(0, 0.04, (3, 3))
        mixed = cv2.transform(share, mixing / mixing.sum(axis=1, keepdims=True))
        share = np.asarray(mixed, np.float32)
    return np.asarray(np.clip(share * 255 + 0.5, 0, 255), np.uint8)
