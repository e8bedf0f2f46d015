"""Setting up a game by choosing: edition, players, camera, board; then it begins."""

from .cameras import Cameras, OfferedCamera
from .choices import MOST_LETTERS, Choices, ChosenPlayer, Players, Rules, kept_choices, parse_player
from .chosen import Begun
from .demo import LIVE_SEED, DemoTable, demo_score, demo_scorer, demo_table
from .editions_offered import OfferedEdition
from .errors import NotReadyError, SetUpError
from .opened_source import SourceView
from .planned_game import PlannedGame, seated
from .plans import Given
from .rules_offered import OfferedRule, rules_offered
from .set_up_desk import SetUpDesk
from .set_up_view import Fault, SetUpView

__all__ = [
    "LIVE_SEED",
    "MOST_LETTERS",
    "Begun",
    "Cameras",
    "Choices",
    "ChosenPlayer",
    "DemoTable",
    "Fault",
    "Given",
    "NotReadyError",
    "OfferedCamera",
    "OfferedEdition",
    "OfferedRule",
    "PlannedGame",
    "Players",
    "Rules",
    "SetUpDesk",
    "SetUpError",
    "SetUpView",
    "SourceView",
    "demo_score",
    "demo_scorer",
    "demo_table",
    "kept_choices",
    "parse_player",
    "rules_offered",
    "seated",
]
