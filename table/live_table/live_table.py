"""The live table: watches a board through a camera, and logs what happens on it."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

from railspotter.calibration.errors import ProfileError
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.questions import Answer, Occasion, Question, Questions

from ..errors import TableError, UnaskedError
from ..game_log.board_facts import Corrected, Placed, TakenBack
from ..game_log.budgets import HOST, Writer
from ..game_log.errors import LogFileError
from ..game_log.facts import Event, Fact
from ..game_log.log import GameLog
from ..worker import Worker
from . import commands, timeouts
from .astray import astray_colour
from .board_watch import BoardWatch, SeenFacts
from .card_play import with_cards
from .claim_films import ClaimFilms
from .course import pending_take_back
from .learning import SaveProfile
from .listed import NOTHING_LISTED, Listed
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
from .timeouts import Hindrances, Reminder, kind_of
from .watched_board import WatchedBoard

LOG = logging.getLogger(__name__)
FRAME_WAIT_S = 0.2  # the timeout for a frame in each run of the loop
RETRY_S = 1.0  # seconds until the loop goes on after an exception


class LiveTable(Worker):
    """A running game, with or without a camera, while its `with` block runs. Thread-safe.

    This thread processes frames; an executor, `work`, finds and reads the board. Users' actions are
    `Command`s: logged at once by the calling thread, and applied to watching by this one.

    The grabber must be running. `profile` is None without a camera; `keep` saves what is learned.
    `with_markers` is whether score markers are used. `listed` is what was open under the game's
    camera before. `clock` returns seconds since 1970.
    """

    def __init__(
        self,
        log: GameLog,
        grabber: Grabber,
        profile: Profile | None,
        *,
        keep: SaveProfile | None = None,
        with_markers: bool = True,
        listed: Listed = NOTHING_LISTED,
        clock: Callable[[], float] = time.time,
        work: Executor | None = None,
    ) -> None:
        super().__init__("live table")
        self.log, self.profile, self._grabber = log, profile, grabber
        self.source = grabber.source  # of the pictures
        self._log_writer, first_events = LogWriter(log, clock), len(log.state.events)
        self._log_writer.follow_up()  # deals the cards of a new game
        self._work = work or ThreadPoolExecutor(1, thread_name_prefix="reading")
        self.questions = Questions()
        self.films = ClaimFilms(log.state.table.board, self._work)
        self.reminder = Reminder(log.path, clock)
        self.frame: Frame | None = None  # the newest processed frame
        # That frame and the board's pose in it; None if not in sight.
        self.sighted: tuple[Frame, Pose] | None = None
        self._hindrances = Hindrances()
        self._unjoined_s = time.monotonic()  # when there was nothing to confirm for the last time
        self._watch: BoardWatch | None = None
        joining = listed.joining and replace(listed.joining, is_kept=True)
        sight, table = BoardSight(joining=joining), log.state.table
        if profile is not None:
            board = WatchedBoard(
                table, profile, self._work, self.questions, keep=keep, with_markers=with_markers
            )
            self._watch, board.listed = BoardWatch(board), joining
            if table.packed_away:
                self._watch.start_comparison()
                sight = BoardSight(rebuilding=None if table.ended else RebuildingView())
        self._ask(listed.questions)
        self._seen_frame = 0
        # Commands still to be applied to watching, with the events that they wrote.
        self._inbox: deque[tuple[commands.Command, tuple[Event, ...]]] = deque()
        self._table_listeners: list[TableListener] = []
        self._frame_listeners: list[FrameListener] = []
        self._confirmed: Joining | None = None
        self._lock = threading.RLock()
        # The current state of the table.
        self.view = TableView(
            log.state,
            sight,
            has_camera=profile is not None,
            with_markers=with_markers,
            first_events=first_events,
            questions=self.questions.open,
        )

    @property
    def listed(self) -> Listed:
        """What nobody has confirmed or answered yet."""
        joining = self.view.sight.joining
        if joining is not None and self._watch is not None:
            joining = self._watch.listed
        return Listed(joining, self.questions.open)

    def close(self) -> None:
        """Stop watching, cancel pending readings, and save what was learned."""
        super().close()
        self._work.shutdown(cancel_futures=True)
        if self._watch is not None:
            self._watch.board.learning.save()

    def add_frame_listener(self, listener: FrameListener) -> None:
        """Register a listener for frames; call it before the `with` block."""
        self._frame_listeners.append(listener)

    def subscribe(self, listener: TableListener) -> None:
        """Register a listener for changes, and call it once now."""
        with self._lock:
            self._table_listeners.append(listener)
            listener(self.view, ())

    def enable_calls(self) -> None:
        """Allow players to call staff: somebody listens now."""
        with self._lock:
            self._show(replace(self.view, is_called=False))

    def call_somebody(self, is_wanted: bool) -> None:
        """Call staff to the table, or cancel the call; raises `TableError` if nobody listens."""
        with self._lock:
            if self.view.is_called is None:
                raise TableError("nobody hears a call from this table")
            self._show(replace(self.view, is_called=is_wanted))

    def execute(self, command: commands.Command, by: Writer = HOST) -> tuple[Event, ...]:
        """Execute a command under the lock; return the events that it wrote.

        Raises, with nothing done, `EventError` or `TableError` as `commands.facts_of`,
        `BudgetError` if the player's budget is used up, `LogFileError` if writing failed, and
        `ProfileError` for a profile of another board.
        """
        with self._lock:
            view, joining = self.view, self.view.sight.joining
            if joining and command == commands.ConfirmJoining(joining.board):
                command = commands.ConfirmJoining()
            try:
                facts = commands.facts_of(command, view, by)
            except UnaskedError as error:
                self._show(replace(view, asked_back=error.spot))
                raise
            if facts is None:
                return ()
            if isinstance(command, commands.UseProfile):
                self._require_same_board(command.profile)
                self.profile = command.profile
            events = self._write(command, facts, by)
            self._close_questions(command, events)
            self._show(self._view_after(command, events))
            self._inbox.append((command, events))
            return events

    def process_next_frame(self) -> None:
        """Apply pending commands and process one frame, if there is a new one: the loop's body."""
        while self._inbox:
            self._apply(*self._inbox.popleft())
        status = self._grabber.status
        frame = self._grabber.latest(self._seen_frame, FRAME_WAIT_S)
        with self._lock:
            is_over = status.is_over and frame is None
            self._show(replace(self.view, camera=status.said, is_over=is_over))
        if frame is not None:
            last, self._seen_frame, self.frame = self.frame, frame.number, frame
            # Looks at one and the same picture do not confirm each other.
            if last is None or frame.first_at_s is None or frame.first_at_s > last.taken_at_s:
                self._process(frame)
            for frame_listener in self._frame_listeners:
                frame_listener(frame, self.view)
        if self.view.game.table.counted:  # whether or not the camera still sees anything
            self.films.forget()
        with self._lock:
            if self.view.sight.joining is None:
                self._unjoined_s = time.monotonic()
            is_open = time.monotonic() - self._unjoined_s >= timeouts.HOST_TIMEOUT_S
            view = replace(self.view, is_joining_open=is_open)
            kind = kind_of(self._grabber.source)
            hindrance = self._hindrances.update(
                view,
                kind,
                is_new=frame is not None,
                same_for_s=frame.same_for_s if frame is not None else 0.0,
            )
            reminder = self.reminder.due(view.game)
            self._show(replace(view, hindrance=hindrance, reminder=reminder))
        self._write_queued()

    def _run(self) -> None:
        while not self._stop_event.is_set():
            try:
                self.process_next_frame()
            except Exception as error:
                # Log it and go on: nobody joins this thread, so it would die unnoticed.
                LOG.exception("watching the table")
                why = Sentence("looking at the whole board again, after {error}", error=repr(error))
                with self._lock:
                    sight = replace(self.view.sight, board=why)
                    self._show(replace(self.view, sight=sight))
                self.execute(commands.Action.LOOK_AGAIN)
                self._stop_event.wait(RETRY_S)
            if self.view.is_over:
                self._stop_event.wait(FRAME_WAIT_S)

    def _require_same_board(self, profile: Profile) -> None:
        board = self.log.state.table.board.id
        if profile.board != board:
            raise ProfileError(f"the profile is of the board {profile.board!r}, not {board!r}")

    def _write(
        self, command: commands.Command, facts: tuple[Fact, ...], by: Writer
    ) -> tuple[Event, ...]:
        """Write a command's facts and those that follow from them; return the former."""
        if not facts:
            return ()
        before = self.log.state.table
        crops: dict[int, tuple[bytes, ...]] = {}
        if command is commands.Action.PACK_AWAY and self.sighted is not None:
            crops[0] = (picture_of_board(*self.sighted),)
        if isinstance(command, commands.AddFacts):
            for i, fact in enumerate(facts):
                if pictures := [command.proofs[one] for one in fact.spots if one in command.proofs]:
                    crops[i] = tuple(pictures)
        events = self._log_writer.write_facts(with_cards(before, facts), by, crops)
        asked = pending_take_back(before, self.view.asked_back, facts)
        self._show(replace(self.view, game=self.log.state, asked_back=asked), events)
        self._write_follow_ups()
        return events

    def _ask(self, questions: Sequence[Question]) -> None:
        for question in questions:
            self.questions.ask(question.doubt, Occasion.OPENING, question.crop)
        self.questions.show_next(len(questions))

    def _close_questions(self, command: commands.Command, events: tuple[Event, ...]) -> None:
        """Close the questions that a command answers or outdates."""
        match command:
            case commands.ConfirmJoining(None):
                self._confirmed = self.view.sight.joining
            case commands.Correct(spot, now, is_answer=is_answer, seat=seat):
                self.questions.answer(spot, Answer(now) if is_answer else None, seat)
            case commands.Lay(spot):
                self.questions.answer(spot)
            case commands.AddFacts(asked=asked) if asked is not None:
                self.questions.close_all()
                self._ask(asked)
        if self._watch is not None and commands.restarts_watching(command, events):
            self.questions.close_all()  # else nobody would ask them again

    def _view_after(self, command: commands.Command, events: tuple[Event, ...]) -> TableView:
        """Return the view after a command, apart from the game's state."""
        sight = self.view.sight.settled()
        if commands.restarts_watching(command, events):
            sight = replace(sight, obstacle=NOTHING)
        elif command is not commands.Action.PAUSE and command != commands.ConfirmJoining():
            return self.view
        return replace(self.view, sight=sight, is_joining_open=False)

    def _apply(self, command: commands.Command, events: tuple[Event, ...]) -> None:
        """Apply a command to watching; called from the loop's thread."""
        table, watch = self.log.state.table, self._watch
        if watch is None:
            return
        if isinstance(command, commands.ConfirmJoining):
            watch.board.listed = None
        if isinstance(command, commands.UseProfile):
            watch.board.use_profile(command.profile, command.keep)
        match command:
            case commands.Resume() if not events:
                watch.start_comparison()
            case commands.Resume():
                watch.end_comparison()
            case commands.ConfirmJoining(None):
                for fact, proof in watch.release_unconfirmed():
                    self._log_writer.queue_fact(fact, proof)
            case _ if commands.restarts_watching(command, events):
                watch.restart(table)
        if isinstance(command, commands.Correct | commands.Lay):
            for event in events:
                if isinstance(event.fact, Corrected):
                    watch.correct(event.fact.spot, event.fact.now)

    def _process(self, frame: Frame) -> None:
        """Process a frame: update the view, and queue its facts for the log.

        Once the points are counted the board is cleared away: nothing that is missing counts then.
        """
        watch, table = self._watch, self.view.game.table
        if watch is None:
            return
        is_rebuilding = table.packed_away and not table.ended and watch.is_comparing
        if is_rebuilding or not (table.paused or table.counted or watch.is_comparing):
            self._use_result(*watch.process(frame, table))
        else:
            with self._lock:
                sight = replace(self.view.sight.settled(), obstacle=NOTHING)
                self._show(replace(self.view, sight=sight, is_joining_open=False))
            return
        pose = watch.board.pose
        self.sighted = None if pose is None else (frame, pose)
        self.films.add(frame, pose, self.view.sight.state)

    def _use_result(self, sight: BoardSight, facts: SeenFacts) -> None:
        for fact, proof in facts:
            self._log_writer.queue_fact(fact, proof)
        with self._lock:
            # Drop what was confirmed or assigned while this frame was processed.
            if sight.joining is self._confirmed:
                sight = replace(sight, joining=None)
            known = self.log.state.table.other_trains
            strange = {trains: on for trains, on in sight.strange.items() if trains not in known}
            sight = replace(sight, strange=strange)
            self._show(replace(self.view, sight=sight))
        if sight.rebuilding is not None and sight.rebuilding.is_rebuilt:
            with suppress(LogFileError):  # a full disk: retried with the next frame
                self.execute(commands.Resume(is_rebuilt=True))

    def _write_queued(self) -> None:
        with self._lock:
            events = self._log_writer.write_queued()
            for event in events:
                if isinstance(event.fact, Placed | TakenBack) and event.fact.seen_to_change:
                    self.films.begin(event.seq, event.fact.spot)
            trouble = self._log_writer.trouble
            self._show(replace(self.view, game=self.log.state, trouble=trouble), events)
            self._write_follow_ups()

    def _write_follow_ups(self) -> None:
        """Write the facts that follow by the rules."""
        events = self._log_writer.follow_up(is_asked=bool(self.view.questions))
        self._show(replace(self.view, game=self.log.state), events)

    def _show(self, view: TableView, events: tuple[Event, ...] = ()) -> None:
        """Set the view, and notify the listeners if it changed; the lock must be held."""
        asked = [(one, astray_colour(view.game.table, one.doubt)) for one in self.questions.open]
        astray = {one.spot: colour for one, colour in asked if colour is not None}
        view = replace(
            view,
            questions=tuple(one for one, colour in asked if colour is None),
            astray={**astray, **view.sight.astray},
            closed=self.questions.closed,
            films=tuple(self.films.films),
        )
        if view == self.view and not events:
            return
        self.view = view
        for listener in self._table_listeners:
            try:
                listener(self.view, events)
            except Exception:
                LOG.exception("telling what is new")  # the other listeners go on
