"""What follows from readings of one spot, made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.belief import (
    Belief,
    BeliefSettings,
    Decision,
    Expectation,
    OpenQuestion,
    Situation,
    SpotReading,
    Undecided,
)
from railspotter.vision.watching.judging import judge, judge_unseen, left_in_doubt

SPOT = Spot("route", "a--b")
STILL_S = 0.7
S = BeliefSettings()
COLOURS = ("red", "blue")
RED = SpotReading("red", (5.0, -3.0), parts=3, covered=3)
BLUE = SpotReading("blue", (-3.0, 5.0), parts=3, covered=3)
FREE = SpotReading(None, (-4.0, -5.0), parts=3, covered=0)
NOTHING_EXPECTED = Expectation()


def doubted(seen: SpotReading, why: str = "it is not clear") -> SpotReading:
    return replace(seen, doubt=Doubt(SPOT, seen.answer, ("blue",), Sentence(why)))


def partly(covered: int) -> SpotReading:
    seen = SpotReading(None, (-1.0, -3.0), parts=3, covered=covered)
    return doubted(seen, f"only {covered} of 3 spaces look covered")


def verdict(
    *seen: SpotReading,
    was: str | None = None,
    still_s: float = 1.0,
    changed: int = 3,
    expectation: Expectation = NOTHING_EXPECTED,
) -> Decision:
    return judge(SPOT, Situation(was, still_s, changed), seen, expectation, STILL_S)


def test_nothing_follows_from_no_reading() -> None:
    assert verdict() == Undecided()


def test_one_reading_is_no_claim_and_two_are() -> None:
    assert verdict(RED) == Undecided()
    claimed = verdict(RED, RED)
    assert isinstance(claimed, Belief)
    assert claimed.colour == "red"
    assert claimed.sure > 0.99


def test_a_claim_needs_a_still_picture_and_no_further_reading() -> None:
    assert verdict(RED, RED, still_s=STILL_S - 0.1) == Undecided(for_reading=False)
    assert isinstance(verdict(RED, RED, still_s=STILL_S), Belief)


def test_readings_that_disagree_begin_anew() -> None:
    assert verdict(RED, BLUE) == Undecided()
    assert verdict(RED, RED, BLUE) == Undecided()
    claimed = verdict(RED, BLUE, BLUE)
    assert isinstance(claimed, Belief)
    assert claimed.colour == "blue"


def test_what_is_hidden_says_nothing() -> None:
    hidden = replace(RED, visible=S.visible / 2)
    assert verdict(hidden, hidden, hidden, still_s=100.0) == Undecided()
    assert verdict(replace(FREE, visible=0.0), was="red", still_s=100.0) == Undecided()


@pytest.mark.parametrize("covered", [1, 2])
def test_a_route_that_is_laid_train_by_train_waits(covered: int) -> None:
    assert verdict(*[partly(covered)] * 9, changed=covered, still_s=10.0) == Undecided()


def test_somebody_is_asked_about_a_route_that_stays_half_laid() -> None:
    asked = verdict(*[partly(2)] * 9, changed=2, still_s=S.ask_partly_s)
    assert isinstance(asked, OpenQuestion)
    assert asked.doubt.why == "only 2 of 3 spaces look covered"


def test_spaces_that_were_not_seen_to_change_make_no_claim() -> None:
    assert verdict(RED, RED, RED, changed=2) == Undecided()
    assert verdict(*[RED] * 9, changed=2, still_s=S.ask_s) == Undecided()
    asked = verdict(*[RED] * 9, changed=2, still_s=S.ask_whole_s)
    assert isinstance(asked, OpenQuestion)
    assert asked.doubt.said == "red"
    assert "2 of 3 spaces were seen to change" in asked.doubt.why


def test_a_claim_that_is_not_seen_is_withdrawn_after_a_longer_hold() -> None:
    assert verdict(FREE, FREE, was="red", still_s=STILL_S) == Undecided(for_reading=False)
    withdrawn = verdict(FREE, FREE, was="red", still_s=S.withdraw_s)
    assert isinstance(withdrawn, Belief)
    assert withdrawn.colour is None


def test_doubts_never_add_up_to_a_withdrawal() -> None:
    unclear = doubted(FREE, "nothing shows of its print")
    assert verdict(*[unclear] * 9, was="red", still_s=S.withdraw_s) == Undecided()
    assert isinstance(verdict(*[unclear] * 9, was="red", still_s=S.ask_s), OpenQuestion)


def test_a_claim_of_which_one_space_fell_into_shadow_is_kept() -> None:
    unclear = doubted(FREE, "nothing shows of its print")
    kept = verdict(*[unclear] * S.agreeing_doubtful, was="red", changed=1)
    assert isinstance(kept, Belief)
    assert kept.colour == "red"
    asked = verdict(*[FREE] * 3, was="red", changed=1, still_s=S.ask_partly_s)
    assert isinstance(asked, OpenQuestion)


def test_a_space_that_hardly_speaks_for_its_route_takes_more_readings() -> None:
    faint = replace(RED, covered=2)
    assert verdict(faint, faint) == Undecided()
    assert verdict(faint, faint, still_s=S.ask_s) == Undecided()
    assert isinstance(verdict(*[faint] * S.agreeing_unlikely), Belief)


def test_one_plain_look_is_enough_for_what_was_there_before() -> None:
    kept = verdict(RED, was="red", still_s=0.1)
    assert isinstance(kept, Belief)
    assert kept.colour == "red"
    assert isinstance(verdict(FREE, was=None, still_s=0.1, changed=1), Belief)


def test_nobody_is_asked_about_a_train_that_was_pushed_a_little() -> None:
    kept = verdict(doubted(RED), doubted(RED), was="red", changed=1)
    assert isinstance(kept, Belief)
    assert kept.colour == "red"


def test_doubts_about_even_odds_add_up_to_certainty() -> None:
    faint = doubted(replace(RED, odds=(1.2, -3.0)))
    many = [faint] * S.agreeing_doubtful
    assert verdict(*many[1:]) == Undecided()
    claimed = verdict(*many)
    assert isinstance(claimed, Belief)
    assert claimed.colour == "red"


def test_what_appears_beside_another_route_takes_more() -> None:
    def beside(*seen: SpotReading) -> Decision:
        now = Situation(None, 1.0, 3, is_alone=False)
        return judge(SPOT, now, seen, NOTHING_EXPECTED, STILL_S)

    assert beside(RED, RED) == Undecided()
    assert isinstance(beside(*[RED] * S.agreeing_unlikely), Belief)
    shadow = beside(doubted(RED), doubted(RED))
    assert isinstance(shadow, Belief)
    assert shadow.colour is None


def test_that_something_stands_there_does_not_say_whose_it_is() -> None:
    somebodys = doubted(replace(RED, odds=(1.2, 1.2), shape=3.0))
    assert verdict(*[somebodys] * 9) == Undecided()
    assert isinstance(verdict(*[somebodys] * 9, still_s=S.ask_s), OpenQuestion)


# Something stands there, and of all colours it is white, as the print is.
WHITE_ON_GREY = doubted(
    SpotReading(
        "blue", (0.2, 0.2), parts=3, covered=1, shape=2.0, nearest="white", nearest_lead=1.2
    )
)


def test_whose_trains_stand_on_a_print_like_theirs_their_own_colour_tells() -> None:
    claimed = verdict(*[WHITE_ON_GREY] * S.agreeing_doubtful)
    assert isinstance(claimed, Belief)
    assert claimed.colour == "white"
    assert verdict(*[WHITE_ON_GREY] * (S.agreeing_doubtful - 1)) == Undecided()


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(replace(WHITE_ON_GREY, shape=1.0), id="nothing has the shape of trains"),
        pytest.param(replace(WHITE_ON_GREY, nearest_lead=0.3), id="it may be another colour"),
        pytest.param(replace(WHITE_ON_GREY, nearest=None), id="nobody measured it"),
    ],
)
def test_without_their_shape_and_their_colour_nothing_is_claimed(seen: SpotReading) -> None:
    assert not isinstance(verdict(*[seen] * 9, still_s=60.0), Belief)


def test_where_not_all_of_a_route_changed_its_colour_makes_no_claim() -> None:
    assert not isinstance(verdict(*[WHITE_ON_GREY] * 9, changed=2, still_s=60.0), Belief)


def test_trains_on_a_print_like_theirs_are_kept_when_the_light_changes() -> None:
    kept = verdict(WHITE_ON_GREY, WHITE_ON_GREY, was="white", still_s=60.0)
    assert isinstance(kept, Belief)
    assert kept.colour == "white"


def in_glare(seen: SpotReading, lead: float) -> SpotReading:
    why = "something lies over it, or the light is too bright there"
    return replace(doubted(seen, why), visible=0.1, shape=3.0, nearest="red", nearest_lead=lead)


def test_in_glare_shape_and_colour_together_make_a_claim() -> None:
    claimed = verdict(*[in_glare(RED, S.nearest_lead_hidden)] * S.agreeing_doubtful)
    assert isinstance(claimed, Belief)
    assert claimed.colour == "red"


def test_what_glare_hides_is_asked_about() -> None:
    hidden = [in_glare(RED, 1.0)] * 9
    assert verdict(*hidden, still_s=S.ask_whole_s - 0.1) == Undecided()
    assert isinstance(verdict(*hidden, still_s=S.ask_whole_s), OpenQuestion)
    assert verdict(*hidden, still_s=60.0, changed=2) == Undecided()
    assert verdict(*hidden, still_s=60.0, was="red") == Undecided()


def test_a_route_that_changed_all_over_is_not_taken_for_half_laid() -> None:
    unclear = [replace(partly(2), shape=2.0)] * 9
    assert verdict(*unclear, still_s=S.ask_whole_s - 0.1) == Undecided()
    assert isinstance(verdict(*unclear, still_s=S.ask_whole_s), OpenQuestion)


def test_hands_that_pass_over_a_doubt_do_not_put_off_its_question() -> None:
    faint = doubted(replace(RED, odds=(0.4, -3.0)))
    now = Situation(None, 1.0, 3, unsure_s=S.ask_s)
    assert isinstance(judge(SPOT, now, [faint, faint], NOTHING_EXPECTED, STILL_S), OpenQuestion)


def test_what_changed_all_over_is_not_silently_free() -> None:
    unclear = doubted(replace(FREE, odds=(-1.3, -1.4), shape=1.4))

    def all_over(seen: SpotReading, still_s: float, *, is_alone: bool = True) -> Decision:
        now = Situation(None, still_s, 3, is_alone=is_alone, is_wholly_changed=True)
        return judge(SPOT, now, [seen] * 9, NOTHING_EXPECTED, STILL_S)

    assert all_over(unclear, S.ask_s - 0.1) == Undecided()
    assert isinstance(all_over(unclear, S.ask_s), OpenQuestion)
    assert isinstance(
        verdict(*[unclear] * 9, still_s=S.ask_s), OpenQuestion
    )  # its shape says so, too
    for settled in (
        all_over(unclear, S.ask_s, is_alone=False),
        all_over(replace(unclear, shape=-2.0), S.ask_s),
        verdict(*[replace(unclear, shape=-0.5)] * 9),
    ):
        assert isinstance(settled, Belief)
        assert settled.colour is None


def unseen(
    *seen: SpotReading, was: str | None = None, still_s: float = 3.0, was_borne_out: bool = True
) -> Decision:
    now = Situation(was, still_s, 0, is_alone=was_borne_out)
    return judge_unseen(SPOT, now, seen, NOTHING_EXPECTED)


PLAIN = replace(RED, shape=S.something)


def test_what_readings_say_plainly_since_a_hand_came_is_claimed_without_a_change() -> None:
    claimed = unseen(*[PLAIN] * S.agreeing_unlikely)
    assert isinstance(claimed, Belief)
    assert claimed.colour == "red"
    assert unseen(*[PLAIN] * (S.agreeing_unlikely - 1)) == Undecided()
    assert unseen(*[PLAIN] * S.agreeing_unlikely, still_s=S.withdraw_s - 0.1) == Undecided()


def test_readings_that_never_bore_out_what_is_believed_say_nothing() -> None:
    assert unseen(*[PLAIN] * 9, still_s=60.0, was_borne_out=False) == Undecided()


def test_without_a_change_in_sight_doubts_are_asked_about_and_nothing_is_withdrawn() -> None:
    for seen, was in ((doubted(PLAIN), None), (FREE, "red"), (BLUE, "red")):
        assert unseen(*[seen] * 9, was=was) == Undecided()
        assert isinstance(unseen(*[seen] * 9, was=was, still_s=S.ask_whole_s), OpenQuestion)


def test_what_is_left_at_the_end_is_a_question() -> None:
    left = left_in_doubt(SPOT, "red", [BLUE])
    assert (left.said, left.alternatives) == ("blue", ("red",))


def test_where_no_piece_came_or_went_nothing_is_read_and_nothing_changes() -> None:
    assert verdict(changed=0, still_s=0.1) == Undecided(for_reading=False)
    kept = verdict(BLUE, BLUE, BLUE, was="red", changed=0)
    assert isinstance(kept, Belief)
    assert kept.colour == "red"


def test_doubts_that_do_not_add_up_become_one_question() -> None:
    faint = doubted(replace(RED, odds=(0.4, -3.0)))
    assert verdict(*[faint] * 20, still_s=S.ask_s - 0.1) == Undecided()
    asked = verdict(*[faint] * 20, still_s=S.ask_s)
    assert isinstance(asked, OpenQuestion)
    assert asked.doubt == faint.doubt


def test_something_free_that_may_be_full_is_asked_about() -> None:
    unclear = doubted(replace(FREE, odds=(-0.5, -3.0), shape=3.0), "something stands there")
    asked = verdict(*[unclear] * 3, still_s=S.ask_s)
    assert isinstance(asked, OpenQuestion)


def test_nobody_is_asked_about_a_free_lane_that_only_a_shadow_fell_on() -> None:
    unclear = doubted(replace(FREE, odds=(-0.5, -3.0), shape=-3.0))
    assert isinstance(verdict(unclear, unclear), Belief)


def test_whose_turn_it_is_not_takes_more_readings() -> None:
    others_turn = Expectation(may_claim={"blue"})
    assert verdict(RED, RED, expectation=others_turn) == Undecided()
    claimed = verdict(*[RED] * S.agreeing_unlikely, expectation=others_turn)
    assert isinstance(claimed, Belief)
    assert isinstance(verdict(BLUE, BLUE, expectation=others_turn), Belief)


def test_who_has_too_few_trains_left_is_asked_about() -> None:
    short = Expectation(stock={"red": 2})
    assert verdict(*[RED] * 9, expectation=short) == Undecided()
    asked = verdict(*[RED] * 9, expectation=short, still_s=S.ask_s)
    assert isinstance(asked, OpenQuestion)
    assert asked.doubt.why == "red has no more trains"
    assert isinstance(verdict(RED, RED, expectation=Expectation(stock={"red": 3})), Belief)


def looks() -> st.SearchStrategy[list[SpotReading]]:
    kinds = [RED, BLUE, FREE, partly(1), partly(2), doubted(RED), doubted(FREE)]
    kinds += [replace(kind, visible=0.1) for kind in (RED, FREE)]
    return st.lists(st.sampled_from(kinds), max_size=12)


situations = st.builds(
    Situation,
    settled=st.sampled_from([None, *COLOURS]),
    still_s=st.floats(0.0, 60.0),
    changed_parts=st.integers(0, 3),
)


@given(looks(), situations)
def test_no_change_without_stillness_and_two_looks_that_agree(
    seen: list[SpotReading], now: Situation
) -> None:
    follows = judge(SPOT, now, seen, NOTHING_EXPECTED, STILL_S)
    if isinstance(follows, Belief) and follows.colour != now.settled:
        assert now.still_s >= (STILL_S if now.settled is None else S.withdraw_s) - 1e-6
        counting = [look.answer for look in seen if look.visible >= S.visible]
        assert counting[-2:] == [follows.colour] * 2
        assert now.changed_parts == RED.parts


@given(looks(), situations)
def test_nobody_is_asked_at_once(seen: list[SpotReading], now: Situation) -> None:
    if isinstance(judge(SPOT, now, seen, NOTHING_EXPECTED, STILL_S), OpenQuestion):
        assert now.still_s >= S.ask_s


def test_where_all_colours_are_alike_the_nearest_one_is_asked_about() -> None:
    alike = doubted(
        SpotReading("red", (1.0, 1.0), 3, 3, shape=3.5, nearest="blue", nearest_lead=0.4)
    )
    asked = verdict(*[alike] * 8, still_s=20.0)
    assert isinstance(asked, OpenQuestion)
    assert (asked.doubt.said, asked.doubt.alternatives) == ("blue", ("red",))
    plainer = replace(alike, odds=(2.0, 1.0))
    asked = verdict(*[plainer] * 8, still_s=20.0)
    assert isinstance(asked, OpenQuestion)
    assert asked.doubt.said == "red"
