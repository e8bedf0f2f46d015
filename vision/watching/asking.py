"""What a watcher asks people about, so much at once, and when that is over."""

from __future__ import annotations

from railspotter.scoring.spot import Spot

from ..readings import Doubt
from .changes import Change, QuestionAsked, QuestionWithdrawn
from .moment import Moment
from .questions import Occasion, Questions
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
            if question.occasion is Occasion.CHANGE or spot.bears_out:
                over += self.withdraw(spot, now)
        return over
