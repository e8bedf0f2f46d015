"""From odds to answers: the best one for every route, and a doubt where it is not sure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Route, RouteId

from .drawn_print import cautious
from .first_look import FirstLook
from .lab import Floats
from .paleness import is_pale
from .reading import Colour, Doubt, PieceReading, Reading
from .single_pieces import StandingPieces
from .station_reading import read_stations
from .stations import SeenStations
from .view import View

PALE_PHOTO = (
    "the picture is pale, so that colours are hard to tell: wipe the lens, keep lamps from shining"
    " into it, and take another photo"
)


@dataclass(frozen=True, eq=False)
class Odds:
    """How likely trains of each colour are, as logarithms of odds.

    Attributes
    ----------
    routes : (R, C) float32 array
        That they stand on the route.
    spaces : (N, C) float32 array
        That one stands on the space.
    covered : (R,) float32 array
        That trains of whatever colour stand on the route, by shape alone.
    beside : (R,) float32 array
        Evidence for the colour of a route's print beside that print.
    visible : (R,) float32 array
        How much of the route can be seen, 0 to 1.
    stations : SeenStations or None
        None for a game without stations.
    gone : (R,) float32 array, or None
        How much less of the route's print shows than of bare ones, some 1 where nothing does.
    """

    routes: Floats
    spaces: Floats
    covered: Floats
    beside: Floats
    visible: Floats
    stations: SeenStations | None = None
    gone: Floats | None = None


@dataclass(frozen=True)
class DoubtSettings:
    """When an answer counts as unsure; chosen on shoot-2, whole lights held out."""

    sure: float = 1.5
    """Log-odds, either way, from which an answer stands without a doubt."""
    rival: float = 3.0
    """An alternative is worth naming within this much of the best answer."""
    partly: float = 3.5
    """Log-odds by which single spaces contradict the route's answer."""
    astray_mm: float = 3.0
    """How far trains may stand off a lane towards the next one, of the 9 mm between two."""
    half_way_mm: float = 4.0
    """How far they stand off where nothing tells any more which of two lanes they are meant for."""
    plain: float = 1.5
    """Log-odds by shape from which it is plain that a lane is covered, or free."""
    bare: float = 1.0
    """Log-odds by shape against trains from which claimed ones are doubted. On a print of their own
    colour, of which colour says nothing, they must be plain, by shape or beside the print."""
    plainly_beside: float = 1.5
    """Evidence beside a print of its own colour from which a train is plain: of 965 free prints of
    the labelled photos 6 have more, four of them with trains pushed onto them."""
    beside: float = 0.6
    """Evidence from which a colour beside its own print may be a train's, though the route is read
    as free."""
    surely_free: float = 4.0
    """Log-odds by shape against trains from which what shows beside a print is another's."""
    gone: float = 0.6
    """How much of a print that trains of another name look like may be gone from a free route:
    on drawn boards bare ones miss some .1 at most, hidden ones .55 and more."""
    visible: float = 0.3
    """Share of a route that must be in sight."""
    glare: float = 93.0
    """Lightness from which a print or a train is washed out."""


def reading_of(
    view: View, first: FirstLook, odds: Odds, settings: DoubtSettings | None = None
) -> Reading:
    """Return the reading: the likeliest answer for each route, with the doubts."""
    s = settings or DoubtSettings()
    answers = _answers(view, odds, s)
    reasons = (
        _single_pieces(first, odds, answers, s),
        _contradicted(odds, answers, s),
        _unsure(first, answers, s),
        _shape_disagrees(odds, answers, s),
        _shows_beside(odds, answers, s),
        _print_gone(odds, answers, s),
        _hidden(odds, answers, s),
        _held_twice(answers),
        _between_lanes(first, odds, answers, s),
    )
    routes = {}
    for r, route, _ in answers.routes():
        said = answers.claimed.get(route.id)
        why = "; ".join(found[route.id] for found in reasons if route.id in found)
        others = _alternatives(view, odds.routes[r], said, s)
        routes[route.id] = PieceReading(
            route.id,
            said,
            confidence=float(1 / (1 + np.exp(-abs(answers.value[r])))),
            doubt=Doubt(route.id, said, others, why) if why else None,
        )
    free = (answers.value < 0) & (odds.covered < -s.plain)
    notes = []
    if first.light.is_coloured:
        notes.append("the light is strongly coloured: take another photo in whiter light")
    if is_pale(view, first, free):
        notes.append(PALE_PHOTO)
    stations = {}
    if odds.stations is not None:
        stations = read_stations(view, odds.stations, set(answers.claimed.values()))
    reading = Reading(routes, tuple(notes), stations)
    if view.printed.is_drawn:
        reading = cautious(view, first, reading)
    if view.one_piece_a_route:
        standing = StandingPieces.of(view, odds.spaces, reading.claims)
        reading = replace(reading, pins=standing.pins)
    return reading


