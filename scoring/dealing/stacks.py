"""The stacks of train cards: deck, face-up cards and discards.

A shuffled deck is one whose order nobody knows. So it has none here: it is a count of each colour,
and which card comes off it is decided when it is turned over, by a `Luck`. Nobody who reads the
state of a game, or its log, can tell what comes next.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from ..card_game.tickets import LOCOMOTIVE, Cards
from ..card_game.turns import BLIND, Draw, draw_problems, must_flush
from ..edition import Edition, Ticket
from ..sentence import together
from .moves import MoveError

# So often in a row are face-up Locomotives replaced; then hardly anything else is left to lie
# there, and they stay. The rulebooks know no end. Chosen: with 15 other cards left, one such row in
# millions.
MOST_FLUSHES = 20

FACE_UP = 5  # how many lie open: "turn the top five cards from the deck face-up" (USA)
T = TypeVar("T")


def cards_of(edition: Edition) -> Counter[str]:
    """Return all train cards of an edition, by colour; New York's Taxi cards are its Locomotives.

    >>> from railspotter.scoring.edition import load_edition
    >>> [cards_of(load_edition(name)).total() for name in ("usa", "newyork", "card-game")]
    [110, 44, 96]
    """
    of_each, locomotives = edition.train_cards
    return Counter({**dict.fromkeys(edition.card_colours, of_each), LOCOMOTIVE: locomotives})


def draw_from_deck(
    deck: Sequence[T], beneath: Sequence[T], count: int, draw: Callable[[Sequence[T]], T]
) -> tuple[tuple[T, ...], tuple[T, ...], tuple[T, ...]]:
    """Draw up to `count` tickets; return them, and the rest of the deck and beneath it.

    Those beneath were put under the shuffled ones, uppermost first; of these `draw` says which lies
    on top, as `draw_ticket` of a `Luck` does.

    >>> draw_from_deck(["a"], ["b", "c"], 2, lambda deck: deck[0])
    (('a', 'b'), (), ('c',))
    """
    left, under = list(deck), list(beneath)
    drawn: list[T] = []
    while len(drawn) < count and (left or under):
        ticket = draw(left) if left else under[0]
        (left or under).remove(ticket)
        drawn.append(ticket)
    return tuple(drawn), tuple(left), tuple(under)


def every_card(*piles: Cards) -> Counter[str]:
    """Return all cards of some piles together, by colour.

    >>> every_card({"red": 2, "blue": 0}, {"red": 1})
    Counter({'red': 3, 'blue': 0})
    """
    every: Counter[str] = Counter()
    for pile in piles:
        every.update(pile)
    return every


class AnyLuck(Protocol[T]):
    """Decides what comes off the shuffled decks of a game, whatever its tickets are."""

    def draw_card(self, deck: Cards) -> str:
        """Return one of the cards that are left in a deck; of an old log, or of its discards."""

    def draw_ticket(self, deck: Sequence[T]) -> T:
        """Return one of the tickets that are left in a deck."""


CardLuck: TypeAlias = AnyLuck[Any]
Luck: TypeAlias = AnyLuck[Ticket]


class Choice(Protocol):
    """A function that picks one of several, such as `secrets.choice`."""

    def __call__(self, several: Sequence[T], /) -> T:
        """Return one of them."""


class Chance(Generic[T]):
    """A `Luck` that picks by a given function, for either game's tickets.

    >>> Chance(min).draw_card({"red": 1, "blue": 1})
    'blue'
    """

    def __init__(self, choice: Choice) -> None:
        self.choice = choice

    def draw_card(self, deck: Cards) -> str:
        """Return one of the cards of a deck."""
        return self.choice([card for card, count in sorted(deck.items()) for _ in range(count)])

    def draw_ticket(self, deck: Sequence[T]) -> T:
        """Return one of the tickets of a deck."""
        return self.choice(deck)


@dataclass(frozen=True)
class TrainCardStacks:
    """The train cards that nobody holds."""

    edition: Edition = field(repr=False)
    # deck, discards: By colour. "When the deck is exhausted, the discards are reshuffled into a new
    # draw pile deck": so while there are discards, there is a deck.
    deck: Mapping[str, int]
    face_up: tuple[str, ...] = ()
    discards: Mapping[str, int] = field(default_factory=dict)
    reshuffles: bool = True  # whether they are; The Card Game ends instead

    def __post_init__(self) -> None:
        """Move the discards into an empty deck."""
        if self.reshuffles and not self.in_deck:
            object.__setattr__(self, "deck", self.discards)
            object.__setattr__(self, "discards", {})

    @property
    def in_deck(self) -> int:
        """Number of cards face down."""
        return sum(self.deck.values())

    @property
    def can_draw_blind(self) -> bool:
        """Whether there is a card to draw from the deck."""
        return self.in_deck > 0

    @property
    def all_cards(self) -> Counter[str]:
        """All cards in the stacks."""
        return every_card(self.deck, self.discards, Counter(self.face_up))

    def drawable(
        self, drawn: Sequence[Draw] = (), refilled: int | None = None
    ) -> tuple[int | None, ...]:
        """Return the places of the cards that may be drawn: None for the deck, those face up.

        `drawn` are the cards of this turn; the one at `refilled` took the place of the first.
        """
        return tuple(
            place
            for place in (*[None] * self.can_draw_blind, *range(len(self.face_up)))
            if not draw_problems(self.edition, (*drawn, self._draw_at(place, refilled)))
        )

    def draw(
        self, place: int | None, drawn: Sequence[Draw], refilled: int | None, luck: CardLuck
    ) -> "tuple[TrainCardStacks, Draw, int | None]":
        """Draw a card, as `drawable` has them; return it, and where the next one took its place.

        Raises `MoveError` if it may not be drawn.
        """
        if place is not None and place >= len(self.face_up):
            raise MoveError("there is no such card face up")
        draw = self._draw_at(place, refilled)
        if found := draw_problems(self.edition, (*drawn, draw)):
            raise MoveError(together([problem.what for problem in found]))
        if place is not None:
            stacks, refilled = self.take_face_up(place, luck)
            return stacks, draw, refilled
        stacks, card = self.take_top(luck)
        if card is None:
            raise MoveError("no card is left in the deck")
        return stacks, Draw(card), None

    def _draw_at(self, place: int | None, refilled: int | None) -> Draw:
        return BLIND if place is None else Draw(self.face_up[place], True, place == refilled)

    def take_top(self, luck: CardLuck) -> "tuple[TrainCardStacks, str | None]":
        """Draw the top card of the deck; None if there is none."""
        if not self.can_draw_blind:
            return self, None
        card, deck, discards = luck.draw_card(self.deck), self.deck, self.discards
        if not deck.get(card):  # logs of programs that shuffled only when the next card was drawn
            deck, discards = every_card(deck, discards), {}
        if not deck.get(card):
            raise MoveError("the cards are not as the log has them")
        deck = {name: n - (name == card) for name, n in deck.items() if n > (name == card)}
        return replace(self, deck=deck, discards=discards), card

    def deal(self, count: int, luck: CardLuck) -> "tuple[TrainCardStacks, tuple[str, ...]]":
        """Draw up to `count` cards from the deck."""
        stacks, dealt = self, []
        for _ in range(count):
            stacks, card = stacks.take_top(luck)
            if card is not None:
                dealt.append(card)
        return stacks, tuple(dealt)

    def take_face_up(self, place: int, luck: CardLuck) -> "tuple[TrainCardStacks, int | None]":
        """Take a face-up card; return the place of the card that replaces it.

        None if no card was left, or all face-up cards were replaced.
        """
        before, after = self.face_up[:place], self.face_up[place + 1 :]
        stacks, new = self.take_top(luck)
        if new is None:
            return replace(stacks, face_up=(*before, *after)), None
        stacks = replace(stacks, face_up=(*before, new, *after))
        flushed = stacks._flushed(luck)
        return flushed, place if flushed is stacks else None

    def turned_up(self, luck: CardLuck) -> "TrainCardStacks":
        """Fill the face-up cards to five, as far as there are cards."""
        return self._filled(luck)._flushed(luck)

    def with_discards(self, cards: Cards, luck: CardLuck) -> "TrainCardStacks":
        """Discard played cards, and refill the face-up cards."""
        discards = Counter(self.discards) + Counter(cards)
        return replace(self, discards=discards).turned_up(luck)

    def without(self, cards: Cards) -> "tuple[TrainCardStacks, Counter[str]]":
        """Remove cards from the discards, or else the deck; return those found."""
        wanted, discards, deck = Counter(cards), Counter(self.discards), Counter(self.deck)
        found = wanted & discards
        discards -= found
        more = (wanted - found) & deck
        return replace(self, discards=discards, deck=deck - more), found + more

    def _filled(self, luck: CardLuck) -> "TrainCardStacks":
        stacks = self
        while len(stacks.face_up) < FACE_UP:
            stacks, card = stacks.take_top(luck)
            if card is None:
                break
            stacks = replace(stacks, face_up=(*stacks.face_up, card))
        return stacks

    def _flushed(self, luck: CardLuck) -> "TrainCardStacks":
        """Replace the face-up cards while too many are Locomotives and other cards are left."""
        stacks = self
        for _ in range(MOST_FLUSHES):
            if not must_flush(self.edition, stacks.face_up):
                break
            all_cards = stacks.all_cards
            others = all_cards.total() - all_cards[LOCOMOTIVE]
            if others <= FACE_UP - self.edition.flush_at_locomotives:
                break
            discards = Counter(stacks.discards) + Counter(stacks.face_up)
            stacks = replace(stacks, discards=discards, face_up=())._filled(luck)
        return stacks
