"""`railspotter play`: what it refuses, what it says, and that a game goes on."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from railspotter.scoring import Edition, Standing
from railspotter.table.command import main
from railspotter.table.demo_table import demo_table
from railspotter.table.game_log import GameStarted, GameStore
from railspotter.table.home import home
from railspotter.table.play_command import watch
from railspotter.vision.sources import VirtualBoard

RUN = "import sys; from railspotter.table.command import main; sys.exit(main())"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--source", "0", "--players", "Ann:red"], "which board"),
        (["--source", "0", "--board", "usa"], "who plays"),
        (["--source", "0", "--board", "usa", "--players", "Ann:pink"], "'pink'"),
        (["--source", "0", "--board", "usa", "--players", "Ann:red", "Bo:red"], "red"),
        (["--source", "no-such", "--board", "usa", "--players", "Ann:red"], "no source"),
        (["--source", "0", "--board", "philly", "--players", "Ann:red"], "not measured"),
        (["--source", "0", "--board", "newyork", "--players", "Ann:blue"], "calibrate"),
        (["--source", "0", "--resume", "friday"], "no game 'friday'"),
    ],
)
def test_what_cannot_be_played_is_refused_and_leaves_no_game(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert reason in line
    assert list(GameStore(home()).ids()) == []


def test_a_drawn_game_is_watched_word_by_word(capsys: pytest.CaptureFixture[str]) -> None:
    shown = demo_table()
    source = shown.source
    assert isinstance(source, VirtualBoard)
    short = VirtualBoard(source.picture_at, 12.0, 5.0, as_fast_as_read=True, name="a short game")
    log = GameStore(home()).create(GameStarted("usa", shown.players, "Friday"), 1.0)
    words = io.StringIO("scores\nset helena--seattle red\nnonsense\nhelp\n")
    assert watch(log, short, shown.profile, words) == 0
    said = capsys.readouterr().out
    for part in (
        "watching Friday",
        "corrected: Helena - Seattle is red",
        "red 15 (39 left)",
        "'nonsense' is nothing I know",
        "undo, redo",
        "a short game has ended",
        f"'railspotter play --resume {log.id[:8]}' goes on with this game",
    ):
        assert part in said, part
    state = GameStore(home()).read(log.id)
    assert state.table.claims["helena--seattle"] == "red"


def test_quit_ends_it_at_once_and_cleanly() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", RUN, "play", "--source", "demo"],
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "goes on with this game" in ran.stdout
    assert ran.stderr == ""


def test_a_display_shows_every_standing() -> None:
    shown = demo_table()
    source = shown.source
    assert isinstance(source, VirtualBoard)
    short = VirtualBoard(source.picture_at, 1.0, 5.0, as_fast_as_read=True)
    log = GameStore(home()).create(GameStarted("usa", shown.players), 1.0)
    points: list[int] = []

    def show(standing: Standing, edition: Edition) -> None:
        assert edition.id == "usa"
        points.append(standing["red"].total)

    watch(log, short, shown.profile, io.StringIO("set helena--seattle red\n"), show)
    assert points[0] == 0
    assert points[-1] == 15
