"""Photos as people take them, by a number: which cards, how laid, on what, in what light."""

from __future__ import annotations

import numpy as np

from ..virtual_board import CameraSetup, Light, Sensor, Thing
from .card_print import CARDS, Deck, print_deck
from .card_table import CardPhoto, CardScene, LaidCard, take_photo
from .cloths import CLOTHS

LAYINGS = ("grid", "scattered", "touching", "overlapping")
MARGIN_MM = 14.0
LIGHTS_BGR = (
    (1.0, 1.0, 1.0),
    (0.93, 0.98, 1.0),
    (0.78, 0.92, 1.05),
    (0.62, 0.86, 1.1),
    (1.12, 1.02, 0.92),
    (1.22, 1.04, 0.84),
)
"""How strongly a camera sees blue, green and red of daylight, lamps and a shaded window."""


def deal(
    seed: int,
    *,
    laying: str | None = None,
    cloth: str | None = None,
    cards: tuple[str, ...] | None = None,
    is_kind: bool = False,
    width_px: int = 1600,
) -> CardPhoto:
    """Take a photo; everything that is not said comes from the seed.

    Parameters
    ----------
    seed : int
    laying : str, optional
        One of `LAYINGS`.
    cloth : str, optional
        One of `cloths.CLOTHS`.
    cards : tuple of str, optional
        Which ones, of `CARDS`.
    is_kind : bool
        Even light from straight above, a steady camera, no hand.
    width_px : int
        Of the photo, which is three quarters as high.

    Examples
    --------
    >>> photo = deal(5, cards=("red", "blue"), width_px=400)
    >>> photo.picture.shape, photo.cards
    ((300, 400, 3), ('red', 'blue'))
    """
    rng = np.random.default_rng([seed, 64])
    deck = print_deck(int(rng.integers(2**31)))
    laying = laying or LAYINGS[rng.integers(len(LAYINGS))]
    kinds = tuple(CLOTHS)
    cloth = cloth or kinds[rng.integers(len(kinds))]
    if cards is None:
        odds = np.array([0.105] * (len(CARDS) - 1) + [0.16])
        count = int(rng.integers(4, 21))
        cards = tuple(str(card) for card in rng.choice(CARDS, count, p=odds / odds.sum()))
    laid, size_mm = _lay(deck, cards, laying, rng)
    things: tuple[Thing, ...] = ()
    shade = None
    if not is_kind and rng.random() < 0.25:
        x = float(rng.uniform(0.1, 0.9)) * size_mm[0]
        things = (Thing("flat hand", (x, size_mm[1] - 15.0), -90.0, int(rng.integers(2**31))),)
    if not is_kind and rng.random() < 0.35:
        x, y = (float(v) for v in rng.uniform(0.3, 0.7, 2) * size_mm)
        shade = (x, y, float(rng.uniform(0, 360)), float(rng.uniform(0.25, 0.55)))
    scene = CardScene(deck, laid, size_mm, cloth, things, shade, int(rng.integers(2**31)))
    return take_photo(scene, *_taken(rng, size_mm, is_kind, width_px))


def _taken(
    rng: np.random.Generator, size_mm: tuple[float, float], is_kind: bool, width_px: int
) -> tuple[CameraSetup, Light, Sensor]:
    size_wh = width_px, 3 * width_px // 4
    distance = 1.6 * float(np.hypot(*size_mm))
    if is_kind:
        view = CameraSetup(size_wh, 0.0, distance_mm=max(300.0, distance), fill=0.95)
        light = Light(falloff=0.1, ambient=0.8)
        return view, light, Sensor(blur_px=0.8, vignette=0.1)
    gain = np.array(LIGHTS_BGR[rng.integers(len(LIGHTS_BGR))]) * rng.uniform(0.95, 1.05, 3)
    view = CameraSetup(
        size_wh,
        float(rng.uniform(0, 24)),
        float(rng.normal(0, 18)) + 180 * int(rng.integers(2)),
        float(rng.normal(0, 4)),
        max(300.0, distance * float(rng.uniform(0.9, 1.4))),
        float(rng.uniform(0.72, 0.97)),
    )
    light = Light(
        strength=float(rng.uniform(0.6, 1.12)),
        gain_bgr=tuple(gain.tolist()),
        from_deg=float(rng.uniform(0, 360)),
        height_deg=float(rng.uniform(30, 80)),
        falloff=float(rng.uniform(0.05, 0.45)),
        glare=float(rng.choice([0.0, 0.0, 0.35, 0.7])),
        glare_size=float(rng.uniform(3, 8)),
    )
    smear = rng.normal(0.0, 1.2, 2) * (rng.random() < 0.3)
    sensor = Sensor(
        blur_px=float(rng.uniform(0.5, 2.0)),
        motion_px=(float(smear[0]), float(smear[1])),
        noise=float(rng.uniform(1, 6)),
        jpeg_quality=int(rng.integers(70, 96)),
        seed=int(rng.integers(2**31)),
    )
    return view, light, sensor


def _lay(
    deck: Deck, cards: tuple[str, ...], laying: str, rng: np.random.Generator
) -> tuple[tuple[LaidCard, ...], tuple[float, float]]:
    """Lay the cards; return them and the part of the table that they take."""
    long, wide = deck.size_mm
    if laying == "scattered":
        return _scattered(deck, cards, rng)
    is_upright = rng.random() < 0.6
    pitch = np.array([wide, long] if is_upright else [long, wide])
    columns = max(1, round(np.sqrt(len(cards) * 4 / 3 * pitch[1] / pitch[0])))
    rows = -(-len(cards) // columns)
    gaps = {"grid": (8.0, 10.0), "touching": (0.3, 4.0), "overlapping": (-0.18 * pitch[0], 8.0)}
    step = pitch + gaps[laying]
    loose = {"grid": (2.5, 4.0), "touching": (0.4, 0.6), "overlapping": (1.5, 3.0)}[laying]
    laid = []
    for number, card in enumerate(cards):
        at = np.array([number % columns, number // columns])
        xy = MARGIN_MM + pitch / 2 + at * step + rng.normal(0.0, loose[0], 2)
        turn = (90.0 if is_upright else 0.0) + float(rng.normal(0.0, loose[1]))
        laid.append(LaidCard(card, (float(xy[0]), float(xy[1])), turn + 180 * int(rng.integers(2))))
    size = 2 * MARGIN_MM + pitch + (np.array([min(columns, len(cards)), rows]) - 1) * step
    return tuple(laid), (float(size[0]), float(size[1]))


def _scattered(
    deck: Deck, cards: tuple[str, ...], rng: np.random.Generator
) -> tuple[tuple[LaidCard, ...], tuple[float, float]]:
    """Strew cards at any turn; no two touch, as far as there is room."""
    apart = float(np.hypot(*deck.size_mm))
    size = (
        np.sqrt(2.2 * len(cards) * np.prod(deck.size_mm) * np.array([4 / 3, 3 / 4])) + 0.4 * apart
    )
    spots: list[np.ndarray] = []
    while len(spots) < len(cards):
        tries = rng.uniform(apart / 2 + 10, size - apart / 2 - 10, (60, 2))
        off = [
            min((float(np.hypot(*(one - spot))) for spot in spots), default=9e9) for one in tries
        ]
        if max(off) < 0.98 * apart:
            size *= 1.05
        else:
            spots.append(tries[int(np.argmax(np.array(off) >= 0.98 * apart))])
    laid = tuple(
        LaidCard(card, (float(x), float(y)), float(rng.uniform(0, 360)))
        for card, (x, y) in zip(cards, spots, strict=True)
    )
    return laid, (float(size[0]), float(size[1]))
