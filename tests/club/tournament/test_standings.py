"""Who comes before whom, and the sentence that says why."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_tournaments import entered, numbered, played, played_by_luck
from railspotter.club.tournament import (
    EntrantAdded,
    EntrantDroppedOut,
    Rules,
    TableResult,
    after,
    seat_round,
    standings,
    table_places,
    table_points,
)
from railspotter.club.tournament.facts import TieBreak
from railspotter.club.tournament.tournament import Tournament


def rows(held: Tournament) -> list[tuple[int, str, str]]:
    return [(row.place, row.entrant.id, str(row.reason)) for row in standings(held)]


def only(*tie_breaks: TieBreak) -> Rules:
    return Rules(tie_breaks=tie_breaks)


@pytest.mark.parametrize(
    ("points", "winners", "places", "worth"),
    [
        ((120, 98), (), (1, 2), (12, 0)),
        ((98, 98), (), (1, 1), (6, 6)),
        ((98, 98), (1,), (2, 1), (0, 12)),
        ((98, 98), (0, 1), (1, 1), (6, 6)),
        ((80, 120, 98), (), (3, 1, 2), (0, 12, 6)),
        ((120, 120, 98), (0,), (1, 2, 3), (12, 6, 0)),
        ((120, 98, 98, 80), (), (1, 2, 2, 4), (12, 6, 6, 0)),
        ((98, 98, 98, -5), (), (1, 1, 1, 4), (8, 8, 8, 0)),
        ((120, 110, 100, 90), (3,), (2, 3, 4, 1), (8, 4, 0, 12)),
        ((5, 4, 3, 2, 1), (), (1, 2, 3, 4, 5), (12, 9, 6, 3, 0)),
        ((5, 5, 3, 2, 2), (), (1, 1, 3, 4, 4), (10.5, 10.5, 6, 1.5, 1.5)),
    ],
)
def test_places_and_what_they_are_worth(
    points: tuple[int, ...],
    winners: tuple[int, ...],
    places: tuple[int, ...],
    worth: tuple[float, ...],
) -> None:
    scored = {f"p{n}": count for n, count in enumerate(points)}
    result = TableResult(scored, tuple(f"p{n}" for n in winners))
    assert tuple(table_places(result).values()) == places
    assert tuple(map(float, table_points(Rules(), result).values())) == worth


@given(
    points=st.lists(st.integers(-20, 200), min_size=2, max_size=5),
    winners=st.sets(st.integers(0, 1)),
)
def test_a_table_pays_the_same_whatever_the_result(points: list[int], winners: set[int]) -> None:
    scored = {f"p{n}": count for n, count in enumerate(points)}
    result = TableResult(scored, tuple(f"p{n}" for n in winners))
    assert sum(table_points(Rules(), result).values()) == 6 * len(points)


def test_share_decides_first() -> None:
    held = entered(("ann", "bob", "cem", "dan"))
    held = played(held, {"ann": 150, "bob": 50}, {"cem": 110, "dan": 90})
    assert rows(held) == [
        (1, "ann", ""),
        (2, "cem", _share("Ann", "Cem", "1.50", "1.10")),
        (3, "dan", ""),
        (4, "bob", _share("Dan", "Bob", "0.90", "0.50")),
    ]


def _share(ahead: str, behind: str, more: str, fewer: str) -> str:
    return (
        f"{ahead} before {behind}: level in points, but {more} times the tables' average points "
        f"against {fewer} times"
    )


def test_share_tells_apart_what_two_decimals_do_not() -> None:
    held = entered(("ann", "bob", "cem", "dan"))
    held = played(held, {"ann": 1001, "bob": 999}, {"cem": 1002, "dan": 998})
    assert rows(held)[1] == (2, "ann", _share("Cem", "Ann", "1.002", "1.001"))


def test_share_of_points_below_nought_and_of_none() -> None:
    held = played(
        entered(("ann", "bob", "cem", "dan")), {"ann": 5, "bob": -3}, {"cem": 0, "dan": 0}
    )
    share = {row.entrant.id: row.share for row in standings(held)}
    assert share == {"ann": 2, "bob": 0, "cem": 1, "dan": 1}


def test_wins_decide_in_one_sentence() -> None:
    held = entered(("ann", "bob", "cem"), only("wins"))
    held = played(held, {"ann": 9, "bob": 5, "cem": 1})
    held = played(held, {"cem": 9, "bob": 5, "ann": 1})
    assert rows(held) == [
        (1, "ann", ""),
        (1, "cem", "Ann and Cem share their place: level in points, wins"),
        (3, "bob", "Cem before Bob: level in points, but a win against none"),
    ]
    held = played(held, {"ann": 9, "bob": 5, "cem": 1})
    held = played(held, {"cem": 9, "bob": 5, "ann": 1})
    assert rows(held)[2][2] == "Cem before Bob: level in points, but 2 wins against 0"


def test_encounters_decide_among_those_who_are_level() -> None:
    held = entered(("ann", "bob", "cem", "dan"), only("wins", "encounters"))
    held = played(held, {"bob": 9, "ann": 1}, {"cem": 9, "dan": 1})
    held = played(held, {"ann": 9, "cem": 1}, {"bob": 1, "dan": 9})
    # All have won once. Bob beat Ann, Ann Cem, Cem Dan, Dan Bob: a circle.
    levels = "level in points, wins, encounters"
    assert [row[0] for row in rows(held)] == [1, 1, 1, 1]
    assert rows(held)[1][2] == f"Ann and Bob share their place: {levels}"
    held = played(held, {"bob": 9, "cem": 1}, {"ann": 9, "dan": 1})
    # Ann and Bob have two wins now, and Bob was before Ann.
    assert rows(held)[:2] == [
        (1, "bob", ""),
        (
            2,
            "ann",
            "Bob before Ann: level in points, wins, "
            "but better where those still level met (+1 against -1)",
        ),
    ]


def test_opponents_decide() -> None:
    held = entered(("ann", "bob", "cem", "dan", "eve", "fay"), only("opponents"))
    held = played(held, {"ann": 9, "bob": 1}, {"cem": 9, "dan": 1}, {"eve": 9, "fay": 1})
    held = played(held, {"ann": 1, "cem": 9}, {"dan": 9, "bob": 1}, {"eve": 5, "fay": 5})
    # 12 points: Ann met Bob (0) and Cem (24), Dan met Cem (24) and Bob (0); Eve 18, Fay 6.
    told = {one: (place, reason) for place, one, reason in rows(held)}
    assert told["ann"][0] == told["dan"][0] == 3
    assert told["dan"][1] == "Ann and Dan share their place: level in points, opponents"
    held = played(held, {"ann": 9, "eve": 1}, {"dan": 9, "fay": 1}, {"cem": 9, "bob": 1})
    # 24 points: Ann met 0, 36, 18: 18 on average; Dan met 36, 0, 6: 14.
    told = {one: (place, reason) for place, one, reason in rows(held)}
    assert told["dan"][1] == (
        "Ann before Dan: level in points, "
        "but stronger opponents (18.00 points on average against 14.00)"
    )


def test_the_tie_breaks_go_on_among_those_who_are_still_level() -> None:
    held = entered(("ann", "bob", "cem", "dan"), only("wins", "share"))
    held = played(held, {"ann": 7, "bob": 3}, {"cem": 6, "dan": 4})
    assert [(row.place, row.entrant.id) for row in standings(held)] == [
        (1, "ann"),
        (2, "cem"),
        (3, "dan"),
        (4, "bob"),
    ]
    assert rows(held)[1][2].startswith("Ann before Cem: level in points, wins, but 1.40 times")


def test_without_tie_breaks_places_are_shared() -> None:
    held = played(entered(("ann", "bob", "cem"), only()), {"ann": 9, "bob": 9, "cem": 1})
    assert rows(held) == [
        (1, "ann", ""),
        (1, "bob", "Ann and Bob share their place: level in points"),
        (3, "cem", ""),
    ]


def test_byes_missed_rounds_and_leavers() -> None:
    held = entered(("ann", "bob", "cem"), Rules(largest=2, preferred=2))
    held = played(held, {"ann": 9, "bob": 1}, byes=("cem",))
    held = after(held, EntrantDroppedOut("bob"))
    held = after(held, EntrantAdded("dan", "Dan"))
    held = played(held, {"ann": 9, "dan": 2}, byes=("cem",))
    table = {row.entrant.id: row for row in standings(held)}
    assert [row.entrant.id for row in standings(held)] == ["ann", "cem", "dan", "bob"]
    assert (int(table["cem"].points), table["cem"].byes, table["cem"].games) == (12, 2, 0)
    assert (int(table["bob"].points), table["bob"].games) == (0, 1)
    assert not table["bob"].entrant.is_present
    assert [row.points for row in standings(held, 1)] == [12, 6, 0, 0]


@settings(max_examples=25)
@given(count=st.integers(4, 16), seed=st.integers(0, 2**32))
def test_a_standing_is_in_order_and_explains_every_tie(count: int, seed: int) -> None:
    held, rng = numbered(count), random.Random(seed)
    for number in range(3):
        held = played_by_luck(held, seat_round(held, seed + number), rng)
    table = standings(held)
    assert sorted(row.entrant.id for row in table) == sorted(held.entrants)
    for before, row in pairwise(table):
        assert before.points >= row.points
        assert bool(row.reason) is (before.points == row.points)
        assert row.place >= before.place
        if row.points == before.points:
            assert before.share >= row.share
    assert sum(row.points for row in table) == Fraction(6 * 3 * count)
