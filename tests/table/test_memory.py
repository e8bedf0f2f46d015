"""Free memory goes back to the system, also while everything goes on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from railspotter.table.memory import MemoryTrimmer
from waiting import until

BLOCKS, BYTES = 1200, 2**16


# Threads that stay allocate less than a heap's end may hold back, and free it.
FREED_BY_EACH = 3_000_000
FREEING_THREADS = f"""
import threading
from pathlib import Path
from railspotter.table.memory import configure_malloc, release_free_memory
configure_malloc()
together, is_over = threading.Barrier(9), threading.Event()
def work(size=1000):
    blocks = [b"x" * size for _ in range({FREED_BY_EACH // 1000})]
    together.wait()  # all is there
    together.wait()  # it was looked at
    blocks.clear()
    together.wait()
    is_over.wait()
for _ in range(8):
    threading.Thread(target=work).start()
together.wait()
print(Path("/proc/self/status").read_text("ascii"))
together.wait()
together.wait()
release_free_memory()
print(Path("/proc/self/status").read_text("ascii"))
is_over.set()
"""


def held_mb() -> float:
    said = Path("/proc/self/status").read_text("ascii")
    return int(re.findall(r"VmRSS:\s+(\d+)", said)[0]) / 1024


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc is told to")
def test_what_lies_in_pieces_between_what_is_in_use_is_given_back() -> None:
    blocks = [b"x" * BYTES for _ in range(BLOCKS)]
    for at in range(0, BLOCKS):
        if at % 30:
            blocks[at] = b""  # what is left keeps the heap from shrinking
    before_mb = held_mb()
    with MemoryTrimmer(every_s=0.01):
        until(lambda: held_mb() <= before_mb - 0.5 * BLOCKS * BYTES / 2**20)
    assert any(blocks)


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc is told to")
def test_what_threads_that_stay_have_freed_is_given_back() -> None:
    running = [sys.executable, "-c", FREEING_THREADS]
    said = subprocess.run(running, capture_output=True, text=True, check=True).stdout
    full_kb, left_kb = map(int, re.findall(r"VmRSS:\s+(\d+)", said))
    assert full_kb - left_kb > 0.7 * 8 * FREED_BY_EACH / 1024
