"""One frame of a board that is watched, as it is judged: what it shows, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from railspotter.calibration.arrays import Float64s, Mask
from railspotter.scoring.spot import Spot

from ..readings import Doubt
from .changes import Box, Change, QuestionAsked, QuestionWithdrawn
from .questions import Occasion, Questions
from .settling import FrameChanges, Settling
from .sighting import FrameComparer
from .watched_board import WatchedBoard, WatchedSpot

# What a watcher asks about; what the first reading doubted is not its own.
OCCASIONS = Occasion.CHANGE, Occasion.READING


class Asking:
    """Asks about spots of one board."""

    def __init__(self, questions: Questions, most: int) -> None:
        self._questions, self._most = questions, most

    @property
    def spots(self) -> frozenset[Spot]:
        """The spots that the watcher has asked about, and waits for an answer."""
        return self._questions.asked(*OCCASIONS)

    def ask(self, spot: WatchedSpot, doubt: Doubt, now: Moment, occasion: Occasion) -> list[Change]:
        """Return the question, if it is a new one and not too many are open."""
        asked = self.spots
        if spot.spot in asked or len(asked) >= self._most:
            return []
        is_asked = self._questions.ask(doubt, occasion)
        return [QuestionAsked(*now.of(spot), doubt)] if is_asked else []

    def withdraw(self, spot: WatchedSpot, now: Moment) -> list[Change]:
        """Return that a question is over, if one was asked."""
        if spot.spot not in self.spots:
            return []
        self._questions.close([spot.spot])
        return [QuestionWithdrawn(*now.of(spot))]

    def over(self, board: WatchedBoard, now: Moment, still_s: float) -> list[Change]:
        """Return that questions are over whose spots look again as they did before."""
        looks_as_before = ~now.sight.changed & (now.still_s >= still_s - 1e-9)
        over: list[Change] = []
        for name in sorted(self.spots):
            spot, question = board[name], self._questions.about(name)
            if not looks_as_before[spot.index] or question is None:
                continue
            if question.occasion is Occasion.CHANGE or spot.is_confirmed:
                over += self.withdraw(spot, now)
        return over


@dataclass(frozen=True, eq=False)
class Moment:
    """What one frame shows of every spot."""

    sight: FrameChanges
    settling: Settling  # when the frame has been taken in
    sighter: FrameComparer  # which has seen it last

    @property
    def at_s(self) -> float:
        """When the frame was taken."""
        return self.sight.at_s

    @cached_property
    def still_s(self) -> Float64s:
        """For how long each spot has held still, (S,); 0 for one that does not."""
        return self.settling.still_s

    @cached_property
    def in_sight(self) -> Mask:
        """The spots that changed, and that nothing moves or lies over, (S,)."""
        return self.sight.changed & ~self.sight.disturbed

    def changed_parts(self, spot: WatchedSpot) -> frozenset[int]:
        """Return which parts of a spot changed so much that a piece may have come or gone."""
        parts = self.sight.changed_parts[self.sighter.parts(spot.index)]
        return frozenset(np.flatnonzero(parts).tolist())

    def of(self, spot: WatchedSpot) -> tuple[Spot, float, float, Box]:
        """Return what is said with every change: which spot, when, how long still, and where."""
        still_s = float(self.still_s[spot.index])
        return spot.spot, self.at_s, still_s, self.sighter.box_px(spot.index)
