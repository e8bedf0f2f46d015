"""Card Games that are dealt to phones: all cards of a game, and which phone has which seat.

A phone's seat is known by a token, of which the hash is kept. A move is on the disk, with all that
follows from it, before it is answered.
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

from .card_game_store import GameFolder
from .changes import checked_game, tickets_as_text
from .errors import CardGameError, ChangedError, SeatError

LUCK: Chance[CardTicket] = Chance(secrets.choice)
COMPUTERS = random.SystemRandom()  # what computers leave to chance


class SeatedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game, and the phones that play it."""

    game: DealtCardGame
    seats: dict[Colour, str]  # by colour, the hash of the phone's token; a free seat is not in it
    computers: dict[Colour, str] = {}  # by colour, how strong the computer is that plays it
    freed: tuple[Colour, ...] = ()  # seats that the host took from their phones; see `is_hidden`

    @property
    def final(self) -> bool:
        """Whether it has ended."""
        return self.game.final

    def colour_of(self, token_hash: str) -> Colour | None:
        """Return the seat that a token is for, by its hash; None for none."""
        return next((c for c, kept in self.seats.items() if kept == token_hash), None)

    def with_seat(self, colour: Colour, token_hash: str) -> SeatedGame:
        """Return the game in which a phone has taken a seat.

        Raises `SeatError` when another phone has it, or nobody plays that colour.
        """
        if colour not in self.game.colours:
            raise SeatError("nobody plays {colour!r}", colour=colour)
        if colour in self.computers:
            raise SeatError("a computer plays here")
        if colour in self.seats:
            raise SeatError("another phone has this seat: it has to leave it first")
        return replace(self, seats={**self.seats, colour: token_hash})

    def without_seat(self, colour: Colour) -> SeatedGame:
        """Return the game in which a seat is free again."""
        return replace(self, seats={c: kept for c, kept in self.seats.items() if c != colour})

    def is_hidden(self, colour: Colour) -> bool:
        """Whether the phone in a seat sees none of its cards, and makes no move.

        It sat down where the host had freed the seat, so it may be anybody's, until another player
        says whose it is or the hand is dealt anew. Who plays against computers alone has no secrets
        from anybody.
        """
        people = len(self.game.players) - len(self.computers)
        return colour in self.freed and colour in self.seats and people > 1

    def with_seat_freed(self, colour: Colour) -> SeatedGame:
        """Return the game in which the host has taken a seat from its phone.

        Raises `SeatError` when no phone has it.
        """
        if colour not in self.seats:
            raise SeatError("no phone has this seat")
        freed = tuple(dict.fromkeys((*self.freed, colour)))
        game = with_event(self.game, Happened("freed", colour))
        return replace(self.without_seat(colour), freed=freed, game=game)

    def with_hand_opened(self, colour: Colour, by: Colour) -> SeatedGame:
        """Return the game in which another player has said whose phone took over a seat.

        Raises `SeatError` when none waits for that, or the other one waits too.
        """
        if not self.is_hidden(colour):
            raise SeatError("no phone in this seat waits for that")
        if by == colour or self.is_hidden(by):
            raise SeatError("another player has to say whose phone this is")
        return self._opened(with_event(self.game, Happened("vouched", colour)), colour)

    def with_hand_dealt_anew(self, colour: Colour) -> SeatedGame:
        """Return the game in which a hidden hand is exchanged for another one.

        Raises `SeatError` when it is not hidden.
        """
        if not self.is_hidden(colour):
            raise SeatError("no phone in this seat waits for that")
        return self._opened(with_hand_dealt_anew(self.game, colour, LUCK), colour)

    def _opened(self, game: DealtCardGame, colour: Colour) -> SeatedGame:
        return replace(self, game=game, freed=tuple(c for c in self.freed if c != colour))

    def after(self, colour: Colour, move: CardGameMove, seen: int) -> SeatedGame:
        """Return the game after a player's move.

        `seen` is how many moves the game had when the move was chosen: one that is sent again
        because its answer was lost is not made twice. First tickets, and which are completed, are
        everybody's own to choose. Raises `ChangedError` when somebody moved meanwhile, `MoveError`
        when the rules refuse it.
        """
        if seen != self.game.moves and not (self.game.is_first or self.game.choosing):
            raise ChangedError("somebody moved meanwhile")
        return replace(self, game=play_card_game(self.game, colour, move, LUCK)).computed()

    def computed(self) -> SeatedGame:
        """Return the game when all computers have made their moves, up to the next person's."""
        game = self.game
        while not game.final:
            colour = next((colour for colour in game.acting if colour in self.computers), None)
            if colour is None:
                break
            # They remember what went on their own track: everybody saw it in the railyard.
            view = card_game_view(replace(game, may_look=True), colour)
            move = card_game_move(view, self.computers[colour], COMPUTERS)
            game = play_card_game(game, colour, move, LUCK)
        return replace(self, game=game)


def dealt_game(
    players: Sequence[Player], deck: Deck, *, may_look: bool, computers: dict[Colour, str]
) -> SeatedGame:
    """Return a game that begins, with the tickets and bonuses of a deck; people's seats are free.

    Raises `CardGameError` when so many cannot play, or the deck has too few tickets.
    """
    checked_game(CardGame("card-game", tuple(players), city_bonuses=deck.city_bonuses))
    if len(computers) == len(players):
        raise CardGameError("somebody has to play with the computers")
    tickets = msgspec.convert(msgspec.to_builtins(deck.tickets), tuple[CardTicket, ...])
    try:
        game = deal_card_game(players, tickets, deck.city_bonuses, LUCK, may_look=may_look)
    except MoveError as error:
        raise CardGameError(error.sentence) from error
    return SeatedGame(game, {}, computers).computed()


def counted_game(game: DealtCardGame) -> CardGame:
    """Return a game that is over as a game's text has it: scored to the same points."""
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
    """The Card Games of a data directory that are dealt to phones."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / "card-game" / "dealt",
            lambda content: decode_text(content, SeatedGame),
            msgspec.json.encode,
        )
