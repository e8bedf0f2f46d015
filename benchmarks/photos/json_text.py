"""JSON of what a benchmark counted, the program's own sentences in it."""

from __future__ import annotations

import msgspec


def to_json(value: object) -> bytes:
    """Return a value as JSON; msgspec knows texts, and not the sentences that are texts too.

    Raises
    ------
    TypeError
        When something in it is neither.
    """
    return msgspec.json.encode(value, enc_hook=_plain)


def _plain(value: object) -> str:
    if isinstance(value, str):
        return value[:]
    raise TypeError(f"{type(value).__name__!r} is no JSON")
