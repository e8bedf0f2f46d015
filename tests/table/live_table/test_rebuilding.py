"""A game is packed away and laid out again: what is wrong is said, and nothing of it is a claim."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from at_once import AtOnce
from logged_games import newest_undoable
from railspotter.calibration.arrays import Picture
from railspotter.cli.terminal.watching import TerminalLog
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.budgets import Writer
from railspotter.table.game_log.course_facts import (
    GameEnded,
    GamePackedAway,
    GameResumed,
    GameStarted,
)
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.commands import Action, AddFacts, Resume, Undo
from railspotter.table.live_table.live_table import LiveTable
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard

VIEW = CameraSetup((960, 640), tilt_deg=10, heading_deg=5)
LANE, OTHER_LANE = "portland--seattle--0", "portland--seattle--1"
CLAIMS = {route: colour for colour in ("red", "blue") for route in (*drawn.GAME[colour][:4],)}
PLAYERS = (Player("ann", "red", "Ann"), Player("bob", "blue", "Bob"))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[GameLog]:
    """A game in which half of the routes are claimed."""
    with GameStore(tmp_path).create(GameStarted("usa", PLAYERS), 1.0) as log:
        facts = [
            Placed.on(Spot("route", route), colour=colour, by="camera")
            for route, colour in CLAIMS.items()
        ]
        log.append(facts, 2.0)
        yield log


class Board:
    """What lies before a camera, and the table that watches it."""

    def __init__(self, log: GameLog, grabber: Grabber) -> None:
        self.table = LiveTable(log, grabber, drawn.profile(), work=AtOnce())

    def until(self, holds: Callable[[], object], most: int = 150) -> None:
        for _ in range(most):
            self.table.process_next_frame()
            if holds():
                return
        raise AssertionError(self.said())

    def said(self) -> dict[str, str]:
        view = self.table.view.sight.rebuilding
        return {} if view is None else {one.spot.id: one.kind for one in view.differences}


shown: list[Picture] = []


def lay(claims: dict[str, str]) -> None:
    shown.append(drawn.photographed(claims, VIEW))


@contextmanager
def watched(log: GameLog) -> Iterator[Board]:
    source = VirtualBoard(lambda t_s: shown[-1], 300.0, 5.0, as_fast_as_read=True)
    with Grabber(source) as grabber:
        yield Board(log, grabber)


def test_a_game_that_was_packed_away_is_laid_out_again_and_goes_on_by_itself(
    log: GameLog,
) -> None:
    lay(CLAIMS)
    with watched(log) as board:
        board.until(lambda: board.table.sighted)
        (event,) = board.table.execute(Action.PACK_AWAY)
        assert isinstance(event.fact, GamePackedAway)
        lay({})
        for _ in range(30):
            board.table.process_next_frame()
        assert board.table.view.sight.rebuilding is None
        hindrance = board.table.view.hindrance
        assert hindrance is not None
        assert "packed away" in hindrance.said
    (jpeg,) = log.crops(event.seq)
    kept = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert kept is not None
    width, height = drawn.usa().size_mm
    assert kept.shape[1] / kept.shape[0] == pytest.approx(width / height, rel=0.01)

    before = len(log.state.events)
    with watched(log) as board:  # the program was started again
        board.until(board.said)
        assert board.said() == dict.fromkeys(CLAIMS, "missing")
        laid = dict(CLAIMS)
        wrong_lane = {OTHER_LANE: laid.pop(LANE)}
        gone, colour = laid.popitem()
        steps = list(laid.items())
        lay(dict(steps[:3]))
        board.until(lambda: len(board.said()) == len(CLAIMS) - 3)
        lay({**laid, **wrong_lane})
        board.until(lambda: len(board.said()) == 2)
        assert board.said() == {LANE: "lane", gone: "missing"}
        lay({**laid, LANE: "blue"})
        board.until(lambda: len(board.said()) == 1)
        lay({**laid, LANE: "blue", gone: "red" if colour == "blue" else "blue"})
        board.until(lambda: board.said() == {gone: "colour"})
        assert len(log.state.events) == before, "nothing is a claim, and nothing is lost"
        lay(CLAIMS)
        board.until(lambda: not log.state.table.paused)
        for _ in range(60):
            board.table.process_next_frame()
        assert board.table.view.sight.rebuilding is None
        assert board.table.view.questions == ()
    assert [event.fact for event in log.state.events[before:]] == [GameResumed()]
    assert log.state.table.claims == dict(sorted(CLAIMS.items()))


def test_a_board_that_lies_there_already_is_no_matter(log: GameLog) -> None:
    log.append([GamePackedAway()], 3.0)
    lay(CLAIMS)
    told = []
    with watched(log) as board:
        board.table.subscribe(lambda view, new: told.append(board.said()))
        board.until(lambda: not log.state.table.paused)
        lay({**CLAIMS, "denver--phoenix": "red"})
        board.until(lambda: "denver--phoenix" in log.state.table.claims)
    assert not any(told)


def test_people_say_that_it_is_as_it_should_be(log: GameLog) -> None:
    log.append([GamePackedAway()], 3.0)
    gone, *_ = CLAIMS
    lay(
        {route: colour for route, colour in CLAIMS.items() if route != gone}
        | {"denver--phoenix": "red"}
    )
    with watched(log) as board:
        board.until(board.said)
        assert board.said() == {gone: "missing", "denver--phoenix": "extra"}
        board.table.execute(Resume(), Writer("player", "ann"))
        assert log.state.table.paused, "it is being rebuilt already"
        board.table.execute(Resume(is_rebuilt=True), Writer("player", "ann"))
        for _ in range(60):
            board.table.process_next_frame()
    assert log.state.table.claims == dict(sorted(CLAIMS.items()))
    assert {Spot("route", gone), Spot("route", "denver--phoenix")} == log.state.table.by_hand
    assert sum(isinstance(event.fact, Corrected) for event in log.state.events) == 2


def test_the_terminal_says_how_much_is_to_be_laid_again(
    log: GameLog, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(CLAIMS)
    with watched(log) as board:
        board.table.subscribe(TerminalLog().update)
        board.until(lambda: board.table.sighted)
        board.table.execute(Action.PACK_AWAY)
        assert "packed away" in capsys.readouterr().out
        gone, *_ = CLAIMS
        lay({route: colour for route, colour in CLAIMS.items() if route != gone})
        board.table.execute(Resume())
        board.until(board.said)
        assert "1 left until the board lies as it was" in capsys.readouterr().out
        board.table.execute(Resume(is_rebuilt=True))
        assert "watching again" in capsys.readouterr().out
    assert Spot("route", gone) in log.state.table.by_hand


def test_the_same_program_compares_once_somebody_goes_on(log: GameLog) -> None:
    lay(CLAIMS)
    with watched(log) as board:
        board.until(lambda: board.table.sighted)
        board.table.execute(Action.PACK_AWAY)
        lay({})
        for _ in range(20):
            board.table.process_next_frame()
        board.table.execute(Resume())
        board.until(board.said)
        assert board.said() == dict.fromkeys(CLAIMS, "missing")
        lay(CLAIMS)
        board.until(lambda: not log.state.table.paused)
        # A slip is undone: the board is not compared with what was seen then.
        board.table.execute(Undo(newest_undoable(log.state)))
        for _ in range(30):
            board.table.process_next_frame()
        assert log.state.table.packed_away


def test_what_is_packed_away_or_over_is_not_packed_away(log: GameLog) -> None:
    lay({})
    with watched(log) as board:
        assert board.table.execute(Action.PACK_AWAY)
        assert board.table.execute(Action.PACK_AWAY) == ()
        board.table.execute(AddFacts([GameEnded()]))
        board.table.execute(Resume(is_rebuilt=True))
        assert board.table.execute(Action.PACK_AWAY) == ()
