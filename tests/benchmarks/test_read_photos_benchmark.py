"""The benchmark counts what its table says it counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn import render
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame
from railspotter.table.photo_file import to_jpeg

from photos.judgement import (
    JudgedPhoto,
    Seconds,
    WrongRoute,
    judge,
    judge_stations,
    worst_corner_mm,
)
from photos.labelled import LabelledPhoto
from photos.report import BoardRun, as_text
from photos.summary import groups_of, summarise
from read_photos import main

SECONDS = Seconds(load=0.1, yardstick=0.05, find=0.5, read=0.25, score=0.25)
ROUTES = ("a--b", "b--c", "c--d", "d--e", "e--f")
# Of the five routes one is claimed, one free, one free with a stray train on it, one half filled,
# and one has no label.
SPACES = {
    "a--b": ["red", "red"],
    "b--c": [None, None, None],
    "c--d": [None, "blue", None],
    "d--e": ["green", None],
}


def photo(name: str = "IMG_1_1920", **truth: Any) -> LabelledPhoto:
    return LabelledPhoto(
        Path(f"{name}.jpg"),
        {
            "board": "usa",
            "shoot": "shoot-2",
            "state": "D",
            "size_px": [1920, 1440],
            "claims": {"a--b": "red", "d--e": "green"},
            "spaces": SPACES,
            "half_filled_routes": ["d--e"],
        }
        | truth,
    )


def judged(
    labelled: LabelledPhoto,
    claims: dict[str, str] | None = None,
    doubted: tuple[str, ...] = (),
    corner_mm: float = 1.0,
) -> JudgedPhoto:
    answers = judge(labelled, ROUTES, {"a--b": "red"} if claims is None else claims, doubted)
    return JudgedPhoto(labelled, None, corner_mm, answers, SECONDS)


def not_found(labelled: LabelledPhoto) -> JudgedPhoto:
    return JudgedPhoto(labelled, "no board is to be seen", None, None, SECONDS)


def test_half_filled_and_unlabelled_routes_are_left_out() -> None:
    answers = judge(photo(), ROUTES, {"a--b": "red", "e--f": "blue"}, ["d--e", "e--f"])
    assert (answers.routes, answers.routes_right, answers.unlabelled) == (3, 3, 1)
    assert (answers.spaces, answers.spaces_right) == (8, 7), "the stray train's space is missed"
    assert (answers.half_filled, answers.half_filled_doubted, answers.doubts) == (1, 1, 2)
    assert answers.is_right


def test_a_wrong_route_is_certain_unless_it_is_asked_about() -> None:
    answers = judge(photo(), ROUTES, {"a--b": "blue", "b--c": "red"}, ["b--c"])
    assert answers.wrong == (
        WrongRoute("a--b", "blue", "red", doubted=False),
        WrongRoute("b--c", "red", None, doubted=True),
    )
    assert answers.wrong_and_certain == 1
    assert (answers.spaces, answers.spaces_right) == (8, 2)


def test_stations_are_missed_invented_or_of_a_wrong_colour() -> None:
    labelled = photo(stations={"a": "red", "b": "blue", "c": "green"})
    said = {"a": "red", "b": "red", "d": "blue"}
    answers = judge_stations(labelled, "abcde", said, ["d", "e"])
    assert answers is not None
    assert (answers.right, answers.stations, answers.places, answers.doubts) == (1, 3, 5, 2)
    assert (answers.missed, answers.invented, answers.wrong_colour) == (1, 1, 1)
    assert [(wrong.place, wrong.doubted) for wrong in answers.wrong] == [
        ("b", False),
        ("c", False),
        ("d", True),
    ]


def test_stations_that_nobody_labelled_are_not_judged_but_empty_boards_have_none() -> None:
    assert judge_stations(photo(stations=None), "ab", {"a": "red"}, []) is None
    empty = judge_stations(photo(stations=None, claims={}), "ab", {"a": "red"}, [])
    assert empty is not None
    assert empty.invented == 1


def test_corners_are_compared_in_millimetres_on_the_board() -> None:
    true_px = np.array([[100, 100], [900, 100], [900, 500], [100, 500]])
    assert worst_corner_mm(true_px, true_px, (400, 200)) == pytest.approx(0, abs=1e-6)
    found = true_px + np.array([[0, 0], [0, 0], [6, 8], [1, 0]])
    assert worst_corner_mm(found, true_px, (400, 200)) == pytest.approx(5)


def test_a_pixel_at_the_far_edge_is_more_millimetres() -> None:
    seen_from_the_front = np.array([[300, 100], [700, 100], [900, 500], [100, 500]])
    far = worst_corner_mm(
        seen_from_the_front - [[4, 0], [0, 0], [0, 0], [0, 0]], seen_from_the_front, (400, 200)
    )
    near = worst_corner_mm(
        seen_from_the_front - [[0, 0], [0, 0], [0, 0], [4, 0]], seen_from_the_front, (400, 200)
    )
    assert near == pytest.approx(2, rel=0.05)
    assert far == pytest.approx(4, rel=0.05)


def test_an_exposure_in_two_sizes_counts_once() -> None:
    row = summarise(
        "all",
        [
            judged(photo("IMG_1_1008"), {}, corner_mm=1.0),
            judged(photo("IMG_1_1920"), corner_mm=3.0),
            judged(photo("IMG_2_1920"), doubted=("b--c", "d--e"), corner_mm=4.0),
        ],
    )
    assert (row.exposures, row.files, row.found, row.all_right) == (2, 3, 2, 1.5)
    assert row.routes_right == pytest.approx((2 / 2 + 3 / 2 + 3) / 6)
    assert row.wrong_and_certain == pytest.approx(0.25)
    assert row.doubts == pytest.approx(1.0)
    assert row.corners is not None
    assert (row.corners.median, row.corners.most) == (3.0, 4.0)
    assert row.seconds.total == pytest.approx(1.0)
    assert row.seconds.ratio == pytest.approx(20.0)


def test_a_board_not_found_is_no_reading() -> None:
    row = summarise("all", [judged(photo("IMG_1_1920")), not_found(photo("IMG_2_1920"))])
    assert (row.exposures, row.found, row.all_right, row.routes_right) == (2, 1, 1, 1.0)
    assert summarise("all", [not_found(photo())]).corners is None


def test_coarse_truth_stands_for_itself_only() -> None:
    fine, coarse = photo("IMG_1_1920"), photo("other_1_1920", shoot="shoot-5")
    both = [judged(fine, corner_mm=1.0), judged(coarse, corner_mm=7.0)]
    together, apart = (summarise("", group).corners for group in (both, both[1:]))
    assert together is not None
    assert together.most == 1.0
    assert apart is not None
    assert apart.most == 7.0


def test_groups_keep_apart_what_was_fitted_to() -> None:
    blank = photo("IMG_2_1008", claims={}, shoot="shoot-1", state="E", size_px=[1008, 756])
    groups = groups_of([judged(photo()), judged(blank)], ["shoot-2"])
    names = {name: [p.photo.path.stem for p in group] for name, group in groups.items()}
    assert names == {
        "all": ["IMG_1_1920", "IMG_2_1008"],
        "occupied": ["IMG_1_1920"],
        "blank": ["IMG_2_1008"],
        "held out": ["IMG_2_1008"],
        "shoot-1": ["IMG_2_1008"],
        "shoot-2 (fitted)": ["IMG_1_1920"],
        "state D": ["IMG_1_1920"],
        "state E": ["IMG_2_1008"],
        "size 1008": ["IMG_2_1008"],
        "size 1920": ["IMG_1_1920"],
    }


def test_the_report_names_every_wrong_route() -> None:
    empty = photo("IMG_2_1920", claims={}, half_filled_routes=[])
    photos = (
        judged(photo(), {"b--c": "red"}, doubted=("b--c",)),
        judged(empty, {"b--c": "blue"}),
        not_found(photo("IMG_3_1920")),
    )
    run = BoardRun("usa", "blank.jpg", ("shoot-2",), photos)
    text = "\n".join(as_text(run))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "IMG_1_1920.jpg a--b said free, is red CERTAIN" in lines
    assert "IMG_1_1920.jpg b--c said red, is free doubted" in lines
    assert "False claims on empty boards: 1 on 1, 0 of them doubted" in lines
    assert "Half-filled routes, left out of the count: 1, 0 of them doubted" in lines
    assert "Not found: IMG_3_1920.jpg: no board is to be seen" in lines
    assert "fitted to shoot-2" in text


def save(folder: Path, name: str, frame: RenderedFrame) -> Path:
    """Put a drawn photo and its truth where the benchmark looks for them."""
    path = folder / f"{name}.jpg"
    path.write_bytes(to_jpeg(frame.picture))
    truth = {
        "board": "usa",
        "photo": path.name,
        "size_px": frame.picture.shape[1::-1],
        "corners_px": frame.corners_px.tolist(),
        "claims": dict(frame.claims),
        "spaces": {route: list(spaces) for route, spaces in frame.spaces.items()},
    }
    path.with_suffix(".json").write_text(json.dumps(truth), "utf-8")
    return path


def test_a_drawn_board_is_found_read_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = load_board("usa")
    empty = save(tmp_path, "empty", render(board, {}, CameraSetup(tilt_deg=0)))
    save(tmp_path, "played", render(board, {"duluth--helena": "blue"}, CameraSetup(tilt_deg=15)))
    said = tmp_path / "said.json"
    asked = ["--photos", str(tmp_path), "--profile-from", str(empty), "--json", str(said)]
    assert main(asked) == 0
    run = json.loads(said.read_text("utf-8"))["boards"][0]
    (played,) = run["photos"]
    assert played["photo"] == "played.jpg"
    assert played["found"]
    assert played["corner_mm"] < 3
    assert played["answers"]["routes"] == len(board.routes)
    assert played["answers"]["routes_right"] >= 97
    printed = capsys.readouterr().out
    assert "# usa: profile from empty.jpg" in printed
    assert "Peak memory" in printed


def test_a_folder_without_photos_is_said_to_be_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--photos", str(tmp_path)]) == 2
    assert "no photos to read" in capsys.readouterr().err
