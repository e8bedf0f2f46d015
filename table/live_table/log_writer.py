"""Writing to a game's log, with a queue for the camera's facts that is retried on errors."""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING
from railspotter.scoring.spot import Spot
from railspotter.vision.watching.changes import Appeared, Vanished

from ..game_log.board_facts import Placed, TakenBack
from ..game_log.budgets import CAMERA, HOST, Writer
from ..game_log.database import Crops
from ..game_log.errors import BudgetError, EventError, LogFileError
from ..game_log.facts import Event, Fact
from ..game_log.game_state import GameState
from ..game_log.log import GameLog
from .card_play import dealing_facts
from .course import follow_up_facts
from .phase import counting_facts

RETRY_S = 2.0  # seconds until writing is retried after an error
NOT_SEEN = "it was seen free"


class LogWriter:
    """Writes to one game's log."""

    def __init__(
        self,
        log: GameLog,
        clock: Callable[[], float],
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log, self._clock, self._ticks = log, clock, ticks
        self._queue: deque[tuple[Fact, bytes]] = deque()
        self._followed: GameState | None = None  # the last state that follow-ups were written for
        self._was_asked = False  # whether a question was open then
        self._next_s = ticks()
        self.trouble = NOTHING  # why writing fails; empty if it does not

    def write_facts(
        self, facts: Sequence[Fact], by: Writer = HOST, crops: Mapping[int, Crops] | None = None
    ) -> tuple[Event, ...]:
        """Write facts at once; raises as `GameLog.append`."""
        return self._log.append(facts, self._clock(), crops, by=by)

    def follow_up(self, *, is_asked: bool = False) -> tuple[Event, ...]:
        """Write the facts that follow by the rules: the deal, the last turns, and the count.

        `is_asked` is whether a question is open.
        """
        state = self._log.state
        if state is self._followed and is_asked == self._was_asked:
            return ()
        try:
            counting = counting_facts(state, is_asked=is_asked)
            facts = (*dealing_facts(state.table), *follow_up_facts(state), *counting)
            events = self.write_facts(facts) if facts else ()
        except (LogFileError, EventError):
            return ()  # disk or log are full: retried with the next frame
        self._followed, self._was_asked = self._log.state, is_asked
        return events

    def queue_fact(self, fact: Fact, proof: bytes = b"") -> None:
        """Queue a fact of the camera, with a picture as proof."""
        self._queue.append((fact, proof))

    def write_queued(self) -> tuple[Event, ...]:
        """Write the queued facts in order, as far as possible."""
        written: list[Event] = []
        while self._queue and self._ticks() >= self._next_s:
            fact, proof = self._queue[0]
            try:
                crops = {0: (proof,)} if proof else None
                written += self._log.append([fact], self._clock(), crops, by=CAMERA)
            except EventError:
                pass  # outranked by a person's fact meanwhile
            except BudgetError as error:
                self.trouble = error.sentence
                self._queue.clear()  # the budget will not grow
                break
            except LogFileError as error:
                self._next_s, self.trouble = self._ticks() + RETRY_S, error.sentence
                break
            self._queue.popleft()
            self.trouble = NOTHING
        return tuple(written)


def change_fact(change: Appeared | Vanished) -> Fact:
    """Convert a change that the camera saw to a fact.

    >>> change = Appeared(Spot("route", "a--b"), 9.0, 1.0, (0, 0, 1, 1), "red", 0.99)
    >>> fact = change_fact(change)
    >>> fact.kind, fact.colour, fact.by
    ('route_claimed', 'red', 'camera')
    """
    colour, sure = (change.colour, change.sure) if isinstance(change, Appeared) else (None, 0.0)
    return read_fact(change.spot, colour, sure, seen_to_change=change.seen_to_change)


def read_fact(
    spot: Spot, colour: Colour | None, sure: float, *, seen_to_change: bool = False
) -> Fact:
    """Convert a reading of a spot to a fact; None is free."""
    if colour is None:
        return TakenBack.on(spot, by="camera", why=NOT_SEEN, seen_to_change=seen_to_change)
    return Placed.on(spot, colour=colour, by="camera", sure=sure, seen_to_change=seen_to_change)
