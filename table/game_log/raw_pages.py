"""The rows of a game's file that SQLite refuses to read, taken from its pages one by one.

SQLite finds rows by way of other pages, and gives up where one of them is damaged. Here every page
is looked at by itself: what looks like a row of a log is taken for one, and whether it is whole the
seals say. Pages that a killed program left in the write-ahead log are looked at too.

References
----------
https://www.sqlite.org/fileformat2.html, sections 1.6 (pages), 2.1 (records), 4 (write-ahead log).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from .seals import DIGEST_BYTES, RawEvent, Seal

Value = int | float | bytes | str | None
PAGE_BYTES = 4096
"""SQLite's own choice; no log was ever written with another."""
MOST_VALUE_BYTES = 2**24
"""The largest row: a start with a board of one's own, or a crop."""
MOST_COLUMNS = 8
LEAF = 13
"""The first byte of a page with rows in it."""
WAL_HEAD, FRAME_HEAD = 32, 24


class RawPages:
    """What is found in the pages of a game's file.

    Parameters
    ----------
    path : Path
        Raises `OSError` where there is none.

    Attributes
    ----------
    events : dict of int to list of RawEvent
        By number, whatever looks like the event.
    seals : dict of int to Seal
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.events: dict[int, list[RawEvent]] = {}
        self.seals: dict[int, Seal] = {}
        self._crops: dict[int, dict[int, tuple[int, int]]] = {}
        self._count = path.stat().st_size // PAGE_BYTES
        self._newer = dict(_pages_beside(path.with_name(path.name + "-wal")))
        with path.open("rb", buffering=0) as self._file:
            for number in range(1, max((self._count, *self._newer)) + 1):
                self._take(number)

    def crops(self, seq: int) -> tuple[bytes, ...]:
        """Return the crops of an event, as they are."""
        found: list[bytes] = []
        with self._path.open("rb", buffering=0) as self._file:
            for _, (number, place) in sorted(self._crops.get(seq, {}).items()):
                cell = self._cell(self._page(number), place)
                if cell is not None and isinstance(cell[1][-1], bytes):
                    found.append(cell[1][-1])
        return tuple(found)

    def _take(self, number: int) -> None:
        page = self._page(number)
        head = 100 if number == 1 else 0
        if len(page) < PAGE_BYTES or page[head] != LEAF:
            return
        count = min(int.from_bytes(page[head + 3 : head + 5], "big"), PAGE_BYTES // 4)
        for i in range(count):
            at = head + 8 + 2 * i
            place = int.from_bytes(page[at : at + 2], "big")
            cell = self._cell(page, place)
            if cell is not None:
                self._enter(*cell, (number, place))

    def _enter(self, row: int, values: list[Value], where: tuple[int, int]) -> None:
        match values:
            case [None, int() | float() as at_s, str() as kind, int() as format, str() as fact]:
                if row > 0 and 0 < format < 2**32:
                    event = RawEvent(float(at_s), kind, format, fact.encode(errors=ODD))
                    self.events.setdefault(row, []).append(event)
            case [None, bytes() as crops, bytes() as digest] if len(digest) == DIGEST_BYTES:
                if row > 0:
                    self.seals[row] = Seal(crops, digest)
            case [int() as seq, int() as number, bytes()]:
                self._crops.setdefault(seq, {})[number] = where

    def _cell(self, page: bytes, place: int) -> tuple[int, list[Value]] | None:
        """Return a row's number and values; None where there is none."""
        try:
            size, at = _varint(page, place)
            row, at = _varint(page, at)
            if not 0 < size <= MOST_VALUE_BYTES:
                return None
            payload = self._payload(page, at, size)
            return None if payload is None else (row, _record(payload))
        except (IndexError, ValueError, struct.error):
            return None

    def _payload(self, page: bytes, at: int, size: int) -> bytes | None:
        """Return the content of a cell, of which a large one goes on in other pages."""
        most, least = PAGE_BYTES - 35, (PAGE_BYTES - 12) * 32 // 255 - 23
        here = size
        if size > most:
            here = least + (size - least) % (PAGE_BYTES - 4)
            here = here if here <= most else least
        parts, got = [page[at : at + here]], here
        following = int.from_bytes(page[at + here : at + here + 4], "big")
        while got < size:
            page = self._page(following)
            if len(page) < PAGE_BYTES:
                return None
            parts.append(page[4:])
            got += PAGE_BYTES - 4
            following = int.from_bytes(page[:4], "big")
        return b"".join(parts)[:size]

    def _page(self, number: int) -> bytes:
        """Return a page; nothing where the file has none, or the disk does not give it."""
        if number in self._newer:
            return self._newer[number]
        if not 1 <= number <= self._count:
            return b""
        try:
            self._file.seek((number - 1) * PAGE_BYTES)
            return self._file.read(PAGE_BYTES)
        except OSError:
            return b""


ODD = "surrogateescape"
"""How bytes that are no UTF-8 are kept as they are."""


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return an integer of 1 to 9 bytes, and where what follows it begins."""
    value = 0
    for i in range(8):
        byte = data[at + i]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + i + 1
    value = value << 8 | data[at + 8]
    return value - (value >> 63 << 64), at + 9


def _record(payload: bytes) -> list[Value]:
    """Return the values of a row; raises `ValueError` where it has not what it should have."""
    end, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
        if len(kinds) > MOST_COLUMNS:
            raise ValueError("too many columns")
    values: list[Value] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    return values


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    size = 8 if kind == 7 else (0, 1, 2, 3, 4, 6, 8)[kind] if kind < 7 else (kind - 12) // 2
    content = payload[at : at + size]
    if len(content) < size or kind in (10, 11):
        raise ValueError("a row that ends too early")
    if kind < 7:
        return int.from_bytes(content, "big", signed=True), at + size
    if kind == 7:
        (real,) = struct.unpack(">d", content)
        return float(real), at + size
    return (content.decode(errors=ODD) if kind % 2 else content), at + size


def _pages_beside(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the pages of a write-ahead log, with their numbers, the newest of a number last."""
    try:
        content = path.read_bytes()
    except OSError:
        return
    salts = content[16:24]
    for at in range(WAL_HEAD, len(content) - FRAME_HEAD - PAGE_BYTES + 1, FRAME_HEAD + PAGE_BYTES):
        number = int.from_bytes(content[at : at + 4], "big")
        if content[at + 8 : at + 16] == salts and 0 < number < 2**20:
            yield number, content[at + FRAME_HEAD : at + FRAME_HEAD + PAGE_BYTES]
