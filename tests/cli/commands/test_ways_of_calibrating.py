"""`railspotter markers` and the ways in which `railspotter calibrate` finds a board."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import drawn
import numpy as np
import pytest
from marker_scenes import MarkedBoard, lens_sheet_photos, marked_board
from railspotter.calibration.arrays import Points
from railspotter.calibration.geometry import outline_mm
from railspotter.cli.command import main
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import save_picture

VIEW = CameraSetup((960, 720), tilt_deg=10, fill=0.78)


@cache
def marked() -> MarkedBoard:
    return marked_board(drawn.usa(), VIEW)


def run(*words: str | Path) -> int:
    try:
        return main([str(word) for word in words])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1


def corners_px() -> Points:
    corners = np.column_stack([outline_mm(drawn.usa().size_mm), np.zeros(4)])
    return np.asarray(marked().projection.project(corners))


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    save_picture(tmp_path / "photo.png", marked().picture)
    return tmp_path / "photo.png"


@pytest.mark.parametrize(
    ("words", "begins", "says"),
    [
        pytest.param(["-o", "a.pdf"], b"%PDF-1.4", b"any board", id="pdf"),
        pytest.param(["-o", "a.svg", "--paper", "letter"], b"<svg", b'width="215.9mm"', id="svg"),
        pytest.param(["-o", "a.x", "--format", "svg"], b"<svg", b"corner", id="by format"),
        pytest.param(["-o", "a.pdf", "--board", "usa"], b"%PDF", b"USA", id="for a board"),
        pytest.param(["-o", "a.pdf", "--charuco"], b"%PDF", b"lens", id="for a lens"),
    ],
)
def test_a_sheet_is_written(
    words: list[str], begins: bytes, says: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("markers", *words) == 0
    (sheet,) = tmp_path.iterdir()
    content = sheet.read_bytes()
    assert content.startswith(begins)
    assert says in content


@pytest.mark.parametrize(
    "words",
    [["-o", "no/such/folder.pdf"], [], ["-o", "a.pdf", "--paper", "a3"]],
    ids=["no folder", "no file", "no such paper"],
)
def test_a_sheet_that_cannot_be_written_is_2(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("markers", *words) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_board_with_markers_is_calibrated_and_then_read(
    home: Path, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("calibrate", photo, "--board", "usa", "--markers", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["way"] == "markers"
    assert np.hypot(*(np.array(told["corners_px"]) - corners_px()).T).max() < 1.5
    save_picture(photo.with_name("game.png"), drawn.game().picture)
    assert run("read", photo.with_name("game.png"), "--board", "usa", "--json") == 0
    assert json.loads(capsys.readouterr().out)["claims"] == drawn.CLAIMS


@pytest.mark.long
def test_several_photos_and_a_source(
    home: Path, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--board", "usa", "--markers"]
    assert run("calibrate", photo, photo, *words, "--profile", "two") == 0
    assert "found by the markers at its corners" in capsys.readouterr().out
    assert run("calibrate", "--source", photo, *words, "--profile", "watched") == 0
    assert ProfileStore(home).names() == ("two", "watched")


def test_photos_that_do_not_agree_are_refused(
    home: Path, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moved = photo.with_name("moved.png")
    save_picture(moved, np.roll(marked().picture, 25, axis=0))
    assert run("calibrate", photo, moved, "--board", "usa", "--markers") == 2
    assert "2 photos: the board or the camera moved" in capsys.readouterr().err
    assert ProfileStore(home).names() == ()


def test_corners_are_snapped_unless_asked_not_to(
    home: Path, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rough = corners_px() + np.array([(6, -5), (-7, 4), (5, 6), (-4, -6)])
    corners = [f"{x:.1f},{y:.1f}" for x, y in rough]
    words = ["calibrate", str(photo), "--board", "usa", "--corners", *corners, "--json"]
    assert run(*words, "--no-snap") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["way"] == "corners"
    assert np.array(told["corners_px"]) == pytest.approx(rough, abs=0.11)
    assert run(*words) == 0
    told = json.loads(capsys.readouterr().out)
    off, stayed = (np.hypot(*(np.array(at) - corners_px()).T) for at in (told["corners_px"], rough))
    assert np.all((off < 3.0) | (np.abs(off - stayed) < 0.15))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param([], "name a photo of the empty board", id="no photo"),
        pytest.param(["--markers", "nothing.png"], "no markers are seen", id="no markers"),
        pytest.param(["--source", "nothing"], "nothing", id="no source"),
        pytest.param(["--lens-from", "nothing.png"], "in 0 of 1 photos", id="no sheet"),
    ],
)
def test_what_cannot_be_found_is_said(
    words: list[str],
    said: str,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    save_picture(tmp_path / "nothing.png", drawn.texture((300, 400)))
    assert run("calibrate", "--board", "usa", *words) == 2
    assert said in capsys.readouterr().err
    assert ProfileStore(home).names() == ()


def test_a_cameras_lens_is_kept(calibrated: Path, tmp_path: Path) -> None:
    sheets = []
    for number, shown in enumerate(lens_sheet_photos((960, 720), -0.4, 1.3)):
        sheets.append(tmp_path / f"sheet{number}.png")
        save_picture(sheets[-1], shown.picture)
    names = [str(sheet) for sheet in sheets]
    words = ["calibrate", "--board", "usa", "--profile", "drawn", "--lens-from", *names]
    assert run(*words) == 0
    assert run(*words, "--camera", "webcam") == 0
    lenses = ProfileStore(calibrated).load("drawn").lenses
    assert set(lenses) == {"960x720", "webcam"}
    assert lenses["webcam"].views == len(sheets)
    assert abs(lenses["webcam"].stretch(np.ones(1))[0] - 1) > 0.02
