"""What readings say of spots that nobody saw change: every look is one of the whole board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np
from railspotter.scoring.spot import Spot

from ..readings import Colour
from .belief import (
    BeliefSettings,
    Decision,
    Expectation,
    OpenQuestion,
    Situation,
    SpotReading,
    Undecided,
)
from .judging import judge_unseen, left_in_doubt

REST_S = 0.7
"""Seconds after the last movement from which the whole board is worth a reading."""
ENOUGH = 2
"""Readings that contradict before people are asked at the end of a game."""
MOST = 6
"""No more readings than so many are made for spots that did not change."""
MAY_BE = -1.5
"""Log-odds of some colour without which a train-like shape is nobody's trains."""


class Rereading:
    """Remembers of each spot whether readings bear out what is believed.

    A reading errs in the same way again and again, so that one that contradicts means nothing by
    itself. It does where readings agreed before, a hand was over the spot, and now they do not: a
    piece was laid that hardly differs from the print, or while a lamp was switched.
    """

    def __init__(self, settings: BeliefSettings) -> None:
        self._settings = settings
        self._borne_out: set[Spot] = set()
        self._handled: set[Spot] = set()
        self._seen: dict[Spot, list[SpotReading]] = {}
        self._told: set[Spot] = set()
        self._laid_singly: set[Spot] = set()
        self._stirred_s = self._read_s = -np.inf
        self._wants_look = False
        self.is_last = False
        """Whether the game is over: what stays in doubt is asked about."""

    def __iter__(self) -> Iterator[Spot]:
        """Iterate over the spots of which the last readings contradict."""
        return iter(list(self._seen))

    def look_over(self) -> None:
        """Have the whole board read once more, for the last time."""
        self.is_last = self._wants_look = True

    def stirred(self, at_s: float) -> None:
        """Take in that something moves somewhere: a look is worth it when it has stopped."""
        self._stirred_s, self._wants_look = at_s, True

    def rests(self, at_s: float, for_s: float = REST_S) -> bool:
        """Tell whether nothing has moved for a while."""
        return at_s - self._stirred_s >= for_s - 1e-9

    def was_read(self, at_s: float) -> None:
        """Take in that the board as it was then has been read."""
        self._read_s = max(self._read_s, at_s)
        if self.rests(at_s):
            self._wants_look = False

    def is_due(self, at_s: float, again_s: Sequence[float]) -> bool:
        """Tell whether the board is worth a reading though no spot that changed needs one."""
        if not self.rests(at_s):
            return False
        counts = [len(seen) for seen in self._seen.values()]
        return self._wants_look or any(
            count < MOST and at_s > self._read_s + again_s[count] for count in counts
        )

    def verdict(
        self, spot: Spot, settled: Colour | None, still_s: float, likely: Expectation
    ) -> Decision:
        """Return what follows from the readings that contradict what is believed of a spot."""
        seen = self._seen[spot]
        now = Situation(settled, still_s, 0, is_alone=self.is_new(spot))
        verdict = judge_unseen(spot, now, seen, likely, self._settings)
        if self.is_last and isinstance(verdict, Undecided) and len(seen) >= ENOUGH:
            return OpenQuestion(left_in_doubt(spot, settled, seen))
        return verdict

    def of(self, spot: Spot) -> list[SpotReading]:
        """Return the readings that contradict, in order."""
        return self._seen.get(spot, [])

    def is_new(self, spot: Spot) -> bool:
        """Tell whether readings bore out what is believed until a hand was over it."""
        return spot in self._borne_out and spot in self._handled

    def bears_out(self, spot: Spot) -> bool:
        """Tell whether readings bear out what is believed, since a hand was over it last."""
        return spot in self._borne_out and spot not in self._handled

    def handled(self, spots: Iterable[Spot]) -> None:
        """Take in that something moved over some spots: pieces may have come or gone."""
        for spot in spots:
            self._handled.add(spot)
            self._seen.pop(spot, None)

    def believed(self, spot: Spot, *, is_told: bool) -> None:
        """Take in that something new is believed of a spot; what a person says is not disputed."""
        for spots in (self._borne_out, self._handled, self._laid_singly):
            spots.discard(spot)
        self._seen.pop(spot, None)
        if is_told:
            self._told.add(spot)
        else:
            self._told.discard(spot)

    def laid_singly(self, spot: Spot) -> None:
        """Take in that each space of a spot changed, if one by one, though it looked bare."""
        self._laid_singly.add(spot)

    def take_in(self, spot: Spot, seen: SpotReading, believed: Colour | None) -> None:
        """Take in what a reading says of a spot that looks as it did when it was settled."""
        s = self._settings
        if spot in self._told or seen.visible < s.visible:
            return
        if seen.doubt is None and seen.answer == believed:
            self._borne_out.add(spot)
            self._handled.discard(spot)
            self._seen.pop(spot, None)
        elif self._contradicts(spot, seen, believed):
            self._seen.setdefault(spot, []).append(seen)
        else:
            self._seen.pop(spot, None)

    def drop(self, spots: Collection[Spot]) -> None:
        """Forget what contradicted on spots that are judged otherwise, or are hidden."""
        for spot in spots:
            self._seen.pop(spot, None)

    def _contradicts(self, spot: Spot, seen: SpotReading, believed: Colour | None) -> bool:
        if seen.doubt is None:
            return seen.answer != believed
        s = self._settings
        least = s.perhaps if self.is_last or spot in self._laid_singly else s.something
        return believed is None and seen.shape >= least and max(seen.odds) > MAY_BE
