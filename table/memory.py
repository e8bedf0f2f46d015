"""Giving large pictures' memory back to the system at once."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

from .worker import Worker

# The numbers of two settings of glibc's `mallopt` (malloc.h).
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
# Bytes of a large block: more than a frame of 1920 x 1080 has, which is allocated anew ten times a
# second. Mapping those cost as much as decoding them (benchmarks/results/cost.md).
LARGE = 2**23
# Bytes that are kept at the end of a heap for what comes next. With the library's 128 kB every
# glance at the board took its memory from the system anew, which cost as much as the glance.
SPARE = 2**22

EVERY_S = 5.0  # Seconds until free memory is given back again. Chosen.


def let_large_blocks_be_freed() -> None:
    """Let the C library map every large block by itself, and give it back when it is freed.

    Left to itself it moves that limit up to 32 MB after the first large blocks, and keeps what
    threads leave in pieces: a table that watched at 1920 x 1080 then held 410 MB, and so 275.
    Libraries other than glibc are left as they are.
    """
    with suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, LARGE)
        library.mallopt(M_TRIM_THRESHOLD, SPARE)


class MemoryKeeper(Worker):
    """Gives free memory back now and then, while its `with` block runs.

    Readings, pages and uploads leave it in pieces between what is in use, on many threads: a table
    under attack held 440 to 540 MB, and so 260 to 400. It takes some 5 ms each time.
    """

    def __init__(self, every_s: float = EVERY_S) -> None:
        super().__init__("memory")
        self._every_s = every_s

    def _run(self) -> None:
        while not self._ended.wait(self._every_s):
            _trim()


def release_free_memory() -> None:
    """Give what is free back to the system, also between blocks that are in use.

    What a photo was read with is many small blocks on several threads, of which the C library keeps
    up to a gigabyte. A board and what is computed of it hold each other, so they are looked for
    first: that takes some 60 ms, and giving back some 10.
    """
    gc.collect()
    _trim()


def _trim() -> None:
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
