"""The labelled photos of ../shared/photos, as values for the benchmarks."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from railspotter.calibration.profile import Profile
from railspotter.calibration.reference import make_profile
from railspotter.scoring.board import Board
from railspotter.table.photo_file import load_photo

PHOTOS = Path(__file__).resolve().parent.parent.parent / "shared" / "photos"
REFERENCE = "blank_rectified_1500x990.jpg"


@dataclass(frozen=True)
class LabelledPhoto:
    """A photo and the truth beside it."""

    path: Path
    truth: dict[str, Any]

    @property
    def exposure(self) -> str:
        """One name for the same exposure in several sizes."""
        return re.sub(r"_(1008|1920|12mp)$", "", self.path.stem)

    @property
    def shoot(self) -> str:
        """One evening, room and phone: what to hold out."""
        return str(self.truth.get("shoot", "?"))

    @property
    def light(self) -> str:
        """Photos with the same notes were taken one after the other in the same light."""
        return f"{self.shoot}: {self.truth.get('notes', '')}"

    @property
    def is_blank(self) -> bool:
        """Whether no train stands on the board."""
        return not self.truth["claims"]


def load_set(folder: Path, board: str) -> list[LabelledPhoto]:
    """Return the labelled photos of a board in a folder and below, by name.

    Raises
    ------
    SystemExit
        When there are none.
    """
    labelled = []
    for label in sorted(folder.rglob("*.json")):
        truth = json.loads(label.read_text("utf-8"))
        if isinstance(truth, dict) and truth.get("board") == board and "photo" in truth:
            labelled.append(LabelledPhoto(label.with_name(truth["photo"]), truth))
    if not labelled:
        raise SystemExit(f"no labelled photos of the board {board!r} in {folder}")
    return labelled


def reference_profile(photo: Path, board: Board) -> Profile:
    """Make the profile from a rectified picture: its corners are its own."""
    picture = load_photo(photo)
    height, width = picture.shape[:2]
    corners = [(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)]
    return make_profile(picture, board, corners, "benchmark", "")
