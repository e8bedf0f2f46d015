"""How the state of a spot changes: one function, and the table of what can follow from what.

`step` makes every change of a state, from what a frame, a reading or a person says of the spot.
`TRANSITIONS` lists the changes of its phase, each with its reason.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..reading.doubts import VISIBLE
from ..reading.odds import SURE
from ..readings import Colour
from .belief import Belief, Decision, Expectation, OpenQuestion, SpotReading, Undecided
from .judging import OVERRULING_CHANGED, judge, judge_unseen, station_or_train
from .settling import READ_AFTER_S
from .spot_state import Phase, Proof, Seen, SpotState

MAY_BE = -1.5  # log-odds of some colour without which a train-like shape is nobody's trains
# What changes after so long a stillness was touched by nobody: light did it. And what changed so
# long before a claim did is none of its trains' shadows.
UNTOUCHED_S = 1.0


@dataclass(frozen=True, slots=True)
class Read:
    """What a reading says of a spot that held still by then."""

    at_s: float  # when its frame was taken
    seen: SpotReading
    has_rested: bool  # it had held still for so long that it may contradict what is believed
    is_last: bool = False  # the game is over: less contradicts


@dataclass(frozen=True, slots=True)
class Claimed:
    """Trains or a station appeared elsewhere."""

    explains: bool  # what changed here is the work of that claim
    ends_here: Colour | None = None  # whose trains these are, if they end at this place


@dataclass(frozen=True, slots=True)
class Said:
    """A person says what stands there."""

    colour: Colour | None
    changed_parts: frozenset[int] | None  # None while the board is not in sight


@dataclass(frozen=True, slots=True)
class Lost:
    """The board is not in sight, or was pushed: nobody knows what happened to it."""


Event = Seen | Read | Claimed | Said | Lost

TRANSITIONS: tuple[tuple[Phase, type[Event], Phase, str], ...] = (
    (Phase.KNOWN, Seen, Phase.CHANGING, "it looks different: a piece, or a shadow, came or went"),
    (Phase.KNOWN, Seen, Phase.DECIDED, "it looks different, but no piece came or went"),
    (Phase.KNOWN, Read, Phase.DISPUTED, "the reading contradicts what is believed"),
    (Phase.KNOWN, Said, Phase.SAID, "people know better"),
    (Phase.DISPUTED, Read, Phase.KNOWN, "the reading agrees, or says nothing plainly"),
    (Phase.DISPUTED, Seen, Phase.KNOWN, "readings suffice for a claim; or a hand is over it"),
    (Phase.DISPUTED, Seen, Phase.CHANGING, "it looks different now"),
    (Phase.DISPUTED, Seen, Phase.DECIDED, "it looks different, but no piece came or went"),
    (Phase.DISPUTED, Lost, Phase.KNOWN, "any piece may come or go meanwhile"),
    (Phase.DISPUTED, Said, Phase.SAID, "people know better"),
    (Phase.CHANGING, Seen, Phase.DECIDED, "readings suffice, or no piece came or went"),
    (Phase.CHANGING, Seen, Phase.KNOWN, "a hand is over it, or it looks settled again"),
    (Phase.CHANGING, Lost, Phase.KNOWN, "what was read is of a board that may be another by now"),
    (Phase.CHANGING, Said, Phase.SAID, "people know better"),
    (Phase.DECIDED, Seen, Phase.KNOWN, "it is settled as it looks; or a hand is over it"),
    (Phase.DECIDED, Seen, Phase.DISPUTED, "it is settled, and a reading contradicted meanwhile"),
    (Phase.DECIDED, Lost, Phase.KNOWN, "what it looked like then is no matter any more"),
    (Phase.DECIDED, Said, Phase.SAID, "people know better"),
    (Phase.SAID, Seen, Phase.DECIDED, "it holds still and looks different: as the person said"),
    (Phase.SAID, Seen, Phase.KNOWN, "it holds still and looks settled"),
)


def step(
    state: SpotState, event: Event, likely: Expectation | None = None
) -> tuple[SpotState, Decision]:
    """Return what is known of a spot after an event, and what follows for all others to know.

    That is a belief where pieces come, go or stay after all, and a question where people have to
    say. Nothing else changes a state.
    """
    match event:
        case Seen():
            return _see(state, event, likely or Expectation())
        case Read():
            return _read(state, event), Undecided()
        case Claimed(explains, ends_here):
            claimed = replace(
                state,
                changed_before=frozenset(),
                is_explained=state.is_explained or explains,
                came_with=ends_here if explains and ends_here else state.came_with,
            )
            return claimed, Undecided()
        case Said(colour, parts):
            return _believe(state, colour, Phase.SAID, parts, is_given=True), Undecided()
        case Lost():
            phase = Phase.SAID if state.phase is Phase.SAID else Phase.KNOWN
            return replace(_touched(state), phase=phase), Undecided()


def _touched(state: SpotState) -> SpotState:
    """Return a state after something moved over its spot: pieces may have come or gone."""
    proof = Proof.TOUCHED if state.proof is Proof.READ else state.proof
    return replace(state, proof=proof, readings=())


def _believe(
    state: SpotState,
    colour: Colour | None,
    phase: Phase,
    changed: frozenset[int] | None = None,
    *,
    is_given: bool = False,
) -> SpotState:
    """Return a state in which something is believed from now on, be it what was before."""
    proof, was_laid_singly = state.proof, state.was_laid_singly
    if is_given or colour != state.believed:
        proof, was_laid_singly = Proof.GIVEN if is_given else Proof.NONE, False
    changed_before: frozenset[int] = frozenset()
    if colour is None and state.believed is None and changed is not None:
        # What changed there may still be the first of its trains.
        changed_before = state.changed_before | changed
        was_laid_singly |= len(changed_before) == state.parts
    return replace(
        state,
        believed=colour,
        phase=phase,
        proof=proof,
        readings=(),
        is_explained=False,
        changed_before=changed_before,
        was_laid_singly=was_laid_singly,
    )


def _read(state: SpotState, read: Read) -> SpotState:
    seen, readings = read.seen, (*state.readings, (read.at_s, read.seen))
    if state.phase is Phase.CHANGING:
        return replace(state, readings=readings)
    if not read.has_rested or state.proof is Proof.GIVEN or seen.visible < VISIBLE:
        return state
    contradicts = _contradicts(state, seen, is_last=read.is_last)
    agrees = seen.doubt is None and seen.answer == state.believed
    phase = state.phase
    if phase is not Phase.DECIDED:
        phase = Phase.DISPUTED if contradicts else Phase.KNOWN
    return replace(
        state,
        phase=phase,
        proof=Proof.READ if agrees else state.proof,
        readings=readings if contradicts else (),
    )


def _contradicts(state: SpotState, seen: SpotReading, *, is_last: bool) -> bool:
    """Tell whether a reading contradicts what is believed of a spot that was not seen to change."""
    if seen.doubt is None:
        return seen.answer != state.believed
    least = 0.0 if is_last or state.was_laid_singly else SURE
    if state.proof is Proof.TOUCHED:  # it was read free before, and is in doubt since a hand came
        least = -OVERRULING_CHANGED
    return state.believed is None and seen.shape >= least and max(seen.odds) > MAY_BE


def _see(state: SpotState, seen: Seen, likely: Expectation) -> tuple[SpotState, Decision]:
    is_explained = not seen.is_asked if seen.is_relit else state.is_explained
    state = replace(
        _touched(state) if seen.is_disturbed else state,
        is_explained=is_explained and seen.in_sight,
        came_with=state.came_with if seen.is_changed else None,
    )
    if state.phase is Phase.SAID:
        if seen.still_s >= READ_AFTER_S - 1e-9:
            state = replace(state, phase=Phase.DECIDED if seen.in_sight else Phase.KNOWN)
        return state, Undecided()
    if not seen.in_sight:
        if state.phase is Phase.DISPUTED and not seen.is_disturbed:
            verdict = judge_unseen(state, seen, likely)
            if isinstance(verdict, Belief):
                state = _believe(state, verdict.colour, Phase.KNOWN)
            return state, verdict
        readings = () if state.phase is Phase.CHANGING else state.readings
        phase = Phase.DISPUTED if readings else Phase.KNOWN
        return replace(state, phase=phase, readings=readings), Undecided()
    if state.phase is Phase.DECIDED:
        return replace(state, readings=()), Undecided()
    if state.phase is not Phase.CHANGING:
        is_explained = state.is_explained or seen.still_s > UNTOUCHED_S
        state = replace(state, phase=Phase.CHANGING, readings=(), is_explained=is_explained)
    return _decide(state, seen, likely)


def _decide(state: SpotState, seen: Seen, likely: Expectation) -> tuple[SpotState, Decision]:
    """Return what follows for a spot that looks different and is in sight."""
    was = state.believed
    seen = replace(seen, changed_parts=seen.changed_parts | state.changed_before)
    verdict = judge(state, seen, likely)
    state = replace(state, wants_look=not isinstance(verdict, Undecided) or verdict.for_reading)
    if not isinstance(verdict, Belief):
        return state, verdict
    colour = verdict.colour
    if colour == was:
        if state.is_in_doubt and seen.is_asked:
            return state, Undecided()  # who was asked is to answer; a doubtful look more does not
    elif colour is not None:
        if seen.may_be_train:
            return state, Undecided()
        if _is_train(state, colour):
            taken = replace(state, taken_for_train=state.taken_for_train | {colour})
            kept = _believe(taken, was, Phase.DECIDED, seen.changed_parts, is_given=True)
            return kept, Undecided()
        if colour in state.taken_for_train:
            return state, OpenQuestion(station_or_train(state, colour))
    return _believe(state, colour, Phase.DECIDED, seen.changed_parts), verdict


def _is_train(state: SpotState, colour: Colour) -> bool:
    """Tell whether what looks like a station there is the last train of a route.

    It came with trains of its colour that end there, and a turn is a route or a station; or it
    looked like one before, and what changed now is explained.
    """
    looked_so = colour in state.taken_for_train and state.is_explained
    return looked_so or state.came_with == colour
