"""Readers: different ways from a look at a found board to what stands on its routes.

They share one signature, so that a better one can take a simple one's place, and two can be
compared on the same photos (`benchmarks/read_photos.py --reader`).
"""

from __future__ import annotations

from collections.abc import Callable

from ..look import View
from ..readings import Reading
from .colour_reader import read_by_colour
from .cue_reader import read_by_cues

Reader = Callable[[View], Reading]

READERS: dict[str, Reader] = {"cues": read_by_cues, "colour": read_by_colour}
"""The readers by name; the first is what the program uses."""
DEFAULT_READER = "cues"
