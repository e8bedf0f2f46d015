"""Which colour each card has, and in what light the photo was taken: decided together.

A card's face is print: its own colour, paler and darker, beside paper and dark lines. Every kind of
light that a home has is tried; the one in which all cards' faces are best explained by printed
colours counts the most, and others as much as they explain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from railspotter.calibration.arrays import Float64s

LOCOMOTIVE = "locomotive"
COLOURS_LCH: Mapping[str, tuple[float, float, float]] = {
    "red": (45.0, 58.0, 30.0),
    "orange": (64.0, 62.0, 58.0),
    "yellow": (80.0, 64.0, 90.0),
    "green": (52.0, 42.0, 145.0),
    "blue": (48.0, 38.0, 260.0),
    "pink": (56.0, 40.0, 340.0),
}
"""CIE lightness, chroma and hue in degrees of what people call so on a card; chosen, not measured
on cards."""
TONES = ((1.0, 1.0, 0.0), (0.7, 0.8, 0.0), (0.55, 0.55, 0.0), (0.5, 0.6, 45.0))
"""Paler and darker print of a colour: factors of lightness and chroma, and lightness added."""
NEUTRALS: Mapping[str, tuple[tuple[float, float, float], ...]] = {
    "white": ((92.0, 4.0, 95.0), (80.0, 3.0, 90.0)),
    "grey": ((65.0, 2.0, 90.0), (50.0, 2.0, 90.0)),
    "black": ((34.0, 2.0, 60.0), (20.0, 2.0, 60.0)),
}
CARDS = (*COLOURS_LCH, "white", "black", LOCOMOTIVE)
SPREAD = (9.0, 8.0, 8.0)
"""Standard deviations of L, a and b around a tone."""
OUTLIER = 1e-5
"""What is no print at all: glare, a finger."""
WARMTHS = np.linspace(-0.2, 0.45, 12)
"""How much more red than blue a camera sees, as half a logarithm: shaded window to lamp."""
WARMTH_SPREAD = 0.2
GREENS = (-0.06, 0.0, 0.06)
"""Steps of green beside both that are tried, in the same way."""
GREEN_SPREAD = 0.04
BRIGHTNESSES = np.array([1.0, 0.82, 0.66, 0.52])
"""Brightness of one card beside the brightest ones: falloff and shadows."""
DARK_COST = 1.2
"""How unlikely half of the light is on a card, in logarithms."""
PIXELS_WORTH = 6.0
"""A card's pixels are alike: together they say as much about the light as so many."""
PIXELS = 216
"""Pixels of each face that are looked at."""
PALE = 0.97
"""Share of all faces' pixels that are darker than paper in full light."""
PAPER_LEVEL = 236.0
GAMMA = 3.0
"""How much a colour that covers more of a face is preferred."""


@dataclass(frozen=True)
class NamedCard:
    """What one card is: how likely each colour is, the likeliest first."""

    odds: tuple[tuple[str, float], ...]

    @property
    def card(self) -> str:
        """The likeliest."""
        return self.odds[0][0]


def name_cards(faces: Sequence[NDArray[np.uint8]]) -> list[NamedCard]:
    """Return what each card is.

    Parameters
    ----------
    faces : sequence of (N, 3) uint8 array, BGR
        Pixels from each card's face, as the photo has them, some hundred each.
    """
    if not faces:
        return []
    names, tones = _tones()
    pixels = np.concatenate([_some(face) for face in faces]).astype(np.float64)
    by_light, odds = [], []
    for gain, prior in _lights(pixels):
        fits, scores = _judged(pixels.reshape(len(faces), PIXELS, 3), gain, names, tones)
        by_light.append(prior + PIXELS_WORTH * float(fits.sum()) / max(1.0, len(faces) ** 0.5))
        odds.append(scores)
    weights = np.exp(np.array(by_light) - max(by_light))
    mean = np.einsum("l,lck->ck", weights / weights.sum(), np.array(odds))
    return [
        NamedCard(tuple(sorted(zip(CARDS, one.tolist(), strict=True), key=lambda pair: -pair[1])))
        for one in mean
    ]


