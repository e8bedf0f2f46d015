"""A set-up at one moment: what is chosen and opened, what is missing, and as it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.vision.sources.grabber import Grabber

from ..live_calibration.live_calibration import LiveCalibration
from ..live_table.live_table import LiveTable
from .cameras import OfferedCamera, OpenedSource, SourceView
from .choices import Cards, Choices, ChosenPlayer
from .offers import OfferedEdition, OfferedRule, offered
from .planned_game import PlannedGame, own_trains

Step = Literal["edition", "players", "source", "calibration", "ready"]


@dataclass(frozen=True)
class Fault:
    """Something chosen that cannot stay so, in a sentence, and at which step."""

    step: Step
    said: Sentence


@dataclass(frozen=True)
class SetUpView:
    """What was chosen, what there is to choose from, and what is missing."""

    step: Step  # the first that is not done
    editions: tuple[OfferedEdition, ...]  # what can be chosen
    # What is chosen; its colours are those that the players can have.
    edition: OfferedEdition | None = None
    players: tuple[ChosenPlayer, ...] = ()
    cameras: tuple[OfferedCamera, ...] = ()
    source: SourceView | None = None
    house_rules: Mapping[str, int] = field(default_factory=dict)
    rules: tuple[OfferedRule, ...] = ()  # which of its rules can be others
    faults: tuple[Fault, ...] = ()
    game: str = ""  # the id of the game that is to go on; empty for a new one
    begun: str = ""  # the id of the game that has begun, once it has
    cards: Cards = "table"  # where the train cards and tickets are
    any_number: bool = False  # whether so many play though the box says otherwise

    @property
    def may_begin(self) -> bool:
        """Whether the game can begin as it is."""
        return self.step == "ready" and not self.begun


@dataclass(frozen=True, eq=False)
class SetUpState:
    """All that is chosen and opened at one moment; `*_fault` says why something is not."""

    choices: Choices
    resumed: PlannedGame | None = None  # the game that is to go on
    plan: PlannedGame | None = None  # what is to be played
    source: OpenedSource | None = None
    # What its board was to be read with before anybody calibrated here.
    profile: Profile | None = None
    calibration: LiveCalibration | None = None
    source_fault: Sentence = NOTHING
    profile_fault: Sentence = NOTHING

    @property
    def read_with(self) -> Profile | None:
        """What the board is to be read with."""
        return self.profile if self.calibration is None else self.calibration.profile

    @property
    def edition(self) -> OfferedEdition | None:
        """The edition, with the colours that the players can have."""
        if self.plan is None:
            return None
        return offered(self.plan.board, self.plan.edition, own_trains(self.read_with))

    def source_view(self) -> SourceView | None:
        """Return what the source does."""
        if self.source is not None:
            return self.source.view()
        if self.source_fault:
            return SourceView(self.choices.source, self.source_fault, is_over=True)
        return None

    def faults(self, source: SourceView | None) -> tuple[Fault, ...]:
        """Return what cannot stay so, the first step first."""
        faults: list[Fault] = []
        edition = self.edition
        if self.plan is not None and edition is not None:
            said = self.plan.faults(self.read_with, edition.colours)
            faults += [Fault("players", one) for one in said]
        if source is not None and source.is_over:
            faults.append(Fault("source", source.said))
        if self.profile_fault and (source is None or source.has_camera):
            faults.append(Fault("calibration", self.profile_fault))
        return tuple(faults)

    def step(self, source: SourceView | None, faults: tuple[Fault, ...]) -> Step:
        """Return the first step that is not done."""
        wrong = {fault.step for fault in faults}
        if self.plan is None:
            return "edition"
        if not self.plan.players or "players" in wrong:
            return "players"
        if source is None or "source" in wrong:
            return "source"
        if not source.has_camera:
            return "ready"
        if not source.has_picture:
            return "source"
        is_found = self.calibration is not None and self.calibration.view().is_ready
        return "ready" if is_found and "calibration" not in wrong else "calibration"


@dataclass(frozen=True, eq=False)
class GameHandover:
    """A game that has begun, handed over to whoever plays it, who stops its grabber in the end."""

    game: str
    is_new: bool  # whether nothing but its beginning is in its log
    grabber: Grabber
    profile: Profile | None  # None without a camera
    set_up: Callable[[LiveTable], None]  # is to be handed the table before it begins to watch
