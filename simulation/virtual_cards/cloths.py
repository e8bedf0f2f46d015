"""What cards are laid on: wood, plain cloth, and cloth with a pattern."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from ..arrays import Float32s, Picture
from ..virtual_board import Projection

TILE_MM = 512
"""A cloth repeats after so much; one pixel is one millimetre."""
FARTHEST_MM = 20_000.0
TONES = (
    (92, 128, 164),
    (150, 178, 200),
    (60, 78, 104),
    (226, 230, 232),
    (70, 110, 64),
    (120, 84, 60),
    (50, 46, 130),
    (160, 166, 170),
    (44, 42, 40),
    (206, 190, 150),
)
"""BGR of woods and cloths; chosen."""


def lay_cloth(kind: str, seed: int, seen: Projection) -> Picture:
    """Return the cloth of a kind, one of `CLOTHS`, as a camera sees it.

    Returns
    -------
    (H, W, 3) uint8 array, BGR
    """
    rng = np.random.default_rng([seed, 63])
    tone = np.array(TONES[rng.integers(len(TONES))], np.float32) * rng.uniform(0.85, 1.12)
    tile = np.empty((TILE_MM, TILE_MM, 3), np.float32)
    tile[:] = tone
    CLOTHS[kind](tile, rng)
    width, height = seen.size_wh
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    at_mm = seen.board_points(np.column_stack([x.ravel(), y.ravel()]))
    at_mm = np.clip(np.nan_to_num(at_mm, nan=FARTHEST_MM), -FARTHEST_MM, FARTHEST_MM)
    at = (at_mm % TILE_MM).astype(np.float32).reshape(height, width, 2)
    drawn = np.clip(tile, 0, 255).astype(np.uint8)
    laid = cv2.remap(drawn, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return np.asarray(laid, np.uint8)


def _grained(tile: Float32s, rng: np.random.Generator) -> None:
    for rows, columns, strength in ((170, 5, 7.0), (20, 3, 8.0), (500, 42, 5.0)):
        tile += _clouds(rng, rows, columns, strength)


def _woven(tile: Float32s, rng: np.random.Generator) -> None:
    tile += _clouds(rng, 300, 300, 5.0) + _clouds(rng, 6, 6, 5.0)


def _chequered(tile: Float32s, rng: np.random.Generator) -> None:
    """Lay two colours in squares, half of them mixed, as kitchen cloths have it."""
    step = int(rng.choice([16, 32, 64]))
    other = np.array(TONES[rng.integers(len(TONES))], np.float32)
    at = np.arange(TILE_MM) // step % 2
    share = (at[:, None] + at[None, :])[..., None] / 2
    tile[:] = (1 - share) * tile + share * other
    _woven(tile, rng)


def _striped(tile: Float32s, rng: np.random.Generator) -> None:
    step = int(rng.choice([8, 16, 64]))
    other = np.array(TONES[rng.integers(len(TONES))], np.float32)
    is_other = (np.arange(TILE_MM) // step % 4 == 0)[None, :, None]
    tile[:] = np.where(is_other, other, tile)
    _woven(tile, rng)


def _flowered(tile: Float32s, rng: np.random.Generator) -> None:
    """Lay dots and leaves in other colours."""
    for _ in range(int(rng.integers(30, 90))):
        middle = tuple(int(v) for v in rng.integers(12, TILE_MM - 12, 2))
        axes = tuple(int(v) for v in rng.integers(3, 12, 2))
        tone = [float(v) for v in TONES[rng.integers(len(TONES))]]
        cv2.ellipse(tile, middle, axes, float(rng.uniform(0, 180)), 0, 360, tone, -1, cv2.LINE_AA)
    _woven(tile, rng)


def _clouds(rng: np.random.Generator, rows: int, columns: int, strength: float) -> Float32s:
    knots = rng.normal(0.0, strength, (rows, columns)).astype(np.float32)
    fine = cv2.resize(knots, (TILE_MM, TILE_MM), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine[..., None], np.float32)


CLOTHS: Mapping[str, Callable[[Float32s, np.random.Generator], None]] = {
    "wood": _grained,
    "plain": _woven,
    "chequered": _chequered,
    "striped": _striped,
    "flowered": _flowered,
}
