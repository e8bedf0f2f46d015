"""Serialising events: their JSON text, the versions of that format, and their seals.

Each event is stored with its format version, and migrated when it is read.

A seal is a chained checksum. It covers the event's number, time, format and text, the digests of
its crops, and the seal of the event before it. It detects damage, not tampering: it has no key.
"""

import hashlib
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import msgspec
from railspotter.scoring.json_text import MALFORMED, malformed
from railspotter.scoring.sentence import raised_as

from . import board_facts, card_facts, course_facts, people_facts
from .errors import EventError, NewerFormatError
from .facts import Event, Fact, Moment, Number

_MODULES = (board_facts, people_facts, course_facts, card_facts)  # every kind is defined there
# Increase it with every change that an older program could not read. Format 2 brought seals,
# `event_lost` and `points_counted`; format 3 the facts about cards that are dealt to phones, and
# `game_packed_away`; format 4 `player_handed_over`; format 5 `hand_passed_on` and hands that are
# dealt anew; format 6 how many tickets are kept of such a hand; format 7 who a person is where
# the name does not tell, and whether a game counts; format 8 games of a photo. What was there
# before is read as it was.
FORMAT = 8
# Invisible characters that older programs accepted in names: marks that change the direction of
# text, and a final line end. They are removed on reading.
INVISIBLE = re.compile(r'[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|(?<!\\)\\n(?=")')
DIGEST_BYTES = 16  # 128 bits: no collision by chance
NO_SEAL = bytes(DIGEST_BYTES)  # the seal before the first event


def _kinds(of: type[Fact]) -> Iterator[type[Fact]]:
    """Yield the leaf classes, which are the kinds of facts."""
    for kind in of.__subclasses__():
        yield from _kinds(kind) if kind.__subclasses__() else (kind,)


FACTS = {str(kind.__struct_config__.tag): kind for kind in _kinds(Fact)}  # by the name in the log
_EVENT = msgspec.defstruct(
    "EventText",
    [("seq", Number), ("at_s", Moment), ("fact", reduce(or_, FACTS.values()))],
    forbid_unknown_fields=True,
)
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_EVENT)


def event_text(event: Event) -> str:
    """Encode an event as one line of JSON; `parse_event` is the inverse.

    >>> event_text(Event(7, 1.5, course_facts.GameRenamed("Friday")))
    '{"seq":7,"at_s":1.5,"fact":{"kind":"game_renamed","name":"Friday"}}'
    """
    return msgspec.json.encode(event).decode()


def parse_event(text: bytes | str) -> Event:
    """Decode and validate an event; raises `EventError`.

    >>> parse_event('{"seq": 1, "at_s": 0, "fact": {"kind": "game_won"}}')
    Traceback (most recent call last):
    ...
    railspotter.table.game_log.errors.EventError: fact: there is no 'game_won'
    """
    try:
        read = _DECODER.decode(text)
    except MALFORMED as error:
        raise EventError(malformed(text, _EVENT)) from error
    return Event(read.seq, read.at_s, read.fact)


def check_fact(kind: str, content: Mapping[str, Any]) -> None:
    """Validate a fact from another program; raises `EventError` with the name of the field.

    Unknown kinds and fields are accepted: they may be a newer program's.

    >>> check_fact("turn_marked", {"kind": "turn_marked", "seat": "ann", "why": "tapped"})
    >>> check_fact("turn_marked", {"kind": "turn_marked"})
    Traceback (most recent call last):
    ...
    railspotter.table.game_log.errors.EventError: fact: 'seat' is missing
    """
    if content.get("kind") != kind:
        raise EventError(f"{kind}: its fact is of another kind")
    if kind in FACTS:
        names = ("kind", *FACTS[kind].__struct_fields__)
        known = {name: content[name] for name in names if name in content}
        parse_event(msgspec.json.encode({"seq": 1, "at_s": 0, "fact": known}))


def require_known(format: int, what: str) -> None:
    """Raise `NewerFormatError` for a format that is newer than this program."""
    if format > FORMAT:
        raise NewerFormatError(
            "{what} was written by a newer railspotter (format {format}; this one knows {newest}):"
            " update railspotter to read it",
            what=what,
            format=format,
            newest=FORMAT,
        )


def read_event(seq: int, at_s: float, fact: str, format: int) -> Event:
    """Decode a stored event; raises `EventError` if it is invalid."""
    require_known(format, f"event {seq}")
    try:
        content = msgspec.json.decode(INVISIBLE.sub("", fact))
    except MALFORMED as error:
        raise EventError(f"event {seq}: {malformed(fact, Any)}") from error
    with raised_as(EventError, EventError, "event {n}: {error}", n=seq):
        return parse_event(msgspec.json.encode({"seq": seq, "at_s": at_s, "fact": content}))


class RawEvent(NamedTuple):
    """A stored event, not yet decoded."""

    at_s: float
    format: int
    fact: bytes  # JSON in UTF-8, in `format`


class EventSeal(NamedTuple):
    """An event's checksum, and those of its crops, concatenated."""

    crops: bytes
    digest: bytes


def digest_of(content: bytes | bytearray) -> bytes:
    """Return the digest of a crop."""
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).digest()


def crop_digests(crops: Iterable[bytes]) -> bytes:
    """Return the digests of an event's crops, concatenated."""
    return b"".join(map(digest_of, crops))


def event_digest(before: bytes, seq: int, event: RawEvent, crops: bytes) -> bytes:
    """Return the digest of an event, chained to `before`, that of the previous event.

    >>> renamed = RawEvent(1.5, 2, b'{"kind":"game_renamed","name":"Friday"}')
    >>> whole = event_digest(NO_SEAL, 7, renamed, b"")
    >>> whole == event_digest(NO_SEAL, 7, renamed._replace(fact=renamed.fact.upper()), b"")
    False
    """
    head = struct.pack(">QQId", seq, event.format, len(event.fact), event.at_s)
    return digest_of(b"".join((before, head, event.fact, crops)))
