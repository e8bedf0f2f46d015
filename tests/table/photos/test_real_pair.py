"""Two photos of one real board in different light, read as one."""

from __future__ import annotations

import json
from pathlib import Path

import drawn
import pytest
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto

GLARE_BELOW, GLARE_RIGHT = "IMG_4132_1008", "IMG_4151_1008"
OTHER_STATE = "IMG_4066_1008"
MOST_DOUBTS = 2  # of both together; 0 when it was measured, and 1 to 3 of each alone


@pytest.fixture(scope="module")
def scorer(photos: Path) -> PhotoScorer:
    reference = load_photo(photos / "usa" / "blank_rectified_1500x990.jpg")
    corners = drawn.own_corners(reference)
    profile = make_profile(reference, drawn.usa(), corners, "blank", "")
    return PhotoScorer(ReadingPlan(drawn.usa(), load_edition("usa"), profile))


def read(scorer: PhotoScorer, photos: Path, *names: str) -> ScoredPhoto:
    return scorer.score((name, load_photo(photos / "usa" / f"{name}.jpg")) for name in names)


def test_two_lights_leave_nothing_wrong_and_hardly_a_doubt(
    scorer: PhotoScorer, photos: Path
) -> None:
    together = read(scorer, photos, GLARE_BELOW, GLARE_RIGHT)
    truth = json.loads((photos / "usa" / f"{GLARE_BELOW}.json").read_text("utf-8"))
    assert together.claims is not None
    wrong = {
        route
        for route in truth["spaces"]
        if together.claims.get(route) != truth["claims"].get(route)
    }
    assert wrong == set()
    assert len(together.doubts) <= MOST_DOUBTS
    assert [part.counts for part in together.parts] == pytest.approx([1, 1], abs=0.1)


def test_another_game_on_the_same_board_is_refused(scorer: PhotoScorer, photos: Path) -> None:
    mixed = read(scorer, photos, GLARE_BELOW, OTHER_STATE)
    assert not mixed.found
    assert mixed.reason is not None
    assert "show different pieces" in mixed.reason
