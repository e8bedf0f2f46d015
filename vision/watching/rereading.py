"""What readings say of spots that nobody saw change: every look is one of the whole board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from railspotter.calibration.arrays import Float64s

from ..readings import Colour
from .belief import (
    Belief,
    BeliefSettings,
    Decision,
    Expectation,
    OpenQuestion,
    Situation,
    Undecided,
)
from .changes import Appeared, Change
from .judging import hidden_in_the_end, judge_unseen, left_in_doubt
from .looks import LookRead
from .moment import Asking, Moment
from .questions import Occasion
from .watched_board import WatchedBoard, WatchedSpot

REST_S = 0.7  # seconds after the last movement from which the whole board is worth a reading
ENOUGH = 2  # readings that contradict before people are asked at the end of a game
MOST = 6  # no more readings than so many are made for spots that did not change


class Rereading:
    """Holds readings of the whole board against what is believed of its spots.

    A reading errs in the same way again and again, so that one that contradicts means nothing by
    itself. It does where readings agreed before, a hand was over the spot, and now they do not: a
    piece was laid that hardly differs from the print, or while a lamp was switched.
    """

    def __init__(self, spots: WatchedBoard, asking: Asking, settings: BeliefSettings) -> None:
        self._spots, self._asking, self._settings = spots, asking, settings
        self._stirred_s = self._read_s = -np.inf
        self._wants_look = False
        self._is_last = False

    def look_over(self) -> None:
        """Have the whole board read once more: the game is over, what stays in doubt is asked."""
        self._is_last = self._wants_look = True

    def handled(self) -> None:
        """Take in that nobody knows what happens to the board: any piece may come or go."""
        for spot in self._spots:
            spot.handled()

    def take_in(self, read: LookRead, still_since_s: Float64s) -> None:
        """Take in what a look said of the spots that had rested by then, and are not judged."""
        self._read_s = max(self._read_s, read.at_s)
        if self._rests(read.at_s):
            self._wants_look = False
        for spot in self._spots.where(still_since_s <= read.at_s - REST_S + 1e-9):
            seen = read.seen.get(spot.spot)
            if seen is not None and not spot.is_undecided:
                spot.take_in(seen, read.at_s, self._settings, is_last=self._is_last)

    def is_due(self, at_s: float, again_s: Sequence[float]) -> bool:
        """Tell whether the board is worth a reading though no spot that changed needs one."""
        if not self._rests(at_s):
            return False
        counts = [len(spot.contradicting) for spot in self._spots if spot.contradicting]
        return self._wants_look or any(
            count < MOST and at_s > self._read_s + again_s[count] for count in counts
        )

    def follow(self, now: Moment, likely: Expectation, colours: Sequence[Colour]) -> list[Change]:
        """Return what follows where readings contradict what is believed of what did not change."""
        for spot in self._spots.where(now.sight.disturbed):
            spot.handled()
        for spot in self._spots.where(now.sight.changed):
            spot.contradicting = []  # it is judged as one that changed, or is hidden
        if now.sight.is_anew or not now.sight.is_still:
            self._stirred_s, self._wants_look = now.at_s, True
        changes = self._hidden_at_last(now, colours) if self._is_last else []
        disputed = [spot for spot in self._spots if spot.contradicting]
        for spot in sorted(disputed, key=lambda spot: spot.contradicted_since_s):
            match self._verdict(spot, now, likely):
                case Belief(str(colour), sure):
                    appeared = Appeared(*now.of(spot), colour, sure, seen_to_change=False)
                    changes.append(appeared)
                    spot.believe(colour)
                case OpenQuestion(doubt):
                    changes += self._asking.ask(spot, doubt, now, Occasion.READING)
        return changes

    def _verdict(self, spot: WatchedSpot, now: Moment, likely: Expectation) -> Decision:
        """Return what follows from the readings that contradict what is believed of a spot."""
        still_s = float(now.still_s[spot.index])
        situation = Situation(spot.believed, still_s, 0, is_alone=spot.was_confirmed)
        seen = spot.contradicting
        verdict = judge_unseen(spot.spot, situation, seen, likely, self._settings)
        if self._is_last and isinstance(verdict, Undecided) and len(seen) >= ENOUGH:
            return OpenQuestion(left_in_doubt(spot.spot, spot.believed, seen))
        return verdict

    def _hidden_at_last(self, now: Moment, colours: Sequence[Colour]) -> list[Change]:
        """Return questions about what was in sight and changed, until something lay over it."""
        if not self._rests(now.at_s, self._settings.ask_s):
            return []
        has_changed = np.isfinite(now.settling.changed_since_s)
        changes: list[Change] = []
        for spot in self._spots.where(now.sight.changed & now.sight.disturbed & has_changed):
            if not spot.is_corrected:
                doubt = hidden_in_the_end(spot.spot, spot.believed, colours)
                changes += self._asking.ask(spot, doubt, now, Occasion.CHANGE)
        return changes

    def _rests(self, at_s: float, for_s: float = REST_S) -> bool:
        """Tell whether nothing has moved for a while."""
        return at_s - self._stirred_s >= for_s - 1e-9
