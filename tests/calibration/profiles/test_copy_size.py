"""A copy that is printed larger is read in its own millimetres, beside trains of the usual size."""

from functools import cache

import drawn
import numpy as np
import pytest
from railspotter.calibration.errors import CopySizeError
from railspotter.calibration.profiles.profile import (
    Profile,
    board_of_copy,
    is_of_board,
    scale_of_width,
)
from railspotter.calibration.profiles.profile_file import from_bytes, to_bytes
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.table.errors import HomeError
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.vision.printed.printed_board import PrintedBoard

LARGER = Copy(scale=1.25)
VIEW = CameraSetup((1400, 1050), tilt_deg=10)
CLAIMS = {"helena--seattle": "red", "denver--phoenix": "blue", "el-paso--houston": "black"}


@cache
def larger_copy(*, is_measured: bool) -> Profile:
    board = drawn.usa()
    photo = drawn.render(board, {}, VIEW, copy=LARGER, sensor=drawn.SENSOR)
    scale = scale_of_width(board, 795 * 1.25) if is_measured else None
    return make_profile(photo.picture, board, photo.corners_px, "large", "", scale=scale)


def test_a_measured_copy_has_its_own_millimetres() -> None:
    board, profile = drawn.usa(), larger_copy(is_measured=True)
    assert profile.size_mm == pytest.approx((993.75, 656.25))
    assert profile.reference.shape[:2] == (1312, 1988)
    assert is_of_board(profile, board)
    kept = from_bytes(to_bytes(profile))
    assert (kept.scale, kept.size_mm) == (1.25, profile.size_mm)
    offsets = np.array(list(profile.print_offsets_mm.values()))
    assert np.median(np.hypot(*offsets.T)) < 1.0
    printed = PrintedBoard.of(board, profile)
    assert printed.board.size_mm == profile.size_mm
    assert np.allclose(printed.size_mm, 1.25 * PrintedBoard.of(board, drawn.profile()).size_mm)


def test_the_board_of_a_copy_is_larger_in_every_part() -> None:
    board = drawn.usa()
    larger = board_of_copy(board, 1.25)
    assert larger.route_by_id["helena--seattle"].spaces[0].angle_deg == (
        board.route_by_id["helena--seattle"].spaces[0].angle_deg
    )
    for place, same in zip(larger.places, board.places, strict=True):
        assert place.xy_mm == pytest.approx(np.multiply(same.xy_mm, 1.25), abs=1e-3)
    for route, other in zip(larger.routes, board.routes, strict=True):
        for space, usual in zip(route.spaces, other.spaces, strict=True):
            assert space.xy_mm == pytest.approx(np.multiply(usual.xy_mm, 1.25), abs=1e-3)


def test_trains_on_a_larger_copy_are_looked_for_in_their_true_size() -> None:
    """A train fills less of a larger space, and its size in pixels follows from the copy's."""
    board, edition = drawn.usa(), load_edition("usa")
    photo = drawn.render(board, CLAIMS, VIEW, copy=LARGER, sensor=drawn.SENSOR)
    scorer = PhotoScorer(ReadingPlan(board, edition, larger_copy(is_measured=True)))
    found = scorer.find(photo.picture)
    assert isinstance(found, FoundBoard)
    assert np.abs(found.pose.corners_px - photo.corners_px).max() < 2
    assert drawn.read(found.view).claims == CLAIMS


def test_a_profile_of_another_size_of_the_board_file_is_refused() -> None:
    board = drawn.usa()
    other = board_of_copy(board, 1.25)
    assert not is_of_board(larger_copy(is_measured=True), other)
    assert is_of_board(larger_copy(is_measured=False), board)
    with pytest.raises(HomeError, match="another size of the board"):
        PhotoScorer(ReadingPlan(other, load_edition("usa"), larger_copy(is_measured=False)))


@pytest.mark.parametrize("width_mm", [79.5, 31.3, 0.0, -795.0, float("nan"), float("inf"), 1600.0])
def test_a_width_that_no_copy_has_is_refused(width_mm: float) -> None:
    with pytest.raises(CopySizeError, match="the usual one is 795 mm"):
        scale_of_width(drawn.usa(), width_mm)
