"""Work that is waited for as long as one likes, and goes on meanwhile."""

import threading
from collections.abc import Callable
from functools import partial

import pytest
from railspotter.webui.feed.history import MOST_JOBS, BackgroundWork

PATIENCE_S = 30.0


def until_set(event: threading.Event, gives: str) -> Callable[[], str]:
    """Work that ends once an event is set."""

    def work() -> str:
        assert event.wait(PATIENCE_S)
        return gives

    return work


def never() -> str:
    raise AssertionError("it is under way already")


def test_what_takes_longer_goes_on_and_is_there_when_it_is_asked_for_again() -> None:
    works, may_end = BackgroundWork[str]("slow"), threading.Event()
    with pytest.raises(TimeoutError):
        works.result("a", until_set(may_end, "done"), 0.01)
    with pytest.raises(TimeoutError):
        works.result("a", never, 0.01)
    may_end.set()
    assert works.result("a", never, PATIENCE_S) == "done"
    assert works.result("a", lambda: "anew", PATIENCE_S) == "anew", "what was fetched is forgotten"


def test_a_slow_one_holds_up_the_next_unless_two_go_at_once() -> None:
    may_end = threading.Event()
    for at_once in (1, 2):
        works = BackgroundWork[str]("slow", at_once)
        with pytest.raises(TimeoutError):
            works.result("slow", until_set(may_end, "done"), 0.01)
        quick = partial(works.result, "quick", lambda: "quick")
        if at_once == 2:
            assert quick(PATIENCE_S) == "quick"
        else:
            with pytest.raises(TimeoutError):
                quick(0.05)
    may_end.set()


def test_whoever_waits_is_told_what_went_wrong() -> None:
    works = BackgroundWork[float]("sums")
    with pytest.raises(ZeroDivisionError):
        works.result("1 / 0", lambda: 1 / 0, PATIENCE_S)
    assert works.result("1 / 0", lambda: 2.0, PATIENCE_S) == 2.0


def test_no_more_wait_than_there_is_room_for_and_what_nobody_fetched_makes_room() -> None:
    works, may_end = BackgroundWork[str]("slow"), threading.Event()
    for number in range(MOST_JOBS):
        with pytest.raises(TimeoutError):
            works.result(number, until_set(may_end, "done"), 0.0)
    with pytest.raises(TimeoutError):
        works.result("one more", never, PATIENCE_S)
    may_end.set()
    assert works.result(MOST_JOBS - 1, never, PATIENCE_S) == "done"
    assert works.result("one more", lambda: "done", PATIENCE_S) == "done"
