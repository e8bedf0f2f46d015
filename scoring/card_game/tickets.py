"""Chooses which tickets of The Card Game to complete with the cards of one stack.

"Each card can only be used to complete 1 Destination Ticket. Locomotives can replace any color."
The tickets with the most points together are found; among equals more tickets, then more tickets
of big cities. Bonuses for so many tickets of a city (`Goal`) count as points do. This is a knapsack
with one capacity for each colour and the Locomotives as a common reserve. It is searched ticket by
ticket, the most valuable for its cards first, remembering what remained (cut down to what the later
tickets could use, and to the goals still in reach), and left where even cutting tickets into pieces
and reaching every goal could not beat the best set found. The search goes so many steps and no
more; what it has found by then is the answer, which says that it is not proved.
"""

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

LOCOMOTIVE = "locomotive"

# Limit of a search: half a second. Printed decks take some hundred steps, but tickets can be
# made up that take for ever.
MOST_STEPS = 50_000
MOST_TICKETS = 500  # tickets that are searched; a printed deck has 46

Cards = Mapping[str, int]  # cards by colour; Locomotives under `locomotive`


@dataclass(frozen=True)
class CardTicket:
    """A ticket of the Card Game."""

    cities: tuple[str, ...]  # the two places that are printed on it (one, on some)
    circles: Cards  # the cards that complete it, by colour
    points: int


@dataclass(frozen=True, slots=True)
class TicketChoice:
    """The tickets that a stack completes."""

    tickets: tuple[int, ...]  # their positions
    is_proved: bool = True  # whether no others are better; else they are the best that were found
    # Whether it stays the best as the others answer it; else the choices go round in a circle.
    is_settled: bool = True


@dataclass(frozen=True, slots=True)
class Goal:
    """A bonus for completing at least `needed` of some tickets."""

    tickets: frozenset[int]  # positions of the tickets that count
    needed: int  # how many of them, 1 or more
    bonus: int


@dataclass(frozen=True, slots=True)
class _Item:
    """A ticket as an item of the search; `goals` are the indices of goals that it counts for."""

    index: int
    value: int
    needs: tuple[int, ...]
    size: int
    goals: frozenset[int] = frozenset()


def city_key(city: str) -> str:
    """Return a city's name normalized for comparison: without capitals and extra spaces.

    >>> city_key("Los  Angeles") == city_key("los angeles")
    True
    """
    return " ".join(unicodedata.normalize("NFC", city).casefold().split())


def count_with_city(city: str, tickets: Iterable[CardTicket]) -> int:
    """Count the tickets of a city."""
    key = city_key(city)
    return sum(key in map(city_key, ticket.cities) for ticket in tickets)


