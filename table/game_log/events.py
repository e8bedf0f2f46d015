"""Events: facts with a number and a time.

The numbers, 1 for the first, order the log; times are only told, for clocks jump.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from .board_facts import (
    BoardJoined,
    ClaimCorrected,
    ClaimWithdrawn,
    PinPlaced,
    PinTakenBack,
    RouteClaimed,
    SiteClaimed,
    SiteCorrected,
    SiteWithdrawn,
    StationBuilt,
    StationCorrected,
    StationWithdrawn,
)
from .errors import EventError
from .facts import Number
from .game_facts import (
    GameEnded,
    GamePaused,
    GameRenamed,
    GameResumed,
    GameStarted,
    LastTurnsBegun,
    Redone,
    TurnMarked,
    Undone,
)
from .player_facts import (
    MarkerCompared,
    PlayerCameIn,
    PlayerLeft,
    PlayerRecoloured,
    PlayerRenamed,
    SeatsSwapped,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
)

AnyFact = (
    GameStarted
    | BoardJoined
    | RouteClaimed
    | ClaimWithdrawn
    | ClaimCorrected
    | StationBuilt
    | StationWithdrawn
    | StationCorrected
    | SiteClaimed
    | SiteWithdrawn
    | SiteCorrected
    | PinPlaced
    | PinTakenBack
    | PlayerRenamed
    | PlayerRecoloured
    | SeatsSwapped
    | PlayerCameIn
    | PlayerLeft
    | TicketTaken
    | TicketDropped
    | TicketRevealed
    | MarkerCompared
    | GameRenamed
    | TurnMarked
    | LastTurnsBegun
    | GamePaused
    | GameResumed
    | GameEnded
    | Undone
    | Redone
)


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact in a log.

    Attributes
    ----------
    at_s : float
        When, in seconds since 1970-01-01 UTC, as the clock of whoever wrote it said.
    """

    seq: Number
    at_s: Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]
    fact: AnyFact


def event_text(event: Event) -> str:
    """Return an event as one line of JSON; `parse_event` undoes it.

    Examples
    --------
    >>> event_text(Event(7, 1.5, GameRenamed("Friday")))
    '{"seq":7,"at_s":1.5,"fact":{"kind":"game_renamed","name":"Friday"}}'
    """
    return msgspec.json.encode(event).decode()


def parse_event(text: bytes | str) -> Event:
    """Read an event.

    Raises
    ------
    EventError
        For the first thing that is wrong, with the path of the field.

    Examples
    --------
    >>> parse_event('{"seq": 1, "at_s": 0, "fact": {"kind": "game_won"}}')
    Traceback (most recent call last):
    ...
    railspotter.table.game_log.errors.EventError: Invalid value 'game_won' - at `$.fact.kind`
    """
    try:
        return msgspec.json.decode(text, type=Event)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EventError(str(error)) from error
