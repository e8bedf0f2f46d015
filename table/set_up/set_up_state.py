"""A set-up at one moment: what is chosen and opened, what is missing, and as it is shown."""

from __future__ import annotations

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
    """Something chosen that cannot stay so, in a sentence, and at which step."""

    step: Step
    said: Sentence


class SetUpView(msgspec.Struct, frozen=True):
    """What was chosen, what there is to choose from, and what is missing."""

    step: Step  # the first that is not done
    editions: tuple[OfferedEdition, ...]  # what can be chosen
    # What is chosen; its colours are those that the players can have.
    edition: OfferedEdition | None
    players: tuple[ChosenPlayer, ...]
    cameras: tuple[OfferedCamera, ...]
    source: SourceView | None
    house_rules: dict[str, RuleValue]
    rules: tuple[OfferedRule, ...]  # which of its rules can be others
    cards: Cards  # where the train cards and tickets are
    any_number: bool  # whether so many play though the box says otherwise
    faults: tuple[Fault, ...]
    # What the board lacks by these rules, and what helps a camera where its print is not known; it
    # can be played all the same.
    gaps: tuple[Sentence, ...]
    own_board_rules: dict[str, str]  # by which boxes' rules a board of one's own may be played
    may_begin: bool  # whether the game can begin as it is
    game: str | None  # the id of the game that is to go on; None for a new one
    begun: str | None  # the id of the game that has begun, once it has


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
        trains = self.read_with.colours if self.read_with else {}
        own = tuple(name for name, lights in trains.items() if are_own_trains(lights))
        return offered(self.plan.board, self.plan.edition, own)

    def view(
        self,
        editions: tuple[OfferedEdition, ...],
        cameras: tuple[OfferedCamera, ...],
        begun: str | None,
    ) -> SetUpView:
        """Return how far it is, beside what there is to choose from."""
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
        """Yield what is missing and keeps nobody from playing."""
        if self.plan is None:
            return
        yield from board_gaps(self.plan.board, self.plan.edition)
        note = calibration_advice(self.plan.edition, self.read_with)
        if note and (source is None or source.has_camera):
            yield note

    def faults(self, source: SourceView | None) -> tuple[Fault, ...]:
        """Return what cannot stay so, the first step first."""
        faults: list[Fault] = []
        edition = self.edition
        if self.plan is not None and edition is not None:
            said = self.plan.faults(self.read_with, edition.colours)
            faults += [Fault("players", one) for one in said]
        if source is not None and source.is_over:
            faults.append(Fault("source", source.said))
        is_watched = source is not None and source.has_camera
        if self.plan is not None and is_watched and not self.plan.board.measured:
            faults.append(Fault("source", UNREADABLE.filled(name=self.plan.board.title)))
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
