"""Trains of any colours are shown once, and games with them are read."""

import json
import re
from pathlib import Path

import drawn
import pytest
from railspotter.cli.command import main
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import load_photo, save_picture

# What the players call the drawn plastic; nobody has told what it looks like.
OWN = {"red": "cherry", "blue": "sky", "green": "moss"}
ABOVE = CameraSetup((1200, 900), tilt_deg=4)


def told_spaces(said: str) -> dict[str, tuple[str, int]]:
    """Return the routes and spaces that the command names for each colour."""
    found = re.findall(r"^(\w+): .*\((\S+)/(\d+)\)$", said, flags=re.MULTILINE)
    return {name: (route, int(number)) for name, route, number in found}


def test_own_trains_are_laid_learned_and_read(
    calibrated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trains = ["--trains", *OWN.values()]
    marked = tmp_path / "spaces.png"
    assert main(["colours", "--board", "usa", *trains, "--annotate", str(marked)]) == 0
    spaces = told_spaces(capsys.readouterr().out)
    assert set(spaces) == set(OWN.values())
    assert len({route for route, _ in spaces.values()}) == 3
    assert load_photo(marked).shape[1] > 1000

    laid = {spaces[own][0]: colour for colour, own in OWN.items()}
    save_picture(tmp_path / "laid.png", drawn.photographed(laid, ABOVE))
    assert main(["colours", str(tmp_path / "laid.png"), "--board", "usa", *trains]) == 0
    assert "of your own" in capsys.readouterr().out
    learned = ProfileStore(calibrated).load("drawn").colours
    assert {name: lights[0].count for name, lights in learned.items()} == dict.fromkeys(
        OWN.values(), 1
    )

    claims = {route: colour for route, colour in drawn.CLAIMS.items() if colour in OWN}
    save_picture(tmp_path / "game.png", drawn.photographed(claims))
    assert main(["read", str(tmp_path / "game.png"), "--board", "usa", "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert set(read["standing"]) == set(OWN.values())
    doubted = {doubt["route"] for doubt in read["doubts"]}
    wrong = {
        route.id
        for route in drawn.usa().routes
        if read["claims"].get(route.id) != OWN.get(claims.get(route.id, ""))
    }
    assert wrong <= doubted
    assert len(wrong) <= 1


def test_a_train_that_is_not_there_is_asked_for_and_nothing_is_learned(
    calibrated: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["colours", str(pictures / "game.jpg"), "--board", "usa", "--trains", "red", "blue"]
    on = ["--on", "calgary--seattle/1", "nashville--saint-louis/1"]
    assert main([*words, *on]) == 2
    assert "no train was seen of blue on space 1" in capsys.readouterr().err
    assert ProfileStore(calibrated).load("drawn").colours == {}


def test_trains_that_lie_the_wrong_way_round_teach_nothing(
    calibrated: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["colours", str(pictures / "game.jpg"), "--board", "usa", "--trains", "blue", "red"]
    assert main([*words, "--on", "calgary--seattle/1", "miami--new-orleans/1"]) == 2
    assert "looks red, not blue" in capsys.readouterr().err
    assert ProfileStore(calibrated).load("drawn").colours == {}
