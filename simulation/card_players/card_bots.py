"""Players of the Card Game: place what the tickets ask for, else draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from railspotter.scoring.card_legality import Draw, draw_problems
from railspotter.scoring.card_tickets import LOCOMOTIVE, CardTicket
from railspotter.scoring.edition import Colour

from ..virtual_players.played_game import PassedTurn
from .card_table import CardTable, KeepCardTickets, row_cards
from .played_card_game import CardAction

OPEN_CARDS = 14  # As many cards a player's tickets may ask for, for one more to be kept. Chosen.
WORTH_PLACING = 3  # So many wanted cards at once are worth a turn. Chosen.


class CardBot:
    """One player's habits."""

    def __init__(self, colour: Colour, rng: np.random.Generator) -> None:
        self.colour = colour
        self.appetite = float(rng.uniform(0.2, 0.8))
        self._rng = rng

    def take_turn(self, table: CardTable) -> CardAction:
        """Do the one thing of a turn, after the cards have moved on the track."""
        needed = self._needed(table)
        best = max(self._placings(table, needed), key=lambda one: one[0], default=(0, Counter()))
        wanted, cards = best
        enough = WORTH_PLACING if table.cards.left else 1
        if wanted >= min(enough, needed.total()) > 0:
            return table.place(self.colour, cards)
        hungry = needed.total() < WORTH_PLACING and self._rng.random() < self.appetite
        if table.tickets and (hungry or not table.cards.left):
            return table.draw_tickets(self.colour, self.keep(table))
        if table.cards.left:
            return table.draw_cards(self.colour, lambda drawn: self._pick(table, drawn))
        return PassedTurn()

    def keep(self, table: CardTable) -> KeepCardTickets:
        """Return how this bot chooses: tickets of few cards, while not too many are asked for."""
        open_cards = self._needed(table).total()

        def chosen(offered: tuple[CardTicket, ...], at_least: int) -> list[CardTicket]:
            kept: list[CardTicket] = []
            asked = open_cards
            for ticket in sorted(offered, key=lambda ticket: sum(ticket.circles.values())):
                asked += sum(ticket.circles.values())
                if asked <= OPEN_CARDS or len(kept) < at_least:
                    kept.append(ticket)
            return kept

        return chosen

    def _needed(self, table: CardTable) -> Counter[str]:
        """Return the cards that the tickets ask for and that are not on their way."""
        asked: Counter[str] = Counter()
        for ticket in table.position.tickets.get(self.colour, ()):
            asked.update(ticket.circles)
        there = Counter(table.position.stacks.get(self.colour, {}))
        return asked - there - row_cards(table.railyards[self.colour])

    def _placings(
        self, table: CardTable, needed: Counter[str]
    ) -> Iterator[tuple[int, Counter[str]]]:
        """Yield what may be placed, with how many of its cards are wanted."""
        hand = table.hands[self.colour]
        colours = [card for card in sorted(hand) if card != LOCOMOTIVE and hand[card]]
        suits = [
            Counter({c: hand[c], LOCOMOTIVE: n}) for c in colours for n in (0, hand[LOCOMOTIVE])
        ]
        threes = [Counter(three) for three in combinations(colours, 3)]
        for cards in (*suits, *threes):
            wanted = sum(min(count, needed[card]) for card, count in cards.items())
            if wanted and table.may_place(self.colour, +cards):
                yield wanted, +cards

    def _pick(self, table: CardTable, drawn: Sequence[Draw]) -> int | None:
        """Pick a face-up card that is wanted, or None for the top of the deck."""
        hand = table.hands[self.colour] + Counter(draw.card for draw in drawn)
        short = self._needed(table) - hand
        best, most = None, 0 if table.cards.can_draw_blind else -1
        for i, card in enumerate(table.cards.face_up):
            problems = draw_problems(table.position.edition, (*drawn, Draw(card, face_up=True)))
            if not problems and short[card] > most:
                best, most = i, short[card]
        return best
