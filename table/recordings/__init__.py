"""A game's frames on the disk, and the same frames watched once more."""

from .recorder import Recorder
from .recording import HEAD, RecordedFrames, Recording
from .replay import Due, Replayed, Seen, replay

__all__ = [
    "HEAD",
    "Due",
    "RecordedFrames",
    "Recorder",
    "Recording",
    "Replayed",
    "Seen",
    "replay",
]
