"""Decides about one spot from its readings since it changed."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from railspotter.scoring.sentence import NOTHING, Sentence, together

from ..reading.doubts import VISIBLE
from ..reading.odds import SURE
from ..readings import Colour, Doubt
from .settling import STILL_S
from .spot_state import (
    Belief,
    Decision,
    Expectation,
    Proof,
    Seen,
    SpotReading,
    SpotState,
    Undecided,
    summed_log_odds,
)

# Thresholds for beliefs; chosen on drawn games, see docs/watching.md.
AGREEING = 2  # readings in a row with the same answer, without a doubt, for a belief
AGREEING_UNLIKELY = 4  # the same for an answer that is possible but not expected
AGREEING_DOUBTFUL = 5  # readings in a row with the same, doubtful answer whose sum may be enough
OVERRULING = 3.0  # summed log-odds that overrule doubts
# The same for a free spot that changed all over, with no lane beside it that did: something must
# stand there. Also the log-odds by shape against it from which nothing does all the same.
OVERRULING_CHANGED = 1.0
# Log-odds by which a doubted colour must lead the next one: whether something stands there does not
# tell whose it is.
LEAD = 2.0
# Lead of the nearest colour from which it is known whose trains stand, where some must. In two
# drawn games of New York it was 1.1 and more, and the colour never wrong.
NEAREST_LEAD = 0.75
WITHDRAW_S = 2.0  # time for which a claim must be gone before it is withdrawn
ASK_S = 4.0  # age of a doubt from which people are asked
ASK_PARTLY_S = 20.0  # the same for a partly laid route: somebody may be laying the rest
# The same if readings see the whole route but not all of it was seen to change; or if all of it
# changed but readings see only a part, or hardly anything for glare.
ASK_WHOLE_S = 8.0
EVEN = 0.5  # probability of a belief that is kept without evidence


def judge(state: SpotState, now: Seen, likely: Expectation) -> Decision:
    """Return the decision about a spot that changed and has held still since.

    >>> seen = SpotReading("red", (4.0, -3.0), parts=2, covered=2)
    >>> spot, parts = ("route", "a--b"), frozenset({0, 1})
    >>> now = Seen(is_changed=True, is_disturbed=False, still_s=0.8, changed_parts=parts)
    >>> judge(SpotState(spot, readings=((0.2, seen),)), now, Expectation())
    Undecided(for_reading=True)
    >>> judge(SpotState(spot, readings=((0.2, seen), (0.6, seen))), now, Expectation()).colour
    'red'
    """
    if now.parts_changed == 0:
        # A shadow, or a train that was pushed a little: no piece came or went.
        is_still = now.still_s >= STILL_S - 1e-9
        return Belief(state.believed, EVEN) if is_still else Undecided(for_reading=False)
    counting = [_corrected(look, state, now) for look in state.seen if _is_usable(look)]
    if not counting:
        return _judge_hidden(state, now)
    last = counting[-1]
    if last.is_strange:  # people are asked whose they are; other light may tell, too
        waits = now.doubted_s < ASK_PARTLY_S
        return Undecided() if waits else Belief(state.believed, EVEN)
    agreeing = _agreeing(counting)
    if last.doubt is not None and state.is_explained and state.believed is None:
        return Belief(None, EVEN) if len(agreeing) >= AGREEING else Undecided()
    if last.answer == state.believed:
        return _judge_same(state, now, agreeing)
    if last.answer is None:
        return _judge_vanished(state, now, agreeing)
    return _judge_appeared(state, now, agreeing, likely)


def judge_unchanged(state: SpotState, now: Seen, likely: Expectation) -> Decision:
    """Return the decision about an unchanged spot whose readings contradict its belief."""
    agreeing = _agreeing(state.seen)
    last = agreeing[-1]
    is_plain = all(look.doubt is None for look in agreeing)
    is_touched = state.proof is Proof.TOUCHED and now.still_s >= WITHDRAW_S
    # The belief came from a torn picture or a shadow, and no reading has confirmed it.
    is_unproved = state.proof is Proof.NONE and state.believed is not None and is_plain
    if len(agreeing) >= AGREEING_UNLIKELY and (is_touched or is_unproved):
        colour = last.answer or ""
        if _is_seen_whole(state, now, agreeing):
            if likely.allows(colour, last.parts) and likely.expects(colour):
                return _belief(colour, summed_log_odds(agreeing))
        elif now.still_s >= ASK_WHOLE_S:
            return _doubt_of(state, last, Sentence("it was not seen to change"))
    if now.is_last and len(state.readings) >= AGREEING:
        return _doubt_of(state, last, Sentence("the saved game says otherwise"))
    return Undecided()


def _is_seen_whole(state: SpotState, now: Seen, agreeing: Sequence[SpotReading]) -> bool:
    """Tell whether readings plainly see a full spot that one saw free before a hand passed."""
    was_free = state.believed is None and state.proof is Proof.TOUCHED
    is_plain = now.still_s >= WITHDRAW_S and _is_plain(agreeing, AGREEING_UNLIKELY)
    last = agreeing[-1]
    return was_free and is_plain and last.covered == last.parts and last.shape >= SURE


def doubt_of_hidden(state: SpotState, colours: Sequence[Colour]) -> Doubt:
    """Return the doubt about a spot that changed and has been hidden since."""
    others = tuple(colour for colour in (None, *colours) if colour != state.believed)
    return Doubt(state.spot, state.believed, others, Sentence("something lies over it"))


def doubt_station_or_train(state: SpotState, colour: Colour) -> Doubt:
    """Return the doubt whether the last train of a route is a station."""
    why = Sentence("it is not clear whether a station stands there")
    return Doubt(state.spot, colour, (state.believed,), why)


def _doubt_of(state: SpotState, last: SpotReading, why: Sentence) -> Doubt:
    doubt = last.doubt or Doubt(state.spot, last.answer, (state.believed,), why)
    if last.nearest in (None, doubt.said) or doubt.said is None or last.lead >= NEAREST_LEAD:
        return doubt
    # The print makes all colours equally likely: the colour of the tops decides.
    others = (doubt.said, *(one for one in doubt.alternatives if one != last.nearest))
    why = Sentence("whose trains they are is hard to see")
    return replace(doubt, said=last.nearest, alternatives=others, why=why)


def _is_usable(look: SpotReading) -> bool:
    """Tell whether a reading is usable: visible, or in glare with sure shape and colour."""
    is_agreed = look.answer is not None and look.answer == look.nearest
    is_clear = look.lead >= LEAD and look.nearest_lead >= OVERRULING
    return look.visible >= VISIBLE or (is_agreed and is_clear and look.shape >= SURE)


def _corrected(look: SpotReading, state: SpotState, now: Seen) -> SpotReading:
    """Return a reading in doubt between trains and print, corrected if trains must stand there.

    They must if the shape is theirs, and all of a free route changed or trains stood there before.
    Their owner is the nearest colour, even the print's own: white taxis lie on grey spaces.
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


