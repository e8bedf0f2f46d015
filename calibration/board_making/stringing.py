"""Proposes routes for a board in the making: chooses among lines of spaces.

Every printed space belongs to one route. Of all lines between places, a set is chosen that shares
no space and is worth most; close alternatives and oddities of a route become doubts, in words for
the person who decides.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import dist

import cv2
import numpy as np
from msgspec.structs import replace
from railspotter.scoring.board import Place, Space
from railspotter.scoring.sentence import Sentence

from ..arrays import Float64s
from .draft import Draft, DraftRoute, DraftSpace
from .lines import RouteCandidate, lines_between
from .print_colours import NAMES, distances, shifted_centres
from .printed_spaces import FoundSpace

# Share of a space's area from which two found spaces are one. Routes that meet overlap a bit.
MOST_SHARED = 0.25
# Probability from which a space is not doubted: among others, and as a route of its own.
FAINT, FAINT_ALONE = 0.55, 0.85
WIDE_JOINT = 0.28  # gap, as a share of a space's length, from which it is doubted
FAR_END = 0.85  # distance to a place, as a share of a space's length, from which it is doubted
# Worth, as a share of the lines that it would replace, from which another line is a doubt.
CLOSE_RIVAL = 0.8
CLOSE_COLOUR = 0.75  # ratio of the distances of two colours from which the second is a doubt
ROUNDS = 3
LOOSE_SURE = 0.8  # probability from which a space without a route is reported


def with_proposals(draft: Draft, spaces: Sequence[FoundSpace]) -> Draft:
    """Return a draft with routes proposed from spaces between its placed places.

    Accepted routes stay and keep their spaces, rejected ones do not come again, and older proposals
    are removed.

    Parameters
    ----------
    spaces : sequence of FoundSpace
        Of `find_spaces`.
    """
    accepted = tuple(route for route in draft.routes if route.is_accepted)
    taken = [space for route in accepted for space in route.spaces]
    first = 1 + max((route.number for route in accepted), default=0)
    strung = string_routes(spaces, draft.placed, taken)
    proposed = [replace(route, number=n) for n, route in enumerate(strung, start=first)]
    used = [*taken, *(space for route in proposed for space in route.spaces)]
    rejected = {frozenset(s.xy_mm for s in route.spaces) for route in draft.rejected}
    new = (r for r in proposed if frozenset(s.xy_mm for s in r.spaces) not in rejected)
    return replace(
        draft,
        routes=(*accepted, *new),
        space_size_mm=spaces[0].size_mm if spaces else draft.space_size_mm,
        loose=tuple(_loose(spaces, used)),
    )


def string_routes(
    spaces: Sequence[FoundSpace],
    places: Sequence[Place],
    taken: Sequence[Space] = (),
) -> tuple[DraftRoute, ...]:
    """Return the routes formed by spaces between places, sorted by the places' ids."""
    overlaps = overlapping([*spaces, *taken])[: len(spaces)]
    spaces = [s for s, over in zip(spaces, overlaps, strict=True) if max(over) < len(spaces)]
    at = np.array([place.xy_mm for place in places], np.float64).reshape(-1, 2)
    lines = lines_between(at, spaces)
    overlaps = overlapping(spaces)
    chosen = _choose(lines, overlaps)
    sure = [i for line in chosen for i in line.spaces]
    centres = shifted_centres(np.array([spaces[i].lab for i in sure]).reshape(-1, 3))
    rivals = _close_rivals(lines, chosen, overlaps)
    routes = [
        _as_route(line, rivals[number], spaces, places, centres)
        for number, line in enumerate(chosen)
    ]
    routes = [_with_lane_doubts(route, routes) for route in routes]
    return tuple(sorted(routes, key=lambda route: (route.a, route.b, route.colour)))


def _loose(spaces: Sequence[FoundSpace], used: Sequence[DraftSpace]) -> list[DraftSpace]:
    loose: list[DraftSpace] = []
    for space in spaces:
        if space.sure < LOOSE_SURE:
            continue
        near = 0.8 * space.size_mm[0]
        x, y = space.xy_mm
        others = (other.xy_mm for other in (*used, *loose))
        if all((x - u) ** 2 + (y - v) ** 2 > near**2 for u, v in others):
            loose.append(space.in_draft())
    return loose


