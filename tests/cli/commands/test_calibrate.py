"""`railspotter calibrate` and `markers`: the board found, its quality, lenses and nudges."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import drawn
import numpy as np
import numpy.typing as npt
import pytest
from drawn import render
from marker_scenes import MarkedBoard, lens_sheet_photos, marked_board
from railspotter.calibration.arrays import Points
from railspotter.calibration.geometry import outline_mm
from railspotter.calibration.lenses.lens import no_lens
from railspotter.calibration.profiles.profile import CameraMode, LearnedColour, with_user_data_of
from railspotter.cli.command import main
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import load_photo, save_picture

ROUTE = "helena--seattle"
RIGHT, BOTTOM = drawn.WIDTH - 1, drawn.HEIGHT - 1
GIVEN = ("--no-snap", "--corners", "0,0", f"{RIGHT},0", f"{RIGHT},{BOTTOM}", f"0,{BOTTOM}")
ROUGHLY_PX = np.array([(6, -5), (-7, 4), (5, 6), (-4, -6)])  # how far off a person points
Calibrate = Callable[..., dict[str, Any]]


def calibrate(*words: object) -> int:
    return main(["calibrate", "--board", "usa", *map(str, words)])


@pytest.fixture
def told(home: Path, capsys: pytest.CaptureFixture[str]) -> Calibrate:
    """Calibrates, and returns what is told in JSON."""

    def run(*words: object) -> dict[str, Any]:
        capsys.readouterr()
        assert calibrate("--json", *words) == 0
        read: dict[str, Any] = json.loads(capsys.readouterr().out)
        return read

    return run


def as_words(corners_px: npt.ArrayLike) -> list[str]:
    return [f"{x:.1f},{y:.1f}" for x, y in np.asarray(corners_px)]


@cache
def marked() -> MarkedBoard:
    return marked_board(drawn.usa(), CameraSetup((960, 720), tilt_deg=10, fill=0.78))


def marked_corners() -> Points:
    corners = np.column_stack([outline_mm(drawn.usa().size_mm), np.zeros(4)])
    return np.asarray(marked().projection.project(corners))


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A photo of the empty board with markers at its corners."""
    save_picture(tmp_path / "photo.png", marked().picture)
    return tmp_path / "photo.png"


@pytest.mark.parametrize(
    ("words", "begins", "says"),
    [
        ("-o a.pdf", b"%PDF-1.4", b"any board"),
        ("-o a.svg --paper letter", b"<svg", b'width="215.9mm"'),
        ("-o a.x --format svg", b"<svg", b"corner"),
        ("-o a.pdf --board usa", b"%PDF", b"USA"),
        ("-o a.pdf --charuco", b"%PDF", b"lens"),
    ],
)
def test_a_sheet_is_written(
    words: str, begins: bytes, says: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["markers", *words.split()]) == 0
    (sheet,) = tmp_path.iterdir()
    content = sheet.read_bytes()
    assert content.startswith(begins)
    assert says in content


