"""Which of a camera's pictures are wanted."""

from __future__ import annotations

from .source import Watch


class Pace:
    """Lets through so many pictures a second, as evenly as they come.

    Parameters
    ----------
    watch : Watch
    per_s : float

    Examples
    --------
    Of a camera with 30 pictures a second, 20 are let through in four seconds when it is 5 a second.

    >>> from types import SimpleNamespace
    >>> pace = Pace(SimpleNamespace(now_s=lambda: 0.0), per_s=5.0)
    >>> sum(pace.lets_through(n / 30) for n in range(120))
    20
    """

    def __init__(self, watch: Watch, per_s: float) -> None:
        self._due_s, self._step_s = watch.now_s(), 1 / per_s

    def lets_through(self, taken_at_s: float) -> bool:
        """Return whether a picture of that time is wanted."""
        if taken_at_s < self._due_s:
            return False
        # What came late is not made up for.
        self._due_s = max(self._due_s + self._step_s, taken_at_s)
        return True
