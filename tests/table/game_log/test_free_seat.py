"""Everybody gets a seat of their own, whatever they are called."""

from __future__ import annotations

import pytest
from railspotter.table.game_log.people_facts import free_seat


@pytest.mark.parametrize(
    "names", [("X", "X 3", "X", "x-2"), ("Bo", "Bo!", "bo"), ("李", "王", "seat"), ("a" * 90,) * 3]
)
def test_no_seat_is_given_twice(names: tuple[str, ...]) -> None:
    seats: list[str] = []
    for name in names:
        seats.append(free_seat(name, seats))
    assert len(set(seats)) == len(names)
    assert all(len(seat) <= 64 for seat in seats)
