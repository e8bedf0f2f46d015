"""What comes off shuffled decks, as a test has it."""

import random
from collections.abc import Iterable, Sequence

from railspotter.scoring.card_game.tickets import Cards
from railspotter.scoring.edition import Ticket


class ScriptedLuck:
    """Luck by a script: these cards and tickets, one after the other."""

    def __init__(self, cards: Iterable[str] = (), tickets: Iterable[str] = ()) -> None:
        self._cards = list(cards)
        self._tickets = [frozenset(name.split("--")) for name in tickets]

    def draw_card(self, deck: Cards) -> str:
        """Return the next card of the script, which has to be in the deck."""
        assert self._cards, f"the script has no more cards; the deck has {dict(deck)}"
        card = self._cards.pop(0)
        assert deck.get(card, 0) > 0, f"{card} is not in the deck {dict(deck)}"
        return card

    def draw_ticket(self, deck: Sequence[Ticket]) -> Ticket:
        """Return the next ticket of the script, which has to be in the deck."""
        assert self._tickets, "the script has no more tickets"
        ends = self._tickets.pop(0)
        return next(ticket for ticket in deck if ticket.ends == ends)

    def assert_done(self) -> None:
        """Fail where something of the script did not come."""
        assert not self._cards, f"{self._cards} did not come off the deck"
        assert not self._tickets, f"{self._tickets} did not come off the deck"


class RecordedLuck:
    """Chance of a seed, which is written down."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.cards: list[str] = []
        self.tickets: list[str] = []

    def draw_card(self, deck: Cards) -> str:
        """Return any card of the deck."""
        names = list(deck)
        card = self._random.choices(names, [deck[name] for name in names])[0]
        self.cards.append(card)
        return card

    def draw_ticket(self, deck: Sequence[Ticket]) -> Ticket:
        """Return any ticket of the deck."""
        ticket = self._random.choice(deck)
        self.tickets.append(f"{ticket.a}--{ticket.b}")
        return ticket

    def again(self) -> ScriptedLuck:
        """Return what has come so far, as a script."""
        return ScriptedLuck(self.cards, self.tickets)
