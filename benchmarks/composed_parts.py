"""Parts of a picture: rows and columns that are painted together."""

from __future__ import annotations

Part = tuple[slice, slice]
"""Rows and columns."""


def overlap(first: Part, second: Part) -> bool:
    """Tell whether two parts share a pixel."""
    return all(a.start < b.stop and b.start < a.stop for a, b in zip(first, second, strict=True))


def within(part: Part, whole: Part) -> Part:
    """Return what of a part lies in a whole, counted from the whole's corner."""
    rows, columns = (
        slice(max(a.start - b.start, 0), min(a.stop, b.stop) - b.start)
        for a, b in zip(part, whole, strict=True)
    )
    return rows, columns


def shifted(part: Part, whole: Part) -> Part:
    """Undo what `within` counted off."""
    rows, columns = (
        slice(a.start + b.start, a.stop + b.start) for a, b in zip(part, whole, strict=True)
    )
    return rows, columns


def union(first: Part, second: Part) -> Part:
    """Return the smallest part that holds both."""
    rows, columns = (
        slice(min(a.start, b.start), max(a.stop, b.stop))
        for a, b in zip(first, second, strict=True)
    )
    return rows, columns
