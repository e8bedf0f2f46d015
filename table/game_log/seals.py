"""Seals: a checksum for each event of a log, chained, so that damage to the file is noticed.

The seal of an event covers its number, time, format and text, the digests of its crops, and the
seal of the event before it. It is against disks that forget, not against people: whoever can write
the file can write seals too. So nothing in it is secret.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

DIGEST_BYTES = 16
"""128 bits: no damage ever meets them by chance."""
MOST_MENDED_BYTES = 600
"""Trying all of so many takes a second. Only a start with a board of one's own is longer."""
NO_SEAL = bytes(DIGEST_BYTES)
"""What stands before the first event."""


class RawEvent(NamedTuple):
    """An event as it is stored, not yet read.

    Attributes
    ----------
    kind : str
        What a column of its own says; the text says it too, so that no seal covers it.
    fact : bytes
        JSON in UTF-8, in `format`.
    """

    at_s: float
    kind: str
    format: int
    fact: bytes


class Seal(NamedTuple):
    """What vouches for an event: its digest, and those of its crops, one after the other."""

    crops: bytes
    digest: bytes


def digest_of(content: bytes | bytearray) -> bytes:
    """Return the digest of a crop."""
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).digest()


def crop_digests(crops: Iterable[bytes]) -> bytes:
    """Return the digests of an event's crops, one after the other."""
    return b"".join(map(digest_of, crops))


def event_digest(before: bytes, seq: int, event: RawEvent, crops: bytes) -> bytes:
    """Return the digest of an event.

    Parameters
    ----------
    before : bytes
        That of the event before it.
    crops : bytes
        The digests of its crops.

    Examples
    --------
    >>> renamed = RawEvent(1.5, "game_renamed", 2, b'{"kind":"game_renamed","name":"Friday"}')
    >>> whole = event_digest(NO_SEAL, 7, renamed, b"")
    >>> whole == event_digest(NO_SEAL, 7, renamed._replace(fact=renamed.fact.upper()), b"")
    False
    """
    return digest_of(_covered(before, seq, event, crops))


def _covered(before: bytes, seq: int, event: RawEvent, crops: bytes) -> bytes:
    """Return all that the digest of an event covers."""
    head = struct.pack(">QQId", seq, event.format, len(event.fact), event.at_s)
    return b"".join((before, head, event.fact, crops))


TIME_AT = DIGEST_BYTES + 20
FACT_AT = TIME_AT + 8
"""Where in what a digest covers the time and the text begin."""


@lru_cache(maxsize=64)  # a damaged game is read again and again
def mended(before: bytes, seq: int, event: RawEvent, seal: Seal) -> RawEvent | None:
    """Return an event as it was written, if no more than one byte of it is another now.

    Every byte is tried at every place of time and text: none but the right one has the digest.
    """
    if len(event.fact) > MOST_MENDED_BYTES:
        return None
    content = bytearray(_covered(before, seq, event, seal.crops))
    end = FACT_AT + len(event.fact)
    for at in range(TIME_AT, end):
        is_now = content[at]
        for content[at] in range(256):
            if digest_of(content) == seal.digest:
                (at_s,) = struct.unpack(">d", content[TIME_AT:FACT_AT])
                return event._replace(at_s=at_s, fact=bytes(content[FACT_AT:end]))
        content[at] = is_now
    return None


@dataclass(frozen=True)
class Vouching:
    """What a log's seals say of its events.

    Attributes
    ----------
    whole : dict of int to RawEvent
        By number, those that are as they were written.
    damaged : frozenset of int
        Those that are not, or cannot be shown to be.
    unsealed : dict of int to RawEvent
        Those without a seal: an older program wrote them, or the seal was lost.
    """

    whole: dict[int, RawEvent]
    damaged: frozenset[int]
    unsealed: dict[int, RawEvent]


def vouching(
    events: Mapping[int, Sequence[RawEvent]],
    seals: Mapping[int, Seal],
    crops_of: Callable[[int], bytes],
) -> Vouching:
    """Compare events with their seals.

    Where a seal itself is damaged or lost, the next one tells: it covers the one that was there.

    Parameters
    ----------
    events : mapping of int to sequence of RawEvent
        By number, whatever was found that may be the event; one, in a log that is whole.
    crops_of : callable
        Returns the digests of an event's crops as they are, where its seal cannot be believed.
    """
    whole: dict[int, RawEvent] = {}
    pending: dict[int, RawEvent] = {}
    unsealed: dict[int, RawEvent] = {}
    # The digest of the event before, as its seal says, and as the event itself does.
    stored: bytes | None = NO_SEAL
    reckoned: bytes | None = NO_SEAL
    for seq in sorted(events.keys() | seals.keys()):
        seal = seals.get(seq)
        if seq - 1 not in events:
            reckoned = NO_SEAL if seq == 1 else None
        if seq - 1 not in seals and seq > 1:
            stored = None
        befores = [before for before in (reckoned, stored) if before is not None]
        for before, event in ((b, e) for e in events.get(seq, ()) for b in befores):
            if seal is not None and _fits(seal, before, seq, event, crops_of):
                if before == reckoned:
                    whole |= pending
                whole[seq] = event
                stored = reckoned = seal.digest
                break
        else:
            if seq not in events:
                pending, stored = {}, seal and seal.digest
                continue
            first = events[seq][0]
            crops = crops_of(seq) if seal is None else seal.crops
            reckoned = event_digest(befores[0] if befores else NO_SEAL, seq, first, crops)
            stored = seal and seal.digest
            pending[seq] = first
            if seal is None:
                unsealed[seq] = first
            continue
        pending = {}
    unsealed = {seq: event for seq, event in unsealed.items() if seq not in whole}
    known = events.keys() | seals.keys()
    return Vouching(whole, frozenset(known - whole.keys() - unsealed.keys()), unsealed)


def _fits(
    seal: Seal, before: bytes, seq: int, event: RawEvent, crops_of: Callable[[int], bytes]
) -> bool:
    if event_digest(before, seq, event, seal.crops) == seal.digest:
        return True
    return event_digest(before, seq, event, crops_of(seq)) == seal.digest