def overlapping(spaces: Sequence[Space]) -> list[frozenset[int]]:
    """Return for each space the indices of those that overlap it, itself included."""
    covers = [{i} for i in range(len(spaces))]
    if not spaces:
        return []
    middle = np.array([space.xy_mm for space in spaces])
    near = np.linalg.norm(middle[None] - middle[:, None], axis=-1) < max(
        space.size_mm[0] for space in spaces
    )
    boxes = [(space.xy_mm, space.size_mm, space.angle_deg) for space in spaces]
    for i, j in np.argwhere(np.triu(near, 1)).tolist():
        kind, shared = cv2.rotatedRectangleIntersection(boxes[i], boxes[j])
        area = spaces[i].size_mm[0] * spaces[i].size_mm[1]
        if kind == cv2.INTERSECT_NONE:
            continue
        if cv2.contourArea(cv2.convexHull(shared)) > MOST_SHARED * area:
            covers[i].add(j)
            covers[j].add(i)
    return [frozenset(cover) for cover in covers]


def _close_rivals(
    lines: Sequence[RouteCandidate],
    chosen: Sequence[RouteCandidate],
    overlaps: Sequence[frozenset[int]],
) -> list[list[RouteCandidate]]:
    """Return, for each chosen line, others worth nearly as much as what they would replace."""
    owners: dict[int, set[int]] = {}
    for number, line in enumerate(chosen):
        for i in line.spaces:
            for covered in overlaps[i]:
                owners.setdefault(covered, set()).add(number)
    rivals: list[list[RouteCandidate]] = [[] for _ in chosen]
    taken = {line.steps for line in chosen}
    for line in sorted(lines, key=lambda line: -line.worth):
        out = {number for i in line.spaces for number in owners.get(i, ())}
        if line.steps in taken or _overlaps_itself(line, overlaps):
            continue
        if line.worth >= CLOSE_RIVAL * sum(chosen[number].worth for number in out):
            for number in out:
                rivals[number].append(line)
    return rivals


def _choose(
    lines: Sequence[RouteCandidate], overlaps: Sequence[frozenset[int]]
) -> list[RouteCandidate]:
    """Return lines that share no space, with the most summed worth that local exchanges find."""
    ordered = sorted(lines, key=lambda line: -line.worth)
    ordered = [line for line in ordered if not _overlaps_itself(line, overlaps)]
    covers = [frozenset().union(*(overlaps[i] for i in line.spaces)) for line in ordered]
    own = [frozenset(line.spaces) for line in ordered]
    users: dict[int, list[int]] = {}
    for number, spaces in enumerate(own):
        for i in spaces:
            users.setdefault(i, []).append(number)
    rivals = [
        frozenset(n for i in covers[number] for n in users.get(i, ())) - {number}
        for number in range(len(ordered))
    ]
    chosen: set[int] = set()
    for number in range(len(ordered)):
        if not rivals[number] & chosen:
            chosen.add(number)
    for _ in range(ROUNDS):
        before = set(chosen)
        for number in range(len(ordered)):
            # Replace a line by several that it blocks, or all that block a line by it, if that is
            # worth more.
            if number in chosen:
                _exchange(set(), {number}, chosen, ordered, rivals)
            else:
                _exchange({number}, rivals[number] & chosen, chosen, ordered, rivals)
        if chosen == before:
            break
    return [ordered[number] for number in sorted(chosen)]


def _exchange(
    come: set[int],
    go: set[int] | frozenset[int],
    chosen: set[int],
    lines: Sequence[RouteCandidate],
    rivals: Sequence[frozenset[int]],
) -> None:
    kept = chosen - go
    freed = sorted({r for n in go for r in rivals[n]} - chosen - come)
    for number in freed:
        if not rivals[number] & (kept | come):
            come = come | {number}
    if sum(lines[n].worth for n in come) > sum(lines[n].worth for n in go) + 1e-9:
        chosen -= go
        chosen |= come


