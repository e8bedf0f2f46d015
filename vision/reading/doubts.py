"""Turns odds into answers: the likeliest for every route, with a doubt where it is not sure.

Each reason for doubts is a function that returns routes, with a sentence for the players. One of
them is plastic that belongs to no answer: every visible train must be somebody's claim.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices
from railspotter.calibration.profiles.picture_quality import GLARE
from railspotter.scoring.board import Route, RouteId
from railspotter.scoring.sentence import Sentence, together
from railspotter.scoring.spot import Spot

from ..look.first_look import FirstLook
from ..look.view import View
from ..readings import UNSEEN, Colour, Doubt, PieceReading, Reading
from .loose_plastic import HALF_WAY_MM, loose_plastic, rims_mm
from .odds import RISK, SURE, WeighedBoard
from .photo_notes import notes_of
from .station_reading import read_stations

# Inks of an unknown print are guessed: on made-up editions and the pale reprint, path-traced, 4 of
# some 40 answers of .98 to .99 were wrong.
RISK_OF_UNKNOWN_PRINT = 0.01
# Log-odds of a single space from which it contradicts the route: enough for an answer of its own.
PARTLY = float(np.log(1 / RISK - 1))
# Most offset of unsure trains towards the next lane, of the 9 mm between two.
ASIDE_MM = 3.0
# Breadth of plastic of nobody's on these lanes from which trains lie under or over others; ordinary
# boards show less.
RIM_MM = 0.5
RIVAL = 3.0  # log-odds behind the best answer within which an alternative is offered
LOOSE = 0.4  # share of a train from which unclaimed plastic beside a route raises a doubt
VISIBLE = 0.3  # least visibility of a route


@dataclass(frozen=True, eq=False)
class Answers:
    """The likeliest answer for every route."""

    weighed: WeighedBoard
    shares: Float64s  # (R, C + 2) float64: of `Odds.shares`
    # (R,) int: the index of the likeliest colour of each route, also of a free one
    best: Indices
    risk: Float64s  # (R,) float64: probability that the answer is wrong
    claimed: dict[RouteId, Colour]  # of routes that are not free
    # Each route, with its index and its likeliest colour.
    routes: tuple[tuple[int, Route, Colour], ...]


def answers_of(weighed: WeighedBoard) -> Answers:
    """Return the likeliest answer for each route.

    First whether anything stands there, then whose: trains of unclear colour are still trains.
    """
    view, every = weighed.view, weighed.odds.shares
    shares = _exclusive_shares(view, every)
    best = np.argmax(weighed.odds.routes, axis=1)
    stands = shares[:, -1] < 0.5
    names = view.pieces.colours
    routes = tuple((r, one, names[best[r]]) for r, one in enumerate(view.printed.board.routes))
    claimed = {route.id: likeliest for r, route, likeliest in routes if stands[r]}
    probability = np.where(stands, shares[np.arange(len(best)), best], shares[:, -1])
    return Answers(weighed, every, best, 1 - probability, claimed, routes)


def _exclusive_shares(view: View, shares: Float64s) -> Float64s:
    """Return the probability of each answer, (R, C + 2), if a player holds one lane of each group.

    A colour that is likely on one lane becomes less likely on the others. Real boards break that
    rule with a probability of `RISK`.
    """
    index = {route.id: r for r, route in enumerate(view.printed.board.routes)}
    exclusive, count = shares.copy(), len(view.pieces.colours)
    for group in view.pieces.exclusive:
        lanes = [index[route] for route in group]
        for lane in lanes:
            for other in set(lanes) - {lane}:
                exclusive[lane, :count] *= 1 - (1 - RISK) * shares[other, :count]
    return np.asarray(exclusive / exclusive.sum(axis=1, keepdims=True), np.float64)


def reading_of(weighed: WeighedBoard, risk: float | None = None) -> Reading:
    """Return the likeliest answer for every spot of a board, with doubts, notes and pins.

    Sites, which are routes of one space up to here, become spots of their own kind. `risk` is the
    probability of a wrong answer up to which no doubt is raised; by default by kind of board.
    """
    view, odds = weighed.view, weighed.odds
    if risk is None:
        risk = RISK_OF_UNKNOWN_PRINT if view.printed.is_unknown else RISK
    answers = answers_of(weighed)
    reasons = (
        crowded(answers),
        contradicted(answers),
        unsure(answers, risk),
        unexplained(answers),
        hidden(answers),
        held_twice(answers),
        between_lanes(answers, risk),
    )
    pieces = {}
    for r, route, _ in answers.routes:
        said = answers.claimed.get(route.id)
        whys = dict.fromkeys(found[route.id] for found in reasons if route.id in found)
        why = together(whys)
        others = _alternatives(view, odds.routes[r], said)
        spot = view.printed.spots[r]
        if not view.routes_shown[r]:
            pieces[spot] = UNSEEN
            continue
        pieces[spot] = PieceReading(
            said,
            confidence=float(1 - answers.risk[r]),
            doubt=Doubt(spot, said, others, why) if why else None,
        )
    if odds.stations is not None:
        # In a light that makes blue trains green, stations are of the same plastic.
        held = {piece.colour for piece in pieces.values()}
        surely_held = {piece.colour for piece in pieces.values() if piece.doubt is None}
        trains = {colour: colour in surely_held for colour in held if colour is not None}
        pieces |= read_stations(view, odds.stations, trains)
        for place, is_shown in zip(view.printed.board.places, view.places_shown, strict=True):
            if not is_shown:
                pieces[Spot("station", place.id)] = UNSEEN
    pins = {}
    if view.pins is not None:
        numbers = zip(answers.routes, view.pins.number.tolist(), strict=True)
        pins = {route.id: at for (_, route, _), at in numbers if route.id in answers.claimed}
    free = (answers.shares[:, -1] > 1 - risk) & (odds.covered < -SURE) & view.routes_shown
    doubted = (answers.risk > risk) | (odds.visible < VISIBLE)
    # What may lie under a thing is doubted for that, and says nothing of the photo.
    is_open = [route.id not in view.maybe_covered for route in view.printed.board.routes]
    notes = notes_of(view, weighed.first, doubted[view.routes_shown & is_open], free)
    return Reading(pieces, notes, pins)


def _alternatives(view: View, odds: Float32s, said: Colour | None) -> tuple[Colour | None, ...]:
    """Return the alternatives to a route's answer, the likeliest first; at least one."""
    order = np.argsort(-odds)
    near = [view.pieces.colours[c] for c in order if odds[c] > max(odds.max() - RIVAL, -RIVAL)]
    answers: list[Colour | None] = [c for c in (view.pieces.colours[order[0]], *near) if c != said]
    if said is not None:
        # If something surely stands there, a likely other colour comes before "free".
        rivals = {view.pieces.colours[c] for c in order if odds[c] > 0 and odds.max() >= SURE}
        answers.insert(sum(colour in rivals for colour in answers), None)
    return tuple(dict.fromkeys(answers))


