"""From a photo to a score, where the command alone does not show it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import drawn
import numpy as np
import pytest
from railspotter.scoring import load_edition
from railspotter.table.errors import HomeError
from railspotter.table.photos.photo_score import LARGEST_PX, PhotoScorer


def test_a_large_photo_is_searched_small_and_its_corners_are_its_own() -> None:
    frame = drawn.game()
    height, width = frame.picture.shape[:2]
    large = np.asarray(cv2.resize(frame.picture, (3 * width, 3 * height)), np.uint8)
    found = drawn.found(large)
    assert found.shrunk == LARGEST_PX / (3 * width)
    corners_px = (found.corners_px + 0.5) / 3 - 0.5
    assert drawn.corner_error_mm(frame.frame_from_board, corners_px).max() < 0.6


def test_a_profile_of_another_size_of_the_board_is_refused() -> None:
    older = replace(drawn.profile(), size_mm=(790.0, 525.0))
    with pytest.raises(HomeError, match="another size of the board 'usa': make it anew"):
        PhotoScorer(drawn.usa(), load_edition("usa"), older)


def test_a_board_that_is_not_found_has_a_reason_and_no_score() -> None:
    photo = drawn.scorer().score(drawn.texture(), "wall.jpg")
    assert not photo.found
    assert photo.reason
    assert (photo.claims, photo.standing, photo.annotated) == ({}, None, None)
    assert photo.seconds > 0
