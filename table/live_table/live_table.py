"""The live table: watches a board through a camera and writes down what happens on it."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from types import EllipsisType

from railspotter.calibration.errors import ProfileError
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import Frame, Source
from railspotter.vision.watching.questions import Answer, Question, Questions

from ..errors import UnaskedError
from ..game_log.board_facts import Corrected
from ..game_log.budgets import HOST, Writer
from ..game_log.course_facts import GameEnded, GamePaused, GameResumed
from ..game_log.errors import LogFileError
from ..game_log.facts import Event, Fact
from ..game_log.game_state import GameState
from ..game_log.log import GameLog
from ..game_log.people_facts import PlayerCameIn, PlayerRecoloured
from ..worker import Worker
from .bell import Bell
from .board_watch import BoardWatch, FrameResult
from .card_play import with_cards
from .hindrance import Hindrances, kind_of
from .learning import SaveProfile
from .opening import AwaitedHost, joining_facts
from .rebuilding import Rebuilding
from .reminder import Reminder
from .scribe import Scribe
from .table_view import NOTHING_JOINED, FrameListener, TableListener, TableView
from .taking_back import redo_fact_by, still_asked, undo_facts
from .unwatched_board import UnwatchedBoard

LOG = logging.getLogger(__name__)
FRAME_WAIT_S = 0.2  # seconds that a turn of the loop waits for a frame

STUMBLED_S = 1.0  # seconds until the table goes on after a mistake of the program's own


class LiveTable(Worker):
    """A game before a camera, while its `with` block runs.

    One thread takes frames and decides, another finds and reads; people's words are taken in
    between two frames. What is told to subscribers is on the disk before. What people say raises
    `EventError` where the game has no such thing, `BudgetError` where a player's seat has said
    enough (`by` tells who says it), and `LogFileError` where it could not be written: then it does
    not hold.

    Parameters
    ----------
    log : GameLog
        The log of a new game, or of one that goes on.
    grabber : Grabber
        Running.
    profile : Profile or None
        What the board that is played on looks like; None where no camera sees it.
    clock : callable
        Seconds since 1970, for the log.
    work : Executor, optional
        Where boards are found and frames read.
    """

    def __init__(
        self,
        log: GameLog,
        grabber: Grabber,
        profile: Profile | None,
        *,
        clock: Callable[[], float] = time.time,
        work: Executor | None = None,
    ) -> None:
        super().__init__("live table")
        self._log, self._grabber, self._profile = log, grabber, profile
        self._scribe = Scribe(log, clock)
        self._scribe.follow_up()  # nobody finds a game whose cards are not dealt yet
        self._work = work or ThreadPoolExecutor(1, thread_name_prefix="reading")
        self._questions = Questions()
        self._hindrances = Hindrances()
        self.reminder = Reminder.beside(log.path, clock)
        self.bell = Bell(lambda is_ringing: self._show(is_called=is_ringing))
        self._watch: BoardWatch | UnwatchedBoard = UnwatchedBoard()
        if profile is not None:
            self._watch = BoardWatch(log.state.table, profile, self._work, self._questions)
        self._seen_frame = 0
        self._words: deque[Callable[[], None]] = deque()
        self._table_listeners: list[TableListener] = []
        self._frame_listeners: list[FrameListener] = []
        self._frame: Frame | None = None
        self._sighted: tuple[Frame, Pose] | None = None
        self._lock = threading.RLock()
        self.rebuilding = Rebuilding(self._watch, self._work, lambda: log.state.table)
        has_camera, rebuilding = self._watch.is_seen, self.rebuilding.view
        self._view = TableView(0, log.state, has_camera=has_camera, rebuilding=rebuilding)
        self._host = AwaitedHost()
        self._confirmed: Mapping[Spot, Colour] | None = None

    def close(self) -> None:
        """Stop watching, and drop what is still to be read."""
        super().close()
        self._work.shutdown(cancel_futures=True)

    @property
    def view(self) -> TableView:
        """The table as it is now."""
        return self._view

    @property
    def questions(self) -> Questions:
        """What people are asked, and what was answered."""
        return self._questions

    @property
    def log(self) -> GameLog:
        """What is written down: its state, and the pictures kept with it."""
        return self._log

    @property
    def profile(self) -> Profile | None:
        """What is known of the board that is played on; None where no camera sees it."""
        return self._profile

    @property
    def frame(self) -> Frame | None:
        """The newest picture that was looked at; None before the first."""
        return self._frame

    @property
    def sighted(self) -> tuple[Frame, Pose] | None:
        """The newest picture and where the board is in it; None while it is not in sight."""
        return self._sighted

    @property
    def source(self) -> Source:
        """Where the pictures come from."""
        return self._grabber.source

    def look_on(self, listener: FrameListener) -> None:
        """Hand every frame to somebody from now on; before the table begins to watch."""
        self._frame_listeners.append(listener)

    def keep_learned(self, keep: SaveProfile) -> None:
        """Save what is learned of the board and its trains; before the table begins to watch."""
        self._watch.keep_learned(keep)

    def without_markers(self) -> None:
        """Leave the score markers in the box; before the table begins to watch."""
        self._watch.without_markers()
        self._show(with_markers=False)

    def subscribe(self, listener: TableListener) -> None:
        """Call somebody whenever anything changes, and once now."""
        with self._lock:
            self._table_listeners.append(listener)
            listener(self._view, ())

    def correct(
        self,
        spot: Spot,
        colour: Colour | None,
        *,
        was: Colour | EllipsisType | None = ...,
        answer: Answer | None = None,
        by: Writer = HOST,
    ) -> tuple[Event, ...]:
        """Write down what a person says of a spot; it holds until the spot is seen to change.

        This and all that write return the events that were written.

        Parameters
        ----------
        was : str or None, optional
            What the person saw there; `EventError` when it is something else by now.
        answer : Answer, optional
            What was answered, where a question was.
        """
        with self._lock:
            if was is ...:
                was = self._log.state.table.held.get(spot)
            events = self.write([Corrected.on(spot, was=was, now=colour)], by)
            self._questions.answer(spot, answer)
            self._show()
            self._words.append(lambda: self._watch.correct(spot, colour))
            return events

    def answer(
        self, question: Question, colour: Colour | None, by: Writer = HOST
    ) -> tuple[Event, ...]:
        """Write down what a person answers; it holds until the spot is seen to change."""
        return self.correct(question.spot, colour, answer=Answer(colour), by=by)

    def confirm_joining(
        self, board: Mapping[Spot, Colour] | None = None, by: Writer = HOST
    ) -> tuple[Event, ...]:
        """Write down what lay on the board that watching began with, and what was seen since.

        Of a game that had nothing yet, what lay there is one step. Where what the game had is
        missing, the camera says what was taken off and what lies there now.

        Parameters
        ----------
        board : mapping, optional
            What a person says lies there; without it, what was seen. Where these differ, the whole
            board is looked at anew.
        """
        with self._lock:
            joining, table = self._view.joining, self._log.state.table
            if joining is None:
                return ()
            said = None if board == joining else board
            facts = joining_facts(joining, said, table, missing=self._view.joining_missing)
            events = self.write(facts, by) if facts else ()
            if said is None:
                self._confirmed = joining
                self._show(**NOTHING_JOINED)
                self._words.append(self._go_on_from_joining)
            else:
                self._begin_anew()
            return events

    def write(
        self,
        facts: Sequence[Fact] | Callable[[GameState], Sequence[Fact]],
        by: Writer = HOST,
        picture: bytes = b"",
    ) -> tuple[Event, ...]:
        """Write down facts that people say, or those that a callable makes of the game as it is.

        Nothing else is written meanwhile. A picture is kept with the first fact.
        """
        with self._lock:
            before = self._log.state
            if callable(facts):
                try:
                    facts = facts(before)
                except UnaskedError as error:
                    self._show(asked_back=error.spot)
                    raise
            pictures = {0: picture} if picture else {}
            events = self._scribe.say(with_cards(before.table, facts), by, pictures)
            asked = still_asked(before.table, self._view.asked_back, facts)
            self._show(events, game=self._log.state, asked_back=asked)
            self._go_on()
            if any(isinstance(fact, PlayerCameIn | PlayerRecoloured) for fact in facts):
                self._begin_anew()  # other colours are looked for from now on
            self._words.append(lambda: self._watch.know(self._log.state.table))
            if any(isinstance(event.fact, GameEnded) for event in events):
                self._words.append(lambda: self._watch.look_over())
            return events

    def undo(self, seq: int | None = None, by: Writer = HOST) -> None:
        """Take back what an event says, the newest that stands without its number.

        Where that is the last turns, what brought them is taken back. With cards on phones it may
        be another's: see `taking_back`.
        """
        with self._lock:
            self.write(lambda game: undo_facts(game, seq, by, self._view.asked_back), by)
            self._begin_anew()

    def redo(self, seq: int | None = None, by: Writer = HOST) -> None:
        """Put back what an event said, what was undone last without its number."""
        with self._lock:
            self.write(lambda game: [redo_fact_by(game, seq, by)], by)
            self._begin_anew()

    def pause(self, by: Writer = HOST) -> tuple[Event, ...]:
        """Stop watching: what happens now is no turn.

        What waits to be confirmed is asked when it goes on, if the board still shows it then.
        """
        if self._view.game.table.paused:
            return ()
        with self._lock:
            events = self.write([GamePaused()], by)
            self._show(**NOTHING_JOINED)
            return events

    def resume(self, by: Writer = HOST, *, is_rebuilt: bool = False) -> tuple[Event, ...]:
        """Watch again; what changed meanwhile is seen.

        One that was packed away is compared first, unless people say that it `is_rebuilt`.
        """
        table = self._view.game.table
        if not table.paused or (table.packed_away and not is_rebuilt and self.rebuilding.begin()):
            return ()
        events = self.write([*self.rebuilding.said_right(), GameResumed()], by)
        self.rebuilding.put_away()
        self._begin_anew()
        return events

    def use_profile(self, profile: Profile, keep: SaveProfile | None = None) -> None:
        """Watch with another profile of the same board from the next frame on; the score stays.

        Parameters
        ----------
        keep : callable, optional
            Saves what is learned from then on, where that is to be saved.

        Raises
        ------
        ProfileError
            When it is of another board.
        """
        board = self._log.state.table.board
        if profile.board != board.id:
            raise ProfileError(f"the profile is of the board {profile.board!r}, not {board.id!r}")
        with self._lock:
            self._profile = profile
            self._questions.close_all()
            self._show(**NOTHING_JOINED, obstacle=NOTHING)
            self._words.append(
                lambda: self._watch.use_profile(profile, keep, self._log.state.table)
            )

    def look_again(self) -> None:
        """Forget what was seen and look at the whole board anew."""
        self._begin_anew()

    def end(self) -> tuple[Event, ...]:
        """End the game: what comes later corrects the final score.

        The whole board is looked over once more; what stays in doubt is asked.
        """
        if self._view.game.table.ended:
            return ()
        return self.write([GameEnded()])

    def turn(self) -> None:
        """Take in what people said and one frame, if there is a new one. The loop calls it."""
        while self._words:
            self._words.popleft()()
        status = self._grabber.status
        frame = self._grabber.latest(self._seen_frame, FRAME_WAIT_S)
        self._show(camera=status.said, is_over=status.is_over and frame is None)
        if frame is not None:
            self._seen_frame, self._frame = frame.number, frame
            is_paused = self._view.game.table.paused
            if not is_paused or self.rebuilding.is_on:
                self._take((self.rebuilding if is_paused else self._watch).take(frame))
                pose = self._watch.pose
                self._sighted = None if pose is None else (frame, pose)
            else:
                self._watch.rest()
                self._show(**NOTHING_JOINED, obstacle=NOTHING)
            for frame_listener in self._frame_listeners:
                frame_listener(frame, self._view)
        is_awaited = self._view.joining is not None
        self._show(is_joining_open=self._host.is_late(is_awaited=is_awaited))
        kind = kind_of(self._grabber.source)
        self._show(
            hindrance=self._hindrances.take_in(self._view, kind, is_new=frame is not None),
            reminder=self.reminder.due(self._view.game),
        )
        self._write_what_waits()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self.turn()
            except Exception as error:
                # Nobody joins this thread: it would die in silence, and the table with it.
                LOG.exception("watching the table")
                self._show(
                    board=Sentence(
                        "looking at the whole board again, after {error}", error=repr(error)
                    )
                )
                self._begin_anew()
                self._ended.wait(STUMBLED_S)
            if self._view.is_over:
                self._ended.wait(FRAME_WAIT_S)

    def _go_on_from_joining(self) -> None:
        """Have written what was seen while what lay on the board waited to be confirmed."""
        for fact, proof in self._watch.confirm(self._log.state.table):
            self._scribe.see(fact, proof)

    def _take(self, result: FrameResult) -> None:
        for fact, proof in result.facts:
            self._scribe.see(fact, proof)
        self._show(**result.shown)
        if result.is_rebuilt:
            with suppress(LogFileError):  # a full disk: it is tried again with the next frame
                self.resume(is_rebuilt=True)
        # What was confirmed while this frame was looked at is not asked once more.
        if result.joining is None or result.joining is not self._confirmed:
            self._show(joining=result.joining, joining_missing=result.joining_missing)

    def _write_what_waits(self) -> None:
        with self._lock:
            events = self._scribe.write()
            self._show(events, game=self._log.state, trouble=self._scribe.trouble)
            if self._go_on() or events:
                self._watch.know(self._log.state.table)

    def _go_on(self) -> bool:
        """Write down what follows from the trains that are left; return whether there was any."""
        with self._lock:
            events = self._scribe.follow_up()
            self._show(events, game=self._log.state)
            return bool(events)

    def _begin_anew(self) -> None:
        """Watch from what the log has now; what the board shows otherwise is written down."""
        with self._lock:
            self._questions.close_all()
            self._show(**NOTHING_JOINED, obstacle=NOTHING)
            self._words.append(lambda: self._watch.begin_anew(self._log.state.table))

    def _show(self, events: tuple[Event, ...] = (), **now: object) -> None:
        """Change what is shown, and tell everyone if it is something new."""
        with self._lock:
            view = replace(
                self._view,
                questions=self._questions.open,
                **now,  # type: ignore[arg-type]
            )
            if view == self._view and not events:
                return
            self._view = replace(view, number=view.number + 1)
            for listener in self._table_listeners:
                try:
                    listener(self._view, events)
                except Exception:
                    LOG.exception("telling what is new")  # one listener's mistake is its own
