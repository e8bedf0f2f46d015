"""The train cards of a Card Game that is played: the same stacks as a board game's, in one hand.

Board games are played by `railspotter.scoring.dealing`, card by card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from railspotter.scoring.card_game.tickets import Cards
from railspotter.scoring.card_game.turns import BLIND, Draw, draw_problems
from railspotter.scoring.dealing.stacks import Stacks
from railspotter.scoring.edition import Edition
from railspotter.simulation.errors import IllegalTurnError, refuse
from railspotter.simulation.virtual_players.referee import Shuffles

# Picks a card after those drawn: the position of a face-up one, or None for the deck's top.
Choose = Callable[[tuple[Draw, ...]], int | None]


class TrainCards:
    """The train cards that nobody holds; every draw of a Card Game goes through here.

    Examples
    --------
    >>> from railspotter.scoring.edition import load_edition
    >>> cards = TrainCards(load_edition("card-game"), {"red": 40}, np.random.default_rng(1))
    >>> hand = cards.deal(7)
    >>> cards.turn_up()
    >>> len(cards.draw_by(lambda drawn: 0)), len(cards.face_up), cards.left
    (2, 5, 31)
    """

    def __init__(self, edition: Edition, cards: Cards, rng: np.random.Generator) -> None:
        self.edition = edition
        self._luck = Shuffles(rng)
        self._luck.shuffle(cards)
        self._stacks = Stacks(edition, dict(cards), reshuffles=False)

    @property
    def face_up(self) -> tuple[str, ...]:
        """The cards that lie open."""
        return self._stacks.face_up

    @property
    def in_deck(self) -> int:
        """How many lie face down."""
        return self._stacks.in_deck

    @property
    def left(self) -> int:
        """How many can still be drawn."""
        return self._stacks.left

    @property
    def can_draw_blind(self) -> bool:
        """Whether there is a card to draw from the deck."""
        return self._stacks.can_draw_blind

    @property
    def all_cards(self) -> Counter[str]:
        """Every card that nobody holds."""
        return self._stacks.all_cards

    def deal(self, count: int) -> Counter[str]:
        """Take cards from the top of the deck."""
        self._stacks, dealt = self._stacks.deal(count, self._luck)
        return Counter(dealt)

    def turn_up(self) -> None:
        """Turn cards up until five lie there, or none is left."""
        self._stacks = self._stacks.turned_up(self._luck)

    def discard(self, cards: Cards) -> None:
        """Put played cards on the discards."""
        self._stacks = self._stacks.with_discards(cards, self._luck)

    def draw_by(self, choose: Choose) -> tuple[Draw, ...]:
        """Let a player draw: one card, and a second one where the rules allow it."""
        drawn: tuple[Draw, ...] = ()
        replaced: int | None = None
        while not draw_problems(self.edition, (*drawn, BLIND)):
            index = choose(drawn)
            if index is not None:
                draw = Draw(self.face_up[index], True, index == replaced)
                refuse(draw_problems(self.edition, (*drawn, draw)))
                self._stacks, replaced = self._stacks.take_face_up(index, self._luck)
            else:
                self._stacks, card = self._stacks.take_top(self._luck)
                if card is None:
                    break
                draw = Draw(card)
            drawn = (*drawn, draw)
        if not drawn:
            raise IllegalTurnError("no card was drawn")
        return drawn