def crowded(answers: Answers) -> dict[RouteId, Sentence]:
    """Return doubts about routes with several pieces, of which one would fill the route."""
    pins = answers.weighed.view.pins
    if pins is None:
        return {}
    return {
        route.id: Sentence("pieces seem to stand on {n} of its spaces", n=int(pins.covered[r]))
        for r, route, _ in answers.routes
        if pins.covered[r] > 1
    }


def contradicted(answers: Answers) -> dict[RouteId, Sentence]:
    """Return doubts about routes with single spaces that contradict the whole."""
    reasons: dict[RouteId, Sentence] = {}
    for r, route, _ in answers.routes:
        spaces = _space_odds(answers, r)
        covered = int(np.count_nonzero(spaces > 0))
        if route.id in answers.claimed and len(spaces) > 1 and np.min(spaces) < -PARTLY:
            reasons[route.id] = Sentence(
                "only {covered} of {all} spaces look covered", covered=covered, all=len(spaces)
            )
        elif route.id not in answers.claimed and np.max(spaces) > PARTLY:
            reasons[route.id] = Sentence(
                "{covered} of {all} spaces look covered", covered=covered, all=len(spaces)
            )
    return reasons


def unsure(answers: Answers, risk: float) -> dict[RouteId, Sentence]:
    """Return doubts about answers that are wrong with a probability above `risk`."""
    view, shares = answers.weighed.view, answers.shares
    unproved = _inks_seen_once(answers, risk)
    reasons = {}
    for r, route, likeliest in answers.routes:
        if answers.risk[r] <= risk and route.id not in unproved:
            continue
        of_colours = shares[r, : len(view.pieces.colours)].copy()
        of_colours[answers.best[r]] = 0
        second = int(of_colours.argmax())
        is_claimed = route.id in answers.claimed
        if is_claimed and of_colours[second] > max(shares[r, -1], shares[r, -2]):
            other = view.pieces.colours[second]
            reasons[route.id] = Sentence(
                "{colour} and {other} trains look alike there", colour=likeliest, other=other
            )
        elif is_claimed and shares[r, -2] > shares[r, -1]:
            reasons[route.id] = Sentence("what lies there has no player's colour")
        elif _is_washed_out(view, answers.weighed.first, r):
            reasons[route.id] = Sentence("glare lies over it")
        elif view.is_own_print[r, answers.best[r]]:
            reasons[route.id] = Sentence(
                "{colour} trains and the {print} print look alike",
                colour=likeliest,
                print=route.colour,
            )
        else:
            reasons[route.id] = Sentence("it is not clear whether trains stand there")
    return reasons


def _inks_seen_once(answers: Answers, risk: float) -> set[RouteId]:
    """Return the free routes of an unknown print that are the only ones of their ink.

    The ink was measured on them, so it may be the colour of trains.
    """
    if not answers.weighed.view.printed.is_unknown:
        return set()
    free = {
        route.id: route.colour
        for r, route, _ in answers.routes
        if answers.weighed.view.routes_shown[r]
        and route.id not in answers.claimed
        and answers.risk[r] <= risk
    }
    shown = Counter(free.values())
    return {route for route, ink in free.items() if shown[ink] == 1}


