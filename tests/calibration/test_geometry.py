"""Plane geometry: what counts as a board's outline, and homographies there and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.calibration.arrays import Float64s
from railspotter.calibration.geometry import (
    homography_between,
    homography_from_corners,
    orientation,
    outline_mm,
    project,
)

SIZE = (795.0, 525.0)
SQUARE = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], dtype=np.float64)

# So far may the corners of `SQUARE` move and leave it a convex quadrilateral.
shifts = st.tuples(*[st.floats(-2.5, 2.5)] * 8)


def moved(shift: tuple[float, ...]) -> Float64s:
    return np.asarray(100 * (SQUARE + np.reshape(shift, (4, 2))))


@pytest.mark.parametrize(
    ("corners", "way"),
    [
        pytest.param([(0, 0), (4, 0), (4, 3), (0, 3)], 1, id="as a board lies"),
        pytest.param([(4, 3), (0, 3), (0, 0), (4, 0)], 1, id="upside down"),
        pytest.param([(4, 0), (0, 0), (0, 3), (4, 3)], -1, id="mirrored"),
        pytest.param([(0, 0), (4, 0), (0, 3), (4, 3)], 0, id="crossed below"),
        pytest.param([(0, 0), (4, 3), (4, 0), (0, 3)], 0, id="crossed at the side"),
        pytest.param([(0, 0), (4, 0), (1, 1), (0, 4)], 0, id="concave"),
        pytest.param([(0, 0), (2, 0), (4, 0), (0, 3)], 0, id="three on a line"),
        pytest.param([(0, 0), (0, 0), (4, 3), (0, 3)], 0, id="two in one place"),
        pytest.param([(1, 1)] * 4, 0, id="one point"),
    ],
)
def test_turning(corners: list[tuple[float, float]], way: int) -> None:
    assert orientation(corners) == way


@given(shifts, st.integers(0, 3))
def test_turning_does_not_depend_on_the_first_corner_and_flips_with_the_mirror(
    shift: tuple[float, ...], first: int
) -> None:
    quad = moved(shift)
    assert orientation(np.roll(quad, first, axis=0)) == 1
    assert orientation(quad[::-1]) == -1
    assert orientation(quad * [-1, 1]) == -1


@given(shifts, st.floats(0, 1), st.floats(0, 1))
def test_a_homography_from_corners_leads_there_and_back(
    shift: tuple[float, ...], right: float, down: float
) -> None:
    frame_from_board = homography_from_corners(moved(shift), SIZE)
    assert np.allclose(project(frame_from_board, outline_mm(SIZE)), moved(shift), atol=1e-2)
    point = np.array([right, down]) * SIZE
    there = project(frame_from_board, point)
    assert np.allclose(project(np.linalg.inv(frame_from_board), there), point, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_the_homography_of_most_pairs_ignores_the_rest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    true = homography_from_corners(moved((1, 1, -2, 0, 0, 2, 1, -1)), SIZE)
    source = rng.uniform((0, 0), SIZE, (80, 2))
    target = project(true, source)
    target[:30] += rng.uniform(40, 90, (30, 2))
    result = homography_between(source, target, tolerance=2.0)
    assert result is not None
    target_from_source, agreeing = result
    assert agreeing.tolist() == [False] * 30 + [True] * 50
    off = project(target_from_source, outline_mm(SIZE)) - project(true, outline_mm(SIZE))
    assert np.abs(off).max() < 0.1


def test_too_few_pairs_and_pairs_on_one_line_have_no_useful_homography() -> None:
    assert homography_between(SQUARE[:3], SQUARE[:3], 1.0) is None
    line = np.outer(np.arange(20.0), (1.0, 2.0))
    result = homography_between(line, line, 1.0)
    assert result is None or abs(np.linalg.det(result[0])) < 1e-6
