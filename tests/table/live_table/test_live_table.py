"""A drawn game before a drawn camera: what is written down is what lies on the board."""

import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from at_once import AtOnce
from logged_games import newest_redoable, newest_undoable
from railspotter.cli.terminal.watching import TerminalLog
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.live_table import board_watch
from railspotter.table.live_table.commands import (
    Action,
    Command,
    ConfirmJoining,
    Correct,
    Redo,
    Resume,
    Undo,
)
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import Joining, TableView
from railspotter.vision.readings import Doubt
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.watching.questions import Occasion
from small_game import (
    FIRST_CLAIM_S,
    game,
    profile,
    small_log,
    true_claims,
    turn_to_the_end,
    turn_until,
    watching,
)
from waiting import until

SPOT = Spot("route", "helena--seattle")


def watch(
    log: GameLog,
    from_s: float,
    to_s: float,
    at_table: Callable[[LiveTable], object] = lambda table: None,
) -> tuple[LiveTable, list[Event]]:
    """Watch a stretch of the game as fast as it goes; say something to the table at its end."""
    events: list[Event] = []
    with watching(log, lambda t_s: game().frame_at(from_s + t_s).picture, to_s - from_s) as table:
        table.subscribe(lambda view, new: events.extend(new))
        turn_to_the_end(table)
        at_table(table)
    return table, events


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> GameLog:
    """The log, closed, of the game up to its first claim."""
    with small_log(tmp_path_factory.mktemp("watched")) as log:
        watch(log, 0.0, FIRST_CLAIM_S)
    return log


@pytest.fixture
def claimed(watched: GameLog, tmp_path: Path) -> Iterator[GameLog]:
    """A copy of it that goes on."""
    folder = shutil.copytree(watched.path.parents[1], tmp_path / "copy")
    with GameStore(folder).open(watched.id) as log:
        yield log


def test_a_claim_is_written_down_once_with_its_proof(log: GameLog) -> None:
    table, events = watch(log, 0.0, FIRST_CLAIM_S)
    assert log.state.table.claims == true_claims(FIRST_CLAIM_S)
    (event,) = events
    assert isinstance(event.fact, Placed)
    assert event.fact.by == "camera"
    assert event.fact.sure > 0.9
    (crop,) = log.crops(event.seq)
    assert crop.startswith(b"\xff\xd8\xff")
    assert table.view.game == log.state
    assert table.view.questions == ()


def test_a_game_begun_before_is_shown_and_written_down_as_one_step(log: GameLog) -> None:
    truth = true_claims(60.0)
    still_s = game().still_after(60.0)
    table, events = watch(log, still_s, still_s + 3.0)
    right = {Spot("route", name): c for name, c in truth.items()}
    assert table.view.sight.joining == Joining(right)
    assert events == [], "nothing is written down before somebody confirms it"
    table.execute(ConfirmJoining())
    assert log.state.table.claims == truth
    assert len(log.state.events) == 2
    assert table.view.sight.joining is None


def test_what_happened_while_nobody_watched_is_seen_when_it_goes_on(claimed: GameLog) -> None:
    later_s = game().still_after(60.0)
    watch(claimed, later_s, later_s + 3.0)
    assert claimed.state.table.claims == true_claims(later_s)


def test_a_board_that_is_as_written_down_leaves_no_question_when_the_game_ends(
    claimed: GameLog,
) -> None:
    log = claimed
    written = log.state.table.claims
    still_s = game().still_after(FIRST_CLAIM_S)
    with watching(log, lambda t_s: game().frame_at(still_s).picture, 5.0) as table:
        table.execute(Action.END)
        turn_to_the_end(table)
    assert log.state.table.ended
    assert log.state.table.claims == written
    assert table.view.questions == ()


