"""The state of a Card Game in play: who holds what.

What comes off a shuffled deck is handed in, as everywhere in this room. What is here has all
secrets: see `card_game_view`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from ..card_game.rules import CardPosition
from ..card_game.tickets import LOCOMOTIVE, CardTicket
from ..card_game.turns import Draw, Row
from ..edition import Colour, Edition, load_edition
from ..game import Player
from ..position import Seat
from .moves import MoveError
from .stacks import AnyLuck, TrainCardStacks, cards_of, draw_from_deck, every_card

MOST_EVENTS = 30  # last events that are kept


CardGameLuck: TypeAlias = AnyLuck[CardTicket]


class Completed(msgspec.Struct, frozen=True):
    """A ticket that was completed, and the cards of the stack that paid for it."""

    ticket: CardTicket
    paid: dict[str, int]


class Happened(msgspec.Struct, frozen=True, omit_defaults=True):
    """What everybody saw of a turn, of a deck's end, or of a seat."""

    what: Literal[
        "kept",
        "drew",
        "placed",
        "passed",
        "last turns",
        "second deck",
        "end",
        "left",  # its seat, by the phone that saw the hand
        "freed",  # its seat, by the host
        "vouched",  # somebody said whose phone took it over
        "dealt anew",
    ]
    colour: Colour
    cards: tuple[str, ...] = ()  # those that were drawn, `hidden` from the deck; or placed
    robbed: dict[Colour, int] = {}  # how many cards each opponent had to discard
    tickets: int = 0  # how many were kept
    moved: int = 0  # how many cards went on the track before
    # By how many cards and tickets a hand that was dealt anew is smaller: no more were left.
    missing: int = 0


class DealtCardGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game of The Card Game, all cards of it, at one moment; what is by player has colours."""

    players: tuple[Player, ...]  # in turn order
    city_bonuses: dict[str, int]
    may_look: bool  # house rule: everyone may look through the own On-the-Track stack
    deck: dict[str, int]  # in no order: it is shuffled
    face_up: tuple[str, ...]
    hands: dict[Colour, dict[str, int]]
    offered: dict[Colour, tuple[CardTicket, ...]]  # tickets from which somebody has to choose
    ticket_deck: tuple[CardTicket, ...]  # in no order
    turn: Colour
    discards: dict[str, int] = {}
    beneath: tuple[CardTicket, ...] = ()  # put under the ticket deck, uppermost first
    railyards: dict[Colour, dict[str, Row]] = {}
    tracks: dict[Colour, dict[str, int]] = {}  # the On-the-Track stacks
    tickets: dict[Colour, tuple[CardTicket, ...]] = {}  # held, and not completed
    completed: dict[Colour, tuple[Completed, ...]] = {}
    is_first: bool = True  # whether the first tickets are still chosen, which is no turn
    moved: int = 0  # how many cards went on the track at the beginning of this turn
    drawn: tuple[Draw, ...] = ()  # in this turn, which is not over
    refilled: int | None = None  # where the face-up card lies that replaced one of them
    choosing: tuple[Colour, ...] = ()  # who still chooses what to complete as a deck has run out
    to_complete: dict[Colour, tuple[int, ...]] = {}  # positions of tickets: chosen, or proposed
    unproved: tuple[Colour, ...] = ()  # whose proposal is the best that was found, no more
    turns_left: int | None = None  # in all, this one counted, once the deck has run out
    round: int = 1  # number of the deck
    final: bool = False
    moves: int = 0  # number of moves, which identifies this state
    events: tuple[Happened, ...] = ()

    @property
    def edition(self) -> Edition:
        """The rules that are played by."""
        return load_edition("card-game")

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The players, in turn order."""
        return tuple(player.colour for player in self.players)

    @property
    def following(self) -> Colour:
        """The player after the one on turn."""
        return self.colours[(self.colours.index(self.turn) + 1) % len(self.colours)]

    @property
    def acting(self) -> tuple[Colour, ...]:
        """Who may make the next move."""
        return tuple(self.offered) or self.choosing or (self.turn,)

    @property
    def stacks(self) -> TrainCardStacks:
        """The train cards that nobody holds."""
        return TrainCardStacks(self.edition, self.deck, self.face_up, self.discards, False)

    @property
    def drawable(self) -> tuple[int | None, ...]:
        """The places of the train cards that may be drawn now: None for the deck."""
        return self.stacks.drawable(self.drawn, self.refilled)

    @property
    def position(self) -> CardPosition:
        """What counts for the score: when it has ended, nothing is to be completed any more."""
        stacks: dict[Colour, dict[str, int]] = {} if self.final else self.tracks
        rows = {c: cards_of_rows(rows) for c, rows in self.railyards.items()}
        off_track = {
            c: every_card(
                self.hands.get(c, {}), rows.get(c, {}), self.tracks.get(c, {}) if self.final else {}
            )
            for c in self.colours
        }
        return CardPosition(
            self.edition,
            tuple(Seat(player.colour, player.name) for player in self.players),
            self.tickets,
            stacks,
            {c: tuple(one.ticket for one in done) for c, done in self.completed.items()},
            city_bonuses=self.city_bonuses,
            round=self.round,
            off_track=off_track,
            final=self.final,
        )


