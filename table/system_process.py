"""Processes and their limits: the one place where systems differ in them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

NICE = 10
# How many files a program may have open there, which has no way to ask.
MOST_FILES_OF_WINDOWS = 2**13


def apart() -> dict[str, Any]:
    """Return how a process is begun (`subprocess.Popen`) that Ctrl-C is not for, but its parent."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS
        return {"creationflags": flags}
    return {"process_group": 0}


def lower_priority() -> None:
    """Let other processes go first; on Windows whoever begins this one has said so."""
    if sys.platform != "win32":
        os.nice(NICE)


def limit_memory(more: int) -> None:
    """Let this process take so many more bytes than it has, where the system has such a limit."""
    if sys.platform == "linux":
        import resource

        # The program's data, the sixth number (proc_pid_statm(5)), in pages.
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[5])
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = pages * resource.getpagesize() + more
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def limit_processor_time(more_s: float) -> None:
    """Let this process take so many more seconds of processor time; 0 lifts the limit.

    What it waits for others, who have the processor, counts for nothing. Windows has no such limit.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, more_s)


def ran_out_of_time(code: int | None) -> bool:
    """Tell by the exit code of a process whether it ended over `limit_processor_time`."""
    return sys.platform != "win32" and code == -signal.SIGPROF


def most_files() -> int:
    """Return how many files this process may have open."""
    if sys.platform == "win32":
        return MOST_FILES_OF_WINDOWS
    import resource

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
