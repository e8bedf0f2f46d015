"""What a simulation raises; each of its rooms has errors of its own under this one."""

from __future__ import annotations


class SimulationError(Exception):
    """A drawn game cannot be as it was asked for; the text says why."""
