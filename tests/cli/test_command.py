"""The `railspotter` command itself: its help, its arguments, and what it prints."""

import os
import re
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from railspotter.cli.command import COMMANDS, build_parser, main
from railspotter.table.set_up.demo import demo_game

# Those of them whose help ends in examples.
WITH_EXAMPLES = (
    *("calibrate", "read", "score", "games", "replay", "render", "serve", "demo", "doctor", "hall"),
    *(f"games {verb}" for verb in ("list", "show", "rename", "export", "import", "delete")),
    *(f"board {verb}" for verb in ("propose", "check", "places", "routes", "tickets")),
    *(f"display {verb}" for verb in ("list", "test", "preview")),
)


def run(*words: str | Path) -> int:
    """Run the command; the exit code, also where the parser ends the program."""
    try:
        return main([str(word) for word in words])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1


def test_the_demonstration_needs_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("demo", "--no-page") == 0
    out, err = capsys.readouterr()
    assert f"{len(demo_game().enactment.played.end.claims)} routes claimed" in out
    assert err == ""
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("command", WITH_EXAMPLES)
def test_help_shows_an_example_that_the_parser_takes(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*command.split(), "--help") == 0
    _, examples = re.split(r"examples?: railspotter ", " ".join(capsys.readouterr().out.split()))
    for example in examples.split("; railspotter "):
        assert example.startswith(command)
        assert callable(build_parser().parse_args(shlex.split(example)).run)


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    said = capsys.readouterr().out
    assert all(re.search(rf"^ +{command}\b", said, re.MULTILINE) for command in COMMANDS)


def test_the_name_alone_says_what_to_do_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 2
    out, err = capsys.readouterr()
    assert out == ""
    examples = re.findall(r"^  railspotter (.+?)(?:  |$)", err, re.MULTILINE)
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
    assert run("--version") == 0
    assert capsys.readouterr().out == f"railspotter {version('railspotter')}\n"


def test_the_installed_program(calibrated: Path, pictures: Path) -> None:
    program = Path(sys.executable).with_name("railspotter")
    photos = pictures / "letter.jpg", pictures / "cut.jpg"
    words: list[str | Path] = [program, "read", *photos, "--board", "usa"]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert [line.split(": ")[0] for line in ended.stderr.splitlines()] == ["railspotter"] * 2


def test_a_name_with_an_escape_sequence_is_printed_without_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("score", tmp_path / "game\x1b[2J\u202e.txt") == 2
    said = capsys.readouterr().err
    assert "game" in said
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert said.endswith("\n")


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("score - < {game} > /dev/full", 2, "the output cannot be written: No space left"),
        ("board routes usa >&-", 0, ""),
        ("score - <&-", 2, "standard input is closed"),
        ("read missing.jpg --board usa 2>&-", 2, ""),
    ],
)
def test_streams_that_are_closed_or_full(
    tmp_path: Path, command: str, code: int, said: str
) -> None:
    game = tmp_path / "game.json"
    game.write_text('{"edition": "usa", "players": [{"colour": "red"}]}', "utf-8")
    program = Path(sys.executable).with_name("railspotter")
    line = f"{program} {command.format(game=game)}"
    ended = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == code
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_letters_that_a_terminal_lacks_are_written_out(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_text('{"edition": "usa", "players": [{"colour": "red", "name": "Стол"}]}', "utf-8")
    words: list[str | Path] = [Path(sys.executable).with_name("railspotter"), "score", game]
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    ended = subprocess.run(words, capture_output=True, env=latin, timeout=60, check=False)
    assert ended.returncode == 0
    assert rb"\u0421" in ended.stdout


# No source: the sentence that says so shows what was read.
ADDRESS = "ftp://me:secret@192.0.2.7/live"


def test_a_source_with_a_password_comes_from_the_environment_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "camera.txt"
    file.write_text(f"{ADDRESS}\nnot this line\n", "utf-8")
    monkeypatch.setenv("BOARD_CAMERA", ADDRESS)
    game = ["play", "--no-page", "--board", "usa", "--players", "Ann:red", "Bo:blue"]
    for source in ("env:BOARD_CAMERA", f"@{file}"):
        assert run(*game, "--source", source) == 2
        said = capsys.readouterr().err
        assert "'ftp://192.0.2.7/live' is no camera's address" in said
        assert "secret" not in said