@dataclass(frozen=True, eq=False)
class _Answers:
    """The likeliest answers.

    Attributes
    ----------
    best : (R,) int array
        Index of the likeliest colour of each route, also of a free one.
    value : (R,) float32 array
        Its log-odds.
    claimed : dict of str to str
        Route id to colour, of the routes that are not free.
    """

    view: View
    best: npt.NDArray[np.intp]
    value: Floats
    claimed: dict[RouteId, Colour]

    def routes(self) -> Iterator[tuple[int, Route, Colour]]:
        """Yield each route with its index and its likeliest colour."""
        for r, route in enumerate(self.view.printed.board.routes):
            yield r, route, self.view.colours[self.best[r]]


def _answers(view: View, odds: Odds, s: DoubtSettings) -> _Answers:
    best = np.argmax(odds.routes, axis=1)
    value = odds.routes.max(axis=1)
    # A colour with no sure route on the whole board is nobody's: its unsure ones are bare print.
    in_play = np.isin(best, best[(value >= s.sure) & (odds.covered >= s.plain)])
    claimed = {
        route.id: view.colours[best[r]]
        for r, route in enumerate(view.printed.board.routes)
        if value[r] > 0 and in_play[r]
    }
    return _Answers(view, best, value, claimed)


def _single_pieces(
    first: FirstLook, odds: Odds, answers: _Answers, s: DoubtSettings
) -> dict[RouteId, str]:
    """Return the routes of which it is not clear whose one piece they have."""
    if not answers.view.one_piece_a_route:
        return {}
    standing = StandingPieces.of(answers.view, odds.spaces, answers.claimed)
    beside = standing.between_lanes(odds.spaces, first.trains.placements)
    return beside | standing.two_colours(odds.spaces, s.sure)


