"""Setting up a game: choices, the opened camera, calibration, and the handover to the game."""

import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import msgspec
from railspotter.calibration.errors import CalibrationError
from railspotter.scoring.sentence import NOTHING, Sentence, raised_as
from railspotter.vision.errors import VisionError
from railspotter.vision.sources.network import camera_address, redacted_url
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
from . import cameras, planned_game
from .offers import RuleValue, checked_rules, editions_offered, rules_offered
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
    """A game that is being set up, while its `with` block runs. Thread-safe.

    Choices are saved for the next time before they apply; methods raise `HomeError` if that fails,
    and `NotReadyError` once the game has begun. A source is opened when it is chosen, and the board
    is searched in it. `folder` is the data directory, `given` the command line's presets.
    """

    def __init__(self, folder: Path, given: planned_game.Preset | None = None) -> None:
        self._folder, self._given = folder, given or planned_game.Preset()
        self._kept, self._games = planned_game.choices_file(folder), GameStore(folder)
        self._profiles = ProfileStore(folder)
        self._boards, self._cameras = OwnBoards(folder), cameras.Cameras()
        self._box = PostedFrames()
        self._allowed = cameras.allowed_cameras_file(folder)
        told = self._allowed.load_or_default().addresses
        named = (self._given.choices.source, *self._given.cameras, *told)
        self._network = cameras.named_addresses(address for address in named if "://" in address)
        # Receives a phone's pictures, if that is the source.
        self.phone = PhoneCamera(self._box, self.sight)
        self.begun: planned_game.GameHandover | None = None  # once the game has begun
        self._lock = threading.RLock()
        self._stack = ExitStack()
        # What was chosen and opened so far.
        self.now = SetUpState(_first_choices(self._kept.load_or_default(), self._given.choices))

    def __enter__(self) -> Self:
        """Apply the command line's or the saved choices, and open the source."""
        now, given = self.now, self._given.choices
        if given.edition or given.board:
            planned_game.edition_and_board(given.edition, given.board)
        if self._given.game:
            table = self._games.read(self._given.game).table
            now = replace(now, resumed=planned_game.PlannedGame.resumed(self._given.game, table))
        if now.choices.source:
            try:
                opened = self._open_source(now.choices.source, is_of_terminal=bool(given.source))
                now = replace(now, source=opened)
            except SetUpError as error:
                if given.source:
                    raise
                now = replace(now, source_fault=error.sentence)
        self._apply(now)
        if given.house_rules:
            if (plan := self.now.plan) is None:
                raise SetUpError(NO_EDITION)
            checked_rules(given.house_rules, rules_offered(plan.edition, plan.board))
        return self

    def close(self) -> None:
        """Close calibration and source, unless a game has taken the source over."""
        with self._lock:
            now = self.now
            if now.calibration is not None:
                now.calibration.close()
            if now.source is not None and self.begun is None:
                now.source.grabber.stop()
            self._stack.close()

    def reading_plan(self) -> ReadingPlan:
        """Return the plan to read photos of the chosen board; raises `SetUpError` before."""
        plan, profile = self.now.plan, self.now.read_with
        if plan is None or profile is None:
            raise SetUpError("choose the edition first, and let its board be found")
        return ReadingPlan(plan.board, plan.edition.with_house_rules(plan.house_rules), profile)

    def view(self) -> SetUpView:
        """Return the current state for the page."""
        named = (cameras.OfferedCamera(name, name) for name in self._network)
        begun = self.begun.game if self.begun else None
        return self.now.view(editions_offered(self._boards), (*self._cameras.now(), *named), begun)

    def sight(self) -> PhoneView:
        """Return what the newest picture shows, for the phone that is the camera."""
        now = self.now
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
        """Choose an edition, and optionally a user's board; raises `SetUpError`."""
        with self._choosing() as now:
            rules, on = planned_game.edition_and_board(edition, board)
            chosen: dict[str, object] = {"edition": rules.id, "board": on.id}
            if now.choices.edition != rules.id:
                chosen |= {"house_rules": {}, "any_number": False}
            self._save(replace(now, resumed=None), chosen)

    def choose_players(
        self, players: Sequence[planned_game.ChosenPlayer], *, any_number: bool = False
    ) -> None:
        """Choose the players, in turn order; their number is checked later.

        `any_number` allows a number beyond the rules, as a house rule.
        """
        with self._choosing() as now:
            chosen = {"players": tuple(players), "any_number": any_number}
            self._save(replace(now, resumed=None), chosen)

    def choose_cards(self, cards: planned_game.Cards) -> None:
        """Choose where the cards are."""
        with self._choosing() as now:
            self._save(replace(now, resumed=None), {"cards": cards})

    def choose_rules(self, rules: Mapping[str, RuleValue]) -> None:
        """Choose the house rules, replacing earlier ones; raises `SetUpError`."""
        with self._choosing() as now:
            plan = now.plan
            if plan is None:
                raise NotReadyError(NO_EDITION)
            if plan.game or (now.source and now.source.demo):
                raise SetUpError("this game has its rules already: they stay as they are")
            checked = checked_rules(rules, rules_offered(plan.edition, plan.board))
            self._save(now, {"house_rules": checked})

    def choose_source(self, given: str) -> None:
        """Open a source instead of the previous one, or reopen a failed one.

        Raises `SetUpError` for an unknown source; the previous one then stays open.
        """
        with self._choosing() as now:
            old = now.source
            if old is not None and given == old.given and not old.view().is_over:
                return
            opened = self._open_source(given)
            try:
                self._save(replace(now, source=opened, source_fault=NOTHING), {"source": given})
            except BaseException:
                opened.grabber.stop()
                raise
            if old is not None:
                old.grabber.stop()

    def allow_camera(self, source: str) -> str:
        """Let the page choose a camera in the network from now on; return its name there.

        Other sources are returned unchanged. Raises `SetUpError` for an invalid address.
        """
        if "://" not in source or source in self._network:
            return source
        with raised_as(SetUpError, VisionError):
            address = camera_address(source)
        with self._choosing():
            told = (*self._allowed.load_or_default().addresses, address)[-cameras.MOST_ALLOWED :]
            self._allowed.save(cameras.AllowedCameras(told))
            self._network = cameras.named_addresses((*self._network.values(), address))
        return next(name for name, known in self._network.items() if known == address)

    def resume_game(self, game: str) -> None:
        """Choose an unfinished game to resume, and begin it if nothing else is missing.

        An empty id returns to a new game. Raises `TableError` for an unknown or finished game.
        """
        with self._choosing() as now:
            self._apply(
                replace(
                    now, resumed=planned_game.unfinished_game(self._games, game) if game else None
                )
            )
            if game and self.view().may_begin:
                self.begin()

    def begin_if_possible(self) -> None:
        """Begin if nothing is missing; a resumed game finds its board itself.

        A counted one shows its result, without its camera if that is not there.
        """
        resumed = self.now.resumed
        with suppress(NotReadyError):
            self.begin(is_board_found_later=bool(resumed))
        if self.begun is None and resumed and resumed.is_counted:
            with suppress(NotReadyError), self._choosing() as now:
                if now.source is not None:
                    now.source.grabber.stop()
                none = self._open_source(cameras.NONE)
                self._apply(replace(now, source=none, source_fault=NOTHING))
                self.begin()

    def begin(self, *, is_board_found_later: bool = False) -> None:
        """Begin a new game, or resume the chosen one.

        Raises `SetUpError` with what is missing, `TableError` when the game cannot be written.
        """
        with self._choosing() as now:
            view, plan, source, profile = self.view(), now.plan, now.source, now.read_with
            if view.faults:
                raise NotReadyError(view.faults[0].said)
            is_ready = view.step == "ready" or is_board_found_later
            if not is_ready or plan is None or source is None:
                raise NotReadyError(MISSING.get(view.step, NOT_FOUND))
            if not source.has_camera:
                profile = None
            elif profile is None:
                raise NotReadyError(NOT_FOUND)
            else:
                profile = with_trains(profile, self._given.trains)
            demo = None if plan.game else source.demo  # it would play on in somebody's game
            store = planned_game.demo_games(self._folder) if demo else self._games
            game = planned_game.begin_game(store, plan, self._given.name)
            self.begun = planned_game.GameHandover(
                store, game, not plan.game, source.for_game(), profile, demo
            )

    @contextmanager
    def _choosing(self) -> Iterator[SetUpState]:
        """Hold the lock for a change; raises `NotReadyError` once the game has begun."""
        with self._lock:
            if self.begun is not None:
                raise NotReadyError("the game has begun already")
            yield self.now

    def _save(self, now: SetUpState, chosen: Mapping[str, object]) -> None:
        """Save changed choices for the next time, then apply them."""
        choices = msgspec.structs.replace(now.choices, **chosen)
        self._kept.save(self._choices_to_save(replace(now, choices=choices)))
        self._apply(replace(now, choices=choices))

    def _choices_to_save(self, now: SetUpState) -> planned_game.Choices:
        """Return the choices without files and addresses from the command line, or the demo."""
        choices, before = now.choices, self._kept.load_or_default()
        if choices.board.endswith(".json"):
            choices = msgspec.structs.replace(
                choices, edition=before.edition, board=before.board, house_rules=before.house_rules
            )
        try:
            cameras.source_of_page(choices.source or cameras.PHONE, self._box, self._network)
        except (SetUpError, VisionError):
            choices = msgspec.structs.replace(choices, source=before.source)
        return choices

    def _apply(self, now: SetUpState) -> None:
        """Apply choices: plan the game, load the profile, and restart calibration if needed."""
        before, demo = self.now, now.source.demo if now.source else None
        plan = now.resumed or (
            planned_game.PlannedGame.drawn(demo) if demo else planned_game.chosen_game(now.choices)
        )
        now = replace(now, plan=plan)
        old = before.calibration
        board = None if plan is None else plan.board
        is_other = before.source is not now.source or (old.board if old else None) != board
        if is_other or now.profile is None:
            now = self._with_profile(now)
        if is_other:
            now = replace(now, calibration=self._start_calibration(now))
        self.now = now
        if is_other and old is not None:
            old.close()

    def _with_profile(self, now: SetUpState) -> SetUpState:
        """Return the state with the loaded profile, or the error from loading it."""
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

    def _start_calibration(self, now: SetUpState) -> LiveCalibration | None:
        if now.plan is None or now.source is None or not now.source.has_camera:
            return None
        if not now.plan.board.measured:
            return None
        store = self._profiles
        if now.source.demo:  # do not save the drawn board among the user's profiles
            folder = tempfile.TemporaryDirectory(prefix="railspotter-drawn-")
            store = ProfileStore(Path(self._stack.enter_context(folder)))
        newest, board = now.source.grabber.latest, now.plan.board
        return LiveCalibration(newest, board, now.profile, store, _nothing).__enter__()

    def _open_source(self, given: str, *, is_of_terminal: bool = False) -> cameras.OpenedSource:
        return cameras.open_source(given, self._box, self._network, is_of_terminal=is_of_terminal)


def _first_choices(kept: planned_game.Choices, given: planned_game.Choices) -> planned_game.Choices:
    """Merge the saved choices with the command line's, which take precedence."""
    if given.edition or given.board:
        kept = msgspec.structs.replace(
            kept, edition=given.edition, board=given.board, house_rules={}, any_number=False
        )
    return msgspec.structs.replace(
        kept,
        house_rules=given.house_rules or kept.house_rules,
        players=given.players or kept.players,
        any_number=given.any_number or (kept.any_number and not given.players),
        # From here on the name without password stands for a network camera.
        source=redacted_url(given.source or kept.source),
        cards="phones" if given.cards == "phones" else kept.cards,
    )


def _nothing(_: object) -> None:
    """Do nothing: a default callback."""


@dataclass(frozen=True)
class SetUpWish:
    """The wish to set up a game."""

    game: str = ""  # the id of one to go on with; empty for a new one
    is_at_once: bool = False  # whether it begins as soon as nothing is missing
    desk: GameSetUp | None = None  # one that was entered already, with what the command line says


@dataclass(frozen=True)
class HomeWish:
    """The wish that no game is played or set up."""


# What comes next at a table.
Wish = HomeWish | SetUpWish | planned_game.GameHandover
