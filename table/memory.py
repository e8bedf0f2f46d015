"""Returning freed memory to the operating system, which glibc's malloc would hold back."""

import ctypes
import gc
from contextlib import suppress

from .worker import Worker

# The numbers of three settings of glibc's `mallopt` (malloc.h).
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
# Blocks from this size are mapped: above a frame of 1920 x 1080, which is allocated ten times a
# second. Mapping those cost as much as decoding them (benchmarks/results/cost.md).
LARGE_BYTES = 2**23
# Free bytes at the heap's end. With the library's 128 kB asking for more cost as much as a look.
SPARE_BYTES = 2**22

EVERY_S = 5.0  # Chosen.


def configure_malloc() -> None:
    """Configure glibc's malloc to map large blocks, and to have one heap for all threads.

    By default a table that watched at 1920 x 1080 took 410 MB instead of 275; and the ends of other
    heaps, which `malloc_trim` leaves alone, grew game by game. A no-op for other C libraries.
    """
    with suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
        library.mallopt(M_TRIM_THRESHOLD, SPARE_BYTES)
        library.mallopt(M_ARENA_MAX, 1)


class MemoryTrimmer(Worker):
    """A thread that returns free memory to the system every few seconds.

    Readings, pages and uploads fragment it over many threads: a table under attack took 440 to
    540 MB without, 260 to 400 with it. A run takes some 5 ms.
    """

    def __init__(self, every_s: float = EVERY_S) -> None:
        super().__init__("memory")
        self._every_s = every_s

    def _run(self) -> None:
        while not self._stop_event.wait(self._every_s):
            _trim()


def release_free_memory() -> None:
    """Collect garbage and return free memory to the system.

    Reading a photo leaves many small blocks on several threads, of which the C library holds back
    up to a gigabyte. A board and what is computed from it are a reference cycle, so the collector
    runs first, some 60 ms; trimming takes some 10.
    """
    gc.collect()
    _trim()


def _trim() -> None:
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
