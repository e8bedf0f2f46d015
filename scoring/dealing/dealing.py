"""The cards and tickets of a game at one moment: hands, decks, choices, what one seat sees."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..board import Board, RouteId
from ..card_game.tickets import Cards
from ..card_game.turns import Draw
from ..edition import Colour, Edition, ReturnedTickets, Ticket, ticket_deck
from ..position import Position, last_turns
from ..sentence import Sentence
from .moves import MoveError
from .stacks import Luck, TrainCardStacks, cards_of, draw_from_deck, every_card

# The series of which each player is dealt one: Europe's long routes; the rest stays in the box.
LONG = Sentence("long")

Holder = str  # who holds cards: a colour or a seat, as the caller has it


@dataclass(frozen=True)
class Tunnel:
    """A tunnel that requires additional cards."""

    route: RouteId
    cards: Cards  # cards laid down for it, still in the hand
    more: int  # number of additional cards


@dataclass(frozen=True)
class Dealing:
    """The cards of a game at one moment."""

    stacks: TrainCardStacks  # the train cards that nobody holds
    hands: Mapping[Holder, Cards]  # by holder, cards by colour
    # The shuffled part of the ticket deck, in no order that means anything.
    tickets: tuple[Ticket, ...]
    beneath: tuple[Ticket, ...] = ()  # the tickets that were put under the deck, uppermost first
    long: tuple[Ticket, ...] = ()  # Europe: the long routes, of which each player is dealt one
    # Tickets from which a holder has still to choose.
    offered: Mapping[Holder, tuple[Ticket, ...]] = field(default_factory=dict)
    # How many of them each of these holders has to keep.
    at_least: Mapping[Holder, int] = field(default_factory=dict)
    is_first: bool = False  # whether these are tickets of the beginning, which are no turn
    # The holder with an unfinished turn: after drawing a card or tickets, or at a tunnel.
    on_turn: Holder | None = None
    # The train cards that were drawn in this turn, which is not over yet.
    drawn: tuple[Draw, ...] = ()
    # Place of the face-up card that replaced one drawn in this turn, if any.
    refilled: int | None = None
    tunnel: Tunnel | None = None  # the one that asks for more cards
    # The three cards that were turned over for the tunnel of the last move, or the open one; else
    # none.
    revealed: tuple[str, ...] = ()
    taken: str | None = None  # the face-up card that was taken with the last move

    @property
    def edition(self) -> Edition:
        """The rules that are played by."""
        return self.stacks.edition

    @property
    def is_choosing_first(self) -> bool:
        """Whether somebody still has to choose first tickets."""
        return self.is_first and bool(self.offered)

    def least_kept(self, who: Holder) -> int:
        """Return how many of the tickets on offer a holder has to keep."""
        return min(self.at_least.get(who, 0), len(self.offered.get(who, ())))

    @property
    def tickets_left(self) -> int:
        """How many tickets can still be drawn."""
        return len(self.tickets) + len(self.beneath)

    @property
    def all_cards(self) -> Counter[str]:
        """All train cards of the game."""
        return every_card(self.stacks.all_cards, *self.hands.values())

    def hand(self, who: Holder) -> Counter[str]:
        """Return the train cards that somebody holds."""
        return Counter(self.hands.get(who, {}))

    def with_hand(self, who: Holder, cards: Cards) -> "Dealing":
        """Return the dealing with a holder's hand replaced."""
        return replace(self, hands={**self.hands, who: {c: n for c, n in cards.items() if n}})

    @property
    def drawable(self) -> tuple[int | None, ...]:
        """The places of the train cards that may be drawn now: None for the deck."""
        return self.stacks.drawable(self.drawn, self.refilled)

    @property
    def can_draw_tickets(self) -> bool:
        """Whether tickets can be drawn."""
        return self.tickets_left > 0 and self.edition.later_tickets[0] > 0

    def draw_tickets(self, count: int, luck: Luck) -> "tuple[Dealing, tuple[Ticket, ...]]":
        """Draw up to `count` tickets; return the dealing and the tickets.

        "If there are less than 3 Destination Tickets left in the deck, the player only draws the
        cards that are available."
        """
        drawn, tickets, beneath = draw_from_deck(
            self.tickets, self.beneath, count, luck.draw_ticket
        )
        return replace(self, tickets=tickets, beneath=beneath), drawn

    def with_first_cards(self, who: Holder, luck: Luck) -> "Dealing":
        """Return the dealing with a first hand dealt to a holder."""
        stacks, dealt = self.stacks.deal(self.edition.first_hand, luck)
        return replace(self, stacks=stacks).with_hand(who, Counter(dealt))

    def with_first_tickets(self, who: Holder, luck: Luck) -> "Dealing":
        """Return the dealing with first tickets offered to a holder, if there are any."""
        count, at_least = self.edition.first_tickets
        long = 1 if self.long and count else 0
        return self.with_tickets_to_choose(who, count, long, at_least, luck)

    def with_tickets_to_choose(
        self, who: Holder, count: int, long: int, at_least: int, luck: Luck
    ) -> "Dealing":
        """Return the dealing with `count` tickets offered, `long` of them long routes."""
        first: tuple[Ticket, ...] = ()
        for _ in range(long):
            first = (*first, luck.draw_ticket([t for t in self.long if t not in first]))
        after, rest = self.draw_tickets(count - len(first), luck)
        if not (first or rest):
            return self
        return replace(
            after,
            long=tuple(t for t in self.long if t not in first),
            offered={**self.offered, who: (*first, *rest)},
            at_least={**self.at_least, who: at_least},
            is_first=True,
        )

    def with_other_hand(
        self, who: Holder, kept: Sequence[Ticket], at_least: int, luck: Luck
    ) -> "Dealing":
        """Return the dealing with a holder's hand, tickets and offer dealt anew, as many as before.

        What was begun in the turn is begun anew: a card that was drawn in it goes back as well. All
        tickets that were kept before, and those on offer, are shuffled in. `at_least` as many have
        to be kept; 0 for as many as of the first tickets.
        """
        is_begun = self.on_turn == who
        drawn = len(self.drawn) if is_begun else 0
        hand, offered = self.hand(who), self.offered.get(who, ())
        back = (*kept, *offered)
        long = [ticket for ticket in back if ticket.series == LONG]
        count = len(kept) + (0 if is_begun else len(offered))
        deck = every_card(self.stacks.deck, hand)
        stacks, dealt = replace(self.stacks, deck=deck).deal(hand.total() - drawn, luck)
        after = replace(
            self.with_hand(who, Counter(dealt)),
            stacks=stacks,
            tickets=(*self.tickets, *(ticket for ticket in back if ticket.series != LONG)),
            long=(*self.long, *long),
            offered={other: tickets for other, tickets in self.offered.items() if other != who},
        )
        if is_begun:
            after = replace(after, on_turn=None, drawn=(), refilled=None, tunnel=None, revealed=())
        at_least = at_least or self.edition.first_tickets[1]
        return after.with_tickets_to_choose(who, count, len(long), at_least, luck)

    def without_offer(self, who: Holder) -> "Dealing":
        """Return the dealing with a holder's offered tickets returned."""
        rest = {other: tickets for other, tickets in self.offered.items() if other != who}
        on_turn = None if self.on_turn == who else self.on_turn
        back = self.with_returned(self.offered.get(who, ()))
        return replace(back, offered=rest, on_turn=on_turn)

    @property
    def returned_to(self) -> ReturnedTickets:
        """Where tickets go that are not kept now."""
        return self.edition.returned_first_tickets if self.is_first else "bottom of the deck"

    def with_returned(self, tickets: Sequence[Ticket]) -> "Dealing":
        """Return the dealing with unwanted tickets back in the deck, or out of the game."""
        if self.returned_to == "out of the game":
            return self
        if self.returned_to == "shuffled in":
            return replace(self, tickets=(*self.tickets, *self.beneath, *tickets), beneath=())
        return replace(self, beneath=(*self.beneath, *tickets))


