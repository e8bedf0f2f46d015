"""Finds lines of spaces from one place to another: all candidates for routes.

A line starts at a space with an end near a place, goes on over spaces that lie end to end and look
alike, and ends near another place. Lines overlap; `stringing` chooses among them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

import numpy as np

from ..arrays import Float64s
from .print_colours import distances
from .printed_spaces import FoundSpace

# Limits of lines; chosen on shoot-1 and drawn boards (docs/board-making.md). Lengths are shares of
# a space's length, since boards are printed in many sizes.
SPACE_WORTH = 0.25  # probability from which a space adds to the worth of a line
REACH = 1.25  # most distance from a place to the end of its routes' first space
FARTHEST_JOINT = 0.45  # most distance between the ends of two spaces of a line
SHARPEST_DEG = 100.0  # most turn between two spaces of a line
PLACE_AROUND_JOINT = 0.35  # a line with a place nearer than this to a joint is two lines
MOST_UNLIKE = 38.0  # most Lab distance between neighbours in a line
JOINT_COST, TURN_COST, UNLIKE_COST, END_COST, ASIDE_COST = 0.6, 0.25, 0.5, 0.35, 0.25
LINKS = 4  # continuations that are followed from every space
LONGEST = 10  # most spaces of a line
# Partial lines that are followed from one space at one place, the cheapest first: a picture full of
# faint outlines would take for ever.
TRIED = 4000
KEPT = 12  # lines kept between two places


@dataclass(frozen=True)
class RouteCandidate:
    """A line of spaces that may be a route."""

    a: int  # a, b: indices of its places
    b: int
    # Indices into `DirectedSpaces` from `a` to `b`: twice a space's index, plus 1 against its
    # angle.
    steps: tuple[int, ...]
    worth: float  # summed evidence of its spaces less costs; above 0

    @property
    def spaces(self) -> tuple[int, ...]:
        """Indices of its spaces."""
        return tuple(step // 2 for step in self.steps)


@dataclass(frozen=True, eq=False)
class DirectedSpaces:
    """All spaces in both directions, 2 N in all."""

    # start, end, along: (2 N, 2) float64: start and end in mm, and the unit direction
    start: Float64s
    end: Float64s
    along: Float64s
    lab: Float64s
    worth: Float64s
    length_mm: float

    @classmethod
    def of(cls, spaces: Sequence[FoundSpace]) -> "DirectedSpaces":
        """Return spaces in both directions: forwards at even indices, backwards at odd ones."""
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
    """Return the best lines between each pair of places."""
    if len(spaces) == 0 or len(places) < 2:
        return []
    directed = DirectedSpaces.of(spaces)
    end_cost = _end_costs(places, directed)
    links = _links(places, directed)
    backwards = np.arange(len(directed.start)) ^ 1  # a line leaves a place as it would arrive
    found: dict[tuple[int, int], list[RouteCandidate]] = {}
    for a in range(len(places)):
        for first in np.nonzero(np.isfinite(end_cost[a, backwards]))[0].tolist():
            start = float(directed.worth[first] - end_cost[a, first ^ 1])
            _follow(a, [first], start, directed, links, end_cost, found, [TRIED])
    return [
        line for lines in found.values() for line in nlargest(KEPT, lines, key=lambda x: x.worth)
    ]


def _follow(
    a: int,
    steps: list[int],
    worth: float,
    directed: DirectedSpaces,
    links: list[list[tuple[int, float]]],
    end_cost: Float64s,
    found: dict[tuple[int, int], list[RouteCandidate]],
    left: list[int],
) -> None:
    """Add all lines that continue some steps to `found`; `left` counts the remaining tries."""
    left[0] -= 1
    for b in np.nonzero(np.isfinite(end_cost[:, steps[-1]]))[0].tolist():
        if b > a:  # else the same line is found from its other end
            total = worth - float(end_cost[b, steps[-1]])
            if total > 0:
                found.setdefault((a, b), []).append(RouteCandidate(a, b, tuple(steps), total))
    if len(steps) == LONGEST or left[0] <= 0:
        return
    for after, cost in links[steps[-1]]:
        if any(step // 2 == after // 2 for step in steps):
            continue
        further = worth + float(directed.worth[after]) - cost
        if further > -0.6:
            _follow(a, [*steps, after], further, directed, links, end_cost, found, left)


def _end_costs(places: Float64s, directed: DirectedSpaces) -> Float64s:
    """Return the cost of ending each directed space at each place, (P, 2 N); inf if it cannot."""
    to_place = places[:, None] - directed.end[None]
    far = np.linalg.norm(to_place, axis=-1) / directed.length_mm
    ahead = np.sum(to_place * directed.along, axis=-1) / directed.length_mm
    aside = np.abs(
        to_place[..., 0] * directed.along[:, 1] - to_place[..., 1] * directed.along[:, 0]
    )
    aside = aside / directed.length_mm
    cost = END_COST * (far / REACH) ** 2 + ASIDE_COST * aside**2
    cost = cost + END_COST * np.maximum(0, -ahead - 0.1) * 4
    # A space with the place beside or behind it does not end there.
    return np.where((far < REACH) & (ahead > -0.3) & (aside < 1.0), cost, np.inf)


def _links(places: Float64s, directed: DirectedSpaces) -> list[list[tuple[int, float]]]:
    """Return the continuations of each directed space, with their costs, the best first."""
    joint = directed.start[None] - directed.end[:, None]
    far = np.linalg.norm(joint, axis=-1) / directed.length_mm
    cosine = np.clip(directed.along @ directed.along.T, -1, 1)
    turn = np.degrees(np.arccos(cosine))
    unlike = distances(directed.lab, directed.lab)
    over = np.maximum(
        0, -np.sum(joint * directed.along[:, None], axis=-1) / directed.length_mm - 0.08
    )
    cost = (
        JOINT_COST * (far / FARTHEST_JOINT) ** 2
        + TURN_COST * (turn / 90) ** 2
        + UNLIKE_COST * (unlike / MOST_UNLIKE) ** 2
        + np.where(turn < 45, 3 * over, 0)
    )
    can = (far < FARTHEST_JOINT) & (turn < SHARPEST_DEG) & (unlike < MOST_UNLIKE)
    links = []
    for i in range(len(directed.start)):
        can[i, i - i % 2 : i - i % 2 + 2] = False
        after = np.nonzero(can[i])[0]
        middle = (directed.end[i] + directed.start[after]) / 2
        near = np.linalg.norm(middle[:, None] - places[None], axis=-1).min(axis=1, initial=np.inf)
        after = after[near > PLACE_AROUND_JOINT * directed.length_mm]
        order = after[np.argsort(cost[i, after] - directed.worth[after], kind="stable")][:LINKS]
        links.append([(int(j), float(cost[i, j])) for j in order])
    return links