def test_a_board_that_is_covered_for_a_minute_is_said_to_be_until_it_is_not(
    log: GameLog, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    still_s = game().still_after(0.0)
    plain = game().frame_at(still_s).picture
    covered = plain.copy()
    covered[:330, 430:520] = (150, 175, 215)  # an arm that rests on the board
    monkeypatch.setattr(board_watch, "COVERED_S", 12.0)
    said: list[str] = []
    unseen: set[Spot] = set()
    terminal = TerminalLog()
    with watching(log, lambda t_s: covered if 5.0 < t_s < 24.0 else plain, 30.0, 1.0) as table:
        table.subscribe(lambda view, new: said.append(view.sight.obstacle))
        table.subscribe(lambda view, new: unseen.update(view.sight.unseen))
        table.subscribe(terminal.update)
        turn_to_the_end(table)
        assert table.view.sight.unseen == ()
    assert 0 < len(unseen) < len(log.state.table.board.routes) / 3
    kept = [one for n, one in enumerate(said) if n == 0 or one != said[n - 1]]
    assert len(kept) == 3
    assert "covered the board near" in kept[1]
    assert kept[0] == kept[2] == ""
    printed = capsys.readouterr().out
    assert printed.count(kept[1]) == 1
    assert "nothing covers the board any more\n" in printed.partition(kept[1])[2]
    assert log.state.table.claims == {}


def test_what_people_say_holds_against_the_camera(claimed: GameLog) -> None:
    log = claimed
    (seen,) = log.state.table.claims
    with Grabber(VirtualBoard(lambda t_s: game().frame_at(t_s).picture, 0.2, 5.0)) as grabber:
        table = LiveTable(log, grabber, profile(), work=AtOnce())  # that has not looked yet
    table.execute(Correct(Spot("route", seen), None))
    table.execute(Correct(SPOT, "red"))
    assert log.state.table.claims == {"helena--seattle": "red"}
    later_s = game().still_after(FIRST_CLAIM_S)
    watch(log, later_s, later_s + 3.0)
    assert log.state.table.claims == {"helena--seattle": "red"}
    table.execute(Undo(newest_undoable(log.state)))
    table.execute(Undo(newest_undoable(log.state)))
    assert set(log.state.table.claims) == {seen}
    table.execute(Redo(newest_redoable(log.state)))
    assert log.state.table.claims == {}


def test_a_paused_table_writes_nothing_down(log: GameLog) -> None:
    watch(log, 0.0, 2.0, at_table=lambda table: table.execute(Action.PAUSE))
    table, _ = watch(log, 2.0, FIRST_CLAIM_S)
    assert log.state.table.claims == {}
    table.execute(Resume())
    assert not table.view.game.table.paused


def test_who_subscribes_sees_every_change_in_its_order(log: GameLog) -> None:
    views: list[TableView] = []

    def told(view: TableView, events: tuple[Event, ...]) -> None:
        views.append(view)

    source = VirtualBoard(lambda t_s: game().frame_at(t_s).picture, 1.0, 5.0, as_fast_as_read=True)
    with Grabber(source) as grabber:
        table = LiveTable(log, grabber, profile())
        table.subscribe(told)
        with table:
            until(lambda: table.view.is_over)
    assert views[-1] is table.view
    assert all(before != after for before, after in pairwise(views))
    assert len(views) > 2


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(Correct(SPOT, "red"), id="what stands there"),
        pytest.param(Action.LOOK_AGAIN, id="to look anew"),
        pytest.param(Correct(SPOT, "red", is_answer=True), id="the answer"),
    ],
)
def test_what_is_said_while_a_frame_is_looked_at_leaves_no_question(
    log: GameLog, command: Command
) -> None:
    doubt = Doubt(SPOT, "red", (None,), Sentence("glare lies over it"))
    said: list[Command] = []

    def ask() -> None:
        table.questions.ask(doubt, Occasion.CHANGE)
        table.questions.show(doubt, b"")

    def say() -> None:
        if not said:
            said.append(command)
            table.execute(command)
            ask()

    picture = game().frame_at(0.0).picture
    with watching(log, lambda t_s: picture, 2.0, meanwhile=say) as table:
        ask()
        turn_until(table, lambda: said)
        table.process_next_frame()
    assert table.view.questions == ()
