"""Who sits where: everybody once, as few repeats as can be, the same by the same seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_tournaments import entered, numbered, played, played_by_luck, seated_by_lot
from railspotter.club.tournament import (
    EntrantAdded,
    EntrantDroppedOut,
    ResultEntered,
    RoundError,
    Rules,
    SeatingError,
    Tournament,
    TournamentStarted,
    after,
    fold,
    repeats,
    seat_round,
    standings,
    table_sizes,
)
from railspotter.club.tournament.repeat_free import repeat_free

TWOS = Rules(smallest=2, preferred=2, largest=2)
THREES = Rules(smallest=3, preferred=3, largest=3)
FOURS = Rules(smallest=4, preferred=4, largest=4)
MIXED = Rules(smallest=2, preferred=2, largest=3)


@given(
    count=st.integers(2, 20),
    sizes=st.tuples(*[st.integers(2, 5)] * 3).map(sorted),
    seed=st.integers(0, 2**32),
    rounds=st.integers(1, 5),
    changes=st.lists(st.integers(0, 5), min_size=5, max_size=5),
)
@settings(max_examples=30)
def test_everybody_is_seated_once_whoever_comes_and_goes(
    count: int, sizes: list[int], seed: int, rounds: int, changes: list[int]
) -> None:
    smallest, preferred, largest = sizes
    rules = Rules(smallest=smallest, preferred=preferred, largest=largest)
    held, rng = numbered(count, rules), random.Random(seed)
    byes: Counter[str] = Counter()
    for number in range(1, rounds + 1):
        present = [one.id for one in held.present]
        if len(present) < smallest:
            with pytest.raises(SeatingError, match="too few for a table"):
                seat_round(held, seed)
            return
        seated = seat_round(held, seed + number)
        assert seat_round(held, seed + number) == seated
        everyone = [one for group in (*seated.tables, seated.byes) for one in group]
        assert sorted(everyone) == sorted(present)
        assert all(smallest <= len(table) <= largest for table in seated.tables)
        assert len(seated.byes) == table_sizes(len(present), rules)[1]
        at_tables = [one for table in seated.tables for one in table]
        assert all(byes[one] <= byes[other] for one in seated.byes for other in at_tables)
        byes.update(seated.byes)
        held = played_by_luck(held, seated, rng)
        for leaver in rng.sample(present, min(changes[number - 1] // 2, len(present))):
            held = after(held, EntrantDroppedOut(leaver))
        for n in range(changes[number - 1] % 3):
            held = after(held, EntrantAdded(f"late{number}-{n}", f"Late {number} {n}"))


def partitions(count: int, smallest: int, largest: int) -> Iterator[tuple[int, ...]]:
    """All ways to fill tables of these sizes with so many players."""
    if count == 0:
        yield ()
    for size in range(smallest, min(largest, count) + 1):
        for rest in partitions(count - size, size, largest):
            yield (size, *rest)


@pytest.mark.parametrize(
    "sizes",
    [(a, b, c) for a in range(2, 6) for b in range(a, 6) for c in range(b, 6)],
    ids=lambda sizes: "-".join(map(str, sizes)),
)
def test_sizes_are_as_near_to_the_preferred_one_as_any(sizes: tuple[int, int, int]) -> None:
    smallest, preferred, largest = sizes
    rules = Rules(smallest=smallest, preferred=preferred, largest=largest)
    for count in range(smallest, 23):
        found, left = table_sizes(count, rules)
        assert sum(found) == count - left
        for fewer in range(left):
            assert not list(partitions(count - fewer, smallest, largest))
        ways = list(partitions(count - left, smallest, largest))
        assert tuple(sorted(found)) in ways
        least = min(sum((size - preferred) ** 2 for size in way) for way in ways)
        assert sum((size - preferred) ** 2 for size in found) == least


def seatings(players: frozenset[str], sizes: Counter[int]) -> Iterator[list[tuple[str, ...]]]:
    """All seatings of players at tables of these sizes."""
    if not players:
        yield []
        return
    first = min(players)
    for size in sizes:
        for mates in combinations(sorted(players - {first}), size - 1):
            left = players.difference((first, *mates))
            for rest in seatings(left, sizes - Counter((size,))):
                yield [(first, *mates), *rest]


def met_before(held: Tournament) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(pair)
        for one in held.rounds
        for table in one.tables
        for pair in combinations(table, 2)
    )


@pytest.mark.parametrize(
    ("count", "rules", "rounds"),
    [
        (4, TWOS, 2),
        (6, TWOS, 3),
        (8, TWOS, 5),
        (9, THREES, 2),
        (9, THREES, 3),
        (7, MIXED, 1),
        (7, MIXED, 2),
        (9, MIXED, 2),
    ],
)
def test_nobody_meets_again_where_all_ways_tried_show_that_it_can_be(
    count: int, rules: Rules, rounds: int
) -> None:
    possible = 0
    for seed in range(8):
        rng = random.Random(seed)
        held = numbered(count, rules)
        sizes, _ = table_sizes(count, rules)
        for _ in range(rounds):
            held = played_by_luck(held, seated_by_lot(held, sizes, rng), rng)
        met = met_before(held)
        seated = seat_round(held, seed)
        again = sum(
            met[frozenset(pair)] for table in seated.tables for pair in combinations(table, 2)
        )
        there_is_one = any(
            not any(met[frozenset(pair)] for table in way for pair in combinations(table, 2))
            for way in seatings(frozenset(held.entrants) - set(seated.byes), Counter(sizes))
        )
        possible += there_is_one
        assert not (there_is_one and again), seed
    assert possible, "these cases try nothing"


Cost = Callable[[Sequence[tuple[str, ...]]], tuple[int, Fraction]]


def cost_after(held: Tournament) -> Cost:
    """Return what tables of the next round cost: meetings again, then squared differences."""
    met = met_before(held)
    points = {row.entrant.id: row.points for row in standings(held)}

    def cost(tables: Sequence[tuple[str, ...]]) -> tuple[int, Fraction]:
        pairs = [pair for table in tables for pair in combinations(table, 2)]
        apart = sum(((points[a] - points[b]) ** 2 for a, b in pairs), Fraction(0))
        return sum(met[frozenset(pair)] for pair in pairs), apart

    return cost


@pytest.mark.parametrize("rules", [FOURS, THREES, Rules(preferred=5)], ids=["4", "3", "5"])
def test_no_swap_of_two_players_would_cost_less(rules: Rules) -> None:
    rng = random.Random(7)
    held = numbered(15 if rules is THREES else 20, rules)
    for _ in range(3):
        sizes, _ = table_sizes(len(held.entrants), rules)
        held = played_by_luck(held, seated_by_lot(held, sizes, rng), rng)
    cost = cost_after(held)
    tables = seat_round(held, 1).tables
    for table, other in combinations(tables, 2):
        now = cost((table, other))
        for a, b in product(table, other):
            to = {a: b, b: a}
            swapped = [tuple(to.get(one, one) for one in group) for group in (table, other)]
            assert cost(swapped) >= now


@pytest.mark.parametrize("seed", range(8))
def test_tables_of_two_cost_as_little_as_any(seed: int) -> None:
    rng = random.Random(seed)
    held = numbered(8, TWOS)
    for _ in range(3):
        held = played_by_luck(held, seated_by_lot(held, (2,) * 4, rng), rng)
    cost = cost_after(held)
    ways = seatings(frozenset(held.entrants), Counter({2: 4}))
    assert cost(seat_round(held, seed).tables) == min(map(cost, ways))


def test_a_large_round_is_seated_without_repeats_and_by_score() -> None:
    held, rng = numbered(150), random.Random(1)
    for number in range(3):
        held = played_by_luck(held, seat_round(held, number), rng)
    assert repeats(held) == 0
    points = {row.entrant.id: row.points for row in standings(held, 2)}
    spreads = [
        max(points[one] for one in table) - min(points[one] for one in table)
        for table in held.rounds[-1].tables
    ]
    assert sum(spreads) / len(spreads) < 2
    first, last = held.rounds[-1].tables[0], held.rounds[-1].tables[-1]
    assert sum(points[one] for one in first) > sum(points[one] for one in last)


def test_mates_of_one_club_sit_apart_in_the_first_round() -> None:
    for apart in (True, False):
        held = fold([TournamentStarted("clubs", Rules(clubs_apart=apart))])
        for n in range(24):
            held = after(held, EntrantAdded(f"p{n}", f"P{n}", club=f"Club {n % 5}" if n else ""))
        clubs = {one.id: one.club for one in held.entrants.values()}
        together = sum(
            clubs[a] == clubs[b]
            for table in seat_round(held, 3).tables
            for a, b in combinations(table, 2)
        )
        assert (together == 0) is apart


def test_another_seed_is_another_first_round() -> None:
    held = numbered(16)
    assert len({seat_round(held, seed).tables for seed in range(5)}) == 5


def test_who_comes_before_the_first_result_is_seated_anew_with_all() -> None:
    held = numbered(7)
    held = after(held, seat_round(held, 1))
    held = after(held, EntrantAdded("late", "Late"))
    again = seat_round(held, 1)
    assert again.round == 1
    assert sorted(map(len, again.tables)) == [4, 4]
    held = after(held, again)
    held = after(held, ResultEntered(1, 1, dict.fromkeys(again.tables[0], 100)))
    with pytest.raises(RoundError, match="round 1 is still being played"):
        seat_round(held, 2)


def test_a_bye_goes_to_the_last_who_had_none() -> None:
    held = entered(("ann", "bob", "cem"), TWOS)
    held = played(held, {"ann": 100, "bob": 90}, byes=("cem",))
    assert seat_round(held, 1).byes == ("bob",)
    held = played(held, {"ann": 100, "cem": 90}, byes=("bob",))
    assert seat_round(held, 1).byes == ("ann",)


def test_the_search_ends_where_all_ways_are_too_many() -> None:
    rng = random.Random(5)
    met: list[Counter[int]] = [Counter() for _ in range(60)]
    for a, b in combinations(range(60), 2):
        if rng.random() < 0.6:
            met[a][b] = met[b][a] = 1
    assert repeat_free((5,) * 12, met, [0] * 60) is None