def _overlaps_itself(line: RouteCandidate, overlaps: Sequence[frozenset[int]]) -> bool:
    spaces = line.spaces
    return any(later in overlaps[i] for k, i in enumerate(spaces) for later in spaces[k + 1 :])


def _with_lane_doubts(route: DraftRoute, routes: Sequence[DraftRoute]) -> DraftRoute:
    """Return a route with doubts added about the number and lengths of its lanes."""
    others = [r for r in routes if r is not route and (r.a, r.b) == (route.a, route.b)]
    doubts = []
    if len(others) > 1:
        doubts.append(Sentence("{n} lanes lie there", n=len(others) + 1))
    if any(len(other.spaces) != len(route.spaces) for other in others):
        doubts.append(Sentence("the lane beside it has another length"))
    return replace(route, doubts=(*route.doubts, *doubts))


def _as_route(
    line: RouteCandidate,
    rivals: Sequence[RouteCandidate],
    spaces: Sequence[FoundSpace],
    places: Sequence[Place],
    centres: Float64s,
) -> DraftRoute:
    a, b = places[line.a], places[line.b]
    run = tuple(_reversed_if(spaces[step // 2], is_back=bool(step % 2)) for step in line.steps)
    if a.id > b.id:
        a, b = b, a
        run = tuple(_reversed_if(space, is_back=True) for space in reversed(run))
    lab = np.median([space.lab for space in run], axis=0)
    far = distances(lab[None], centres)[0]
    first, second = np.argsort(far)[:2]
    doubts = [*_doubts_of_line(run, a, b), *_doubts_of_rivals(line, rivals, places)]
    if far[first] > CLOSE_COLOUR * far[second]:
        doubts.append(Sentence("its colour may also be {colour}", colour=NAMES[second]))
    return DraftRoute(
        a=a.id,
        b=b.id,
        length=len(run),
        colour=NAMES[first],
        spaces=tuple(space.in_draft() for space in run),
        doubts=tuple(doubts),
    )


def _reversed_if(space: FoundSpace, *, is_back: bool) -> FoundSpace:
    turned = space.angle_deg + (180 if is_back else 0)
    return replace(space, angle_deg=round(turned - 360 if turned > 180 else turned, 1))


def _doubts_of_line(run: Sequence[FoundSpace], a: Place, b: Place) -> list[Sentence]:
    doubts = []
    for number, space in enumerate(run, start=1):
        if space.sure < (FAINT if len(run) > 1 else FAINT_ALONE):
            doubts.append(Sentence("space {n} of {all} is faint", n=number, all=len(run)))
    for number, (one, after) in enumerate(pairwise(run), start=1):
        gap = dist(after.end(-1), one.end(1))
        if gap > WIDE_JOINT * one.size_mm[0]:
            doubts.append(
                Sentence(
                    "a gap of {mm} mm after space {n} of {all}",
                    mm=f"{gap:.0f}",
                    n=number,
                    all=len(run),
                )
            )
    for place, space, end in ((a, run[0], run[0].end(-1)), (b, run[-1], run[-1].end(1))):
        off = dist(end, place.xy_mm)
        if off > FAR_END * space.size_mm[0]:
            doubts.append(
                Sentence("it ends {mm} mm from {place}", mm=f"{off:.0f}", place=place.name)
            )
    return doubts


def _doubts_of_rivals(
    line: RouteCandidate, rivals: Sequence[RouteCandidate], places: Sequence[Place]
) -> list[Sentence]:
    """Return a doubt about the best rival that leads elsewhere or has another length."""
    for rival in rivals:
        if not set(rival.spaces) & set(line.spaces):
            continue
        if (rival.a, rival.b) != (line.a, line.b):
            return [
                Sentence(
                    "two ways: its spaces could also lead from {a} to {b}",
                    a=places[rival.a].name,
                    b=places[rival.b].name,
                )
            ]
        if len(rival.spaces) != len(line.spaces):
            return [Sentence("its length could also be {n}", n=len(rival.spaces))]
    return []
