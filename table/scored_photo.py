"""A photo and what it is worth: the value that the command prints and the page shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from railspotter.scoring import Board, Colour, Edition, RouteId, Standing
from railspotter.vision.reading import Doubt as Doubt

Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class ScoredPhoto:
    """One photo, read and scored.

    Attributes
    ----------
    photo : str
        What the user calls it: a path or a file's name.
    reason : str or None
        Why the board was not found; None when it was.
    corners_px : tuple of (x, y), or None
        The printed board's corners in the photo: TL, TR, BR, BL.
    claims : mapping of route id to colour
        The best reading of every route, doubted ones included; a route not listed is free.
    notes : tuple of str
        What the person with the camera should know.
    standing : Standing or None
    seconds : float
        What finding, reading and scoring took.
    annotated : (H, W, 3) uint8 array, BGR, or None
        The board from straight above with the reading drawn on it.
    """

    photo: str
    board: Board
    edition: Edition
    reason: str | None = None
    corners_px: tuple[tuple[float, float], ...] | None = None
    claims: Mapping[RouteId, Colour] | None = None
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[str, ...] = ()
    standing: Standing | None = None
    seconds: float = 0.0
    annotated: Picture | None = None

    @property
    def found(self) -> bool:
        """Whether the board was found."""
        return self.reason is None

    def as_json(self) -> dict[str, Any]:
        """Return the line that `railspotter read --json` prints for this photo."""
        return {
            "photo": self.photo,
            "board": self.board.id,
            "edition": self.edition.id,
            "found": self.found,
            "reason": self.reason,
            "corners_px": self.corners_px,
            "claims": dict(self.claims or {}),
            "doubts": [
                {
                    "route": doubt.route,
                    "said": doubt.said,
                    "alternatives": list(doubt.alternatives),
                    "why": doubt.why,
                }
                for doubt in self.doubts
            ],
            "notes": list(self.notes),
            "standing": {
                player.colour: {
                    "route_points": player.route_points,
                    "trains_left": player.trains_left,
                    "longest_path": {
                        "length": player.longest_path.length,
                        "routes": list(player.longest_path.routes),
                    },
                }
                for player in (self.standing.players if self.standing else ())
            },
            "seconds": round(self.seconds, 3),
        }
