"""Giving large pictures' memory back to the system at once."""

from __future__ import annotations

import ctypes
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Of glibc's `mallopt` (malloc.h)."""
LARGE = 2**23
"""More than a frame of 1920 x 1080, which is allocated anew ten times a second: mapping those cost
as much as decoding them (benchmarks/results/cost.md)."""
SPARE = 2**22
"""So much is kept at the end of a heap for what comes next: with the library's 128 kB every glance
at the board took its memory from the system anew, which cost as much as what was computed there."""


def give_back_large_memory() -> None:
    """Let the C library map every large block by itself, and give it back when it is freed.

    Left to itself it moves that limit up to 32 MB after the first large blocks, and keeps what
    threads leave in pieces: a table that watched at 1920 x 1080 then held 410 MB, and so 275.
    Libraries other than glibc are left as they are.
    """
    with suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, LARGE)
        library.mallopt(M_TRIM_THRESHOLD, SPARE)
