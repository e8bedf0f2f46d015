"""Lines of spaces from one place to another: all that could be routes.

A line runs from a space whose end is near a place over spaces that lie end to end and look alike,
to a space whose end is near another place. Lines overlap and contradict each other;
`stringing` chooses among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

import numpy as np

from ..arrays import Float64s
from .print_colours import distances
from .printed_spaces import FoundSpace

# What a line may look like; chosen on shoot-1 and drawn boards (docs/board-making.md). Lengths are
# shares of a space's length, for boards are printed in many sizes.
SPACE_WORTH = 0.25  # what a space must be surer than to be worth having in a line
REACH = 1.25  # from a place to the end of its routes' first space
FARTHEST_JOINT = 0.45  # between the ends of two spaces of a line
SHARPEST_DEG = 100.0
PLACE_AROUND_JOINT = 0.35  # a line with a place so near to one of its joints is two
MOST_UNLIKE = 38.0  # Lab distance between neighbours of a line
JOINT_COST, TURN_COST, UNLIKE_COST, END_COST, ASIDE_COST = 0.6, 0.25, 0.5, 0.35, 0.25
LINKS = 4  # how many ways on are followed from every space
LONGEST = 10
# Beginnings of lines that are followed from one space at one place, the likeliest first: a picture
# full of faint outlines would take for ever.
TRIED = 4000
KEPT = 12  # lines that are kept of all between two places


@dataclass(frozen=True)
class RouteCandidate:
    """A possible route."""

    a: int  # a, b: Numbers of its places
    b: int
    # Numbers of its spaces' ways from `a` to `b`: twice a space's number, and one more where it is
    # run against its angle.
    steps: tuple[int, ...]
    worth: float  # how well it would explain what is printed; 0 is nothing

    @property
    def spaces(self) -> tuple[int, ...]:
        """Numbers of its spaces."""
        return tuple(step // 2 for step in self.steps)


@dataclass(frozen=True, eq=False)
class Ways:
    """Every space, once for each way a route may run over it."""

    # start, end, along: (2 N, 2) float64: where it begins and ends in mm, and the direction.
    start: Float64s
    end: Float64s
    along: Float64s
    lab: Float64s
    worth: Float64s
    length_mm: float

    @classmethod
    def of(cls, spaces: Sequence[FoundSpace]) -> Ways:
        """Return both ways over all spaces."""
        middle = np.repeat([space.xy_mm for space in spaces], 2, axis=0)
        angle = np.deg2rad(np.repeat([space.angle_deg for space in spaces], 2))
        along = np.column_stack([np.cos(angle), np.sin(angle)])
        along[1::2] *= -1
        length = float(np.median([space.size_mm[0] for space in spaces]))
        half = np.repeat([space.size_mm[0] / 2 for space in spaces], 2)[:, None] * along
        return cls(
            middle - half,
            middle + half,
            along,
            np.repeat([space.lab for space in spaces], 2, axis=0).astype(np.float64),
            np.repeat([space.sure - SPACE_WORTH for space in spaces], 2),
            length,
        )


def lines_between(places: Float64s, spaces: Sequence[FoundSpace]) -> list[RouteCandidate]:
    """Return the lines that could be routes, the best of each pair of places."""
    if len(spaces) == 0 or len(places) < 2:
        return []
    ways = Ways.of(spaces)
    end_cost = _end_costs(places, ways)
    links = _next_ways(places, ways)
    backwards = np.arange(len(ways.start)) ^ 1  # a route that leaves there arrives at it so
    found: dict[tuple[int, int], list[RouteCandidate]] = {}
    for a in range(len(places)):
        for first in np.nonzero(np.isfinite(end_cost[a, backwards]))[0].tolist():
            start = float(ways.worth[first] - end_cost[a, first ^ 1])
            _follow(a, [first], start, ways, links, end_cost, found, [TRIED])
    return [
        line for lines in found.values() for line in nlargest(KEPT, lines, key=lambda x: x.worth)
    ]


def _follow(
    a: int,
    steps: list[int],
    worth: float,
    ways: Ways,
    links: list[list[tuple[int, float]]],
    end_cost: Float64s,
    found: dict[tuple[int, int], list[RouteCandidate]],
    left: list[int],
) -> None:
    """Add every line that goes on from here; `left` holds how many may still be tried."""
    left[0] -= 1
    for b in np.nonzero(np.isfinite(end_cost[:, steps[-1]]))[0].tolist():
        if b > a:  # the same line is found from its other end
            total = worth - float(end_cost[b, steps[-1]])
            if total > 0:
                found.setdefault((a, b), []).append(RouteCandidate(a, b, tuple(steps), total))
    if len(steps) == LONGEST or left[0] <= 0:
        return
    for after, cost in links[steps[-1]]:
        if any(step // 2 == after // 2 for step in steps):
            continue
        further = worth + float(ways.worth[after]) - cost
        if further > -0.6:
            _follow(a, [*steps, after], further, ways, links, end_cost, found, left)


def _end_costs(places: Float64s, ways: Ways) -> Float64s:
    """Return what it costs that each way ends at each place, (P, 2 N); infinite where it cannot."""
    to_place = places[:, None] - ways.end[None]
    far = np.linalg.norm(to_place, axis=-1) / ways.length_mm
    ahead = np.sum(to_place * ways.along, axis=-1) / ways.length_mm
    aside = np.abs(to_place[..., 0] * ways.along[:, 1] - to_place[..., 1] * ways.along[:, 0])
    aside = aside / ways.length_mm
    cost = END_COST * (far / REACH) ** 2 + ASIDE_COST * aside**2
    cost = cost + END_COST * np.maximum(0, -ahead - 0.1) * 4
    # A space that has the place beside it, or behind, does not end there.
    return np.where((far < REACH) & (ahead > -0.3) & (aside < 1.0), cost, np.inf)


def _next_ways(places: Float64s, ways: Ways) -> list[list[tuple[int, float]]]:
    """Return which ways each way may go on with, and what that costs; the cheapest first."""
    joint = ways.start[None] - ways.end[:, None]
    far = np.linalg.norm(joint, axis=-1) / ways.length_mm
    cosine = np.clip(ways.along @ ways.along.T, -1, 1)
    turn = np.degrees(np.arccos(cosine))
    unlike = distances(ways.lab, ways.lab)
    over = np.maximum(0, -np.sum(joint * ways.along[:, None], axis=-1) / ways.length_mm - 0.08)
    cost = (
        JOINT_COST * (far / FARTHEST_JOINT) ** 2
        + TURN_COST * (turn / 90) ** 2
        + UNLIKE_COST * (unlike / MOST_UNLIKE) ** 2
        + np.where(turn < 45, 3 * over, 0)
    )
    can = (far < FARTHEST_JOINT) & (turn < SHARPEST_DEG) & (unlike < MOST_UNLIKE)
    links = []
    for i in range(len(ways.start)):
        can[i, i - i % 2 : i - i % 2 + 2] = False
        after = np.nonzero(can[i])[0]
        middle = (ways.end[i] + ways.start[after]) / 2
        near = np.linalg.norm(middle[:, None] - places[None], axis=-1).min(axis=1, initial=np.inf)
        after = after[near > PLACE_AROUND_JOINT * ways.length_mm]
        order = after[np.argsort(cost[i, after] - ways.worth[after], kind="stable")][:LINKS]
        links.append([(int(j), float(cost[i, j])) for j in order])
    return links
