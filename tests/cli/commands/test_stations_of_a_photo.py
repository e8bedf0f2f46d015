"""Stations of a photo are printed, answered, kept and put into the game's file."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import drawn
import pytest
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.cli.command import main
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.pieces import place_stations, place_trains
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import save_picture
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.table.photos.scored_photo_text import to_text
from railspotter.vision.readings import Doubt

EUROPE = load_board("europe")
CLAIMS = {"frankfurt--munchen": "blue", "madrid--pamplona--0": "red", "kyiv--warszawa": "red"}
STATIONS = {"essen": "red", "roma": "blue", "wien": "red"}
BY_COLOUR = {"blue": ["roma"], "red": ["essen", "wien"]}


@cache
def profile() -> Profile:
    drawing = draw_board(EUROPE)
    corners = drawn.own_corners(drawing)
    return make_profile(drawing, EUROPE, corners, "europe", "2026-01-01T00:00:00")


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    camera = VirtualCamera(EUROPE, view=CameraSetup((1400, 1000)), sensor=drawn.SENSOR)
    pieces = place_trains(camera.printed, CLAIMS) + place_stations(camera.printed, STATIONS)
    path = tmp_path_factory.mktemp("europe") / "table.png"
    save_picture(path, camera.take(Scene(pieces=pieces)).picture)
    return path


@pytest.fixture(autouse=True)
def _calibrated(home: Path) -> None:
    ProfileStore(home).save(profile())


def read(photo: Path, *arguments: str) -> int:
    return main(["read", str(photo), "--board", "europe", *arguments])


def line_of(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(capsys.readouterr().out)
    return line


def test_a_place_is_answered_and_kept(
    photo: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text('{"wien": null, "kobenhavn": "blue", "frankfurt--munchen": null}')
    assert read(photo, "--json", "--answers", str(answers), "--keep") == 0
    line = line_of(capsys)
    assert line["stations"] == {"blue": ["kobenhavn", "roma"], "red": ["essen"]}
    assert line["answers"] == [
        {"station": "wien", "read": "red", "said": None, "was_doubted": False},
        {"station": "kobenhavn", "read": None, "said": "blue", "was_doubted": False},
        {"route": "frankfurt--munchen", "read": "blue", "said": None, "was_doubted": False},
    ]
    (truth,) = home.glob("confirmed/europe/table/*.json")
    assert json.loads(truth.read_text())["stations"] == {
        "essen": "red",
        "kobenhavn": "blue",
        "roma": "blue",
    }


@pytest.mark.parametrize("name", ["atlantis", "berlin--rom"])
def test_an_unknown_place_is_refused(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "answers.json").write_text(json.dumps({name: "red"}))
    assert read(photo, "--answers", str(tmp_path / "answers.json")) == 2
    assert f"no route or place {name!r}" in capsys.readouterr().err


def test_stations_are_printed_by_colour_and_go_into_the_games_file(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = {
        "edition": "europe",
        "players": [{"colour": "red"}, {"colour": "blue"}],
        "stations": {"red": ["moskva"]},
        "tickets": {"red": [{"a": "berlin", "b": "london"}]},
    }
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game))
    assert main(["read", str(photo), "--game", str(path), "--json"]) == 0
    line, after = line_of(capsys), json.loads(path.read_text())
    assert (line["claims"], line["stations"], line["doubts"]) == (CLAIMS, BY_COLOUR, [])
    assert "sites" not in line
    assert (after["stations"], after["claims"]) == (BY_COLOUR, CLAIMS)
    assert after["tickets"] == game["tickets"]


def test_a_doubted_station_is_printed_and_told() -> None:
    doubt = Doubt(Spot("station", "essen"), None, ("red",), Sentence("it is not clear"))
    photo = ScoredPhoto("a.jpg", EUROPE, load_edition("europe"), doubts=(doubt,))
    line = json.loads(json.dumps(photo.as_json()))
    assert line["doubts"] == [
        {"station": "essen", "said": None, "alternatives": ["red"], "why": "it is not clear"}
    ]
    assert line["stations"] == {}
    assert "1. the station at Essen: free (or red): it is not clear" in to_text(photo)