def test_a_good_profile_is_called_so_and_what_people_said_of_the_last_one_is_kept(
    home: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lilac = LearnedColour("lilac", swatch=(200, 160, 220))
    seen = LearnedColour("red", "warm", ((42.0, 43.0, 31.0),), count=1)
    nudges = {"helena--seattle#2": (0.5, -1.0)}
    older = replace(
        drawn.profile(),
        name="attic",
        nudges_mm=nudges,
        colours={
            "lilac": (replace(lilac, observations=((70.0, 20.0, -20.0),), count=4),),
            "red": (seen,),
        },
        lenses={"webcam": no_lens((1280, 720))},
    )
    ProfileStore(home).save(older)
    spaces = tmp_path / "spaces.png"
    named = ("--profile", "attic", "--annotate", spaces)
    assert calibrate(pictures / "empty.png", *GIVEN, *named) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert str(home / "profiles" / "attic.npz") in out
    assert "its quality is good" in out
    assert "2.0 pixels to the millimetre" in out
    quality = ProfileStore(home).load("attic").quality
    assert quality is not None
    assert quality.picture.px_per_mm == pytest.approx(2.0, rel=0.01)
    assert load_photo(spaces).shape == drawn.drawing().shape
    profile = ProfileStore(home).load("attic")
    assert profile.made_at != older.made_at
    assert profile.nudges_mm == nudges
    assert profile.colours == {"lilac": (lilac,)}
    assert set(profile.lenses) == {"webcam"}
    assert with_user_data_of(profile, replace(older, board="europe")) is profile


def test_a_poor_photo_is_called_so_with_what_helps(
    home: Path, tmp_path: Path, told: Calibrate
) -> None:
    soft = cv2.GaussianBlur(np.asarray(drawn.drawing() * 0.2, np.uint8), (0, 0), 5)
    save_picture(tmp_path / "soft.png", np.asarray(soft, np.uint8))
    poor = told(tmp_path / "soft.png", "--camera", "phone", *GIVEN)
    assert poor["quality"]["grade"] == "poor"
    for said in ("focus", "too dark"):
        assert any(said in advice for advice in poor["quality"]["advice"])
    assert poor["made_with"] == {"camera": "phone", "size_wh": [1590, 1050]}
    assert ProfileStore(home).load("usa").made_with == CameraMode("phone", (1590, 1050))


def test_a_photo_without_colours_makes_no_profile(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grey = cv2.cvtColor(drawn.drawing(), cv2.COLOR_BGR2GRAY)
    by_night = np.asarray(grey[..., None] * np.array((1.0, 0.7, 0.95)), np.uint8)
    save_picture(tmp_path / "night.jpg", by_night)
    assert calibrate(tmp_path / "night.jpg", *GIVEN) == 2
    assert f"{tmp_path / 'night.jpg'}: the picture has no colours" in capsys.readouterr().err
    assert not ProfileStore(home).names()


def test_a_copy_that_is_printed_larger_is_measured_by_its_owner(
    tmp_path: Path, told: Calibrate
) -> None:
    frame = render(
        drawn.usa(), {}, CameraSetup((1200, 900)), copy=Copy(scale=1.2), sensor=drawn.SENSOR
    )
    save_picture(tmp_path / "large.png", frame.picture)
    rough = frame.corners_px + ROUGHLY_PX
    given = ("--no-snap", "--corners", *as_words(rough))
    made = told(tmp_path / "large.png", "--width-mm", 954, *given)
    assert (made["scale"], made["size_mm"]) == (1.2, [954.0, 630.0])
    assert made["way"] == "corners"
    assert np.array(made["corners_px"]) == pytest.approx(rough, abs=0.11)


def test_a_board_with_markers_is_calibrated_and_then_read(
    photo: Path, pictures: Path, told: Calibrate, capsys: pytest.CaptureFixture[str]
) -> None:
    made = told(photo, "--markers")
    assert made["way"] == "markers"
    assert np.hypot(*(np.array(made["corners_px"]) - marked_corners()).T).max() < 1.5
    assert main(["read", str(pictures / "game.jpg"), "--board", "usa", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claims"] == drawn.CLAIMS


@pytest.mark.long
def test_several_photos_and_a_source(
    home: Path, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(photo, photo, "--markers", "--profile", "two") == 0
    assert "found by the markers at its corners" in capsys.readouterr().out
    assert calibrate("--source", photo, "--markers", "--profile", "watched") == 0
    assert ProfileStore(home).names() == ("two", "watched")


def test_photos_that_do_not_agree_are_refused(
    home: Path, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moved = photo.with_name("moved.png")
    save_picture(moved, np.roll(marked().picture, 25, axis=0))
    assert calibrate(photo, moved, "--markers") == 2
    assert "2 photos: the board or the camera moved" in capsys.readouterr().err
    assert ProfileStore(home).names() == ()


def test_corners_are_snapped(tmp_path: Path, told: Calibrate) -> None:
    save_picture(tmp_path / "empty.png", drawn.empty().picture)
    rough = as_words(drawn.empty().corners_px + ROUGHLY_PX)
    snapped = told(tmp_path / "empty.png", "--corners", *rough)["corners_px"]
    off = np.hypot(*(np.array(snapped) - drawn.empty().corners_px).T)
    assert off.max() < 1


def test_a_cameras_lens_is_kept(calibrated: Path, tmp_path: Path) -> None:
    sheets = []
    for number, shown in enumerate(lens_sheet_photos((960, 720), -0.4, 1.3)):
        sheets.append(tmp_path / f"sheet{number}.png")
        save_picture(sheets[-1], shown.picture)
    assert calibrate("--profile", "drawn", "--lens-from", *sheets) == 0
    assert calibrate("--lens-from", *sheets, "--camera", "webcam") == 0
    lenses = ProfileStore(calibrated).load("drawn").lenses
    assert set(lenses) == {"960x720", "webcam"}
    assert lenses["webcam"].views == len(sheets)
    assert abs(lenses["webcam"].stretch(np.ones(1))[0] - 1) > 0.02


def test_a_route_and_a_space_are_moved_listed_and_put_back(
    calibrated: Path, told: Calibrate, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ProfileStore(calibrated)
    moves = ("--nudge", ROUTE, "1.5", "-.5", "--nudge", f"{ROUTE}#2", "0", "1")
    assert calibrate(*moves) == 0
    assert store.load("drawn").nudges_mm == {ROUTE: (1.5, -0.5), f"{ROUTE}#2": (0.0, 1.0)}
    assert calibrate("--nudge", ROUTE, "1", "0") == 0
    capsys.readouterr()
    assert calibrate("--nudges") == 0
    out = capsys.readouterr().out
    assert "profile 'drawn'" in out
    assert f"{ROUTE}     +2.5   -0.5" in out
    left = told("--no-nudge", ROUTE)
    assert left == {"profile": "drawn", "nudges_mm": {f"{ROUTE}#2": [0.0, 1.0]}}
    assert calibrate("--profile", "drawn", "--no-nudge", "all") == 0
    assert "nothing is moved" in capsys.readouterr().out
