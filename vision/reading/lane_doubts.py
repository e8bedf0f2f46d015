"""Reasons to doubt what is read of the lanes of a double route, which trains are taken for."""

from __future__ import annotations

import numpy as np
from railspotter.scoring.board import RouteId

from ..look import FirstLook, View
from .odds import Answers, DoubtSettings, Odds


def held_twice(answers: Answers) -> dict[RouteId, str]:
    """Return the routes that one player cannot hold together."""
    reasons = {}
    for group in answers.view.pieces.exclusive:
        colours = [answers.claimed[route] for route in group if route in answers.claimed]
        for route in group:
            colour = answers.claimed.get(route)
            if colour is not None and colours.count(colour) > 1:
                reasons[route] = f"{colour} would hold both lanes of a double route"
    return reasons


def between_lanes(
    first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings
) -> dict[RouteId, str]:
    """Return the lanes between which trains lie: these may be one's or the other's.

    They do not where no answer is in doubt anyway, and either trains stand on all of the lanes, so
    that each row can only be its own lane's, or it is plain by their shape which are covered.
    """
    index = {route.id: r for r, route, _ in answers.routes()}

    def is_sure(lane: RouteId) -> bool:
        return bool(answers.risk[index[lane]] <= s.risk)

    def is_plain(lane: RouteId) -> bool:
        covered = float(odds.covered[index[lane]])
        return (covered if lane in answers.claimed else -covered) > s.plain

    between: set[RouteId] = set()
    for r, route, _ in answers.routes():
        if answers.view.pieces.one_piece_a_route or route.id not in answers.claimed:
            continue
        lanes = {route.id, *answers.view.printed.board.other_lanes.get(route.id, ())}
        astray_mm = _towards_next_lane_mm(answers.view, first, r, int(answers.best[r]))
        all_laid = lanes <= answers.claimed.keys()
        known = all(map(is_sure, lanes)) and (all_laid or all(map(is_plain, lanes)))
        may_be_nexts = astray_mm > s.half_way_mm and not all_laid
        if may_be_nexts or (astray_mm > s.astray_mm and not known):
            between |= lanes
    return dict.fromkeys(between, "trains lie between the two lanes")


def _towards_next_lane_mm(view: View, first: FirstLook, r: int, c: int) -> float:
    """Return how far a route's trains stand off it towards the lane beside it, on average."""
    printed = view.printed
    own = printed.route_of == r
    offset = first.trains.placements.offset_mm[own, c]
    lanes = printed.board.other_lanes.get(printed.board.routes[r].id, frozenset())
    furthest = 0.0
    for other, route in enumerate(printed.board.routes):
        if route.id in lanes and route.length == printed.board.routes[r].length:
            way = printed.xy_mm[printed.route_of == other] - printed.xy_mm[own]
            if route.a != printed.board.routes[r].a:
                way = printed.xy_mm[printed.route_of == other][::-1] - printed.xy_mm[own]
            way /= np.linalg.norm(way, axis=1, keepdims=True)
            furthest = max(furthest, float(np.mean(np.einsum("ni,ni->n", offset, way))))
    return furthest
