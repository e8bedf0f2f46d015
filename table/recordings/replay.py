"""A game watched once more: the table of today over the pictures of then, and what it says now."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from railspotter.calibration.profiles import Profile
from railspotter.scoring import Colour, Spot
from railspotter.vision.sources import Frame, Grabber, GrabberState, Source

from ..errors import TableError
from ..game_log import GameStarted, GameState, GameStore, Placed
from ..live_table import LiveTable
from .input_replay import InputReplay, replay_inputs

Schedule = Callable[[Frame | None], tuple[int, bool]]
"""Takes a frame, None before the first. Returns the number of the newest event that is due by then,
and whether watching begins anew with the next frame."""


class AtOnce(Executor):
    """Does what it is handed there and then: the recording's clock stands still meanwhile."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do it, and return what came of it."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future


@dataclass(frozen=True)
class SeenClaim:
    """A claim as a camera saw it: whose pieces appeared on a spot."""

    spot: Spot
    colour: Colour


@dataclass(frozen=True)
class ReplayResult:
    """What came of watching once more.

    Attributes
    ----------
    game : GameState
        What is written down today.
    missing, new : tuple of SeenClaim
        Claims that the camera said then and does not say today, and the other way round.
    ends : mapping of Spot to tuple
        Where the boards differ at the end: whose pieces then, and whose today.
    asked : int
        Questions that are asked today.
    """

    game: GameState
    missing: tuple[SeenClaim, ...]
    new: tuple[SeenClaim, ...]
    ends: dict[Spot, tuple[Colour | None, Colour | None]]
    asked: int
    frames: int

    @property
    def is_same(self) -> bool:
        """Whether today says what was said then."""
        return not (self.missing or self.new or self.ends)


def replay(
    source: Source,
    profile: Profile,
    started: GameStarted,
    then: GameState | None,
    due: Schedule,
) -> ReplayResult:
    """Watch a game once more.

    What people said then is said again at its time; what the camera said is not.

    Parameters
    ----------
    source : Source
        That waits for its reader.
    then : GameState, optional
        What was written down; without it, there is nothing to compare with.
    due : callable
        When what was said then is said again.

    Raises
    ------
    TableError
        When the pictures cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="railspotter-replay-") as folder:
        store, on_board = GameStore(Path(folder)), msgspec.structs.replace(started, cards="table")
        with store.create(on_board, 0.0) as log, Grabber(source) as grabber:
            table = LiveTable(log, grabber, profile, clock=lambda: _time_at(table), work=AtOnce())
            asked: set[tuple[Spot, int]] = set()
            table.subscribe(
                lambda view, events: asked.update(
                    (question.spot, len(view.game.events)) for question in view.questions
                )
            )
            inputs = InputReplay(then, table) if then is not None else None
            past = then.events if then is not None else ()
            said, begins = due(None)
            replay_inputs(inputs, past[1:said])
            looked: Frame | None = None
            while not table.view.is_over:
                table.turn()
                if table.frame is looked:
                    continue
                looked = table.frame
                newest, begins = due(looked)
                replay_inputs(inputs, past[said:newest])
                said = max(said, newest)
                if begins:
                    table.look_again()
            replay_inputs(inputs, past[said:])
            if grabber.status.doing is GrabberState.FAILED:
                raise TableError(grabber.status.said)
            return _compared(table.view.game, then, len(asked), grabber.status.grabbed)


def _time_at(table: LiveTable) -> float:
    return table.frame.taken_at_s if table.frame is not None else 0.0


def _claims(game: GameState) -> Iterator[SeenClaim]:
    for event in game.events:
        fact = event.fact
        if isinstance(fact, Placed) and fact.by == "camera":
            yield SeenClaim(fact.spot, fact.colour)


def _compared(game: GameState, then: GameState | None, asked: int, frames: int) -> ReplayResult:
    if then is None:
        return ReplayResult(game, (), tuple(_claims(game)), {}, asked, frames)
    before, after = then.table.held, game.table.held
    ends = {
        spot: (before.get(spot), after.get(spot))
        for spot in sorted(before.keys() | after.keys())
        if before.get(spot) != after.get(spot)
    }
    old, new = [*_claims(then)], [*_claims(game)]
    return ReplayResult(game, _without(old, new), _without(new, old), ends, asked, frames)


def _without(seen: Sequence[SeenClaim], others: Sequence[SeenClaim]) -> tuple[SeenClaim, ...]:
    """Return what is in one and not in the other, each as often as it is there more."""
    left = [*others]
    only: list[SeenClaim] = []
    for one in seen:
        if one in left:
            left.remove(one)
        else:
            only.append(one)
    return tuple(only)
