"""The live table: watches a board through a camera and writes down what happens on it."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from types import TracebackType
from typing import Self

from railspotter.calibration.finding import find_board
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profile import Profile
from railspotter.scoring import Colour, Edition, load_edition
from railspotter.vision.printed_board import PrintedBoard
from railspotter.vision.sites import with_site_routes
from railspotter.vision.sources import Frame, Grabber
from railspotter.vision.train_colours import plastic, trains_in_play
from railspotter.vision.watching import (
    Appeared,
    Asked,
    Expectation,
    Look,
    LookRead,
    Pieces,
    QuestionWithdrawn,
    Spot,
    State,
    Vanished,
    Watcher,
    read,
)

from ..game_log import (
    AnyFact,
    BoardJoined,
    Event,
    GameEnded,
    GameLog,
    GamePaused,
    GameResumed,
    answer_of,
)
from .board_keeper import BoardKeeper
from .opening import opening
from .proof import proof_of
from .scribe import Scribe
from .seen_facts import corrected, fact_of, standing_on
from .table_view import Question, TableView

FRAME_WAIT_S = 0.2
"""So long a turn of the loop waits for a frame."""
TRIES = 6
"""Readings of the whole board before watching begins with what the surest of them says."""

Told = Callable[[TableView, tuple[Event, ...]], None]
"""Is handed the table as it is now and the events that are new. Called from the table's threads:
whoever is told returns at once."""


class LiveTable:
    """A game before a camera, while its `with` block runs.

    One thread takes frames and decides, another finds and reads; people's words are taken in
    between two frames. What is told to subscribers is on the disk before.

    Parameters
    ----------
    log : GameLog
        Of a new game, or of one that goes on.
    grabber : Grabber
        Running.
    profile : Profile
        Of the board that is played on.
    clock : callable
        Seconds since 1970, for the log.
    work : Executor, optional
        Where boards are found and frames read.
    """

    def __init__(
        self,
        log: GameLog,
        grabber: Grabber,
        profile: Profile,
        *,
        clock: Callable[[], float] = time.time,
        work: Executor | None = None,
    ) -> None:
        self._log, self._grabber, self._profile = log, grabber, profile
        self._scribe = Scribe(log, clock)
        self._work = work or ThreadPoolExecutor(1, thread_name_prefix="reading")
        self._printed = PrintedBoard.of(with_site_routes(log.state.table.board), profile)
        self._keeper = BoardKeeper(self._found_in, self._work)
        self._watcher: Watcher | None = None
        self._reading: Future[LookRead] | None = None
        self._tries = 0
        self._seen_frame = 0
        self._words: deque[Callable[[], None]] = deque()
        self._told: list[Told] = []
        self._lock = threading.RLock()
        self._view = TableView(0, log.state)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="live table")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._work.shutdown(cancel_futures=True)

    @property
    def view(self) -> TableView:
        """The table as it is now."""
        return self._view

    def subscribe(self, told: Told) -> None:
        """Call somebody whenever anything changes, and once now."""
        with self._lock:
            self._told.append(told)
            told(self._view, ())

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Write down what a person says of a spot; it holds until the spot is seen to change.

        Raises
        ------
        EventError
            When the game has no such spot or colour.
        LogFileError
            When it could not be written: then it does not hold.
        """
        with self._lock:
            was = standing_on(self._log.state.table).get(spot)
            self.write([corrected(spot, was, colour)])
            self._show(questions=tuple(q for q in self._view.questions if q.spot != spot))
            self._later(lambda: self._told_of(spot, colour))

    def confirm_joining(self, board: dict[Spot, Colour] | None = None) -> None:
        """Write down what lies on the board that watching began with, as one step.

        Parameters
        ----------
        board : dict, optional
            What a person says lies there; without it, what was seen.
        """
        with self._lock:
            found = self._view.joining if board is None else board
            if self._view.joining is None or found is None:
                return
            named = {
                kind: {name: colour for (of, name), colour in found.items() if of == kind}
                for kind in ("route", "station", "site")
            }
            self.write([BoardJoined(named["route"], named["station"], named["site"])])
            self._show(joining=None)

    def write(self, facts: Sequence[AnyFact]) -> None:
        """Write down facts that people say: tickets, names, turns, the end of the game.

        Raises `EventError` and `LogFileError` as `correct` does.
        """
        with self._lock:
            events = self._scribe.say(facts)
            self._show(events, game=self._log.state)

    def undo(self) -> None:
        """Take back the newest fact that stands; raises `EventError` when there is none."""
        with self._lock:
            self.write([self._log.state.undo()])
            self._later(self._begin_anew)

    def redo(self) -> None:
        """Put back what was undone last; raises `EventError` when there is nothing."""
        with self._lock:
            self.write([self._log.state.redo()])
            self._later(self._begin_anew)

    def pause(self) -> None:
        """Stop watching: what happens now is no turn."""
        if not self._view.game.table.paused:
            self.write([GamePaused()])

    def resume(self) -> None:
        """Watch again. What changed meanwhile is asked about, or shown for confirmation."""
        if self._view.game.table.paused:
            self.write([GameResumed()])
            self._later(self._begin_anew)

    def look_again(self) -> None:
        """Forget what was seen and look at the whole board anew."""
        self._later(self._begin_anew)

    def end(self) -> None:
        """End the game: what comes later corrects the final score."""
        if not self._view.game.table.ended:
            self.write([GameEnded()])

    def turn(self) -> None:
        """Take in what people said and one frame, if there is a new one. The loop calls it."""
        while self._words:
            self._words.popleft()()
        status = self._grabber.status
        frame = self._grabber.latest(self._seen_frame, FRAME_WAIT_S)
        self._show(camera=status.said, is_over=status.is_over and frame is None)
        if frame is not None:
            self._seen_frame = frame.number
            self._take(frame)
        self._write_what_waits()

    def _run(self) -> None:
        while not self._ended.is_set():
            self.turn()
            if self._view.is_over:
                self._ended.wait(FRAME_WAIT_S)

    def _take(self, frame: Frame) -> None:
        if self._view.game.table.paused:
            return
        pose = self._keeper.pose_in(frame)
        self._show(board=self._keeper.said)
        if self._watcher is None:
            self._begin(frame, pose)
            return
        watcher = self._watcher
        observed = watcher.see(frame.picture, pose, frame.taken_at_s)
        for change in observed.changes:
            match change:
                case Appeared() | Vanished():
                    proof = proof_of(frame, change.box_px)
                    self._scribe.see(fact_of(change), proof)
                case Asked(spot=spot, doubt=doubt, box_px=box_px):
                    question = Question(spot, doubt, proof_of(frame, box_px))
                    self._show(questions=(*self._view.questions, question))
                case QuestionWithdrawn(spot=spot):
                    left = tuple(q for q in self._view.questions if q.spot != spot)
                    self._show(questions=left)
        self._show(state=observed.state)
        if self._reading is not None and self._reading.done():
            watcher.take_in(self._reading.result())
            self._reading = None
        if self._reading is None and (look := watcher.due()) is not None:
            self._reading = self._work.submit(read, look)

    def _begin(self, frame: Frame, pose: Pose | None) -> None:
        """Read the whole board, hold it against the log, and begin to watch."""
        self._show(state=State.SEARCHING if pose is None else State.SETTLING)
        if self._view.joining is not None:
            return
        if self._reading is not None:
            if not self._reading.done():
                return
            seen = self._reading.result()
            self._reading = None
            self._open(seen)
        elif pose is not None:
            look = Look(frame.picture, pose, frame.taken_at_s, self._printed, self._pieces)
            self._reading = self._work.submit(read, look)

    def _open(self, seen: LookRead) -> None:
        """Begin to watch, once the board is as the log has it or somebody confirmed what is not."""
        found = opening(seen, self._log.state.table)
        self._tries += 1
        if not found.is_clear and self._tries < TRIES:
            return  # the next frame may be surer
        self._tries = 0
        if found.joining is not None:
            self._show(joining=found.joining)
            return
        for fact in found.facts:
            self._scribe.see(fact)
        self._write_what_waits()
        self._watch()

    def _watch(self) -> None:
        self._watcher = Watcher(self._printed, self._pieces, standing_on(self._log.state.table))
        self._expect()

    def _begin_anew(self) -> None:
        """Watch from what the log has now; what the board shows otherwise is written down."""
        self._watcher, self._reading, self._tries = None, None, 0
        self._show(questions=(), joining=None)

    def _told_of(self, spot: Spot, colour: Colour | None) -> None:
        if self._watcher is not None:
            self._watcher.correct(spot, colour)
            self._expect()

    def _expect(self) -> None:
        """Tell the watcher how many pieces everyone has left."""
        if self._watcher is not None:
            players = answer_of(self._log.state.table).standing.players
            stock = {player.colour: player.trains_left for player in players}
            self._watcher.expectation = Expectation(stock=stock)

    @property
    def _edition(self) -> Edition:
        return load_edition(self._log.state.table.started.edition)

    @property
    def _pieces(self) -> Pieces:
        edition, table = self._edition, self._log.state.table
        colours = [player.colour for player in table.players]
        return Pieces(
            trains=trains_in_play(colours, plastic(edition.plastic)),
            train_size_mm=edition.train_size_mm,
            one_piece_a_route=edition.one_piece_a_route,
            exclusive=table.board.lanes,
            station_size_mm=edition.station_size_mm if edition.stations else None,
            stations_each=edition.stations,
        )

    def _found_in(self, frame: Frame) -> Pose | NotFound:
        return find_board(frame.picture, self._profile)

    def _write_what_waits(self) -> None:
        with self._lock:
            events = self._scribe.write()
            self._show(events, game=self._log.state, trouble=self._scribe.trouble)
        if events:
            self._expect()

    def _later(self, word: Callable[[], None]) -> None:
        """Do something between two frames, in the thread that watches."""
        self._words.append(word)

    def _show(self, events: tuple[Event, ...] = (), **now: object) -> None:
        """Change what is shown, and tell everyone if it is something new."""
        with self._lock:
            view = replace(self._view, **now)  # type: ignore[arg-type]
            if view == self._view and not events:
                return
            self._view = replace(view, number=view.number + 1)
            for told in self._told:
                told(self._view, events)
