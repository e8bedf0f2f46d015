"""Watching one game's board: turns frames into facts for the log, questions and a status."""

from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace

from railspotter.calibration.finding.colour_sight import why_colourless
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.finding.picture_faults import TOO_DARK
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.profile import Profile, with_learned_of
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard, with_site_routes
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
from ..pieces import pieces_of_edition
from . import opening
from .board_tracker import BoardTracker, covered_sentence, unseen_sentence
from .course import RecentClaimer
from .learning import Learning, SaveProfile
from .log_writer import change_fact
from .marker_watch import MarkerRemark, MarkerWatch
from .pictures import area_around, crop_of_spot, picture_around
from .table_view import BoardSight, Joining, Laying, laying_of

TRIES = 6  # the most first readings of the whole board, if they are unclear
# Seconds until an impossible board, or one that is rebuilt, is read again. A reading takes some
# tenths of a second.
READ_AGAIN_S = 1.5
# Seconds after which a covered part of the board is reported: no turn takes so long.
COVERED_S = 60.0
# While so many questions are open, no further one from the first reading is asked.
MOST_OPEN_QUESTIONS = 3

SeenFacts = tuple[tuple[Fact, bytes], ...]  # facts, each with a JPEG as proof, empty for none


class BoardWatch:
    """Watches the board of one game. Not thread-safe."""

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
        self.pose: Pose | None = None  # the board's in the last frame; None if not in sight
        self._with_markers = with_markers
        self._joined: dict[Spot, Doubt] = {}  # doubts about the board that users confirm as a whole
        self._comparison: opening.Comparison | None = None  # while a board is rebuilt
        self._unseen: tuple[Spot, ...] = ()  # routes out of the camera's picture
        self._set_profile(profile, keep, table)
        self.restart(table)

    def _set_profile(self, profile: Profile, keep: SaveProfile | None, table: TableState) -> None:
        self._profile = profile
        self._learning = Learning(profile, self._work, keep)
        self._printed = PrintedBoard.of(with_site_routes(table.board), profile)
        self._tracker = BoardTracker(
            self._find_board,
            self._work,
            lambda frame, pose: why_colourless(frame.pyramid, pose, table.board),
        )

    def use_profile(self, profile: Profile, keep: SaveProfile | None, table: TableState) -> None:
        """Switch to another profile of the board, keeping what was learned."""
        self._set_profile(with_learned_of(profile, self._learning.profile), keep, table)
        self.restart(table)

    def save_learned(self) -> None:
        """Save what was learned and is not saved yet: the table closes."""
        self._learning.save()

    def restart(self, table: TableState) -> None:
        """Start over: read the whole board, compare it with the log, and watch from there."""
        self._table = table
        self._joining: Joining | None = None
        # Facts seen since, which count once the initial board is confirmed.
        self._unconfirmed: SeenFacts = ()
        self._watcher: Watcher | None = None
        self._reading: Future[LookRead] | None = None
        self._markers = MarkerWatch(self._work)
        self._shown_colours: Sequence[TrainColour] = ()
        self._first = opening.OpeningLook()
        self._recent_claimer: RecentClaimer | None = None
        self._questions.close_all()
        self._tries = 0
        self._has_many_changes = False  # whether the last look shows more than a turn or two
        self._impossible = NOTHING  # why the read board cannot be a game
        self._next_try_s = float("-inf")  # to read the whole board, by the frames' clock
        if not table.packed_away:
            self._comparison = None

    def start_comparison(self, table: TableState) -> None:
        """Start comparing the board with a packed-away game, until it is rebuilt; no claims."""
        if self._comparison is None:
            self.restart(table)
            self._comparison = opening.Comparison()

    def end_comparison(self, table: TableState) -> None:
        """Watch the rebuilt board."""
        self._comparison = None
        self.restart(table)

    @property
    def is_comparing(self) -> bool:
        """Whether the board is compared with a packed-away game."""
        return self._comparison is not None

    def update_expected(self, table: TableState) -> None:
        """Update the table, and the stocks that limit what can be claimed."""
        self._table = table
        if self._watcher is not None:
            players = table.score.standing.players
            stock = {player.colour: player.trains_left for player in players}
            self._watcher.expectation = replace(self._watcher.expectation, stock=stock)

    def release_unconfirmed(self, table: TableState) -> SeenFacts:
        """Handle the confirmation of the initial board; return the facts seen since.

        Asks the remaining doubts about the initial board.
        """
        joining, self._joining = self._joining, None
        if joining is None:
            return ()  # restarted meanwhile
        if self._joined:
            opening.ask_about(self._joined, self._opened_with, self._questions)
        self.update_expected(table)
        return self._unconfirmed

    def drop_unconfirmed(self) -> None:
        """Drop the unconfirmed board: after a pause it is read again."""
        self._joining = None

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Apply a person's correction of a spot."""
        self._learning.on_correction(spot, colour)
        self._joined.pop(spot, None)
        self._unconfirmed = tuple(one for one in self._unconfirmed if spot not in one[0].about)
        self._questions.close([spot])
        if self._watcher is not None:
            self._watcher.correct(spot, colour)

    def check_whole_board(self) -> None:
        """Read the whole board once more, and ask about all doubts."""
        if self._watcher is not None:
            self._watcher.check_whole_board()

    @property
    def status(self) -> Sentence:
        """Whether the board is found, in a sentence, or which part is out of the picture."""
        if self.pose is None or not self._unseen:
            return self._tracker.status
        return unseen_sentence(self._unseen, self._table.board)

    def process(self, frame: Frame) -> tuple[BoardSight, SeenFacts]:
        """Process a frame; return what is seen, and the facts for the log."""
        if self._comparison is not None:
            return self._compare(frame, self._comparison)
        state, facts = self._watch(frame)
        covered = (self._watcher or self._first).unseen(COVERED_S)  # for long
        sight = BoardSight(
            state,
            self.status,
            self._joining,
            strange=self._strange(),
            obstacle=self._impossible or self._obstacle(covered),
            unseen=tuple(dict.fromkeys((*self._unseen, *covered))),
            markers=self._marker_remarks(frame, state),
            laying=self._laying(),
        )
        if self._joining is None:
            return sight, facts
        self._unconfirmed += facts
        return sight, ()

    def _compare(
        self, frame: Frame, comparison: opening.Comparison
    ) -> tuple[BoardSight, SeenFacts]:
        """Read the whole board whenever it is still, and compare it with the game."""
        pose = self.pose = self._tracker.pose_in(frame)
        look = self._first.look_at(frame, pose, self._printed, self._pieces)
        if self._reading is not None and self._reading.done():
            comparison.add_reading(self._reading.result(), self._table)
            self._reading = None
        if self._reading is None and look is not None and look.at_s >= self._next_try_s:
            self._next_try_s = look.at_s + READ_AGAIN_S
            self._reading = self._work.submit(read, look)
        state = WatchState.HAND if look is None else WatchState.SETTLED
        if pose is None:
            state = WatchState.SEARCHING
        return BoardSight(state, self.status, rebuilding=comparison.view), ()

    def _marker_remarks(self, frame: Frame, state: WatchState) -> tuple[MarkerRemark, ...]:
        """Return the wrong score markers, and start a reading of the track when it is due."""
        watch, at_s = self._markers, frame.taken_at_s
        if not self._with_markers or self._joining is not None or self._watcher is None:
            return ()
        watch.update_expected(self._table, at_s)
        watch.collect_reading()
        is_still = state is WatchState.SETTLED and self._reading is None
        if is_still and self.pose is not None and self._shown_colours and watch.is_due(at_s):
            pieces = self._watcher.pieces
            look = Look(frame.pyramid, self.pose, at_s, self._printed, pieces)
            watch.look(look, self._shown_colours)
        return watch.remarks

    def _laying(self) -> dict[Spot, Laying]:
        """Return the progress of laying the routes that are paid for."""
        if self._watcher is None or self._table.dealing is None:
            return {}
        found = {
            spot: laying_of(self._watcher.spaces.get(spot, ()), colour)
            for spot, colour in self._table.to_lay.items()
            if spot.kind == "route"
        }
        return {spot: laying for spot, laying in found.items() if laying is not None}

    def _obstacle(self, covered: Sequence[Spot]) -> Sentence:
        return covered_sentence(covered[0], self._table.board) if covered else NOTHING

    def _watch(self, frame: Frame) -> tuple[WatchState, SeenFacts]:
        pose = self.pose = self._tracker.pose_in(frame)
        if self._watcher is None:
            return self._read_opening(frame, pose)
        if self._recent_claimer is not None:
            may_claim = self._recent_claimer.next_claimers(self._colours, frame.taken_at_s)
            self._watcher.expectation = replace(self._watcher.expectation, may_claim=may_claim)
        # First the finished reading: its results decide whether another look is needed.
        if self._reading is not None and self._reading.done():
            read_look, self._reading = self._reading.result(), None
            if self._is_much_changed(self._watcher, read_look):
                self.restart(self._table)
                return WatchState.SETTLING, ()
            self._watcher.process_look(read_look)
            self._update_from_look(read_look)
            self._update_pieces(self._watcher)
        observed = self._watcher.see(frame.pyramid, pose, frame.taken_at_s)
        if self._reading is None and (look := self._watcher.due()) is not None:
            self._reading = self._work.submit(read, look)
        self._learn(frame, pose, observed)
        facts = self._facts(frame, observed.changes)
        for change in observed.changes:
            if isinstance(change, Appeared):
                self._recent_claimer = RecentClaimer(change.colour, frame.taken_at_s)
        return observed.state, facts

    def _is_much_changed(self, watcher: Watcher, seen: LookRead) -> bool:
        """Tell whether two looks in a row show many changes that the camera did not see happen."""
        had_many, self._has_many_changes = self._has_many_changes, False
        if self._joining is None and not self._table.ended:
            new = opening.undoubted_differences(seen, self._table).keys() - self._table.by_hand
            still = new.intersection(watcher.still_since(seen.at_s))
            self._has_many_changes = len(still) >= opening.MANY
        return had_many and self._has_many_changes

    def _learn(self, frame: Frame, pose: Pose | None, observed: FrameOutcome) -> None:
        """Learn colours and print from a frame, and update the watcher with them."""
        self._learning.on_changes(observed.changes)
        if self._watcher is None or pose is None or self._reading is not None:
            return
        if self._joining is not None:
            return  # the initial board is not confirmed yet
        look = Look(frame.pyramid, pose, frame.taken_at_s, self._printed, self._watcher.pieces)
        settled, unclear = self._watcher.settled, self._watcher.unclear
        if not self._learning.look(look, observed.state, settled, unclear):
            return
        shown, self._profile = self._profile.reference, self._learning.profile
        if self._profile.reference is not shown:
            self._printed = PrintedBoard.of(with_site_routes(self._table.board), self._profile)
        self._watcher.printed, self._watcher.pieces = self._printed, self._pieces()

    def _update_from_look(self, seen: LookRead) -> None:
        self._shown_colours = seen.colours
        measured = (route for route in self._table.board.routes if route.spaces)
        spots = (Spot("route", route.id) for route in measured)
        self._unseen = tuple(spot for spot in spots if spot not in seen.seen)

    def _facts(self, frame: Frame, changes: tuple[Change, ...]) -> SeenFacts:
        """Convert changes to facts, and ask questions."""
        for change in changes:
            self._joined.pop(change.spot, None)
            self._questions.close([change.spot], Occasion.OPENING)
            if isinstance(change, QuestionAsked):
                self._questions.show(self._doubt_of(change), self._picture_of(change.spot, frame))
                self._questions.show_next(MOST_OPEN_QUESTIONS)
        return tuple(
            (change_fact(change), crop_of_spot(frame, change.box_px))
            for change in changes
            if isinstance(change, Appeared | Vanished)
        )

    def _picture_of(self, spot: Spot, frame: Frame) -> bytes:
        if self.pose is None:
            return b""
        return picture_around(frame.picture, self.pose, area_around(self._table.board, spot))

    def _doubt_of(self, asked: QuestionAsked) -> Doubt:
        last = self._recent_claimer
        return last.with_reason(asked.doubt, self._colours, asked.at_s) if last else asked.doubt

    @property
    def _colours(self) -> list[Colour]:
        """The colours of the players who take turns."""
        return [p.colour for p in self._table.players if p.seat not in self._table.left]

    def _read_opening(self, frame: Frame, pose: Pose | None) -> tuple[WatchState, SeenFacts]:
        """Read the whole board, before watching can start."""
        if self._reading is not None and self._reading.done():
            seen, self._reading = self._reading.result(), None
            return WatchState.SETTLING, self._start_watching(seen)
        look = self._first.look_at(frame, pose, self._printed, self._pieces)
        if self._reading is None and look is not None and look.at_s >= self._next_try_s:
            self._opened_with = look
            self._reading = self._work.submit(read, look)
        return WatchState.SEARCHING if pose is None else WatchState.SETTLING, ()

    def _start_watching(self, seen: LookRead) -> SeenFacts:
        """Compare the first reading with the log, and start watching if it is clear enough."""
        found = opening.opening(seen, self._table)
        self._tries += 1
        if not found.is_clear and self._tries < TRIES:  # the next frame may be clearer
            return ()
        self._tries = 0
        self._impossible = found.impossible
        if found.impossible:
            self._next_try_s = seen.at_s + READ_AGAIN_S
            return ()
        if found.joining is None:
            doubts = opening.opening_doubts(seen, self._table, self._joined)
            opening.ask_about(doubts, self._opened_with, self._questions)
        else:
            if found.joining.changed:
                self._joined = opening.opening_doubts(seen, self._table, self._joined)
            else:
                self._joined = {spot: one.doubt for spot, one in seen.seen.items() if one.doubt}
            self._joining, self._unconfirmed = found.joining, ()
        now = {**self._table.held, **found.changes}
        settled = {spot: colour for spot, colour in now.items() if colour is not None}
        self._watcher = opening.start_watcher(self._opened_with, settled, self._questions)
        self._watcher.process_look(seen)
        self._update_from_look(seen)
        self._update_pieces(self._watcher)
        if self._table.ended:
            self._watcher.check_whole_board()
        self.update_expected(self._table)
        return tuple((fact, b"") for fact in found.facts)

    def _update_pieces(self, watcher: Watcher) -> None:
        """Make the watcher read newly seen train colours that no player has."""
        if watcher.pieces.whose != self._whose():
            watcher.pieces = self._pieces()

    def _pieces(self) -> Pieces:
        return pieces_of_edition(
            self._table.edition,
            self._table.board,
            self._profile,
            [player.colour for player in self._table.players],
            self._printed,
            whose=self._whose(),
        )

    def _whose(self) -> dict[Colour, Colour | None]:
        """Return by colours that no player has who uses such trains; None for nobody or unknown."""
        return {**dict.fromkeys(self._strange()), **self._table.other_trains}

    def _strange(self) -> dict[Colour, tuple[Spot, ...]]:
        """Return the spots with trains of colours that are not assigned to a player."""
        strange = {} if self._watcher is None else self._watcher.strange
        return {
            colour: tuple(sorted(spot for spot, one in strange.items() if one == colour))
            for colour in sorted({*strange.values()} - self._table.other_trains.keys())
        }

    def _find_board(self, frame: Frame) -> Pose | NotFound:
        found = find_board(frame.picture, self._profile)
        if isinstance(found, NotFound) and found.reason != TOO_DARK:
            reason = with_calibration_advice(found.reason, self._table.edition, self._profile)
            return replace(found, reason=reason)
        return found
