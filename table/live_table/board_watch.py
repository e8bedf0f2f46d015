"""Watching one game's board: frames in; facts to be written, states and questions out."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace

from railspotter.calibration.finding.colour_sight import why_colourless
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.finding.proof import TOO_DARK
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.profile import Profile, with_learned_of
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.reading.sites import with_site_routes
from railspotter.vision.readings import Doubt
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.changes import (
    Appeared,
    Change,
    FrameOutcome,
    QuestionAsked,
    Vanished,
)
from railspotter.vision.watching.looks import Look, LookRead, read
from railspotter.vision.watching.questions import Occasion, Questions
from railspotter.vision.watching.settling import WatchState
from railspotter.vision.watching.watcher import Watcher

from ..boards.board_choice import with_calibration_advice
from ..game_log.facts import Fact
from ..game_log.table_state import TableState
from ..pieces import pieces_of_table
from .board_keeper import BoardTracker, covered_sentence, unseen_sentence
from .course import RecentClaimer
from .learning import Learning, SaveProfile
from .log_writer import change_fact
from .marker_watch import MarkerRemark, MarkerWatch
from .opening import (
    MANY,
    OpeningLook,
    ask_about,
    opening,
    opening_doubts,
    plain_differences,
    start_watcher,
)
from .pictures import area_around, crop_of_spot, picture_around
from .rebuilding import Comparison
from .table_view import BoardSight, Joining, Laying, laying_of

TRIES = 6  # readings of the whole board before watching begins with what the surest of them says
# Seconds until what is no game, or is laid out again, is read anew: each takes some tenths of one.
AGAIN_S = 1.5
# Seconds after which people are told that something covers the board: no turn takes so long.
COVERED_S = 60.0
# The most questions that wait for an answer before one of the first reading's is asked.
MOST_ASKED = 3

SeenFacts = tuple[tuple[Fact, bytes], ...]


@dataclass(frozen=True)
class FrameResult:
    """What came of one frame."""

    sight: BoardSight
    # What the camera says, each with a picture that proves it, empty where there is none.
    facts: SeenFacts = ()
    is_rebuilt: bool = False  # whether a board that was packed away lies as it was


class BoardWatch:
    """Watches the board of one game; all of it is called from one thread."""

    def __init__(
        self,
        table: TableState,
        profile: Profile,
        work: Executor,
        questions: Questions | None = None,
        *,
        keep: SaveProfile | None = None,
        with_markers: bool = True,
    ) -> None:
        self._work = work
        self._questions = questions or Questions()
        self.pose: Pose | None = None  # where the board is in the last frame, if it is in sight
        self._with_markers = with_markers
        self._joined: dict[Spot, Doubt] = {}  # of what people were shown to confirm as one step
        self._comparison: Comparison | None = None  # of a board that is laid out again
        self._unseen: tuple[Spot, ...] = ()  # the routes that are out of the camera's picture
        self._know(profile, keep, table)
        self.restart(table)

    def _know(self, profile: Profile, keep: SaveProfile | None, table: TableState) -> None:
        self._profile = profile
        self._learning = Learning(profile, self._work, keep)
        self._printed = PrintedBoard.of(with_site_routes(table.board), profile)
        self._keeper = BoardTracker(self._found_in, self._work, self._colourless_in)

    def use_profile(self, profile: Profile, keep: SaveProfile | None, table: TableState) -> None:
        """Find and read the board with another profile of it; what was learned goes over."""
        self._know(with_learned_of(profile, self._learning.profile), keep, table)
        self.restart(table)

    def restart(self, table: TableState) -> None:
        """Read the whole board again, and watch from what the log has now."""
        self._table = table
        self._joining: Joining | None = None
        # What the camera has said since: it holds if what it began with is confirmed.
        self._unconfirmed: SeenFacts = ()
        self._watcher: Watcher | None = None
        self._reading: Future[LookRead] | None = None
        self._markers = MarkerWatch(self._work)
        self._shown_colours: Sequence[TrainColour] = ()
        self._first = OpeningLook()
        self._recent_claimer: RecentClaimer | None = None
        self._questions.close_all()
        self._tries = 0
        self._is_much = False  # whether the last look showed more otherwise than a turn or two do
        self._impossible = NOTHING  # why what was read to lie there is no game
        self._next_try_s = float("-inf")  # when the whole board is read again, by the frames' clock
        if not table.packed_away:
            self._comparison = None

    def compare(self, table: TableState) -> None:
        """Hold the board against a game that was packed away from now on, until the game goes on.

        Nothing is a claim meanwhile.
        """
        if self._comparison is None:
            self.restart(table)
            self._comparison = Comparison()

    def go_on(self, table: TableState) -> None:
        """Watch a board that was laid out again."""
        self._comparison = None
        self.restart(table)

    @property
    def is_comparing(self) -> bool:
        """Whether the board is held against a game that was packed away."""
        return self._comparison is not None

    def update_expected(self, table: TableState) -> None:
        """Take in what the log has now: the stocks that are left."""
        self._table = table
        if self._watcher is not None:
            players = table.score.standing.players
            stock = {player.colour: player.trains_left for player in players}
            self._watcher.expectation = replace(self._watcher.expectation, stock=stock)

    def release_unconfirmed(self, table: TableState) -> SeenFacts:
        """Go on from what lay on the board when watching began; return what was seen since.

        What was in doubt then, and has not been seen to change, is asked.
        """
        joining, self._joining = self._joining, None
        if joining is None:
            return ()  # it was begun anew meanwhile
        if self._joined:
            ask_about(self._joined, self._opened_with, self._questions)
        self.update_expected(table)
        return self._unconfirmed

    def drop_unconfirmed(self) -> None:
        """Drop what waits to be confirmed: after a pause the whole board is read again."""
        self._joining = None

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Take in what a person says of a spot."""
        self._learning.on_correction(spot, colour)
        self._joined.pop(spot, None)
        self._unconfirmed = tuple(one for one in self._unconfirmed if spot not in one[0].about)
        self._questions.close([spot])
        if self._watcher is not None:
            self._watcher.correct(spot, colour)

    def look_over(self) -> None:
        """Look over the whole board once more, and ask whatever stays in doubt."""
        if self._watcher is not None:
            self._watcher.look_over()

    @property
    def said(self) -> Sentence:
        """Where the board is, in a sentence, or what of it the camera does not see."""
        if self.pose is None or not self._unseen:
            return self._keeper.status
        return unseen_sentence(self._unseen, self._table.board)

    def take(self, frame: Frame) -> FrameResult:
        """Take in a frame."""
        if self._comparison is not None:
            return self._compared(frame, self._comparison)
        state, facts = self._follow(frame)
        sight = BoardSight(
            state,
            self.said,
            self._joining,
            strange=self._strange(),
            obstacle=self._impossible or self._obstacle(),
            unseen=(*self._unseen, *(one for one in self._covered() if one not in self._unseen)),
            markers=self._marker_remarks(frame, state),
            laying=self._laying(),
        )
        if self._joining is None:
            return FrameResult(sight, facts)
        self._unconfirmed += facts
        return FrameResult(sight)

    def _compared(self, frame: Frame, comparison: Comparison) -> FrameResult:
        """Read the whole board whenever it holds still, and hold it against the game."""
        pose = self.pose = self._keeper.pose_in(frame)
        look = self._first.look_at(frame, pose, self._printed, self._pieces)
        if self._reading is not None and self._reading.done():
            comparison.take_in(self._reading.result(), self._table)
            self._reading = None
        if self._reading is None and look is not None and look.at_s >= self._next_try_s:
            self._next_try_s = look.at_s + AGAIN_S
            self._reading = self._work.submit(read, look)
        state = WatchState.HAND if look is None else WatchState.SETTLED
        if pose is None:
            state = WatchState.SEARCHING
        sight = BoardSight(state, self.said, rebuilding=comparison.view)
        return FrameResult(sight, is_rebuilt=comparison.is_rebuilt)

    def _marker_remarks(self, frame: Frame, state: WatchState) -> tuple[MarkerRemark, ...]:
        """Return who has not moved a marker; now and then the track is read for it."""
        watch, at_s = self._markers, frame.taken_at_s
        if not self._with_markers or self._joining is not None or self._watcher is None:
            return ()
        watch.update_expected(self._table, at_s)
        watch.take_in()
        is_still = state is WatchState.SETTLED and self._reading is None
        if is_still and self.pose is not None and self._shown_colours and watch.is_due(at_s):
            pieces = self._watcher.pieces
            look = Look(frame.pyramid, self.pose, at_s, self._printed, pieces)
            watch.look(look, self._shown_colours)
        return watch.remarks

    def _laying(self) -> dict[Spot, Laying]:
        """Return how far the camera sees laid what is paid for."""
        if self._watcher is None or self._table.dealing is None:
            return {}
        found = {
            spot: laying_of(self._watcher.spaces.get(spot, ()), colour)
            for spot, colour in self._table.to_lay.items()
            if spot.kind == "route"
        }
        return {spot: laying for spot, laying in found.items() if laying is not None}

    def _obstacle(self) -> Sentence:
        """Say what has kept a part of the board from being seen for long."""
        covered = self._covered()
        return covered_sentence(covered[0], self._table.board) if covered else NOTHING

    def _covered(self) -> tuple[Spot, ...]:
        """Return the spots that something has lain over for long."""
        return (self._watcher or self._first).unseen(COVERED_S)

    def _follow(self, frame: Frame) -> tuple[WatchState, SeenFacts]:
        pose = self.pose = self._keeper.pose_in(frame)
        if self._watcher is None:
            return self._begin(frame, pose)
        if self._recent_claimer is not None:
            may_claim = self._recent_claimer.next_claimers(self._colours, frame.taken_at_s)
            self._watcher.expectation = replace(self._watcher.expectation, may_claim=may_claim)
        # First what was read: what follows from it is decided before another look is worth it.
        if self._reading is not None and self._reading.done():
            read_look, self._reading = self._reading.result(), None
            if self._has_much_changed(self._watcher, read_look):
                self.restart(self._table)
                return WatchState.SETTLING, ()
            self._watcher.take_in(read_look)
            self._take_in(read_look)
            self._look_for_strange(self._watcher)
        observed = self._watcher.see(frame.pyramid, pose, frame.taken_at_s)
        if self._reading is None and (look := self._watcher.due()) is not None:
            self._reading = self._work.submit(read, look)
        self._learn(frame, pose, observed)
        facts = self._facts(frame, observed.changes)
        for change in observed.changes:
            if isinstance(change, Appeared):
                self._recent_claimer = RecentClaimer(change.colour, frame.taken_at_s)
        return observed.state, facts

    def _has_much_changed(self, watcher: Watcher, seen: LookRead) -> bool:
        """Tell whether two looks in a row show more than a turn or two: nobody saw it laid."""
        was_much, self._is_much = self._is_much, False
        if self._joining is None and not self._table.ended:
            new = plain_differences(seen, self._table).keys() - self._table.by_hand
            self._is_much = len(new.intersection(watcher.still_since(seen.at_s))) >= MANY
        return was_much and self._is_much

    def _learn(self, frame: Frame, pose: Pose | None, observed: FrameOutcome) -> None:
        """Learn from a frame, while nothing is being read, and watch with what was learned."""
        self._learning.on_changes(observed.changes)
        if self._watcher is None or pose is None or self._reading is not None:
            return
        if self._joining is not None:
            return  # nobody has said yet whose trains these are
        look = Look(frame.pyramid, pose, frame.taken_at_s, self._printed, self._watcher.pieces)
        settled, unclear = self._watcher.settled, self._watcher.unclear
        if not self._learning.look(look, observed.state, settled, unclear):
            return
        shown, self._profile = self._profile.reference, self._learning.profile
        if self._profile.reference is not shown:
            self._printed = PrintedBoard.of(with_site_routes(self._table.board), self._profile)
        self._watcher.printed, self._watcher.pieces = self._printed, self._pieces()

    def _take_in(self, seen: LookRead) -> None:
        """Take in what every look says, the first one too."""
        self._shown_colours = seen.colours
        measured = (route for route in self._table.board.routes if route.spaces)
        spots = (Spot("route", route.id) for route in measured)
        self._unseen = tuple(spot for spot in spots if spot not in seen.seen)

    def _facts(self, frame: Frame, changes: tuple[Change, ...]) -> SeenFacts:
        """Return what follows from changes, and ask what is in doubt."""
        for change in changes:
            self._joined.pop(change.spot, None)
            self._questions.close([change.spot], Occasion.OPENING)
            if isinstance(change, QuestionAsked):
                self._questions.show(self._phrased(change), self._picture_of(change.spot, frame))
        self._questions.show_next(MOST_ASKED)
        return tuple(
            (change_fact(change), crop_of_spot(frame, change.box_px))
            for change in changes
            if isinstance(change, Appeared | Vanished)
        )

    def _picture_of(self, spot: Spot, frame: Frame) -> bytes:
        if self.pose is None:
            return b""
        return picture_around(frame.picture, self.pose, area_around(self._table.board, spot))

    def _phrased(self, asked: QuestionAsked) -> Doubt:
        last = self._recent_claimer
        return last.with_reason(asked.doubt, self._colours, asked.at_s) if last else asked.doubt

    @property
    def _colours(self) -> list[Colour]:
        """The colours of the players who take turns."""
        return [p.colour for p in self._table.players if p.seat not in self._table.left]

    def _begin(self, frame: Frame, pose: Pose | None) -> tuple[WatchState, SeenFacts]:
        """Read the whole board and hold it against the log; then there is something to watch."""
        if self._reading is not None and self._reading.done():
            seen, self._reading = self._reading.result(), None
            return WatchState.SETTLING, self._open(seen)
        look = self._first.look_at(frame, pose, self._printed, self._pieces)
        if self._reading is None and look is not None and look.at_s >= self._next_try_s:
            self._opened_with = look
            self._reading = self._work.submit(read, look)
        return WatchState.SEARCHING if pose is None else WatchState.SETTLING, ()

    def _open(self, seen: LookRead) -> SeenFacts:
        """Hold the first reading against the log, and watch from there if it is sure enough."""
        found = opening(seen, self._table)
        self._tries += 1
        if not found.is_clear and self._tries < TRIES:  # the next frame may be surer
            return ()
        self._tries = 0
        self._impossible = found.impossible
        if found.impossible:
            self._next_try_s = seen.at_s + AGAIN_S
            return ()
        if found.joining is None:
            doubts = opening_doubts(seen, self._table, self._joined)
            ask_about(doubts, self._opened_with, self._questions)
        else:
            if found.joining.changed:
                self._joined = opening_doubts(seen, self._table, self._joined)
            else:
                self._joined = {spot: one.doubt for spot, one in seen.seen.items() if one.doubt}
            self._joining, self._unconfirmed = found.joining, ()
        now = {**self._table.held, **found.changes}
        settled = {spot: colour for spot, colour in now.items() if colour is not None}
        self._watcher = start_watcher(self._opened_with, settled, self._questions)
        self._watcher.take_in(seen)
        self._take_in(seen)
        self._look_for_strange(self._watcher)
        if self._table.ended:
            self._watcher.look_over()
        self.update_expected(self._table)
        return tuple((fact, b"") for fact in found.facts)

    def _look_for_strange(self, watcher: Watcher) -> None:
        """Read looks from now on also for trains that the last one saw and no player has."""
        if watcher.pieces.whose != self._whose():
            watcher.pieces = self._pieces()

    def _pieces(self) -> Pieces:
        return pieces_of_table(
            self._table.edition,
            self._table.board,
            self._profile,
            [player.colour for player in self._table.players],
            self._whose(),
            self._printed,
        )

    def _whose(self) -> dict[Colour, Colour | None]:
        """Return who plays trains of colours that no player has: None for nobody, or as yet."""
        return {**dict.fromkeys(self._strange()), **self._table.other_trains}

    def _strange(self) -> dict[Colour, tuple[Spot, ...]]:
        """Return where trains lie of each colour that nobody has said who plays."""
        strange = {} if self._watcher is None else self._watcher.strange
        return {
            colour: tuple(sorted(spot for spot, one in strange.items() if one == colour))
            for colour in sorted({*strange.values()} - self._table.other_trains.keys())
        }

    def _found_in(self, frame: Frame) -> Pose | NotFound:
        found = find_board(frame.picture, self._profile)
        if isinstance(found, NotFound) and found.reason != TOO_DARK:
            said = with_calibration_advice(found.reason, self._table.edition, self._profile)
            return replace(found, reason=said)
        return found

    def _colourless_in(self, frame: Frame, pose: Pose) -> Sentence | None:
        return why_colourless(frame.pyramid, pose, self._table.board)
