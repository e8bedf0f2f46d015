"""The train cards of a game: the deck, the five that lie face up, the discards.

How many cards of a colour there are is not part of the score, so no edition file says it. It stands
here, beside the sentence that it comes from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from railspotter.scoring import Edition
from railspotter.scoring.card_legality import Draw, draw_problems, must_flush
from railspotter.scoring.card_tickets import LOCOMOTIVE, Cards

from .errors import IllegalTurnError, refuse

FACE_UP = 5
"""How many lie open: "turn the top five cards from the deck face-up" (USA)."""

ANY_CARD = "red"
"""Stands for a card from the deck: what it turns out to be is no matter of the rules."""

Choose = Callable[[tuple[Draw, ...]], int | None]
"""Picks a card after those drawn: the position of a face-up one, or None for the deck's top."""

EIGHT_COLOURS = ("black", "blue", "green", "orange", "pink", "red", "white", "yellow")
SIX_COLOURS = ("black", "blue", "green", "orange", "pink", "red")


@dataclass(frozen=True)
class DeckList:
    """What a deck of train cards consists of.

    Attributes
    ----------
    colours : tuple of str
    of_each, locomotives : int
        How many cards of each colour, and Locomotives (New York's Taxi cards).
    first_hand : int
        How many each player is dealt.
    source : str
        The rulebook's sentence.
    """

    colours: tuple[str, ...]
    of_each: int
    locomotives: int
    first_hand: int
    source: str

    @property
    def cards(self) -> Counter[str]:
        """All cards by colour.

        Examples
        --------
        >>> BOARD_DECK.cards.total(), NEW_YORK_DECK.cards.total(), CARD_GAME_DECK.cards.total()
        (110, 44, 96)
        """
        return Counter({**dict.fromkeys(self.colours, self.of_each), LOCOMOTIVE: self.locomotives})


BOARD_DECK = DeckList(
    EIGHT_COLOURS,
    of_each=12,
    locomotives=14,
    first_hand=4,
    source="110 Train Car cards (12 each of Box, Passenger, Tanker, Reefer, Freight, Hopper, Coal, "
    "and Caboose cars, plus 14 Locomotives); deal a starting hand of 4 cards to each player",
)
"""All editions on a board but New York; Philly asks for "a deck of 110 train color cards"."""

NEW_YORK_DECK = DeckList(
    SIX_COLOURS,
    of_each=6,
    locomotives=8,
    first_hand=2,
    source="44 Transportation cards (8 multi-colored Taxi cards and 6 cards of each following "
    "colors: blue, green, black, pink, red, orange); deal a starting hand of two cards",
)

CARD_GAME_DECK = DeckList(
    EIGHT_COLOURS,
    of_each=10,
    locomotives=16,
    first_hand=7,
    source="96 Train cards (10 of each color, plus 16 Locomotives); Give each player 1 Locomotive "
    "card. Shuffle the rest of the Train cards [...]; deal 7 cards to each player",
)


def deck_list(edition: Edition) -> DeckList:
    """Return what the train cards of an edition are.

    Examples
    --------
    >>> from railspotter.scoring import load_edition
    >>> deck_list(load_edition("newyork")).colours
    ('black', 'blue', 'green', 'orange', 'pink', 'red')
    """
    return {"newyork": NEW_YORK_DECK, "card-game": CARD_GAME_DECK}.get(edition.id, BOARD_DECK)


