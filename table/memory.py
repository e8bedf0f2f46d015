"""Giving large pictures' memory back to the system at once."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""The numbers of two settings of glibc's `mallopt` (malloc.h)."""
LARGE = 2**23
"""Bytes of a large block: more than a frame of 1920 x 1080 has, which is allocated anew ten times a
second. Mapping those cost as much as decoding them (benchmarks/results/cost.md)."""
SPARE = 2**22
"""Bytes that are kept at the end of a heap for what comes next. With the library's 128 kB every
glance at the board took its memory from the system anew, which cost as much as the glance."""


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


def give_back_free_memory() -> None:
    """Give what is free back to the system, also between blocks that are in use.

    What a photo was read with is many small blocks on several threads, of which the C library keeps
    up to a gigabyte. A board and what is computed of it hold each other, so they are looked for
    first: that takes some 60 ms, and giving back some 10.
    """
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
