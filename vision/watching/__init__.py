"""Watching a board through a stream of frames: what changed, said late and surely."""

from .bare_print import BarePrint, agreed, bare_prints, completed, unseen_routes
from .belief import BeliefSettings, Expectation, SpaceReading, SpotReading
from .changes import Appeared, Change, Observation, QuestionAsked, QuestionWithdrawn, Vanished
from .emptiness import OccupiedReference, occupied
from .looks import Look, LookRead, read, read_track
from .motion import MotionSettings
from .questions import Answer, Occasion, Question, Questions
from .settling import SettlingSettings, WatchState
from .sighting import SightingSettings
from .watcher import Watcher, WatchSettings

__all__ = [
    "Answer",
    "Appeared",
    "BarePrint",
    "BeliefSettings",
    "Change",
    "Expectation",
    "Look",
    "LookRead",
    "MotionSettings",
    "Observation",
    "Occasion",
    "OccupiedReference",
    "Question",
    "QuestionAsked",
    "QuestionWithdrawn",
    "Questions",
    "SettlingSettings",
    "SightingSettings",
    "SpaceReading",
    "SpotReading",
    "Vanished",
    "WatchSettings",
    "WatchState",
    "Watcher",
    "agreed",
    "bare_prints",
    "completed",
    "occupied",
    "read",
    "read_track",
    "unseen_routes",
]
