"""What FFmpeg reads of the network comes by a port of this computer, at which this program listens.

FFmpeg itself would resolve a name a second time, and go wherever a camera's answer leads it.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from threading import Thread

LOOPBACK = "127.0.0.1"


@contextmanager
def relayed(pass_on: Callable[[socket.socket], None], timeout_s: float) -> Iterator[int]:
    """Listen for one reader, and let a thread pass on to it; yield the port.

    Parameters
    ----------
    pass_on : callable
        Is handed the reader's connection, which is closed afterwards. What it meets at the other
        end, or when the reader is gone, ends it.
    timeout_s : float
        Longest wait for the reader.
    """

    def work() -> None:
        # The reader sees the end of what comes, and says so.
        with suppress(OSError, HTTPException, ValueError):
            reader, _ = listener.accept()
            with reader:
                connections.append(reader)
                pass_on(reader)

    connections: list[socket.socket] = []
    with socket.create_server((LOOPBACK, 0), backlog=1) as listener:
        listener.settimeout(timeout_s)
        connections.append(listener)
        thread = Thread(target=work, name="stream relay", daemon=True)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            # Closing alone would not wake a thread that waits in one of them.
            for connection in connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            # It may still wait for the camera, for no longer than that has time to answer.
            thread.join()
