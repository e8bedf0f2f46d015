"""Watching one game's board: turns frames into facts for the log, questions and a sight.

Each phase of it has its own data, and says which one is next. A board that is lost is no phase
of its own: whatever was going on waits until it is in sight again.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace

from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.changes import Appeared, QuestionAsked, Vanished
from railspotter.vision.watching.looks import Look, LookRead, read
from railspotter.vision.watching.questions import Occasion
from railspotter.vision.watching.settling import STILL_S, WatchState
from railspotter.vision.watching.spot_state import Expectation
from railspotter.vision.watching.watcher import Watcher

from ..game_log.board_facts import Placed, SpotFact
from ..game_log.table_state import TableState
from .astray import SeenFact, being_laid, sort_out
from .course import RecentClaimer
from .log_writer import change_fact
from .marker_watch import MarkerWatch
from .opening import MANY, Comparison, opening, opening_doubts, undoubted_differences
from .pictures import area_around, crop_of_spot, picture_around
from .table_view import BoardSight, Joining, layings
from .watched_board import WatchedBoard

TRIES = 6  # the most first readings of the whole board, if they are unclear
# Seconds until an impossible board, or one that is rebuilt, is read again. A reading takes some
# tenths of a second.
READ_AGAIN_S = 1.5
# Seconds after which a covered part of the board is reported: no turn takes so long.
COVERED_S = 60.0
# While so many questions are open, no further one from the first reading is asked.
MOST_OPEN_QUESTIONS = 3

SeenFacts = tuple[SeenFact, ...]
# What a frame shows, the facts for the log, and the phase that comes next.
Step = tuple[WatchState, SeenFacts, "Phase"]


class _Reader:
    """What a phase does that reads the whole board, once at a time."""

    def __init__(self, board: WatchedBoard) -> None:
        self._board = board
        self._reading: Future[LookRead] | None = None

    def finished_reading(self) -> LookRead | None:
        """Return the reading once, when it is done."""
        if self._reading is None or not self._reading.done():
            return None
        seen, self._reading = self._reading.result(), None
        return seen


class _StillReader(_Reader):
    """What a phase does that reads the whole board anew, in frames in which nothing moves."""

    def __init__(self, board: WatchedBoard) -> None:
        super().__init__(board)
        board.questions.close_all()
        board.astray = {}
        self._probe: Watcher | None = None
        self._was_still = False
        self._next_try_s = float("-inf")  # to read the whole board, by the frames' clock

    def _still_look(self, frame: Frame) -> Look | None:
        """Return a frame as a look if nothing has moved for a while; read it if that is due."""
        board = self._board
        if self._probe is None:
            if board.pose is None:
                return None
            self._probe, self._was_still = Watcher(board.printed, board.pieces()), False
        state = self._probe.see(frame.pyramid, board.pose, frame.taken_at_s).state
        if state is WatchState.SETTLING and self._was_still:
            self._probe = None  # something was laid: start over, so that it is in the first look
        if state is not WatchState.SETTLED or board.pose is None:
            return None
        self._was_still = True
        look = board.look(frame, board.pieces())
        if self._reading is None and look is not None and look.at_s >= self._next_try_s:
            self._opened_with = look
            self._reading = board.work.submit(read, look)
        return look


class Opening(_StillReader):
    """The whole board is read and compared with the log, before watching can start.

    The picture that is read must be the one that watching compares later frames with: a train laid
    during the first reading would otherwise be taken for print.
    """

    def __init__(self, board: WatchedBoard) -> None:
        super().__init__(board)
        self._tries = 0
        self._impossible = NOTHING  # why the read board cannot be a game

    def process(self, frame: Frame) -> Step:
        """Read the board until the reading is clear enough to start from."""
        if (seen := self.finished_reading()) is not None:
            return WatchState.SETTLING, *self._compare(frame, seen)
        self._still_look(frame)
        is_lost = self._board.pose is None
        return WatchState.SEARCHING if is_lost else WatchState.SETTLING, (), self

    def sight(self, state: WatchState) -> BoardSight:
        """Return what is in sight, and why it cannot be a game."""
        covered = () if self._probe is None else self._probe.unseen(COVERED_S)
        sight = self._board.sight(state, covered)
        obstacle = self._impossible or sight.obstacle
        return replace(sight, obstacle=obstacle, joining=self._board.listed)

    def _compare(self, frame: Frame, seen: LookRead) -> "tuple[SeenFacts, Phase]":
        """Compare a reading with the log; return the facts, and the phase that follows."""
        board, table = self._board, self._board.table
        found = opening(seen, table)
        self._tries += 1
        if not found.is_clear and self._tries < TRIES:  # the next frame may be clearer
            return (), self
        self._tries, self._impossible = 0, found.impossible
        if found.impossible:
            self._next_try_s = seen.at_s + READ_AGAIN_S
            return (), self
        board.listed = None
        board.questions.close_all()
        doubts, joining = opening_doubts(seen, table, board.joined), found.joining
        if joining is None:
            board.ask_about(doubts, self._opened_with)
        elif joining.changed:
            board.joined = doubts
        else:
            board.joined = {spot: one.doubt for spot, one in seen.seen.items() if one.doubt}
        now = {**table.held, **found.changes}
        settled = {spot: colour for spot, colour in now.items() if colour is not None}
        watching = Watching(board, self._opened_with, settled, seen)
        facts = tuple((fact, b"") for fact in found.facts)
        if joining is not None:
            return (), Confirming(watching, joining, self._opened_with, facts)
        watching.check_markers(frame, WatchState.SETTLING)
        return facts, watching


class Watching(_Reader):
    """Changes are followed, from a first look and its reading on."""

    def __init__(
        self, board: WatchedBoard, look: Look, settled: Mapping[Spot, Colour], seen: LookRead
    ) -> None:
        super().__init__(board)
        self._watcher = Watcher(look.printed, look.pieces, settled, board.questions)
        for at_s in (look.at_s - STILL_S, look.at_s):
            self._watcher.see(look.shown, look.pose, at_s)
        self._recent_claimer: RecentClaimer | None = None
        self._markers = MarkerWatch(board.work)
        self._has_many_changes = False  # whether the last look shows more than a turn or two
        self._is_last = False  # whether the game is over: the whole board is read once more
        self._use(seen)

    def process(self, frame: Frame) -> Step:
        """Follow the changes, learn from them, and check the score markers."""
        seen = self.finished_reading()
        if seen is not None and self._is_much_changed(seen):
            return WatchState.SETTLING, (), Opening(self._board)
        state, facts = self.follow(frame, seen)
        self._learn(frame, state)
        self.check_markers(frame, state)
        return state, facts, self

    def follow(self, frame: Frame, seen: LookRead | None) -> tuple[WatchState, SeenFacts]:
        """Follow what a frame changes, after a finished reading; ask questions."""
        board, at_s, last = self._board, frame.taken_at_s, self._recent_claimer
        players = board.table.score.standing.players
        self._watcher.expectation = Expectation(
            may_claim=None if last is None else last.next_claimers(self._colours, at_s),
            stock={player.colour: player.trains_left for player in players},
        )
        if board.table.ended and not self._is_last:
            self._is_last = True
            self._watcher.check_whole_board()
        # First the finished reading: its results decide whether another look is needed.
        if seen is not None:
            self._use(seen)
        observed = self._watcher.see(frame.pyramid, board.pose, at_s)
        if self._reading is None and (look := self._watcher.due()) is not None:
            self._reading = board.work.submit(read, look)
        board.learning.on_changes(observed.changes)
        for change in observed.changes:
            board.joined.pop(change.spot, None)
            board.questions.close([change.spot], Occasion.OPENING)
            if isinstance(change, QuestionAsked):
                self._show(change, frame)
        board.questions.show_next(MOST_OPEN_QUESTIONS)
        appeared = [change for change in observed.changes if isinstance(change, Appeared)]
        if appeared:
            self._recent_claimer = RecentClaimer(appeared[-1].colour, at_s)
        return observed.state, tuple(
            (change_fact(change), crop_of_spot(frame, change.box_px))
            for change in observed.changes
            if isinstance(change, Appeared | Vanished)
        )

    def sight(self, state: WatchState) -> BoardSight:
        """Return what is in sight, apart from what is to be confirmed."""
        return replace(
            self._board.sight(state, self._watcher.unseen(COVERED_S)),
            strange=self._strange,
            markers=self._markers.remarks,
            laying=layings(self._board.table.to_lay, self._watcher.spaces),
            astray=being_laid(self._board.table, self._watcher.changing),
        )

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Go by a person's word until the spot is seen to change."""
        self._watcher.correct(spot, colour)

    def check_markers(self, frame: Frame, state: WatchState) -> None:
        """Start a reading of the score track when it is due, and use its result."""
        if not self._board.with_markers:
            return
        markers, at_s = self._markers, frame.taken_at_s
        markers.update_expected(self._board.table, at_s)
        markers.collect_reading()
        is_still = state is WatchState.SETTLED and self._reading is None
        if is_still and self._shown_colours and markers.is_due(at_s):
            look = self._board.look(frame, self._watcher.pieces)
            if look is not None:
                markers.look(look, self._shown_colours)

    def _use(self, seen: LookRead) -> None:
        """Use a reading of the whole board; the next ones know the strange trains that it shows."""
        board, watcher = self._board, self._watcher
        watcher.process_look(seen)
        self._shown_colours = seen.colours
        measured = (Spot("route", route.id) for route in board.table.board.routes if route.spaces)
        board.unseen = tuple(spot for spot in measured if spot not in seen.seen)
        if watcher.pieces.whose != board.whose(self._strange):
            watcher.pieces = board.pieces(self._strange)

    def _is_much_changed(self, seen: LookRead) -> bool:
        """Tell whether two looks in a row show many changes that the camera did not see happen."""
        table, had_many = self._board.table, self._has_many_changes
        new = undoubted_differences(seen, table).keys() - table.by_hand
        still = new.intersection(self._watcher.still_since(seen.at_s))
        self._has_many_changes = len(still) >= MANY and not table.ended
        return had_many and self._has_many_changes

    def _learn(self, frame: Frame, state: WatchState) -> None:
        """Learn colours and print from a frame, and update the watcher with them."""
        board, watcher = self._board, self._watcher
        look = board.look(frame, watcher.pieces)
        if look is None or self._reading is not None:
            return
        if board.learning.look(look, state, watcher.settled, watcher.unclear):
            board.use_learned()
            watcher.printed, watcher.pieces = board.printed, board.pieces(self._strange)

    def _show(self, asked: QuestionAsked, frame: Frame) -> None:
        """Show people a question of the watcher, with a picture of its spot."""
        board, doubt, crop = self._board, asked.doubt, b""
        if self._recent_claimer is not None:
            doubt = self._recent_claimer.with_reason(doubt, self._colours, asked.at_s)
        if board.pose is not None:
            area = area_around(board.table.board, asked.spot)
            crop = picture_around(frame.picture, board.pose, area)
        board.questions.show(doubt, crop)

    @property
    def _colours(self) -> list[Colour]:
        """The colours of the players who take turns."""
        table = self._board.table
        return [player.colour for player in table.players if player.seat not in table.left]

    @property
    def _strange(self) -> dict[Colour, tuple[Spot, ...]]:
        """The spots with trains of colours that are not assigned to a player."""
        strange = self._watcher.strange
        return {
            colour: tuple(sorted(spot for spot, one in strange.items() if one == colour))
            for colour in sorted({*strange.values()} - self._board.table.other_trains.keys())
        }