def first_dealing(edition: Edition, board: Board, holders: Sequence[Holder], luck: Luck) -> Dealing:
    """Deal a game's first cards and tickets, up to the choice of tickets.

    Raises `MoveError` for an edition whose train cards nobody has counted.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> class Tops:
    ...     def draw_card(self, deck):
    ...         return next(iter(deck))
    ...     def draw_ticket(self, deck):
    ...         return deck[0]
    >>> dealing = first_dealing(load_edition("usa"), load_board("usa"), ["red", "blue"], Tops())
    >>> sum(dealing.hand("red").values()), len(dealing.stacks.face_up), len(dealing.offered["red"])
    (4, 5, 3)
    >>> dealing.all_cards.total(), dealing.tickets_left
    (110, 24)
    """
    cards = cards_of(edition)
    if not edition.card_colours:
        raise MoveError("{edition} has no train cards to deal", edition=edition.title)
    deck = ticket_deck(edition, board)
    dealing = Dealing(
        TrainCardStacks(edition, cards),
        {},
        tuple(ticket for ticket in deck if ticket.series != LONG),
        long=tuple(ticket for ticket in deck if ticket.series == LONG),
    )
    for who in holders:
        dealing = dealing.with_first_cards(who, luck)
    dealing = replace(dealing, stacks=dealing.stacks.turned_up(luck))
    for who in holders:
        dealing = dealing.with_first_tickets(who, luck)
    return dealing


