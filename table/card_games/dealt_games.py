"""Card Games that are dealt to phones: the cards, the seats, and their files.

A phone proves its seat by a token, of which the hash is saved. A move is saved, with the computers'
moves that follow it, before it is answered.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace
from railspotter.scoring.card_game.text import CardGame, Deck
from railspotter.scoring.card_game.tickets import CardTicket
from railspotter.scoring.dealing.card_game_turns import play_card_game
from railspotter.scoring.dealing.card_game_view import card_game_view
from railspotter.scoring.dealing.dealt_card_game import (
    DealtCardGame,
    Happened,
    deal_card_game,
    with_event,
    with_hand_dealt_anew,
)
from railspotter.scoring.dealing.moves import CardGameMove, MoveError
from railspotter.scoring.dealing.stacks import Chance
from railspotter.scoring.edition import Colour
from railspotter.scoring.game import Player, decode_text
from railspotter.simulation.computer_players.card_game import card_game_move

from ..errors import CardGameError, ChangedError, SeatError, raised_as
from .card_game_store import GameFolder
from .changes import checked_game, tickets_as_text

LUCK: Chance[CardTicket] = Chance(secrets.choice)
COMPUTERS = random.SystemRandom()  # the random source of computer players


class SeatedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dealt game, with its phones and computer players."""

    game: DealtCardGame
    seats: dict[Colour, str]  # by colour, the hash of the phone's token; a free seat is not in it
    computers: dict[Colour, str] = {}  # by colour, how strong the computer is that plays it
    freed: tuple[Colour, ...] = ()  # seats that the host took from their phones; see `is_hidden`

    @property
    def final(self) -> bool:
        """Whether the game has ended."""
        return self.game.final

    def colour_of(self, token_hash: str) -> Colour | None:
        """Return the seat of a token, by its hash; None for an unknown one."""
        return next((c for c, kept in self.seats.items() if kept == token_hash), None)

    def with_seat(self, colour: Colour, token_hash: str) -> SeatedGame:
        """Give a free seat to a phone; raises `SeatError` if it is not free."""
        if colour not in self.game.colours:
            raise SeatError("nobody plays {colour!r}", colour=colour)
        if colour in self.computers:
            raise SeatError("a computer plays here")
        if colour in self.seats:
            raise SeatError("another phone has this seat: it has to leave it first")
        return replace(self, seats={**self.seats, colour: token_hash})

    def without_seat(self, colour: Colour) -> SeatedGame:
        """Free a seat."""
        return replace(self, seats={c: kept for c, kept in self.seats.items() if c != colour})

    def is_hidden(self, colour: Colour) -> bool:
        """Whether the phone in a seat may neither see its cards nor move.

        It took a seat that the host had freed, so it may be a stranger's, until another player
        vouches for it or the hand is dealt anew. A single person against computers has no secrets.
        """
        people = len(self.game.players) - len(self.computers)
        return colour in self.freed and colour in self.seats and people > 1

    def with_seat_freed(self, colour: Colour) -> SeatedGame:
        """Free a seat at the host's request; raises `SeatError` when no phone has it."""
        if colour not in self.seats:
            raise SeatError("no phone has this seat")
        freed = tuple(dict.fromkeys((*self.freed, colour)))
        game = with_event(self.game, Happened("freed", colour))
        return replace(self.without_seat(colour), freed=freed, game=game)

    def with_hand_opened(self, colour: Colour, by: Colour) -> SeatedGame:
        """Show a hidden hand to its phone, for which another player vouches.

        Raises `SeatError` when it is not hidden, or the other player's hand is hidden too.
        """
        if not self.is_hidden(colour):
            raise SeatError("no phone in this seat waits for that")
        if by == colour or self.is_hidden(by):
            raise SeatError("another player has to say whose phone this is")
        return self._with_hand_shown(with_event(self.game, Happened("vouched", colour)), colour)

    def with_hand_dealt_anew(self, colour: Colour) -> SeatedGame:
        """Exchange a hidden hand for a new one; raises `SeatError` when it is not hidden."""
        if not self.is_hidden(colour):
            raise SeatError("no phone in this seat waits for that")
        return self._with_hand_shown(with_hand_dealt_anew(self.game, colour, LUCK), colour)

    def _with_hand_shown(self, game: DealtCardGame, colour: Colour) -> SeatedGame:
        return replace(self, game=game, freed=tuple(c for c in self.freed if c != colour))

    def after(self, colour: Colour, move: CardGameMove, seen: int) -> SeatedGame:
        """Return the game after a player's move and the computers' moves that follow.

        `seen` is the number of moves when the move was chosen, so that a retried request is not
        played twice. Choices that all players make at once, of first and of completed tickets, do
        not need it. Raises `ChangedError` when it is outdated, `MoveError` for an illegal move.
        """
        if seen != self.game.moves and not (self.game.is_first or self.game.choosing):
            raise ChangedError("somebody moved meanwhile")
        game = play_card_game(self.game, colour, move, LUCK)
        return replace(self, game=game).after_computers()

    def after_computers(self) -> SeatedGame:
        """Play the computers' moves until a person has to move."""
        game = self.game
        while not game.final:
            colour = next((colour for colour in game.acting if colour in self.computers), None)
            if colour is None:
                break
            # Computers may look at their own track: everybody saw those cards in the railyard.
            view = card_game_view(replace(game, may_look=True), colour)
            move = card_game_move(view, self.computers[colour], COMPUTERS)
            game = play_card_game(game, colour, move, LUCK)
        return replace(self, game=game)


def dealt_game(
    players: Sequence[Player], deck: Deck, *, may_look: bool, computers: dict[Colour, str]
) -> SeatedGame:
    """Deal a new game with a deck's tickets and bonuses; people's seats are free.

    Raises `CardGameError` for a wrong number of players, or too few tickets.
    """
    checked_game(CardGame("card-game", tuple(players), city_bonuses=deck.city_bonuses))
    if len(computers) == len(players):
        raise CardGameError("somebody has to play with the computers")
    tickets = msgspec.convert(msgspec.to_builtins(deck.tickets), tuple[CardTicket, ...])
    with raised_as(CardGameError, MoveError):
        game = deal_card_game(players, tickets, deck.city_bonuses, LUCK, may_look=may_look)
    return SeatedGame(game, {}, computers).after_computers()


def counted_game(game: DealtCardGame) -> CardGame:
    """Convert a finished game to a game's text, which scores the same points."""
    return CardGame(
        "card-game",
        game.players,
        tickets_as_text(game.tickets),
        tickets_as_text(
            {c: tuple(one.ticket for one in done) for c, done in game.completed.items()}
        ),
        round=game.round,
        city_bonuses=game.city_bonuses,
        final=game.final,
    )


class DealtGameStore(GameFolder[SeatedGame]):
    """The Card Games in a data directory that are dealt to phones."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / "card-game" / "dealt",
            lambda content: decode_text(content, SeatedGame),
            msgspec.json.encode,
        )
