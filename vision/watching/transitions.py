"""The state machine of a spot: one function, and a table of its transitions.

`step` makes every change of a state, on events from a frame, a reading or a person.
`TRANSITIONS` lists the changes of its phase, each with a reason.
"""

from dataclasses import dataclass, replace

from ..reading.doubts import VISIBLE
from ..reading.odds import SURE
from ..readings import Colour
from .judging import OVERRULING_CHANGED, doubt_station_or_train, judge, judge_unchanged
from .settling import READ_AFTER_S
from .spot_state import (
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

MAY_BE = -1.5  # least log-odds of the best colour: else a train-like shape is nobody's
# Still time after which a change is by light, since nobody touched the spot. Also the lead of a
# change over a claim from which it is no shadow of its trains.
UNTOUCHED_S = 1.0


@dataclass(frozen=True, slots=True)
class Read:
    """A reading of a spot that held still."""

    at_s: float  # time of its frame
    seen: SpotReading
    has_rested: bool  # it had held still long enough to contradict the belief
    is_last: bool = False  # the game is over: less is enough to contradict


@dataclass(frozen=True, slots=True)
class Claimed:
    """Trains or a station appeared elsewhere."""

    explains: bool  # the change here is explained by that claim
    ends_here: Colour | None = None  # its colour, if it is a route that ends at this place


@dataclass(frozen=True, slots=True)
class Said:
    """A person says what stands there."""

    colour: Colour | None
    changed_parts: frozenset[int] | None  # None while the board is out of sight


@dataclass(frozen=True, slots=True)
class Lost:
    """The board is out of sight, or was moved."""


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
    """Return the state of a spot after an event, and the decision that follows.

    The decision is a belief if pieces came, went or stayed after all, and a question if people must
    answer. Nothing else changes a state.
    """
    match event:
        case Seen():
            return _on_seen(state, event, likely or Expectation())
        case Read():
            return _on_read(state, event), Undecided()
        case Claimed(explains, ends_here):
            claimed = replace(
                state,
                changed_before=frozenset(),
                is_explained=state.is_explained or explains,
                came_with=ends_here if explains and ends_here else state.came_with,
            )
            return claimed, Undecided()
        case Said(colour, parts):
            return _with_belief(state, colour, Phase.SAID, parts, is_given=True), Undecided()
        case Lost():
            phase = Phase.SAID if state.phase is Phase.SAID else Phase.KNOWN
            return replace(_after_touch(state), phase=phase), Undecided()


def _after_touch(state: SpotState) -> SpotState:
    """Return a state after something moved over its spot: readings no longer hold."""
    proof = Proof.TOUCHED if state.proof is Proof.READ else state.proof
    return replace(state, proof=proof, readings=())


def _with_belief(
    state: SpotState,
    colour: Colour | None,
    phase: Phase,
    changed: frozenset[int] | None = None,
    *,
    is_given: bool = False,
) -> SpotState:
    """Return a state with a belief from now on, the same or another one."""
    proof, was_laid_singly = state.proof, state.was_laid_singly
    if is_given or colour != state.believed:
        proof, was_laid_singly = Proof.GIVEN if is_given else Proof.NONE, False
    changed_before: frozenset[int] = frozenset()
    if colour is None and state.believed is None and changed is not None:
        # The changed parts may still be its first trains.
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


def _on_read(state: SpotState, read: Read) -> SpotState:
    seen, readings = read.seen, (*state.readings, (read.at_s, read.seen))
    if state.phase is Phase.CHANGING:
        return replace(state, readings=readings)
    is_blind = seen.visible < VISIBLE or seen.is_strange
    if not read.has_rested or state.proof is Proof.GIVEN or is_blind:
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
    """Tell whether a reading contradicts the belief about an unchanged spot."""
    if seen.doubt is None:
        return seen.answer != state.believed
    least = 0.0 if is_last or state.was_laid_singly else SURE
    if state.proof is Proof.TOUCHED:  # it was read free, and is in doubt since a hand came
        least = -OVERRULING_CHANGED
    return state.believed is None and seen.shape >= least and max(seen.odds) > MAY_BE


def _on_seen(state: SpotState, seen: Seen, likely: Expectation) -> tuple[SpotState, Decision]:
    is_explained = not seen.is_asked if seen.is_relit else state.is_explained
    state = replace(
        _after_touch(state) if seen.is_disturbed else state,
        is_explained=is_explained and seen.in_sight,
        came_with=state.came_with if seen.is_changed else None,
    )
    if state.phase is Phase.SAID:
        if seen.still_s >= READ_AFTER_S - 1e-9:
            state = replace(state, phase=Phase.DECIDED if seen.in_sight else Phase.KNOWN)
        return state, Undecided()
    if not seen.in_sight:
        if state.phase is Phase.DISPUTED and not seen.is_disturbed:
            verdict = judge_unchanged(state, seen, likely)
            if isinstance(verdict, Belief):
                state = _with_belief(state, verdict.colour, Phase.KNOWN)
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
    """Return the new state and decision of a spot that looks different and is in sight."""
    was = state.believed
    seen = replace(seen, changed_parts=seen.changed_parts | state.changed_before)
    verdict = judge(state, seen, likely)
    state = replace(state, wants_look=not isinstance(verdict, Undecided) or verdict.for_reading)
    if not isinstance(verdict, Belief):
        return state, verdict
    colour = verdict.colour
    if colour == was:
        if state.is_in_doubt and seen.is_asked:
            return state, Undecided()  # left to the person who was asked
    elif colour is not None:
        if seen.may_be_train:
            return state, Undecided()
        if _is_train(state, colour):
            taken = replace(state, taken_for_train=state.taken_for_train | {colour})
            kept = _with_belief(taken, was, Phase.DECIDED, seen.changed_parts, is_given=True)
            return kept, Undecided()
        if colour in state.taken_for_train:
            return state, doubt_station_or_train(state, colour)
    return _with_belief(state, colour, Phase.DECIDED, seen.changed_parts), verdict


def _is_train(state: SpotState, colour: Colour) -> bool:
    """Tell whether an apparent station is the last train of a route.

    It came with trains of its colour that end there, since a turn is a route or a station; or it
    was taken for a train before, and the change is explained.
    """
    was_train = colour in state.taken_for_train and state.is_explained
    return was_train or state.came_with == colour
