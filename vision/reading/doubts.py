"""From odds to answers: the best one for every route, and a doubt where it is not sure.

Each reason is a function that returns the routes that it has something to say about, and what, in
words for the players.
"""

from __future__ import annotations

import numpy as np
from railspotter.scoring.board import RouteId
from railspotter.scoring.sentence import Sentence, together

from ..look.first_look import FirstLook
from ..look.view import View
from ..readings import Doubt, PieceReading, Reading
from .loose_plastic import loose_plastic
from .odds import Answers, DoubtSettings, Odds, alternatives, answers_of
from .photo_notes import BY_DRAWING, PARTLY_BY_DRAWING, trouble_of
from .single_pieces import StandingPieces
from .sites import spot_of
from .station_reading import read_stations

# Odds of single pieces were chosen on drawn boards and say less than those of trains: asked about
# is what has log-odds below 1.5, either way, as they were chosen with.
PIECES = DoubtSettings(risk=0.18)


def reading_of(
    view: View, first: FirstLook, odds: Odds, settings: DoubtSettings | None = None
) -> Reading:
    """Return the reading: the likeliest answer for everything on the board, with the doubts.

    A site is a route of one space until here, and stands apart from routes in the reading.
    """
    s = settings or (PIECES if view.pieces.one_piece_a_route else DoubtSettings())
    answers = answers_of(view, odds)
    reasons = (
        single_pieces(first, odds, answers, s),
        contradicted(odds, answers, s),
        unsure(first, odds, answers, s),
        unexplained(first, odds, answers, s),
        hidden(odds, answers, s),
        held_twice(answers),
        between_lanes(first, odds, answers, s),
    )
    pieces = {}
    for r, route, _ in answers.routes():
        said = answers.claimed.get(route.id)
        whys = dict.fromkeys(found[route.id] for found in reasons if route.id in found)
        why = together(whys)
        others = alternatives(view, odds.routes[r], said, s)
        spot = spot_of(view.printed.board, route.id)
        pieces[spot] = PieceReading(
            said,
            confidence=float(1 - answers.risk[r]),
            doubt=Doubt(spot, said, others, why) if why else None,
        )
    if odds.stations is not None:
        pieces |= read_stations(view, odds.stations, set(answers.claimed.values()))
    pins = {}
    if view.pieces.one_piece_a_route:
        pins = StandingPieces.of(view, odds.spaces, answers.claimed).pins
    notes = _notes(view, first, odds, answers, s)
    return Reading(pieces, notes, pins)


def _notes(
    view: View, first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings
) -> tuple[Sentence, ...]:
    """Return what the person with the camera should know."""
    free = (odds.shares[:, -1] > 1 - s.risk) & (odds.covered < -s.plain)
    unsure = (answers.risk > s.risk) | (odds.visible < s.visible)
    trouble = trouble_of(view, first, unsure, free)
    notes = [] if trouble is None else [trouble]
    if view.printed.is_drawn:
        notes.append(BY_DRAWING)
    elif view.printed.drawn_routes:
        notes.append(PARTLY_BY_DRAWING.filled(count=len(view.printed.drawn_routes)))
    return tuple(notes)


def single_pieces(
    first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings
) -> dict[RouteId, Sentence]:
    """Return the routes of which it is not clear whose one piece they have."""
    if not answers.view.pieces.one_piece_a_route:
        return {}
    standing = StandingPieces.of(answers.view, odds.spaces, answers.claimed)
    beside = standing.between_lanes(odds.spaces, first.trains.placements)
    return beside | standing.two_colours(odds.spaces, s.sure)


def contradicted(odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, Sentence]:
    """Return the routes of which single spaces say something else than the whole."""
    reasons: dict[RouteId, Sentence] = {}
    if answers.view.pieces.one_piece_a_route:
        return reasons
    for r, route, _ in answers.routes():
        spaces = odds.spaces[answers.view.printed.route_of == r, answers.best[r]]
        covered = int(np.count_nonzero(spaces > 0))
        if route.id in answers.claimed and len(spaces) > 1 and np.min(spaces) < -s.partly:
            reasons[route.id] = Sentence(
                "only {covered} of {all} spaces look covered", covered=covered, all=len(spaces)
            )
        elif route.id not in answers.claimed and np.max(spaces) > s.partly:
            reasons[route.id] = Sentence(
                "{covered} of {all} spaces look covered", covered=covered, all=len(spaces)
            )
    return reasons


def unsure(
    first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings
) -> dict[RouteId, Sentence]:
    """Return the routes whose answer is too likely to be wrong, and why it may be."""
    view, shares = answers.view, odds.shares
    reasons = {}
    for r, route, likeliest in answers.routes():
        if answers.risk[r] <= s.risk:
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
        elif _is_washed_out(view, first, r, s):
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


def unexplained(
    first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings
) -> dict[RouteId, Sentence]:
    """Return the free routes beside which plastic is seen that belongs to no claim.

    And all lanes of a double route beside which such lies: whose trains stand on which of them is
    not known then. What lies on a route that is filled in part is asked about there.
    """
    view = answers.view
    if view.pieces.one_piece_a_route:
        return {}
    known = answers.claimed.keys() | contradicted(odds, answers, s).keys()
    left = view.printed.per_route_max(loose_plastic(view, first, known))
    beside = {route.id for r, route, _ in answers.routes() if left[r] > s.loose}
    asked = beside - known
    for lanes in view.printed.board.lanes:
        if len(lanes) > 1 and beside.intersection(lanes):
            asked.update(lanes)
    return dict.fromkeys(asked, Sentence("plastic lies there that belongs to no route"))


def hidden(odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, Sentence]:
    """Return the routes of which hardly anything is in sight."""
    return {
        route.id: Sentence("something lies over it, or the light is too bright there")
        for r, route, _ in answers.routes()
        if odds.visible[r] < s.visible
    }


def _is_washed_out(view: View, first: FirstLook, r: int, s: DoubtSettings) -> bool:
    """Tell whether a tenth of the route's pixels are nearly white though their print is not."""
    part = (view.printed.route_of == r, *view.printed.middle(20.0, 6.0))
    pixels = view.printed.windows_of_seen[part]
    brighter = first.seen.lab[pixels, 0] > s.glare
    plain = view.printed.reference_lab[pixels, 0] < s.glare - 15
    return bool(np.mean(brighter & plain) > 0.1)


def held_twice(answers: Answers) -> dict[RouteId, Sentence]:
    """Return the routes that one player cannot hold together."""
    reasons = {}
    for group in answers.view.pieces.exclusive:
        colours = [answers.claimed[route] for route in group if route in answers.claimed]
        for route in group:
            colour = answers.claimed.get(route)
            if colour is not None and colours.count(colour) > 1:
                reasons[route] = Sentence(
                    "{colour} would hold both lanes of a double route", colour=colour
                )
    return reasons


def between_lanes(
    first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings
) -> dict[RouteId, Sentence]:
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
    return dict.fromkeys(between, Sentence("trains lie between the two lanes"))


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
