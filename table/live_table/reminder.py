"""A quiet reminder: says whose turn it is once that has lasted for as long as the host chose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..game_log.facts import SeatId
from ..game_log.game_state import GameState
from ..game_log.turn_times import RunningTurn, turn_times
from ..whole_file import KeptFile

FILE = "reminder.json"  # where the choice is kept, in the data directory
MINUTE_S = 60.0


@dataclass(frozen=True, slots=True)
class ReminderChoice:
    """After how many minutes of one turn people are reminded; 0 is never."""

    minutes: int = 0


class Reminder:
    """Reminds a table, where turns are marked: a guess of whose turn it is reminds nobody.

    Attributes
    ----------
    minutes : int
        As the choice has it.
    """

    def __init__(self, file: KeptFile[ReminderChoice], clock: Callable[[], float]) -> None:
        self._file, self._clock = file, clock
        self.minutes = file.load_or_default().minutes
        self._game: GameState | None = None
        self._running: RunningTurn | None = None

    @classmethod
    def beside(cls, log: Path, clock: Callable[[], float]) -> Reminder:
        """Return the reminder of a game, by the file of its log in the data directory."""
        return cls(KeptFile(log.parent.parent / FILE, ReminderChoice()), clock)

    def choose(self, minutes: int) -> None:
        """Remind after so many minutes from now on; raises `HomeError` when it cannot be kept."""
        self._file.save(ReminderChoice(minutes))
        self.minutes = minutes

    def due(self, game: GameState) -> SeatId | None:
        """Return the seat whose turn has lasted for so long; None while nobody is reminded."""
        if not self.minutes:
            return None
        if game is not self._game:
            self._game, self._running = game, turn_times(game).running
        turn = self._running
        if turn is None or turn.since_s is None:
            return None
        return turn.seat if turn.at(self._clock()) >= self.minutes * MINUTE_S else None
