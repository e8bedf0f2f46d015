"""Waiting for what comes to be so."""

import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 90.0  # for a busy machine: alone, each wait takes some seconds
SOON_S, SELDOM_S, SLOWER = 0.01, 0.1, 1.2


def until(found: Callable[[], Any], patience_s: float = PATIENCE_S, what: object = "") -> Any:
    """Ask until the answer is true, ever less often, and return it; `what` never came to be."""
    give_up_s, pause_s = time.monotonic() + patience_s, SOON_S
    while not (answer := found()):
        assert time.monotonic() < give_up_s, what or "it never came to that"
        time.sleep(pause_s)
        pause_s = min(SLOWER * pause_s, SELDOM_S)
    return answer
