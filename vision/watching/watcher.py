"""The watcher: follows a board through many frames and reports changes, late and surely."""

from collections.abc import Iterable, Mapping

import numpy as np
from railspotter.calibration.arrays import Mask
from railspotter.calibration.pose import Pose
from railspotter.calibration.pyramid import Pyramid, Shown, pyramid_of
from railspotter.scoring.spot import Spot

from ..errors import ReaderError
from ..look.view import Pieces
from ..printed.printed_board import PrintedBoard
from ..readings import Colour, Doubt
from .changes import Appeared, Box, Change, FrameOutcome, QuestionAsked, QuestionWithdrawn, Vanished
from .covered import CoveredSpots
from .judging import ASK_S, doubt_of_hidden
from .looks import Look, LookRead
from .questions import Occasion, Questions
from .settling import READ_AFTER_S, STILL_S, FrameChanges, Settling, WatchState, indices_of
from .sighting import FrameComparer
from .spot_state import Belief, Decision, Expectation, Phase, Proof, Seen, SpaceReading, SpotState
from .spots import routes_at, spot_names
from .transitions import UNTOUCHED_S, Claimed, Event, Lost, Read, Said, step

# Seconds from the last reading of a spot to the next, by their number; unchanged spots get no more
# readings than these.
AGAIN_S = 0.0, 0.0, 0.0, 0.0, 0.0, 1.2, 2.4, 5.0
MOST_ASKED = 3  # limit of the watcher's unanswered questions
# Causes of a watcher's questions; those of the first reading are not its own.
OCCASIONS = Occasion.CHANGE, Occasion.READING


