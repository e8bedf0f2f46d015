"""A game that is being set up, at one moment, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .cameras import OfferedCamera
from .choices import ChosenPlayer
from .editions_offered import OfferedEdition
from .opened_source import SourceView
from .rules_offered import OfferedRule

Step = Literal["edition", "players", "source", "calibration", "ready"]


@dataclass(frozen=True)
class Fault:
    """Something chosen that cannot stay so, in a sentence, and at which step."""

    step: Step
    said: str


@dataclass(frozen=True)
class SetUpView:
    """What was chosen, what there is to choose from, and what is missing.

    Attributes
    ----------
    step : str
        The first that is not done.
    editions : tuple of OfferedEdition
        What can be chosen.
    edition : OfferedEdition or None
        What is chosen; its colours are those that the players can have.
    rules : tuple of OfferedRule
        Which of its rules can be others.
    game : str
        The id of the game that is to go on; empty for a new one.
    begun : str
        The id of the game that has begun, once it has.
    """

    step: Step
    editions: tuple[OfferedEdition, ...]
    edition: OfferedEdition | None = None
    players: tuple[ChosenPlayer, ...] = ()
    cameras: tuple[OfferedCamera, ...] = ()
    source: SourceView | None = None
    house_rules: Mapping[str, int] = field(default_factory=dict)
    rules: tuple[OfferedRule, ...] = ()
    faults: tuple[Fault, ...] = ()
    game: str = ""
    begun: str = ""

    @property
    def may_begin(self) -> bool:
        """Whether the game can begin as it is."""
        return self.step == "ready" and not self.begun
