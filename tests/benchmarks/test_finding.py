"""Warped and pushed boards are what their truth says, and the benchmarks count what they show."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import composed_boards
import drawn
import numpy as np
import pytest
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.scene import BoardShift

import drift
import find_boards
import misfit
from composed.registration import register
from find_boards import Found, as_text, print_at
from finding import warped_boards
from finding.make_fingerprint import fingerprint_of
from finding.warped_boards import WarpedBoard, scene
from photos.labelled import PHOTOS, REFERENCE, LabelledPhoto, labelled_photos, reference_profile

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
    return scene(composed_boards.library(), seed)


@pytest.mark.long
@pytest.mark.usefixtures("_one_photo")
@pytest.mark.parametrize("seed", [WITH_A_CUP, WIDE])
def test_the_board_is_found_where_the_truth_has_it(seed: int) -> None:
    shown = shown_by(seed)
    assert (shown.view.k1 < -0.2) == (seed == WIDE)
    pose = find_board(shown.picture, composed_boards.library().profile)
    assert isinstance(pose, Pose), pose
    spaces = np.array([s.xy_mm for r in composed_boards.library().board.routes for s in r.spaces])
    off = shown.projection.board_points(print_at(pose, spaces)) - spaces
    assert np.hypot(*off.T).max() < 0.8


@pytest.mark.long
@pytest.mark.usefixtures("_one_photo")
def test_a_warped_board_is_registered_to_a_fraction_of_a_millimetre() -> None:
    shown, library = shown_by(WITH_A_CUP), composed_boards.library()
    maps = np.stack(register(shown.picture, library.profile).maps(library.px_per_mm), axis=-1)
    points = np.array([(x, y) for x in (150.0, 400.0, 650.0) for y in (120.0, 260.0, 400.0)])
    at = np.rint(points * library.px_per_mm - 0.5).astype(int)
    seen_mm = shown.projection.board_points(maps[at[:, 1], at[:, 0]].astype(np.float64))
    assert np.median(np.hypot(*(seen_mm - (at + 0.5) / library.px_per_mm).T)) < 0.4


@pytest.mark.long
@pytest.mark.usefixtures("_one_photo")
def test_some_scenes_show_no_board_and_some_hide_it() -> None:
    again = scene(composed_boards.library(), OPEN)
    assert np.array_equal(shown_by(OPEN).picture, again.picture)
    told = {seed: (shown_by(seed).kind, shown_by(seed).cover) for seed in (OPEN, COVERED)}
    assert told == {OPEN: ("board", "nothing"), COVERED: ("board", "hands and cards")}
    assert shown_by(OPEN).covered == 0 < shown_by(COVERED).covered
    assert (shown_by(ALONE).kind, shown_by(ALONE).covered) == ("table alone", 0)
    for seed, word in ((MIRRORED, "mirrored"), (TWO, "two boards")):
        found = find_board(shown_by(seed).picture, composed_boards.library().profile)
        assert word in str(getattr(found, "reason", ""))


FOUND = Found(
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
    lines = as_text([FOUND, far, lost, alone])
    assert lines[1].split()[2:7] == ["3", "1", "1", "0", "1"]
    rows = {line[:20].strip(): line[20:].split() for line in lines}
    assert rows["tilted to 50 deg"][:5] == ["1", "0", "0", "0", "1"]
    assert rows["table alone"][:5] == ["1", "0", "1", "1", "0"]
    assert lines[-2:] == ["seed 3: board, found 40.0 mm off", "seed 4: board, too dark"]


@pytest.mark.long
@pytest.mark.usefixtures("_one_photo")
def test_a_scene_is_found_by_the_fingerprint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept"
    asked = ["--scenes", "1", "--seed", str(OPEN), "--fingerprint", "--keep", str(kept)]
    for _ in range(2):
        assert find_boards.main(asked) == 0
        assert capsys.readouterr().out.splitlines()[1].split()[:3] == ["all", "boards", "1"]
    assert len(kept.read_bytes().splitlines()) == 1


@pytest.mark.long
@pytest.mark.usefixtures("photos")
def test_a_fingerprint_is_made_of_a_photo_from_above() -> None:
    fingerprint = fingerprint_of(PHOTOS / "usa" / REFERENCE, load_board("usa"))
    assert 2000 < len(fingerprint.features) <= 2200


@pytest.mark.parametrize("off_mm", [(0.0, 0.0), (1.3, -0.7)])
def test_a_pose_that_is_off_is_measured_to_be(off_mm: tuple[float, float]) -> None:
    move = np.array([(1, 0, -off_mm[0]), (0, 1, -off_mm[1]), (0, 0, 1)])
    frame_from_board = drawn.empty().frame_from_board @ move
    pose = Pose(frame_from_board, np.zeros((1, 1, 2)), drawn.usa().size_mm, 0, 1.0)
    seen = [
        misfit.space_misfit(drawn.empty().picture, pose, drawn.profile(), route.spaces[0])
        for route in drawn.usa().routes[::6]
    ]
    measured = np.array([off for off in seen if off is not None])
    assert len(measured) > 0.9 * len(seen)
    assert np.abs(np.median(measured - off_mm, axis=0)).max() < 0.1


def test_free_spaces_are_those_that_labels_call_so() -> None:
    board = drawn.usa()
    spaces: dict[str, list[str | None]] = {
        route.id: [None] * len(route.spaces) for route in board.routes
    }
    spaces["denver--santa-fe"] = ["red"] * len(spaces["denver--santa-fe"])
    spaces.pop("el-paso--houston")
    truth = {"spaces": spaces, "stray_trains": [{"route": "chicago--duluth", "space": 1}]}
    free = misfit.free_spaces(LabelledPhoto(Path("x.jpg"), truth), board)
    names = {(route, space) for route, space, _ in free}
    assert not {route for route, _ in names} & {"denver--santa-fe", "el-paso--houston"}
    assert ("chicago--duluth", 0) in names
    assert ("chicago--duluth", 1) not in names


def test_on_a_photo_of_a_full_board_the_misfit_is_what_is_asked(photos: Path) -> None:
    board = load_board("usa")
    named = {photo.path.stem: photo for photo in labelled_photos(photos / "usa")}
    blank = named["blank_rectified_1500x990"]
    references = [(blank, reference_profile(blank.path, board, blank.corners_px))]
    measured = dict(misfit.misfits(named["IMG_4152_1008"], board, references, 40))
    assert list(measured) == ["an empty board, another evening", "the fingerprint"]
    for off_mm in measured.values():
        assert off_mm is not None
        assert len(off_mm) >= 30
        assert np.median(off_mm) < 0.7
        assert np.quantile(off_mm, 0.95) < 1.5


PUSH = drift.Push(BoardShift(10.0, 0.0, 4.0), moving_s=0.4, hand=None)


def test_pushes_are_of_every_kind_and_end_where_they_say() -> None:
    assert PUSH.at(drift.STILL_S - 0.1) == BoardShift()
    assert PUSH.at(drift.STILL_S + 0.5) == PUSH.nudge
    pushes = [drift.push_of(np.random.default_rng([1, number])) for number in range(60)]
    assert {push.band for push in pushes} == set(drift.BANDS)


@pytest.mark.parametrize(
    ("off", "late_s", "again_s", "is_for_good"),
    [
        ((0.3, 0.2, 0.2), 0.0, 0.0, False),
        ((5.0, None, 0.2), 0.1, 0.2, False),
        ((None, 0.2, 5.0), 0.3, np.inf, True),
        ((*[3.0] * 6, 0.2), 0.6, 0.6, True),
        ((None, None, None), 0.0, np.inf, False),
    ],
    ids=["followed", "late", "wrong in the end", "wrong for long", "never found again"],
)
def test_wrong_poses_are_counted(
    off: tuple[float | None, ...], late_s: float, again_s: float, is_for_good: bool
) -> None:
    times = drift.STILL_S + 0.1 * np.arange(-2, len(off))
    rows = list(zip(times.tolist(), [None, 0.2, *off], strict=True))
    one = drift.drift_of("rendered", drift.Push(BoardShift(10.0), 0.0, None), rows)
    assert one.late_s == pytest.approx(late_s)
    assert one.again_s == pytest.approx(again_s)
    assert one.is_wrong_for_good is is_for_good
    assert drift.as_text([one])[1].split()[2:4] == ["1", str(int(is_for_good))]


@pytest.mark.long
def test_no_wrong_pose_is_claimed_of_a_drawn_board_that_is_pushed_or_turned_round() -> None:
    take, profile = drift.rendered((960, 540))
    for push in (PUSH, drift.Push(BoardShift(0.0, 0.0, 180.0), 0.0, None)):
        one = drift.drift("rendered", take, profile, push)
        assert one.late_s == 0
        assert one.worst_mm < 2.0
        assert one.again_s <= 1.2
