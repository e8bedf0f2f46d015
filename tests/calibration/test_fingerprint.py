"""The fingerprints that come with the program: a board's outline in its first photo."""

from __future__ import annotations

import io
import json
from pathlib import Path

import drawn
import numpy as np
import pytest
from railspotter.calibration.features import Features
from railspotter.calibration.fingerprint import find_outline, fingerprint_bytes, load_fingerprint
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.pose import NotFound
from railspotter.scoring import load_board
from railspotter.table.photo_file import load_photo


def test_a_fingerprint_lies_on_its_board() -> None:
    fingerprint = load_fingerprint("usa")
    assert fingerprint is not None
    assert len(fingerprint) > 1000
    assert fingerprint.descriptors.shape == (len(fingerprint), 128)
    assert np.all((fingerprint.points >= 0) & (fingerprint.points <= drawn.usa().size_mm))


def test_a_fingerprints_file_holds_its_features() -> None:
    rng = np.random.default_rng(1)
    descriptors = rng.integers(0, 256, (5, 128), dtype=np.uint8)
    features = Features(np.arange(10.0).reshape(5, 2), descriptors)
    with np.load(io.BytesIO(fingerprint_bytes(features)), allow_pickle=False) as arrays:
        assert np.array_equal(arrays["points_mm"], features.points)
        assert np.array_equal(arrays["descriptors"], descriptors)


def test_a_board_without_one_says_so() -> None:
    assert load_fingerprint("philly") is None
    result = find_outline(drawn.texture(), load_board("philly"))
    assert isinstance(result, NotFound)
    assert "philly" in result.reason


@pytest.mark.parametrize("name", ["IMG_4048_blank_1008", "IMG_4172_1008", "IMG_4181_1008"])
def test_the_outline_of_a_real_empty_board(photos: Path, name: str) -> None:
    label = json.loads((photos / "usa" / f"{name}.json").read_text("utf-8"))
    corners = find_outline(load_photo(photos / "usa" / f"{name}.jpg"), drawn.usa())
    assert not isinstance(corners, NotFound), corners
    true = homography_from_corners(label["corners_px"], drawn.usa().size_mm)
    assert drawn.corner_error_mm(true, corners).max() < 2.0


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(drawn.texture(), id="something busy"),
        pytest.param(np.full((600, 800, 3), 120, np.uint8), id="a plain table"),
    ],
)
def test_no_board_no_outline(picture: drawn.Picture) -> None:
    result = find_outline(picture, drawn.usa())
    assert isinstance(result, NotFound)
    assert "was not found" in result.reason
