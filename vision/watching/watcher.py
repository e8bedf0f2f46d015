"""The watcher: follows a board through many frames and says, late and surely, what changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from railspotter.calibration.pose import Pose
from railspotter.calibration.pyramid import Pyramid, Shown, pyramid_of
from railspotter.scoring.spot import Spot

from ..errors import ReaderError
from ..look import Pieces
from ..printed import PrintedBoard
from ..readings import Colour, Doubt
from .belief import Belief, BeliefSettings, Expectation, OpenQuestion, Pending, Situation, Undecided
from .changes import Appeared, Box, Change, Observation, QuestionAsked, QuestionWithdrawn, Vanished
from .explained import BEFORE_S, ExplainedSpots
from .judging import hidden_in_the_end, judge, station_or_train
from .looks import Look, LookRead
from .rereading import REST_S, Rereading
from .settling import FrameChanges, Settling, SettlingSettings, WatchState
from .sighting import Sighter, SightingSettings
from .spots import spot_names

UNTOUCHED_S = 1.0
"""What changes after so long a stillness was touched by nobody: light did it."""


@dataclass(frozen=True)
class WatchSettings:
    """Everything that can be set about watching."""

    sighting: SightingSettings = field(default_factory=SightingSettings)
    settling: SettlingSettings = field(default_factory=SettlingSettings)
    belief: BeliefSettings = field(default_factory=BeliefSettings)
    again_s: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0, 1.2, 2.4, 5.0)
    """How long after the last reading of a spot the next one is worth it, by their number."""
    most_asked: int = 3
    """Most questions that wait for an answer at once."""


class Watcher:
    """Watches one copy of a board.

    `see` takes every frame and costs some milliseconds. Now and then `due` has a look for somebody
    to `read`, here or in another thread; `take_in` hands in what it said. All three are called
    from one thread.

    Parameters
    ----------
    printed : PrintedBoard
    pieces : Pieces
    settled : mapping of Spot to str
        What stands on the board when watching begins; spots that are missing are free.
    settings : WatchSettings, optional

    Attributes
    ----------
    expectation : Expectation
        What is likely from now on; the caller may replace it at any time.

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
        settings: WatchSettings | None = None,
    ) -> None:
        self.settings = settings or WatchSettings()
        self.expectation = Expectation()
        self._printed, self._pieces = printed, pieces
        self._names = spot_names(printed.board, has_stations=pieces.station_size_mm is not None)
        self._index = {spot: s for s, spot in enumerate(self._names)}
        self._sighter = Sighter(printed, pieces, self.settings.sighting)
        self._settling = Settling(len(self._names), self.settings.settling)
        self._settled = dict(settled or {})
        self._check(self._settled)
        self._pending: dict[Spot, Pending] = {}
        self._touched: dict[Spot, frozenset[int]] = {}
        self._asked: set[Spot] = set()
        self._asked_unseen: set[Spot] = set()
        self._corrected: set[Spot] = set()
        self._explained = ExplainedSpots(printed.board)
        self._open_when_still: set[Spot] = set()
        self._kept: set[Spot] = set()
        self._rereading = Rereading(self.settings.belief)
        self._is_reading = False
        self._last: tuple[Pyramid, Pose, FrameChanges] | None = None

    @property
    def state(self) -> WatchState:
        """What the watcher is doing."""
        state = self._settling.state
        if not self._sighter.knows_settled:
            return WatchState.SETTLING if state is WatchState.SETTLED else state
        if state is WatchState.SETTLING and all(p.is_decided for p in self._pending.values()):
            return WatchState.SETTLED  # what still looks different is a neighbour's shadow
        return state

    @property
    def settled(self) -> dict[Spot, Colour]:
        """What is believed to stand on the board; spots that are missing are free."""
        return dict(self._settled)

    @property
    def asked(self) -> frozenset[Spot]:
        """The spots that a question is open about."""
        return frozenset(self._asked)

    @property
    def unclear(self) -> frozenset[Spot]:
        """The spots that something moves or lies over, or that changed and are not decided."""
        if self._last is None:
            return frozenset(self._names)
        hidden = {self._names[s] for s in np.flatnonzero(self._last[2].disturbed)}
        return frozenset(hidden.union(s for s, p in self._pending.items() if not p.is_decided))

    @property
    def pieces(self) -> Pieces:
        """What stands on the board, as it is known by now."""
        return self._pieces

    def learn(self, printed: PrintedBoard, pieces: Pieces) -> None:
        """Take in what has become known of the print and of the trains' colours.

        The board and its spaces stay where they are; looks to come are read with it.
        """
        self._printed, self._pieces = printed, pieces

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Take in what a person says of a spot: it holds until the spot is seen to change.

        What the spot shows when it is next still is what the person spoke of.

        Raises
        ------
        ReaderError
            For a spot that the board does not have.
        """
        self._check([spot])
        self._asked.discard(spot)
        self._corrected.add(spot)
        self._believe(spot, colour, is_told=True)

    def look_over(self) -> None:
        """Look over the whole board once more: what stays in doubt is asked about from now on."""
        self._rereading.look_over()

    def see(self, frame: Shown, pose: Pose | None, at_s: float) -> Observation:
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
        if pose is None:
            self._last = None
            self._sighter.lost()
            self._settling.lost(at_s)
            self._rereading.handled(self._names)
            self._pending.clear()
            return Observation(at_s, self.state)
        shown = pyramid_of(frame)
        has_moved = self._sighter.stand_at(pose, shown.size_wh)
        if has_moved and self._sighter.knows_settled:
            self._settling.moved(at_s)
            self._rereading.handled(self._names)
        sight = self._sighter.sight(shown, at_s, [self._index[spot] for spot in self._kept])
        if has_moved or sight.is_relit:
            self._explained.all_of(set(self._names) - self._asked)
            self._kept |= self._open_when_still
        elif self._kept or sight.is_anew:
            open_ = sight.changed | sight.disturbed
            if sight.is_anew:  # what a hand is over may be laid just now
                self._kept |= {self._names[s] for s in np.flatnonzero(sight.disturbed)}
            self._kept = {spot for spot in self._kept if open_[self._index[spot]]}
        if sight.is_still and not sight.is_relit:
            self._open_when_still = self._not_to_be_taken_anew(sight)
        if has_moved:
            self._pending.clear()
        self._last = shown, pose, sight
        self._settling.observe(sight)
        if self._sighter.knows_settled:
            changes = self._follow(sight)
            return Observation(at_s, self.state, changes)
        if self._settling.still_s.min() >= self.settings.settling.still_s - 1e-9:
            self._sighter.begin()
        return Observation(at_s, self.state)

    def due(self) -> Look | None:
        """Return a frame that is worth reading now, if there is one and none is being read."""
        if self._is_reading or self._last is None:
            return None
        shown, pose, sight = self._last
        readable = self._settling.readable
        is_due = self._sighter.knows_settled and self._rereading.is_due(
            sight.at_s, self.settings.again_s
        )
        if not is_due and not any(
            pending.is_due(sight.at_s, self.settings.again_s)
            for spot, pending in self._pending.items()
            if readable[self._index[spot]]
        ):
            return None
        self._is_reading = True
        # Whoever sits at the table plays, be it that nothing of that colour lies there yet.
        in_play = frozenset(self._pieces.colours)
        return Look(shown, pose, sight.at_s, self._printed, self._pieces, in_play)

    def take_in(self, read: LookRead) -> None:
        """Take in what a look said; what follows from it comes with the next frame."""
        self._is_reading = False
        for spot, pending in self._pending.items():
            still_s = read.at_s - self._settling.still_since_s[self._index[spot]]
            if still_s >= self.settings.settling.read_after_s - 1e-9:
                pending.take_in(read.seen[spot], read.at_s)
        self._rereading.was_read(read.at_s)
        still_before = self._settling.still_since_s <= read.at_s - REST_S + 1e-9
        undecided = {spot for spot, p in self._pending.items() if not p.is_decided}
        for spot, s in self._index.items():
            if still_before[s] and spot in read.seen and spot not in undecided:
                self._rereading.take_in(spot, read.seen[spot], self._settled.get(spot))

    def _check(self, spots: Iterable[Spot]) -> None:
        for kind, name in spots:
            if (kind, name) not in self._index:
                raise ReaderError(f"the board {self._printed.board.id!r} has no {kind} {name!r}")

    def _follow(self, sight: FrameChanges) -> tuple[Change, ...]:
        """Return what follows for every spot that changed."""
        still_and_changed = sight.changed & ~sight.disturbed
        changed, still = (
            {self._names[s] for s in np.flatnonzero(spots)}
            for spots in (sight.changed, still_and_changed)
        )
        self._explained.keep(still, changed)
        self._pending = {spot: p for spot, p in self._pending.items() if spot in still}
        changes: list[Change] = []
        has_decided = False
        for s in np.flatnonzero(still_and_changed):
            spot = self._names[s]
            if spot not in self._pending and self._settling.still_s[s] > UNTOUCHED_S:
                self._explained.add(spot)
            pending = self._pending.setdefault(spot, Pending())
            if spot in self._corrected:
                pending.is_decided = has_decided = True
            elif not pending.is_decided:
                changes += self._decide(spot, pending, sight)
                has_decided |= pending.is_decided
        if has_decided:
            self._settle_pictures(sight)
        changes += self._reread(sight)
        readable = self._settling.readable
        self._corrected = {spot for spot in self._corrected if not readable[self._index[spot]]}
        return (*changes, *self._questions_over(sight))

    def _reread(self, sight: FrameChanges) -> list[Change]:
        """Return what follows where readings contradict what is believed of what did not change."""
        self._rereading.handled(self._names[s] for s in np.flatnonzero(sight.disturbed))
        self._rereading.drop([self._names[s] for s in np.flatnonzero(sight.changed)])
        if sight.is_anew or not sight.is_still:
            self._rereading.stirred(sight.at_s)
        changes: list[Change] = self._hidden_at_last(sight) if self._rereading.is_last else []
        for spot in self._rereading:
            s = self._index[spot]
            still_s = float(self._settling.still_s[s])
            verdict = self._rereading.verdict(
                spot, self._settled.get(spot), still_s, self.expectation
            )
            said = spot, sight.at_s, still_s, self._sighter.box_px(s)
            match verdict:
                case Belief(colour, sure) if colour is not None:
                    changes.append(Appeared(*said, colour, sure, seen_to_change=False))
                    self._believe(spot, colour)
                case OpenQuestion(doubt):
                    asked = self._ask(said, doubt)
                    self._asked_unseen |= {one.spot for one in asked}
                    changes += asked
        return changes

    def _hidden_at_last(self, sight: FrameChanges) -> list[Change]:
        """Return questions about what was in sight and changed, until something lay over it."""
        if not self._rereading.rests(sight.at_s, self.settings.belief.ask_s):
            return []
        hidden = sight.changed & sight.disturbed & np.isfinite(self._settling.changed_since_s)
        told = [self._index[spot] for spot in self._corrected]
        hidden[told] = False
        changes: list[Change] = []
        for s in np.flatnonzero(hidden):
            spot = self._names[s]
            doubt = hidden_in_the_end(spot, self._settled.get(spot), self._pieces.colours)
            changes += self._ask((spot, sight.at_s, 0.0, self._sighter.box_px(int(s))), doubt)
        return changes

    def _ask(self, said: tuple[Spot, float, float, Box], doubt: Doubt) -> list[Change]:
        """Return the question, if it is a new one and not too many are open."""
        spot = said[0]
        if spot in self._asked or len(self._asked) >= self.settings.most_asked:
            return []
        self._asked.add(spot)
        return [QuestionAsked(*said, doubt)]

    def _questions_over(self, sight: FrameChanges) -> list[Change]:
        """Return the questions about spots that look again as they did before."""
        still_s = self._settling.still_s
        is_over = ~sight.changed & (still_s >= self.settings.settling.still_s - 1e-9)
        over = [
            spot
            for spot in self._asked
            if is_over[self._index[spot]]
            and (spot not in self._asked_unseen or self._rereading.bears_out(spot))
        ]
        self._asked.difference_update(over)
        self._asked_unseen &= self._asked
        return [self._withdrawn(spot, sight) for spot in sorted(over)]

    def _withdrawn(self, spot: Spot, sight: FrameChanges) -> QuestionWithdrawn:
        s = self._index[spot]
        still_s = float(self._settling.still_s[s])
        return QuestionWithdrawn(spot, sight.at_s, still_s, self._sighter.box_px(s))

    def _decide(self, spot: Spot, pending: Pending, sight: FrameChanges) -> list[Change]:
        """Return what follows for one spot."""
        s = self._index[spot]
        still_s = float(self._settling.still_s[s])
        was = self._settled.get(spot)
        changed = self._changed_parts(spot, sight) | self._touched.get(spot, frozenset())
        needed = 1 if self._pieces.one_piece_a_route else len(changed)
        verdict = judge(
            spot,
            Situation(
                was,
                still_s,
                min(len(changed), needed),
                is_alone=spot not in self._explained,
                is_wholly_changed=sight.wholly_changed is not None
                and bool(sight.wholly_changed[s]),
                unsure_s=float(self._settling.unsure_s[s]),
            ),
            pending.seen,
            self.expectation,
            self.settings.settling.still_s,
            self.settings.belief,
        )
        if isinstance(verdict, Undecided):
            pending.wants_look = verdict.for_reading
            return []
        pending.wants_look = True
        is_nothing_new = isinstance(verdict, Belief) and verdict.colour == was
        if is_nothing_new and spot in self._asked and pending.seen[-1].doubt is not None:
            return []  # who was asked is to answer; a doubtful look more does not
        said = spot, sight.at_s, still_s, self._sighter.box_px(s)
        changes: list[Change] = []
        match verdict:
            case Belief(str(colour)) if colour != was and self._may_be_of(spot):
                return []
            case Belief(str(colour)) if colour != was and self._explained.is_train(spot, colour):
                self._explained.take_for_train(spot, colour)
                self._believe(spot, was, is_told=True)
            case Belief(str(c)) if c != was and self._explained.looked_like(spot, c):
                changes += self._ask(said, station_or_train(spot, c, was))
            case Belief(colour, sure):
                if colour != was and was is not None:
                    changes.append(Vanished(*said, was, sure))
                if colour != was and colour is not None:
                    changes.append(Appeared(*said, colour, sure))
                    self._explain_by(spot, colour, sight)
                if spot in self._asked:
                    self._asked.discard(spot)
                    changes.append(self._withdrawn(spot, sight))
                self._believe(spot, colour)
            case OpenQuestion(doubt):
                changes += self._ask(said, doubt)
        return changes

    def _may_be_of(self, station: Spot) -> bool:
        """Tell whether a station may be the end of trains that came with it and are undecided."""
        since_s = self._settling.changed_since_s
        first_s = since_s[self._index[station]] - BEFORE_S
        open_ = {spot for spot, pending in self._pending.items() if not pending.is_decided}
        routes = self._explained.trains_at(station) & open_
        return any(since_s[self._index[route]] >= first_s for route in routes)

    def _believe(self, spot: Spot, colour: Colour | None, *, is_told: bool = False) -> None:
        """Believe something of a spot from now on."""
        was = self._settled.pop(spot, None)
        if is_told or colour != was:
            self._rereading.believed(spot, is_told=is_told)
        if colour is not None:
            self._settled[spot] = colour
        self._explained.discard(spot)
        self._kept.discard(spot)
        if spot in self._pending:
            self._pending[spot].is_decided = True
        if colour is None and was is None and self._last is not None:
            # Taken for free as before: what changed there may still be the first of its trains.
            changed = self._changed_parts(spot, self._last[2])
            touched = self._touched[spot] = self._touched.get(spot, frozenset()) | changed
            parts = self._sighter.parts(self._index[spot])
            if len(touched) == parts.stop - parts.start:
                self._rereading.laid_singly(spot)
        else:
            self._touched.pop(spot, None)

    def _not_to_be_taken_anew(self, sight: FrameChanges) -> set[Spot]:
        """Return the spots that changed, or are under a thing, before the light does."""
        decided = {spot for spot, pending in self._pending.items() if pending.is_decided}
        return {self._names[s] for s in np.flatnonzero(sight.changed | sight.disturbed)} - decided

    def _explain_by(self, new: Spot, colour: Colour, sight: FrameChanges) -> None:
        """Take what else changed, but is not asked about, for the work of a new claim."""
        self._touched.clear()
        changed = {self._names[s] for s in np.flatnonzero(sight.changed)} - self._asked | {new}
        since_s = self._settling.changed_since_s
        self._explained.by(new, colour, {s: float(since_s[self._index[s]]) for s in changed})

    def _settle_pictures(self, sight: FrameChanges) -> None:
        """Let the spots that are decided look from now on as they do now."""
        decided, undecided = (
            [self._index[spot] for spot, p in self._pending.items() if p.is_decided == which]
            for which in (True, False)
        )
        # Not decided are those, too, that changed before a hand came that is over them now: it may
        # lay the rest of a route, of which the first trains would never be seen to change.
        has_changed = np.isfinite(self._settling.changed_since_s)
        hidden: list[int] = np.flatnonzero(sight.disturbed & has_changed).tolist()
        self._sighter.settle(decided, [*undecided, *hidden])
        self._settling.decided(np.array(decided, np.intp))

    def _changed_parts(self, spot: Spot, sight: FrameChanges) -> frozenset[int]:
        parts = sight.changed_parts[self._sighter.parts(self._index[spot])]
        return frozenset(np.flatnonzero(parts).tolist())
