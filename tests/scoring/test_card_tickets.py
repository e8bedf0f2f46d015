"""The Card Game's assignment, against every set of tickets and an integer program."""

from itertools import combinations

import numpy as np
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from railspotter.scoring.card_game.tickets import CardTicket, Goal, best_tickets, can_complete
from scipy.optimize import Bounds, LinearConstraint, milp
from strategies import BIG_CITIES, CARD_COLOURS, card_tickets, stacks

Worth = tuple[int, int, int]


def worth(tickets: list[CardTicket]) -> Worth:
    """Return what decides between sets of tickets."""
    big = sum(any(city in BIG_CITIES for city in ticket.cities) for ticket in tickets)
    return sum(ticket.points for ticket in tickets), len(tickets), big


@given(card_tickets(most=8), stacks())
@examples(150)
def test_as_every_set(tickets: list[CardTicket], stack: dict[str, int]) -> None:
    chosen = [tickets[i] for i in best_tickets(tickets, stack, BIG_CITIES).tickets]
    assert can_complete(chosen, stack)
    sets = (s for size in range(len(tickets) + 1) for s in combinations(tickets, size))
    assert worth(chosen) == max(worth(list(s)) for s in sets if can_complete(s, stack))


@given(card_tickets(most=8), stacks(), st.lists(st.tuples(st.integers(1, 3), st.integers(1, 15))))
@examples(150)
def test_bonuses_as_every_set(
    tickets: list[CardTicket], stack: dict[str, int], bonuses: list[tuple[int, int]]
) -> None:
    goals = [
        Goal(frozenset(range(n, len(tickets), 2)), needed, bonus)
        for n, (needed, bonus) in enumerate(bonuses[:4])
    ]

    def total(chosen: tuple[int, ...]) -> int:
        reached = (g.bonus for g in goals if len(g.tickets.intersection(chosen)) >= g.needed)
        return 2 * sum(tickets[i].points for i in chosen) + sum(reached)

    sets = (s for size in range(len(tickets) + 1) for s in combinations(range(len(tickets)), size))
    payable = (s for s in sets if can_complete((tickets[i] for i in s), stack))
    assert total(best_tickets(tickets, stack, (), goals).tickets) == max(map(total, payable))


@given(card_tickets(most=20).filter(bool), stacks(most=10))
@examples(60)
def test_as_an_integer_program(tickets: list[CardTicket], stack: dict[str, int]) -> None:
    n, colours = len(tickets), len(CARD_COLOURS)
    # Variables: tickets completed, Locomotives used as each colour.
    cards = np.zeros((colours, n + colours))
    for i, colour in enumerate(CARD_COLOURS):
        cards[i, :n] = [ticket.circles.get(colour, 0) for ticket in tickets]
        cards[i, n + i] = -1
    locomotives = np.concatenate([np.zeros(n), np.ones(colours)])
    found = milp(
        [-float(ticket.points) for ticket in tickets] + [0.0] * colours,
        integrality=np.ones(n + colours, int),
        bounds=Bounds(0, np.concatenate([np.ones(n), np.full(colours, 99)])),
        constraints=[
            LinearConstraint(cards, -np.inf, [stack[colour] for colour in CARD_COLOURS]),
            LinearConstraint(locomotives[None], 0, stack["locomotive"]),
        ],
    )
    points = sum(tickets[i].points for i in best_tickets(tickets, stack).tickets)
    assert found.fun is not None
    assert points == round(-found.fun)


def test_a_stack_without_tickets_completes_none() -> None:
    assert best_tickets([], {"red": 3}).tickets == ()


def test_of_equal_tickets_the_first_is_completed() -> None:
    twins = [CardTicket((city, "Denver"), {"red": 1}, 3) for city in ("Boston", "Omaha")]
    assert best_tickets(twins, {"red": 1}).tickets == (0,)


def test_one_card_passes_a_dear_ticket_by() -> None:
    dear = CardTicket(("Boston", "Denver"), {"red": 2}, 10)
    cheap = CardTicket(("Omaha", "Denver"), {"blue": 1}, 3)
    assert best_tickets([dear, cheap], {"blue": 1}).tickets == (1,)


def test_two_short_tickets_beat_a_long_one() -> None:
    long = [
        CardTicket((city, "Denver"), {"red": 2}, points)
        for city, points in (("Dallas", 5), ("Miami", 4))
    ]
    short = [CardTicket((city, "Denver"), {"red": 1}, 3) for city in ("Boston", "Omaha")]
    assert best_tickets([*long, *short], {"red": 2}).tickets == (2, 3)


def test_a_point_outweighs_any_number_of_tickets() -> None:
    dear = CardTicket(("Boston", "Denver"), {"red": 5}, 6)
    cheap = [CardTicket(("Omaha", "Denver"), {"red": 1}, 1)] * 5
    assert best_tickets([dear, *cheap], {"red": 5}).tickets == (0,)


def test_a_ticket_that_asks_for_nothing_is_completed() -> None:
    free = CardTicket(("Boston", "Denver"), {}, 2)
    dear = CardTicket(("Omaha", "Denver"), {"red": 2}, 9)
    assert best_tickets([dear, free], {}).tickets == (1,)
    assert best_tickets([dear, free], {"red": 1}).tickets == (1,)
    assert best_tickets([dear, free], {"red": 2}).tickets == (0, 1)


def test_a_stack_completes_what_it_holds_and_no_more() -> None:
    pair = [CardTicket((city, "Denver"), {"red": 1, "blue": 1}, 3) for city in ("Boston", "Omaha")]
    assert can_complete(pair, {"red": 2, "blue": 2})
    assert can_complete(pair, {"red": 2, "locomotive": 2})
    assert not can_complete(pair, {"red": 2, "blue": 1})
    assert not can_complete(pair, {"red": 2, "locomotive": 1})
    assert can_complete([], {})


def test_tickets_that_are_made_up_take_so_many_steps_and_no_more() -> None:
    colours = [f"colour-{i}" for i in range(30)]
    tickets = [
        CardTicket(("A", "B"), {a: 1 + i % 3, b: 2, c: 1 + i % 2}, 40 + i * i % 23)
        for i, (a, b, c) in enumerate(combinations(colours, 3))
    ]
    stack = dict.fromkeys(colours, 5) | {"locomotive": 9}
    for made_up in (tickets[:400], tickets):
        found = best_tickets(made_up, stack)
        assert not found.is_proved
        chosen = [made_up[i] for i in found.tickets]
        assert can_complete(chosen, stack)
        left_over = [ticket for ticket in made_up if ticket not in chosen]
        assert not any(can_complete([*chosen, one], stack) for one in left_over)
