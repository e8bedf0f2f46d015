"""A whole board compared with its game: when watching starts, and when it is rebuilt.

A game that was packed away is paused while its board is rebuilt, so nothing counts as a claim. A
difference is shown once two readings in a row have it.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import get_args

from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import KINDS, Spot, of_kind
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.looks import LookRead
from railspotter.vision.watching.spot_state import SpotReading

from ..game_log.board_facts import BoardJoined, Corrected
from ..game_log.errors import ImpossibleError
from ..game_log.facts import Fact
from ..game_log.table_state import TableState
from .log_writer import read_fact
from .table_view import BoardSight, Difference, DifferenceKind, Joining, RebuildingView

SURE = 0.9  # the confidence of one reading without doubt
MANY = 5
"""From so many unseen changes on, users are asked before they are logged.

Fewer happen in some turns, and can be corrected with as many taps."""
SHOWN_SHARE = 0.1  # the share of the pieces that a cleared board may still show, by misreadings
BETTER_LIGHT = Sentence("and give them better light, or say on the page what lies there")
BY_HAND = Sentence("and put right first what is wrong")
STABLE_S = 3.0  # how long the board must match before the game goes on by itself
# The share of the pieces that may be unsure then: a half hidden board does not match.
UNSURE_SHARE = 0.1


@dataclass(frozen=True)
class Opened:
    """The result of comparing the first reading with the log."""

    # What users have to confirm: a new game's board, a cleared board, or many changes.
    joining: Joining | None
    changes: Mapping[Spot, Colour | None]  # the differences from the log
    is_clear: bool  # whether another reading would not help
    impossible: Sentence = NOTHING  # why the board cannot be a game; empty if it can

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The changes as facts for the log; none for a new game, which is confirmed as one step."""
        joining = self.joining
        if joining is not None and joining.is_of_new_game:
            return ()
        is_cleared = joining is not None and joining.missing > 0
        return tuple(
            read_fact(spot, colour, SURE, seen_to_change=is_cleared)
            for spot, colour in self.changes.items()
        )


def opening(seen: LookRead, table: TableState) -> Opened:
    """Compare a reading of the whole board with the log.

    Spots in doubt, out of the picture or set by a person stay as in the log, unless a person
    confirms that the board was cleared.
    """
    known = {spot: colour for spot, colour in table.held.items() if spot in seen.seen}
    found = {spot: one.answer for spot, one in seen.seen.items() if one.answer is not None}
    sure = {spot: 0.0 if one.doubt else one.lead for spot, one in seen.seen.items()}
    is_clear = found == known or not any(one.doubt for one in seen.seen.values())
    changes = undoubted_differences(seen, table)
    shown = sum(found.get(spot) == colour for spot, colour in known.items())
    joining: Joining | None = None
    # Trains that were just assigned to a player need no confirmation.
    if found and not known and not table.spots and not found.keys() <= seen.strange.keys():
        joining, changes = Joining(found, sure=sure), {**found}
    elif len(known) >= MANY and shown <= SHOWN_SHARE * len(known) and known.keys() & changes.keys():
        joining = Joining(found, missing=len(known) - shown, sure=sure)
    else:
        changes = {spot: now for spot, now in changes.items() if spot not in table.by_hand}
        now = {spot: colour for spot, colour in {**known, **changes}.items() if colour is not None}
        if len(changes) >= MANY:
            joining = Joining(now, changed=len(changes), sure=sure)
    # A board that cannot be a game even without its doubtful spots.
    certain = {spot: now for spot, now in changes.items() if seen.seen[spot].doubt is None}
    return Opened(joining, changes, is_clear, table.refusal(BETTER_LIGHT, certain, sure))


def undoubted_differences(seen: LookRead, table: TableState) -> dict[Spot, Colour | None]:
    """Return the undoubted differences of a reading from the log."""
    known = table.held
    return {
        spot: one.answer
        for spot, one in seen.seen.items()
        if one.doubt is None and one.answer != known.get(spot)
    }


def joining_facts(
    sight: BoardSight, corrected: Mapping[Spot, Colour] | None, table: TableState
) -> tuple[Fact, ...] | None:
    """Return the facts that confirm the initial board; None if there is nothing to confirm.

    `corrected` is the board as the user corrected it; None for as seen. Raises `ImpossibleError`.
    """
    joining, held, by_hand = sight.joining, table.held, table.by_hand
    if joining is None:
        return None
    said = joining.board if corrected is None else corrected
    require_believable(table, {**dict.fromkeys(held), **said})
    if joining.is_of_new_game:
        right = {spot: one for spot, one in joining.board.items() if spot not in by_hand}
        lying = right if corrected is None else corrected
        return (BoardJoined(*(of_kind(kind, lying) for kind in KINDS)),)
    if corrected is None and not joining.is_kept:
        return ()
    # Users saw the whole list of changes: lines that they reverted are their corrections too.
    seen = joining.board if joining.changed else held
    return tuple(
        Corrected.on(spot, was=held.get(spot), now=said.get(spot))
        for spot in sorted(held.keys() | said.keys() | seen.keys())
        if not held.get(spot) == said.get(spot) == seen.get(spot)
        and not (corrected is None and spot in by_hand)
    )


