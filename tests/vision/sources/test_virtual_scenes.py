"""The virtual board as a source: a picture for every moment, drawn when it is due."""

import pytest
from railspotter.calibration.arrays import Picture
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard

from .stand_ins import PATIENT_S, QuickClock, QuickWatch, number_in, numbered, taken


def tenths(t_s: float) -> Picture:
    return numbered(round(t_s * 10))


def test_every_moment_is_drawn_when_it_comes() -> None:
    shots = taken(VirtualBoard(tenths, duration_s=2.0, per_s=5.0))
    assert [number_in(shot.picture) for shot in shots] == [*range(0, 21, 2)]
    assert [round(shot.taken_at_s - 1000.0, 3) for shot in shots] == [n / 5 for n in range(11)]


def test_where_drawing_takes_long_moments_are_left_out() -> None:
    clock = QuickClock()

    def slowly(t_s: float) -> Picture:
        clock.pass_by(0.5)
        return tenths(t_s)

    shots = taken(VirtualBoard(slowly, duration_s=2.0, per_s=5.0), watch=QuickWatch(clock))
    assert [number_in(shot.picture) for shot in shots] == [0, 5, 10, 15, 20]


def test_as_fast_as_it_is_read_every_moment_is_seen() -> None:
    watch = QuickWatch()
    board = VirtualBoard(tenths, duration_s=2.0, per_s=10.0, as_fast_as_read=True)
    assert [number_in(shot.picture) for shot in taken(board, watch=watch)] == [*range(21)]
    assert watch.now_s() == 1000.0
    with Grabber(board) as grabber:
        seen: list[int] = []
        while frame := grabber.latest(len(seen), PATIENT_S):
            seen.append(number_in(frame.picture))
    assert seen == [*range(21)]


def test_its_time_stands_still_while_it_may_not_go_on() -> None:
    until_s, drawn = [0.0, 0.0, 0.5, 0.5, 0.5, 9.0, 9.0, None], list[float]()

    def draw(t_s: float) -> Picture:
        drawn.append(t_s)
        return tenths(t_s)

    shown_s = list[float]()

    def until(t_s: float) -> float | None:
        shown_s.append(t_s)
        return until_s[len(shown_s) - 1]

    shots = taken(VirtualBoard(draw, until_s=until))
    assert [number_in(shot.picture) for shot in shots] == [0, 0, 2, 4, 5, 7, 9]
    assert [round(shot.taken_at_s - 1000.0, 3) for shot in shots] == [n / 5 for n in range(7)]
    assert len(drawn) == 6, "the same moment is drawn once"
    assert shown_s == [0.0, *drawn[:1], *drawn], "it is asked with the moment that is shown"


def test_a_board_without_an_end_goes_on() -> None:
    assert len(taken(VirtualBoard(tenths, per_s=100.0), most=500)) == 500


def test_a_mistake_in_the_drawing_is_not_hidden() -> None:
    def broken(t_s: float) -> Picture:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        taken(VirtualBoard(broken))
