"""The referee of the Card Game: hands, railyards, stacks and the deck, judged turn by turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec
import numpy as np
from railspotter.scoring.card_game import (
    CARDS_AT_SECOND_DECK,
    CardPosition,
    card_position_problems,
    second_deck,
)
from railspotter.scoring.card_game_text import CardGame
from railspotter.scoring.card_legality import (
    Railyard,
    Row,
    after_placing,
    move_on_track,
    placing_problems,
)
from railspotter.scoring.card_tickets import LOCOMOTIVE, Cards, CardTicket
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.position import Seat

from ..virtual_players.errors import IllegalTurnError, refuse
from ..virtual_players.played_game import CardsDrawn
from ..virtual_players.train_cards import Choose, TrainCards
from .played_card_game import CardDeal, CardsPlaced, CardTicketsDrawn

# Chooses of the offered tickets at least so many.
KeepCardTickets = Callable[[tuple[CardTicket, ...], int], Sequence[CardTicket]]


class CardTable:
    """One Card Game while it is played.

    Attributes
    ----------
    position : CardPosition
        What counts for the score.
    hands : dict of str to Counter
    railyards : dict of str to Railyard
    cards : TrainCards
    tickets : list of CardTicket
        The ticket deck, its top first.
    """

    def __init__(
        self,
        edition: Edition,
        seats: tuple[Seat, ...],
        tickets: Sequence[CardTicket],
        city_bonuses: Cards,
        rng: np.random.Generator,
    ) -> None:
        self._rng = rng
        self.position = CardPosition(edition, seats, city_bonuses=city_bonuses)
        refuse(card_position_problems(self.position, final=False))
        # "Give each player 1 Locomotive card. Shuffle the rest of the Train cards."
        deck = cards_of(edition) - Counter({LOCOMOTIVE: len(seats)})
        self.cards = TrainCards(edition, deck, rng)
        self.hands = {
            seat.colour: self.cards.deal(edition.first_hand) + Counter({LOCOMOTIVE: 1})
            for seat in seats
        }
        self.cards.turn_up()
        self.railyards: dict[Colour, dict[str, Row]] = {seat.colour: {} for seat in seats}
        self.tickets = [tickets[i] for i in rng.permutation(len(tickets))]

    def others(self, colour: Colour) -> dict[Colour, Railyard]:
        """Return the railyards of the other players."""
        return {other: yard for other, yard in self.railyards.items() if other != colour}

    def deal_tickets(self, colour: Colour, keep: KeepCardTickets) -> CardDeal:
        """Let a player choose the first tickets; the others are shuffled back."""
        offered, kept = self._offer(colour, self.position.edition.first_tickets, keep)
        self.tickets = [self.tickets[i] for i in self._rng.permutation(len(self.tickets))]
        return CardDeal(Counter(self.hands[colour]), offered, kept)

    def move_on_track(self, colour: Colour) -> Cards:
        """Take a card from each row of a player's railyard and put it on the track."""
        self.railyards[colour], moved = move_on_track(self.railyards[colour])
        stack = Counter(self.position.stacks.get(colour, {})) + Counter(moved)
        stacks = {**self.position.stacks, colour: stack}
        self.position = replace(self.position, stacks=stacks)
        return moved

    def draw_cards(self, colour: Colour, choose: Choose) -> CardsDrawn:
        """Let a player draw train cards."""
        draws = self.cards.draw_by(choose)
        self.hands[colour].update(draw.card for draw in draws)
        return CardsDrawn(draws)

    def draw_tickets(self, colour: Colour, keep: KeepCardTickets) -> CardTicketsDrawn:
        """Let a player draw tickets and choose; the others go to the bottom of the deck."""
        return CardTicketsDrawn(*self._offer(colour, self.position.edition.later_tickets, keep))

    def may_place(self, colour: Colour, cards: Cards) -> bool:
        """Whether a player may place these cards in the railyard."""
        edition, own = self.position.edition, self.railyards[colour]
        others = self.others(colour)
        return not placing_problems(edition, self.hands[colour], cards, own, others)

    def place(self, colour: Colour, cards: Cards) -> CardsPlaced:
        """Let a player place cards in the railyard; who has fewer of their colour is robbed."""
        own, others = self.railyards[colour], self.others(colour)
        refuse(placing_problems(self.position.edition, self.hands[colour], cards, own, others))
        own, left = after_placing(cards, own, others)
        robbed = {
            other: {c: row for c, row in rows.items() if c not in left[other]}
            for other, rows in others.items()
        }
        self.hands[colour] = self.hands[colour] - Counter(cards)
        self.railyards = {c: own if c == colour else left[c] for c in self.railyards}
        for rows in robbed.values():
            self.cards.discard(row_cards(rows))
        return CardsPlaced(cards, tuple(other for other, rows in robbed.items() if rows))

    def begin_second_deck(self) -> None:
        """Score, shuffle everything but the hands into a second deck and deal from it."""
        stacks = self.position.stacks.values()
        yards = map(row_cards, self.railyards.values())
        deck = sum(map(Counter, (*stacks, *yards)), self.cards.all_cards)
        self.position = second_deck(self.position)
        self.cards = TrainCards(self.position.edition, deck, self._rng)
        for hand in self.hands.values():
            hand.update(self.cards.deal(CARDS_AT_SECOND_DECK))
        self.cards.turn_up()
        self.railyards = {colour: {} for colour in self.railyards}

    @property
    def text(self) -> CardGame:
        """The game as it stands, as the text of an ended one."""
        position = self.position
        held = {
            "tickets": position.tickets,
            "completed": position.set_aside,
        }
        found = {
            "edition": "card-game",
            "players": [{"colour": seat.colour, "name": seat.name} for seat in position.seats],
            **{
                what: {
                    colour: [
                        {"cities": t.cities, "circles": t.circles, "points": t.points}
                        for t in tickets
                    ]
                    for colour, tickets in by_colour.items()
                }
                for what, by_colour in held.items()
            },
            "stack": position.stacks,
            "hand": self.hands,
            "railyard": {colour: row_cards(yard) for colour, yard in self.railyards.items()},
            "round": position.round,
            "city_bonuses": position.city_bonuses,
            "final": True,
        }
        return msgspec.convert(found, CardGame)

    def _offer(
        self, colour: Colour, rule: tuple[int, int], keep: KeepCardTickets
    ) -> tuple[tuple[CardTicket, ...], tuple[CardTicket, ...]]:
        count, at_least = rule
        offered = tuple(self.tickets[:count])
        kept = tuple(keep(offered, at_least))
        if len(kept) < at_least or any(ticket not in offered for ticket in kept):
            raise IllegalTurnError(f"{kept} is not {at_least} of {offered}")
        self.tickets = [*self.tickets[count:], *(t for t in offered if t not in kept)]
        held = (*self.position.tickets.get(colour, ()), *kept)
        self.position = replace(self.position, tickets={**self.position.tickets, colour: held})
        return offered, kept


def row_cards(railyard: Railyard) -> Counter[str]:
    """Return the cards of a railyard by colour.

    Examples
    --------
    >>> sorted(row_cards({"red": Row(2, 1), "blue": Row(1)}).items())
    [('blue', 1), ('locomotive', 1), ('red', 2)]
    """
    cards = Counter({colour: row.cards for colour, row in railyard.items()})
    return +(cards + Counter({LOCOMOTIVE: sum(row.locomotives for row in railyard.values())}))
