"""A drawn game waits for whoever reads it, answers what the table asks, and is played to its end."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import cache
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import pytest
from at_once import AtOnce
from railspotter.scoring.dealing.moves import ticket_texts
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.enactment.director import enact
from railspotter.simulation.played_game import PlayedGame
from railspotter.simulation.virtual_game import VirtualGame
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.live_table.commands import Action, AddFacts, Resume
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import TableView
from railspotter.table.set_up.demo import HABITS, LIVE_SEED, DemoTable, demo_game
from railspotter.vision.readings import Doubt
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.watching.questions import Occasion

CLAIMS = 3  # of the short game
# A reading takes as many pictures as a turn and a half of these games.
LATE_PICTURES = 15


@cache
def short_game() -> VirtualGame:
    """The first claims of a demo game, before a smaller camera."""
    whole = demo_game(LIVE_SEED, size_wh=(960, 640))
    played = whole.enactment.played
    before = takewhile(lambda made: len(made.position.claims) < CLAIMS, played.moves)
    moves = played.moves[: len(list(before)) + 1]
    short = enact(PlayedGame(played.start, moves), whole.camera.printed, LIVE_SEED, HABITS)
    return replace(whole, enactment=short)


def truth() -> dict[Spot, Colour]:
    """What lies there at the end."""
    return {Spot("route", route): c for route, c in short_game().enactment.played.end.claims.items()}


class Late(Executor):
    """Does its work when so many pictures have passed since it was handed in."""

    def __init__(self) -> None:
        self._waiting: list[list[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append([LATE_PICTURES, future, lambda: fn(*args, **kwargs)])
        return future

    def pass_picture(self) -> None:
        for one in self._waiting:
            one[0] -= 1
        while self._waiting and self._waiting[0][0] <= 0:
            _, future, work = self._waiting.pop(0)
            future.set_result(work())


def turned(
    log: GameLog,
    work: Executor,
    at_picture: Callable[[LiveTable, int], None] = lambda table, number: None,
) -> list[TableView]:
    """Let a table read the short game to its end; return all that it showed."""
    demo, views = DemoTable(short_game()), list[TableView]()
    with Grabber(replace(demo.source, as_fast_as_read=True)) as grabber:
        table = LiveTable(log, grabber, demo.profile, work=work)
        demo.set_up(table)
        table.subscribe(lambda view, events: views.append(view))
        for number in count():
            table.process_next_frame()
            at_picture(table, number)
            if isinstance(work, Late):
                work.pass_picture()
            if table.view.is_over:
                return views


def started(folder: Path) -> GameLog:
    demo = DemoTable(short_game())
    return GameStore(folder).create(GameStarted(demo.edition.id, demo.players), 1.0)


def is_asked(view: TableView) -> bool:
    return bool(view.questions or view.sight.joining or view.sight.strange)


def test_a_game_does_not_outrun_a_slow_reader(tmp_path: Path) -> None:
    with started(tmp_path) as log:
        views = turned(log, Late())
        assert not any(map(is_asked, views))
        assert log.state.table.held == truth()
        facts = [event.fact for event in log.state.events]
    assert sum(isinstance(fact, Placed) for fact in facts) == CLAIMS
    assert not any(isinstance(fact, Corrected) for fact in facts), "nobody told it"


