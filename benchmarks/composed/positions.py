"""Positions of games that were never played, laid with cuts from several photos.

Which routes are taken, whose they are and from which photo they come is drawn from a seed. Colours
are those that the photos have there, so that nothing needs to be painted over.

Each photo shows its trains from its own side. Put together, one can come to lie in another, or to
hide the lane beside more than its own: no board looks so, or nobody could tell whose lane it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from railspotter.calibration.arrays import Points
from railspotter.scoring.board import Board, RouteId, Space

from composed.laid import LaidTrain, whole_routes
from composed.library import Library
from composed.source import Source

Cuts = dict[RouteId, tuple[Source, ...]]
# For trains that were pushed from their space, the route and space where they lie.
Bumps = dict[tuple[RouteId, int], tuple[RouteId, int]]

STOCK = 45  # trains of a colour; a photo of a staged board holds more
ALIKE = 4.0  # how much rather a cut is taken that touches no neighbours in its photo
ALONG_MM, ACROSS_MM = 10.0, 3.5  # how far at most a route is displaced on a messy board
LOOSE_MM, LOOSE_DEG = 0.8, 4.0  # standard deviations of how a single train stands off its row
# The share of a train's outline that another's may cover: what leans over it, and shadow.
SHARED = 0.3


def usable(library: Library, names: Sequence[str]) -> Cuts:
    """Return for each route the photos that it can be cut from, the cleanest first."""
    sources = [library.source(name) for name in names]
    return {
        route.id: tuple(
            sorted(
                (
                    source
                    for source in sources
                    if route.id in library.photo(source.name).truth["claims"]
                    and route.id not in library.photo(source.name).half_filled
                ),
                key=lambda source: (source.contact[route.id], source.name),
            )
        )
        for route in library.board.routes
    }


def cut_for(cuts: Cuts, route: RouteId, colour: str) -> tuple[LaidTrain, ...]:
    """Return the trains of a route in a player's colour, whatever the photos have there.

    The cleanest cut of that colour; where no photo has it, the cleanest of another is painted
    over, black last: it has lost its shading. The truth marks such routes.
    """
    if not cuts[route]:
        raise ValueError(f"no photo shows trains on {route!r}")
    source = min(
        cuts[route],
        key=lambda s: (s.colour_of(route) != colour, s.colour_of(route) == "black"),
    )
    return whole_routes(source, [route], {route: colour})


def tidy_position(board: Board, cuts: Cuts, routes: int, seed: int) -> tuple[LaidTrain, ...]:
    """Return a position with so many routes taken, or fewer when trains or room run out."""
    rng = np.random.default_rng([seed, 1])
    sources = _sources(cuts)
    left: dict[str, int] = {}
    taken: dict[RouteId, str] = {}
    trains: list[LaidTrain] = []
    outlines: list[Points] = []
    for number in rng.permutation(len(board.routes)):
        route = board.routes[number]
        beside = {taken.get(other) for other in board.other_lanes.get(route.id, ())}
        choice = [
            (source, colour)
            for source in cuts[route.id]
            if (colour := source.colour_of(route.id)) not in beside
            and left.get(colour, STOCK) >= route.length
        ]
        if not choice or len(taken) == routes:
            continue
        weight = np.exp([-ALIKE * source.contact[route.id] for source, _ in choice])
        source, colour = choice[rng.choice(len(choice), p=weight / weight.sum())]
        cut = whole_routes(source, [route.id])
        laid = [outline_mm(train, sources) for train in cut]
        has_room = all(shared(outline, outlines) < SHARED for outline in laid)
        if not has_room or not hides_its_own(board, route.id, laid):
            continue
        taken[route.id] = colour
        left[colour] = left.get(colour, STOCK) - route.length
        trains += cut
        outlines += laid
    return tuple(trains)


def _sources(cuts: Cuts) -> dict[str, Source]:
    return {source.name: source for sources in cuts.values() for source in sources}


def messy(
    board: Board,
    cuts: Cuts,
    trains: Sequence[LaidTrain],
    seed: int,
    share: float = 0.3,
    bumped: int = 1,
) -> tuple[LaidTrain, ...]:
    """Return the same position as careless people leave it.

    A route stays where it is if its trains would come to lie in others, or would hide the lane
    beside it more than its own.
    """
    rng = np.random.default_rng([seed, 2])
    routes = sorted({train.route for train in trains})
    off: dict[RouteId, tuple[float, float]] = {
        route: (float(rng.uniform(-ALONG_MM, ALONG_MM)), float(rng.uniform(-ACROSS_MM, ACROSS_MM)))
        if rng.random() < share
        else (0.0, 0.0)
        for route in routes
    }
    bumps = _bumps(board, trains, rng, bumped)
    sources = _sources(cuts)
    moved: list[LaidTrain] = []
    lying = {train: outline_mm(train, sources) for train in trains}
    for route in routes:
        row = sorted(train for train in trains if train.route == route)
        others = [outline for train, outline in lying.items() if train.route != route]
        loose = rng.normal(0, LOOSE_MM, (len(row), 2))
        turns = rng.normal(0, LOOSE_DEG, len(row))
        for way in (np.array(off[route]), np.zeros(2)):
            laid = [
                _displaced(board, train, way + by, float(turn), bumps)
                for train, by, turn in zip(row, loose, turns, strict=True)
            ]
            outlines = [outline_mm(t, sources) for t in laid]
            own = [o for t, o in zip(laid, outlines, strict=True) if t.stray_on is None]
            if hides_its_own(board, route, own) and all(shared(o, others) < SHARED for o in own):
                break
        lying.update(zip(row, outlines, strict=True))
        moved += laid
    return tuple(moved)


def _displaced(
    board: Board,
    train: LaidTrain,
    by_mm: Points,
    turn_deg: float,
    bumps: Bumps,
) -> LaidTrain:
    """Return a train moved along and across its route, or onto the space it was bumped to."""
    space = board.route_by_id[train.route].spaces[train.space]
    shift = _on_board(space, by_mm[0], by_mm[1])
    stray_on = bumps.get((train.route, train.space))
    if stray_on is not None:
        onto = board.route_by_id[stray_on[0]].spaces[stray_on[1]]
        shift = np.array(onto.xy_mm) - np.array(space.xy_mm)
    return replace(
        train,
        shift_mm=(float(shift[0]), float(shift[1])),
        turn_deg=turn_deg,
        stray_on=stray_on,
    )


def _bumps(
    board: Board, trains: Sequence[LaidTrain], rng: np.random.Generator, count: int
) -> Bumps:
    """Choose trains of double routes whose other lane is free: from which space onto which."""
    taken = {train.route for train in trains}
    free = [
        (train.route, train.space, other)
        for train in sorted(trains)
        for other in sorted(board.other_lanes.get(train.route, ()))
        if other not in taken and board.route_by_id[train.route].length > 1
    ]
    chosen = rng.permutation(len(free))[:count]
    bumps = {}
    for route, space, other in (free[i] for i in chosen):
        at = np.array(board.route_by_id[route].spaces[space].xy_mm)
        apart = [np.hypot(*(at - s.xy_mm)) for s in board.route_by_id[other].spaces]
        bumps[route, space] = (other, int(np.argmin(apart)))
    return bumps


def _on_board(space: Space, along: float, across: float) -> Points:
    turn = np.deg2rad(space.angle_deg)
    return np.array(
        [
            along * np.cos(turn) - across * np.sin(turn),
            along * np.sin(turn) + across * np.cos(turn),
        ]
    )


def outline_mm(train: LaidTrain, sources: Mapping[str, Source]) -> Points:
    """Return the corners of what is seen of a laid train, (4, 2), as if it were not turned."""
    source = sources[train.source]
    seen = source.trains[source.index[train.route, train.space]]
    return np.asarray(seen.outline_mm() + np.array(train.shift_mm))


def shared(outline: Points, others: Iterable[Points]) -> float:
    """Return how much of an outline the one of the others covers that covers most, 0 to 1.

    Examples
    --------
    >>> square = np.array([(0, 0), (2, 0), (2, 2), (0, 2)], float)
    >>> shared(square, [square + (1, 0), square + (5, 5)])
    0.5
    """
    whole = cv2.contourArea(outline.astype(np.float32))
    most = 0.0
    for other in others:
        if np.linalg.norm(outline.mean(axis=0) - other.mean(axis=0)) < 60:
            area, _ = cv2.intersectConvexConvex(
                outline.astype(np.float32), other.astype(np.float32), handleNested=True
            )
            most = max(most, float(area) / whole)
    return most


def hides_its_own(board: Board, route: RouteId, outlines: Sequence[Points]) -> bool:
    """Tell whether a route's trains hide more of its spaces than of the lane beside it."""

    def hidden(lane: RouteId) -> float:
        spaces = [_printed_mm(board, lane, i) for i in range(board.route_by_id[lane].length)]
        return sum(shared(outline, spaces) for outline in outlines)

    own = hidden(route)
    return all(own > hidden(lane) for lane in board.other_lanes.get(route, ()))


def _printed_mm(board: Board, route: RouteId, number: int) -> Points:
    space = board.route_by_id[route].spaces[number]
    corners = cv2.boxPoints((space.xy_mm, space.size_mm, space.angle_deg))
    return np.asarray(corners, np.float64)
