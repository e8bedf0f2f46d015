"""The `railspotter` command as a player runs it: what it prints, where, and how it ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import cv2
import drawn
import numpy as np
import pytest
from railspotter.cli.command import build_parser, main
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import load_photo
from railspotter.table.set_up.demo import demo_game

RIGHT, BOTTOM = drawn.WIDTH - 1, drawn.HEIGHT - 1
CORNERS = ("0,0", f"{RIGHT},0", f"{RIGHT},{BOTTOM}", f"0,{BOTTOM}")
COMMANDS = ("calibrate", "read", "score", "games", "replay", "render", "serve", "demo")
KEYS = {
    *("photo", "board", "edition", "found", "reason", "corners_px", "claims", "doubts", "notes"),
    *("profile", "standing", "seconds"),
}
# What a route of so many trains scores, from the table printed on the board.
POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}


def run(*words: str | Path) -> int:
    """Run the command; the exit code, also where the parser ends the program."""
    try:
        return main([str(word) for word in words])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1


class Ran:
    """What one run of the command said."""

    def __init__(self, code: int, capsys: pytest.CaptureFixture[str]) -> None:
        self.code = code
        self.out, self.err = capsys.readouterr()

    @property
    def complaint(self) -> str:
        """The one line on standard error, of a run that printed nothing else."""
        (line,) = self.err.splitlines()
        assert line.startswith("railspotter: ")
        assert self.out == ""
        return line


@pytest.mark.long
def test_calibrate_then_read(
    home: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spaces = tmp_path / "spaces.png"
    words = ("calibrate", pictures / "empty.png", "--board", "usa", "--corners", *CORNERS)
    assert run(*words, "--profile", "attic", "--annotate", spaces) == 0
    made = Ran(run(*words), capsys)
    assert (made.code, made.err) == (0, "")
    assert ProfileStore(home).names() == ("attic", "usa")
    assert str(home / "profiles" / "usa.npz") in made.out
    assert load_photo(spaces).shape == drawn.drawing().shape

    seen = tmp_path / "seen.png"
    game = Ran(run("read", pictures / "game.jpg", "--board", "usa", "--annotate", seen), capsys)
    assert (game.code, game.err) == (0, "")
    title, heads, *rows = game.out.splitlines()
    assert title.endswith(f"{len(drawn.CLAIMS)} routes claimed")
    assert heads.split() == ["route", "points", "trains", "left", "longest", "path"]
    players = {colour for colour, *_ in (row.split() for row in rows[:5])}
    assert players == set(drawn.CLAIMS.values())
    annotated = load_photo(seen)
    height, width = annotated.shape[:2]
    empty = cv2.resize(drawn.drawing(), (width, height), interpolation=cv2.INTER_AREA)
    assert width / height == pytest.approx(795 / 525, rel=0.01)
    assert np.abs(annotated.astype(int) - empty).mean() > 5


def test_several_photos_in_json_and_the_worst_exit_code(
    calibrated: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("letter.jpg", "game.jpg", "nothing.jpg")
    photos = [pictures / name for name in names]
    out = tmp_path / "out.png"
    ran = Ran(run("read", *photos, "--board", "usa", "--json", "--annotate", out), capsys)
    assert ran.code == 2, "a bad file outranks a board that was not found, in any order"
    lines: list[dict[str, Any]] = [json.loads(line) for line in ran.out.splitlines()]
    assert [line["photo"] for line in lines] == [str(pictures / name) for name in names]
    assert [line["found"] for line in lines] == [False, True, False]
    for line in lines:
        assert set(line) - {"markers"} == KEYS  # where its board has a track
        assert line["board"] == "usa"
        assert line["seconds"] >= 0

    letter, game, nothing = lines
    assert "not a picture" in letter["reason"]
    assert "was not found" in nothing["reason"]
    for line in (letter, nothing):
        assert line["corners_px"] is None
        assert (line["claims"], line["doubts"], line["standing"]) == ({}, [], {})
    assert game["reason"] is None
    assert game["claims"] == drawn.CLAIMS
    error = drawn.corner_error_mm(drawn.game().frame_from_board, game["corners_px"])
    assert error.max() < 1.0
    for doubt in game["doubts"]:
        assert set(doubt) == {"route", "said", "alternatives", "why"}
        assert doubt["said"] == drawn.CLAIMS.get(doubt["route"])
        assert doubt["said"] not in doubt["alternatives"]
    assert set(game["standing"]) == {"black", "blue", "green", "red", "yellow"}
    for colour, player in game["standing"].items():
        assert set(player) == {"route_points", "trains_left", "longest_path"}
        assert set(player["longest_path"]) == {"length", "at_most", "routes"}
        lengths = [drawn.usa().route_by_id[route].length for route in drawn.GAME[colour]]
        assert player["route_points"] == sum(POINTS[length] for length in lengths)
        assert player["trains_left"] == 45 - sum(lengths)

    complaints = ran.err.splitlines()
    assert len(complaints) == 2
    assert "letter.jpg: " in complaints[0]
    assert "nothing.jpg: " in complaints[1]
    assert [path.name for path in tmp_path.glob("out*")] == ["out-game.png"]


def test_a_board_that_is_not_found_is_3(
    calibrated: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = Ran(run("read", pictures / "half.jpg", "--board", "usa"), capsys)
    assert ran.code == 3
    assert "half.jpg: only part of the board is in the picture: its right side" in ran.complaint


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("letter.jpg", "not a picture"),
        ("cut.jpg", "damaged or cut short"),
        ("tiny.png", "only 1 x 1 pixels"),
        ("missing.jpg", "No such file"),
    ],
)
@pytest.mark.parametrize("command", ["read", "calibrate"])
def test_a_bad_file_is_2(
    calibrated: Path,
    pictures: Path,
    command: str,
    name: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ran = Ran(run(command, pictures / name, "--board", "usa"), capsys)
    assert ran.code == 2
    assert f"{name}: " in ran.complaint
    assert words in ran.complaint


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param("--board mars", "known are europe", id="unknown board"),
        pytest.param("--board philly", "not measured", id="unmeasured board"),
        pytest.param("--board usa --profile attic", "there are: drawn", id="unknown profile"),
        pytest.param("--board usa --profile ../drawn", "profile's name", id="a path for a profile"),
        pytest.param(
            "--board europe --profile drawn", "of the board 'usa'", id="another's profile"
        ),
        pytest.param("--board usa --colours red,pink", "'pink'", id="unknown colour"),
        pytest.param("--board usa --edition mars", "mars", id="unknown edition"),
        pytest.param("--board usa --edition europe", "not 'usa'", id="another board's edition"),
        pytest.param("--board usa --annotate out.gif", "must end in .png", id="no picture's name"),
        pytest.param("--board usa --annotate no/out.png", "no such folder", id="no such folder"),
        pytest.param("--board usa --fast", "--fast", id="unknown option"),
    ],
)
def test_a_bad_argument_of_read_is_2(
    calibrated: Path, pictures: Path, words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = Ran(run("read", pictures / "game.jpg", *words.split()), capsys)
    assert ran.code == 2
    assert said in ran.complaint


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(
            ["--corners", CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]], "cross", id="x"
        ),
        pytest.param(["--corners", *CORNERS[::-1]], "wrong way round", id="mirrored"),
        pytest.param(["--corners", "0,0", "9999,0", *CORNERS[2:]], "outside", id="outside"),
        pytest.param(["--corners", *CORNERS[:3]], "--corners", id="three corners"),
        pytest.param(["--corners", *CORNERS[:3], "left"], "write it as x,y", id="no corner"),
        pytest.param(["--corners", *CORNERS[:3], "nan,0"], "four corners", id="not a number"),
        pytest.param(["--corners", *CORNERS, "--profile", "My board"], "small letters", id="name"),
        pytest.param(["--corners", *CORNERS, "--annotate", "x.txt"], ".png or .jpg", id="annotate"),
        pytest.param(["--corners", *CORNERS, "--board", "philly"], "not measured", id="unmeasured"),
        pytest.param([], "give the four corners", id="an outline nobody knows"),
    ],
)
def test_a_bad_argument_of_calibrate_is_2_and_writes_nothing(
    home: Path, pictures: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = Ran(run("calibrate", pictures / "empty.png", "--board", "usa", *words), capsys)
    assert ran.code == 2
    assert said in ran.complaint
    assert list(home.rglob("*")) == []


def test_no_profile_yet_says_how_to_make_one(
    home: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = Ran(run("read", pictures / "game.jpg", "--board", "newyork"), capsys)
    assert ran.code == 2
    assert "railspotter calibrate PHOTO --board newyork" in ran.complaint


@pytest.mark.parametrize("words", [[], ["--profile", "drawn"]], ids=["the newest", "by name"])
def test_a_corrupt_profile_is_named(
    calibrated: Path, pictures: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = calibrated / "profiles" / "drawn.npz"
    file.write_bytes(file.read_bytes()[:-1000])
    ran = Ran(run("read", pictures / "game.jpg", "--board", "usa", *words), capsys)
    assert ran.code == 2
    assert "damaged" in ran.complaint
    assert "railspotter calibrate" in ran.complaint


def test_a_colour_named_twice_plays_once(
    calibrated: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("read", pictures / "game.jpg", "--board", "usa", "--json", "--colours")
    assert run(*words, "red,red, blue") == 0
    line = json.loads(capsys.readouterr().out)
    assert list(line["standing"]) == ["red", "blue"]
    theirs = {route: c for route, c in drawn.CLAIMS.items() if c in ("red", "blue")}
    assert theirs.items() <= line["claims"].items()


@pytest.mark.parametrize("port", ["-1", "65536", "http", "1e3"])
def test_a_port_that_is_none(home: Path, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(run("serve", "--board", "usa", f"--port={port}"), capsys)
    assert ran.code == 2
    assert "not a port" in ran.complaint


def test_the_demonstration_needs_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(run("demo", "--no-page"), capsys)
    assert (ran.code, ran.err) == (0, "")
    assert f"{len(demo_game().enactment.played.end.claims)} routes claimed" in ran.out
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_that_the_parser_takes(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = Ran(run(command, "--help"), capsys)
    assert (ran.code, ran.err) == (0, "")
    _, examples = re.split(r"examples?: railspotter ", " ".join(ran.out.split()))
    for example in examples.split("; railspotter "):
        assert example.split()[0] == command
        assert callable(build_parser().parse_args(example.split()).run)


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(run("--help"), capsys)
    assert ran.code == 0
    assert all(re.search(rf"^ +{command}\b", ran.out, re.MULTILINE) for command in COMMANDS)


def test_the_name_alone_says_what_to_do_first(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(run(), capsys)
    assert (ran.code, ran.out) == (2, "")
    examples = re.findall(r"^  railspotter (.+?)(?:  |$)", ran.err, re.MULTILINE)
    assert [line.split()[0] for line in examples] == ["demo", "read", "play", "doctor"]
    for example in examples:
        assert callable(build_parser().parse_args(example.split()).run)


def test_help_waits_for_no_command() -> None:
    said = "import sys; from railspotter.cli.process import main"
    ended = subprocess.run(
        [sys.executable, "-c", f"{said}\ntry: main()\nfinally: print(*sys.modules)", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    *_, modules = ended.stdout.splitlines()
    loaded = set(modules.split())
    assert not loaded & {"numpy", "cv2", "flask", "networkx", "railspotter.scoring"}


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(run("--version"), capsys)
    assert (ran.code, ran.out) == (0, f"railspotter {version('railspotter')}\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "read --borad usa a.jpg",
            "'railspotter read' has no option '--borad': did you mean '--board'?"
            " (see 'railspotter read --help')",
        ),
        ("read a.jpg --xyz=1", "'railspotter read' has no option '--xyz' (see 'railspotter read"),
        ("raed a.jpg", "'railspotter' has no command 'raed': did you mean 'read'?"),
        (
            "games exprot friday",
            "'railspotter games' has no action 'exprot': did you mean 'export'",
        ),
        ("games show one two", "unrecognized arguments: two (see 'railspotter games show --help')"),
    ],
)
def test_what_is_misspelled_is_named_with_what_is_near(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = Ran(run(*words.split()), capsys)
    assert ran.code == 2
    assert said in ran.complaint


def test_the_installed_program(calibrated: Path, pictures: Path) -> None:
    program = Path(sys.executable).with_name("railspotter")
    photos = pictures / "letter.jpg", pictures / "nothing.jpg"
    words: list[str | Path] = [program, "read", *photos, "--board", "usa"]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert [line.split(": ")[0] for line in ended.stderr.splitlines()] == ["railspotter"] * 2