def _some(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return as many pixels of every face, from all over it."""
    return np.asarray(face[np.linspace(0, len(face) - 1, PIXELS).astype(int)], np.uint8)


def _lights(pixels: Float64s) -> list[tuple[Float64s, float]]:
    """Return gains of blue, green and red that lights have, and each one's prior as a logarithm."""
    lights = []
    for warmth in WARMTHS:
        for green in GREENS:
            gain = np.exp(np.array([-warmth, green, warmth]))
            gain *= np.quantile((pixels / gain).max(axis=1), PALE) / PAPER_LEVEL
            prior = -((warmth / WARMTH_SPREAD) ** 2 + (green / GREEN_SPREAD) ** 2) / 2
            lights.append((gain, float(prior)))
    return lights


def _tones() -> tuple[list[str], Float64s]:
    """Return what printed tones there are, with each its colour."""
    names, tones = [], []
    for name, (light, chroma, hue) in COLOURS_LCH.items():
        for lighter, stronger, more in TONES:
            names.append(name)
            tones.append((lighter * light + more, stronger * chroma, hue))
    for name, greys in NEUTRALS.items():
        names += [name] * len(greys)
        tones += greys
    lch = np.array(tones)
    turn = np.deg2rad(lch[:, 2])
    lab = np.column_stack([lch[:, 0], lch[:, 1] * np.cos(turn), lch[:, 1] * np.sin(turn)])
    return names, lab


def _judged(
    faces: Float64s, gain: Float64s, names: list[str], tones: Float64s
) -> tuple[Float64s, Float64s]:
    """Return how well each face is explained in a light, and how likely each card is then.

    Parameters
    ----------
    faces : (cards, pixels, 3) float64 array, BGR

    Returns
    -------
    (cards,) float64 array
    (cards, CARDS) float64 array
    """
    all_fits, all_odds = [], []
    scaled = np.asarray(tones / SPREAD, np.float32)
    of_name = np.array([[name == one for name in names] for one in (*COLOURS_LCH, *NEUTRALS)])
    for brightness in BRIGHTNESSES:
        bgr = np.clip(faces / (gain * brightness) / 255, 0, 1).astype(np.float32)
        lab = cv2.cvtColor(bgr, cv2.COLOR_BGR2Lab).reshape(-1, 3) / np.array(SPREAD, np.float32)
        off = (lab**2).sum(axis=1)[:, None] - 2 * lab @ scaled.T + (scaled**2).sum(axis=1)
        likely = np.exp(-np.maximum(off, 0) / 2)
        total = likely.sum(axis=1) + OUTLIER
        fit = np.log(total).reshape(faces.shape[:2]).mean(axis=1)
        all_fits.append(fit + DARK_COST * np.log2(brightness) / PIXELS_WORTH)
        shares = (likely / total[:, None] @ of_name.T).reshape(*faces.shape[:2], -1).mean(axis=1)
        all_odds.append([_odds(share) for share in shares])
    fits, odds = np.array(all_fits), np.array(all_odds)
    weights = np.exp(PIXELS_WORTH * (fits - fits.max(axis=0)))
    weights /= weights.sum(axis=0)
    return (weights * fits).sum(axis=0), np.einsum("bc,bck->ck", weights, odds)


def _odds(votes: Float64s) -> Float64s:
    """Return how likely each card is, of the shares that colours have of its face."""
    coloured, (white, grey, black) = votes[: len(COLOURS_LCH)], votes[len(COLOURS_LCH) :]
    total = float(coloured.sum())
    parts = coloured / max(total, 1e-9)
    variety = (1 - float((parts**2).sum())) / (1 - 1 / len(parts))
    # Lines, wheels and paper are on all cards; colour is only where the card is coloured.
    scores = np.array(
        [
            *coloured,
            0.5 * (white + 0.3 * grey),
            0.5 * (black + 0.3 * grey),
            total * max(0.0, variety - 0.5) * 2.0,
        ]
    )
    likely = (scores + 0.01) ** GAMMA
    return np.asarray(likely / likely.sum(), np.float64)
