"""What follows from readings of one spot, made by hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.reading.doubts import VISIBLE
from railspotter.vision.reading.odds import SURE
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.judging import (
    AGREEING_DOUBTFUL,
    AGREEING_UNLIKELY,
    ASK_PARTLY_S,
    ASK_S,
    ASK_WHOLE_S,
    OVERRULING,
    WITHDRAW_S,
    judge,
    judge_unchanged,
)
from railspotter.vision.watching.settling import STILL_S
from railspotter.vision.watching.spot_state import (
    Belief,
    Decision,
    Expectation,
    Phase,
    Proof,
    Seen,
    SpotReading,
    SpotState,
    Undecided,
)

SPOT = Spot("route", "a--b")
RED = SpotReading("red", (5.0, -3.0), parts=3, covered=3)
BLUE = SpotReading("blue", (-3.0, 5.0), parts=3, covered=3)
FREE = SpotReading(None, (-4.0, -5.0), parts=3, covered=0)
PLAIN = replace(RED, shape=SURE)
NOTHING_EXPECTED = Expectation()
Readings = Sequence[SpotReading]


def doubted(seen: SpotReading, why: str = "it is not clear", **otherwise: Any) -> SpotReading:
    doubt = Doubt(SPOT, seen.answer, ("blue",), Sentence(why))
    return replace(seen, doubt=doubt, **otherwise)


def partly(covered: int) -> SpotReading:
    seen = SpotReading(None, (-1.0, -3.0), parts=3, covered=covered)
    return doubted(seen, f"only {covered} of 3 spaces look covered")


def in_glare(lead: float) -> SpotReading:
    return doubted(RED, visible=0.1, shape=3.0, nearest="red", nearest_lead=lead)


def known(
    seen: Readings,
    *,
    settled: str | None = None,
    still_s: float = 1.0,
    changed_parts: int = 3,
    is_alone: bool = True,
    **frame: Any,
) -> tuple[SpotState, Seen]:
    """Return a spot of three parts of which so much was read, and what a frame shows of it."""
    readings = tuple((0.0, one) for one in seen)
    state = SpotState(
        SPOT, 3, settled, Phase.CHANGING, readings=readings, is_explained=not is_alone
    )
    parts = frozenset(range(changed_parts))
    return state, Seen(True, False, still_s, changed_parts=parts, **frame)


def verdict(
    seen: Readings, *, expectation: Expectation = NOTHING_EXPECTED, **otherwise: Any
) -> Decision:
    return judge(*known(seen, **otherwise), expectation)


def in_a_word(decision: Decision) -> str:
    match decision:
        case Belief(colour=colour):
            return colour or "free"
        case Doubt():
            return "asked"
        case Undecided(for_reading=True):
            return "read on"
    return "wait"


FAINT = doubted(RED, odds=(0.4, -3.0))
ADDS_UP = doubted(RED, odds=(1.2, -3.0))
SOMEBODYS = doubted(RED, odds=(1.2, 1.2), shape=3.0)
ONE_FAINT_SPACE = replace(RED, covered=2)
UNCLEAR = doubted(FREE, "nothing shows of its print")
HIDDEN = replace(RED, visible=VISIBLE / 2)
STRANGE = replace(FREE, shape=5.0, is_strange=True)
BARELY_FREE = doubted(FREE, odds=(-1.3, -1.4), shape=1.4)
# Something stands there, and of all colours it is white, as the print is.
WHITE_ON_GREY = doubted(
    SpotReading(
        "blue", (0.2, 0.2), parts=3, covered=1, shape=2.0, nearest="white", nearest_lead=1.2
    )
)
ALL_OVER = {"is_wholly_changed": True}
BLUES_TURN = {"expectation": Expectation(may_claim={"blue"})}
TWO_LEFT = {"expectation": Expectation(stock={"red": 2})}
UNLIKELY, DOUBTFUL = AGREEING_UNLIKELY, AGREEING_DOUBTFUL

# Rule, readings, what is known beside them, and what follows. Without a word three of three parts
# of a free spot changed and have held still for a second.
VERDICTS: list[tuple[str, Readings, dict[str, Any], str]] = [
    ("no reading", [], {}, "read on"),
    ("one reading is no claim", [RED], {}, "read on"),
    ("two are", [RED, RED], {}, "red"),
    ("a claim needs stillness", [RED] * 2, {"still_s": STILL_S - 0.1}, "wait"),
    ("and no more than that", [RED] * 2, {"still_s": STILL_S}, "red"),
    ("readings disagree", [RED, BLUE], {}, "read on"),
    ("and begin anew", [RED, RED, BLUE], {}, "read on"),
    ("from the last that agree", [RED, BLUE, BLUE], {}, "blue"),
    ("what is hidden says nothing", [HIDDEN] * 3, {"still_s": 100.0}, "read on"),
    ("nor withdraws it", [replace(FREE, visible=0.0)], {"settled": "red"}, "read on"),
    ("laid train by train", [partly(1)] * 9, {"changed_parts": 1, "still_s": 10.0}, "read on"),
    ("two of three", [partly(2)] * 9, {"changed_parts": 2, "still_s": 10.0}, "read on"),
    ("stays half laid", [partly(2)] * 9, {"changed_parts": 2, "still_s": 20.0}, "asked"),
    ("one space did not change", [RED] * 3, {"changed_parts": 2}, "read on"),
    ("for a while", [RED] * 9, {"changed_parts": 2, "still_s": ASK_S}, "read on"),
    ("for long", [RED] * 9, {"changed_parts": 2, "still_s": ASK_WHOLE_S}, "asked"),
    ("not seen any more", [FREE] * 2, {"settled": "red"}, "wait"),
    ("for long enough", [FREE] * 2, {"settled": "red", "still_s": WITHDRAW_S}, "free"),
    ("doubts withdraw nothing", [UNCLEAR] * 9, {"settled": "red", "still_s": 2.0}, "read on"),
    ("but are asked about", [UNCLEAR] * 9, {"settled": "red", "still_s": ASK_S}, "asked"),
    (
        "one space fell into shadow",
        [UNCLEAR] * DOUBTFUL,
        {"settled": "red", "changed_parts": 1},
        "red",
    ),
    (
        "one space is plainly free",
        [FREE] * 3,
        {"settled": "red", "changed_parts": 1, "still_s": ASK_PARTLY_S},
        "asked",
    ),
    ("one space hardly speaks for it", [ONE_FAINT_SPACE] * 2, {"still_s": ASK_S}, "read on"),
    ("but in more readings", [ONE_FAINT_SPACE] * UNLIKELY, {}, "red"),
    ("what was there needs one look", [RED], {"settled": "red", "still_s": 0.1}, "red"),
    ("as does nothing", [FREE], {"changed_parts": 1, "still_s": 0.1}, "free"),
    ("pushed a little", [doubted(RED)] * 2, {"settled": "red", "changed_parts": 1}, "red"),
    ("even odds", [ADDS_UP] * (DOUBTFUL - 1), {}, "read on"),
    ("add up", [ADDS_UP] * DOUBTFUL, {}, "red"),
    ("beside another route", [RED, RED], {"is_alone": False}, "read on"),
    ("more readings beside it", [RED] * UNLIKELY, {"is_alone": False}, "red"),
    ("a shadow beside it", [doubted(RED)] * 2, {"is_alone": False}, "free"),
    ("nobody knows whose", [SOMEBODYS] * 9, {}, "read on"),
    ("somebody does", [SOMEBODYS] * 9, {"still_s": ASK_S}, "asked"),
    ("on a print like theirs", [WHITE_ON_GREY] * DOUBTFUL, {}, "white"),
    ("too few on it", [WHITE_ON_GREY] * (DOUBTFUL - 1), {}, "read on"),
    ("no shape of trains", [replace(WHITE_ON_GREY, shape=1.0)] * 9, {"still_s": 60.0}, "asked"),
    ("or another", [replace(WHITE_ON_GREY, nearest_lead=0.3)] * 9, {"still_s": 60.0}, "asked"),
    ("not measured", [replace(WHITE_ON_GREY, nearest=None)] * 9, {"still_s": 60.0}, "asked"),
    ("part of it", [WHITE_ON_GREY] * 9, {"changed_parts": 2, "still_s": 60.0}, "asked"),
    ("the light changes", [WHITE_ON_GREY] * 2, {"settled": "white", "still_s": 60.0}, "white"),
    ("in glare, shape and colour", [in_glare(OVERRULING)] * DOUBTFUL, {}, "red"),
    ("shape alone", [in_glare(1.0)] * 9, {"still_s": ASK_WHOLE_S - 0.1}, "read on"),
    ("shape alone for long", [in_glare(1.0)] * 9, {"still_s": ASK_WHOLE_S}, "asked"),
    ("on a part", [in_glare(1.0)] * 9, {"changed_parts": 2, "still_s": 60.0}, "read on"),
    ("over trains", [in_glare(1.0)] * 9, {"settled": "red", "still_s": 60.0}, "read on"),
    ("changed all over", [replace(partly(2), shape=2.0)] * 9, {"still_s": 7.9}, "read on"),
    ("is not half laid", [replace(partly(2), shape=2.0)] * 9, {"still_s": 8.0}, "asked"),
    ("hands pass over a doubt", [FAINT] * 2, {"unsure_s": ASK_S}, "asked"),
    ("all over", [BARELY_FREE] * 9, {"still_s": ASK_S - 0.1, **ALL_OVER}, "read on"),
    ("is not silently free", [BARELY_FREE] * 9, {"still_s": ASK_S, **ALL_OVER}, "asked"),
    ("its shape says so, too", [BARELY_FREE] * 9, {"still_s": ASK_S}, "asked"),
    ("unless trains are beside it", [BARELY_FREE] * 9, {"is_alone": False, **ALL_OVER}, "free"),
    ("or it is bare", [replace(BARELY_FREE, shape=-2.0)] * 9, ALL_OVER, "free"),
    ("or hardly changed", [replace(BARELY_FREE, shape=-0.5)] * 9, {}, "free"),
    ("no piece came or went", [], {"changed_parts": 0, "still_s": 0.1}, "wait"),
    ("whatever is read", [BLUE] * 3, {"settled": "red", "changed_parts": 0}, "red"),
    ("doubts that do not add up", [FAINT] * 20, {"still_s": ASK_S - 0.1}, "read on"),
    ("become a question", [FAINT] * 20, {"still_s": ASK_S}, "asked"),
    ("may be full", [doubted(FREE, odds=(-0.5, -3.0), shape=3.0)] * 3, {"still_s": 4.0}, "asked"),
    ("a shadow fell on it", [doubted(FREE, odds=(-0.5, -3.0), shape=-3.0)] * 2, {}, "free"),
    ("not their turn", [RED] * 2, BLUES_TURN, "read on"),
    ("takes more readings", [RED] * UNLIKELY, BLUES_TURN, "red"),
    ("their turn", [BLUE] * 2, BLUES_TURN, "blue"),
    ("too few trains are left", [RED] * 9, TWO_LEFT, "read on"),
    ("and somebody is asked", [RED] * 9, {**TWO_LEFT, "still_s": ASK_S}, "asked"),
    ("trains that are nobody's", [STRANGE] * 9, {"still_s": ASK_PARTLY_S - 0.1}, "read on"),
    ("whose it is not said", [STRANGE] * 9, {"still_s": ASK_PARTLY_S}, "free"),
    ("or nobody's in this light", [STRANGE] * 9, {"settled": "red", "still_s": 60.0}, "red"),
    ("until other light tells", [STRANGE, BLUE, BLUE], {}, "blue"),
    ("just enough", [RED] * 2, {"expectation": Expectation(stock={"red": 3})}, "red"),
]


@pytest.mark.parametrize(
    ("seen", "beside", "follows"), [pytest.param(*row[1:], id=row[0]) for row in VERDICTS]
)
def test_what_follows_from_readings(seen: Readings, beside: dict[str, Any], follows: str) -> None:
    assert in_a_word(verdict(seen, **beside)) == follows


def test_two_plain_readings_are_nearly_certain() -> None:
    claimed = verdict([RED, RED])
    assert isinstance(claimed, Belief)
    assert claimed.sure > 0.99


ALIKE = doubted(SpotReading("red", (1.0, 1.0), 3, 3, shape=3.5, nearest="blue", nearest_lead=0.4))


@pytest.mark.parametrize(
    ("seen", "beside", "said", "others", "why"),
    [
        (partly(2), {"changed_parts": 2}, None, "blue", "only 2 of 3 spaces look covered"),
        (RED, {"changed_parts": 2}, "red", None, "only 2 of 3 spaces were seen to change"),
        (RED, TWO_LEFT, "red", None, "red has no more trains"),
        (FAINT, {}, "red", "blue", "it is not clear"),
        (ALIKE, {}, "blue", "red", "whose trains they are is hard to see"),
        (replace(ALIKE, odds=(2.0, 1.0)), {}, "red", "blue", "it is not clear"),
    ],
)
def test_what_people_are_asked(
    seen: SpotReading, beside: dict[str, Any], said: str | None, others: str | None, why: str
) -> None:
    asked = verdict([seen] * 9, still_s=ASK_PARTLY_S, **beside)
    assert isinstance(asked, Doubt)
    assert (asked.said, asked.alternatives) == (said, (others,))
    assert asked.why == why


@pytest.mark.parametrize(
    ("seen", "beside", "follows"),
    [
        pytest.param([PLAIN] * UNLIKELY, {}, "red", id="plain readings are claimed"),
        pytest.param([PLAIN] * (UNLIKELY - 1), {}, "read on", id="too few"),
        pytest.param([PLAIN] * UNLIKELY, {"still_s": WITHDRAW_S - 0.1}, "read on", id="too soon"),
        pytest.param(
            [PLAIN] * 9,
            {"still_s": 60.0, "proof": Proof.READ},
            "read on",
            id="what never bore out what is believed says nothing",
        ),
        *(
            pytest.param([seen] * 9, {"settled": was, "still_s": still_s}, follows, id=name)
            for name, seen, was in [
                ("a doubt", doubted(PLAIN), None),
                ("gone", FREE, "red"),
                ("another colour", BLUE, "red"),
            ]
            for still_s, follows in [(3.0, "read on"), (ASK_WHOLE_S, "asked")]
        ),
    ],
)
def test_what_follows_without_a_change_in_sight(
    seen: Readings, beside: dict[str, Any], follows: str
) -> None:
    proof = beside.pop("proof", Proof.TOUCHED)
    state, now = known(seen, **{"still_s": 3.0, **beside})
    state = replace(state, phase=Phase.DISPUTED, proof=proof)
    assert in_a_word(judge_unchanged(state, now, NOTHING_EXPECTED)) == follows


def test_what_is_left_at_the_end_is_a_question() -> None:
    state, now = known([BLUE] * 2, settled="red", is_last=True)
    left = judge_unchanged(state, now, NOTHING_EXPECTED)
    assert isinstance(left, Doubt)
    assert (left.said, left.alternatives) == ("blue", ("red",))
    assert (
        judge_unchanged(*known([BLUE], settled="red", is_last=True), NOTHING_EXPECTED)
        == Undecided()
    )


KINDS = [RED, BLUE, FREE, partly(1), partly(2), doubted(RED), doubted(FREE)]
KINDS += [replace(kind, visible=0.1) for kind in (RED, FREE)]


@given(
    st.lists(st.sampled_from(KINDS), max_size=12),
    st.sampled_from([None, "red", "blue"]),
    st.floats(0.0, 60.0),
    st.integers(0, 3),
)
def test_no_change_without_stillness_and_two_looks_that_agree_and_no_question_at_once(
    seen: list[SpotReading], settled: str | None, still_s: float, changed_parts: int
) -> None:
    follows = verdict(seen, settled=settled, still_s=still_s, changed_parts=changed_parts)
    if isinstance(follows, Doubt):
        assert still_s >= ASK_S
    if isinstance(follows, Belief) and follows.colour != settled:
        assert still_s >= (STILL_S if settled is None else WITHDRAW_S) - 1e-6
        counting = [look.answer for look in seen if look.visible >= VISIBLE]
        assert counting[-2:] == [follows.colour] * 2
        assert changed_parts == RED.parts
