"""What the calls and pages are answered from, and what of it each of them needs.

The pages at a table have `Services`; what is about something else has a `PageContext` of its own.
"""

from __future__ import annotations

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
    """What a call or a page needs; where that is not, it is not there."""

    PHONES = "a page that knows phones"
    NOTHING = "nothing of a table"
    CAMERA = "a table with a camera, be a game set up there or played"
    GAME = "a running game"
    SET_UP = "a game that is being set up"
    HALL = "a hall, which hears what many tables tell a broker"


@dataclass(frozen=True)
class PageContext:
    """Who comes in at a page, and how often: what every page has."""

    phone_access: PhoneAccess  # the page's codes and phones
    limits: Limits  # how often one address may ask

    @property
    def table(self) -> GameSession | SetUpSession | None:
        """The game that runs or is being set up, with its camera; None without one."""
        return None

    def rules(self) -> tuple[Statement, ...]:
        """Return the rules of the running game in words; none without a game."""
        return ()

    @property
    def offers(self) -> frozenset[Needs]:
        """What is here; calls and pages that need anything else are not."""
        return frozenset({Needs.PHONES})


@dataclass(frozen=True)
class Services(PageContext):
    """What all calls at a table, and those beside one, are answered from."""

    photos: PhotoQueue  # reads photos
    history: History  # the past games
    card_deck: DeckFile  # the deck of The Card Game
    card_games: CardGameStore
    dealt_games: DealtGameStore  # games of The Card Game that are dealt to phones
    boards: BoardDesk  # the user's boards
    session: GameSession | None = None  # the running game; None where none runs
    set_up: SetUpSession | None = None  # the game that is being set up; None where none is

    @property
    def table(self) -> GameSession | SetUpSession | None:
        """The game that runs or is being set up, with its camera; None without one."""
        return self.session or self.set_up

    def rules(self) -> tuple[Statement, ...]:
        """Return the rules of the running game in words; none without a game."""
        if self.session is None:
            return ()
        return tuple(map(Statement, rules_in_words(self.session.table.view.game.table.edition)))

    @property
    def offers(self) -> frozenset[Needs]:
        """What is here; calls and pages that need anything else are not."""
        of_game = {Needs.GAME, Needs.CAMERA} if self.session else set[Needs]()
        of_set_up = {Needs.SET_UP, Needs.CAMERA} if self.set_up else set[Needs]()
        return super().offers | {Needs.NOTHING} | of_game | of_set_up
