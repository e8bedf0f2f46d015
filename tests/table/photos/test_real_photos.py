"""Photos of real boards: the floors that reading them must never fall below.

One photo of every state of the board, at a webcam's resolution; `benchmarks/read_photos.py` looks
at all of them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto

OCCUPIED = ("IMG_4066_1008", "IMG_4076_1008", "IMG_4132_1008", "IMG_4148_1008")
BLANK = ("IMG_4048_blank_1008", "IMG_4172_1008")
OTHER_COPY = ("other_copy_1_1920",)
# Worst corner; the true corners of the other copy are known to some millimetres only.
COARSE_MM, FINE_MM = 8.0, 3.0
GLARE_BELOW, GLARE_RIGHT = "IMG_4132_1008", "IMG_4151_1008"
OTHER_STATE = "IMG_4066_1008"
MOST_DOUBTS = 2  # of both together; 0 when it was measured, and 1 to 3 of each alone


@dataclass(frozen=True)
class Read:
    """A photo as it was read, and the truth beside it."""

    scored: ScoredPhoto
    truth: Mapping[str, Any]

    def worst_corner_mm(self) -> float:
        true = homography_from_corners(self.truth["corners_px"], drawn.usa().size_mm)
        assert self.scored.corners_px is not None, self.scored.reason
        return float(drawn.corner_error_mm(true, self.scored.corners_px).max())

    def right(self) -> list[bool]:
        """For every labelled route that is not half filled, whether it was read right."""
        claims, half_filled = self.scored.claims, self.truth.get("half_filled_routes") or ()
        assert claims is not None, self.scored.reason
        return [
            claims.get(route) == self.truth["claims"].get(route)
            for route in self.truth["spaces"]
            if route not in half_filled
        ]


def loaded(photos: Path, *names: str) -> list[tuple[str, Picture]]:
    return [(name, load_photo(photos / "usa" / f"{name}.jpg")) for name in names]


@pytest.fixture(scope="module")
def scorer(photos: Path) -> PhotoScorer:
    """What reads with a profile of the empty board in another photo."""
    reference = load_photo(photos / "usa" / "blank_rectified_1500x990.jpg")
    corners = drawn.own_corners(reference)
    profile = make_profile(reference, drawn.usa(), corners, "blank", "")
    return PhotoScorer(ReadingPlan(drawn.usa(), load_edition("usa"), profile))


@pytest.fixture(scope="module")
def photos_read(scorer: PhotoScorer, photos: Path) -> dict[str, Read]:
    return {
        name: Read(
            scorer.score(loaded(photos, name)),
            json.loads((photos / "usa" / f"{name}.json").read_text("utf-8")),
        )
        for name in (*OCCUPIED, *BLANK, *OTHER_COPY)
    }


@pytest.mark.parametrize("name", [*OCCUPIED, *BLANK, *OTHER_COPY])
def test_is_found(photos_read: dict[str, Read], name: str) -> None:
    limit_mm = COARSE_MM if name in OTHER_COPY else FINE_MM
    assert photos_read[name].worst_corner_mm() < limit_mm


def test_is_found_to_a_millimetre_as_a_rule(photos_read: dict[str, Read]) -> None:
    errors = [photos_read[name].worst_corner_mm() for name in (*OCCUPIED, *BLANK)]
    assert np.median(errors) < 1.0


def test_routes_are_read_right(photos_read: dict[str, Read]) -> None:
    right = np.concatenate([photos_read[name].right() for name in (*OCCUPIED, *OTHER_COPY)])
    assert len(right) > 400
    assert np.mean(right) >= 0.98


@pytest.mark.parametrize("name", BLANK)
def test_a_blank_board_is_read_blank(photos_read: dict[str, Read], name: str) -> None:
    assert photos_read[name].scored.claims == {}
    assert all(photos_read[name].right())


@pytest.mark.parametrize("name", OCCUPIED)
def test_most_routes_are_read_without_asking(photos_read: dict[str, Read], name: str) -> None:
    """Asking about everything would be no reading; 2 to 10 routes of 100 were asked about."""
    assert len(photos_read[name].scored.doubts) <= 15


def test_two_lights_leave_nothing_wrong_and_hardly_a_doubt(
    scorer: PhotoScorer, photos: Path
) -> None:
    together = scorer.score(loaded(photos, GLARE_BELOW, GLARE_RIGHT))
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
    mixed = scorer.score(loaded(photos, GLARE_BELOW, OTHER_STATE))
    assert not mixed.found
    assert mixed.reason is not None
    assert "show different pieces" in mixed.reason


@pytest.mark.parametrize("strength", [pytest.param(1.3, marks=pytest.mark.long), 1.7])
def test_a_camera_that_draws_colours_strongly_shows_no_other_box(
    photos: Path, strength: float
) -> None:
    """Red as colourful as orange is red still: all of a player's routes went uncounted by it."""
    board = load_board("europe")
    profile = stand_in_profile(board)
    assert profile is not None
    picture = load_photo(photos / "europe" / "cropped1_12-12.jpg")
    lab = cv2.cvtColor(picture.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2LAB)
    stronger = (lab * np.array([1, strength, strength])).astype(np.float32)
    vivid = np.clip(cv2.cvtColor(stronger, cv2.COLOR_LAB2BGR) * 255, 0, 255).astype(np.uint8)
    scorer = PhotoScorer(ReadingPlan(board, load_edition("europe"), profile))
    scored = scorer.score([("vivid", vivid)])
    truth = json.loads((photos / "europe" / "cropped1_12-12.json").read_text("utf-8"))
    asked = {doubt.spot.id for doubt in scored.doubts if doubt.spot.kind == "route"}
    assert scored.claims is not None
    lost = {route for route, whose in truth["claims"].items() if scored.claims.get(route) != whose}
    assert lost <= asked
    assert not scored.uncounted
    assert len(asked) <= MOST_DOUBTS
    # Its stations were taught in usual colours: they may be asked about, and none is made up.
    assert scored.stations.keys() <= {doubt.spot.id for doubt in scored.doubts}
