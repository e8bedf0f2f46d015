"""Setting up a game by choosing: edition, players, camera, board; then it begins."""

from .cameras import Cameras, OfferedCamera
from .choices import Choices, ChosenPlayer, KeptChoices
from .chosen import Begun
from .editions_offered import OfferedEdition
from .errors import NotReadyError, SetUpError
from .opened_source import SourceView
from .planned_game import PlannedGame
from .plans import Given
from .rules_offered import OfferedRule, rules_offered
from .set_up_desk import SetUpDesk
from .set_up_view import Fault, SetUpView

__all__ = [
    "Begun",
    "Cameras",
    "Choices",
    "ChosenPlayer",
    "Fault",
    "Given",
    "KeptChoices",
    "NotReadyError",
    "OfferedCamera",
    "OfferedEdition",
    "OfferedRule",
    "PlannedGame",
    "SetUpDesk",
    "SetUpError",
    "SetUpView",
    "SourceView",
    "rules_offered",
]
