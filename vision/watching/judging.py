"""Judging one spot: what follows from what readings said of it since it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from railspotter.scoring.sentence import NOTHING, Sentence, together
from railspotter.scoring.spot import Spot

from ..readings import Colour, Doubt
from .belief import (
    Belief,
    BeliefSettings,
    Decision,
    Expectation,
    OpenQuestion,
    Situation,
    SpotReading,
    Undecided,
    summed,
)

ALIKE = 0.5  # log-odds by which a colour leads that is no likelier than others


def judge(
    spot: Spot,
    now: Situation,
    seen: Sequence[SpotReading],
    expectation: Expectation,
    still_s: float,
    settings: BeliefSettings | None = None,
) -> Decision:
    """Return what follows from what was seen of a spot that changed and has held still since.

    Examples
    --------
    >>> seen = SpotReading("red", (4.0, -3.0), parts=2, covered=2)
    >>> spot = "route", "a--b"
    >>> judge(spot, Situation(None, 0.8, 2), [seen], Expectation(), still_s=0.7)
    Undecided(for_reading=True)
    >>> judge(spot, Situation(None, 0.8, 2), [seen, seen], Expectation(), still_s=0.7).colour
    'red'
    """
    s = settings or BeliefSettings()
    if now.changed_parts == 0:
        # A shadow fell on it, or a train was pushed a little: no piece came or went.
        as_before = Belief(now.settled, _probability(0.0))
        return as_before if now.still_s >= still_s - 1e-9 else Undecided(for_reading=False)
    counting = [_if_standing(look, now, s) for look in seen if _is_in_sight(look, s)]
    if not counting:
        return _ask_hidden(now, seen, s)
    last = counting[-1]
    agreeing = _agreeing(counting)
    if last.doubt is not None and not now.is_alone and now.settled is None:
        return Belief(None, _probability(0.0)) if len(agreeing) >= s.agreeing else Undecided()
    if last.answer == now.settled:
        return _as_before(spot, now, agreeing, s)
    if last.answer is None:
        return _gone(spot, now, agreeing, s)
    return _appeared(spot, now, agreeing, expectation, still_s, s)


def judge_unseen(
    spot: Spot,
    now: Situation,
    seen: Sequence[SpotReading],
    expectation: Expectation,
    settings: BeliefSettings | None = None,
) -> Decision:
    """Return what follows where readings contradict what is believed, without a change in sight."""
    s = settings or BeliefSettings()
    agreeing = _agreeing(seen)
    last = agreeing[-1]
    if len(agreeing) < s.agreeing_unlikely or now.still_s < s.withdraw_s or not now.is_alone:
        return Undecided()
    is_whole = last.covered == last.parts and last.shape >= s.something
    is_plain = all(look.doubt is None for look in agreeing)
    colour = last.answer
    if now.settled is None and colour is not None and is_whole and is_plain:
        if not (expectation.allows(colour, last.parts) and expectation.expects(colour)):
            return Undecided()
        return Belief(colour, _probability(summed(agreeing, s.most)))
    if now.still_s < s.ask_whole_s:
        return Undecided()
    return OpenQuestion(_doubt_of(spot, now, last, Sentence("it was not seen to change")))


def left_in_doubt(spot: Spot, settled: Colour | None, seen: Sequence[SpotReading]) -> Doubt:
    """Return what is to be asked when nothing more will come: the game is over."""
    now = Situation(settled, 0.0, 0)
    return _doubt_of(spot, now, seen[-1], Sentence("the saved game says otherwise"))


def hidden_in_the_end(spot: Spot, settled: Colour | None, colours: Sequence[Colour]) -> Doubt:
    """Return what is to be asked of a spot that changed and has been hidden since."""
    others = tuple(colour for colour in (None, *colours) if colour != settled)
    return Doubt(spot, settled, others, Sentence("something lies over it"))


def station_or_train(spot: Spot, colour: Colour, settled: Colour | None) -> Doubt:
    """Return what is to be asked where the last train of a route looks like a station."""
    why = Sentence("it is not clear whether a station stands there")
    return Doubt(spot, colour, (settled,), why)


def _doubt_of(spot: Spot, now: Situation, last: SpotReading, why: Sentence) -> Doubt:
    doubt = last.doubt or Doubt(spot, last.answer, (now.settled,), why)
    if last.nearest in (None, doubt.said) or doubt.said is None or last.lead >= ALIKE:
        return doubt
    # All colours alike: the print hides whose they are. What is on top there says it best.
    others = (doubt.said, *(one for one in doubt.alternatives if one != last.nearest))
    why = Sentence("whose trains they are is hard to see")
    return replace(doubt, said=last.nearest, alternatives=others, why=why)


def _is_in_sight(look: SpotReading, s: BeliefSettings) -> bool:
    """Tell whether a reading counts: in glare only one that knows shape and colour all the same."""
    is_agreed = look.answer is not None and look.answer == look.nearest
    is_clear = look.lead >= s.lead and look.nearest_lead >= s.nearest_lead_hidden
    return look.visible >= s.visible or (is_agreed and is_clear and look.shape >= s.something)


def _if_standing(look: SpotReading, now: Situation, s: BeliefSettings) -> SpotReading:
    """Return a reading that cannot tell trains from the print, knowing that some must stand there.

    All of a free route changed, or trains stood there before, and its shape is that of trains.
    Whose they are, their own colour tells, be it the print's: white taxis lie on grey spaces.
    """
    if look.doubt is None or look.shape < s.something or look.lead >= s.lead:
        return look
    if now.settled is not None:
        is_known = look.nearest == now.settled
    else:
        is_known = now.changed_parts >= look.parts and look.nearest_lead >= s.nearest_lead
    if look.nearest is None or not is_known:
        return look
    return replace(look, answer=look.nearest, odds=(look.shape,), covered=look.parts)


def _ask_hidden(now: Situation, seen: Sequence[SpotReading], s: BeliefSettings) -> Decision:
    """Return what follows where all that is known is that something must stand there."""
    if len(seen) < s.agreeing or now.settled is not None:
        return Undecided()
    last = seen[-1]
    is_there = now.changed_parts >= last.parts and last.shape >= s.something
    if last.doubt is None or not is_there or now.doubted_s < s.ask_whole_s:
        return Undecided()
    return OpenQuestion(last.doubt)


def _appeared(
    spot: Spot,
    now: Situation,
    agreeing: Sequence[SpotReading],
    expectation: Expectation,
    still_s: float,
    s: BeliefSettings,
) -> Decision:
    """Return what follows where readings see pieces of a colour that was not there before."""
    last = agreeing[-1]
    colour = last.answer or ""
    sure = summed(agreeing, s.most)
    is_usual = now.is_alone and expectation.expects(colour) and last.covered == last.parts
    needed = s.agreeing if is_usual else s.agreeing_unlikely
    impossible = NOTHING
    if not expectation.allows(colour, last.parts):
        impossible = Sentence("{colour} has no more trains", colour=colour)
    if now.changed_parts < last.parts:
        impossible = Sentence(
            "only {changed} of {all} spaces were seen to change",
            changed=now.changed_parts,
            all=last.parts,
        )
    must_be_there = now.settled is None and not now.may_be_beside
    enough = s.sure_free if must_be_there else s.sure
    is_whole = last.covered == last.parts or last.shape >= s.something
    is_added_up = (
        len(agreeing) >= s.agreeing_doubtful
        and (sure >= enough and is_whole)
        and all(look.lead >= s.lead for look in agreeing)
    )
    if impossible or not (is_added_up or _is_plain(agreeing, needed)):
        return _ask_late(spot, now, agreeing, impossible, s)
    if now.still_s < (still_s if now.settled is None else s.withdraw_s) - 1e-9:
        return Undecided(for_reading=False)
    return Belief(colour, _probability(sure))


def _gone(
    spot: Spot, now: Situation, agreeing: Sequence[SpotReading], s: BeliefSettings
) -> Decision:
    """Return what follows where readings see nothing of what was there before.

    Doubts never add up to that: trains do not vanish by themselves.
    """
    last = agreeing[-1]
    if now.changed_parts < last.parts:
        if last.doubt is not None and len(agreeing) >= s.agreeing_doubtful:
            return Belief(now.settled, _probability(0.0))
        return _ask_late(spot, now, agreeing, Sentence("not all of it was seen to change"), s)
    if not _is_plain(agreeing, s.agreeing):
        return _ask_late(spot, now, agreeing, NOTHING, s)
    if now.still_s < s.withdraw_s - 1e-9:
        return Undecided(for_reading=False)
    return Belief(None, _probability(summed(agreeing, s.most)))


def _is_plain(agreeing: Sequence[SpotReading], needed: int) -> bool:
    """Tell whether so many readings say the same without a doubt, the last one among them."""
    return agreeing[-1].doubt is None and sum(look.doubt is None for look in agreeing) >= needed


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))


def _agreeing(seen: Sequence[SpotReading]) -> list[SpotReading]:
    """Return the last readings that say the same."""
    agreeing: list[SpotReading] = []
    for look in reversed(seen):
        if look.answer != seen[-1].answer:
            break
        agreeing.insert(0, look)
    return agreeing


def _as_before(
    spot: Spot, now: Situation, agreeing: Sequence[SpotReading], s: BeliefSettings
) -> Decision:
    """Return what follows where readings say what was believed before."""
    last = agreeing[-1]
    kept = Belief(now.settled, _probability(summed(agreeing, s.most)))
    if last.doubt is None:
        return kept
    if last.is_partly_laid and now.changed_parts:
        return _ask_late(spot, now, agreeing, NOTHING, s)
    seems_bare = last.covered == 0 and last.shape < s.perhaps
    if now.is_wholly_changed and now.is_alone and last.shape > -s.surely_bare:
        seems_bare = False
    if now.settled is not None or now.changed_parts < last.parts or seems_bare:
        # Pushed a little, or something beside it changed: nothing that anybody must answer.
        return kept if len(agreeing) >= s.agreeing else Undecided()
    return _ask_late(spot, now, agreeing, NOTHING, s)


def _ask_late(
    spot: Spot,
    now: Situation,
    agreeing: Sequence[SpotReading],
    impossible: Sentence,
    s: BeliefSettings,
) -> Decision:
    last = agreeing[-1]
    patience_s = s.ask_s
    if last.is_partly_laid or 0 < now.changed_parts < last.parts:
        looks_whole = last.doubt is None and last.covered == last.parts
        must_be_whole = now.changed_parts >= last.parts and last.shape >= s.something
        patience_s = s.ask_whole_s if looks_whole or must_be_whole else s.ask_partly_s
    has_reason = impossible or last.doubt is not None
    if now.doubted_s < patience_s or len(agreeing) < s.agreeing or not has_reason:
        return Undecided()
    doubt = _doubt_of(spot, now, last, impossible)
    if impossible and last.doubt is not None:
        doubt = replace(doubt, why=together((doubt.why, impossible)))
    return OpenQuestion(doubt)
