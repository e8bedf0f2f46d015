"""Watching a board through a stream of frames: what changed, said late and surely."""

from .bare_print import BarePrint, agreed, bare_prints, completed, unseen_routes
from .belief import BeliefSettings, Expectation, Seen
from .changes import Appeared, Asked, Change, Observation, QuestionWithdrawn, Vanished
from .emptiness import Occupied, occupied
from .looks import Look, LookRead, read
from .motion import MotionSettings
from .settling import SettlingSettings, State
from .sighting import SightingSettings
from .spots import Spot
from .watcher import Watcher, WatchSettings

__all__ = [
    "Appeared",
    "Asked",
    "BarePrint",
    "BeliefSettings",
    "Change",
    "Expectation",
    "Look",
    "LookRead",
    "MotionSettings",
    "Observation",
    "Occupied",
    "QuestionWithdrawn",
    "Seen",
    "SettlingSettings",
    "SightingSettings",
    "Spot",
    "State",
    "Vanished",
    "WatchSettings",
    "Watcher",
    "agreed",
    "bare_prints",
    "completed",
    "occupied",
    "read",
    "unseen_routes",
]
