"""Editing and scoring a Card Game: pure functions that return a new game."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_fields
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec.structs import replace
from railspotter.scoring.answer import GameScore, card_game_score
from railspotter.scoring.card_game.rules import CardPosition, best_answer, completed, second_deck
from railspotter.scoring.card_game.text import CardGame, CardTicketText, Deck, card_position_of
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import Player
from railspotter.scoring.json_text import misfit
from railspotter.scoring.names import ShortName
from railspotter.scoring.sentence import raised_as

from ..errors import CardGameError
from .deck_table import Bonuses, CardTicket, check_ticket, checked_deck

# The players' colours; everyone chooses one.
SeatColour = Literal["black", "blue", "green", "orange", "purple", "red", "white", "yellow"]
COLOURS: tuple[SeatColour, ...] = get_args(SeatColour)
MOST_HELD = 60  # tickets of one player, completed ones included; the printed deck has 46
MOST_CARDS = 60  # the most cards of one colour on a track: two decks have 20, and 32 Locomotives
# The fields of a game's text that are dicts by player colour.
FIELDS_BY_COLOUR = ("tickets", "completed", "stack", "hand", "railyard", "chosen")


Card = Literal["black", "blue", "green", "orange", "pink", "red", "white", "yellow", "locomotive"]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_CARDS)]
Place = Annotated[int, msgspec.Meta(ge=0, le=MOST_HELD - 1)]

Indices = tuple[int, ...]
Tickets = Annotated[tuple[CardTicket, ...], msgspec.Meta(max_length=MOST_HELD)]


class CardSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player; `was` is the previous colour of one who plays already."""

    colour: SeatColour
    name: ShortName = ""
    was: SeatColour | None = None


class Holding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's cards on the track and tickets.

    `chosen` has the positions of the tickets to complete, null for the best choice.
    """

    stack: dict[Card, Count]
    tickets: Tickets
    chosen: Annotated[tuple[Place, ...], msgspec.Meta(max_length=MOST_HELD)] | None = None


class PlayerLimits(msgspec.Struct):
    """What a player of a game's text may be."""

    colour: SeatColour
    name: ShortName = ""


class GameLimits(msgspec.Struct):
    """What a game's text may have at most; what it leaves out is not limited."""

    players: Annotated[tuple[PlayerLimits, ...], msgspec.Meta(min_length=2, max_length=4)]
    tickets: dict[str, Tickets] = {}
    completed: dict[str, Tickets] = {}
    stack: dict[str, dict[str, Count]] = {}
    hand: dict[str, dict[str, Count]] = {}
    railyard: dict[str, dict[str, Count]] = {}
    city_bonuses: Bonuses = {}


def new_game(seats: Sequence[CardSeat], deck: Deck) -> CardGame:
    """Return a new game with the deck's bonuses."""
    game = CardGame("card-game", city_bonuses=dict(deck.city_bonuses))
    return checked_game(with_seats(game, seats))


def with_seats(game: CardGame, seats: Sequence[CardSeat]) -> CardGame:
    """Return a game with other players or colours; who left loses all cards and tickets."""
    colour_of = {seat.was: seat.colour for seat in seats if seat.was is not None}
    parts = {
        part: {colour_of[c]: held for c, held in getattr(game, part).items() if c in colour_of}
        for part in FIELDS_BY_COLOUR
    }
    players = tuple(Player(seat.colour, seat.name) for seat in seats)
    return replace(game, players=players, **parts)


def with_holding(game: CardGame, colour: str, holding: Holding) -> CardGame:
    """Return a game with a player's cards and tickets replaced."""
    stack = {card: count for card, count in holding.stack.items() if count}
    parts: dict[str, Any] = {
        "stack": {**game.stack, colour: stack},
        "tickets": {**game.tickets, colour: holding.tickets},
        "chosen": {c: chosen for c, chosen in game.chosen.items() if c != colour},
    }
    if holding.chosen is not None:
        parts["chosen"][colour] = holding.chosen
    return replace(game, **parts)


def with_second_deck_begun(game: CardGame, position: CardPosition) -> CardGame:
    """Return a game of four players at the start of its second deck.

    `position` is the game's own, with everyone's completed tickets as `chosen`. Raises
    `CardGameError` without four players, or in the second deck.
    """
    if len(game.players) != 4 or game.round != 1:
        raise CardGameError("only four players play with a second deck, and with no third")
    after = second_deck(position)
    return replace(
        game,
        tickets=tickets_as_text(after.tickets),
        completed=tickets_as_text(after.set_aside),
        stack={},
        railyard={},
        chosen={},
        round=after.round,
    )


def checked_game(game: CardGame) -> CardGame:
    """Validate a game: complete, consistent and within the limits; return it unchanged.

    Raises `CardGameError` for the first fault, with its field.
    """
    if game.deck is not None:
        raise CardGameError("deck: a game's file here brings its own tickets and names no deck")
    written = msgspec.to_builtins(game)
    try:
        msgspec.convert(written, GameLimits)
    except msgspec.ValidationError as error:
        raise CardGameError(misfit(written, GameLimits)) from error
    with raised_as(CardGameError, GameError):
        card_position_of(game)
    for tickets in (*game.tickets.values(), *game.completed.values()):
        for ticket in tickets:
            check_ticket(ticket)
    checked_deck(Deck((), game.city_bonuses))
    return game


@dataclass(frozen=True)
class CardScore:
    """A game's score, and the tickets counted in it."""

    answer: GameScore
    position: CardPosition  # with everyone's completed tickets as `chosen`
    # By colour, the indices of the tickets to complete for the most points.
    best: dict[str, Indices]


def card_score(game: CardGame) -> CardScore:
    """Score a game; raises `GameError` when it is inconsistent."""
    position = card_position_of(game)
    counted = completed(position)
    best = dict(counted)
    for colour in position.chosen:
        if game.final:
            best[colour] = best_answer(position, colour, counted)
        else:
            free = with_fields(
                position, chosen={c: n for c, n in position.chosen.items() if c != colour}
            )
            best[colour] = completed(free)[colour]
    scored = with_fields(position, chosen={c: choice.tickets for c, choice in counted.items()})
    # Problems are about the players' own choices, not the ones counted instead.
    return CardScore(
        card_game_score(position), scored, {c: choice.tickets for c, choice in best.items()}
    )


def player_version(game: CardGame, colour: str) -> str:
    """Return a hash of one player's cards and tickets, to detect concurrent edits."""
    return _hash({part: getattr(game, part).get(colour) for part in FIELDS_BY_COLOUR})


def game_version(game: CardGame) -> str:
    """Return a hash of a game's state, to detect concurrent edits."""
    return _hash(game)


def _hash(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:16]


def tickets_as_text(by_colour: Mapping[str, object]) -> dict[str, tuple[CardTicketText, ...]]:
    """Convert tickets by colour for a game's text, leaving out players without tickets."""
    held = {colour: tickets for colour, tickets in by_colour.items() if tickets}
    return msgspec.convert(held, dict[str, tuple[CardTicketText, ...]], from_attributes=True)
