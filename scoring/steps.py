"""Steps of a search, counted: what others made up to take for ever ends, and always at one place.

Seconds would make an answer hang on the computer, and on what else it does.
"""

from __future__ import annotations


class OutOfStepsError(Exception):
    """A search would take more steps than it may; who asked for it tells what is known by then."""


class StepCount:
    """Counts steps, up to as many as may be taken.

    Examples
    --------
    >>> steps = StepCount(10)
    >>> steps.take(7)
    >>> steps.taken
    7
    >>> steps.take(7)
    Traceback (most recent call last):
    ...
    railspotter.scoring.steps.OutOfStepsError
    """

    def __init__(self, most: float) -> None:
        self.most, self.taken = most, 0

    def take(self, steps: int) -> None:
        """Count steps that are about to be taken."""
        if self.taken + steps > self.most:
            raise OutOfStepsError
        self.taken += steps
