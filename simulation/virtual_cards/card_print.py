"""Train cards drawn by the project itself: a wagon of our own on a coloured ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from ..arrays import Float32s, Picture

LOCOMOTIVE = "locomotive"
INKS_LCH: Mapping[str, tuple[float, float, float]] = {
    "red": (43.0, 60.0, 33.0),
    "orange": (65.0, 66.0, 62.0),
    "yellow": (83.0, 70.0, 91.0),
    "green": (51.0, 46.0, 143.0),
    "blue": (46.0, 40.0, 263.0),
    "pink": (58.0, 42.0, 343.0),
    "white": (90.0, 4.0, 95.0),
    "black": (22.0, 3.0, 60.0),
}
"""CIE lightness, chroma and hue in degrees of each colour's ink in even light; chosen."""
CARDS = (*INKS_LCH, LOCOMOTIVE)
SIZES_MM = ((88.0, 57.0), (68.0, 44.0), (88.0, 63.0))
"""Large cards, small ones and those of card decks; all are sold."""
BORDERS = ("cream", "white", "black", "dark", "none")
"""What is printed around a card's ground; "dark" is a darker tone of its own colour."""
PX_PER_MM = 4.0
DARK_BGR = (44.0, 46.0, 52.0)


@dataclass(frozen=True)
class Deck:
    """How all cards of one deck are printed.

    Attributes
    ----------
    size_mm : tuple of float
        The long side, then the short one.
    radius_mm : float
        Of the round corners.
    border : str
        One of `BORDERS`.
    border_mm : float
    inks : dict of str to (3,) float array
        BGR of each colour.
    tint : float
        Share of its ink in a card's ground; the rest is paper.
    wagon : str
        "ink" in the card's own colour, or "grey".
    seed : int
        Of what else differs.
    """

    size_mm: tuple[float, float]
    radius_mm: float
    border: str
    border_mm: float
    inks: Mapping[str, Float32s]
    tint: float
    wagon: str
    seed: int


def print_deck(seed: int) -> Deck:
    """Return a deck as one printer makes it."""
    rng = np.random.default_rng([seed, 61])
    inks = {}
    for name, (light, chroma, hue) in INKS_LCH.items():
        turn = np.deg2rad(hue + rng.normal(0.0, 5.0))
        tone = chroma * rng.uniform(0.85, 1.12)
        lab = (light + rng.normal(0.0, 3.0), tone * np.cos(turn), tone * np.sin(turn))
        inks[name] = _bgr(lab)
    return Deck(
        SIZES_MM[rng.integers(len(SIZES_MM))],
        rng.uniform(2.5, 4.5),
        BORDERS[rng.integers(len(BORDERS))],
        rng.uniform(1.8, 4.0),
        inks,
        rng.uniform(0.7, 1.0),
        ("ink", "grey")[rng.integers(2)],
        seed,
    )


def draw_card(deck: Deck, card: str) -> Picture:
    """Return a card's face, lying on its long side.

    Returns
    -------
    (H, W, 4) uint8 array, BGRA
        Its corners are round: what is no card is transparent.

    Examples
    --------
    >>> face = draw_card(print_deck(3), "locomotive")
    >>> face.shape[2], int(face[0, 0, 3]), int(face[60, 60, 3])
    (4, 0, 255)
    """
    rng = np.random.default_rng([deck.seed, 62, CARDS.index(card)])
    long, wide = deck.size_mm
    size = round(wide * PX_PER_MM), round(long * PX_PER_MM)
    ink = np.mean([*deck.inks.values()], axis=0) if card == LOCOMOTIVE else deck.inks[card]
    face = np.empty((*size, 3), np.float32)
    face[:] = _border_ink(deck, ink)
    inset = 0.0 if deck.border == "none" else deck.border_mm
    at = np.s_[_px(inset) : size[0] - _px(inset), _px(inset) : size[1] - _px(inset)]
    ground = face[at]
    if card == LOCOMOTIVE:
        _rays(ground, deck, rng)
    else:
        _fade(ground, ink, deck.tint)
    body = 0.62 * ink if deck.wagon == "ink" else np.full(3, rng.uniform(70, 120), np.float32)
    if card == "black" and deck.wagon == "ink":
        body = ink + 34
    _rails(ground)
    (_engine if card == LOCOMOTIVE else _wagon)(ground, body, rng)
    _symbols(ground, ink)
    face += cv2.GaussianBlur(rng.normal(0.0, 9.0, face.shape).astype(np.float32), (0, 0), 1.6)
    alpha = _round_corners(size, _px(deck.radius_mm))
    return np.dstack([np.clip(face, 0, 255).astype(np.uint8), alpha])


