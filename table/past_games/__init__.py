"""What is kept of games that are over: summaries and records."""

from . import records
from .reading_mark import MOST_TRIES, ReadingMark
from .summaries import (
    IndexedSummary,
    Problem,
    Stamp,
    Summary,
    changed_at_s,
    key_of,
    public_standing,
    read_index,
    stamp_of,
    stamps,
    summary_of,
    write_index,
)

__all__ = [
    "MOST_TRIES",
    "IndexedSummary",
    "Problem",
    "ReadingMark",
    "Stamp",
    "Summary",
    "changed_at_s",
    "key_of",
    "public_standing",
    "read_index",
    "records",
    "stamp_of",
    "stamps",
    "summary_of",
    "write_index",
]
