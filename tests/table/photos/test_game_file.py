"""A photo goes into a game's file, and nothing else of the file is lost."""

import json
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from railspotter.cli.command import main
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot, spots_of
from railspotter.table.errors import TableError
from railspotter.table.home import ProfileStore
from railspotter.table.photos.photo_files import GameFile
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.readings import Doubt

GAME = {
    "edition": "usa",
    "players": [{"name": "Ann", "colour": "red"}, {"name": "Bo", "colour": "blue"}],
    "claims": {"helena--seattle": "red"},
    "tickets": {"red": [{"a": "dallas", "b": "new-york"}]},
    "house_rules": {"longest_path_bonus": 12},
    "final": True,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(GAME), "utf-8")
    return file


def test_claims_are_replaced_and_all_else_is_kept(path: Path) -> None:
    game = GameFile(path)
    game.save(
        ScoredPhoto(
            "a.jpg", game.board, game.edition, held={Spot("route", "duluth--helena"): "blue"}
        )
    )
    assert json.loads(path.read_text("utf-8")) == {**GAME, "claims": {"duluth--helena": "blue"}}
    assert [file.name for file in path.parent.iterdir()] == ["game.json"]


def test_what_a_photo_does_not_show_stays_as_it_was(path: Path) -> None:
    game = GameFile(path)
    unseen = (Spot("route", "helena--seattle"), Spot("route", "calgary--seattle"))
    held = {Spot("route", "duluth--helena"): "blue"}
    game.save(ScoredPhoto("a.jpg", game.board, game.edition, held=held, unseen=unseen))
    claims = {"duluth--helena": "blue", "helena--seattle": "red"}
    written = {**GAME, "claims": claims, "unsure": ["calgary--seattle"]}
    assert json.loads(path.read_text("utf-8")) == written, "somebody has told the other one"


def test_what_is_left_open_is_written_until_a_photo_tells_it(path: Path) -> None:
    game = GameFile(path)
    hidden, doubted, other = (
        Spot("route", name) for name in ("calgary--seattle", "dallas--houston--0", "duluth--helena")
    )
    doubt = Doubt(doubted, "red", ("blue",), Sentence("they look alike"))
    first = ScoredPhoto("a.jpg", game.board, game.edition, doubts=(doubt,), unseen=(hidden,))
    game.save(first)
    assert json.loads(path.read_text("utf-8"))["unsure"] == [hidden.id, doubted.id]
    second = ScoredPhoto("b.jpg", game.board, game.edition, unseen=(hidden, other))
    (again := GameFile(path)).save(second)
    assert json.loads(path.read_text("utf-8"))["unsure"] == [hidden.id], "the first told the other"
    again.save(first.with_answers({hidden: None, doubted: "blue"}))
    assert "unsure" not in json.loads(path.read_text("utf-8"))


def test_pins_that_were_seen_are_put_in_beside_those_that_are_known(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    known = {"calgary--helena": 0, "helena--seattle": 1}
    file.write_text(json.dumps({"edition": "usa-accessible", "pins": known}), "utf-8")
    game = GameFile(file)
    claims = {"helena--seattle": "blue"}
    seen = {"helena--seattle": 4, "calgary--vancouver": 2}
    photo = ScoredPhoto(
        "a.jpg", game.board, game.edition, held=spots_of("route", claims), seen_pins=seen
    )
    assert photo.as_json()["pins"] == {"helena--seattle": 4}, "the other one is free after all"
    game.save(photo)
    written = json.loads(file.read_text("utf-8"))
    assert written["pins"] == {"calgary--helena": 0, "helena--seattle": 4}
    assert written["claims"] == claims


def test_other_editions_have_no_pins(path: Path) -> None:
    game = GameFile(path)
    assert "pins" not in ScoredPhoto("a.jpg", game.board, game.edition).as_json()


def test_players_and_house_rules_are_the_games(path: Path) -> None:
    game = GameFile(path)
    assert game.colours == ("red", "blue")
    assert (game.board.id, game.edition.longest_path_bonus) == ("usa", 12)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("{", "this is no JSON"),
        ('{"edition": "chess"}', "edition"),
        ('{"edition": "card-game"}', "no board"),
        ('{"edition": "usa", "board": "gone.json"}', "gone.json"),
    ],
    ids=["cut short", "another game", "the card game", "board file missing"],
)
def test_a_file_without_a_game_on_a_board_is_refused(tmp_path: Path, text: str, word: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(text, "utf-8")
    with pytest.raises(TableError, match=word):
        GameFile(file)


@pytest.fixture
def photo(home: Path, tmp_path: Path) -> Path:
    ProfileStore(home).save(drawn.profile())
    file = tmp_path / "photo.png"
    cv2.imwrite(str(file), drawn.game().picture)
    return file


def test_photo_tickets_and_final_score_are_two_commands(
    photo: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = {**GAME, "players": [{"colour": c} for c in ("red", "blue", "green", "yellow", "black")]}
    path.write_text(json.dumps(game), "utf-8")
    assert main(["read", str(photo), "--game", str(path)]) == 0
    assert json.loads(path.read_text("utf-8"))["claims"] == drawn.CLAIMS
    capsys.readouterr()
    assert main(["score", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert len(said["players"]) == 5
    assert said["winners"]


def test_a_photo_without_a_board_changes_no_game(
    photo: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(photo), np.zeros((300, 400, 3), np.uint8))
    before = path.read_bytes()
    assert main(["read", str(photo), "--game", str(path)]) == 3
    assert path.read_bytes() == before
    assert "too dark" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(["a.jpg", "b.jpg"], "one photo"), (["a.jpg", "--board", "europe"], "'usa'")],
    ids=["two photos", "another board"],
)
def test_what_does_not_fit_a_game_is_refused(
    path: Path, home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], word: str
) -> None:
    assert main(["read", *arguments, "--game", str(path)]) == 2
    assert word in capsys.readouterr().err


def test_trains_that_nobody_in_the_game_has_are_told_and_not_counted(
    home: Path, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five colours stand on the drawn board, and two play: theirs alone are read as theirs."""
    store = ProfileStore(home)
    store.save(drawn.profile())
    photo = tmp_path / "game.jpg"
    cv2.imwrite(str(photo), drawn.game().picture)
    assert main(["read", str(photo), "--game", str(path), "--json", "--keep"]) == 2
    out, err = capsys.readouterr()
    theirs = {route: who for route, who in drawn.CLAIMS.items() if who in ("red", "blue")}
    line = json.loads(out)
    assert line["claims"] == theirs == json.loads(path.read_text("utf-8"))["claims"]
    assert list(line["standing"]) == ["red", "blue"]
    (note,) = line["notes"]
    for colour in ("black", "green", "yellow"):
        assert f"{colour} {len(drawn.GAME[colour])}" in note
    assert "not kept, because trains of other colours are on the board too" in err