def _border_ink(deck: Deck, ink: Float32s) -> Float32s:
    tones = {"cream": (206, 228, 238), "white": (240, 242, 243), "black": (36, 34, 34)}
    if deck.border in tones:
        return np.array(tones[deck.border], np.float32)
    return np.asarray(0.6 * ink, np.float32)


def _fade(ground: Float32s, ink: Float32s, tint: float) -> None:
    """Lay the card's colour: paler above, darker below, as a sky and a field."""
    height = len(ground)
    paper = np.array((214, 224, 230), np.float32)
    tone = tint * ink + (1 - tint) * paper
    shade = np.linspace(1.12, 0.86, height, dtype=np.float32)[:, None, None]
    ground[:] = np.clip(tone * shade, 0, 250)
    cv2.rectangle(
        ground, (0, int(0.8 * height)), (ground.shape[1], height), (0.8 * tone).tolist(), -1
    )


def _rays(ground: Float32s, deck: Deck, rng: np.random.Generator) -> None:
    """Lay all colours, as rays from a point or as bands."""
    height, width = ground.shape[:2]
    y, x = np.mgrid[:height, :width]
    inks = np.array([ink for name, ink in deck.inks.items() if name not in ("white", "black")])
    if rng.random() < 0.5:
        turn = np.arctan2(y - 0.6 * height, x - width / 2) / (2 * np.pi) + 0.5
        part = (turn * 2 * len(inks)).astype(int) % len(inks)
    else:
        part = ((x + 0.4 * y) / (width + 0.4 * height) * len(inks)).astype(int) % len(inks)
    ground[:] = inks[part]


def _rails(ground: Float32s) -> None:
    height, width = ground.shape[:2]
    for y in (0.76, 0.81):
        cv2.line(ground, (0, int(y * height)), (width, int(y * height)), DARK_BGR, 2, cv2.LINE_AA)
    for x in np.linspace(0.03, 0.97, 20):
        at = int(x * width)
        cv2.line(
            ground, (at, int(0.75 * height)), (at - 4, int(0.84 * height)), DARK_BGR, 2, cv2.LINE_AA
        )


def _wagon(ground: Float32s, body: Float32s, rng: np.random.Generator) -> None:
    """Draw a goods wagon: a box, a hopper or a tank, on four wheels."""
    kind = rng.integers(3)
    tone = body.tolist()
    if kind == 0:
        _shape(ground, [(0.18, 0.34), (0.82, 0.34), (0.82, 0.68), (0.18, 0.68)], tone)
        _shape(ground, [(0.16, 0.28), (0.84, 0.28), (0.84, 0.34), (0.16, 0.34)], DARK_BGR)
        for x in (0.36, 0.5, 0.64):
            _shape(ground, [(x, 0.36), (x + 0.01, 0.36), (x + 0.01, 0.66), (x, 0.66)], DARK_BGR)
    elif kind == 1:
        _shape(ground, [(0.14, 0.34), (0.86, 0.34), (0.76, 0.68), (0.24, 0.68)], tone)
        _shape(ground, [(0.2, 0.34), (0.35, 0.24), (0.6, 0.27), (0.8, 0.34)], (60, 62, 66))
    else:
        height, width = ground.shape[:2]
        middle = int(0.5 * width), int(0.5 * height)
        cv2.ellipse(
            ground,
            middle,
            (int(0.34 * width), int(0.17 * height)),
            0,
            0,
            360,
            tone,
            -1,
            cv2.LINE_AA,
        )
        _shape(ground, [(0.45, 0.26), (0.55, 0.26), (0.55, 0.36), (0.45, 0.36)], DARK_BGR)
    _shape(ground, [(0.15, 0.67), (0.85, 0.67), (0.85, 0.7), (0.15, 0.7)], DARK_BGR)
    _wheels(ground, (0.24, 0.34, 0.66, 0.76))


