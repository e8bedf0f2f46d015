"""A result to show, and the real reader behind a real server."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from railspotter.scoring import load_board, load_edition, standing
from railspotter.table.live import LiveState
from railspotter.table.scored_photo import ScoredPhoto
from railspotter.vision.reading import Doubt

CLAIMS = {
    "helena--seattle": "blue",
    "denver--helena": "blue",
    "chicago--toronto": "red",
    "portland--seattle--0": "red",
}


@dataclass
class StillGame:
    """A game that stays as the test puts it."""

    shown: LiveState

    def picture(self) -> bytes:
        return b"\xff\xd8\xff, what the camera sees"

    def state(self) -> LiveState:
        return self.shown


@pytest.fixture
def still(scored: ScoredPhoto) -> StillGame:
    """A game in its second minute, read once."""
    return StillGame(LiveState(number=1, game=8, t_s=65.0, duration_s=300.0, photo=scored))


@pytest.fixture
def scored() -> ScoredPhoto:
    """A photo with blue and red trains, and one doubt."""
    usa, rules = load_board("usa"), load_edition("usa")
    alternatives = (None, "black")
    return ScoredPhoto(
        photo="evening <1>.jpg",
        board=usa,
        edition=rules,
        corners_px=((0, 0), (9, 0), (9, 9), (0, 9)),
        claims=CLAIMS,
        doubts=(Doubt("portland--seattle--0", "red", alternatives, "glare lies over it"),),
        notes=("the light is strongly coloured",),
        standing=standing(rules, usa, CLAIMS),
        seconds=0.84,
        annotated=np.full((20, 30, 3), 128, np.uint8),
    )
