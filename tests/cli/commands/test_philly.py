"""Philly boards of one's own by command: what they lack is told, and their rules are those of the
board file, unless somebody says otherwise."""

import io
from pathlib import Path
from typing import Any

import philly
import pytest
from msgspec.structs import replace
from railspotter.calibration.board_making.draft import board_text
from railspotter.cli.command import main
from railspotter.scoring.board import Board
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.table_state import TableState

NONE = ("--source", "none", "--no-page", "--players", "Ann:red", "Bo:blue")


@pytest.fixture(autouse=True)
def typed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))


def written(path: Path, **other: Any) -> str:
    path.write_text(board_text(replace(philly.philly(), **other)))
    return str(path)


def unmeasured() -> dict[str, Any]:
    """What is otherwise where nobody has measured the board."""
    whole: Board = philly.philly()
    return {
        "measured": False,
        "size_mm": (1.0, 1.0),
        "places": tuple(replace(place, xy_mm=(0.0, 0.0)) for place in whole.places),
        "routes": tuple(replace(route, spaces=()) for route in whole.routes),
        "sites": tuple(replace(site, space=None) for site in whole.sites),
    }


def played(home: Path) -> TableState:
    (game,) = GameStore(home).ids()
    return GameStore(home).read(game).table


def test_check_says_what_a_board_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ours.json"
    whole = philly.philly()
    assert main(["board", "check", written(file)]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert lines == ["it is played by the rules of Philly (a fan map)"]
    first, *others = whole.routes
    routes = (replace(first, mode=None), replace(others[0], mode="X"), *others[1:])
    zoo, museum, *more = whole.sites
    sites = (replace(zoo, colours=()), replace(museum, space=None), *more)
    written(file, edition=None, routes=routes, sites=sites, tickets=())
    assert main(["board", "check", str(file)]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert lines == [
        'it does not say by which rules it is played ("edition"): here by those of philly',
        "no tickets are known: players type theirs in with their points, and no phone is dealt any",
        "no route is of the modes N: nobody can have the bonus for all modes",
        "nobody has said which mode these routes are of: 69th St - Norristown",
        "these routes are of no mode that there is (B, N, R, S, T): 30th St - 69th St",
        "nobody has said which two colours pay for these sites: Zoo",
        "nobody has said where these sites are, so no camera sees them: Museum of Art",
    ]


@pytest.mark.parametrize(
    ("edition", "said", "rules"),
    [
        ("philly", [], "philly"),
        ("usa-1910", [], "usa-1910"),
        ("philly", ["--edition", "usa"], "usa"),
        (None, ["--edition", "philly"], "philly"),
    ],
)
def test_a_board_is_played_by_its_own_rules_unless_others_are_said(
    home: Path, tmp_path: Path, edition: str | None, said: list[str], rules: str
) -> None:
    file = written(tmp_path / "ours.json", edition=edition)
    assert main(["play", "--board", file, *NONE, *said]) == 0
    assert played(home).edition.id == rules


def test_an_unmeasured_board_is_played_without_a_camera_and_what_it_lacks_is_said(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "ours.json", **unmeasured(), tickets=())
    rules = ["--house-rule", "site_points=3,3", "--house-rule", "replaced_locomotive=on"]
    assert main(["play", "--board", file, *NONE, *rules, "--cards", "phones"]) == 0
    assert "no tickets are known" in capsys.readouterr().out
    table = played(home)
    assert table.started.house_rules == {"site_points": [3, 3], "replaced_locomotive": True}
    assert (table.edition.site_points, table.edition.replaced_locomotive) == ((3, 3), True)
    assert main(["play", "--board", file, "--source", "0", *NONE[2:]]) == 2
    assert "played without a camera" in capsys.readouterr().err