@dataclass(frozen=True)
class SeatView:
    """Everything that one player sees: all that a computer player gets."""

    position: Position  # the board, with the tickets of this player only
    colour: Colour
    hand: Cards
    face_up: tuple[str, ...]
    in_deck: int  # how many train cards lie face down
    discards: Cards  # what was played; everybody saw it
    # hand_sizes, ticket_counts: By colour, how many train cards and tickets each player holds.
    hand_sizes: Mapping[Colour, int]
    ticket_counts: Mapping[Colour, int]
    tickets_left: int  # how many tickets can still be drawn
    offered: tuple[Ticket, ...] = ()  # those from which this player has to choose now
    at_least: int = 0  # how many of them have to be kept
    # What this player drew in this turn, where a second card may follow.
    drawn: tuple[Draw, ...] = ()
    # The places of the train cards that may be drawn now: None for the deck.
    drawable: tuple[int | None, ...] = ()
    tunnel: Tunnel | None = None  # the one that asks this player for more cards
    # The three cards that were turned over for the tunnel of the last move.
    revealed: tuple[str, ...] = ()
    # Once the last turns have begun: how many turns are left in all, this one counted.
    turns_left: int | None = None

    @property
    def can_draw_tickets(self) -> bool:
        """Whether tickets can be drawn."""
        return self.tickets_left > 0 and self.position.edition.later_tickets[0] > 0


def view_of(
    position: Position, dealing: Dealing, holders: Mapping[Colour, Holder], colour: Colour
) -> SeatView:
    """Return a player's view of a position with everyone's tickets; `holders` have the cards."""
    who, last = holders[colour], position.last_turns
    mine = dealing.on_turn == who
    own_tickets = position.tickets.get(colour, ())
    stacks = dealing.stacks
    offered = dealing.offered.get(who, ())
    return SeatView(
        replace(position, tickets={colour: own_tickets}),
        colour,
        dealing.hand(who),
        stacks.face_up,
        stacks.in_deck,
        dict(stacks.discards),
        {other: sum(dealing.hands.get(name, {}).values()) for other, name in holders.items()},
        {other: len(position.tickets.get(other, ())) for other in holders},
        dealing.tickets_left,
        offered,
        dealing.least_kept(who),
        dealing.drawn if mine else (),
        dealing.drawable if mine else stacks.drawable(),
        dealing.tunnel if mine else None,
        dealing.revealed,
        len(last_turns(position.colours, last.by, last.turns_since)) if last else None,
    )
