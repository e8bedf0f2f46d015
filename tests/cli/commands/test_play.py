"""`railspotter play`: what it says, and that a game goes on."""

import io
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from railspotter.cli.command import main
from railspotter.cli.table_service import TableService
from railspotter.cli.terminal.watching import stop_on_quit
from railspotter.scoring.dealing.dealing import first_dealing
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.display_control import DisplayFeed, PiecesToLay
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameStarted
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import begin
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.game_log.table_state import Payment, SpotState
from railspotter.table.home import home
from railspotter.table.live_table.table_view import (
    BoardSight,
    Difference,
    RebuildingView,
    TableView,
)
from railspotter.table.photo_file import save_picture
from railspotter.table.set_up.demo import demo_table
from railspotter.table.set_up.planned_game import GameHandover
from railspotter.vision.readings import Doubt
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.watching.questions import Question
from railspotter.vision.watching.settling import WatchState
from scripted_luck import RecordedLuck
from told_lights import ToldLights

SEATTLE = Spot("route", "helena--seattle")
EAST = Spot("route", "east-village--greenwich-village")
RUN = "import sys; from railspotter.cli.command import main; sys.exit(main())"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(tmp_path))


def test_who_says_so_plays_in_any_number_by_a_house_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["--board", "newyork", "--players", "Ann:blue", "--any-number"]
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert main(["play", "--source", "none", "--no-page", *arguments]) == 0
    (game,) = GameStore(home()).ids()
    table = GameStore(home()).read(game).table
    assert table.started.house_rules == {"players": [1, 4]}
    assert table.full_score.problems == ()


@pytest.mark.parametrize(("edition", "helps"), [("usa", False), ("usa-10th", True)])
def test_where_nobody_knows_the_print_it_says_what_helps(
    edition: str,
    helps: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "pictures").mkdir()
    save_picture(tmp_path / "pictures" / "grey.png", np.full((300, 400, 3), 128, np.uint8))
    arguments = ["--board", "usa", "--edition", edition, "--players", "Ann:red", "Bo:blue"]
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["play", "--source", str(tmp_path / "pictures"), "--no-page", *arguments]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "your empty board" in line]
    refused = [line for line in lines if "the board was not found" in line]
    assert (len(lines), len(refused)) == ((2, 1) if helps else (0, 0)), "at the start, and why"


def after_a_while(line: str) -> Iterator[str]:
    """What somebody types who has looked at the terminal first."""
    time.sleep(1.0)
    yield line


