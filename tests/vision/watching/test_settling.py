"""The state machine, fed with observations made by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.vision.watching.settling import STILL_S, FrameChanges, Settling

NONE = np.zeros(1, np.bool_)  # no spot that changed is decided


def sight(
    at_s: float, disturbed: str = "..", changed: str = "..", *, is_hand: bool = False
) -> FrameChanges:
    """Return what a frame shows of two spots; x marks those that are disturbed, or changed."""
    moves, differs = (np.array([mark == "x" for mark in marks]) for marks in (disturbed, changed))
    return FrameChanges(at_s, moves, differs, differs, is_hand, moves, wholly_changed=differs)


def test_a_board_is_searched_until_it_is_found() -> None:
    settling = Settling(2)
    assert str(settling.state) == "searching"
    settling.lost(1.0)
    assert str(settling.state) == "searching"
    settling.observe(sight(1.1), NONE)
    assert str(settling.state) == "settled"


def test_the_states_of_a_claim_come_one_after_the_other() -> None:
    settling, states = Settling(2), []
    frames = [
        sight(0.0),
        sight(0.1, is_hand=True),
        sight(0.2, "x.", is_hand=True),
        sight(0.3, "..", "x.", is_hand=True),
        sight(0.4, "..", "x."),
        sight(0.5),
    ]
    for frame in frames:
        settling.observe(frame, NONE)
        states.append(settling.state.value)
    assert states == ["settled", "hand", "hand", "hand", "settling", "settled"]


def test_a_hand_over_one_spot_freezes_no_other() -> None:
    settling = Settling(2)
    for tenth in range(11):
        settling.observe(sight(tenth / 10, "x.", is_hand=True), NONE)
    assert settling.still_s.tolist() == pytest.approx([0.0, 1.0])


def test_stillness_begins_anew_after_every_movement() -> None:
    settling = Settling(1)
    for at_s, moves in [(0.0, "."), (0.5, "."), (0.6, "x"), (0.7, "."), (0.9, ".")]:
        settling.observe(sight(at_s, moves, "."), NONE)
    assert settling.still_s.tolist() == pytest.approx([0.2])


def test_a_board_that_moved_says_so_until_it_has_been_still() -> None:
    settling = Settling(2)
    settling.observe(sight(0.0), NONE)
    settling.moved(1.0)
    settling.observe(sight(1.0), NONE)
    assert str(settling.state) == "moved"
    assert settling.still_s.tolist() == [0.0, 0.0]
    settling.observe(sight(1.0 + STILL_S / 2), NONE)
    assert str(settling.state) == "moved"
    settling.observe(sight(1.0 + STILL_S), NONE)
    assert str(settling.state) == "settled"


def test_a_lost_board_freezes_everything() -> None:
    settling = Settling(2)
    settling.observe(sight(0.0), NONE)
    settling.lost(5.0)
    assert str(settling.state) == "searching"
    assert not settling.still_s.any()
    settling.observe(sight(5.1), NONE)
    assert settling.still_s.tolist() == [0.0, 0.0]


@given(st.lists(st.sampled_from(["still", "disturbed", "lost", "moved"]), max_size=60))
def test_stillness_is_the_time_since_the_last_disturbance(frames: list[str]) -> None:
    settling, since = Settling(1), None
    for number, frame in enumerate(frames):
        at_s = number / 10
        if frame == "lost":
            settling.lost(at_s)
            since = None
            continue
        if frame == "moved":
            settling.moved(at_s)
            since = None
        if frame == "disturbed":
            since = None
        elif since is None:
            since = at_s
        settling.observe(sight(at_s, "x" if frame == "disturbed" else ".", "."), NONE)
        assert settling.still_s[0] == pytest.approx(0.0 if since is None else at_s - since)


def test_for_how_long_a_spot_looks_changed_is_counted_without_the_hands_that_pass() -> None:
    settling = Settling(1)
    frames = [(1.0, ".", "x"), (2.0, ".", "x"), (2.5, "x", "x"), (3.5, ".", "x"), (4.0, ".", "x")]
    for at_s, moves, differs in frames:
        settling.observe(sight(at_s, moves, differs), NONE)
    assert settling.changed_since_s.tolist() == [1.0]
    assert settling.unsure_s.tolist() == pytest.approx([1.5])
    assert settling.still_s.tolist() == pytest.approx([0.5])
    settling.observe(sight(5.0, ".", "."), NONE)
    assert settling.changed_since_s.tolist() == [np.inf]
    assert settling.unsure_s.tolist() == [0.0]


def test_a_spot_is_unseen_for_as_long_as_it_was_not_still_once_while_the_board_was_in_sight() -> (
    None
):
    settling = Settling(2)
    for tenth in range(31):
        # The second spot is free for a moment now and then, never for long enough.
        settling.observe(sight(tenth / 10, "x" + "x."[tenth % 5 == 0]), NONE)
    assert settling.unseen_s == pytest.approx([4.0, 4.0])
    settling.lost(60.0)
    settling.observe(sight(60.1, "xx"), NONE)
    assert settling.unseen_s == pytest.approx([4.1, 4.1])
    for tenth in range(8):
        settling.observe(sight(60.2 + tenth / 10, "x."), NONE)
    assert settling.unseen_s == pytest.approx([4.9, 0.0])


def test_what_a_lamp_finds_open_stays_so_until_it_looks_settled() -> None:
    settling = Settling(3)
    decided = np.array([False, True, False])
    settling.observe(sight(0.0, "...", "xx."), NONE)
    settling.observe(sight(0.1, "...", "xx."), decided)
    settling.observe(replace(sight(0.2, "...", "xxx"), is_relit=True), decided)
    assert settling.stays_open.tolist() == [True, False, False]
    settling.observe(replace(sight(0.3, "..x", "x.x"), is_anew=True), decided)
    assert settling.stays_open.tolist() == [True, False, True]
    settling.observe(sight(0.4, "..x", "..."), decided)
    assert settling.stays_open.tolist() == [False, False, True]
