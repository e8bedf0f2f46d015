"""The hall: what a club's screen knows of all tables, from what they tell a broker."""

from .hall import Hall, HallTable, Heard, Ignored, Missing
from .hall_log import HallLog
from .listening import HallListener, HallNews

__all__ = [
    "Hall",
    "HallListener",
    "HallLog",
    "HallNews",
    "HallTable",
    "Heard",
    "Ignored",
    "Missing",
]