def can_complete(tickets: Iterable[CardTicket], stack: Cards) -> bool:
    """Tell whether cards complete all these tickets at once.

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
    goals: Sequence[Goal] = (),
) -> TicketChoice:
    """Return the best tickets to complete.

    With goals the best is most of all: an uncompleted ticket's points are subtracted in the end, so
    that each ticket counts twice beside a bonus.

    >>> short = CardTicket(("Denver", "El Paso"), {"red": 1}, 4)
    >>> long = CardTicket(("Boston", "Miami"), {"red": 2, "blue": 2}, 7)
    >>> other = CardTicket(("Atlanta", "Miami"), {"blue": 1}, 4)
    >>> best_tickets([short, long, other], {"red": 1, "blue": 1, "locomotive": 2})
    TicketChoice(tickets=(0, 2), is_proved=True, is_settled=True)
    """
    # One number orders sets as the rule does: no count of tickets reaches the base.
    base = len(tickets) + 1
    colours = sorted({colour for ticket in tickets for colour in ticket.circles})
    big = {city_key(city) for city in big_cities}
    items = []
    for i, ticket in enumerate(tickets):
        is_big = any(city_key(city) in big for city in ticket.cities)
        needs = tuple(ticket.circles.get(colour, 0) for colour in colours)
        value = (2 * ticket.points * base + 1) * base + is_big
        counts_for = frozenset(g for g, goal in enumerate(goals) if i in goal.tickets)
        items.append(_Item(i, value, needs, sum(needs), counts_for))
    items.sort(key=lambda item: (-item.value / item.size if item.size else -inf, item.index))
    supply = tuple(stack.get(colour, 0) for colour in colours)
    bonuses = tuple(goal.bonus * base * base for goal in goals)
    needed = tuple(goal.needed for goal in goals)
    return _searched(tuple(items), bonuses, supply, stack.get(LOCOMOTIVE, 0), needed)


@lru_cache(1000)  # pages ask repeatedly
def _searched(
    items: tuple[_Item, ...],
    bonuses: tuple[int, ...],
    supply: tuple[int, ...],
    locomotives: int,
    needed: tuple[int, ...],
) -> TicketChoice:
    search = _Search(items[:MOST_TICKETS], bonuses)
    chosen = search.best(supply, locomotives, needed)
    return TicketChoice(chosen, search.steps_left >= 0 and len(items) <= MOST_TICKETS)


class _Search:
    """Branch and bound over the tickets, each in turn taken or left."""

    def __init__(self, items: Sequence[_Item], bonuses: Sequence[int]) -> None:
        self.items = items
        self.bonuses = bonuses
        self.steps_left = MOST_STEPS
        # Cards of each colour that the tickets from the i-th on need.
        self.demand = [tuple(0 for _ in item.needs) for item in items[:1]]
        # Number of tickets from the i-th on that count for each goal.
        self.counting = [(0,) * len(bonuses)]
        for item in reversed(items):
            above = zip(self.demand[0], item.needs, strict=True)
            self.demand.insert(0, tuple(a + b for a, b in above))
            counts = enumerate(self.counting[0])
            self.counting.insert(0, tuple(n + (g in item.goals) for g, n in counts))

    def best(
        self, supply: tuple[int, ...], locomotives: int, missing: tuple[int, ...]
    ) -> tuple[int, ...]:
        self.most = -1
        self.chosen: tuple[int, ...] = ()
        self.seen: dict[tuple[int, int, tuple[int, ...], tuple[int, ...]], int] = {}
        self._visit(0, supply, locomotives, missing, 0, ())
        return tuple(sorted(self.chosen))

    def _visit(
        self,
        i: int,
        supply: tuple[int, ...],
        locomotives: int,
        missing: tuple[int, ...],
        value: int,
        taken: tuple[int, ...],
    ) -> None:
        """Search from the i-th ticket on; `missing` is how many tickets each goal still needs."""
        if value > self.most:
            self.most, self.chosen = value, taken
        if i == len(self.items):
            return
        supply = tuple(map(min, supply, self.demand[i]))
        # A goal that is reached, or out of reach, makes no difference any more.
        missing = tuple(
            n if n <= there else 0 for n, there in zip(missing, self.counting[i], strict=True)
        )
        hoped = sum(bonus for bonus, n in zip(self.bonuses, missing, strict=True) if n)
        if value + hoped + self._at_most(i, sum(supply) + locomotives) <= self.most:
            return
        key = i, locomotives, supply, missing
        if self.seen.get(key, -1) >= value:
            return
        self.seen[key] = value
        self.steps_left -= 1
        if self.steps_left < 0:
            return
        item = self.items[i]
        short = sum(need - has for need, has in zip(item.needs, supply, strict=True) if need > has)
        if short <= locomotives:
            rest = tuple(max(0, has - n) for has, n in zip(supply, item.needs, strict=True))
            after = tuple(n - (n > 0 and g in item.goals) for g, n in enumerate(missing))
            reached = zip(self.bonuses, missing, after, strict=True)
            worth = item.value + sum(bonus for bonus, n, left in reached if n and not left)
            self._visit(
                i + 1, rest, locomotives - short, after, value + worth, (*taken, item.index)
            )
        self._visit(i + 1, supply, locomotives, missing, value, taken)

    def _at_most(self, i: int, cards: int) -> int:
        """Return an upper bound of the value from the i-th ticket on: tickets cut into pieces.

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
