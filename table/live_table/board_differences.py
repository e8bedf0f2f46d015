"""What lies otherwise on a board than a game has it, spot by spot, so that people can mend it.

A board that is laid out again from a box is seldom right at once. What is said of each spot is what
a hand has to do: lay it, take it off, put another colour there, move it to the lane beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot
from railspotter.vision.watching.belief import SpotReading

# In the order in which they are said: what lies wrongly is in the way of what is to be laid.
DifferenceKind = Literal["lane", "colour", "extra", "missing", "check"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A spot that shows something else than the game has."""

    # `missing`: it should lie there, and does not. `extra`: it lies there, and should not.
    # `colour`: another one lies there. `lane`: it lies on the lane beside this one. `check`: the
    # camera is not sure, or a person has said so against it.
    kind: DifferenceKind
    spot: Spot
    colour: Colour | None  # what should stand there; None for nothing
    seen: Colour | None  # what is seen there; None for nothing
    lies_on: Spot | None = None  # the other lane, where it lies there

    @property
    def is_plain(self) -> bool:
        """Whether somebody has to mend it: what is to be checked holds up nobody."""
        return self.kind != "check"


def differences(
    seen: Mapping[Spot, SpotReading],
    held: Mapping[Spot, Colour],
    board: Board,
    by_hand: Collection[Spot] = (),
) -> tuple[Difference, ...]:
    """Hold a reading of the whole board against what a game has.

    Spots that are not read are passed over. What is read with a doubt, but as the game has it, is
    no difference.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> upper, lower = (Spot("route", f"portland--seattle--{lane}") for lane in (0, 1))
    >>> free, red = SpotReading(None, (1.0,), 1, 0), SpotReading("red", (1.0,), 1, 1)
    >>> (found,) = differences({upper: free, lower: red}, {upper: "red"}, load_board("usa"))
    >>> found.kind, found.spot.id, found.lies_on.id
    ('lane', 'portland--seattle--0', 'portland--seattle--1')
    """
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
