"""Process priority and resource limits on each operating system."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

NICE = 10
# Windows' limit of open files, which cannot be queried.
MOST_FILES_OF_WINDOWS = 2**13


def new_group_options(*, gives_way: bool) -> dict[str, Any]:
    """Return `subprocess.Popen` options for a child that Ctrl-C in the terminal does not reach.

    On Windows one that `gives_way` has a lower priority.
    """
    if sys.platform == "win32":
        lower = subprocess.BELOW_NORMAL_PRIORITY_CLASS if gives_way else 0
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | lower}
    return {"process_group": 0}


def lower_priority(pid: int) -> None:
    """Lower a child's priority; on Windows `new_group_options` did that at its start."""
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, pid, NICE)


def limit_memory(more: int) -> None:
    """Limit this process's memory to `more` bytes above its present size; Linux only."""
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
    """Kill this process after so many more seconds of CPU time; 0 removes the limit.

    Waiting does not count. A no-op on Windows.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, more_s)


def ran_out_of_time(code: int | None) -> bool:
    """Tell whether a process's exit code is that of `limit_processor_time`."""
    return sys.platform != "win32" and code == -signal.SIGPROF


def is_running(pid: int) -> bool:
    """Tell whether there is a process of this number; on Windows nobody can ask without harm."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(pid, 0)
    except OSError as error:  # another user's may not be asked
        return isinstance(error, PermissionError)
    return True


def most_files() -> int:
    """Return this process's limit of open files."""
    if sys.platform == "win32":
        return MOST_FILES_OF_WINDOWS
    import resource

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
