"""A set-up at one moment: what is chosen and opened, what is missing, and the game it becomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from railspotter.calibration.profiles import Profile
from railspotter.vision.sources import Grabber

from ..calibration_desk import CalibrationDesk
from ..live_table import LiveTable
from .choices import Choices
from .editions_offered import OfferedEdition, offered
from .opened_source import OpenedSource, SourceView
from .planned_game import PlannedGame, own_trains
from .set_up_view import Fault, Step


@dataclass(frozen=True, eq=False)
class SetUpState:
    """All that is chosen and opened at one moment; `*_fault` says why something is not.

    Attributes
    ----------
    resumed : PlannedGame or None
        The game that is to go on.
    plan : PlannedGame or None
        What is to be played.
    profile : Profile or None
        What its board was to be read with before anybody calibrated here.
    """

    choices: Choices
    resumed: PlannedGame | None = None
    plan: PlannedGame | None = None
    source: OpenedSource | None = None
    profile: Profile | None = None
    calibration: CalibrationDesk | None = None
    source_fault: str = ""
    profile_fault: str = ""

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
        if self.profile_fault:
            faults.append(Fault("calibration", self.profile_fault))
        return tuple(faults)

    def step(self, source: SourceView | None, faults: tuple[Fault, ...]) -> Step:
        """Return the first step that is not done."""
        wrong = {fault.step for fault in faults}
        if self.plan is None:
            return "edition"
        if not self.plan.players or "players" in wrong:
            return "players"
        if source is None or not source.has_picture or "source" in wrong:
            return "source"
        is_found = self.calibration is not None and self.calibration.view().is_ready
        return "ready" if is_found and "calibration" not in wrong else "calibration"


@dataclass(frozen=True, eq=False)
class GameHandover:
    """A game that has begun, handed over to whoever plays it, who stops its grabber in the end.

    Attributes
    ----------
    is_new : bool
        Whether nothing but its beginning is in its log.
    set_up : callable
        Is to be handed the table before it begins to watch.
    """

    game: str
    is_new: bool
    grabber: Grabber
    profile: Profile
    set_up: Callable[[LiveTable], None]