def unexplained(answers: Answers) -> dict[RouteId, Sentence]:
    """Return doubts about free routes with unclaimed plastic beside them.

    Beside a double route all its lanes are doubted, since its trains may be on either. Routes that
    `contradicted` reports are left out.
    """
    view = answers.weighed.view
    known = answers.claimed.keys() | contradicted(answers).keys()
    left = view.printed.per_route_max(loose_plastic(view, answers.weighed.first, known))
    beside = {route.id for r, route, _ in answers.routes if left[r] > LOOSE}
    asked = beside - known
    for lanes in view.printed.board.lanes:
        if len(lanes) > 1 and beside.intersection(lanes):
            asked.update(lanes)
    return dict.fromkeys(asked, Sentence("plastic lies there that belongs to no route"))


def hidden(answers: Answers) -> dict[RouteId, Sentence]:
    """Return doubts about routes that are hardly visible."""
    return {
        route.id: Sentence("something lies over it, or the light is too bright there")
        for r, route, _ in answers.routes
        if answers.weighed.odds.visible[r] < VISIBLE
    }


def _is_washed_out(view: View, first: FirstLook, r: int) -> bool:
    """Tell whether glare covers a tenth of a route: pixels nearly white on darker print."""
    pixels = view.printed.middles_of_seen[view.printed.route_of == r]
    brighter = first.seen.lab[pixels, 0] > GLARE
    plain = view.printed.reference_lab[pixels, 0] < GLARE - 15
    return bool(np.mean(brighter & plain) > 0.1)


def held_twice(answers: Answers) -> dict[RouteId, Sentence]:
    """Return doubts about groups of routes of which one player holds more than one."""
    reasons = {}
    for group in answers.weighed.view.pieces.exclusive:
        colours = [answers.claimed[route] for route in group if route in answers.claimed]
        for route in group:
            colour = answers.claimed.get(route)
            if colour is not None and colours.count(colour) > 1:
                reasons[route] = Sentence(
                    "{colour} would hold both lanes of a double route", colour=colour
                )
    return reasons


def between_lanes(answers: Answers, risk: float) -> dict[RouteId, Sentence]:
    """Return doubts about lanes between which trains stand: they may belong to either.

    All lanes are doubted together. If all answers are sure, none is doubted when trains stand on
    every lane, and else only if they stand half way to a free one. If most of a free one's
    spaces look covered, the row of trains may be its own; plastic of a colour that no lane has may
    be of a squeezed row. Pins hold single pieces in their lane.
    """
    view = answers.weighed.view
    if view.pins is not None:
        return {}
    index = {route.id: r for r, route, _ in answers.routes}
    rims, between = rims_mm(view, answers.weighed.first), set[RouteId]()
    for lanes in view.printed.board.lanes:
        rows, held = [index[lane] for lane in lanes], answers.claimed.keys() & {*lanes}
        free = [index[lane] for lane in lanes if lane not in held]
        all_sure = np.all(answers.risk[rows] <= risk)
        if not held or (all_sure and not free):
            continue
        off_mm = max(_towards_next_lane_mm(answers, index[lane]) for lane in held)
        holders = [answers.claimed[lane] for lane in held]
        strange = ~view.is_own_print[rows].any(axis=0) & ~np.isin(view.pieces.colours, holders)
        if (
            off_mm > (HALF_WAY_MM if all_sure else ASIDE_MM)
            or any(np.mean(_space_odds(answers, lane) > 0) > 0.5 for lane in free)
            or (free and rims[rows][:, strange].max(initial=0) > RIM_MM)
        ):
            between.update(lanes)
    return dict.fromkeys(between, Sentence("trains lie between the two lanes"))


def _space_odds(answers: Answers, r: int) -> Float32s:
    """Return the log-odds of a route's likeliest colour on each of its spaces."""
    of_route = answers.weighed.view.printed.route_of == r
    odds: Float32s = answers.weighed.odds.spaces[of_route, answers.best[r]]
    return odds


def _towards_next_lane_mm(answers: Answers, r: int) -> float:
    """Return the mean offset of a route's trains towards the lane beside it, in mm."""
    printed = answers.weighed.view.printed
    route, own = printed.board.routes[r], printed.route_of == r
    offset = answers.weighed.first.trains.placements.offset_mm[own, answers.best[r]]
    lanes = printed.board.other_lanes.get(route.id, frozenset())
    furthest = 0.0
    for o, other in enumerate(printed.board.routes):
        if other.id in lanes and other.length == route.length:
            beside = printed.xy_mm[printed.route_of == o]
            way = (beside if other.a == route.a else beside[::-1]) - printed.xy_mm[own]
            way /= np.linalg.norm(way, axis=1, keepdims=True)
            furthest = max(furthest, float(np.mean(np.einsum("ni,ni->n", offset, way))))
    return furthest
