"""The state of a set-up, and its view for the page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import msgspec
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.gaps import board_gaps
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.vision.colours.learned_colours import are_own_trains

from ..boards.board_choice import UNREADABLE, board_editions, calibration_advice
from ..live_calibration.live_calibration import LiveCalibration
from .cameras import OfferedCamera, OpenedSource, SourceView
from .offers import OfferedEdition, OfferedRule, RuleValue, offered, rules_offered
from .planned_game import Cards, Choices, ChosenPlayer, PlannedGame

Step = Literal["edition", "players", "source", "calibration", "ready"]


class Fault(msgspec.Struct, frozen=True):
    """A problem with a choice, and the step where it can be fixed."""

    step: Step
    said: Sentence


class SetUpView(msgspec.Struct, frozen=True):
    """The page's view of a set-up: choices, offers and problems."""

    step: Step  # the first unfinished one
    editions: tuple[OfferedEdition, ...]  # the offers
    # The chosen one, with the colours that players can choose.
    edition: OfferedEdition | None
    players: tuple[ChosenPlayer, ...]
    cameras: tuple[OfferedCamera, ...]
    source: SourceView | None
    house_rules: dict[str, RuleValue]
    rules: tuple[OfferedRule, ...]  # the rules that can be changed
    cards: Cards  # where the train cards and tickets are
    any_number: bool  # whether a number of players beyond the rules is allowed
    faults: tuple[Fault, ...]
    # Warnings: what the board lacks for these rules, and advice to calibrate.
    gaps: tuple[Sentence, ...]
    own_board_rules: dict[str, str]  # titles of editions for the user's own board, by id
    may_begin: bool
    game: str | None  # the id of the game to resume; None for a new one
    begun: str | None  # the id of the game, once it has begun


@dataclass(frozen=True, eq=False)
class SetUpState:
    """A snapshot of choices and opened resources; `*_fault` is why one could not be opened."""

    choices: Choices
    resumed: PlannedGame | None = None  # the game to resume
    plan: PlannedGame | None = None  # the game to play
    source: OpenedSource | None = None
    profile: Profile | None = None  # the initial one, before calibration
    calibration: LiveCalibration | None = None
    source_fault: Sentence = NOTHING
    profile_fault: Sentence = NOTHING

    @property
    def read_with(self) -> Profile | None:
        """The current profile."""
        return self.profile if self.calibration is None else self.calibration.profile

    @property
    def edition(self) -> OfferedEdition | None:
        """The chosen edition, with the colours that players can choose."""
        if self.plan is None:
            return None
        trains = self.read_with.colours if self.read_with else {}
        own = tuple(name for name, lights in trains.items() if are_own_trains(lights))
        return offered(self.plan.board, self.plan.edition, own)

    def view(
        self,
        editions: tuple[OfferedEdition, ...],
        cameras: tuple[OfferedCamera, ...],
        begun: str | None,
    ) -> SetUpView:
        """Return the page's view."""
        plan, choices, source = self.plan, self.choices, None
        if self.source is not None:
            source = self.source.view()
        elif self.source_fault:
            source = SourceView(choices.source, self.source_fault, is_over=True)
        faults = self.faults(source)
        step = self.step(source, faults)
        return SetUpView(
            step=step,
            editions=editions,
            edition=self.edition,
            players=plan.players if plan else choices.players,
            cameras=cameras,
            source=source,
            house_rules=plan.house_rules if plan else {},
            rules=rules_offered(plan.edition, plan.board) if plan and not plan.game else (),
            cards=plan.where_cards if plan else choices.cards,
            any_number=plan is not None and plan.is_number_house_rule,
            faults=faults,
            gaps=tuple(self.gaps(source)),
            own_board_rules={one.id: one.title for one in board_editions()},
            may_begin=step == "ready" and begun is None,
            game=(plan and plan.game) or None,
            begun=begun,
        )

    def gaps(self, source: SourceView | None) -> Iterator[Sentence]:
        """Yield warnings that do not prevent playing."""
        if self.plan is None:
            return
        yield from board_gaps(self.plan.board, self.plan.edition)
        note = calibration_advice(self.plan.edition, self.read_with)
        if note and (source is None or source.has_camera):
            yield note

    def faults(self, source: SourceView | None) -> tuple[Fault, ...]:
        """Return the problems, the first step's first."""
        faults: list[Fault] = []
        edition = self.edition
        if self.plan is not None and edition is not None:
            sentences = self.plan.faults(self.read_with, edition.colours)
            faults += [Fault("players", one) for one in sentences]
        if source is not None and source.is_over:
            faults.append(Fault("source", source.said))
        is_watched = source is not None and source.has_camera
        if self.plan is not None and is_watched and not self.plan.board.measured:
            faults.append(Fault("source", UNREADABLE.filled(name=self.plan.board.title)))
        if self.profile_fault and (source is None or source.has_camera):
            faults.append(Fault("calibration", self.profile_fault))
        return tuple(faults)

    def step(self, source: SourceView | None, faults: tuple[Fault, ...]) -> Step:
        """Return the first unfinished step."""
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
