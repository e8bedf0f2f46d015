"""What a grabber is doing, as a value and as a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class GrabberState(StrEnum):
    """What a grabber can be doing."""

    OPENING = "opening"
    WATCHING = "watching"
    WAITING = "waiting"
    ENDED = "ended"
    FAILED = "failed"
    STOPPED = "stopped"


OVER = frozenset({GrabberState.ENDED, GrabberState.FAILED, GrabberState.STOPPED})
"""After these no frame comes any more."""


@dataclass(frozen=True)
class Status:
    """What a grabber is doing.

    Attributes
    ----------
    doing : GrabberState
    said : str
        A sentence for the people at the table.
    grabbed : int
        Pictures that the source gave.
    passed_over : int
        Those of them that nobody looked at before a newer one came.
    openings : int
        How often the source gave its first picture after it was opened: one more than it was lost
        and came back.
    """

    doing: GrabberState
    said: str
    grabbed: int = 0
    passed_over: int = 0
    openings: int = 0

    @property
    def is_over(self) -> bool:
        """Whether no frame comes any more."""
        return self.doing in OVER
