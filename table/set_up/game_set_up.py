"""Setting up a game: what was chosen is opened, looked at, and handed over to the game."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

import msgspec
from railspotter.calibration.errors import CalibrationError
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.vision.errors import VisionError
from railspotter.vision.sources.network import redacted_url
from railspotter.vision.sources.phone import PostedFrames

from ..boards.board_choice import profile_for
from ..boards.own_boards import OwnBoards
from ..errors import NoProfileError, NotReadyError, SetUpError, TableError
from ..game_log.game_store import GameStore
from ..home import ProfileStore
from ..live_calibration.live_calibration import LiveCalibration
from ..live_table.pictures import PhoneCamera, PhoneView, shares
from ..own_trains import with_trains
from ..photos.score import ReadingPlan
from ..worker import Closable
from .cameras import (
    PHONE,
    Cameras,
    OfferedCamera,
    OpenedSource,
    named_addresses,
    open_source,
    source_of_page,
)
from .offers import RuleValue, checked_rules, editions_offered, rules_offered
from .planned_game import (
    Cards,
    Choices,
    ChosenPlayer,
    GameHandover,
    PlannedGame,
    Preset,
    begin_game,
    chosen_game,
    edition_and_board,
    kept_choices,
    unfinished_game,
)
from .set_up_state import SetUpState, SetUpView, Step

NOT_FOUND = Sentence("the board is not found yet")
NO_EDITION = Sentence("choose the edition first")
MISSING: dict[Step, Sentence] = {
    "edition": NO_EDITION,
    "players": Sentence("say who plays"),
    "source": Sentence("choose the camera, and wait for its picture"),
    "calibration": NOT_FOUND,
}
UNKNOWN = Sentence("say on the host's phone which board it is")


class GameSetUp(Closable):
    """A game that is being set up, while its `with` block runs. Several threads may use it at once.

    What is chosen is kept for the next time before it holds here, and raises `HomeError` when it
    cannot be; once the game has begun, `NotReadyError`. A source is opened as soon as it is chosen,
    and the board is looked for in it. `folder` is the data directory, and `given` what the command
    line says.
    """

    def __init__(self, folder: Path, given: Preset | None = None) -> None:
        self._given = given or Preset()
        self._kept, self._games = kept_choices(folder), GameStore(folder)
        self._profiles = ProfileStore(folder)
        self._boards, self._cameras = OwnBoards(folder), Cameras()
        self._box = PostedFrames()
        named = (self._given.choices.source, *self._given.cameras)
        self._network = named_addresses(address for address in named if "://" in address)
        # Takes the pictures of a phone, where that is the source.
        self.phone = PhoneCamera(self._box, self.sight)
        self.begun: GameHandover | None = None  # the game, once it has begun
        self.is_begun = threading.Event()
        self._changing = threading.RLock()
        self._stack = ExitStack()
        self._now = SetUpState(_first_choices(self._kept.load_or_default(), self._given.choices))

    def __enter__(self) -> Self:
        """Open what was chosen the last time, or is said on the command line."""
        now, given = self._now, self._given.choices
        if given.edition or given.board:
            edition_and_board(given.edition, given.board)
        if self._given.game:
            now = replace(now, resumed=unfinished_game(self._games, self._given.game))
        if now.choices.source:
            try:
                opened = self._opened(now.choices.source, is_of_terminal=bool(given.source))
                now = replace(now, source=opened)
            except SetUpError as error:
                if given.source:
                    raise
                now = replace(now, source_fault=error.sentence)
        self._hold(now)
        if given.house_rules:
            if (plan := self._now.plan) is None:
                raise SetUpError(NO_EDITION)
            checked_rules(given.house_rules, rules_offered(plan.edition, plan.board))
        return self

    def close(self) -> None:
        """Close what is open, but for what a game that has begun goes on with."""
        with self._changing:
            now = self._now
            if now.calibration is not None:
                now.calibration.close()
            if now.source is not None and self.begun is None:
                now.source.grabber.stop()
            self._stack.close()

    @property
    def source(self) -> OpenedSource | None:
        """What is watched."""
        return self._now.source

    @property
    def calibration(self) -> LiveCalibration | None:
        """Where the board is looked for; None while no board or no source is chosen."""
        return self._now.calibration

    def reading_plan(self) -> ReadingPlan:
        """Return what photos of the chosen board are read by; `SetUpError` before one is chosen."""
        plan, profile = self._now.plan, self._now.read_with
        if plan is None or profile is None:
            raise SetUpError("choose the edition first, and let its board be found")
        return ReadingPlan(plan.board, plan.edition.with_house_rules(plan.house_rules), profile)

    def view(self) -> SetUpView:
        """Return how far it is."""
        named = (OfferedCamera(name, name) for name in self._network)
        begun = self.begun.game if self.begun else None
        return self._now.view(editions_offered(self._boards), (*self._cameras.now(), *named), begun)

    def sight(self) -> PhoneView:
        """Return what was seen in the newest picture, for the phone that is the camera."""
        now = self._now
        camera = NOTHING if now.source is None else now.source.view().said
        if now.calibration is None:
            return PhoneView("searching", camera, UNKNOWN)
        view = now.calibration.view()
        if view.corners_px is None or view.picture is None:
            return PhoneView("searching", camera, view.said)
        return PhoneView(
            "settled", camera, view.said, shares(view.corners_px, view.picture.size_px)
        )

    def choose_edition(self, edition: str, board: str = "") -> None:
        """Choose an edition, and the board where it is the user's own; `SetUpError` for none."""
        with self._choosing() as now:
            rules, on = edition_and_board(edition, board)
            chosen: dict[str, object] = {"edition": rules.id, "board": on.id}
            if now.choices.edition != rules.id:
                chosen |= {"house_rules": {}, "any_number": False}
            self._keep(replace(now, resumed=None), chosen)

    def choose_players(self, players: Sequence[ChosenPlayer], *, any_number: bool = False) -> None:
        """Say who plays, in turn order; too few are no mistake yet.

        `any_number`: so many though the box says otherwise, which is a house rule of the game.
        """
        with self._choosing() as now:
            chosen = {"players": tuple(players), "any_number": any_number}
            self._keep(replace(now, resumed=None), chosen)

    def choose_cards(self, cards: Cards) -> None:
        """Say where the cards are."""
        with self._choosing() as now:
            self._keep(replace(now, resumed=None), {"cards": cards})

    def choose_rules(self, rules: Mapping[str, RuleValue]) -> None:
        """Choose house rules, in the place of all before; `SetUpError` for what is none here."""
        with self._choosing() as now:
            plan = now.plan
            if plan is None:
                raise NotReadyError(NO_EDITION)
            if plan.game or (now.source and now.source.demo):
                raise SetUpError("this game has its rules already: they stay as they are")
            checked = checked_rules(rules, rules_offered(plan.edition, plan.board))
            self._keep(now, {"house_rules": checked})

    def choose_source(self, given: str) -> None:
        """Open a source in the place of the one before; one that has failed, anew.

        Raises `SetUpError` when it names nothing; what was opened before is then still there.
        """
        with self._choosing() as now:
            old = now.source
            if old is not None and given == old.given and not old.view().is_over:
                return
            opened = self._opened(given)
            try:
                self._keep(replace(now, source=opened, source_fault=NOTHING), {"source": given})
            except BaseException:
                opened.grabber.stop()
                raise
            if old is not None:
                old.grabber.stop()

    def resume_game(self, game: str, prepare: Callable[[Path], None]) -> None:
        """Go on with a game that has not ended: at once, where nothing else is missing.

        It is named by its id; an empty one is for a new game after all. `prepare` is as for
        `begin`. Raises `TableError` when there is none, or it cannot be gone on with.
        """
        with self._choosing() as now:
            self._hold(replace(now, resumed=unfinished_game(self._games, game) if game else None))
            if game and self.view().may_begin:
                self.begin(prepare)

    def begin(self, prepare: Callable[[Path], None] = lambda path: None) -> None:
        """Begin the game, or go on with the one that was chosen.

        `prepare` is handed the game's file before anybody goes over to it; where it fails there is
        no new game. Raises `SetUpError` with what is missing, `TableError` when the game cannot be
        written.
        """
        with self._choosing() as now:
            view, plan, source, profile = self.view(), now.plan, now.source, now.read_with
            if view.faults:
                raise NotReadyError(view.faults[0].said)
            if view.step != "ready" or plan is None or source is None:
                raise NotReadyError(MISSING.get(view.step, NOT_FOUND))
            if not source.has_camera:
                profile = None
            elif profile is None:
                raise NotReadyError(NOT_FOUND)
            else:
                profile = with_trains(profile, self._given.trains)
            game = begin_game(self._games, plan, self._given.name, prepare)
            set_up = source.demo.set_up if source.demo else _nothing
            self.begun = GameHandover(game, not plan.game, source.for_game(), profile, set_up)
            self.is_begun.set()

    @contextmanager
    def _choosing(self) -> Iterator[SetUpState]:
        """Let one change after the other be made, until the game has begun."""
        with self._changing:
            if self.begun is not None:
                raise NotReadyError("the game has begun already")
            yield self._now

    def _keep(self, now: SetUpState, chosen: Mapping[str, object]) -> None:
        """Write down what is worth it the next time, then let what was chosen hold."""
        choices = msgspec.structs.replace(now.choices, **chosen)
        self._kept.save(self._choices_to_keep(replace(now, choices=choices)))
        self._hold(replace(now, choices=choices))

    def _choices_to_keep(self, now: SetUpState) -> Choices:
        """Return choices without what only the command line may name, and the drawn game."""
        choices, before = now.choices, self._kept.load_or_default()
        if choices.board.endswith(".json"):
            choices = msgspec.structs.replace(
                choices, edition=before.edition, board=before.board, house_rules=before.house_rules
            )
        try:
            source_of_page(choices.source or PHONE, self._box, self._network)
        except (SetUpError, VisionError):
            choices = msgspec.structs.replace(choices, source=before.source)
        return choices

    def _hold(self, now: SetUpState) -> None:
        """Let choices hold: plan the game, read the profile, and look for the board."""
        before, demo = self._now, now.source.demo if now.source else None
        plan = now.resumed or (PlannedGame.drawn(demo) if demo else chosen_game(now.choices))
        now = replace(now, plan=plan)
        old = before.calibration
        board = None if plan is None else plan.board
        is_other = before.source is not now.source or (old.board if old else None) != board
        if is_other or now.profile is None:
            now = self._with_profile(now)
        if is_other:
            now = replace(now, calibration=self._calibrating(now))
        self._now = now
        if is_other and old is not None:
            old.close()

    def _with_profile(self, now: SetUpState) -> SetUpState:
        """Return the state with what the board is read with, or why nothing reads it."""
        demo = now.source.demo if now.source else None
        profile, fault, named = demo.profile if demo else None, NOTHING, self._given.profile
        if now.plan is not None and demo is None:
            board = now.plan.board
            try:
                if named is not None and self._profiles.load(named).board != board.id:
                    named = None
                profile = profile_for(board, self._profiles, named)
                profile = with_trains(profile, self._given.trains)
            except NoProfileError:
                pass
            except (TableError, CalibrationError) as error:
                fault = error.sentence
        return replace(now, profile=profile, profile_fault=fault)

    def _calibrating(self, now: SetUpState) -> LiveCalibration | None:
        if now.plan is None or now.source is None or not now.source.has_camera:
            return None
        if not now.plan.board.measured:
            return None
        store = self._profiles
        if now.source.demo:  # what is kept of the drawn board is no profile of the user's
            folder = tempfile.TemporaryDirectory(prefix="railspotter-drawn-")
            store = ProfileStore(Path(self._stack.enter_context(folder)))
        desk = LiveCalibration(now.source.frame, now.plan.board, now.profile, store, _nothing)
        return desk.__enter__()

    def _opened(self, given: str, *, is_of_terminal: bool = False) -> OpenedSource:
        return open_source(given, self._box, self._network, is_of_terminal=is_of_terminal)


def _first_choices(kept: Choices, given: Choices) -> Choices:
    """Return what holds at first: what was chosen the last time, under the command line."""
    if given.edition or given.board:
        kept = msgspec.structs.replace(
            kept, edition=given.edition, board=given.board, house_rules={}, any_number=False
        )
    return msgspec.structs.replace(
        kept,
        house_rules=given.house_rules or kept.house_rules,
        players=given.players or kept.players,
        any_number=given.any_number or (kept.any_number and not given.players),
        # From here on a camera goes by the name that pages know it by, which holds no password.
        source=redacted_url(given.source or kept.source),
        cards="phones" if given.cards == "phones" else kept.cards,
    )


def _nothing(_: object) -> None:
    """Do nothing with what is handed in."""
