"""The exact positions of trains in a labelled photo, with their lean.

The truth says on which space a train of which colour stands; the photo says where. That has nothing
of a reader in it: no colour and no space is decided here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Picture, Points
from railspotter.scoring.board import Board, RouteId

TRAIN_MM = (25.0, 8.5)  # what is seen of a train from above
REACH_MM = (9.0, 8.0)  # how far along and across trains were seen off their spaces, lean included
ROW_SPREAD_MM = (6.0, 4.5)
TRAIN_SPREAD_MM = (3.0, 2.5)  # how far one train stands off its row
# Weight of lightness in a colour's distance: shadows change it, plastic hardly does.
LIGHTNESS_WEIGHT = 0.45
PLASTIC_SPREAD = 16.0  # CIE Lab units that one plastic scatters in a photo
STEP_MM = 0.5
ROW_WEIGHT = 0.25


@dataclass(frozen=True)
class SeenTrain:
    """A train in a photo."""

    route: RouteId
    space: int
    colour: str
    xy_mm: tuple[float, float]  # the middle of what is seen of it, on the board
    angle_deg: float

    def outline_mm(self, wider_mm: float = 0.0) -> Points:
        """Return the corners of its visible outline, (4, 2), optionally wider."""
        along, across = _axes(self.angle_deg)
        u = along * (TRAIN_MM[0] / 2 + wider_mm)
        v = across * (TRAIN_MM[1] / 2 + wider_mm)
        corners = np.array(self.xy_mm) + np.array([u + v, u - v, -u - v, v - u])
        return np.asarray(corners, np.float64)


def to_lab(picture: Picture) -> Float32s:
    """Return a picture in CIE Lab: lightness 0 to 100, a and b around 0."""
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


def plastic_colours(
    lab: Float32s, px_per_mm: float, board: Board, spaces: Mapping[RouteId, Sequence[str | None]]
) -> dict[str, Float64s]:
    """Return the colour of each player's trains in a photo, as CIE Lab."""
    seen: dict[str, list[Float32s]] = {}
    for route in board.routes:
        for space, colour in zip(route.spaces, spaces.get(route.id, ()), strict=False):
            if colour is not None:
                window = _window(lab, px_per_mm, space.xy_mm, space.angle_deg, (8.0, 2.5))
                seen.setdefault(colour, []).append(window.reshape(-1, 3))
    return {c: np.median(np.concatenate(parts), axis=0) for c, parts in sorted(seen.items())}


def likeness(lab: Float32s, colour: Float64s) -> Float32s:
    """Return each pixel's likeness to a plastic's colour, 0 to 1."""
    off = (lab - colour.astype(np.float32)) * np.array([LIGHTNESS_WEIGHT, 1, 1], np.float32)
    return np.asarray(np.exp(-np.sum(off * off, axis=-1) / (2 * PLASTIC_SPREAD**2)), np.float32)


def find_trains(
    rectified: Picture,
    px_per_mm: float,
    board: Board,
    spaces: Mapping[RouteId, Sequence[str | None]],
) -> tuple[SeenTrain, ...]:
    """Return the trains of a labelled photo with their positions."""
    lab = to_lab(rectified)
    colours = plastic_colours(lab, px_per_mm, board, spaces)
    like = {name: likeness(lab, colour) for name, colour in colours.items()}
    trains = []
    for route in board.routes:
        standing = [
            (i, space, colour)
            for i, (space, colour) in enumerate(
                zip(route.spaces, spaces.get(route.id, ()), strict=False)
            )
            if colour is not None
        ]
        if not standing:
            continue
        fits = np.stack([_fits(like[c], px_per_mm, s.xy_mm, s.angle_deg) for _, s, c in standing])
        row_off = _best_offset(fits.mean(axis=0), np.zeros(2), ROW_SPREAD_MM)
        for (i, space, colour), fit in zip(standing, fits, strict=True):
            u, v = _best_offset(fit, row_off, TRAIN_SPREAD_MM)
            along, across = _axes(space.angle_deg)
            x, y = np.array(space.xy_mm) + u * along + v * across
            trains.append(SeenTrain(route.id, i, colour, (float(x), float(y)), space.angle_deg))
    return tuple(trains)


def _axes(angle_deg: float) -> tuple[Points, Points]:
    turn = np.deg2rad(angle_deg)
    along = np.array([np.cos(turn), np.sin(turn)])
    return along, np.array([-along[1], along[0]])


def _window(
    picture: Float32s,
    px_per_mm: float,
    xy_mm: tuple[float, float],
    angle_deg: float,
    half_mm: tuple[float, float],
) -> Float32s:
    """Sample a picture around a point: rows across the direction, columns along it."""
    along, across = _axes(angle_deg)
    u = np.arange(-half_mm[0], half_mm[0] + STEP_MM / 2, STEP_MM)
    v = np.arange(-half_mm[1], half_mm[1] + STEP_MM / 2, STEP_MM)
    at = np.array(xy_mm) + u[None, :, None] * along + v[:, None, None] * across
    x, y = np.moveaxis((at * px_per_mm - 0.5).astype(np.float32), -1, 0)
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR), np.float32)


def _fits(
    like: Float32s, px_per_mm: float, xy_mm: tuple[float, float], angle_deg: float
) -> Float64s:
    """Return how well a train fits at every offset around a space, (across, along)."""
    half = REACH_MM[0] + TRAIN_MM[0] / 2, REACH_MM[1] + TRAIN_MM[1] / 2
    window = _window(like, px_per_mm, xy_mm, angle_deg, half)
    box = round(TRAIN_MM[0] / STEP_MM), round(TRAIN_MM[1] / STEP_MM)
    means = cv2.blur(window, box)
    rows, columns = (round(2 * reach / STEP_MM) + 1 for reach in REACH_MM[::-1])
    top, left = (means.shape[0] - rows) // 2, (means.shape[1] - columns) // 2
    return np.asarray(means[top : top + rows, left : left + columns], np.float64)


def _best_offset(fit: Float64s, expected: Float64s, spread_mm: tuple[float, float]) -> Float64s:
    """Return the best offset, (along, across) in mm."""
    rows, columns = fit.shape
    v = (np.arange(rows) - rows // 2) * STEP_MM
    u = (np.arange(columns) - columns // 2) * STEP_MM
    unusual = ((v[:, None] - expected[1]) / spread_mm[1]) ** 2
    unusual = unusual + ((u[None, :] - expected[0]) / spread_mm[0]) ** 2
    row, column = np.unravel_index(np.argmax(fit - ROW_WEIGHT * 0.5 * unusual), fit.shape)
    return np.array([u[column], v[row]])
