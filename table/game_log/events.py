"""Events: facts with a number and a time, and the formats that they are stored in.

The numbers, 1 for the first, order the log; times are only told, for clocks jump. Each event is
stored with the number of the format it was written in, and stays as it is: what is read is brought
up to date, step by step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, get_args

import msgspec
from railspotter.scoring.malformed import MALFORMED, malformed

from .board_facts import (
    BoardJoined,
    Corrected,
    PinPlaced,
    PinTakenBack,
    Placed,
    TakenBack,
)
from .card_facts import CardsDealt, CardsMoved, CardsPutAway
from .errors import EventError, NewerFormatError
from .fact_text import fact_object, fact_of, text_forms
from .facts import (
    EventLost,
    GameEnded,
    GamePackedAway,
    GamePaused,
    GameRenamed,
    GameResumed,
    GameStarted,
    HandPassedOn,
    LastTurnsBegun,
    MarkerCompared,
    Number,
    PlayerCameIn,
    PlayerHandedOver,
    PlayerLeft,
    PlayerRecoloured,
    PlayerRenamed,
    PointsCounted,
    Redone,
    SeatsSwapped,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
    TurnMarked,
    Undone,
)

AnyFact = (
    GameStarted
    | BoardJoined
    | Placed
    | TakenBack
    | Corrected
    | PinPlaced
    | PinTakenBack
    | PlayerRenamed
    | PlayerRecoloured
    | SeatsSwapped
    | PlayerCameIn
    | PlayerLeft
    | PlayerHandedOver
    | HandPassedOn
    | TicketTaken
    | TicketDropped
    | TicketRevealed
    | MarkerCompared
    | GameRenamed
    | TurnMarked
    | LastTurnsBegun
    | GamePaused
    | GamePackedAway
    | GameResumed
    | GameEnded
    | PointsCounted
    | CardsDealt
    | CardsMoved
    | CardsPutAway
    | EventLost
    | Undone
    | Redone
)


Moment = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]


class Event(msgspec.Struct, frozen=True):
    """A fact in a log."""

    seq: Number
    at_s: Moment  # when, in seconds since 1970-01-01 UTC, as the clock of whoever wrote it said
    fact: AnyFact


def event_text(event: Event) -> str:
    """Return an event as one line of JSON; `parse_event` undoes it.

    Examples
    --------
    >>> event_text(Event(7, 1.5, GameRenamed("Friday")))
    '{"seq":7,"at_s":1.5,"fact":{"kind":"game_renamed","name":"Friday"}}'
    """
    content = {"seq": event.seq, "at_s": event.at_s, "fact": fact_object(event.fact)}
    return msgspec.json.encode(content).decode()


_FORMS = text_forms(get_args(AnyFact))
_FIELDS = {str(form.__struct_config__.tag): form.__struct_fields__ for form in _FORMS}
_EVENT = msgspec.defstruct(
    "EventText",
    [("seq", Number), ("at_s", Moment), ("fact", reduce(or_, _FORMS))],
    forbid_unknown_fields=True,
)
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_EVENT)


def parse_event(text: bytes | str) -> Event:
    """Read an event.

    Examples
    --------
    >>> parse_event('{"seq": 1, "at_s": 0, "fact": {"kind": "game_won"}}')
    Traceback (most recent call last):
    ...
    railspotter.table.game_log.errors.EventError: fact: there is no 'game_won'
    """
    try:
        read = _DECODER.decode(text)
    except MALFORMED as error:
        raise EventError(malformed(text, _EVENT)) from error
    return Event(read.seq, read.at_s, fact_of(read.fact))


def check_fact(kind: str, content: Mapping[str, Any]) -> None:
    """Refuse what another program says is a fact of that kind, and lacks what such a fact has.

    Kinds and fields that only a later program knows are let through.

    Raises
    ------
    EventError
        With the name of the field.

    Examples
    --------
    >>> check_fact("turn_marked", {"kind": "turn_marked", "seat": "ann", "why": "tapped"})
    >>> check_fact("turn_marked", {"kind": "turn_marked"})
    Traceback (most recent call last):
    ...
    railspotter.table.game_log.errors.EventError: fact: 'seat' is missing
    """
    if content.get("kind") != kind:
        raise EventError(f"{kind}: its fact is of another kind")
    if kind in _FIELDS:
        known = {name: content[name] for name in ("kind", *_FIELDS[kind]) if name in content}
        parse_event(msgspec.json.encode({"seq": 1, "at_s": 0, "fact": known}))


FORMAT = 5  # raise it with every change that an older program could not read, and add a step below

# What older programs took in names, and terminals should not: signs that turn the direction of a
# text, and a line end after it. A game that has them still opens, without them.
UNSEEN = re.compile(r'[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|(?<!\\)\\n(?=")')

# Takes the JSON of a fact in some format, returns it in the next one.
Step = Callable[[dict[str, Any]], dict[str, Any]]

# By the format that a step starts from. Format 2 brought seals, `event_lost` and `points_counted`;
# format 3 the facts about cards that are dealt to phones, and `game_packed_away`; format 4
# `player_handed_over`; format 5 `hand_passed_on` and hands that are dealt anew.
STEPS: Mapping[int, Step] = dict.fromkeys(range(1, FORMAT), lambda fact: fact)


def require_known(format: int, what: str, newest: int = FORMAT) -> None:
    """Refuse a format that is newer than this program."""
    if format > newest:
        raise NewerFormatError(
            "{what} was written by a newer railspotter (format {format}; this one knows {newest}):"
            " update railspotter to read it",
            what=what,
            format=format,
            newest=newest,
        )


def read_event(
    seq: int,
    at_s: float,
    fact: str,
    format: int,
    *,
    steps: Mapping[int, Step] = STEPS,
    newest: int = FORMAT,
) -> Event:
    """Return an event from what is stored of it."""
    require_known(format, f"event {seq}", newest)
    try:
        content = msgspec.json.decode(UNSEEN.sub("", fact))
        for step in range(format, newest):
            content = steps[step](content)
    except (msgspec.DecodeError, LookupError, TypeError, RecursionError) as error:
        raise EventError(f"event {seq}: {error!r}") from error
    try:
        return parse_event(msgspec.json.encode({"seq": seq, "at_s": at_s, "fact": content}))
    except EventError as error:
        raise EventError(f"event {seq}: {error}") from error
