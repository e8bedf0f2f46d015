"""What a test shares with the next one, and how to see that it changed."""

import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path

SET_BY_PYTEST = frozenset({"PYTEST_CURRENT_TEST"})


@dataclass(frozen=True)
class Surroundings:
    """The running threads, the current directory and the environment at one moment.

    Threads that OpenCV and numpy keep for their work are not Python's and are not seen here.
    """

    threads: frozenset[threading.Thread]
    directory: Path
    environment: dict[str, str]

    @classmethod
    def now(cls) -> "Surroundings":
        environment = {key: os.environ[key] for key in os.environ if key not in SET_BY_PYTEST}
        return cls(frozenset(threading.enumerate()), Path.cwd(), environment)

    def changes(self, patience_s: float) -> list[str]:
        """Say what is different now; a thread may take so long to end."""
        deadline = time.monotonic() + patience_s
        for thread in threading.enumerate():
            if thread not in self.threads:
                thread.join(max(0.0, deadline - time.monotonic()))
        now = Surroundings.now()
        said = [f"the thread {thread.name!r} is running" for thread in now.threads - self.threads]
        if now.directory != self.directory:
            said.append(f"the current directory is {str(now.directory)!r}")
        for key in sorted(self.environment.keys() | now.environment.keys()):
            if self.environment.get(key) != now.environment.get(key):
                said.append(f"the environment's {key} is {now.environment.get(key)!r}")
        return said
