"""`railspotter calibrate` says how good the profile is that it makes, in words and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.lenses.lens import no_lens
from railspotter.calibration.profiles.profile import CameraMode, LearnedColour, with_words_of
from railspotter.cli.command import main
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import save_picture


def corners_of(picture: Any) -> list[str]:
    height, width = picture.shape[:2]
    return [
        f"{x},{y}" for x, y in ((0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1))
    ]


def calibrated(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    assert main(["calibrate", "--board", "usa", "--json", *map(str, words)]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def test_a_good_profile_is_called_so(
    home: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corners = corners_of(drawn.drawing())
    photo = str(pictures / "empty.png")
    assert main(["calibrate", photo, "--board", "usa", "--no-snap", "--corners", *corners]) == 0
    out = capsys.readouterr().out
    assert "its quality is good" in out
    assert "2.0 pixels to the millimetre" in out
    profile = ProfileStore(home).load("usa")
    assert profile.quality is not None
    assert profile.quality.picture.px_per_mm == pytest.approx(2.0, rel=0.01)


def test_a_poor_photo_is_called_so_with_what_helps(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    soft = cv2.GaussianBlur(np.asarray(drawn.drawing() * 0.2, np.uint8), (0, 0), 5)
    save_picture(tmp_path / "soft.png", np.asarray(soft, np.uint8))
    corners = corners_of(drawn.drawing())
    told = calibrated(
        capsys, tmp_path / "soft.png", "--no-snap", "--camera", "phone", "--corners", *corners
    )
    quality = told["quality"]
    assert quality["grade"] == "poor"
    assert any("focus" in advice for advice in quality["advice"])
    assert any("too dark" in advice for advice in quality["advice"])
    assert told["made_with"] == {"camera": "phone", "size_wh": [1590, 1050]}
    assert ProfileStore(home).load("usa").made_with == CameraMode("phone", (1590, 1050))


def test_a_photo_without_colours_makes_no_profile(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grey = cv2.cvtColor(drawn.drawing(), cv2.COLOR_BGR2GRAY)
    by_night = np.asarray(grey[..., None] * np.array((1.0, 0.7, 0.95)), np.uint8)
    save_picture(tmp_path / "night.jpg", by_night)
    words = ["calibrate", str(tmp_path / "night.jpg"), "--board", "usa", "--no-snap"]
    assert main([*words, "--corners", *corners_of(drawn.drawing())]) == 2
    said = capsys.readouterr().err
    assert f"{tmp_path / 'night.jpg'}: the picture has no colours" in said
    assert not ProfileStore(home).names()


def test_a_copy_that_is_printed_larger_is_measured_by_its_owner(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = drawn.render(
        drawn.usa(), {}, CameraSetup((1200, 900)), copy=Copy(scale=1.2), sensor=drawn.SENSOR
    )
    save_picture(tmp_path / "large.png", frame.picture)
    corners = [f"{x:.1f},{y:.1f}" for x, y in frame.corners_px]
    words = (tmp_path / "large.png", "--no-snap", "--width-mm", "954", "--corners", *corners)
    told = calibrated(capsys, *words)
    assert (told["scale"], told["size_mm"]) == (1.2, [954.0, 630.0])
    small = [str(word) for word in (*words[:3], "79.5", *words[4:])]
    assert main(["calibrate", "--board", "usa", *small]) == 2
    assert "in millimetres" in capsys.readouterr().err


def test_calibrating_again_keeps_what_people_said(
    home: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lilac = LearnedColour("lilac", swatch=(200, 160, 220))
    seen = LearnedColour("red", "warm", ((42.0, 43.0, 31.0),), count=1)
    nudges = {"helena--seattle#2": (0.5, -1.0)}
    older = replace(
        drawn.profile(),
        name="usa",
        nudges_mm=nudges,
        colours={
            "lilac": (replace(lilac, observations=((70.0, 20.0, -20.0),), count=4),),
            "red": (seen,),
        },
        lenses={"webcam": no_lens((1280, 720))},
    )
    ProfileStore(home).save(older)
    corners = corners_of(drawn.drawing())
    told = calibrated(capsys, pictures / "empty.png", "--no-snap", "--corners", *corners)
    assert told["nudges_mm"] == {"helena--seattle#2": [0.5, -1.0]}
    profile = ProfileStore(home).load("usa")
    assert profile.made_at != older.made_at
    assert profile.nudges_mm == nudges
    assert profile.colours == {"lilac": (lilac,)}
    assert set(profile.lenses) == {"webcam"}
    assert with_words_of(profile, replace(older, board="europe")) is profile