@dataclass
class Confirming:
    """The first board waits for people to confirm it; what is seen meanwhile counts afterwards.

    Nothing is learned before, and no marker is checked.
    """

    watching: Watching
    joining: Joining  # what is to be confirmed
    opened_with: Look
    unconfirmed: SeenFacts

    def process(self, frame: Frame) -> Step:
        """Keep the facts that a frame adds."""
        state, facts = self.watching.follow(frame, self.watching.finished_reading())
        self.unconfirmed += facts
        return state, (), self

    def sight(self, state: WatchState) -> BoardSight:
        """Return what is in sight, and what is to be confirmed."""
        return replace(self.watching.sight(state), joining=self.joining)

    @property
    def listed(self) -> Joining:
        """What is to be confirmed, with what was seen since, for another camera."""
        since = {fact.spot: fact for fact, _ in self.unconfirmed if isinstance(fact, SpotFact)}
        placed = {spot: one.colour for spot, one in since.items() if isinstance(one, Placed)}
        left = {spot: one for spot, one in self.joining.board.items() if spot not in since}
        return replace(self.joining, board={**left, **placed})

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Drop what was seen of a spot, and go by a person's word."""
        self.unconfirmed = tuple(one for one in self.unconfirmed if spot not in one[0].about)
        self.watching.correct(spot, colour)