class TrainCards:
    """The train cards that nobody holds; every draw and discard of a game goes through here.

    Parameters
    ----------
    cards : mapping of str to int
        What is shuffled.
    reshuffles : bool
        "When the deck is exhausted, the discards are reshuffled into a new draw pile deck." The
        Card Game ends instead.

    Examples
    --------
    >>> from railspotter.scoring import load_edition
    >>> edition, rng = load_edition("usa"), np.random.default_rng(1)
    >>> cards = TrainCards(edition, BOARD_DECK.cards, rng)
    >>> hand = cards.deal(4)
    >>> cards.turn_up()
    >>> hand.update([cards.take_face_up(1)])
    >>> len(cards.face_up), cards.in_deck, hand + cards.all_cards == BOARD_DECK.cards
    (5, 100, True)
    """

    def __init__(
        self, edition: Edition, cards: Cards, rng: np.random.Generator, *, reshuffles: bool = True
    ) -> None:
        self.edition = edition
        self.reshuffles = reshuffles
        self.face_up: list[str] = []
        self.discards: list[str] = []
        self._rng = rng
        self._deck: list[str] = self._shuffled(Counter(cards).elements())

    @property
    def in_deck(self) -> int:
        """How many lie face down."""
        return len(self._deck)

    @property
    def left(self) -> int:
        """How many can still be drawn, discards included where they are shuffled in."""
        return len(self._deck) + len(self.face_up) + self.reshuffles * len(self.discards)

    @property
    def can_draw_blind(self) -> bool:
        """Whether there is a card to draw from the deck."""
        return bool(self._deck or (self.reshuffles and self.discards))

    @property
    def all_cards(self) -> Counter[str]:
        """Every card that nobody holds."""
        return Counter([*self._deck, *self.face_up, *self.discards])

    def deal(self, count: int) -> Counter[str]:
        """Take cards from the top of the deck."""
        return Counter(card for _ in range(count) if (card := self.take_top()) is not None)

    def take_top(self) -> str | None:
        """Take the top card of the deck; None when there is none left."""
        if not self._deck and self.reshuffles:
            self._deck = self._shuffled(self.discards)
            self.discards = []
        return self._deck.pop() if self._deck else None

    def take_face_up(self, index: int) -> str:
        """Take a card that lies face up; another one takes its place."""
        card = self.face_up[index]
        replacement = self.take_top()
        if replacement is None:
            del self.face_up[index]
        else:
            self.face_up[index] = replacement
            self._flush()
        return card

    def draw_by(self, choose: Choose) -> tuple[Draw, ...]:
        """Let a player draw: one card, and a second one where the rules allow it.

        Raises
        ------
        IllegalTurnError
            When the player picks what cannot be taken, or nothing at all.
        """
        drawn: tuple[Draw, ...] = ()
        replaced: int | None = None
        while not draw_problems(self.edition, (*drawn, Draw(ANY_CARD))):
            index = choose(drawn)
            if index is not None:
                draw = Draw(self.face_up[index], True, index == replaced)
                refuse(draw_problems(self.edition, (*drawn, draw)))
                self.take_face_up(index)
                replaced = index
            elif (card := self.take_top()) is not None:
                draw = Draw(card)
            else:
                break
            drawn = (*drawn, draw)
        if not drawn:
            raise IllegalTurnError("no card was drawn")
        return drawn

    def turn_up(self) -> None:
        """Turn cards up until five lie there, or none is left."""
        while len(self.face_up) < FACE_UP and (card := self.take_top()) is not None:
            self.face_up.append(card)
        self._flush()

    def discard(self, cards: Cards) -> None:
        """Put played cards on the discards."""
        self.discards.extend(Counter(cards).elements())
        self.turn_up()

    def _flush(self) -> None:
        """Replace the face-up cards while too many are Locomotives and others are left to lie."""
        while must_flush(self.edition, self.face_up):
            others = self.all_cards.total() - self.all_cards[LOCOMOTIVE]
            if others <= FACE_UP - self.edition.flush_at_locomotives:
                return
            self.discards.extend(self.face_up)
            self.face_up = []
            for _ in range(FACE_UP):
                if (card := self.take_top()) is not None:
                    self.face_up.append(card)

    def _shuffled(self, cards: Iterable[str]) -> list[str]:
        ordered: Sequence[str] = sorted(cards)
        return [ordered[i] for i in self._rng.permutation(len(ordered))]