def require_believable(table: TableState, changes: Mapping[Spot, Colour | None]) -> None:
    """Raise `ImpossibleError` if what a person says lies there must not be believed."""
    if why := table.refusal(BY_HAND, changes):
        raise ImpossibleError(why)


def opening_doubts(
    seen: LookRead, table: TableState, joined: Mapping[Spot, Doubt]
) -> dict[Spot, Doubt]:
    """Return the doubts of the first reading to ask about.

    These are unsure differences from the log, and doubts (`joined`) about a board that was
    confirmed as a whole, unless this reading is sure now.
    """
    known = table.held
    asked: dict[Spot, Doubt] = {}
    for spot, one in seen.seen.items():
        logged, earlier = known.get(spot), joined.get(spot)
        if earlier is not None and earlier.said == logged:
            if one.doubt is not None or one.answer != logged:
                asked[spot] = one.doubt or earlier
        elif one.doubt is not None and one.answer != logged and spot not in table.by_hand:
            asked[spot] = one.doubt
    return asked


@dataclass
class Comparison:
    """The progress of rebuilding a board, over several readings."""

    last: tuple[Difference, ...] | None = None  # of the last reading
    whole_since_s: float | None = None  # since when readings have matched
    view: RebuildingView = field(default_factory=RebuildingView)

    def add_reading(self, seen: LookRead, table: TableState) -> None:
        """Compare a reading of the whole board with the game, and update the view."""
        found = differences(seen.seen, table.held, table.board, table.by_hand)
        last, self.last = self.last, found
        shown = found if last is None else tuple(one for one in found if one in last)
        unsure = sum(not one.is_plain for one in found)
        if unsure < len(found) or unsure > UNSURE_SHARE * len(table.held):
            self.whole_since_s = None
        elif self.whole_since_s is None:
            self.whole_since_s = seen.at_s
        since_s = self.whole_since_s
        is_rebuilt = since_s is not None and seen.at_s - since_s >= STABLE_S
        self.view = RebuildingView(shown, is_read=True, is_rebuilt=is_rebuilt)


def confirmed_facts(view: RebuildingView | None, table: TableState) -> tuple[Fact, ...]:
    """Return the facts by which a person confirms spots that the camera sees differently."""
    return tuple(
        Corrected.on(one.spot, was=one.colour, now=one.colour)
        for one in (view.differences if view is not None else ())
        if one.is_plain and table.held.get(one.spot) == one.colour
    )


def differences(
    seen: Mapping[Spot, SpotReading],
    held: Mapping[Spot, Colour],
    board: Board,
    by_hand: Collection[Spot] = (),
) -> tuple[Difference, ...]:
    """Compare a reading of the whole board with a game, skipping spots that were not read."""
    wrong: dict[Spot, SpotReading] = {
        spot: one for spot, one in seen.items() if one.answer != held.get(spot)
    }
    unsure = {
        spot
        for spot, one in wrong.items()
        if one.doubt is not None or (spot in by_hand and one.answer is not None)
    }
    plain = {spot: one.answer for spot, one in wrong.items() if spot not in unsure}
    lies_on = {
        spot: lane
        for spot in plain
        for lane in _lanes_beside(spot, board)
        if spot in held and plain.get(lane) == held[spot]
    }
    moved = {lane for lane in lies_on.values() if lane not in held}

    def kind(spot: Spot) -> DifferenceKind:
        if spot in unsure:
            return "check"
        if spot in lies_on:
            return "lane"
        if plain[spot] is None:
            return "missing"
        return "colour" if spot in held else "extra"

    found = [
        Difference(kind(spot), spot, held.get(spot), one.answer, lies_on.get(spot))
        for spot, one in wrong.items()
        if spot not in moved
    ]
    order = get_args(DifferenceKind)
    return tuple(sorted(found, key=lambda one: (order.index(one.kind), one.spot)))


def _lanes_beside(spot: Spot, board: Board) -> Iterator[Spot]:
    if spot.kind == "route":
        for lane in sorted(board.other_lanes.get(spot.id, ())):
            yield Spot("route", lane)
