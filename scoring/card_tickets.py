"""The Card Game's assignment: which tickets to complete with the cards of one stack.

"Each card can only be used to complete 1 Destination Ticket. Locomotives can replace any color."
The tickets with the most points together are found; among equals more tickets, then more tickets
of big cities. This is a knapsack with one capacity for each colour and the Locomotives as a common
reserve. It is searched ticket by ticket, the most valuable for its cards first, remembering what
remained (cut down to what the later tickets could use), and left where even cutting tickets into
pieces could not beat the best set found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from .errors import TooManyWaysError

LOCOMOTIVE = "locomotive"

Cards = Mapping[str, int]
"""Cards by colour; Locomotives under `locomotive`."""


@dataclass(frozen=True)
class CardTicket:
    """A ticket of the Card Game.

    Attributes
    ----------
    cities : tuple of str
        The two places that are printed on it (one, on some).
    circles : mapping of str to int
        The cards that complete it, by colour.
    """

    cities: tuple[str, ...]
    circles: Cards
    points: int


@dataclass(frozen=True, slots=True)
class _Item:
    """A ticket as the search sees it."""

    index: int
    value: int
    needs: tuple[int, ...]
    size: int


def can_complete(tickets: Iterable[CardTicket], stack: Cards) -> bool:
    """Whether these cards complete all these tickets at once.

    Examples
    --------
    >>> west = CardTicket(("Los Angeles", "Seattle"), {"red": 2, "blue": 1}, 5)
    >>> can_complete([west], {"red": 1, "blue": 1, "locomotive": 1})
    True
    >>> can_complete([west], {"red": 1, "blue": 9})
    False
    """
    needs: dict[str, int] = {}
    for ticket in tickets:
        for colour, count in ticket.circles.items():
            needs[colour] = needs.get(colour, 0) + count
    short = sum(max(0, count - stack.get(colour, 0)) for colour, count in needs.items())
    return short <= stack.get(LOCOMOTIVE, 0)


def best_tickets(
    tickets: Sequence[CardTicket],
    stack: Cards,
    big_cities: Collection[str] = (),
    *,
    most_steps: float = inf,
) -> tuple[int, ...]:
    """Return the positions of the tickets to complete.

    Parameters
    ----------
    most_steps : float
        How far the search may go: printed decks take some hundred steps, but tickets can be made up
        that take for ever.

    Raises
    ------
    TooManyWaysError
        When it is not at its end by then.

    Examples
    --------
    >>> short = CardTicket(("Denver", "El Paso"), {"red": 1}, 4)
    >>> long = CardTicket(("Boston", "Miami"), {"red": 2, "blue": 2}, 7)
    >>> other = CardTicket(("Atlanta", "Miami"), {"blue": 1}, 4)
    >>> best_tickets([short, long, other], {"red": 1, "blue": 1, "locomotive": 2})
    (0, 2)
    """
    # One number orders sets as the rule does: no count of tickets reaches the base.
    base = len(tickets) + 1
    colours = sorted({colour for ticket in tickets for colour in ticket.circles})
    items = []
    for i, ticket in enumerate(tickets):
        is_big = any(city in big_cities for city in ticket.cities)
        needs = tuple(ticket.circles.get(colour, 0) for colour in colours)
        items.append(_Item(i, (ticket.points * base + 1) * base + is_big, needs, sum(needs)))
    items.sort(key=lambda item: (-item.value / item.size if item.size else -inf, item.index))
    supply = tuple(stack.get(colour, 0) for colour in colours)
    return _Search(items, most_steps).best(supply, stack.get(LOCOMOTIVE, 0))


class _Search:
    """Branch and bound over the tickets, each in turn taken or left."""

    def __init__(self, items: Sequence[_Item], most_steps: float = inf) -> None:
        self.items = items
        self.steps_left = most_steps
        # What the tickets from the i-th on could use of each colour.
        self.demand = [tuple(0 for _ in item.needs) for item in items[:1]]
        for item in reversed(items):
            above = zip(self.demand[0], item.needs, strict=True)
            self.demand.insert(0, tuple(a + b for a, b in above))

    def best(self, supply: tuple[int, ...], locomotives: int) -> tuple[int, ...]:
        self.most = -1
        self.chosen: tuple[int, ...] = ()
        self.seen: dict[tuple[int, int, tuple[int, ...]], int] = {}
        self._visit(0, supply, locomotives, 0, ())
        return tuple(sorted(self.chosen))

    def _visit(
        self, i: int, supply: tuple[int, ...], locomotives: int, value: int, taken: tuple[int, ...]
    ) -> None:
        if value > self.most:
            self.most, self.chosen = value, taken
        if i == len(self.items):
            return
        supply = tuple(map(min, supply, self.demand[i]))
        if value + self._at_most(i, sum(supply) + locomotives) <= self.most:
            return
        key = i, locomotives, supply
        if self.seen.get(key, -1) >= value:
            return
        self.seen[key] = value
        self.steps_left -= 1
        if self.steps_left < 0:
            raise TooManyWaysError("there are too many ways to complete these tickets")
        item = self.items[i]
        short = sum(need - has for need, has in zip(item.needs, supply, strict=True) if need > has)
        if short <= locomotives:
            rest = tuple(max(0, has - n) for has, n in zip(supply, item.needs, strict=True))
            self._visit(i + 1, rest, locomotives - short, value + item.value, (*taken, item.index))
        self._visit(i + 1, supply, locomotives, value, taken)

    def _at_most(self, i: int, cards: int) -> int:
        """Return a value that no choice from the i-th ticket on exceeds: tickets cut into pieces.

        The tickets are ordered by value for their cards, so the first ones that the cards reach
        for are the best that pieces can do.
        """
        value = 0
        for item in self.items[i:]:
            if item.size >= cards > 0:
                return value + item.value * cards // item.size
            if item.size > cards:
                return value
            cards -= item.size
            value += item.value
        return value
