"""What the table looks like between the cards: an outline around nothing but cloth is no card."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from railspotter.calibration.arrays import Float64s, Mask, Picture

SHIFTS = (4, 3, 3)
"""Bits of lightness, red-green and yellow-blue that are left away."""
SHAPE = (16, 32, 32)
FRAME = 0.08
"""Share of the picture's sides that is taken for cloth before anything else is known."""
COMMON = 0.9
"""Share of the cloth that its common colours make up; what is rarer could be a card's."""
ROUNDS = 3
FOREIGN = 0.5
"""Share of an outline in other colours than the cloth's from which on it is taken for a card while
the cloth is still being learned."""


def foreign_to_cloth(picture: Picture, outlines: Float64s) -> Mask:
    """Return which pixels have a colour that the cloth rarely has.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR
    outlines : (N, 4, 2) float64 array
        Where cards could lie.

    Returns
    -------
    (H, W) bool array
    """
    height, width = picture.shape[:2]
    lab = np.asarray(cv2.cvtColor(cv2.medianBlur(picture, 3), cv2.COLOR_BGR2Lab), np.uint8)
    kinds = np.zeros((height, width), np.int64)
    for channel, (shift, levels) in enumerate(zip(SHIFTS, SHAPE, strict=True)):
        kinds = kinds * levels + (lab[..., channel] >> shift)
    rows, columns = round(FRAME * height), round(FRAME * width)
    is_cloth = np.ones((height, width), bool)
    is_cloth[rows : height - rows, columns : width - columns] = False
    foreign = _rare(kinds, is_cloth)
    masks = [_mask(outline, (height, width)) for outline in outlines]
    for _ in range(ROUNDS):
        is_cloth = np.ones((height, width), bool)
        for at, inside in masks:
            if foreign[at][inside].mean() > FOREIGN:
                is_cloth[at] &= ~inside
        if is_cloth.mean() < FRAME:
            break
        foreign = _rare(kinds, is_cloth)
    return foreign


def _rare(kinds: NDArray[np.int64], is_cloth: Mask) -> Mask:
    counts = np.bincount(kinds[is_cloth], minlength=int(np.prod(SHAPE))).reshape(SHAPE)
    smooth = counts.astype(np.float64)
    for axis in range(3):
        padded = np.moveaxis(
            np.pad(smooth, [(1, 1) if i == axis else (0, 0) for i in range(3)]), axis, 0
        )
        smooth = np.moveaxis((padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4, 0, axis)
    order = np.argsort(-smooth, axis=None)
    share = np.cumsum(counts.ravel()[order]) / max(1, counts.sum())
    is_rare = np.zeros(counts.size, bool)
    is_rare[order[np.searchsorted(share, COMMON) + 1 :]] = True
    return np.asarray(is_rare[kinds], bool)


def _mask(outline: Float64s, size: tuple[int, int]) -> tuple[tuple[slice, slice], Mask]:
    """Return the part of a picture around an outline, and what of it is inside."""
    left, top = np.clip(np.floor(outline.min(axis=0)).astype(int), 0, (size[1] - 1, size[0] - 1))
    right, bottom = np.clip(np.ceil(outline.max(axis=0)).astype(int) + 1, 1, (size[1], size[0]))
    right, bottom = max(right, left + 1), max(bottom, top + 1)
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(outline - (left, top)).astype(np.int32), 1)
    if not mask.any():
        mask[:] = 1
    return (slice(top, bottom), slice(left, right)), mask.astype(bool)


def share_inside(mask: Mask, outline: Float64s, others: list[Float64s]) -> float:
    """Return which share of an outline, without what lies under others, a mask covers."""
    at, inside = _mask(outline, mask.shape[:2])
    for other in others:
        above = np.zeros(inside.shape, np.uint8)
        shifted = np.rint(other - (at[1].start, at[0].start)).astype(np.int32)
        cv2.fillConvexPoly(above, shifted, 1)
        inside = inside & (above == 0)
    return float(mask[at][inside].mean()) if inside.any() else 0.0