def _contradicted(odds: Odds, answers: _Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the routes of which single spaces say something else than the whole."""
    reasons: dict[RouteId, str] = {}
    if answers.view.one_piece_a_route:
        return reasons
    for r, route, _ in answers.routes():
        spaces = odds.spaces[answers.view.printed.route_of == r, answers.best[r]]
        covered = int(np.count_nonzero(spaces > 0))
        if answers.value[r] > 0 and len(spaces) > 1 and np.min(spaces) < -s.partly:
            reasons[route.id] = f"only {covered} of {len(spaces)} spaces look covered"
        elif answers.value[r] < 0 and np.max(spaces) > s.partly:
            reasons[route.id] = f"{covered} of {len(spaces)} spaces look covered"
    return reasons


def _unsure(first: FirstLook, answers: _Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the routes whose odds are nearly even, and why they may be."""
    own = answers.view.is_own_print
    reasons = {}
    for r, route, likeliest in answers.routes():
        if abs(answers.value[r]) < s.sure:
            if _is_washed_out(answers.view, first, r, s):
                reasons[route.id] = "glare lies over it"
            elif own[r, answers.best[r]]:
                reasons[route.id] = f"{likeliest} trains and the {route.colour} print look alike"
            else:
                reasons[route.id] = "it is not clear whether trains stand there"
    return reasons


def _shape_disagrees(odds: Odds, answers: _Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the routes whose answer is not what their shape says."""
    own = answers.view.is_own_print
    shaded: set[RouteId] = set()
    if answers.view.one_piece_a_route:
        standing = StandingPieces.of(answers.view, odds.spaces, answers.claimed)
        shaded = standing.shaded(odds.spaces)
    reasons = {}
    for r, route, likeliest in answers.routes():
        if route.id not in answers.claimed:
            if odds.covered[r] > s.plain and route.id not in shaded:
                reasons[route.id] = "something stands there"
            continue
        silent = odds.covered[r] < s.plain and odds.beside[r] < s.plainly_beside
        if odds.covered[r] < -s.bare or (own[r, answers.best[r]] and silent):
            reasons[route.id] = f"the print shows through where {likeliest} trains would hide it"
    return reasons


def _shows_beside(odds: Odds, answers: _Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the free routes beside whose print its colour shows."""
    view = answers.view
    return {
        route.id: f"{view.colours[np.argmax(own)]} shows beside the {route.colour} print"
        for (r, route, _), own in zip(answers.routes(), view.is_own_print, strict=True)
        if route.id not in answers.claimed
        and odds.beside[r] > s.beside
        and odds.covered[r] > -s.surely_free
    }


def _print_gone(odds: Odds, answers: _Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the free routes that colour hardly tells from trains, and whose print does not show.

    Those are prints that trains of another name look like, as white ones do on grey.
    """
    if odds.gone is None:
        return {}
    view = answers.view
    return {
        route.id: "nothing shows of its print"
        for (r, route, _), own in zip(answers.routes(), view.is_own_print, strict=True)
        if route.id not in answers.claimed
        and (own.any() and route.colour not in view.colours)
        and odds.gone[r] > s.gone
    }


def _hidden(odds: Odds, answers: _Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the routes of which hardly anything is in sight."""
    return {
        route.id: "something lies over it, or the light is too bright there"
        for r, route, _ in answers.routes()
        if odds.visible[r] < s.visible
    }


def _held_twice(answers: _Answers) -> dict[RouteId, str]:
    """Return the routes that one player cannot hold together."""
    reasons = {}
    for group in answers.view.exclusive:
        colours = [answers.claimed[route] for route in group if route in answers.claimed]
        for route in group:
            colour = answers.claimed.get(route)
            if colour is not None and colours.count(colour) > 1:
                reasons[route] = f"{colour} would hold both lanes of a double route"
    return reasons


def _between_lanes(
    first: FirstLook, odds: Odds, answers: _Answers, s: DoubtSettings
) -> dict[RouteId, str]:
    """Return the lanes between which trains lie: these may be one's or the other's.

    They do not where it is plain by their shape which of the lanes are covered.
    """
    index = {route.id: r for r, route, _ in answers.routes()}

    def is_plain(lane: RouteId) -> bool:
        covered = float(odds.covered[index[lane]])
        return (covered if lane in answers.claimed else -covered) > s.plain

    between: set[RouteId] = set()
    for r, route, _ in answers.routes():
        if answers.view.one_piece_a_route or route.id not in answers.claimed:
            continue
        lanes = {route.id, *answers.view.printed.board.other_lanes.get(route.id, ())}
        astray_mm = _towards_next_lane_mm(answers.view, first, r, int(answers.best[r]))
        may_be_nexts = astray_mm > s.half_way_mm and not lanes <= answers.claimed.keys()
        if may_be_nexts or (astray_mm > s.astray_mm and not all(map(is_plain, lanes))):
            between |= lanes
    return dict.fromkeys(between, "trains lie between the two lanes")


def _is_washed_out(view: View, first: FirstLook, r: int, s: DoubtSettings) -> bool:
    """Tell whether a tenth of the route's pixels are nearly white though their print is not."""
    part = (view.printed.route_of == r, *view.printed.middle(20.0, 6.0))
    pixels = view.printed.windows_of_seen[part]
    brighter = first.seen.lab[pixels, 0] > s.glare
    plain = view.printed.reference_lab[pixels, 0] < s.glare - 15
    return bool(np.mean(brighter & plain) > 0.1)


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


def _alternatives(
    view: View, odds: Floats, said: Colour | None, s: DoubtSettings
) -> tuple[Colour | None, ...]:
    """Return what else a route may be, the likeliest first; never nothing."""
    order = np.argsort(-odds)
    near = [view.colours[c] for c in order if odds[c] > max(odds.max() - s.rival, -s.rival)]
    answers: list[Colour | None] = [c for c in (view.colours[order[0]], *near) if c != said]
    if said is not None:
        answers.insert(0, None)
    return tuple(dict.fromkeys(answers))
