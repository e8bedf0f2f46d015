"""Pushed boards: the benchmark counts what the keeper claims, which is nothing wrong."""

from __future__ import annotations

import numpy as np
import pytest
from railspotter.simulation.virtual_board.scene import BoardShift

from drift import (
    BANDS,
    FINDING_S,
    STILL_S,
    Cost,
    Drift,
    LateWork,
    Push,
    as_text,
    costs_as_text,
    drift,
    drift_of,
    push_of,
    rendered,
)

PUSH = Push(BoardShift(10.0, 0.0, 4.0), moving_s=0.4, hand=None)


def test_a_push_starts_and_ends_where_it_says() -> None:
    assert PUSH.at(STILL_S - 0.1) == BoardShift()
    halfway = PUSH.at(STILL_S + 0.2)
    assert (halfway.dx_mm, halfway.turn_deg) == pytest.approx((5.0, 2.0))
    assert PUSH.at(STILL_S + 0.5) == PUSH.nudge
    at_once = Push(BoardShift(10.0), 0.0, None)
    assert at_once.at(STILL_S) == BoardShift(10.0)


def test_pushes_are_of_every_kind() -> None:
    pushes = [push_of(np.random.default_rng([1, number])) for number in range(60)]
    assert {push.band for push in pushes} == set(BANDS)
    assert 15 < sum(push.hand is not None for push in pushes) < 45
    for push in pushes:
        assert np.hypot(push.nudge.dx_mm, push.nudge.dy_mm) <= 40
        assert abs(push.nudge.turn_deg) <= 15 or push.nudge.turn_deg == 180


def drifted(*off: float | None) -> Drift:
    """What a stream comes to whose frames, from the push on, are so far off."""
    before: list[float | None] = [None, 0.2]
    times = STILL_S + 0.1 * np.arange(-len(before), len(off))
    rows = list(zip(times.tolist(), [*before, *off], strict=True))
    return drift_of("rendered", Push(BoardShift(10.0), 0.0, None), rows)


@pytest.mark.parametrize(
    ("off", "late_s", "again_s", "is_for_good"),
    [
        ((0.3, 0.2, 0.2), 0.0, 0.0, False),
        ((None, None, 0.2), 0.0, 0.2, False),
        ((5.0, None, 0.2), 0.1, 0.2, False),
        ((None, 0.2, 5.0), 0.3, np.inf, True),
        ((*[3.0] * 6, 0.2), 0.6, 0.6, True),
        ((None, None, None), 0.0, np.inf, False),
    ],
    ids=["followed", "frozen", "late", "wrong in the end", "wrong for long", "never found again"],
)
def test_wrong_poses_are_counted(
    off: tuple[float | None, ...], late_s: float, again_s: float, is_for_good: bool
) -> None:
    one = drifted(*off)
    assert one.late_s == pytest.approx(late_s)
    assert one.again_s == pytest.approx(again_s)
    assert one.is_wrong_for_good is is_for_good
    assert one.worst_mm == max(far for far in (0.2, *off) if far is not None)


def test_the_tables_say_so() -> None:
    lines = as_text([drifted(5.0, None, 0.2), drifted(0.1, 0.1)])
    assert lines[1].split()[2:7] == ["2", "0", "0.1", "5.00", "1"]
    assert lines[-1].startswith("wrong: rendered +10 +0 mm")
    (cost,) = costs_as_text([Cost("still", 0.002, 0.008)] * 3)
    assert "3 frames, 2.00 ms" in cost
    assert "0.25 of decoding" in cost


def test_work_is_done_when_its_time_has_come() -> None:
    work = LateWork()
    future = work.submit(lambda: 7)
    work.advance(FINDING_S - 0.1)
    assert not future.done()
    work.advance(FINDING_S)
    assert future.result() == 7


@pytest.mark.long
def test_no_wrong_pose_is_claimed_of_a_drawn_board_that_is_pushed_or_turned_round() -> None:
    take, profile = rendered((960, 540))
    for push in (PUSH, Push(BoardShift(0.0, 0.0, 180.0), 0.0, None)):
        one = drift("rendered", take, profile, push, [])
        assert one.late_s == 0
        assert one.worst_mm < 2.0
        assert one.again_s <= 1.2
