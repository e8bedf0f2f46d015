"""Free memory goes back to the system, also while everything goes on."""

import re
import sys
from pathlib import Path

import pytest
from railspotter.table.memory import MemoryTrimmer
from waiting import until

BLOCKS, BYTES = 1200, 2**16


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
