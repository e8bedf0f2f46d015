"""A game's frames on the disk, and the same frames watched once more."""

from .recorder import Recorder
from .recording import HEAD, RecordedFrames, Recording
from .replay import ReplayResult, Schedule, SeenClaim, replay

__all__ = [
    "HEAD",
    "RecordedFrames",
    "Recorder",
    "Recording",
    "ReplayResult",
    "Schedule",
    "SeenClaim",
    "replay",
]
