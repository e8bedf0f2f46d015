"""Seals: a checksum for each event of a log, chained, so that damage to the file is noticed.

The seal of an event covers its number, time, format and text, the digests of its crops, and the
seal of the event before it. It is against disks that forget, not against people: whoever can write
the file can write seals too. So nothing in it is secret.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from typing import NamedTuple

DIGEST_BYTES = 16  # 128 bits: no damage ever meets them by chance
NO_SEAL = bytes(DIGEST_BYTES)  # what stands before the first event


class RawEvent(NamedTuple):
    """An event as it is stored, not yet read."""

    at_s: float
    format: int
    fact: bytes  # JSON in UTF-8, in `format`


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

    Examples
    --------
    >>> renamed = RawEvent(1.5, 2, b'{"kind":"game_renamed","name":"Friday"}')
    >>> whole = event_digest(NO_SEAL, 7, renamed, b"")
    >>> whole == event_digest(NO_SEAL, 7, renamed._replace(fact=renamed.fact.upper()), b"")
    False
    """
    head = struct.pack(">QQId", seq, event.format, len(event.fact), event.at_s)
    return digest_of(b"".join((before, head, event.fact, crops)))
