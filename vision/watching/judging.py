"""Judging one spot: what follows from what readings said of it since it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from railspotter.scoring.sentence import NOTHING, Sentence, together

from ..reading.doubts import VISIBLE
from ..reading.odds import SURE
from ..readings import Colour, Doubt
from .belief import Belief, Decision, Expectation, OpenQuestion, SpotReading, Undecided, summed
from .settling import STILL_S
from .spot_state import Proof, Seen, SpotState

# How much it takes to believe something; chosen on drawn games, see docs/watching.md.
AGREEING = 2  # readings in a row that must say the same, without a doubt
AGREEING_UNLIKELY = 4  # the same, of what is possible but not expected
# Readings that say the same with a doubt each, from which their sum may do without one.
AGREEING_DOUBTFUL = 5
# Summed log-odds that overrule doubts about odds that are nearly even, and glare.
OVERRULING = 3.0
# The same on a spot that was free and is changed all over, and no lane beside it is: something must
# stand there. And by shape against it, from which nothing does all the same.
OVERRULING_CHANGED = 1.0
# Log-odds by which a doubted colour must lead the next one: that something stands there says
# nothing of whose it is.
LEAD = 2.0
# Lead of the nearest colour from which it is known whose trains stand, where some must. In two
# drawn games of New York it was 1.1 and more, and the colour never wrong.
NEAREST_LEAD = 0.75
WITHDRAW_S = 2.0  # how long a claim goes unseen before it is withdrawn
ASK_S = 4.0  # how long a doubt lasts before people are asked
# The same for a route that is laid in part, for somebody may be about to lay the rest.
ASK_PARTLY_S = 20.0
# The same where readings see it laid whole, though not all of it was seen to change; and where all
# of it changed, though readings see only a part, or hardly anything for glare.
ASK_WHOLE_S = 8.0
EVEN = 0.5  # how sure it is that all is as before where nothing says so


def judge(state: SpotState, now: Seen, likely: Expectation) -> Decision:
    """Return what follows from what was seen of a spot that changed and has held still since.

    Examples
    --------
    >>> seen = SpotReading("red", (4.0, -3.0), parts=2, covered=2)
    >>> spot, parts = ("route", "a--b"), frozenset({0, 1})
    >>> now = Seen(is_changed=True, is_disturbed=False, still_s=0.8, changed_parts=parts)
    >>> judge(SpotState(spot, readings=((0.2, seen),)), now, Expectation())
    Undecided(for_reading=True)
    >>> judge(SpotState(spot, readings=((0.2, seen), (0.6, seen))), now, Expectation()).colour
    'red'
    """
    if now.parts_changed == 0:
        # A shadow fell on it, or a train was pushed a little: no piece came or went.
        is_still = now.still_s >= STILL_S - 1e-9
        return Belief(state.believed, EVEN) if is_still else Undecided(for_reading=False)
    counting = [_if_standing(look, state, now) for look in state.seen if _is_in_sight(look)]
    if not counting:
        return _ask_hidden(state, now)
    last = counting[-1]
    agreeing = _agreeing(counting)
    if last.doubt is not None and state.is_explained and state.believed is None:
        return Belief(None, EVEN) if len(agreeing) >= AGREEING else Undecided()
    if last.answer == state.believed:
        return _as_before(state, now, agreeing)
    if last.answer is None:
        return _gone(state, now, agreeing)
    return _appeared(state, now, agreeing, likely)


def judge_unseen(state: SpotState, now: Seen, likely: Expectation) -> Decision:
    """Return what follows where readings contradict what is believed, without a change in sight."""
    agreeing = _agreeing(state.seen)
    last = agreeing[-1]
    is_plain = all(look.doubt is None for look in agreeing)
    is_touched = state.proof is Proof.TOUCHED and now.still_s >= WITHDRAW_S
    # A torn picture made a claim that no reading has borne out, or a shadow did.
    is_unproved = state.proof is Proof.NONE and state.believed is not None and is_plain
    if len(agreeing) >= AGREEING_UNLIKELY and (is_touched or is_unproved):
        is_whole = last.covered == last.parts and last.shape >= SURE
        colour = last.answer
        if state.believed is None and colour is not None and is_whole and is_plain:
            if likely.allows(colour, last.parts) and likely.expects(colour):
                return _belief(colour, summed(agreeing))
        elif now.still_s >= ASK_WHOLE_S:
            return OpenQuestion(_doubt_of(state, last, Sentence("it was not seen to change")))
    if now.is_last and len(state.readings) >= AGREEING:
        return OpenQuestion(_doubt_of(state, last, Sentence("the saved game says otherwise")))
    return Undecided()


def hidden_in_the_end(state: SpotState, colours: Sequence[Colour]) -> Doubt:
    """Return what is to be asked of a spot that changed and has been hidden since."""
    others = tuple(colour for colour in (None, *colours) if colour != state.believed)
    return Doubt(state.spot, state.believed, others, Sentence("something lies over it"))


def station_or_train(state: SpotState, colour: Colour) -> Doubt:
    """Return what is to be asked where the last train of a route looks like a station."""
    why = Sentence("it is not clear whether a station stands there")
    return Doubt(state.spot, colour, (state.believed,), why)


def _doubt_of(state: SpotState, last: SpotReading, why: Sentence) -> Doubt:
    doubt = last.doubt or Doubt(state.spot, last.answer, (state.believed,), why)
    if last.nearest in (None, doubt.said) or doubt.said is None or last.lead >= NEAREST_LEAD:
        return doubt
    # All colours alike: the print hides whose they are. What is on top there says it best.
    others = (doubt.said, *(one for one in doubt.alternatives if one != last.nearest))
    why = Sentence("whose trains they are is hard to see")
    return replace(doubt, said=last.nearest, alternatives=others, why=why)


def _is_in_sight(look: SpotReading) -> bool:
    """Tell whether a reading counts: in glare only one that knows shape and colour all the same."""
    is_agreed = look.answer is not None and look.answer == look.nearest
    is_clear = look.lead >= LEAD and look.nearest_lead >= OVERRULING
    return look.visible >= VISIBLE or (is_agreed and is_clear and look.shape >= SURE)


def _if_standing(look: SpotReading, state: SpotState, now: Seen) -> SpotReading:
    """Return a reading that cannot tell trains from the print, knowing that some must stand there.

    All of a free route changed, or trains stood there before, and its shape is that of trains.
    Whose they are, their own colour tells, be it the print's: white taxis lie on grey spaces.
    """
    if look.doubt is None or look.shape < SURE or look.lead >= LEAD:
        return look
    if state.believed is not None:
        is_known = look.nearest == state.believed
    else:
        is_known = now.parts_changed >= look.parts and look.nearest_lead >= NEAREST_LEAD
    if look.nearest is None or not is_known:
        return look
    return replace(look, answer=look.nearest, odds=(look.shape,), covered=look.parts)


def _ask_hidden(state: SpotState, now: Seen) -> Decision:
    """Return what follows where all that is known is that something must stand there."""
    if len(state.seen) < AGREEING or state.believed is not None:
        return Undecided()
    last = state.seen[-1]
    is_there = now.parts_changed >= last.parts and last.shape >= SURE
    if last.doubt is None or not is_there or now.doubted_s < ASK_WHOLE_S:
        return Undecided()
    return OpenQuestion(last.doubt)


def _appeared(
    state: SpotState,
    now: Seen,
    agreeing: Sequence[SpotReading],
    likely: Expectation,
) -> Decision:
    """Return what follows where readings see pieces of a colour that was not there before."""
    last = agreeing[-1]
    colour = last.answer or ""
    sure = summed(agreeing)
    is_usual = not state.is_explained and likely.expects(colour) and last.covered == last.parts
    needed = AGREEING if is_usual else AGREEING_UNLIKELY
    impossible = NOTHING
    if not likely.allows(colour, last.parts):
        impossible = Sentence("{colour} has no more trains", colour=colour)
    if now.parts_changed < last.parts:
        impossible = Sentence(
            "only {changed} of {all} spaces were seen to change",
            changed=now.parts_changed,
            all=last.parts,
        )
    must_be_there = state.believed is None and not now.may_be_beside
    enough = OVERRULING_CHANGED if must_be_there else OVERRULING
    is_whole = last.covered == last.parts or last.shape >= SURE
    is_added_up = (
        len(agreeing) >= AGREEING_DOUBTFUL
        and (sure >= enough and is_whole)
        and all(look.lead >= LEAD for look in agreeing)
    )
    if impossible or not (is_added_up or _is_plain(agreeing, needed)):
        return _ask_late(state, now, agreeing, impossible)
    if now.still_s < (STILL_S if state.believed is None else WITHDRAW_S) - 1e-9:
        return Undecided(for_reading=False)
    return _belief(colour, sure)


def _gone(state: SpotState, now: Seen, agreeing: Sequence[SpotReading]) -> Decision:
    """Return what follows where readings see nothing of what was there before.

    Doubts never add up to that: trains do not vanish by themselves.
    """
    last = agreeing[-1]
    if now.parts_changed < last.parts:
        if last.doubt is not None and len(agreeing) >= AGREEING_DOUBTFUL:
            return Belief(state.believed, EVEN)
        return _ask_late(state, now, agreeing, Sentence("not all of it was seen to change"))
    if not _is_plain(agreeing, AGREEING):
        return _ask_late(state, now, agreeing, NOTHING)
    if now.still_s < WITHDRAW_S - 1e-9:
        return Undecided(for_reading=False)
    return _belief(None, summed(agreeing))


def _is_plain(agreeing: Sequence[SpotReading], needed: int) -> bool:
    """Tell whether so many readings say the same without a doubt, the last one among them."""
    return agreeing[-1].doubt is None and sum(look.doubt is None for look in agreeing) >= needed


def _belief(colour: Colour | None, log_odds: float) -> Belief:
    return Belief(colour, float(1 / (1 + np.exp(-log_odds))))


def _agreeing(seen: Sequence[SpotReading]) -> list[SpotReading]:
    """Return the last readings that say the same."""
    agreeing: list[SpotReading] = []
    for look in reversed(seen):
        if look.answer != seen[-1].answer:
            break
        agreeing.insert(0, look)
    return agreeing


def _as_before(state: SpotState, now: Seen, agreeing: Sequence[SpotReading]) -> Decision:
    """Return what follows where readings say what was believed before."""
    last = agreeing[-1]
    kept = _belief(state.believed, summed(agreeing))
    if last.doubt is None:
        return kept
    if last.is_partly_laid and now.parts_changed:
        return _ask_late(state, now, agreeing, NOTHING)
    # Real trains on a print of their own colour had 1.2 to 1.6 by shape, bare prints in a shadow -2
    # to -5.
    seems_bare = last.covered == 0 and last.shape < 0
    if now.is_wholly_changed and not state.is_explained and last.shape > -OVERRULING_CHANGED:
        seems_bare = False
    if state.believed is not None or now.parts_changed < last.parts or seems_bare:
        # Pushed a little, or something beside it changed: nothing that anybody must answer.
        return kept if len(agreeing) >= AGREEING else Undecided()
    return _ask_late(state, now, agreeing, NOTHING)


def _ask_late(
    state: SpotState,
    now: Seen,
    agreeing: Sequence[SpotReading],
    impossible: Sentence,
) -> Decision:
    last = agreeing[-1]
    patience_s = ASK_S
    if last.is_partly_laid or 0 < now.parts_changed < last.parts:
        looks_whole = last.doubt is None and last.covered == last.parts
        must_be_whole = now.parts_changed >= last.parts and last.shape >= SURE
        patience_s = ASK_WHOLE_S if looks_whole or must_be_whole else ASK_PARTLY_S
    has_reason = impossible or last.doubt is not None
    if now.doubted_s < patience_s or len(agreeing) < AGREEING or not has_reason:
        return Undecided()
    doubt = _doubt_of(state, last, impossible)
    if impossible and last.doubt is not None:
        doubt = replace(doubt, why=together((doubt.why, impossible)))
    return OpenQuestion(doubt)
