"""Enactments: a played game as people's hands do it on a real table, as a function of time."""

from .enactment import Enactment, Truth, enact
from .errors import HabitsError
from .habits import CALM, Habits
from .timeline import EnactedEvent, HandAt, LyingThing, Push, Reach, Stage, Timeline

__all__ = [
    "CALM",
    "EnactedEvent",
    "Enactment",
    "Habits",
    "HabitsError",
    "HandAt",
    "LyingThing",
    "Push",
    "Reach",
    "Stage",
    "Timeline",
    "Truth",
    "enact",
]
