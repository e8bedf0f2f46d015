"""Warped boards are what their truth says, and the benchmark counts what they show."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import composed_boards
import numpy as np
import pytest
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import load_board
from railspotter.table.live_calibration.outlines import frame_points_px

from find_boards import SceneResult, table_lines
from finding import warped_boards
from finding.make_fingerprint import fingerprint_of
from finding.warped_boards import WarpedBoard, make_scene
from photos.labelled import PHOTOS, REFERENCE

# Seeds of scenes: little, something and a lot lies on the board; a wide lens; no board alone.
OPEN, WITH_A_CUP, COVERED, WIDE, MIRRORED, TWO, ALONE = 18, 63, 13, 7, 28, 42, 19


@pytest.fixture
def _one_photo(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Warp one photo, small, and no other: registering each takes its time."""
    monkeypatch.setattr(warped_boards, "BLANKS", {"usa": (composed_boards.BLANK,)})
    monkeypatch.setattr(warped_boards, "SIZES", ((1280, 960),))
    monkeypatch.setattr(warped_boards, "SIZE_SHARES", (1.0,))


@cache
def shown_by(seed: int) -> WarpedBoard:
    return make_scene(composed_boards.library(), seed)


@pytest.mark.long
@pytest.mark.usefixtures("_one_photo")
@pytest.mark.parametrize("seed", [WITH_A_CUP, WIDE])
def test_the_board_is_found_where_the_truth_has_it(seed: int) -> None:
    shown = shown_by(seed)
    assert (shown.view.k1 < -0.2) == (seed == WIDE)
    pose = find_by_print(shown.picture, composed_boards.library().profile)
    assert isinstance(pose, Pose), pose
    spaces = np.array([s.xy_mm for r in composed_boards.library().board.routes for s in r.spaces])
    off = shown.projection.board_points(frame_points_px(pose, spaces)) - spaces
    assert np.hypot(*off.T).max() < 0.8


@pytest.mark.long
@pytest.mark.usefixtures("_one_photo")
def test_some_scenes_show_no_board_and_some_hide_it() -> None:
    again = make_scene(composed_boards.library(), OPEN)
    assert np.array_equal(shown_by(OPEN).picture, again.picture)
    told = {seed: (shown_by(seed).kind, shown_by(seed).cover) for seed in (OPEN, COVERED)}
    assert told == {OPEN: ("board", "nothing"), COVERED: ("board", "hands and cards")}
    assert shown_by(OPEN).covered == 0 < shown_by(COVERED).covered
    assert (shown_by(ALONE).kind, shown_by(ALONE).covered) == ("table alone", 0)
    for seed, word in ((MIRRORED, "mirrored"), (TWO, "two boards")):
        found = find_by_print(shown_by(seed).picture, composed_boards.library().profile)
        assert word in str(getattr(found, "reason", ""))


FOUND = SceneResult(
    seed=0,
    kind="board",
    tilt_deg=12.0,
    turned_deg=170.0,
    size="640x480",
    lens="normal",
    covered=0.0,
    moved_px=0.0,
    troubles=("small",),
    is_found=True,
    off_mm=1.0,
    reason="",
    times_decoding=30.0,
)


def test_wrong_finds_and_right_refusals_are_counted() -> None:
    far = replace(FOUND, seed=3, off_mm=40.0, tilt_deg=45.0)
    lost = replace(FOUND, seed=4, is_found=False, off_mm=None, reason="too dark", lens="wide")
    alone = replace(lost, kind="table alone", troubles=("dark",))
    assert (far.is_wrong, FOUND.is_wrong, lost.is_wrong) == (True, False, False)
    assert replace(FOUND, kind="mirrored", off_mm=None).is_wrong
    lines = table_lines([FOUND, far, lost, alone])
    assert lines[1].split()[2:7] == ["3", "1", "1", "0", "1"]
    rows = {line[:20].strip(): line[20:].split() for line in lines}
    assert rows["tilted to 50 deg"][:5] == ["1", "0", "0", "0", "1"]
    assert rows["table alone"][:5] == ["1", "0", "1", "1", "0"]
    assert lines[-2:] == ["seed 3: board, found 40.0 mm off", "seed 4: board, too dark"]


@pytest.mark.long
@pytest.mark.usefixtures("photos")
def test_a_fingerprint_is_made_of_a_photo_from_above() -> None:
    fingerprint = fingerprint_of(PHOTOS / "usa" / REFERENCE, load_board("usa"))
    assert 2000 < len(fingerprint.features) < 2400  # some 2,200, so that the file stays small
