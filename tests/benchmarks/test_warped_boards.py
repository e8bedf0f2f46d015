"""Warped boards are what their truth says, and the benchmark on them counts what it shows."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import composed_boards
import cv2
import numpy as np
import numpy.typing as npt
import pytest
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.geometry import project
from railspotter.calibration.pose import Pose

from composed.registration import register
from find_boards import Found, as_text, print_at
from finding import warped_boards
from finding.warped_boards import WarpedBoard, scene

pytestmark = pytest.mark.long


@pytest.fixture
def _one_photo(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Warp one photo, small, and no other: registering each takes its time."""
    monkeypatch.setattr(warped_boards, "BLANKS", {"usa": (composed_boards.BLANK,)})
    monkeypatch.setattr(warped_boards, "SIZES", ((1280, 960),))
    monkeypatch.setattr(warped_boards, "SIZE_SHARES", (1.0,))


# Seeds of scenes: little, something and a lot lies on the board; a wide lens; no board alone.
OPEN, WITH_A_CUP, COVERED, WIDE, MIRRORED, TWO, ALONE = 18, 63, 13, 7, 28, 42, 19


@cache
def shown_by(seed: int) -> WarpedBoard:
    return scene(composed_boards.library(), seed)


@pytest.mark.usefixtures("_one_photo")
def test_the_board_is_where_the_truth_has_it() -> None:
    shown = shown_by(OPEN)
    grid = np.stack(np.meshgrid(np.arange(20, 780, 1.0), np.arange(20, 510, 1.0)), axis=-1)
    flat = np.column_stack([grid.reshape(-1, 2), np.zeros(grid.size // 2)])
    at_px = shown.projection.project(flat).astype(np.float32).reshape(grid.shape)
    seen = cv2.remap(shown.picture, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR)
    above = composed_boards.library().rectified(composed_boards.BLANK)
    at = (grid * composed_boards.library().px_per_mm - 0.5).astype(np.float32)
    true = cv2.remap(above, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    assert alike(seen, true) > 0.85
    assert alike(np.roll(seen, 3, axis=1), true) < alike(seen, true) - 0.05


def alike(first: npt.NDArray[np.generic], second: npt.NDArray[np.generic]) -> float:
    a, b = (cv2.cvtColor(np.asarray(p, np.uint8), cv2.COLOR_BGR2GRAY) for p in (first, second))
    fine = [np.asarray(p, np.float32) - cv2.GaussianBlur(p, (0, 0), 20) for p in (a, b)]
    return float(np.corrcoef(fine[0].ravel(), fine[1].ravel())[0, 1])


@pytest.mark.usefixtures("_one_photo")
def test_a_warped_board_is_registered_to_a_fraction_of_a_millimetre() -> None:
    shown = shown_by(WITH_A_CUP)
    assert abs(shown.view.k1) < 0.05, "a wide lens is no matter of this test: take another seed"
    found = register(shown.picture, composed_boards.library().profile)
    maps = np.stack(found.maps(composed_boards.library().px_per_mm), axis=-1)
    points = np.array([(x, y) for x in (150.0, 400.0, 650.0) for y in (120.0, 260.0, 400.0)])
    at = np.rint(points * composed_boards.library().px_per_mm - 0.5).astype(int)
    true_mm = (at + 0.5) / composed_boards.library().px_per_mm
    true_px = shown.projection.project(np.column_stack([true_mm, np.zeros(len(at))]))
    board_from_frame = np.linalg.inv(shown.frame_from_board)
    off = project(board_from_frame, maps[at[:, 1], at[:, 0]]) - project(board_from_frame, true_px)
    assert np.median(np.hypot(*off.T)) < 0.4


@pytest.mark.usefixtures("_one_photo")
def test_a_seed_is_a_scene() -> None:
    again = scene(composed_boards.library(), OPEN)
    first, other = shown_by(OPEN), shown_by(COVERED)
    assert np.array_equal(first.picture, again.picture)
    assert np.array_equal(first.corners_px, again.corners_px)
    assert not np.array_equal(first.picture, other.picture)


@pytest.mark.usefixtures("_one_photo")
def test_some_scenes_show_no_board_and_some_hide_it() -> None:
    open_board, covered, alone = shown_by(OPEN), shown_by(COVERED), shown_by(ALONE)
    assert (open_board.kind, open_board.cover, open_board.covered) == ("board", "nothing", 0)
    assert (covered.kind, covered.cover) == ("board", "hands and cards")
    assert covered.covered > 0.02
    assert (alone.kind, alone.covered) == ("table alone", 0)


@pytest.mark.usefixtures("_one_photo")
def test_a_mirrored_board_is_the_picture_of_one_turned_over() -> None:
    shown = shown_by(MIRRORED)
    assert shown.kind == "mirrored"
    found = find_board(shown.picture, composed_boards.library().profile)
    assert not found
    assert "mirrored" in str(getattr(found, "reason", ""))


@pytest.mark.usefixtures("_one_photo")
def test_two_boards_are_no_board() -> None:
    found = find_board(shown_by(TWO).picture, composed_boards.library().profile)
    assert "two boards" in str(getattr(found, "reason", ""))


@pytest.mark.usefixtures("_one_photo")
def test_through_a_wide_lens_every_space_is_found() -> None:
    shown = shown_by(WIDE)
    assert shown.view.k1 < -0.2
    pose = find_board(shown.picture, composed_boards.library().profile)
    assert isinstance(pose, Pose), pose
    assert pose.lens is not None
    spaces = np.array([s.xy_mm for r in composed_boards.library().board.routes for s in r.spaces])
    off = shown.projection.board_points(print_at(pose, spaces)) - spaces
    assert np.hypot(*off.T).max() < 0.8


FOUND = Found(
    seed=0,
    kind="board",
    tilt_deg=12.0,
    turned_deg=170.0,
    size="640x480",
    lens="normal",
    cover="nothing",
    covered=0.0,
    moved_px=0.0,
    jpeg_quality=80,
    troubles=("small",),
    is_found=True,
    off_mm=1.0,
    corner_mm=1.0,
    reason="",
    times_decoding=30.0,
)


@pytest.mark.parametrize(
    ("found", "is_wrong"),
    [
        (FOUND, False),
        (replace(FOUND, off_mm=2.0), False),
        (replace(FOUND, off_mm=40.0), True),
        (replace(FOUND, is_found=False, off_mm=None, reason="no board"), False),
        (replace(FOUND, kind="mirrored", off_mm=None), True),
        (replace(FOUND, kind="mirrored", is_found=False, off_mm=None), False),
    ],
    ids=["right", "not well", "far off", "not found", "in the mirror", "not in the mirror"],
)
def test_a_wrong_find_is_told_from_none(found: Found, is_wrong: bool) -> None:
    assert found.is_wrong is is_wrong


def test_a_refusal_is_right_when_it_names_a_trouble_of_the_scene() -> None:
    lost = replace(FOUND, is_found=False, off_mm=None, reason="the board is too small")
    assert lost.is_refused_rightly
    assert not replace(lost, troubles=("blurred",)).is_refused_rightly
    assert not FOUND.is_refused_rightly


def test_the_table_counts() -> None:
    far = replace(FOUND, seed=3, off_mm=40.0, tilt_deg=45.0)
    lost = replace(FOUND, seed=4, is_found=False, off_mm=None, reason="too dark", lens="wide")
    alone = replace(lost, kind="table alone", troubles=("dark",))
    lines = as_text([FOUND, far, lost, alone])
    assert lines[1].split()[:7] == ["all", "boards", "3", "1", "1", "0", "1"]
    assert lines[1].split()[7:] == ["20.50", "36.10", "40.00", "30"]
    rows = {line[:20].strip(): line[20:].split() for line in lines}
    assert rows["tilted to 50 deg"][:5] == ["1", "0", "0", "0", "1"]
    assert rows["table alone"][:5] == ["1", "0", "1", "1", "0"]
    assert lines[-2:] == ["seed 3: board, found 40.0 mm off", "seed 4: board, too dark"]
