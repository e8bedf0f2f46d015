"""What becomes of a spot, event by event, told without a picture."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.judging import AGREEING_UNLIKELY, ASK_S, ASK_WHOLE_S, WITHDRAW_S
from railspotter.vision.watching.settling import STILL_S
from railspotter.vision.watching.spot_state import (
    Belief,
    Decision,
    Phase,
    Proof,
    Seen,
    SpotReading,
    SpotState,
    Undecided,
)
from railspotter.vision.watching.transitions import (
    TRANSITIONS,
    UNTOUCHED_S,
    Claimed,
    Event,
    Lost,
    Read,
    Said,
    step,
)

DOCS = Path(__file__).parents[3] / "docs" / "watching.md"
SPOT = Spot("route", "a--b")
FREE = SpotReading(None, (-4.0, -5.0), parts=2, covered=0)
RED = SpotReading("red", (5.0, -3.0), parts=2, covered=2, shape=3.0)
DOUBT = Doubt(SPOT, "red", (None,), Sentence("it is not clear"))
UNCLEAR = replace(RED, odds=(0.2, 0.1), doubt=DOUBT)
FAINT = replace(UNCLEAR, odds=(-0.7, -5.0), shape=0.5)
NEW = SpotState(SPOT, parts=2)
HAND = Seen(is_changed=False, is_disturbed=True)
SETTLED = Seen(is_changed=False, is_disturbed=False, still_s=1.0)
FIRST, SECOND, BOTH = frozenset({0}), frozenset({1}), frozenset({0, 1})


def changed(still_s: float = STILL_S, **known: Any) -> Seen:
    """Return a frame that shows both parts changed."""
    of_frame = {"changed_parts": BOTH, **known}
    return Seen(is_changed=True, is_disturbed=False, still_s=still_s, **of_frame)


def rested(*seen: SpotReading, is_last: bool = False) -> list[Event]:
    """Return readings of a spot that had rested, one a second."""
    return [Read(float(at_s), one, True, is_last) for at_s, one in enumerate(seen)]


def after(*events: Event, state: SpotState = NEW) -> SpotState:
    for event in events:
        state, _ = step(state, event)
    return state


def follows(state: SpotState, *events: Event) -> Decision:
    """Return what follows from the last event."""
    return step(after(*events[:-1], state=state), events[-1])[1]


def table_of_transitions() -> str:
    rows = [
        f"| {was.value} | {event.__name__} | {then.value} | {why} |"
        for was, event, then, why in TRANSITIONS
    ]
    return "\n".join(["| from | event | to | because |", "|---|---|---|---|", *rows, ""])


def test_the_table_of_the_docs_is_that_of_the_code() -> None:
    assert table_of_transitions() in DOCS.read_text("utf-8"), table_of_transitions()


def test_no_phase_follows_another_but_as_the_table_says() -> None:
    events: list[Event] = [HAND, SETTLED, changed(), changed(changed_parts=frozenset()), Lost()]
    events += [Said("red", BOTH), Said(None, None), Claimed(explains=True), *rested(FREE, RED)]
    reached, made = {NEW}, set[tuple[Phase, type[Event], Phase]]()
    for _ in range(5):
        steps = [(state, event, step(state, event)[0]) for state in reached for event in events]
        made |= {(was.phase, type(event), now.phase) for was, event, now in steps}
        reached |= {now for _, _, now in steps}
    expected = {row[:3] for row in TRANSITIONS}
    assert {one for one in made if one[0] is not one[2]} == expected


# What was seen to change.


def test_two_readings_that_agree_are_a_claim() -> None:
    state = after(changed(0.0), Read(0.1, RED, False))
    assert step(state, changed(0.5)) == (state, Undecided())
    state, decision = step(after(Read(0.5, RED, False), state=state), changed(1.0))
    assert isinstance(decision, Belief)
    assert (state.believed, state.phase) == ("red", Phase.DECIDED)


def test_what_a_person_spoke_of_is_settled_without_a_reading() -> None:
    said = after(Said("red", None), HAND, changed(0.0))
    assert said.phase is Phase.SAID
    settled = after(changed(), state=said)
    assert (settled.phase, settled.believed) == (Phase.DECIDED, "red")


def test_only_a_plain_reading_ends_a_question() -> None:
    doubted = replace(FREE, odds=(-0.5,), doubt=DOUBT, shape=4.0)
    looked: list[Event] = [changed(0.0), *[Read(1.0, doubted, False)] * 2]
    assert follows(NEW, *looked, changed(1.0)) == Undecided()
    assert follows(NEW, *looked, changed(ASK_S)) == DOUBT
    asked = changed(6.0, is_asked=True)
    faint = replace(doubted, shape=-4.0)
    looked += [Read(6.0, faint, False), Read(6.0, faint, False)]
    assert isinstance(follows(NEW, *looked, changed(6.0)), Belief)
    assert follows(NEW, *looked, asked) == Undecided()
    assert isinstance(follows(NEW, *looked, Read(7.0, FREE, False), asked), Belief)


def test_faint_trains_are_asked_about_where_they_may_lie_on_the_lane_beside() -> None:
    faint = replace(RED, odds=(0.8, -3.0), doubt=DOUBT, shape=4.0)
    looked = after(changed(0.0), *[Read(1.0, faint, False)] * 5)
    assert isinstance(follows(looked, changed(2.0)), Belief)
    assert follows(looked, changed(2.0, may_be_beside=True)) == Undecided()
    late = changed(ASK_S, may_be_beside=True)
    assert isinstance(follows(looked, late), Doubt)


def test_no_piece_came_or_went() -> None:
    state, decision = step(NEW, changed(changed_parts=frozenset()))
    assert isinstance(decision, Belief)
    assert state.phase is Phase.DECIDED


# What changed has a reason already.


@pytest.mark.parametrize(
    ("events", "is_explained"),
    [
        pytest.param([changed(0.0), Claimed(explains=True)], True, id="a claim"),
        pytest.param([changed(0.0), Claimed(explains=True), changed(9.0)], True, id="for long"),
        pytest.param([changed(0.0), Claimed(explains=True), HAND], False, id="a hand comes again"),
        pytest.param([changed(0.0), Claimed(explains=False)], False, id="an earlier change"),
        pytest.param([changed(UNTOUCHED_S)], False, id="touched"),
        pytest.param([changed(UNTOUCHED_S + 0.1)], True, id="touched by nobody"),
        pytest.param([changed(0.0, is_relit=True)], True, id="a lamp"),
        pytest.param([changed(0.0, is_relit=True, is_asked=True)], False, id="people are asked"),
    ],
)
def test_what_explains_a_change(events: Sequence[Event], is_explained: bool) -> None:
    assert after(*events).is_explained == is_explained


STATION = SpotReading("red", (9.0, -9.0), parts=1, covered=1)
AT_THE_END = SpotState(Spot("station", "a"))
CLAIM_BESIDE = Claimed(explains=True, ends_here="red")
PASSING = Seen(is_changed=True, is_disturbed=True)


def looks_like(colour: str) -> list[Event]:
    """Return what is seen of a place where a station seems to stand."""
    reading = Read(0.5, replace(STATION, answer=colour), False)
    return [changed(0.0), reading, reading, changed(2.0)]


def test_the_last_train_is_no_station_though_a_hand_passes() -> None:
    beside = after(changed(0.0), CLAIM_BESIDE, PASSING, state=AT_THE_END)
    train = after(*looks_like("red"), state=beside)
    assert (train.believed, train.phase, train.proof) == (None, Phase.DECIDED, Proof.GIVEN)
    assert isinstance(follows(beside, *looks_like("blue")), Belief)


def test_what_has_been_seen_free_since_may_become_a_station() -> None:
    beside = after(changed(0.0), CLAIM_BESIDE, SETTLED, state=AT_THE_END)
    assert isinstance(follows(beside, *looks_like("red")), Belief)


def test_a_train_that_looked_like_a_station_is_one_again_where_that_is_explained() -> None:
    beside = after(changed(0.0), CLAIM_BESIDE, PASSING, state=AT_THE_END)
    taken = after(*looks_like("red"), SETTLED, state=beside)
    assert isinstance(follows(taken, *looks_like("red")), Doubt)
    explained: list[Event] = [
        changed(0.0),
        Claimed(explains=True),
        *[Read(0.5, STATION, False)] * 4,
    ]
    assert after(*explained, changed(2.0), state=taken).believed is None
    assert isinstance(follows(taken, *explained, changed(2.0)), Undecided)


def test_a_station_waits_until_the_trains_beside_it_are_decided() -> None:
    *before, last = looks_like("blue")
    assert isinstance(last, Seen)
    waiting = replace(last, may_be_train=True)
    assert follows(AT_THE_END, *before, waiting) == Undecided()
    assert isinstance(follows(AT_THE_END, *before, last), Belief)


# What nobody saw change.


def test_a_hand_between_readings_that_disagree_is_news() -> None:
    state = after(*rested(FREE))
    assert state.proof is Proof.READ
    state = after(HAND, *rested(RED), state=state)
    assert (state.proof, state.phase, state.seen) == (Proof.TOUCHED, Phase.DISPUTED, [RED])


def test_without_a_hand_or_an_earlier_reading_it_is_none() -> None:
    assert after(*rested(RED)).proof is Proof.NONE
    assert after(*rested(RED), HAND).readings == ()
    assert after(*rested(RED), HAND, *rested(RED)).proof is Proof.NONE
    assert after(*rested(RED, FREE, RED)).proof is Proof.READ


def test_one_reading_that_agrees_ends_it() -> None:
    ended = after(*rested(RED, FREE))
    assert (ended.phase, ended.readings) == (Phase.KNOWN, ())


def test_a_reading_of_a_spot_that_has_not_rested_contradicts_nothing() -> None:
    assert after(Read(1.0, RED, has_rested=False)) == NEW


def test_what_a_person_said_is_not_disputed() -> None:
    said = after(Said(None, None), SETTLED)
    assert after(*rested(RED), state=said) == said
    changed_since = after(changed(), *[Read(1.0, RED, False)] * 2, changed(2.0), state=said)
    assert changed_since.proof is Proof.NONE
    assert after(SETTLED, *rested(FREE), state=changed_since).phase is Phase.DISPUTED


@pytest.mark.parametrize(
    ("seen", "believed", "contradicts"),
    [
        pytest.param(UNCLEAR, None, True, id="something stands there"),
        pytest.param(UNCLEAR, "blue", False, id="it is believed to be there"),
        pytest.param(replace(UNCLEAR, shape=0.0), None, False, id="no shape of trains"),
        pytest.param(replace(UNCLEAR, odds=(-2.0, -3.0)), None, False, id="nobody's colour"),
        pytest.param(replace(RED, visible=0.1), None, False, id="hidden"),
        pytest.param(FREE, "red", True, id="what was there is gone"),
        pytest.param(replace(FREE, is_strange=True), "red", False, id="no player's trains"),
    ],
)
def test_what_contradicts(seen: SpotReading, believed: str | None, contradicts: bool) -> None:
    state = after(*rested(seen), state=replace(NEW, believed=believed))
    assert (state.phase is Phase.DISPUTED) == contradicts


def laid_singly(parts: frozenset[int]) -> list[Event]:
    """Return what is seen of a space that is laid, and taken for free all the same."""
    look = changed(0.5, changed_parts=parts)
    return [look, Read(0.5, FREE, False), look, SETTLED]


@pytest.mark.parametrize("shape", [0.5, -0.5])
def test_less_contradicts_where_every_space_changed_one_by_one_or_the_game_is_over(
    shape: float,
) -> None:
    faint = replace(FAINT, shape=shape)
    one, other = (laid_singly(parts) for parts in (FIRST, SECOND))
    assert after(*rested(faint)).readings == ()
    assert after(*one, *rested(faint)).readings == ()
    singly = after(*one, *other, *rested(faint))
    assert (singly.phase is Phase.DISPUTED) == (shape > 0)
    assert after(*rested(faint), state=after(Said("red", None), Said(None, None))).readings == ()
    over = after(*rested(faint, is_last=True))
    assert (over.phase is Phase.DISPUTED) == (shape > 0)


def test_a_claim_elsewhere_ends_what_may_be_the_first_train_of_a_route() -> None:
    first = after(changed(0.0, changed_parts=FIRST), Read(0.5, FREE, False))
    first = after(changed(0.5, changed_parts=FIRST), SETTLED, state=first)
    assert first.changed_before == FIRST
    assert after(Claimed(explains=False), state=first).changed_before == frozenset()


def test_readings_that_contradict_plainly_since_a_hand_passed_are_a_claim() -> None:
    told = after(*rested(FREE), HAND, *rested(*[RED] * AGREEING_UNLIKELY))
    state, decision = step(told, replace(SETTLED, still_s=WITHDRAW_S))
    assert isinstance(decision, Belief)
    assert (state.believed, state.phase, state.readings) == ("red", Phase.KNOWN, ())


def test_white_taxis_on_grey_are_a_claim_though_one_space_alone_was_seen_to_change() -> None:
    """Where a reading saw the route free until somebody reached over it."""
    looks = [Read(1.0 + at_s, RED, False) for at_s in range(AGREEING_UNLIKELY)]
    first, later = (changed(still_s, changed_parts=FIRST) for still_s in (0.5, WITHDRAW_S))
    decision = follows(NEW, *rested(FREE), HAND, first, *looks, later)
    assert isinstance(decision, Belief)
    assert decision.colour == "red"
    assert follows(NEW, *rested(FREE), HAND, first, *looks[1:], later) == Undecided()
    assert follows(NEW, HAND, first, *looks, later) == Undecided(), "it was never read free"
    assert follows(NEW, *rested(FREE), first, *looks, later) == Undecided(), "nobody reached there"


def test_a_doubt_that_came_with_a_hand_is_asked_about() -> None:
    """A red piece on red: it was read free without a doubt until somebody reached over it."""
    like = replace(UNCLEAR, answer=None, odds=(-0.8, -9.0), covered=0, shape=-0.8)
    looks = rested(*[like] * AGREEING_UNLIKELY)
    still = replace(SETTLED, still_s=ASK_WHOLE_S)
    before = after(SETTLED, *rested(FREE))
    asked = follows(before, HAND, SETTLED, *looks, still)
    assert asked == DOUBT
    assert follows(before, *looks, still) == Undecided(), "nobody reached there: it is the light"
    bare = rested(*[replace(like, shape=-2.5)] * AGREEING_UNLIKELY)
    assert follows(before, HAND, SETTLED, *bare, still) == Undecided()
