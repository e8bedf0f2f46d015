"""Writes down what the camera sees; what cannot be written now waits, and is not lost."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING
from railspotter.scoring.spot import Spot
from railspotter.vision.watching.changes import Appeared, Vanished

from ..game_log.board_facts import Placed, TakenBack
from ..game_log.budgets import CAMERA, HOST, Writer
from ..game_log.errors import BudgetError, EventError, LogFileError
from ..game_log.facts import Event, Fact
from ..game_log.game_state import GameState
from ..game_log.log import GameLog
from .card_play import dealing_facts
from .course import follow_up_facts

EMPTY: Mapping[int, bytes] = MappingProxyType({})
AGAIN_S = 2.0  # seconds until a log that could not be written is tried again
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
        self._waiting: deque[tuple[Fact, bytes]] = deque()
        self._followed: GameState | None = None
        self._next_s = ticks()
        self.trouble = NOTHING  # what keeps facts from being written; empty when nothing does

    def write_facts(
        self, facts: Sequence[Fact], by: Writer = HOST, pictures: Mapping[int, bytes] = EMPTY
    ) -> tuple[Event, ...]:
        """Write what a person says; raises as `GameLog.append` does when it does not hold."""
        crops = {position: (jpeg,) for position, jpeg in pictures.items()}
        return self._log.append(facts, self._clock(), crops, by=by)

    def follow_up(self) -> tuple[Event, ...]:
        """Write what follows by itself, cards and last turns; nothing where nothing has changed."""
        if self._log.state is self._followed:
            return ()
        try:
            state = self._log.state
            facts = (*dealing_facts(state.table), *follow_up_facts(state))
            events = self.write_facts(facts) if facts else ()
        except (LogFileError, EventError):
            return ()  # disk or log take no more: it is tried again with the next frame
        self._followed = self._log.state
        return events

    def queue_fact(self, fact: Fact, proof: bytes = b"") -> None:
        """Take in what the camera says, with a picture of it, to be written as soon as it can."""
        self._waiting.append((fact, proof))

    def write_queued(self) -> tuple[Event, ...]:
        """Write what waits, in its order, as far as it can be written now."""
        written: list[Event] = []
        while self._waiting and self._ticks() >= self._next_s:
            fact, proof = self._waiting[0]
            try:
                crops = {0: (proof,)} if proof else None
                written += self._log.append([fact], self._clock(), crops, by=CAMERA)
            except EventError:
                pass  # a person was quicker: what they said outranks it
            except BudgetError as error:
                self.trouble = error.sentence
                self._waiting.clear()  # there will be no room for it later either
                break
            except LogFileError as error:
                self._next_s, self.trouble = self._ticks() + AGAIN_S, error.sentence
                break
            self._waiting.popleft()
            self.trouble = NOTHING
        return tuple(written)


def change_fact(change: Appeared | Vanished) -> Fact:
    """Return the fact that a change is.

    Examples
    --------
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
    """Return the fact that the camera reads a spot so; that it changed, it did not see itself."""
    if colour is None:
        return TakenBack.on(spot, by="camera", why=NOT_SEEN, seen_to_change=seen_to_change)
    return Placed.on(spot, colour=colour, by="camera", sure=sure, seen_to_change=seen_to_change)
