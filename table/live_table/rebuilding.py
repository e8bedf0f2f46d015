"""Rebuilding the board of a packed-away game: comparing it until it is as it was.

The game is paused meanwhile, so nothing counts as a claim. The whole board is read whenever it is
still; a difference is shown once two readings in a row have it.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import get_args

from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot
from railspotter.vision.watching.belief import SpotReading
from railspotter.vision.watching.looks import LookRead

from ..game_log.board_facts import Corrected
from ..game_log.facts import Fact
from ..game_log.table_state import TableState
from .table_view import Difference, DifferenceKind, RebuildingView

STABLE_S = 3.0  # how long the board must match before the game goes on by itself
# The share of the pieces that may be unsure then: a half hidden board does not match.
FEW = 0.1


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
        if unsure < len(found) or unsure > FEW * len(table.held):
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
