"""A game watched once more: the table of today over the pictures of then, and what it says now."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from railspotter.calibration.profile import Profile
from railspotter.scoring import Colour
from railspotter.vision.sources import Doing, Frame, Grabber, Source
from railspotter.vision.watching import Spot

from .errors import TableError
from .game_log import (
    BoardJoined,
    Event,
    EventError,
    GameEnded,
    GamePaused,
    GameResumed,
    GameStarted,
    GameState,
    GameStore,
    LastTurnsBegun,
    Redone,
    Undone,
    fold,
)
from .game_log.board_facts import Corrected, OnBoard, Placed, TakenBack
from .live_table import LiveTable

Due = Callable[[Frame | None], tuple[int, bool]]
"""After a frame, or before the first: the newest event that is due, and whether watching begins
anew with the next one."""


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
class Seen:
    """A claim as a camera saw it: whose pieces appeared on a spot."""

    spot: Spot
    colour: Colour


@dataclass(frozen=True)
class Replayed:
    """What came of watching once more.

    Attributes
    ----------
    game : GameState
        What is written down today.
    missing, new : tuple of Seen
        Claims that the camera said then and does not say today, and the other way round.
    ends : mapping of Spot to tuple
        Where the boards differ at the end: whose pieces then, and whose today.
    asked : int
        Questions that are asked today.
    """

    game: GameState
    missing: tuple[Seen, ...]
    new: tuple[Seen, ...]
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
    due: Due,
) -> Replayed:
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
        store = GameStore(Path(folder))
        with store.create(started, 0.0) as log, Grabber(source) as grabber:
            table = LiveTable(log, grabber, profile, clock=lambda: _time_at(table), work=AtOnce())
            asked: set[tuple[Spot, int]] = set()
            table.subscribe(
                lambda view, events: asked.update(
                    (question.spot, len(view.game.events)) for question in view.questions
                )
            )
            past = then.events if then is not None else ()
            said, begins = due(None)
            _say_all(past[1:said], then, table)
            looked: Frame | None = None
            while not table.view.is_over:
                table.turn()
                if table.frame is looked:
                    continue
                looked = table.frame
                newest, begins = due(looked)
                _say_all(past[said:newest], then, table)
                said = max(said, newest)
                if begins:
                    table.look_again()
            _say_all(past[said:], then, table)
            if grabber.status.doing is Doing.FAILED:
                raise TableError(grabber.status.said)
            return _compared(table.view.game, then, len(asked), grabber.status.grabbed)


def _time_at(table: LiveTable) -> float:
    return table.frame.taken_at_s if table.frame is not None else 0.0


def _say_all(events: Sequence[Event], then: GameState | None, table: LiveTable) -> None:
    if then is not None:
        for event in events:
            _say_again(event, then, table)


def _say_again(event: Event, then: GameState, table: LiveTable) -> None:
    """Say what a person said; of what no longer fits, nothing."""
    with suppress(EventError):
        match event.fact:
            case GameStarted() | LastTurnsBegun():
                pass
            case Placed(by="camera") | TakenBack(by="camera"):
                pass
            case Corrected(now=now) as fact:
                table.correct(fact.spot, now)
            case Placed(colour=colour) as fact:
                table.correct(fact.spot, colour)
            case TakenBack() as fact:
                table.correct(fact.spot, None)
            case BoardJoined(found=found):
                if table.view.joining is not None:
                    table.confirm_joining(found)
                else:
                    for spot, colour in found.items():
                        table.correct(spot, colour)
            case Undone() | Redone():
                _change(event, then, table)
            case GamePaused():
                table.pause()
            case GameResumed():
                table.resume()
            case GameEnded():
                table.end()
            case fact:
                table.write([fact])


def _change(event: Event, then: GameState, table: LiveTable) -> None:
    """Say by hand what an undo or redo changed on the board."""
    before, after = (_standing(fold(then.events[:count])) for count in (event.seq - 1, event.seq))
    for spot in sorted(before.keys() | after.keys()):
        if before.get(spot) != after.get(spot):
            table.correct(spot, after.get(spot))


def _standing(game: GameState) -> dict[Spot, Colour]:
    return {spot: held.colour for spot, held in game.table.spots.items() if held.colour is not None}


def _claims(game: GameState) -> Iterator[Seen]:
    for event in game.events:
        fact = event.fact
        if isinstance(fact, OnBoard) and isinstance(fact, Placed) and fact.by == "camera":
            yield Seen(fact.spot, fact.colour)


def _compared(game: GameState, then: GameState | None, asked: int, frames: int) -> Replayed:
    if then is None:
        return Replayed(game, (), tuple(_claims(game)), {}, asked, frames)
    before, after = _standing(then), _standing(game)
    ends = {
        spot: (before.get(spot), after.get(spot))
        for spot in sorted(before.keys() | after.keys())
        if before.get(spot) != after.get(spot)
    }
    old, new = [*_claims(then)], [*_claims(game)]
    return Replayed(game, _without(old, new), _without(new, old), ends, asked, frames)


def _without(seen: Sequence[Seen], others: Sequence[Seen]) -> tuple[Seen, ...]:
    """Return what is in one and not in the other, each as often as it is there more."""
    left = [*others]
    only: list[Seen] = []
    for one in seen:
        if one in left:
            left.remove(one)
        else:
            only.append(one)
    return tuple(only)
