"""Setting up a game by choosing: edition, players, camera, board; then it begins."""

from .cameras import Cameras, OfferedCamera
from .choices import (
    MOST_LETTERS,
    Cards,
    Choices,
    ChosenPlayer,
    Players,
    Rules,
    kept_choices,
    parse_computer,
    parse_player,
)
from .demo import LIVE_SEED, DemoTable, demo_score, demo_scorer, demo_table
from .errors import NotReadyError, SetUpError
from .offers import OfferedEdition, OfferedRule, rules_offered
from .opened_source import SourceView
from .planned_game import PlannedGame, Preset, seated
from .set_up_desk import SetUpDesk
from .set_up_state import Fault, GameHandover, SetUpView

__all__ = [
    "LIVE_SEED",
    "MOST_LETTERS",
    "Cameras",
    "Cards",
    "Choices",
    "ChosenPlayer",
    "DemoTable",
    "Fault",
    "GameHandover",
    "NotReadyError",
    "OfferedCamera",
    "OfferedEdition",
    "OfferedRule",
    "PlannedGame",
    "Players",
    "Preset",
    "Rules",
    "SetUpDesk",
    "SetUpError",
    "SetUpView",
    "SourceView",
    "demo_score",
    "demo_scorer",
    "demo_table",
    "kept_choices",
    "parse_computer",
    "parse_player",
    "rules_offered",
    "seated",
]
