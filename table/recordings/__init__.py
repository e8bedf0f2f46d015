"""A game's frames on the disk."""

from .recorder import Recorder

__all__ = ["Recorder"]
