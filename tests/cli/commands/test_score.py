"""`railspotter score`: a file or standard input in, text or JSON out, an exit code."""

import io
import json
import sys
from pathlib import Path

import pytest
from house.project import ROOT
from railspotter.cli.command import main

GAME = {
    "edition": "usa",
    "players": [{"name": "Ann", "colour": "red"}, {"name": "Bob", "colour": "blue"}],
    "claims": {"helena--seattle": "red", "portland--seattle--0": "blue"},
    "tickets": {"red": [{"a": "new-york", "b": "seattle"}]},
    "final": True,
}


def run(*words: str) -> int:
    return main(["score", *words])


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GAME), encoding="utf-8")
    return path


def test_the_final_score_as_json(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(game), "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["winners"] == ["red"]
    assert said["problems"] == []
    assert said["players"][0] == {
        "name": "Ann",
        "colour": "red",
        "route_points": 15,
        "ticket_points": -22,
        "trains_left": 39,
        "longest_path": {"length": 6, "at_most": 6, "routes": ["helena--seattle"]},
        "lines": [
            {"what": "route Helena - Seattle", "points": 15},
            {"what": "ticket New York - Seattle, not completed", "points": -22},
            {"what": "longest path, 6 trains", "points": 10},
        ],
        "total": 3,
        "borrowed": {},
    }


def test_the_final_score_as_text(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(game)) == 0
    said = capsys.readouterr().out
    assert "Ann (red): 3 points, 39 trains left, longest path 6" in said
    assert said.endswith("winner: Ann (red)\n")


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(json.dumps({**GAME, "final": False}).encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert run("-", "--json") == 0
    assert "winners" not in json.loads(capsys.readouterr().out)


def test_an_illegal_position_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    claims = {"portland--seattle--0": "red", "portland--seattle--1": "red"}
    path.write_text(json.dumps({**GAME, "claims": claims}), encoding="utf-8")
    assert run(str(path)) == 0
    assert (
        "problem: red holds both lanes of Portland - Seattle (One player" in capsys.readouterr().out
    )


def test_what_a_photo_left_open_is_said_beside_the_winner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**GAME, "unsure": ["duluth--helena"]}), encoding="utf-8")
    assert run(str(path)) == 0
    assert capsys.readouterr().out.endswith(
        "not sure: a photo left 1 open: Duluth - Helena\n"
        "winner, if what is not sure is as the game has it: Ann (red)\n"
    )
    assert run(str(path), "--json") == 0
    assert json.loads(capsys.readouterr().out)["unsure"] == ["duluth--helena"]
    path.write_text(json.dumps({**GAME, "unsure": ["duluth-helena"]}), encoding="utf-8")
    assert run(str(path)) == 2
    assert "unsure: the board 'usa' has no route 'duluth-helena'" in capsys.readouterr().err


def test_a_board_of_the_users_own_lies_beside_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toy = ROOT / "tests" / "scoring" / "oracles" / "toy-philly.json"
    (tmp_path / "mine.json").write_bytes(toy.read_bytes())
    path = tmp_path / "game.json"
    game = {"edition": "philly", "board": "mine.json", "claims": {"a--b": "red"}}
    path.write_text(json.dumps(game), encoding="utf-8")
    assert run(str(path)) == 0
    assert "route A - B" in capsys.readouterr().out


def test_equal_points_are_said_to_be_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = dict.fromkeys(("helena--seattle", "chicago--duluth"), "red")
    blue = ("calgary--seattle", "chicago--omaha", "montreal--toronto", "atlanta--nashville")
    third = ("boston--new-york--0", "new-york--washington--0", "raleigh--washington--0")
    claims |= dict.fromkeys(blue, "blue")
    claims |= dict.fromkeys((*third, "charleston--raleigh"), "black")
    players = [{"colour": colour} for colour in ("red", "blue", "black")]
    for edition, said in (
        ("usa", ["winner: red and blue"]),
        (
            "usa-10th",
            [
                "winner: red",
                "equal points, told apart by the longest path among those who are tied",
            ],
        ),
    ):
        game = {"edition": edition, "players": players, "claims": claims, "final": True}
        (file := tmp_path / "tied.json").write_text(json.dumps(game))
        assert main(["score", str(file)]) == 0
        lines = capsys.readouterr().out.replace(", problems aside", "").splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("winner"))
        assert lines[at:] == said


def test_all_tie_breaks_that_told_somebody_apart_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Black too holds the card for the longest path, and is out for the tickets."""
    claims = {"duluth--helena": "red", "denver--phoenix": "blue"}
    claims |= dict.fromkeys(("helena--seattle", "dallas--little-rock"), "black")
    tickets = {
        "red": [{"a": "duluth", "b": "helena", "points": 2}],
        "blue": [{"a": "denver", "b": "phoenix", "points": 17}],
    }
    game = {
        "edition": "usa",
        "players": [{"colour": colour} for colour in ("red", "blue", "black")],
        "claims": claims,
        "tickets": tickets,
        "final": True,
    }
    (file := tmp_path / "tied.json").write_text(json.dumps(game))
    assert run(str(file)) == 0
    told = "told apart by the most completed tickets, then the card for the longest path"
    assert told in capsys.readouterr().out
    assert run(str(file), "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["winners"], said["decided_by"]) == (["red"], "longest path card")
    assert said["ties_broken"] == [
        {"by": "completed tickets", "left": ["red", "blue"]},
        {"by": "longest path card", "left": ["red"]},
    ]
