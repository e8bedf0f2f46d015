"""The services that calls and pages use, and what each of them needs.

Pages of a table have `Services`, with the session of the game that runs or is being set up, if any;
others, such as a hall's, have a `PageContext` of their own.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Self

from railspotter.scoring.rules_in_words import rules_in_words
from railspotter.scoring.sentence import Sentence
from railspotter.table.boards.board_desk import BoardDesk
from railspotter.table.card_games.card_game_store import CardGameStore
from railspotter.table.card_games.dealt_games import DealtGameStore
from railspotter.table.card_games.deck_table import DeckFile
from railspotter.table.display_control import DisplayControl
from railspotter.table.errors import NotNowError, TableError
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.home import ProfileStore
from railspotter.table.live_calibration.live_calibration import LiveCalibration, calibration_for
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.pictures import PhoneCamera, TableCamera, phone_view
from railspotter.table.set_up.game_set_up import GameSetUp, Wish
from railspotter.table.worker import Closable

from ..access.limits import Limits
from ..access.phone_access import PhoneAccess
from ..feed.feed import Feed
from ..feed.history import History
from ..words.translation import Statement
from .photo_queue import PhotoQueue

NOT_AT_REST = Sentence("a game is played or set up at this table: leave it first")


class GameSession(Closable):
    """Everything about a running game that calls need, while its `with` block runs.

    `home` is the data directory; `again` begins a new game with the same people.
    """

    def __init__(
        self,
        table: LiveTable,
        access: PhoneAccess,
        home: Path,
        *,
        again: Callable[[], None] | None = None,
    ) -> None:
        log = table.log
        access.enter_game(log.path, lambda seat: log.state.table.player(seat) is not None)
        self.table, self.again = table, again
        self.feed = Feed(table, access, is_kept=log.path == GameStore(home).path(log.id))
        self.is_over = self.feed.is_over  # set when the pages' streams must end
        # Receives a phone's pictures; None if the camera is no phone.
        self.phone = PhoneCamera.of(table.source, lambda: phone_view(table.view, table.sighted))
        # Held by each call that changes the game, since it checks the table before it acts.
        self.lock = threading.Lock()
        self.camera = TableCamera(lambda: table.frame)
        # None without a camera, or with a simulated board.
        self.calibration = calibration_for(table, ProfileStore(home))

    def __enter__(self) -> Self:
        self.feed.__enter__()
        if self.calibration is not None:
            self.calibration.__enter__()
        return self

    def close(self) -> None:
        """Stop feed and calibration."""
        if self.calibration is not None:
            self.calibration.close()
        self.feed.close()


class SetUpSession(Closable):
    """Everything about a set-up that calls need, while its `with` block runs.

    `desk` must have been entered already.
    """

    def __init__(self, desk: GameSetUp) -> None:
        self.desk = desk
        self.is_over = threading.Event()  # set when the pages' streams must end
        self._no_camera = TableCamera(lambda: None)
        self._lock = threading.Lock()
        self._last: object = None
        self._number = 0

    def close(self) -> None:
        """End the camera streams."""
        self.is_over.set()

    @property
    def camera(self) -> TableCamera:
        """The chosen camera's pictures; none before one is chosen."""
        source = self.desk.now.source
        return self._no_camera if source is None else source.camera

    @property
    def phone(self) -> PhoneCamera | None:
        """The receiver of a phone's pictures; None if the camera is no phone."""
        source = self.desk.now.source
        return self.desk.phone if source is not None and source.is_phone else None

    @property
    def calibration(self) -> LiveCalibration | None:
        """The running calibration; None without a board or a source."""
        return self.desk.now.calibration

    def number_of(self, shown: object) -> int:
        """Return a number for the host's view that rises with every change, also over restarts."""
        with self._lock:
            if shown != self._last:
                self._number = max(self._number + 1, time.time_ns() // 1_000_000)
                self._last = shown
            return self._number


Session = GameSession | SetUpSession


class Needs(Enum):
    """What a call or a page needs; while it is not there, the call or page is not found."""

    PHONES = "a page that knows phones"
    NOTHING = "nothing of a table"
    CAMERA = "a table with a camera, be a game set up there or played"
    GAME = "a running game"
    SET_UP = "a game that is being set up"
    HALL = "a hall, which hears what many tables tell a broker"


OF_TABLES = frozenset(Needs) - {Needs.HALL}


@dataclass(eq=False)
class PageContext:
    """The context of every page: access and limits."""

    phone_access: PhoneAccess
    limits: Limits

    @property
    def now(self) -> Session | None:
        """The game that runs or is being set up, with its camera; None without one."""
        return None

    def rules(self) -> tuple[Statement, ...]:
        """Return the rules of the running game in words; none without a game."""
        return ()

    @property
    def kinds(self) -> frozenset[Needs]:
        """The needs that may be met, now or later."""
        return frozenset({Needs.PHONES})

    def meets(self, needs: Needs, now: Session | None) -> bool:
        """Tell whether a need is met while `now` runs."""
        match needs:
            case Needs.GAME:
                return isinstance(now, GameSession)
            case Needs.SET_UP:
                return isinstance(now, SetUpSession)
            case Needs.CAMERA:
                return now is not None
            case _:
                return needs in self.kinds


@dataclass(eq=False)
class Services(PageContext):
    """The services of a table's pages, whatever goes on there."""

    home: Path  # the data directory
    photos: PhotoQueue
    display: DisplayControl | None = None  # None if there can be none

    def __post_init__(self) -> None:
        self.history = History(GameStore(self.home))  # the past games
        self.card_deck = DeckFile(self.home)  # of The Card Game
        self.card_games = CardGameStore(self.home)
        self.dealt_games = DealtGameStore(self.home)  # Card Games that are dealt to phones
        self.boards = BoardDesk(self.home)  # the user's boards
        self._now: Session | None = None
        self.is_resting = False  # whether neither goes on nor begins: people choose what comes next
        self._wish: Wish | None = None
        self._changed = threading.Condition()

    @property
    def now(self) -> Session | None:
        """The game that runs or is being set up, with its camera; None without one."""
        return self._now

    @contextmanager
    def running(self, session: Session) -> Iterator[None]:
        """Let calls work on a game or a set-up, while the `with` block runs."""
        with session:
            self._now = session
            try:
                yield
            finally:
                self._now = None

    def wish(self, make: Callable[[], Wish]) -> None:
        """Ask for what comes next at the table; raises `TableError` if something does already."""
        with self._changed:
            if self._wish is not None:
                raise TableError("something else begins at this table right now")
            self._wish = make()
            self._changed.notify_all()

    def wish_at_rest(self, make: Callable[[], Wish]) -> None:
        """Ask for what comes next, as `wish`, where nothing goes on; raises `TableError` else."""

        def made() -> Wish:
            if not self.is_resting:
                raise NotNowError(NOT_AT_REST)
            return make()

        self.wish(made)

    def next_wish(self, timeout_s: float) -> Wish | None:
        """Return what was asked for, and forget it; None if nothing was within the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: self._wish is not None, timeout_s)
            wish, self._wish = self._wish, None
            return wish

    def rules(self) -> tuple[Statement, ...]:
        """Return the rules of the running game in words; none without a game."""
        if not isinstance(self._now, GameSession):
            return ()
        table = self._now.table.view.game.table
        return tuple(map(Statement, rules_in_words(table.edition, table.board)))

    @property
    def kinds(self) -> frozenset[Needs]:
        """The needs that may be met, now or later."""
        return OF_TABLES
