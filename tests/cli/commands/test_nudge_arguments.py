"""Routes moved by a command: kept in the profile, listed, put back, and refused in a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import drawn
import pytest
from railspotter.cli.command import main
from railspotter.table.home import ProfileStore

ROUTE = "helena--seattle"
BOARD = ("calibrate", "--board", "usa")


@pytest.fixture
def store(home: Path) -> ProfileStore:
    store = ProfileStore(home)
    store.save(replace(drawn.profile(), name="mine"))
    return store


def test_a_route_and_a_space_are_moved_listed_and_put_back(
    store: ProfileStore, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = ("--nudge", ROUTE, "1.5", "-.5", "--nudge", f"{ROUTE}#2", "0", "1")
    assert main([*BOARD, *moves]) == 0
    assert store.load("mine").nudges_mm == {ROUTE: (1.5, -0.5), f"{ROUTE}#2": (0.0, 1.0)}
    assert main([*BOARD, "--nudge", ROUTE, "1", "0"]) == 0
    capsys.readouterr()
    assert main([*BOARD, "--nudges"]) == 0
    out = capsys.readouterr().out
    assert "profile 'mine'" in out
    assert f"{ROUTE}     +2.5   -0.5" in out
    assert main([*BOARD, "--no-nudge", ROUTE, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"profile": "mine", "nudges_mm": {f"{ROUTE}#2": [0.0, 1.0]}}
    assert main([*BOARD, "--profile", "mine", "--no-nudge", "all"]) == 0
    assert "nothing is moved" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        pytest.param(("--nudge", "nowhere", "1", "0"), "no route or space 'nowhere'", id="no key"),
        pytest.param(("--nudge", ROUTE, "40", "0"), "at most 30 mm", id="too far"),
        pytest.param(
            ("--nudge", ROUTE, "1", "0", "--nudge", "no--where", "1", "0"), "no--where", id="half"
        ),
        pytest.param(("--no-nudge", ROUTE), "was not moved", id="not moved"),
        pytest.param(("--nudges", "--profile", "other"), "no profile 'other'", id="no profile"),
        pytest.param(("photo.jpg", "--nudges"), "nudges need no photo", id="with a photo"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    store: ProfileStore,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    why: str,
) -> None:
    assert main([*BOARD, *arguments]) == 2
    error = capsys.readouterr().err
    assert why in error
    assert "Traceback" not in error
    assert store.load("mine").nudges_mm == {}


@pytest.mark.parametrize("by", [("x", "0"), ("nan", "0"), ("inf", "1")])
def test_millimetres_are_numbers(
    store: ProfileStore, capsys: pytest.CaptureFixture[str], by: tuple[str, str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([*BOARD, "--nudge", ROUTE, *by])
    assert exit_.value.code == 2
    assert "are not two numbers of millimetres" in capsys.readouterr().err


def test_another_boards_profile_is_not_moved(
    store: ProfileStore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "--board", "europe", "--profile", "mine", "--nudges"]) == 2
    assert "is of the board 'usa', not 'europe'" in capsys.readouterr().err


def test_without_a_profile_it_says_how_to_make_one(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*BOARD, "--nudge", ROUTE, "1", "0"]) == 2
    assert "there is no profile of the board 'usa' yet" in capsys.readouterr().err
