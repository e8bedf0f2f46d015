"""`railspotter board`: a board file from a picture, and what is wrong with one."""

import json
from contextlib import redirect_stdout
from pathlib import Path

import cv2
import numpy as np
import pytest
from house.project import ROOT
from railspotter.cli.command import main
from railspotter.scoring.board import load_board, parse_board
from railspotter.scoring.edition import load_edition, ticket_deck
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import BoardGame, position_of
from railspotter.scoring.json_text import parse_json
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.table.photo_file import save_picture

SPACE = ("--space-mm", "28", "9.5")


def run(*words: str | Path) -> int:
    """Run the command; the exit code, also where the parser ends the program."""
    try:
        return main(["board", *map(str, words)])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1


def photo_of(picture: np.ndarray, path: Path) -> list[str]:
    """Save a picture of the board on a table, seen a little from aside; return its corners."""
    height, width = picture.shape[:2]
    corners = np.array([(90, 70), (760, 60), (800, 1060), (50, 1040)], np.float32)
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(whole, corners)
    save_picture(path, np.asarray(cv2.warpPerspective(picture, warp, (860, 1120)), np.uint8))
    return [f"{x:.0f},{y:.0f}" for x, y in corners]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a photo of a drawn board, its places, and what `propose` made of them."""
    path = tmp_path_factory.mktemp("maps")
    board = load_board("newyork")
    (path / "corners.txt").write_text(
        " ".join(photo_of(draw_board(board, 2.5, seed=4), path / "photo.png")), "utf-8"
    )
    rows = [f'{p.id},"{p.name}",{p.xy_mm[0]},{p.xy_mm[1]}' for p in board.places]
    (path / "places.csv").write_text("id,name,x_mm,y_mm\n" + "\n".join(rows), "utf-8")
    named = ["--id", "my-map", "--title", "Ours", "--edition", "usa"]
    with (path / "said.txt").open("w", encoding="utf-8") as said, redirect_stdout(said):
        assert propose(path, "made.json", *SPACE, *named, "--annotate", str(path / "seen.png")) == 0
    return path


def propose(folder: Path, out: str, *more: str) -> int:
    corners = (folder / "corners.txt").read_text("utf-8").split()
    places, photo = folder / "places.csv", folder / "photo.png"
    given = ["--corners", *corners, "--size-mm", "300", "421.3", "--places", str(places)]
    return run("propose", photo, *given, "-o", folder / out, *more)


def test_a_board_file_comes_out_of_a_photo(folder: Path) -> None:
    truth, made = load_board("newyork"), load_board(folder / "made.json")
    assert (made.id, made.title, made.edition) == ("my-map", "Ours", "usa")
    assert not made.complete
    assert made.places == tuple(
        p if not p.attraction else made.place_by_id[p.id] for p in truth.places
    )
    printed = sorted((*sorted((r.a, r.b)), r.length, r.colour) for r in truth.routes)
    proposed = [(r.a, r.b, r.length, r.colour) for r in made.routes]
    right = sum(route in printed for route in proposed)
    assert right >= 0.85 * len(printed)
    assert len(proposed) - right <= 4
    shown = cv2.imread(str(folder / "seen.png"))
    assert shown is not None
    assert shown.shape[1] / shown.shape[0] == pytest.approx(300 / 421.3, abs=0.01)
    said = (folder / "said.txt").read_text("utf-8")
    assert "routes should be looked at" in said
    assert "Times Square - United Nations" in said


def test_a_part_grows_and_keeps_what_was_set(folder: Path) -> None:
    made = json.loads((folder / "made.json").read_text("utf-8"))
    made["title"] = "My own words"
    kept, bare = made["routes"][0], made["routes"][1]
    kept["spaces"][0]["xy_mm"] = [kept["spaces"][0]["xy_mm"][0] + 1.0, 100.0]
    kept["colour"] = "orange"
    bare["spaces"] = []
    bare["colour"] = "unknown"
    made["measured"] = False
    made["routes"] = [kept, bare]
    (folder / "part.json").write_text(json.dumps(made), "utf-8")
    onto = ("--onto", str(folder / "part.json"), "--edition", "europe")
    assert propose(folder, "grown.json", *SPACE, *onto) == 0
    part, grown = load_board(folder / "part.json"), load_board(folder / "grown.json")
    assert (grown.title, grown.edition) == ("My own words", "europe")
    assert grown.routes[0] == part.routes[0]
    assert grown.routes[1].id == part.routes[1].id
    assert len(grown.routes[1].spaces) == grown.routes[1].length == part.routes[1].length
    assert grown.routes[1].colour != "unknown"
    assert len(grown.routes) > 30


def test_files_that_are_there_are_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "made.json").read_bytes()
    assert propose(folder, "made.json", *SPACE) == 2
    assert "--force" in capsys.readouterr().err
    assert (folder / "made.json").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--places", "nowhere.csv"), "cannot read 'nowhere.csv'"),
        (("--size-mm", "3", "4"), "'3' is not a length from 100 to 2000 mm"),
        (("-o", "board.txt"), "ends in .json"),
        (("-o", "no/such/folder/board.json"), "no such folder"),
        (("--corners", "0,0", "9,9", "9,0", "0,9"), "corners"),
        (("--corners", "0,0", "9;9", "9,0", "0,9"), "'9;9' is not a corner"),
        (("--onto", "atlantis"), "there is no board 'atlantis'"),
        (("--onto", "philly", "--id", "mine"), "--onto has its own"),
        (("--id", "My Map"), "small letters and digits"),
        (("--annotate", "seen.gif"), "must end in .png or .jpg"),
        (("--onto", "usa"), "the board is 795 x 525 mm already"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert propose(folder, "never.json", *words) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert not (folder / "never.json").exists()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("", "line 1: the columns must be"),
        ("name,x,y\nA,1,2\n", "line 1: the columns must be"),
        ("name,x_mm,y_mm\nA,1,2\n", "two places at least"),
        ("name,x_mm,y_mm\nA,1,2\n,3,4\n", "line 3: the place has no name"),
        ("name,x_mm,y_mm\nA,1,2\nB,far,4\n", "line 3: x_mm is 'far', not a number"),
        ("name,x_mm,y_mm\nA,1,2\nB,nan,4\n", "line 3: x_mm is nan"),
        ("name,x_mm,y_mm\nA,1,2\nB,3,999\n", "line 3: y_mm is 999, but the board ends at 421.3"),
        ("name,x_mm,y_mm\nA,1,2\na,3,4\n", "line 3: line 2 has it already"),
        ("id,name,x_mm,y_mm\nA b,A,1,2\n", "line 2: the id 'A b' must be small letters"),
        ("name,x_mm,y_mm\n...,1,2\n", "line 2: the id '' must be small letters"),
    ],
)
def test_a_bad_table_is_refused_with_its_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str, said: str
) -> None:
    (tmp_path / "bad.csv").write_text(table, "utf-8")
    assert propose(folder, "never.json", "--places", str(tmp_path / "bad.csv")) == 2
    assert said in capsys.readouterr().err


def test_without_a_table_places_are_found_by_their_dots(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, corners = tmp_path / "dots.json", (folder / "corners.txt").read_text("utf-8").split()
    size = ("--size-mm", "300", "421.3", *SPACE)
    photo = folder / "photo.png"
    assert run("propose", photo, "--corners", *corners, *size, "-o", made) == 0
    assert "15 places were found by their dots" in capsys.readouterr().out
    board = parse_board(made.read_bytes())
    assert (board.id, len(board.places)) == ("dots", 15)
    assert len(board.routes) > 35
    assert run("check", made) == 0
    assert "these places have no name yet: ? 1, ? 2, ? 3, ? 4, ? 5 (+10)" in capsys.readouterr().out
    blank, never = tmp_path / "blank.png", tmp_path / "never.json"
    save_picture(blank, np.full((842, 600, 3), 200, np.uint8))
    assert run("propose", blank, *size, "-o", never) == 2
    assert "--places" in capsys.readouterr().err
    blank.write_bytes(b"%PDF-1.7 a printed map")
    assert run("propose", blank, *size, "-o", never) == 2
    assert "this is a PDF: save its page as a picture" in capsys.readouterr().err


def test_check_tells_what_is_in_a_board(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", folder / "made.json") == 0
    said = capsys.readouterr().out
    assert said.startswith("my-map: 15 places, ")
    assert "says that it is a part" in said


def test_check_says_the_place_of_the_fault(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = json.loads((folder / "made.json").read_text("utf-8"))
    made["routes"][2]["spaces"][0]["angle_deg"] = 999
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(made), "utf-8")
    assert run("check", bad) == 2
    assert "routes[2].spaces[0].angle_deg: it has to be at most 360" in capsys.readouterr().err
    bad.write_bytes(b"\xff\x00 no board")
    assert run("check", bad) == 2
    assert run("check", tmp_path / "nowhere.json") == 2
    assert "cannot read" in capsys.readouterr().err


def test_the_file_written_is_json_that_the_schema_describes(folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "scoring" / "schemas" / "board.json").read_text("utf-8"))
    content = (folder / "made.json").read_bytes()
    jsonschema.validate(json.loads(content), schema)
    assert parse_board(content).measured


GAMES_OF = {"usa": "usa", "europe": "europe", "newyork": "newyork"}


@pytest.mark.parametrize("board", GAMES_OF)
def test_what_is_listed_is_what_a_game_file_takes(
    board: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def listed(what: str) -> list[str]:
        assert run(what, board) == 0
        return [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()]

    places, routes, tickets = listed("places"), listed("routes"), listed("tickets")
    loaded = load_board(board)
    assert places == [place.id for place in loaded.places]
    assert routes == [route.id for route in loaded.routes]
    game = {
        "edition": board,
        "claims": {routes[0]: "red"},
        "stations": {"red": places[:1]},
        "tickets": {"red": [json.loads(ticket) for ticket in tickets]},
    }
    text = parse_json(json.dumps(game), BoardGame, GameError)
    (held,) = position_of(text, loaded).tickets.values()
    assert held == ticket_deck(load_edition(board), loaded)


def test_lists_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    def listed(*words: str) -> dict[str, object]:
        assert run(*words, "--json") == 0
        said: dict[str, object] = json.loads(capsys.readouterr().out)
        return said

    said = listed("places")
    assert said["board"] == "usa"
    assert isinstance(said["places"], list)
    assert {"id": "saint-louis", "name": "Saint Louis"} in said["places"]
    routes = listed("routes", "europe")["routes"]
    assert isinstance(routes, list)
    assert routes[0].keys() == {"id", "a", "b", "length", "colour"}
    tickets = listed("tickets", "usa", "--edition", "usa-1910")["tickets"]
    assert isinstance(tickets, list)
    assert {"a": "nashville", "b": "new-york", "points": 6} in tickets


def test_a_list_that_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tickets", "philly") == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "railspotter: no tickets of 'philly' are known\n")
    assert run("routes", "mars") == 2
    assert "there is no board 'mars'; known are europe" in capsys.readouterr().err
