"""Photos that phones send are read in a process of their own: see `PhotoReader`."""

from .messages import ReadingPlan
from .reader import Files, PhotoReader

__all__ = ["Files", "PhotoReader", "ReadingPlan"]
