"""The services that calls and pages use, and what each of them needs.

Pages of a table have `Services`, with the session of the game that runs or is being set up; others,
such as a hall's, have a `PageContext` of their own.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Self

from railspotter.scoring.rules_in_words import rules_in_words
from railspotter.table.boards.board_desk import BoardDesk
from railspotter.table.card_games.card_game_store import CardGameStore
from railspotter.table.card_games.dealt_games import DealtGameStore
from railspotter.table.card_games.deck_table import DeckFile
from railspotter.table.display_control import DisplayControl
from railspotter.table.game_log.game_store import PAIRING, GameStore
from railspotter.table.home import ProfileStore
from railspotter.table.live_calibration.live_calibration import LiveCalibration, calibration_for
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.pictures import PhoneCamera, TableCamera, phone_view
from railspotter.table.past_games.summaries import changed_at_s, stamps
from railspotter.table.set_up.game_set_up import GameSetUp
from railspotter.table.worker import Closable

from ..access.limits import Limits
from ..access.phone_access import PhoneAccess
from ..feed.feed import Feed
from ..feed.history import History
from ..words.translation import Statement
from .photo_queue import PhotoQueue

# The pairing file in the data directory; its phones are copied to the game that begins.
PHONES = "set-up.pairing"
# For so long after a game its phones are known in the next set-up.
SAME_EVENING_S = 12 * 3600


class GameSession(Closable):
    """Everything about a running game that calls need, while its `with` block runs.

    `again` begins a new game with the same people, after calling its argument with the new game's
    file.
    """

    def __init__(
        self,
        table: LiveTable,
        *,
        again: Callable[[Callable[[Path], None]], None] | None = None,
        display: DisplayControl | None = None,
    ) -> None:
        log = table.log
        self.phone_access = PhoneAccess(
            log.path.with_suffix(PAIRING),
            f"railspotter-{log.id[:8]}",
            has_seat=lambda seat: log.state.table.player(seat) is not None,
        )
        self.table, self.again = table, again
        self.feed = Feed(table, self.phone_access)
        self.is_over = self.feed.is_over  # set when the pages' streams must end
        # Receives a phone's pictures; None if the camera is no phone.
        self.phone = PhoneCamera.of(table.source, lambda: phone_view(table.view, table.sighted))
        # Held by each call that changes the game, since it checks the table before it acts.
        self.lock = threading.Lock()
        self.camera = TableCamera(lambda: table.frame)
        self.display = display  # None if there can be none
        # None without a camera, or with a simulated board.
        self.calibration = calibration_for(table, ProfileStore(log.path.parent.parent))

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


def newest_game(home: Path, now_s: float) -> Path | None:
    """Return the file of the last game, if it was played on the same evening."""
    store = GameStore(home)
    written_s = {game: changed_at_s(stamp) for game, stamp in stamps(store.folder).items()}
    newest = max(written_s, key=lambda game: written_s[game], default="")
    is_newest_old = not newest or now_s - written_s[newest] > SAME_EVENING_S
    return None if is_newest_old else store.path(newest)


class SetUpSession(Closable):
    """Everything about a set-up that calls need, while its `with` block runs.

    `desk` must have been entered already. `home` is the data directory.
    """

    def __init__(
        self, desk: GameSetUp, home: Path, *, display: DisplayControl | None = None
    ) -> None:
        with contextlib.suppress(OSError):  # reported when it has to write there
            home.mkdir(parents=True, exist_ok=True)
        self._phones = home / PHONES
        # A new cookie name for each game, so that a phone can have several.
        self.phone_access = PhoneAccess(self._phones, f"railspotter-{secrets.token_hex(4)}")
        if (game := newest_game(home, time.time())) is not None:
            self.phone_access.copy_phones_from(game)
        self.desk = desk
        self.display = display  # None if there can be none
        self.is_over = threading.Event()  # set when the pages' streams must end
        self._no_camera = TableCamera(lambda: None)
        self._lock = threading.Lock()
        self._last: object = None
        self._number = 0

    def close(self) -> None:
        """End the camera streams."""
        self.is_over.set()
        if self.desk.begun is not None:  # its phones were copied to the game
            self._phones.unlink(missing_ok=True)

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


class Needs(Enum):
    """What a call or a page needs; without it the call or page does not exist."""

    PHONES = "a page that knows phones"
    NOTHING = "nothing of a table"
    CAMERA = "a table with a camera, be a game set up there or played"
    GAME = "a running game"
    SET_UP = "a game that is being set up"
    HALL = "a hall, which hears what many tables tell a broker"


@dataclass(frozen=True)
class PageContext:
    """The context of every page: access and limits."""

    phone_access: PhoneAccess
    limits: Limits

    @property
    def table(self) -> GameSession | SetUpSession | None:
        """The game that runs or is being set up, with its camera; None without one."""
        return None

    def rules(self) -> tuple[Statement, ...]:
        """Return the rules of the running game in words; none without a game."""
        return ()

    @property
    def offers(self) -> frozenset[Needs]:
        """The needs that are met."""
        return frozenset({Needs.PHONES})


@dataclass(frozen=True)
class Services(PageContext):
    """The services of a table's pages, and of those without a game."""

    photos: PhotoQueue
    history: History  # the past games
    card_deck: DeckFile  # of The Card Game
    card_games: CardGameStore
    dealt_games: DealtGameStore  # Card Games that are dealt to phones
    boards: BoardDesk  # the user's boards
    session: GameSession | None = None  # the running game
    set_up: SetUpSession | None = None  # the game that is being set up

    @property
    def table(self) -> GameSession | SetUpSession | None:
        """The game that runs or is being set up, with its camera; None without one."""
        return self.session or self.set_up

    def rules(self) -> tuple[Statement, ...]:
        """Return the rules of the running game in words; none without a game."""
        table = self.session and self.session.table.view.game.table
        return tuple(map(Statement, rules_in_words(table.edition, table.board))) if table else ()

    @property
    def offers(self) -> frozenset[Needs]:
        """The needs that are met."""
        of_game = {Needs.GAME, Needs.CAMERA} if self.session else set[Needs]()
        of_set_up = {Needs.SET_UP, Needs.CAMERA} if self.set_up else set[Needs]()
        return super().offers | {Needs.NOTHING} | of_game | of_set_up
