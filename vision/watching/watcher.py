"""The watcher: follows a board through many frames and says, late and surely, what changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from railspotter.calibration.arrays import Mask
from railspotter.calibration.pose import Pose
from railspotter.calibration.pyramid import Pyramid, Shown, pyramid_of
from railspotter.scoring.spot import Spot

from ..errors import ReaderError
from ..look.view import Pieces
from ..printed.printed_board import PrintedBoard
from ..readings import Colour, Doubt
from .belief import Belief, Decision, Expectation, OpenQuestion, SpaceReading
from .changes import Appeared, Box, Change, FrameOutcome, QuestionAsked, QuestionWithdrawn, Vanished
from .covered import CoveredSpots
from .judging import ASK_S, hidden_in_the_end
from .looks import Look, LookRead
from .questions import Occasion, Questions
from .settling import READ_AFTER_S, STILL_S, FrameChanges, Settling, WatchState, where
from .sighting import FrameComparer
from .spot_state import Phase, Proof, Seen, SpotState
from .spots import routes_at, spot_names
from .transitions import UNTOUCHED_S, Claimed, Event, Lost, Read, Said, step

# How long after the last reading of a spot the next one is worth it, by their number; no more are
# made for spots that did not change.
AGAIN_S = 0.0, 0.0, 0.0, 0.0, 0.0, 1.2, 2.4, 5.0
MOST_ASKED = 3  # most questions of the watcher's that wait for an answer at once
# What a watcher asks about; what the first reading doubted is not its own.
OCCASIONS = Occasion.CHANGE, Occasion.READING


class Watcher:
    """Watches one copy of a board.

    `see` takes every frame and costs some milliseconds. Now and then `due` has a look for somebody
    to `read`, here or in another thread; `take_in` hands in what it said. All three are called
    from one thread, and `due` only while nothing is being read.

    Parameters
    ----------
    printed, pieces : PrintedBoard, Pieces
    settled : mapping of Spot to str
        What stands on the board when watching begins; spots that are missing are free.
    questions : Questions, optional
        Holds what is asked about the board; without them, the watcher has its own.

    Attributes
    ----------
    printed, pieces : PrintedBoard, Pieces
        What is known of the print and of the trains' colours by now: looks to come are read with
        it. The caller may replace them, by those of the same board, at any time.
    expectation : Expectation
        What is likely from now on; the caller may replace it at any time.
    spaces : dict of Spot to tuple of SpaceReading
        What stood on the spaces of routes when they last held still and were read. Nothing follows
        from it: it is for who lays a route and wants to see how far it is.
    strange : dict of Spot to str
        Where trains lay then of a colour that nobody plays, as `LookRead` has them.

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
        names = spot_names(board, has_stations=pieces.station_size_mm is not None)
        self._index = {spot: s for s, spot in enumerate(names)}
        settled = {self._known(spot): colour for spot, colour in (settled or {}).items()}
        parts = [route.length for route in board.routes]
        parts += [1] * (len(names) - len(parts))
        self._states = [
            SpotState(spot, count, settled.get(spot))
            for spot, count in zip(names, parts, strict=True)
        ]
        self._other_lanes, self._routes_at = board.other_lanes, routes_at(board)
        self.spaces: dict[Spot, tuple[SpaceReading, ...]] = {}
        self.strange: dict[Spot, Colour] = {}
        self._questions = questions or Questions()
        self._comparer = FrameComparer(printed, pieces)
        self._settling = Settling(len(names))
        self._covered = CoveredSpots(self._settling)
        self._stirred_s = self._read_s = -np.inf  # when something moved last; of the last reading
        self._wants_look = False  # whether the whole board is worth a reading
        self._is_last = False  # whether the game is over: what stays in doubt is asked
        self._last: tuple[Pyramid, Pose, FrameChanges] | None = None

    @property
    def state(self) -> WatchState:
        """What the watcher is doing."""
        state = self._settling.state
        if not self._comparer.knows_settled:
            return WatchState.SETTLING if state is WatchState.SETTLED else state
        if state is WatchState.SETTLING and not self._in_phase(Phase.CHANGING).any():
            return WatchState.SETTLED  # what still looks different is a neighbour's shadow
        return state

    @property
    def settled(self) -> dict[Spot, Colour]:
        """What is believed to stand on the board; spots that are missing are free."""
        return {one.spot: one.believed for one in self._states if one.believed is not None}

    @property
    def asked(self) -> frozenset[Spot]:
        """The spots that the watcher has asked about, and waits for an answer."""
        return self._questions.asked(*OCCASIONS)

    @property
    def unclear(self) -> frozenset[Spot]:
        """The spots that something moves or lies over, or that changed and are not decided."""
        if self._last is None:
            return frozenset(self._index)
        unclear = self._last[2].disturbed | self._in_phase(Phase.CHANGING)
        return frozenset(self._states[s].spot for s in where(unclear))

    def still_since(self, at_s: float) -> tuple[Spot, ...]:
        """Return the spots of which a frame of that time can be read, and shows what is there."""
        still = at_s - self._settling.still_since_s >= READ_AFTER_S - 1e-9
        return tuple(self._states[s].spot for s in where(still))

    def unseen(self, for_s: float) -> tuple[Spot, ...]:
        """Return the spots that something has moved or lain over for so many seconds on end.

        The one that was seen last before all others comes first.
        """
        unseen_s = self._settling.unseen_s
        spots = sorted(where(unseen_s >= for_s), key=lambda s: -unseen_s[s])
        return tuple(self._states[s].spot for s in spots)

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Take in what a person says of a spot: it holds until the spot is seen to change.

        What the spot shows when it is next still is what the person spoke of.

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

    def look_over(self) -> None:
        """Look over the whole board once more: what stays in doubt is asked about from now on."""
        self._is_last = self._wants_look = True

    def see(self, frame: Shown, pose: Pose | None, at_s: float) -> FrameOutcome:
        """Take in a frame.

        Parameters
        ----------
        frame : Pyramid, or (H, W, 3) uint8 array, BGR
            Nobody writes into it afterwards.
        pose : Pose or None
            Where the board is in it; None where it was not found.
        at_s : float
            When it was taken, in seconds since some moment.
        """
        comparer, settling = self._comparer, self._settling
        if pose is None:
            self._last = None
            comparer.lost()
            settling.lost(at_s)
            self._covered.observe()
            self._lose()
            return FrameOutcome(at_s, self.state)
        shown, decided = pyramid_of(frame), self._decided()
        has_moved = comparer.use_pose(pose, shown.size_wh)
        if has_moved and comparer.knows_settled:
            settling.moved(at_s)
            self._lose()
        sight = comparer.sight(shown, at_s, where(settling.stays_open))
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
        """Return a frame that is worth reading now, if there is one."""
        if self._last is None or not self._is_due(self._last[2].at_s):
            return None
        shown, pose, sight = self._last
        # Whoever sits at the table plays, be it that nothing of that colour lies there yet.
        in_play = frozenset(self.pieces.colours)
        return Look(shown, pose, sight.at_s, self.printed, self.pieces, in_play)

    def take_in(self, read: LookRead) -> None:
        """Take in what a look said; what follows from it comes with the next frame."""
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
        if self._rests(read.at_s):
            self._wants_look = False
        self._covered.take_in(read, self._states)

    def _known(self, spot: Spot) -> Spot:
        """Return a spot if the board has it."""
        if spot not in self._index:
            kind, name = spot
            raise ReaderError(f"the board {self.printed.board.id!r} has no {kind} {name!r}")
        return spot

    def _in_phase(self, phase: Phase) -> Mask:
        """Return which spots are in a phase, (S,)."""
        return np.array([state.phase is phase for state in self._states], np.bool_)

    def _decided(self) -> Mask:
        """Return of which spots that look different it is known what stands there, (S,)."""
        said = self._in_phase(Phase.SAID) & self._settling.in_sight
        return np.asarray(said | self._in_phase(Phase.DECIDED), np.bool_)

    def _changed_parts(self, s: int, sight: FrameChanges) -> frozenset[int]:
        """Return which parts of a spot changed so much that a piece may have come or gone."""
        return frozenset(where(sight.changed_parts[self._comparer.parts(s)]))

    def _step(self, s: int, event: Event) -> Decision:
        """Take in an event of one spot; return what follows from it."""
        self._states[s], decision = step(self._states[s], event, self.expectation)
        return decision

    def _lose(self) -> None:
        """Take in that nobody knows what happens to the board: any piece may come or go."""
        for s in range(len(self._states)):
            self._step(s, Lost())

    def _rests(self, at_s: float, for_s: float = STILL_S) -> bool:
        """Tell whether nothing has moved for a while."""
        return at_s - self._stirred_s >= for_s - 1e-9

    def _is_due(self, at_s: float) -> bool:
        """Tell whether a frame is worth a reading, for what changed, is disputed or covered."""
        readable, disputed = self._settling.readable, list[int]()
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
        return (is_due and self._rests(at_s)) or self._covered.is_due(at_s)

    def _follow(self, sight: FrameChanges, *, is_relit: bool) -> list[Change]:
        """Return what follows from a frame for every spot, and for what is asked."""
        if sight.is_anew or not sight.is_still:
            self._stirred_s, self._wants_look = sight.at_s, True
        decided, said = self._in_phase(Phase.DECIDED), self._in_phase(Phase.SAID)
        busy, in_sight = sight.changed | sight.disturbed, self._settling.in_sight
        disputed = where(self._in_phase(Phase.DISPUTED) & ~busy)
        disputed.sort(key=lambda s: self._states[s].readings[0][0])
        is_read = np.array([state.proof is Proof.READ for state in self._states])
        is_idle = np.array([state.is_idle for state in self._states])
        rest = ~in_sight & (~is_idle | (is_read & sight.disturbed))
        rest[disputed] = False
        changes = self._look_at([*where(rest), *where(in_sight)], sight, is_relit)
        decided_now = self._decided() & ~decided
        self._settling.stays_open[decided_now & ~said] = False
        if decided_now.any():
            self._settle_pictures(sight)
        if self._is_last and self._rests(sight.at_s, ASK_S):
            changes += self._ask_hidden(sight)
        changes += self._look_at(disputed, sight, is_relit)
        self._uncover(sight)
        return changes + self._over(sight)

    def _look_at(self, spots: Iterable[int], sight: FrameChanges, is_relit: bool) -> list[Change]:
        """Take in what a frame shows of some spots, one after the other; return what follows."""
        asked, changes = self.asked, list[Change]()
        for s in spots:
            was = self._states[s].believed
            seen = Seen(
                bool(sight.changed[s]),
                bool(sight.disturbed[s]),
                float(self._settling.still_s[s]),
                is_relit=is_relit,
                is_asked=self._states[s].spot in asked,
                is_last=self._is_last,
            )
            if seen.in_sight:
                seen = self._with_details(seen, s, sight)
            match self._step(s, seen):
                case OpenQuestion(doubt):
                    occasion = Occasion.CHANGE if seen.in_sight else Occasion.READING
                    changes += self._ask(s, doubt, occasion)
                case Belief(colour, sure) if seen.in_sight:
                    if was not in (None, colour):
                        changes.append(Vanished(*self._of(s), was, sure))
                    if colour not in (None, was):
                        changes.append(Appeared(*self._of(s), colour, sure))
                        self._explain_by(s, colour, sight)
                    changes += self._withdraw(s)
                case Belief(str(colour), sure):
                    changes.append(Appeared(*self._of(s), colour, sure, seen_to_change=False))
        return changes

    def _with_details(self, seen: Seen, s: int, sight: FrameChanges) -> Seen:
        """Return also what changed on a spot, and what the others' states say of it by then."""
        settling, spot = self._settling, self._states[s].spot
        lanes = self._other_lanes.get(spot.id, ()) if spot.kind == "route" else ()
        beside = [self._index[Spot("route", lane)] for lane in lanes]
        ending = [self._index[one] for one in self._routes_at.get(spot, ()) if one in self._index]
        since_s = settling.changed_since_s
        return replace(
            seen,
            unsure_s=float(settling.unsure_s[s]),
            changed_parts=self._changed_parts(s, sight),
            is_one_piece=self.pieces.one_piece_a_route,
            is_wholly_changed=bool(sight.wholly_changed[s]),
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
        )

    def _explain_by(self, new: int, colour: Colour, sight: FrameChanges) -> None:
        """Take what else changed, but is not asked about, for the work of a new claim."""
        since_s, asked = self._settling.changed_since_s, self.asked
        with_it = sight.changed & (since_s >= since_s[new] - UNTOUCHED_S)
        for s, state in enumerate(self._states):
            explains = bool(with_it[s]) and state.spot not in asked
            if s != new and (explains or state.changed_before):
                ends = self._states[new].spot in self._routes_at.get(state.spot, ())
                self._step(s, Claimed(explains, colour if ends else None))

    def _settle_pictures(self, sight: FrameChanges) -> None:
        """Let the spots that are decided look from now on as they do now."""
        decided = where(self._decided())
        # Not decided are those, too, that changed before a hand came that is over them now: it may
        # lay the rest of a route, of which the first trains would never be seen to change.
        has_changed = np.isfinite(self._settling.changed_since_s)
        open_ = self._in_phase(Phase.CHANGING) | (sight.disturbed & has_changed)
        self._comparer.settle(decided, where(open_))
        self._settling.decided(np.array(decided, np.intp))

    def _uncover(self, sight: FrameChanges) -> None:
        """Take spots over which nothing lies after all as they look now."""
        held = [s for s, state in enumerate(self._states) if state.believed is not None]
        free = [s for s in self._covered.take_free() if self._comparer.shows_print(s, held)]
        if free:
            others = sight.changed | sight.disturbed
            others[free] = False
            self._comparer.settle(free, where(others))
            self._settling.decided(np.array(free, np.intp))

    def _of(self, s: int) -> tuple[Spot, float, float, Box]:
        """Return what is said with every change: which spot, when, how long still, and where."""
        still_s = float(self._settling.still_s[s])
        return self._states[s].spot, self._settling.at_s, still_s, self._comparer.box_px(s)

    def _ask(self, s: int, doubt: Doubt, occasion: Occasion) -> list[Change]:
        """Return the question, if it is a new one and not too many are open."""
        asked = self.asked
        if doubt.spot in asked or len(asked) >= MOST_ASKED:
            return []
        is_asked = self._questions.ask(doubt, occasion)
        return [QuestionAsked(*self._of(s), doubt)] if is_asked else []

    def _ask_hidden(self, sight: FrameChanges) -> list[Change]:
        """Return questions about what was in sight and changed, until something lay over it."""
        has_changed = np.isfinite(self._settling.changed_since_s)
        changes: list[Change] = []
        for s in where(sight.changed & sight.disturbed & has_changed):
            state = self._states[s]
            if state.phase is not Phase.SAID:
                doubt = hidden_in_the_end(state, self.pieces.players)
                changes += self._ask(s, doubt, Occasion.CHANGE)
        return changes

    def _withdraw(self, s: int) -> list[Change]:
        """Return that a question is over, if one was asked."""
        spot = self._states[s].spot
        if spot not in self.asked:
            return []
        self._questions.close([spot])
        return [QuestionWithdrawn(*self._of(s))]

    def _over(self, sight: FrameChanges) -> list[Change]:
        """Return that questions are over whose spots look again as they did before."""
        looks_as_before = ~sight.changed & (self._settling.still_s >= STILL_S - 1e-9)
        over: list[Change] = []
        for spot in sorted(self.asked):
            s, question = self._index[spot], self._questions.about(spot)
            if question is not None and looks_as_before[s]:
                is_change = question.occasion is Occasion.CHANGE
                if is_change or self._states[s].proof is Proof.READ:
                    over += self._withdraw(s)
        return over