class Comparing(_StillReader):
    """The board is compared with a packed-away game until it is rebuilt; nothing is a claim."""

    def __init__(self, board: WatchedBoard, comparison: Comparison) -> None:
        super().__init__(board)
        self.comparison = comparison

    def process(self, frame: Frame) -> Step:
        """Read the whole board whenever it is still."""
        if (seen := self.finished_reading()) is not None:
            self.comparison.add_reading(seen, self._board.table)
            self._next_try_s = seen.at_s + READ_AGAIN_S
        look = self._still_look(frame)
        if self._board.pose is None:
            return WatchState.SEARCHING, (), self
        return WatchState.HAND if look is None else WatchState.SETTLED, (), self

    def sight(self, state: WatchState) -> BoardSight:
        """Return how far the board is rebuilt."""
        return replace(self._board.sight(state), unseen=(), rebuilding=self.comparison.view)


Phase = Opening | Confirming | Watching | Comparing


class BoardWatch:
    """Watches the board of one game, in one phase at a time. Not thread-safe."""

    def __init__(self, board: WatchedBoard) -> None:
        self.board = board
        self._phase: Phase = Opening(board)

    def process(self, frame: Frame, table: TableState) -> tuple[BoardSight, SeenFacts]:
        """Process a frame of a game as it stands; return what is seen, and facts for the log."""
        self.board.table = table
        self.board.follow(frame)
        state, facts, self._phase = self._phase.process(frame)
        sight, written = self._phase.sight(state), self._sorted_out(facts)
        lying = {spot: fact.colour for spot, (fact, _) in self.board.astray.items()}
        return replace(sight, astray={**sight.astray, **lying}), written

    def _sorted_out(self, facts: SeenFacts) -> SeenFacts:
        """Return the facts to write; hold back those of pieces that lie astray."""
        board = self.board
        written, board.astray = sort_out(facts, board.astray, board.table)
        return written

    def restart(self, table: TableState) -> None:
        """Read the whole board anew, to compare it with a packed-away game or to watch."""
        if isinstance(self._phase, Comparing) and table.packed_away:
            self._phase = Comparing(self.board, self._phase.comparison)
        else:
            self.end_comparison()

    def start_comparison(self) -> None:
        """Start comparing the board with a packed-away game, until it is rebuilt; no claims."""
        if not self.is_comparing:
            self._phase = Comparing(self.board, Comparison())

    def end_comparison(self) -> None:
        """Read the whole board, compare it with the log, and watch from there."""
        self._phase = Opening(self.board)

    @property
    def is_comparing(self) -> bool:
        """Whether the board is compared with a packed-away game."""
        return isinstance(self._phase, Comparing)

    @property
    def listed(self) -> Joining | None:
        """All that waits to be confirmed."""
        phase = self._phase  # which may change meanwhile
        return phase.listed if isinstance(phase, Confirming) else self.board.listed

    def release_unconfirmed(self) -> SeenFacts:
        """Handle the confirmation of the initial board; return the facts seen since.

        Asks the remaining doubts about the initial board.
        """
        phase = self._phase
        if not isinstance(phase, Confirming):
            return ()  # restarted meanwhile
        self.board.ask_about(self.board.joined, phase.opened_with)
        self._phase = phase.watching
        return self._sorted_out(phase.unconfirmed)

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Apply a person's correction of a spot."""
        self.board.learning.on_correction(spot, colour)
        self.board.joined.pop(spot, None)
        self.board.questions.close([spot])
        self.board.astray = {one: kept for one, kept in self.board.astray.items() if one != spot}
        if isinstance(self._phase, Confirming | Watching):
            self._phase.correct(spot, colour)
