"""From odds to answers: the best one for every route, and a doubt where it is not sure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Route

from .first_look import FirstLook
from .lab import Floats
from .reading import Colour, Doubt, Reading, RouteReading
from .view import View


@dataclass(frozen=True, eq=False)
class Odds:
    """How likely trains of each colour are, as logarithms of odds.

    Attributes
    ----------
    routes : (R, C) float32 array
        That they stand on the route.
    spaces : (N, C) float32 array
        That one stands on the space.
    bare : (R,) bool array
        Where the print shows nearly as much as on free routes: no colour alone outweighs that.
    """

    routes: Floats
    spaces: Floats
    bare: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class DoubtSettings:
    """When an answer counts as unsure; chosen on shoot-2, whole lights held out."""

    sure: float = 1.5
    """Log-odds, either way, from which an answer stands without a doubt."""
    rival: float = 3.0
    """An alternative is worth naming within this much of the best answer."""
    partly: float = 2.5
    """Log-odds by which single spaces contradict the route's answer."""
    astray_mm: float = 3.0
    """How far trains may stand off a lane towards the next one, of the 9 mm between two."""
    glare: float = 93.0
    """Lightness from which a print or a train is washed out."""


def reading_of(
    view: View, first: FirstLook, odds: Odds, settings: DoubtSettings | None = None
) -> Reading:
    """Return the reading: the likeliest answer for each route, with the doubts."""
    s = settings or DoubtSettings()
    best = np.argmax(odds.routes, axis=1)
    top = odds.routes.max(axis=1)
    # A colour with no sure route on the whole board is nobody's: its unsure ones are bare print.
    in_play = np.isin(best, best[top >= s.sure])
    claimed = {
        route.id: view.colours[best[r]]
        for r, route in enumerate(view.printed.board.routes)
        if top[r] > 0 and in_play[r]
    }
    twice = _held_twice(view, claimed)
    between = _between_lanes(view, first, claimed, s)
    routes = {}
    for r, route in enumerate(view.printed.board.routes):
        value = float(top[r])
        said = claimed.get(route.id)
        spaces = odds.spaces[view.printed.route_of == r, best[r]]
        likeliest = view.colours[best[r]]
        reasons = list(_reasons(view, first, route, likeliest, value, spaces, s))
        if said is not None and said == route.colour and odds.bare[r]:
            reasons.append(f"the print shows through where {said} trains would hide it")
        if route.id in twice:
            reasons.append(f"{said} would hold both lanes of a double route")
        if route.id in between:
            reasons.append("trains lie between the two lanes")
        doubt = None
        if reasons:
            others = _alternatives(view, odds.routes[r], said, likeliest, s)
            doubt = Doubt(route.id, said, others, "; ".join(reasons))
        confidence = 1 / (1 + np.exp(-abs(value)))
        routes[route.id] = RouteReading(route.id, said, float(confidence), doubt)
    notes: tuple[str, ...] = ()
    if first.light.is_coloured:
        notes = ("the light is strongly coloured: take another photo in whiter light",)
    return Reading(routes, notes)


def _reasons(
    view: View,
    first: FirstLook,
    route: Route,
    likeliest: Colour,
    value: float,
    spaces: Floats,
    s: DoubtSettings,
) -> Iterator[str]:
    """Yield why the answer for a route is not sure."""
    if value > 0 and len(spaces) > 1 and np.min(spaces) < -s.partly:
        covered = int(np.count_nonzero(spaces > 0))
        yield f"only {covered} of {len(spaces)} spaces look covered"
    elif value < 0 and np.max(spaces) > s.partly:
        covered = int(np.count_nonzero(spaces > 0))
        yield f"{covered} of {len(spaces)} spaces look covered"
    if abs(value) < s.sure:
        if _is_washed_out(view, first, route, s):
            yield "glare lies over it"
        elif route.colour == likeliest:
            yield f"{route.colour} trains and the {route.colour} print look alike"
        else:
            yield "it is not clear whether trains stand there"


def _is_washed_out(view: View, first: FirstLook, route: Route, s: DoubtSettings) -> bool:
    """Tell whether a tenth of the route's pixels are nearly white though their print is not."""
    index = [r.id for r in view.printed.board.routes].index(route.id)
    part = (view.printed.route_of == index, *view.printed.middle(20.0, 6.0))
    pixels = view.printed.windows_of_seen[part]
    brighter = first.seen.lab[pixels, 0] > s.glare
    plain = view.printed.reference_lab[pixels, 0] < s.glare - 15
    return bool(np.mean(brighter & plain) > 0.1)


def _between_lanes(
    view: View, first: FirstLook, claimed: dict[str, Colour], s: DoubtSettings
) -> set[str]:
    """Return the lanes between which trains lie: these may be one's or the other's."""
    between: set[str] = set()
    for r, route in enumerate(view.printed.board.routes):
        if route.id in claimed:
            c = view.colours.index(claimed[route.id])
            if _towards_next_lane_mm(view, first, r, c) > s.astray_mm:
                between |= {route.id, *view.printed.board.other_lanes[route.id]}
    return between


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


def _held_twice(view: View, claimed: dict[str, Colour]) -> set[str]:
    """Return the routes that one player cannot hold together."""
    twice: set[str] = set()
    for group in view.exclusive:
        colours = [claimed[route] for route in group if route in claimed]
        if len(set(colours)) < len(colours):
            twice.update(route for route in group if colours.count(claimed.get(route, "")) > 1)
    return twice


def _alternatives(
    view: View, odds: Floats, said: Colour | None, best: Colour, s: DoubtSettings
) -> tuple[Colour | None, ...]:
    """Return what else a route may be, the likeliest first; never nothing."""
    top = float(odds.max())
    near = [view.colours[c] for c in np.argsort(-odds) if odds[c] > max(top - s.rival, -s.rival)]
    answers: list[Colour | None] = [colour for colour in (best, *near) if colour != said]
    if said is not None:
        answers.insert(0, None)
    return tuple(dict.fromkeys(answers))
