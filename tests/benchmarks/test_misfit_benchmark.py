"""The misfit that the benchmark prints is the one that is there, at spaces that had no say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import drawn
import numpy as np
import pytest
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import load_board

from misfit import (
    PhotoMisfit,
    SpaceMisfit,
    as_text,
    between_photos,
    find_without,
    free_spaces,
    misfits,
    space_misfit,
)
from photos.labelled import LabelledPhoto, labelled_photos, reference_profile

NO_BEND = np.zeros((1, 1, 2))
MEASURED = PhotoMisfit(
    photo="a",
    exposure="a",
    shoot="shoot-1",
    reference="blank",
    relation="an empty board, same evening",
    is_found=True,
    free=50,
    chosen=3,
    spaces=(SpaceMisfit("r", 0, (0.3, 0.4)), SpaceMisfit("r", 1, (0.0, 1.0))),
)


def true_pose() -> Pose:
    return Pose(drawn.empty().frame_from_board, NO_BEND, drawn.usa().size_mm, 0, 1.0)


@pytest.mark.parametrize("off_mm", [(0.0, 0.0), (1.3, -0.7), (-3.0, 2.0)])
def test_a_pose_that_is_off_is_measured_to_be(off_mm: tuple[float, float]) -> None:
    move = np.array([(1, 0, -off_mm[0]), (0, 1, -off_mm[1]), (0, 0, 1)])
    pose = replace(true_pose(), frame_from_board=true_pose().frame_from_board @ move)
    seen = [
        space_misfit(drawn.empty().picture, pose, drawn.profile(), route.spaces[0])
        for route in drawn.usa().routes[::6]
    ]
    measured = np.array([off for off in seen if off is not None])
    assert len(measured) > 0.9 * len(seen)
    assert np.abs(np.median(measured - off_mm, axis=0)).max() < 0.1
    assert np.quantile(np.hypot(*(measured - off_mm).T), 0.9) < 0.3


def test_under_trains_nothing_is_measured() -> None:
    board = drawn.usa()
    taken = [board.route_by_id[route].spaces[0] for route in drawn.GAME["black"]]
    seen = [space_misfit(drawn.game().picture, true_pose(), drawn.profile(), s) for s in taken]
    assert seen.count(None) >= len(seen) - 1


def test_free_spaces_are_those_that_labels_call_so() -> None:
    board = drawn.usa()
    spaces: dict[str, list[str | None]] = {
        route.id: [None] * len(route.spaces) for route in board.routes
    }
    spaces["denver--santa-fe"] = ["red"] * len(spaces["denver--santa-fe"])
    unlabelled = spaces.pop("el-paso--houston")
    truth = {"spaces": spaces, "stray_trains": [{"route": "chicago--duluth", "space": 1}]}
    free = free_spaces(LabelledPhoto(Path("x.jpg"), truth), board)
    names = {(route, space) for route, space, _ in free}
    all_spaces = sum(len(route.spaces) for route in board.routes)
    assert not {route for route, _ in names} & {"denver--santa-fe", "el-paso--houston"}
    assert ("chicago--duluth", 0) in names
    assert ("chicago--duluth", 1) not in names
    assert all_spaces - len(unlabelled) - 12 < len(free) < all_spaces - len(unlabelled)


def test_the_table_counts() -> None:
    other = replace(MEASURED, photo="b", relation="an empty board, another copy", shoot="shoot-5")
    lines = {line[:34].strip(): line[34:].split() for line in as_text([MEASURED, other])}
    assert lines["own copy, all"][:5] == ["1", "1", "3", "2", "0.75"]
    assert lines["own copy, all"][-2:] == ["1.00", "0"]


def test_what_two_photos_of_another_copy_share_is_their_print() -> None:
    first = replace(MEASURED, relation="an empty board, another copy")
    second = replace(first, spaces=(SpaceMisfit("r", 0, (0.3, 1.4)), SpaceMisfit("s", 0, (9, 9))))
    ((_, text),) = between_photos([first, second])
    assert "1 spaces, median 0.71" in text


def test_on_a_drawn_board_spaces_without_a_say_are_where_the_pose_has_them() -> None:
    board, frame = drawn.usa(), drawn.empty()
    spaces = [route.spaces[-1] for route in board.routes[::3]]
    pose = find_without(frame.picture, drawn.profile(), spaces)
    assert pose is not None
    seen = [space_misfit(frame.picture, pose, drawn.profile(), space) for space in spaces]
    assert np.median([np.hypot(*off) for off in seen if off is not None]) < 0.3


def test_on_a_photo_of_a_full_board_the_misfit_is_what_is_asked(photos: Path) -> None:
    board = load_board("usa")
    named = {photo.path.stem: photo for photo in labelled_photos(photos / "usa")}
    blank = named["blank_rectified_1500x990"]
    references = [(blank, reference_profile(blank.path, board, blank.corners_px))]
    measured = list(misfits(named["IMG_4152_1008"], board, references, 40))
    assert [one.reference for one in measured] == ["blank_rectified_1500x990", "fingerprint"]
    for one in measured:
        off = [space.far_mm for space in one.spaces]
        assert one.is_found
        assert one.chosen == 40
        assert len(off) >= 30
        assert np.median(off) < 0.7
        assert np.quantile(off, 0.95) < 1.5
