"""The services that calls and pages use, and what each of them needs.

Pages of a table have `Services`; others, such as a hall's, have a `PageContext` of their own.
"""

from dataclasses import dataclass
from enum import Enum

from railspotter.scoring.rules_in_words import rules_in_words
from railspotter.table.boards.board_desk import BoardDesk
from railspotter.table.card_games.card_game_store import CardGameStore
from railspotter.table.card_games.dealt_games import DealtGameStore
from railspotter.table.card_games.deck_table import DeckFile

from ..access.limits import Limits
from ..access.phone_access import PhoneAccess
from ..feed.history import History
from ..words.translation import Statement
from .game_session import GameSession
from .photo_queue import PhotoQueue
from .set_up_session import SetUpSession


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
