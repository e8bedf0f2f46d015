"""Score markers as people leave them on a track, with what is true of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from railspotter.scoring.board import Board
from railspotter.simulation.virtual_board.pieces import Piece

# How often a marker is laid which way.
HABITS = {"alone": 0.62, "between": 0.1, "pair": 0.1, "stack": 0.1, "toppled": 0.04, "away": 0.04}
ALONG_MM, ACROSS_MM = 6.0, 4.0  # how far one that lies alone may be from the middle of its step
APART_MM = 35.0  # how far those that lie alone are from all others
ON_LINE_MM = 1.0
BESIDE_MM = 14.0
HEIGHT_MM = 5.0


@dataclass(frozen=True)
class LaidMarker:
    """One marker on a track."""

    colour: str
    # "alone", "between" two numbers, one of a "pair" side by side, "top" or "under" of a stack,
    # "toppled", or "away" from the board.
    how: str
    at: int | None  # its number; None where nobody could say one
    xy_mm: tuple[float, float] = (0.0, 0.0)
    z_mm: float = 0.0

    @property
    def piece(self) -> Piece:
        """It, on a drawn board."""
        lean = 90.0 if self.how == "toppled" else 0.0
        return Piece("marker", self.colour, self.xy_mm, z_mm=self.z_mm, lean_deg=lean)


def lay_markers(
    board: Board, colours: Sequence[str], rng: np.random.Generator, *, upright: bool = False
) -> tuple[LaidMarker, ...]:
    """Lay everybody's marker on a board's track."""
    track = np.array(board.score_track)
    waiting = [str(colour) for colour in rng.permutation(list(colours))]
    laid: list[LaidMarker] = []
    ways, shares = list(HABITS), np.array([*HABITS.values()])
    while waiting:
        colour = waiting.pop()
        how = str(rng.choice(ways, p=shares))
        if (how in ("pair", "stack") and not waiting) or (upright and how == "toppled"):
            how = "alone"
        if how == "away":
            laid.append(LaidMarker(colour, how, None))
            continue
        at, next_ = _free_step(track, laid, rng)
        along = (track[next_] - track[at]) / np.linalg.norm(track[next_] - track[at])
        across = np.array([-along[1], along[0]])
        middle = track[at] + rng.uniform(-1, 1, 2) @ [ALONG_MM * along, ACROSS_MM * across]
        if how == "between":
            middle = (track[at] + track[next_]) / 2
            middle += rng.uniform(-1, 1, 2) @ [ON_LINE_MM * along, ACROSS_MM * across]
            laid.append(_marker(colour, how, None, middle))
        elif how == "pair":
            half = (BESIDE_MM + rng.uniform(-0.5, 1.5)) / 2 * across
            middle = track[at] + rng.uniform(-ALONG_MM, ALONG_MM) * along
            laid.append(_marker(colour, how, at, middle - half))
            laid.append(_marker(waiting.pop(), how, at, middle + half))
        elif how == "stack":
            laid.append(_marker(colour, "under", at, middle))
            aside = rng.normal(0, 1.5, 2)
            laid.append(_marker(waiting.pop(), "top", at, middle + aside, HEIGHT_MM))
        else:
            laid.append(_marker(colour, how, at, middle))
    return tuple(laid)


def _marker(
    colour: str, how: str, at: int | None, xy_mm: np.ndarray, z_mm: float = 0.0
) -> LaidMarker:
    return LaidMarker(colour, how, at, (float(xy_mm[0]), float(xy_mm[1])), z_mm)


def _free_step(
    track: np.ndarray, laid: Sequence[LaidMarker], rng: np.random.Generator
) -> tuple[int, int]:
    """Return a step far from all that lies there, and the one after it."""
    while True:
        at = int(rng.integers(len(track)))
        others = [one.xy_mm for one in laid if one.how != "away"]
        if all(np.linalg.norm(track[at] - other) > APART_MM for other in others):
            return at, (at + 1) % len(track)