@pytest.mark.parametrize("cards", ["table", "phones"])
def test_a_game_without_a_camera_needs_no_profile_and_is_gone_on_with(
    cards: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["--board", "newyork", "--players", "Ann:blue", "Bo:white", "--cards", cards]
    monkeypatch.setattr("sys.stdin", after_a_while("q\n"))
    assert main(["play", "--source", "none", "--no-page", *arguments]) == 0
    (game,) = GameStore(home()).ids()
    assert "waiting for taps on the map: there is no camera" in capsys.readouterr().out
    log = GameStore(home()).open(game)
    with log:
        log.append([Placed.on(EAST, colour="blue", by="person"), GameEnded()], time.time())
    again = ["play", "--source", "none", "--no-page", "--resume", game[:8]]
    for words, is_over in ((again, True), ([*again, "--not-over"], False)):
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        assert main(words) == 0
        assert GameStore(home()).read(game).table.ended == is_over
    assert main([*again, "--not-over"]) == 2, "it goes on already"
    assert f"'railspotter play --resume {game[:8]}'" in capsys.readouterr().out
    assert GameStore(home()).read(game).table.held == {EAST: "blue"}


def test_a_drawn_game_is_watched_and_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, display, store = demo_table(), ToldLights(), GameStore(home())
    source = shown.source
    assert isinstance(source, VirtualBoard)
    short = VirtualBoard(source.picture_at, 3.0, 5.0, as_fast_as_read=True, name="a short game")
    with store.create(GameStarted("usa", shown.players, "Friday"), 1.0) as log:
        log.append([Placed.on(SEATTLE, colour="blue", by="person")], 2.0)
    with Grabber(short) as grabber:
        handover = GameHandover(store, log.id, False, grabber, shown.profile)
        assert TableService(None, threading.Event(), display).run(handover) == 0
    said = capsys.readouterr().out
    for part in (
        "watching Friday",
        "a short game has ended",
        "blue 15 (39 left)",
        f"'railspotter play --resume {log.id[:8]}' goes on with this game",
    ):
        assert part in said, part
    assert store.read(log.id).table.claims["helena--seattle"] == "blue"
    assert {edition.id for _, edition in display.shown} == {"usa"}
    assert display.shown[0][0]["blue"].total == 15


def test_who_types_anything_else_is_told_where_it_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    enough = threading.Event()
    stop_on_quit(io.StringIO("undo\n\nq\nnever read\n"), enough)
    assert enough.wait(10.0)
    (line,) = capsys.readouterr().out.splitlines()
    assert "All else is on the page" in line


@pytest.mark.parametrize(
    ("state", "questions", "is_dim"),
    [
        (WatchState.SETTLING, (), True),
        (WatchState.SETTLED, (), False),
        (WatchState.HAND, (), False),
        (
            WatchState.SETTLING,
            (Question(Doubt(Spot("route", "a--b"), None, (), Sentence(""))),),
            False,
        ),
    ],
)
def test_a_display_is_dim_while_the_camera_decides(
    state: WatchState, questions: tuple[Question, ...], is_dim: bool
) -> None:
    started = GameStarted("usa", (Player("ann", "red"), Player("bo", "blue")))
    display = ToldLights()
    DisplayFeed(display).update(
        TableView(begin(Event(1, 1.0, started)), BoardSight(state), questions=questions), ()
    )
    assert display.dimmed == [is_dim]


@pytest.mark.parametrize(
    ("edition", "spot", "told"),
    [
        (
            "usa",
            Spot("route", "denver--kansas-city--0"),
            ("Denver - Kansas City (first lane)", 4, 7),
        ),
        ("usa-accessible", Spot("route", "helena--seattle"), ("Helena - Seattle", 1, 15)),
        ("europe", Spot("route", "petrograd--stockholm"), ("Petrograd - Stockholm", 8, 21)),
        ("europe", Spot("station", "roma"), ("the station at Roma", 1, None)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_display_says_what_is_to_be_laid_until_it_lies_there(
    edition: str, spot: Spot, told: tuple[str, int, int | None]
) -> None:
    players = (Player("ann", "red"), Player("rowan", "blue", computer="hard"))
    game = begin(Event(1, 1.0, GameStarted(edition, players)))
    dealing = first_dealing(game.table.edition, game.table.board, ["ann", "rowan"], RecordedLuck(1))
    paid = replace(game.table, dealing=dealing, payments={spot: Payment("rowan", {})})
    laid = replace(paid, spots={spot: SpotState("blue", "camera", 2, 2.0)})
    display = ToldLights()
    feed = DisplayFeed(display)
    for table in (game.table, paid, laid):
        feed.update(TableView(replace(game, latest=table), BoardSight(WatchState.SETTLED)), ())
    where, pieces, marker = told
    assert display.to_lay == [(), (PiecesToLay("blue", where, pieces, marker=marker),), ()]


def test_a_display_says_what_is_still_to_be_laid_of_a_game_that_was_packed_away() -> None:
    started = GameStarted("usa", (Player("ann", "red"), Player("bo", "blue")))
    gone, extra = Spot("route", "helena--seattle"), Spot("route", "denver--helena")
    left = RebuildingView(
        (Difference("extra", extra, None, "blue"), Difference("missing", gone, "red", None)),
        is_read=True,
    )
    display = ToldLights()
    feed = DisplayFeed(display)
    game = begin(Event(1, 1.0, started))
    for rebuilding in (RebuildingView(), left, left, None):
        feed.update(TableView(game, BoardSight(WatchState.SETTLED, rebuilding=rebuilding)), ())
    assert display.to_lay == [(), (PiecesToLay("red", "Helena - Seattle", 6),), ()]