def _engine(ground: Float32s, body: Float32s, rng: np.random.Generator) -> None:
    """Draw a steam engine with its smoke."""
    dark = np.minimum(body, 90).tolist()
    _shape(ground, [(0.2, 0.42), (0.62, 0.42), (0.62, 0.66), (0.2, 0.66)], dark)
    _shape(ground, [(0.62, 0.26), (0.84, 0.26), (0.84, 0.66), (0.62, 0.66)], dark)
    _shape(ground, [(0.26, 0.24), (0.34, 0.24), (0.32, 0.42), (0.28, 0.42)], dark)
    _shape(ground, [(0.67, 0.32), (0.79, 0.32), (0.79, 0.45), (0.67, 0.45)], (190, 214, 226))
    height, width = ground.shape[:2]
    for x, y, r in ((0.34, 0.18, 0.05), (0.42, 0.13, 0.07), (0.53, 0.11, 0.08)):
        size = int(r * height * rng.uniform(0.8, 1.2))
        cv2.circle(
            ground, (int(x * width), int(y * height)), size, (218, 222, 224), -1, cv2.LINE_AA
        )
    _wheels(ground, (0.26, 0.38, 0.5, 0.7, 0.8))


def _wheels(ground: Float32s, at: tuple[float, ...]) -> None:
    height, width = ground.shape[:2]
    for x in at:
        middle = int(x * width), int(0.73 * height)
        cv2.circle(ground, middle, int(0.055 * height), DARK_BGR, -1, cv2.LINE_AA)
        cv2.circle(ground, middle, int(0.02 * height), (150, 156, 160), -1, cv2.LINE_AA)


def _symbols(ground: Float32s, ink: Float32s) -> None:
    """Draw a small sign of the colour in two corners."""
    height, width = ground.shape[:2]
    for x in (0.075, 0.925):
        middle = int(x * width), int(0.13 * height)
        cv2.circle(ground, middle, int(0.085 * height), (226, 232, 236), -1, cv2.LINE_AA)
        cv2.circle(ground, middle, int(0.055 * height), ink.tolist(), -1, cv2.LINE_AA)


def _shape(ground: Float32s, corners: list[tuple[float, float]], tone: object) -> None:
    at = np.rint(np.array(corners) * ground.shape[1::-1]).astype(np.int32)
    cv2.fillPoly(ground, [at], tuple(np.asarray(tone, float).tolist()), cv2.LINE_AA)


def _round_corners(size: tuple[int, int], radius: int) -> Picture:
    height, width = size
    alpha = np.zeros(size, np.uint8)
    cv2.rectangle(alpha, (radius, 0), (width - radius - 1, height - 1), 255, -1)
    cv2.rectangle(alpha, (0, radius), (width - 1, height - radius - 1), 255, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
    return alpha


def _px(mm: float) -> int:
    return round(mm * PX_PER_MM)


def _bgr(lab: tuple[float, float, float]) -> Float32s:
    pixel = np.array(lab, np.float32)[None, None]
    return np.asarray(np.clip(cv2.cvtColor(pixel, cv2.COLOR_Lab2BGR)[0, 0], 0, 1) * 255, np.float32)
