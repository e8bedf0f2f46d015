"""`railspotter render`: pictures for others, with truth that can be held against them."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from railspotter.cli.command import main
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import VirtualLens
from railspotter.table.photo_file import load_photo

import read_photos
from photos.labelled import labelled_photos

SMALL = ("--size", "400x300")


def render(out: Path, *words: str) -> int:
    return main(["render", "--out", str(out), *words])


def truths(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def lively(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lively") / "new" / "folder"
    assert render(folder, "--board", "usa", "--seed", "7", "--count", "5", *SMALL) == 0
    return folder


def test_a_game_is_shown_from_the_empty_board_to_its_end(lively: Path) -> None:
    names = [f"usa-7-{i:02}" for i in range(5)]
    assert sorted(contents(lively)) == sorted(
        [*(f"{n}.jpg" for n in names), *(f"{n}.json" for n in names)]
    )
    shown = truths(lively)
    assert [truth["photo"] for truth in shown] == [f"{name}.jpg" for name in names]
    claimed = [len(truth["claims"]) for truth in shown]
    assert claimed[0] == 0
    assert claimed == sorted(set(claimed)), "the game goes on from picture to picture"
    assert claimed[-1] > 30
    seconds = [truth["seconds"] for truth in shown]
    assert np.allclose(np.diff(seconds), seconds[1])


def test_the_truth_is_that_of_labelled_photos(lively: Path) -> None:
    usa = load_board("usa")
    for truth in truths(lively):
        picture = load_photo(lively / truth["photo"])
        assert truth["size_px"] == [400, 300] == [*picture.shape[1::-1]]
        assert {*truth["spaces"]} == {route.id for route in usa.routes}
        for route, spaces in truth["spaces"].items():
            assert len(spaces) == usa.route_by_id[route].length
            assert (route in truth["claims"]) == any(spaces)
            assert (route in truth["half_filled_routes"]) == (any(spaces) and None in spaces)
        assert {*truth["hidden"]} <= {*truth["spaces"]}
    assert len(labelled_photos(lively)) == 5


def test_pose_and_lens_lead_to_the_corners(lively: Path) -> None:
    width, height = load_board("usa").size_mm
    outline = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], np.float64)
    for truth in truths(lively):
        lens = truth["lens"]
        straight = cv2.perspectiveTransform(outline, np.array(truth["frame_from_board"]))[0]
        bent = VirtualLens(
            lens["focal_px"], tuple(lens["centre_px"]), lens["k1"], lens["k2"]
        ).distort(straight)
        # The fold, which lifts the board by up to 3 mm, is no part of these two.
        assert np.abs(bent - truth["corners_px"]).max() < 1.0


def test_the_same_seed_gives_the_same_bytes(lively: Path, tmp_path: Path) -> None:
    again, other = tmp_path / "again", tmp_path / "other"
    assert render(again, "--board", "usa", "--seed", "7", "--count", "5", *SMALL) == 0
    assert contents(again) == contents(lively)
    assert render(other, "--board", "usa", "--seed", "8", "--count", "1", *SMALL) == 0
    assert contents(other)["usa-8-00.jpg"] != contents(lively)["usa-7-00.jpg"]


@pytest.mark.parametrize(
    ("board", "edition", "word"),
    [
        ("usa", "usa-accessible", "shape"),
        ("europe", "europe", "station"),
        ("newyork", "newyork", "taxi"),
    ],
)
def test_every_measured_board_can_be_drawn(
    tmp_path: Path, board: str, edition: str, word: str
) -> None:
    named = "--board", board, "--edition", edition, "--seed", "2"
    assert render(tmp_path, *named, "--count", "2", "--scene", "plain", *SMALL) == 0
    first, last = truths(tmp_path)
    assert first["claims"] == {}
    assert len(last["claims"]) > 5
    assert last["half_filled_routes"] == []
    assert bool(last["stations"]) == (word == "station")
    assert first["hidden"] == last["hidden"] == {}


def test_what_is_there_is_overwritten_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "usa-0-00.json"
    mine.write_text("mine")
    asked = "--board", "usa", "--count", "1", *SMALL
    assert render(tmp_path, *asked) == 2
    assert "is there already" in capsys.readouterr().err
    assert contents(tmp_path) == {"usa-0-00.json": b"mine"}
    assert render(tmp_path, *asked, "--force") == 0
    assert json.loads(mine.read_text("utf-8"))["board"] == "usa"
    assert sorted(contents(tmp_path)) == ["usa-0-00.jpg", "usa-0-00.json"]


@pytest.mark.long
def test_the_benchmark_judges_the_pictures(tmp_path: Path) -> None:
    given = "--board", "usa", "--count", "2", "--scene", "plain", "--size", "1000x700"
    assert render(tmp_path, *given) == 0
    first = str(tmp_path / "usa-0-00.jpg")
    result = tmp_path / "result"
    asked = ["--photos", str(tmp_path), "--profile-from", first, "--json", str(result)]
    assert read_photos.main(asked) == 0
    (judged,) = json.loads(result.read_bytes())["boards"][0]["photos"]
    assert judged["photo"] == "usa-0-01.jpg"
    assert judged["corner_mm"] < 2
    assert judged["answers"]["routes"] == len(load_board("usa").routes)
