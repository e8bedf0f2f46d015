"""Card Games that are dealt to phones: the cards, the seats, and their files.

A phone proves its seat by a token, of which the hash is saved. A move is saved, with the computers'
moves that follow it, before it is answered.
"""

import random
import secrets
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace
from railspotter.scoring.card_game.text import CardGame, Deck
from railspotter.scoring.card_game.tickets import CardTicket
from railspotter.scoring.dealing.card_game_turns import play_card_game, with_hand_dealt_anew
from railspotter.scoring.dealing.card_game_view import card_game_view
from railspotter.scoring.dealing.dealt_card_game import (
    DealtCardGame,
    Happened,
    deal_card_game,
    with_event,
)
from railspotter.scoring.dealing.moves import CardGameMove, MoveError
from railspotter.scoring.dealing.stacks import Chance
from railspotter.scoring.edition import Colour
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import Player
from railspotter.scoring.json_text import parse_json
from railspotter.scoring.sentence import raised_as
from railspotter.simulation.computer_players.card_game import card_game_move

from ..errors import CardGameError, ChangedError, SeatError
from .card_game_store import GameFolder
from .changes import checked_game, tickets_as_text

LUCK: Chance[CardTicket] = Chance(secrets.choice)
MOST_PHONES = 100  # of one game; those without a seat are forgotten first
COMPUTERS = random.SystemRandom()  # the random source of computer players


class CardPhone(msgspec.Struct, frozen=True, omit_defaults=True):
    """A phone that has had a seat."""

    had: tuple[Colour, ...] = ()  # all its seats in this game
    is_host: bool = False  # whether it was the host's, or this computer's, when it took one


class SeatedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dealt game, with its phones and computer players.

    The first phone in a seat opens its hand, and any later one waits: see `is_hidden`.
    """

    game: DealtCardGame
    seats: dict[Colour, str]  # by colour, the hash of the phone's token; a free seat is not in it
    computers: dict[Colour, str] = {}  # by colour, how strong the computer is that plays it
    # Seats that the host took from their phones, and those that their phones left, until the hand
    # is opened to another phone.
    freed: tuple[Colour, ...] = ()
    left: tuple[Colour, ...] = ()
    phones: dict[str, CardPhone] = {}  # by the hash of their tokens, in order of arrival
    deleting: tuple[Colour, ...] = ()  # seats that agree to delete the game

    @property
    def final(self) -> bool:
        """Whether the game has ended."""
        return self.game.final

    def colour_of(self, token_hash: str) -> Colour | None:
        """Return the seat of a token, by its hash; None for an unknown one."""
        return next((c for c, kept in self.seats.items() if kept == token_hash), None)

    def phone_at(self, colour: Colour) -> CardPhone:
        """Return the phone in a seat."""
        return self.phones.get(self.seats.get(colour, ""), CardPhone())

    def with_seat(self, colour: Colour, token_hash: str, *, is_host: bool = False) -> "SeatedGame":
        """Give a free seat to a phone, which leaves its own; raises `SeatError` for others."""
        if colour not in self.game.colours:
            raise SeatError("nobody plays {colour!r}", colour=colour)
        if colour in self.computers:
            raise SeatError("a computer plays here")
        if colour in self.seats:
            raise SeatError("another phone has this seat: it has to leave it first")
        own = self.colour_of(token_hash)
        game = self if own is None else self.with_seat_freed(own, by_host=False)
        phones = dict(game.phones)
        phone = phones.pop(token_hash, CardPhone())
        while len(phones) >= MOST_PHONES:
            idle = (known for known in phones if known not in game.seats.values())
            del phones[next(idle)]
        phones[token_hash] = CardPhone(_with(phone.had, colour), phone.is_host or is_host)
        return replace(game, seats={**game.seats, colour: token_hash}, phones=phones)

    def is_hidden(self, colour: Colour) -> bool:
        """Whether the phone in a seat may neither see its cards nor move.

        Another phone had the seat before, so this one may be a stranger's, until another player
        vouches for it or the hand is dealt anew. A single person against computers has no secrets.
        """
        people = len(self.game.players) - len(self.computers)
        is_taken_over = colour in self.seats and colour in (*self.freed, *self.left)
        return is_taken_over and people > 1 and not self.final

    def with_seat_freed(self, colour: Colour, *, by_host: bool) -> "SeatedGame":
        """Free a seat whose phone leaves, or loses it; raises `SeatError` when no phone has it."""
        if colour not in self.seats:
            raise SeatError("no phone has this seat")
        game, left, freed = self.game, self.left, self.freed
        if by_host:
            freed, game = _with(freed, colour), with_event(game, Happened("freed", colour))
        else:
            left = _with(left, colour)
            if not self.is_hidden(colour):
                game = with_event(game, Happened("left", colour))
        seats = {c: kept for c, kept in self.seats.items() if c != colour}
        deleting = _without(self.deleting, colour)
        return replace(self, game=game, seats=seats, freed=freed, left=left, deleting=deleting)

    def with_hand_opened(self, colour: Colour, *, is_new: bool = False) -> "SeatedGame":
        """Show a hidden hand to its phone, or a new one in its place.

        Raises `SeatError` when it is not hidden.
        """
        if not self.is_hidden(colour):
            raise SeatError("no phone in this seat waits for that")
        if is_new:
            game = with_hand_dealt_anew(self.game, colour, LUCK)
        else:
            game = with_event(self.game, Happened("vouched", colour))
        freed, left = _without(self.freed, colour), _without(self.left, colour)
        return replace(self, game=game, freed=freed, left=left).after_computers()

    def with_deletion_wanted(self, colour: Colour) -> "SeatedGame":
        """Let a seat agree to delete the game; whoever plays on refuses."""
        return replace(self, deleting=_with(self.deleting, colour))

    @property
    def is_deletion_agreed(self) -> bool:
        """Whether all seats that ever had a phone agree to delete the game."""
        return {*self.seats, *self.freed, *self.left} <= set(self.deleting)

    def after(self, colour: Colour, move: CardGameMove, seen: int) -> "SeatedGame":
        """Return the game after a player's move and the computers' moves that follow.

        `seen` is the number of moves when the move was chosen, so that a retried request is not
        played twice. Choices that all players make at once, of first and of completed tickets, do
        not need it. Raises `ChangedError` when it is outdated, `MoveError` for an illegal move.
        """
        if seen != self.game.moves and not (self.game.is_first or self.game.choosing):
            raise ChangedError("somebody moved meanwhile")
        game = play_card_game(self.game, colour, move, LUCK)
        return replace(self, game=game, deleting=()).after_computers()

    def after_computers(self) -> "SeatedGame":
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


def _with(colours: tuple[Colour, ...], colour: Colour) -> tuple[Colour, ...]:
    return (*_without(colours, colour), colour)


def _without(colours: tuple[Colour, ...], colour: Colour) -> tuple[Colour, ...]:
    return tuple(c for c in colours if c != colour)


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
            lambda content: parse_json(content, SeatedGame, GameError),
            msgspec.json.encode,
        )
