"""The live table: watches a board through a camera and writes down what happens on it."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

from railspotter.calibration.errors import ProfileError
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import Frame, Source
from railspotter.vision.watching.questions import Answer, Questions

from ..errors import UnaskedError
from ..game_log.board_facts import Corrected
from ..game_log.budgets import HOST, Writer
from ..game_log.course_facts import GameEnded
from ..game_log.errors import LogFileError
from ..game_log.facts import Event, Fact
from ..game_log.log import GameLog
from ..worker import Worker
from . import commands
from .board_watch import BoardWatch, FrameResult
from .card_play import with_cards
from .course import pending_take_back
from .learning import SaveProfile
from .log_writer import LogWriter
from .pictures import picture_of_board
from .table_view import (
    BoardSight,
    FrameListener,
    Joining,
    RebuildingView,
    TableListener,
    TableView,
)
from .timeouts import Hindrances, HostTimeout, Reminder, kind_of

LOG = logging.getLogger(__name__)
FRAME_WAIT_S = 0.2  # seconds that a turn of the loop waits for a frame

STUMBLED_S = 1.0  # seconds until the table goes on after a mistake of the program's own


class LiveTable(Worker):
    """A game before a camera, or without one, while its `with` block runs.

    One thread takes frames and decides, another finds and reads. What people say is a `Command`: it
    is on the disk before it is shown, and taken in by the first thread between two frames.

    The log is a new game's, or one's that goes on, and the grabber runs. `profile` is None where no
    camera sees the board; `keep` saves what is learned of it. Without `with_markers` score markers
    stay in the box. `clock` tells seconds since 1970, and `work` is where frames are read.
    """

    def __init__(
        self,
        log: GameLog,
        grabber: Grabber,
        profile: Profile | None,
        *,
        keep: SaveProfile | None = None,
        with_markers: bool = True,
        clock: Callable[[], float] = time.time,
        work: Executor | None = None,
    ) -> None:
        super().__init__("live table")
        # What is written down, and what is known of the board by now.
        self.log, self.profile, self._grabber = log, profile, grabber
        self._log_writer = LogWriter(log, clock)
        self._log_writer.follow_up()  # nobody finds a game whose cards are not dealt yet
        self._work = work or ThreadPoolExecutor(1, thread_name_prefix="reading")
        self.questions = Questions()
        self.reminder = Reminder.beside(log.path, clock)
        self.frame: Frame | None = None  # the newest that was looked at
        # That one and where the board is in it; None while it is not in sight.
        self.sighted: tuple[Frame, Pose] | None = None
        self._hindrances = Hindrances()
        self._host = HostTimeout()
        self._watch: BoardWatch | None = None
        sight, table = BoardSight(), log.state.table
        if profile is not None:
            self._watch = BoardWatch(
                table, profile, self._work, self.questions, keep=keep, with_markers=with_markers
            )
            if table.packed_away:  # one that was packed away just now still lies there
                self._watch.compare(table)
                sight = BoardSight(rebuilding=None if table.ended else RebuildingView())
        self._seen_frame = 0
        # What people said that the watching has not taken in yet, with what was written of it.
        self._inbox: deque[tuple[commands.Command, tuple[Event, ...]]] = deque()
        self._table_listeners: list[TableListener] = []
        self._frame_listeners: list[FrameListener] = []
        self._confirmed: Joining | None = None
        self._lock = threading.RLock()
        self._view = TableView(
            log.state, sight, has_camera=profile is not None, with_markers=with_markers
        )

    def close(self) -> None:
        """Stop watching, and drop what is still to be read."""
        super().close()
        self._work.shutdown(cancel_futures=True)

    @property
    def view(self) -> TableView:
        """The table as it is now."""
        return self._view

    @property
    def source(self) -> Source:
        """Where the pictures come from."""
        return self._grabber.source

    def add_frame_listener(self, listener: FrameListener) -> None:
        """Hand every frame to somebody from now on; before the table begins to watch."""
        self._frame_listeners.append(listener)

    def subscribe(self, listener: TableListener) -> None:
        """Call somebody whenever anything changes, and once now."""
        with self._lock:
            self._table_listeners.append(listener)
            listener(self._view, ())

    def enable_calls(self) -> None:
        """Let people call somebody of the house from now on: it is heard."""
        with self._lock:
            self._show(replace(self._view, is_called=False))

    def do(self, command: commands.Command, by: Writer = HOST) -> tuple[Event, ...]:
        """Write down what people say or do, and show it; return the events that were written.

        Nothing else is written meanwhile. Raises `EventError` where the game has no such thing,
        `BudgetError` where a player's seat has said enough, `LogFileError` where it could not be
        written and so does not hold, `TableError` where it is not for who says it (see
        `commands.facts_of`), and `ProfileError` for a profile of another board.
        """
        with self._lock:
            view, game = self._view, self.log.state
            joining = view.sight.joining
            if (
                isinstance(command, commands.ConfirmJoining)
                and joining
                and command.board == joining.board
            ):
                command = commands.ConfirmJoining()
            try:
                facts = commands.facts_of(command, game, view, by)
            except UnaskedError as error:
                self._show(replace(view, asked_back=error.spot))
                raise
            if facts is None:
                return ()
            if isinstance(command, commands.UseProfile):
                self._require_same_board(command.profile)
                self.profile = command.profile
            events = self._written(command, facts, by)
            self._answer_questions(command, events)
            self._show(self._with_said(command, events))
            self._inbox.append((command, events))
            return events

    def turn(self) -> None:
        """Take in what people said and one frame, if there is a new one. The loop calls it."""
        while self._inbox:
            self._take_in(*self._inbox.popleft())
        status = self._grabber.status
        frame = self._grabber.latest(self._seen_frame, FRAME_WAIT_S)
        with self._lock:
            is_over = status.is_over and frame is None
            self._show(replace(self._view, camera=status.said, is_over=is_over))
        if frame is not None:
            self._seen_frame, self.frame = frame.number, frame
            self._look_at(frame)
            for frame_listener in self._frame_listeners:
                frame_listener(frame, self._view)
        with self._lock:
            is_awaited = self._view.sight.joining is not None
            view = replace(self._view, is_joining_open=self._host.is_late(is_awaited=is_awaited))
            kind = kind_of(self._grabber.source)
            hindrance = self._hindrances.take_in(view, kind, is_new=frame is not None)
            reminder = self.reminder.due(view.game)
            self._show(replace(view, hindrance=hindrance, reminder=reminder))
        self._write_queued()

    def _run(self) -> None:
        while not self._stop_event.is_set():
            try:
                self.turn()
            except Exception as error:
                # Nobody joins this thread: it would die in silence, and the table with it.
                LOG.exception("watching the table")
                why = Sentence("looking at the whole board again, after {error}", error=repr(error))
                with self._lock:
                    sight = replace(self._view.sight, board=why)
                    self._show(replace(self._view, sight=sight))
                self.do(commands.LookAgain())
                self._stop_event.wait(STUMBLED_S)
            if self._view.is_over:
                self._stop_event.wait(FRAME_WAIT_S)

    def _require_same_board(self, profile: Profile) -> None:
        board = self.log.state.table.board.id
        if profile.board != board:
            raise ProfileError(f"the profile is of the board {profile.board!r}, not {board!r}")

    def _written(
        self, command: commands.Command, facts: tuple[Fact, ...], by: Writer
    ) -> tuple[Event, ...]:
        """Write what a command says, and what follows from it; show that and return the former."""
        if not facts:
            return ()
        before, pictures = self.log.state.table, {}
        if isinstance(command, commands.PackAway) and self.sighted is not None:
            pictures[0] = picture_of_board(*self.sighted)
        events = self._log_writer.write_facts(with_cards(before, facts), by, pictures)
        asked = pending_take_back(before, self._view.asked_back, facts)
        self._show(replace(self._view, game=self.log.state, asked_back=asked), events)
        self._write_follow_ups()
        return events

    def _answer_questions(self, command: commands.Command, events: tuple[Event, ...]) -> None:
        """Close what nobody has to answer after a command."""
        match command:
            case commands.ConfirmJoining(None):
                self._confirmed = self._view.sight.joining
            case commands.Correct(spot, now, is_answer=is_answer):
                self.questions.answer(spot, Answer(now) if is_answer else None)
            case commands.Lay(spot):
                self.questions.answer(spot)
        if commands.begins_anew(command, events):
            self.questions.close_all()

    def _with_said(self, command: commands.Command, events: tuple[Event, ...]) -> TableView:
        """Return the view as a command changes it beside the game."""
        view, sight = self._view, self._view.sight
        match command:
            case commands.CallSomebody(is_wanted):
                return replace(view, is_called=is_wanted)
            case commands.ConfirmJoining(None) | commands.Pause():
                return replace(view, sight=sight.settled(), is_joining_open=False)
        if commands.begins_anew(command, events):
            sight = replace(sight.settled(), obstacle=NOTHING)
            return replace(view, sight=sight, is_joining_open=False)
        return view

    def _take_in(self, command: commands.Command, events: tuple[Event, ...]) -> None:
        """Let the watching go on from what people said; called from the loop's thread."""
        table, watch = self.log.state.table, self._watch
        if watch is None:
            return
        match command:
            case commands.Resume() if not events:
                watch.compare(table)
            case commands.Resume():
                watch.go_on(table)
            case commands.UseProfile(profile, keep):
                watch.use_profile(profile, keep, table)
            case commands.ConfirmJoining(None):
                for fact, proof in watch.release_unconfirmed(table):
                    self._log_writer.queue_fact(fact, proof)
            case _ if commands.begins_anew(command, events):
                watch.restart(table)
        if not events:
            return
        watch.update_expected(table)
        for event in events:
            match event.fact:
                case Corrected(now=now) as fact if isinstance(
                    command, commands.Correct | commands.Lay
                ):
                    watch.correct(fact.spot, now)
                case GameEnded():
                    watch.look_over()

    def _look_at(self, frame: Frame) -> None:
        """Take in a frame: what is seen in it is shown, and waits to be written down."""
        watch, table = self._watch, self._view.game.table
        if watch is None:
            return
        is_laid_out = table.packed_away and not table.ended and watch.is_comparing
        if is_laid_out or not (table.paused or watch.is_comparing):
            self._take(watch.take(frame))
        else:
            watch.drop_unconfirmed()
            with self._lock:
                sight = replace(self._view.sight.settled(), obstacle=NOTHING)
                self._show(replace(self._view, sight=sight, is_joining_open=False))
            return
        self.sighted = None if watch.pose is None else (frame, watch.pose)

    def _take(self, result: FrameResult) -> None:
        for fact, proof in result.facts:
            self._log_writer.queue_fact(fact, proof)
        with self._lock:
            sight = result.sight
            # What was confirmed while this frame was looked at is not asked once more.
            if sight.joining is self._confirmed:
                sight = replace(sight, joining=None)
            said = self.log.state.table.other_trains  # the same of whose trains these are
            strange = {trains: on for trains, on in sight.strange.items() if trains not in said}
            sight = replace(sight, strange=strange)
            self._show(replace(self._view, sight=sight))
        if result.is_rebuilt:
            with suppress(LogFileError):  # a full disk: it is tried again with the next frame
                self.do(commands.Resume(is_rebuilt=True))

    def _write_queued(self) -> None:
        with self._lock:
            events = self._log_writer.write_queued()
            trouble = self._log_writer.trouble
            self._show(replace(self._view, game=self.log.state, trouble=trouble), events)
            has_gone_on = self._write_follow_ups()
            if self._watch is not None and (has_gone_on or events):
                self._watch.update_expected(self.log.state.table)

    def _write_follow_ups(self) -> bool:
        """Write down what follows from the trains that are left; return whether there was any."""
        events = self._log_writer.follow_up()
        self._show(replace(self._view, game=self.log.state), events)
        return bool(events)

    def _show(self, view: TableView, events: tuple[Event, ...] = ()) -> None:
        """Show a view, and tell everyone if it is something new; the lock is held meanwhile."""
        view = replace(view, questions=self.questions.open)
        if view == self._view and not events:
            return
        self._view = view
        for listener in self._table_listeners:
            try:
                listener(self._view, events)
            except Exception:
                LOG.exception("telling what is new")  # one listener's mistake is its own