def deal_card_game(
    players: Sequence[Player],
    tickets: Sequence[CardTicket],
    city_bonuses: Mapping[str, int],
    luck: CardGameLuck,
    *,
    may_look: bool = False,
) -> DealtCardGame:
    """Deal a Card Game, up to the choice of the first tickets.

    "Give each player 1 Locomotive card. Shuffle the rest of the Train cards into a Train deck,
    including any Locomotives left over; deal 7 cards to each player."

    Raises `MoveError` where there are too few tickets to deal.
    """
    edition, colours = load_edition("card-game"), [player.colour for player in players]
    count = edition.first_tickets[0]
    if len(tickets) < count * len(players):
        raise MoveError(
            "the deck has {n} tickets; {needed} are dealt to {players} players",
            n=len(tickets),
            needed=count * len(players),
            players=len(players),
        )
    deck = cards_of(edition)
    deck[LOCOMOTIVE] -= len(players)
    stacks = TrainCardStacks(edition, deck, reshuffles=False)
    hands = {}
    for colour in colours:
        stacks, dealt = stacks.deal(edition.first_hand, luck)
        hands[colour] = dict(Counter((LOCOMOTIVE, *dealt)))
    stacks = stacks.turned_up(luck)
    game = DealtCardGame(
        tuple(players),
        dict(city_bonuses),
        may_look,
        dict(stacks.deck),
        stacks.face_up,
        hands,
        {},
        tuple(tickets),
        colours[0],
    )
    for colour in colours:
        game = with_offer(game, colour, count, luck)
    return game


def with_offer(
    game: DealtCardGame, colour: Colour, count: int, luck: CardGameLuck
) -> DealtCardGame:
    """Return the game with up to `count` tickets offered to a player."""
    offered, tickets, beneath = draw_from_deck(
        game.ticket_deck, game.beneath, count, luck.draw_ticket
    )
    return replace(
        game, ticket_deck=tickets, beneath=beneath, offered={**game.offered, colour: offered}
    )


def with_event(game: DealtCardGame, said: Happened) -> DealtCardGame:
    """Return the game with an event added."""
    return replace(game, events=(*game.events, said)[-MOST_EVENTS:])


def with_stacks(game: DealtCardGame, stacks: TrainCardStacks) -> DealtCardGame:
    """Return the game with its stacks of train cards replaced."""
    return replace(
        game,
        deck=dict(stacks.deck),
        face_up=stacks.face_up,
        discards=dict(stacks.discards),
    )


def cards_of_rows(rows: Mapping[str, Row]) -> Counter[str]:
    """Return the cards of a railyard's rows."""
    locomotives = Counter({LOCOMOTIVE: sum(row.locomotives for row in rows.values())})
    return +(locomotives + Counter({colour: row.cards for colour, row in rows.items()}))
