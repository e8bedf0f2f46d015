"""A drawn game waits for its reader, answers what the table asks, and is played to its end."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from at_once import AtOnce
from railspotter.scoring.dealing.moves import ticket_texts
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_game import VirtualGame
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import PlayerRecoloured
from railspotter.table.live_table.commands import Action, Resume
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import TableView
from railspotter.table.set_up.demo import DemoTable
from railspotter.vision.readings import Doubt
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.watching.questions import Answer, Occasion, Question
from railspotter.vision.watching.settling import WatchState
from short_demo import game_of, truth

# A reading takes as many pictures as a turn and a half of these games.
LATE_PICTURES = 15
PAUSED_PICTURES = 200  # more than it waits for a claim
MOST_PICTURES = 3000  # of a game that ends


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


def started(folder: Path, game: VirtualGame) -> GameLog:
    demo = DemoTable(game)
    return GameStore(folder).create(GameStarted(demo.edition.id, demo.players), 1.0)


def turned(
    log: GameLog,
    game: VirtualGame,
    work: Executor,
    at_picture: Callable[[LiveTable, int], None] = lambda table, number: None,
) -> list[TableView]:
    """Let a table read a game to its end; return all that it showed."""
    demo, views = DemoTable(game), list[TableView]()
    assert isinstance(demo.source, VirtualBoard)
    with Grabber(replace(demo.source, as_fast_as_read=True)) as grabber:
        table = LiveTable(log, grabber, demo.profile, work=work)
        demo.set_up(table)
        table.subscribe(lambda view, events: views.append(view))
        for number in range(MOST_PICTURES):
            table.process_next_frame()
            at_picture(table, number)
            if isinstance(work, Late):
                work.pass_picture()
            if table.view.is_over:
                return views
    raise AssertionError("it never ends")


def is_asked(view: TableView) -> bool:
    return bool(view.questions or view.sight.joining or view.sight.strange)


def is_told(log: GameLog) -> bool:
    return any(isinstance(event.fact, Corrected) for event in log.state.events)


def test_a_game_does_not_outrun_a_slow_reader(tmp_path: Path) -> None:
    game = game_of(3)
    with started(tmp_path, game) as log:
        views = turned(log, game, Late())
        assert not any(map(is_asked, views))
        assert not is_told(log)
        table, tickets = log.state.table, game.enactment.played.end.tickets
    assert (table.held, table.ended, table.counted) == (truth(game), True, True)
    assert {
        seat: tuple(held.ticket for held in hand if held.revealed)
        for seat, hand in table.tickets.items()
    } == {colour: ticket_texts(hand) for colour, hand in tickets.items()}


def test_who_ends_a_game_early_is_asked_for_no_tickets(tmp_path: Path) -> None:
    def end(table: LiveTable, number: int) -> None:
        if number == 5:
            table.execute(Action.END)

    with started(tmp_path, game_of(1)) as log:
        turned(log, game_of(1), AtOnce(), end)
        table = log.state.table
    assert (table.held, table.counted) == ({}, True)
    assert table.tickets.keys() == {player.seat for player in table.players}


def test_what_a_table_asks_the_game_answers_itself(tmp_path: Path) -> None:
    game, questions, asked = game_of(2), list[Question](), dict[Spot, Answer | None]()
    free = [Spot("route", route.id) for route in game.enactment.board.routes]
    free = [spot for spot in free if spot not in truth(game)]
    colour = game.enactment.played.start.colours[0]

    def ask(table: LiveTable, number: int) -> None:
        if len(table.view.game.table.held) != 1:
            return
        if not asked:
            for spot in (free[0], *table.view.game.table.held):
                table.questions.ask(Doubt(spot, None, (), Sentence("")), Occasion.OPENING)
            table.questions.show_next(2)
            questions.extend(table.questions.open)
        asked.update((one.spot, table.questions.answer_to(one.id)) for one in questions)

    with started(tmp_path, game) as log:
        log.append([Placed.on(spot, colour=colour, by="camera") for spot in free[:6]], 2.0)
        views = turned(log, game, AtOnce(), ask)
        assert log.state.table.held == truth(game)
    assert {view.sight.joining.missing for view in views if view.sight.joining} == {6}
    assert len(asked) == 2
    assert asked == {spot: Answer(truth(game).get(spot)) for spot in asked}


def test_trains_of_a_colour_that_was_given_away_are_nobodys(tmp_path: Path) -> None:
    game = game_of(1)
    (seat,) = truth(game).values()
    with started(tmp_path, game) as log:
        table = log.state.table
        own = {player.colour for player in table.players}
        other = next(colour for colour in table.edition.colours if colour not in own)
        log.append([PlayerRecoloured(seat, other)], 2.0)
        views = turned(log, game, AtOnce())
        assert any(view.sight.strange for view in views)
        assert (log.state.table.held, log.state.table.counted) == ({}, True)


def test_a_game_stands_still_during_a_pause(tmp_path: Path) -> None:
    game, paused = game_of(1), list[int]()

    def pause(table: LiveTable, number: int) -> None:
        if table.view.sight.state is WatchState.HAND and not paused:
            paused.append(number)
            table.execute(Action.PAUSE)
        if paused == [number - PAUSED_PICTURES]:
            table.execute(Resume())

    with started(tmp_path, game) as log:
        turned(log, game, AtOnce(), pause)
        assert paused
        assert log.state.table.held == truth(game)
        assert not is_told(log)