def _judge_hidden(state: SpotState, now: Seen) -> Decision:
    """Return the decision where no reading is usable but something must stand there."""
    if len(state.seen) < AGREEING or state.believed is not None:
        return Undecided()
    last = state.seen[-1]
    is_there = now.parts_changed >= last.parts and last.shape >= SURE
    if last.doubt is None or not is_there or now.doubted_s < ASK_WHOLE_S:
        return Undecided()
    return last.doubt


def _judge_appeared(
    state: SpotState,
    now: Seen,
    agreeing: Sequence[SpotReading],
    likely: Expectation,
) -> Decision:
    """Return the decision where readings see a colour that was not there before."""
    last = agreeing[-1]
    colour = last.answer or ""
    sure = summed_log_odds(agreeing)
    is_usual = not state.is_explained and likely.expects(colour) and last.covered == last.parts
    needed = AGREEING if is_usual else AGREEING_UNLIKELY
    impossible = NOTHING
    if not likely.allows(colour, last.parts):
        impossible = Sentence("{colour} has no more trains", colour=colour)
    if now.parts_changed < last.parts and not _is_seen_whole(state, now, agreeing):
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
        return _ask_if_lasting(state, now, agreeing, impossible)
    if now.still_s < (STILL_S if state.believed is None else WITHDRAW_S) - 1e-9:
        return Undecided(for_reading=False)
    return _belief(colour, sure)


def _judge_vanished(state: SpotState, now: Seen, agreeing: Sequence[SpotReading]) -> Decision:
    """Return the decision where readings do not see what was there before.

    Doubtful readings are never enough: trains do not vanish by themselves.
    """
    last = agreeing[-1]
    if now.parts_changed < last.parts:
        if last.doubt is not None and len(agreeing) >= AGREEING_DOUBTFUL:
            return Belief(state.believed, EVEN)
        return _ask_if_lasting(state, now, agreeing, Sentence("not all of it was seen to change"))
    if not _is_plain(agreeing, AGREEING):
        return _ask_if_lasting(state, now, agreeing, NOTHING)
    if now.still_s < WITHDRAW_S - 1e-9:
        return Undecided(for_reading=False)
    return _belief(None, summed_log_odds(agreeing))


def _is_plain(agreeing: Sequence[SpotReading], needed: int) -> bool:
    """Tell whether enough readings have no doubt, the last one among them."""
    return agreeing[-1].doubt is None and sum(look.doubt is None for look in agreeing) >= needed


def _belief(colour: Colour | None, log_odds: float) -> Belief:
    return Belief(colour, float(1 / (1 + np.exp(-log_odds))))


def _agreeing(seen: Sequence[SpotReading]) -> list[SpotReading]:
    """Return the last readings in a row with the same answer."""
    agreeing: list[SpotReading] = []
    for look in reversed(seen):
        if look.answer != seen[-1].answer:
            break
        agreeing.insert(0, look)
    return agreeing


def _judge_same(state: SpotState, now: Seen, agreeing: Sequence[SpotReading]) -> Decision:
    """Return the decision where readings agree with the belief."""
    last = agreeing[-1]
    kept = _belief(state.believed, summed_log_odds(agreeing))
    if last.doubt is None:
        return kept
    if last.is_partly_laid and now.parts_changed:
        return _ask_if_lasting(state, now, agreeing, NOTHING)
    # Real trains on a print of their own colour had 1.2 to 1.6 by shape, bare prints in a shadow -2
    # to -5.
    seems_bare = last.covered == 0 and last.shape < 0
    if now.is_wholly_changed and not state.is_explained and last.shape > -OVERRULING_CHANGED:
        seems_bare = False
    if state.believed is not None or now.parts_changed < last.parts or seems_bare:
        # Pushed a little, or something beside it changed: no question.
        return kept if len(agreeing) >= AGREEING else Undecided()
    return _ask_if_lasting(state, now, agreeing, NOTHING)


def _ask_if_lasting(
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
    return doubt