class Watcher:
    """Watches one copy of a board.

    `see` takes every frame, in some milliseconds. `due` returns a look when one should be `read`,
    in any thread; `process_look` takes the result. All three are called from one thread, and `due`
    only while nothing is being read.

    Parameters
    ----------
    printed, pieces : PrintedBoard, Pieces
    settled : mapping of Spot to str
        What stands on the board when watching begins; spots that are missing are free.
    questions : Questions, optional
        The store of questions about the board; by default its own.

    Attributes
    ----------
    printed, pieces : PrintedBoard, Pieces
        The print and the pieces that the next looks are read with. The caller may replace them, for
        the same board, at any time.
    expectation : Expectation
        What is likely next; the caller may replace it at any time.
    spaces : dict of Spot to tuple of SpaceReading
        The last readings of the spaces of still routes, to show how far a route is laid.
    strange : dict of Spot to str
        Spots with trains of colours that nobody plays, from the last readings: `LookRead.strange`.

    Raises
    ------
    ReaderError
        For a spot that the board does not have.
    """

    def __init__(
        self,
        printed: PrintedBoard,
        pieces: Pieces,
        settled: Mapping[Spot, Colour] | None = None,
        questions: Questions | None = None,
    ) -> None:
        self.expectation = Expectation()
        self.printed, self.pieces = printed, pieces
        board = printed.board
        names = spot_names(printed, has_stations=pieces.station_size_mm is not None)
        self._index = {spot: s for s, spot in enumerate(names)}
        settled = {self._known(spot): colour for spot, colour in (settled or {}).items()}
        lengths = [1 if pieces.one_piece_a_route else route.length for route in board.routes]
        parts = lengths + [1] * (len(names) - len(lengths))
        self._states = [
            SpotState(spot, count, settled.get(spot))
            for spot, count in zip(names, parts, strict=True)
        ]
        self._other_lanes, self._routes_at = board.other_lanes, routes_at(printed)
        self.spaces: dict[Spot, tuple[SpaceReading, ...]] = {}
        self.strange: dict[Spot, Colour] = {}
        self._questions = questions or Questions()
        self._comparer = FrameComparer(printed, pieces)
        self._settling = Settling(len(names))
        self._covered = CoveredSpots(self._settling)
        self._stirred_s = self._read_s = -np.inf  # times of the last movement and the last reading
        self._wants_look = False  # whether the whole board should be read
        self._is_last = False  # whether the game is over: remaining doubts are asked
        self._last: tuple[Pyramid, Pose, FrameChanges] | None = None

    @property
    def state(self) -> WatchState:
        """State of the watcher."""
        state = self._settling.state
        if not self._comparer.knows_settled:
            return WatchState.SETTLING if state is WatchState.SETTLED else state
        if state is WatchState.SETTLING and not self._in_phase(Phase.CHANGING).any():
            return WatchState.SETTLED  # the rest are shadows of neighbours
        return state

    @property
    def settled(self) -> dict[Spot, Colour]:
        """The believed colour of each spot that is not free."""
        return {one.spot: one.believed for one in self._states if one.believed is not None}

    @property
    def asked(self) -> frozenset[Spot]:
        """The spots with an unanswered question of the watcher."""
        return self._questions.asked(*OCCASIONS)

    @property
    def unclear(self) -> frozenset[Spot]:
        """The spots that are covered, moved over, or changed and undecided."""
        if self._last is None:
            return frozenset(self._index)
        unclear = self._last[2].disturbed | self._in_phase(Phase.CHANGING)
        return frozenset(self._states[s].spot for s in indices_of(unclear))

    @property
    def changing(self) -> dict[Spot, tuple[SpaceReading, ...]]:
        """The last readings of the spaces of routes that changed and are undecided."""
        changing = (self._states[s].spot for s in indices_of(self._in_phase(Phase.CHANGING)))
        return {spot: self.spaces.get(spot, ()) for spot in changing}

    def still_since(self, at_s: float) -> tuple[Spot, ...]:
        """Return the spots that a frame of this time shows still, so that it can be read."""
        still = at_s - self._settling.still_since_s >= READ_AFTER_S - 1e-9
        return tuple(self._states[s].spot for s in indices_of(still))

    def unseen(self, for_s: float) -> tuple[Spot, ...]:
        """Return the spots that were covered or moved over for so many seconds on end.

        The longest unseen comes first.
        """
        unseen_s = self._settling.unseen_s
        spots = sorted(indices_of(unseen_s >= for_s), key=lambda s: -unseen_s[s])
        return tuple(self._states[s].spot for s in spots)

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Set a belief that a person gave; it holds until the spot is seen to change.

        The spot is settled as it looks when it is next still.

        Raises
        ------
        ReaderError
            For a spot that the board does not have.
        """
        s = self._index[self._known(spot)]
        self._questions.close([spot])
        self._settling.stays_open[s] = False
        parts = None if self._last is None else self._changed_parts(s, self._last[2])
        self._step(s, Said(colour, parts))

    def check_whole_board(self) -> None:
        """Read the whole board once more at the end of a game, and ask about remaining doubts."""
        self._is_last = self._wants_look = True

    def see(self, frame: Shown, pose: Pose | None, at_s: float) -> FrameOutcome:
        """Process a frame; return the changes that follow.

        Parameters
        ----------
        frame : Pyramid, or (H, W, 3) uint8 array, BGR
            Must not be written to afterwards.
        pose : Pose or None
            Pose of the board in it; None if it was not found.
        at_s : float
            Monotonic time of the frame.
        """
        comparer, settling = self._comparer, self._settling
        if pose is None:
            self._last = None
            comparer.lost()
            settling.lost(at_s)
            self._covered.observe()
            self._lose_all()
            return FrameOutcome(at_s, self.state)
        shown, decided = pyramid_of(frame), self._decided()
        has_moved = comparer.use_pose(pose, shown.size_wh)
        if has_moved and comparer.knows_settled:
            settling.moved(at_s)
            self._lose_all()
        sight = comparer.compare(shown, at_s, indices_of(settling.stays_open))
        self._last = shown, pose, sight
        settling.observe(sight, decided, has_moved=has_moved)
        self._covered.observe()
        changes: list[Change] = []
        if comparer.knows_settled:
            changes = self._follow(sight, is_relit=has_moved or sight.is_relit)
        elif settling.still_s.min() >= STILL_S - 1e-9:
            comparer.begin()
        return FrameOutcome(at_s, self.state, tuple(changes))

    def due(self) -> Look | None:
        """Return a look to be read now, if one is due."""
        if self._last is None or not self._is_due(self._last[2].at_s):
            return None
        shown, pose, sight = self._last
        # All players' colours are in play, even before their first train.
        in_play = frozenset(self.pieces.colours)
        return Look(shown, pose, sight.at_s, self.printed, self.pieces, in_play)

    def process_look(self, read: LookRead) -> None:
        """Process the readings of a look; decisions follow with the next frame."""
        still_s = read.at_s - self._settling.still_since_s
        for spot in self.still_since(read.at_s):
            s, seen = self._index[spot], read.seen.get(spot)
            if seen is None:  # out of the picture
                continue
            self.spaces[spot] = seen.spaces
            self.strange.pop(spot, None)
            if spot in read.strange:
                self.strange[spot] = read.strange[spot]
            has_rested = bool(still_s[s] >= STILL_S - 1e-9)
            self._step(s, Read(read.at_s, seen, has_rested, self._is_last))
        self._read_s = max(self._read_s, read.at_s)
        if self._is_calm(read.at_s):
            self._wants_look = False
        self._covered.add_look(read, self._states)

    def _known(self, spot: Spot) -> Spot:
        """Return a spot; raises `ReaderError` if the board does not have it."""
        if spot not in self._index:
            kind, name = spot
            raise ReaderError(f"the board {self.printed.board.id!r} has no {kind} {name!r}")
        return spot

    def _in_phase(self, phase: Phase) -> Mask:
        """Return which spots are in a phase, (S,)."""
        return np.array([state.phase is phase for state in self._states], np.bool_)

    def _decided(self) -> Mask:
        """Return the spots that look different and are decided, (S,)."""
        said = self._in_phase(Phase.SAID) & self._settling.in_sight
        return np.asarray(said | self._in_phase(Phase.DECIDED), np.bool_)

    def _changed_parts(self, s: int, sight: FrameChanges) -> frozenset[int]:
        """Return the parts of a spot that changed enough for a piece to have come or gone."""
        changed = sight.changed_parts[self._comparer.parts(s)]
        if self.pieces.one_piece_a_route:  # on any of its spaces
            changed = np.array([changed.any()])
        return frozenset(indices_of(changed))

    def _step(self, s: int, event: Event) -> Decision:
        """Apply an event to one spot's state; return the decision."""
        self._states[s], decision = step(self._states[s], event, self.expectation)
        return decision

    def _lose_all(self) -> None:
        """Apply `Lost` to all spots."""
        for s in range(len(self._states)):
            self._step(s, Lost())

    def _is_calm(self, at_s: float, for_s: float = STILL_S) -> bool:
        """Tell whether nothing has moved for some seconds."""
        return at_s - self._stirred_s >= for_s - 1e-9

    def _is_due(self, at_s: float) -> bool:
        """Tell whether a reading is due: for a changed, disputed or covered spot, or for all."""
        readable, disputed = self._settling.still_s >= READ_AFTER_S - 1e-9, list[int]()
        for s, state in enumerate(self._states):
            count = len(state.readings)
            if state.phase is Phase.DISPUTED:
                disputed.append(count)
            elif state.phase is Phase.CHANGING and state.wants_look and readable[s]:
                last_s = state.readings[-1][0] if count else -np.inf
                if at_s > last_s + AGAIN_S[min(count, len(AGAIN_S) - 1)]:
                    return True
        if not self._comparer.knows_settled:
            return False
        is_due = self._wants_look or any(
            count < len(AGAIN_S) and at_s > self._read_s + AGAIN_S[count] for count in disputed
        )
        return (is_due and self._is_calm(at_s)) or self._covered.is_due(at_s)

    def _follow(self, sight: FrameChanges, *, is_relit: bool) -> list[Change]:
        """Apply a frame to every spot and question; return the changes."""
        if sight.is_anew or not sight.is_still:
            self._stirred_s, self._wants_look = sight.at_s, True
        decided, said = self._in_phase(Phase.DECIDED), self._in_phase(Phase.SAID)
        busy, in_sight = sight.changed | sight.disturbed, self._settling.in_sight
        disputed = indices_of(self._in_phase(Phase.DISPUTED) & ~busy)
        disputed.sort(key=lambda s: self._states[s].readings[0][0])
        is_read = np.array([state.proof is Proof.READ for state in self._states])
        is_idle = np.array([state.is_idle for state in self._states])
        rest = ~in_sight & (~is_idle | (is_read & sight.disturbed))
        rest[disputed] = False
        changes = self._look_at([*indices_of(rest), *indices_of(in_sight)], sight, is_relit)
        decided_now = self._decided() & ~decided
        self._settling.stays_open[decided_now & ~said] = False
        if decided_now.any():
            self._settle_pictures(sight)
        if self._is_last and self._is_calm(sight.at_s, ASK_S):
            changes += self._ask_hidden(sight)
        changes += self._look_at(disputed, sight, is_relit)
        self._settle_uncovered(sight)
        return changes + self._withdraw_settled(sight)

    def _look_at(self, spots: Iterable[int], sight: FrameChanges, is_relit: bool) -> list[Change]:
        """Apply what a frame shows to some spots, in turn; return the changes."""
        asked, changes = self.asked, list[Change]()
        for s in spots:
            was = self._states[s].believed
            seen = self._seen(s, sight, is_relit=is_relit, is_asked=self._states[s].spot in asked)
            match self._step(s, seen):
                case Doubt() as doubt:
                    occasion = Occasion.CHANGE if seen.in_sight else Occasion.READING
                    changes += self._ask(s, doubt, occasion)
                case Belief(colour, sure) if seen.in_sight:
                    if was not in (None, colour):
                        changes.append(Vanished(*self._fields(s), was, sure))
                    if colour not in (None, was):
                        changes.append(Appeared(*self._fields(s), colour, sure))
                        self._explain_by(s, colour, sight)
                    changes += self._withdraw(s)
                case Belief(str(colour), sure):
                    changes.append(Appeared(*self._fields(s), colour, sure, seen_to_change=False))
        return changes

    def _seen(self, s: int, sight: FrameChanges, *, is_relit: bool, is_asked: bool) -> Seen:
        """Return what a frame shows of a spot, and of lanes and routes beside it."""
        settling, spot = self._settling, self._states[s].spot
        lanes = self._other_lanes.get(spot.id, ()) if spot.kind == "route" else ()
        beside = [self._index[Spot("route", lane)] for lane in lanes]
        ending = [self._index[one] for one in self._routes_at.get(spot, ())]
        since_s = settling.changed_since_s
        return Seen(
            bool(sight.changed[s]),
            bool(sight.disturbed[s]),
            float(settling.still_s[s]),
            float(settling.unsure_s[s]),
            self._changed_parts(s, sight),
            bool(sight.wholly_changed[s]),
            is_relit=is_relit,
            is_asked=is_asked,
            may_be_beside=any(
                self._states[lane].believed is None and sight.wholly_changed[lane]
                for lane in beside
            ),
            may_be_train=any(
                self._states[route].phase is Phase.CHANGING
                and not self._states[route].is_explained
                and since_s[route] >= since_s[s] - UNTOUCHED_S
                for route in ending
            ),
            is_last=self._is_last,
        )

    def _explain_by(self, new: int, colour: Colour, sight: FrameChanges) -> None:
        """Mark other changes, without a question, as explained by a new claim."""
        since_s, asked = self._settling.changed_since_s, self.asked
        with_it = sight.changed & (since_s >= since_s[new] - UNTOUCHED_S)
        for s, state in enumerate(self._states):
            explains = bool(with_it[s]) and state.spot not in asked
            if s != new and (explains or state.changed_before):
                ends = self._states[new].spot in self._routes_at.get(state.spot, ())
                self._step(s, Claimed(explains, colour if ends else None))

    def _settle_pictures(self, sight: FrameChanges) -> None:
        """Settle the decided spots as they look now."""
        decided = indices_of(self._decided())
        # Also open are spots that changed before a hand came over them: it may lay the rest of a
        # route, whose first trains would never be seen to change.
        has_changed = np.isfinite(self._settling.changed_since_s)
        open_ = self._in_phase(Phase.CHANGING) | (sight.disturbed & has_changed)
        self._comparer.settle(decided, indices_of(open_))
        self._settling.decided(np.array(decided, np.intp))

    def _settle_uncovered(self, sight: FrameChanges) -> None:
        """Settle spots that seemed covered but are bare, as they look now."""
        held = [s for s, state in enumerate(self._states) if state.believed is not None]
        free = [s for s in self._covered.pop_bare() if self._comparer.shows_print(s, held)]
        if free:
            others = sight.changed | sight.disturbed
            others[free] = False
            self._comparer.settle(free, indices_of(others))
            self._settling.decided(np.array(free, np.intp))

    def _fields(self, s: int) -> tuple[Spot, float, float, Box]:
        """Return the common fields of a change: spot, time, still time and box."""
        still_s = float(self._settling.still_s[s])
        return self._states[s].spot, self._settling.at_s, still_s, self._comparer.box_px(s)

    def _ask(self, s: int, doubt: Doubt, occasion: Occasion) -> list[Change]:
        """Ask a question, unless the spot has one or too many are open; return the change."""
        asked = self.asked
        if doubt.spot in asked or len(asked) >= MOST_ASKED:
            return []
        is_asked = self._questions.ask(doubt, occasion)
        return [QuestionAsked(*self._fields(s), doubt)] if is_asked else []

    def _ask_hidden(self, sight: FrameChanges) -> list[Change]:
        """Ask about spots that changed in sight and are covered now; return the changes."""
        has_changed = np.isfinite(self._settling.changed_since_s)
        changes: list[Change] = []
        for s in indices_of(sight.changed & sight.disturbed & has_changed):
            state = self._states[s]
            if state.phase is not Phase.SAID:
                doubt = doubt_of_hidden(state, self.pieces.players)
                changes += self._ask(s, doubt, Occasion.CHANGE)
        return changes

    def _withdraw(self, s: int) -> list[Change]:
        """Close the question about a spot, if there is one; return the change."""
        spot = self._states[s].spot
        if spot not in self.asked:
            return []
        self._questions.close([spot])
        return [QuestionWithdrawn(*self._fields(s))]

    def _withdraw_settled(self, sight: FrameChanges) -> list[Change]:
        """Close questions about spots that look as before again; return the changes."""
        looks_as_before = ~sight.changed & (self._settling.still_s >= STILL_S - 1e-9)
        over: list[Change] = []
        for spot in sorted(self.asked):
            s, question = self._index[spot], self._questions.about(spot)
            if question is not None and looks_as_before[s]:
                is_change = question.occasion is Occasion.CHANGE
                if is_change or self._states[s].proof is Proof.READ:
                    over += self._withdraw(s)
        return over
