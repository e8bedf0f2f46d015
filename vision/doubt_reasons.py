"""Reasons to doubt what is read of a single route, in words for the players.

Each function returns the routes that it has something to say about, and what.
"""

from __future__ import annotations

import numpy as np
from railspotter.scoring.board import RouteId

from .first_look import FirstLook
from .odds import Answers, DoubtSettings, Odds
from .single_pieces import StandingPieces
from .view import View


def single_pieces(
    first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings
) -> dict[RouteId, str]:
    """Return the routes of which it is not clear whose one piece they have."""
    if not answers.view.one_piece_a_route:
        return {}
    standing = StandingPieces.of(answers.view, odds.spaces, answers.claimed)
    beside = standing.between_lanes(odds.spaces, first.trains.placements)
    return beside | standing.two_colours(odds.spaces, s.sure)


def contradicted(odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, str]:
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


def unsure(first: FirstLook, answers: Answers, s: DoubtSettings) -> dict[RouteId, str]:
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


def colour_unclear(odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the routes on which trains stand that may be of either of two colours."""
    reasons = {}
    for r, route, likeliest in answers.routes():
        if route.id not in answers.claimed or odds.routes.shape[1] < 2:
            continue
        second, best = np.argsort(odds.routes[r])[-2:]
        if odds.routes[r, best] - odds.routes[r, second] < s.apart:
            other = answers.view.colours[second]
            reasons[route.id] = f"{likeliest} and {other} trains look alike there"
    return reasons


def shape_disagrees(odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, str]:
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
        # One train that shows beside its print says nothing of the route's other spaces.
        spaces = odds.spaces[answers.view.printed.route_of == r, answers.best[r]]
        one_sided = not answers.view.one_piece_a_route and np.min(spaces) < 0
        beside = odds.beside[r] >= s.plainly_beside and not one_sided
        silent = odds.covered[r] < s.plain and not beside
        if odds.covered[r] < -s.bare or (own[r, answers.best[r]] and silent):
            reasons[route.id] = f"the print shows through where {likeliest} trains would hide it"
    return reasons


def shows_beside(odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the free routes beside whose print its colour shows."""
    view = answers.view
    return {
        route.id: f"{view.colours[np.argmax(own)]} shows beside the {route.colour} print"
        for (r, route, _), own in zip(answers.routes(), view.is_own_print, strict=True)
        if route.id not in answers.claimed
        and odds.beside[r] > s.beside
        and odds.covered[r] > -s.surely_free
    }


def like_bare_prints(odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the claimed routes that look like what bare prints of their colour do in this photo.

    Whatever the reference shows there, glare or the ink of another copy: trains look otherwise. So
    are those of which the print is like their trains, which look unlike all others of these.
    """
    if odds.off_bare is None:
        return {}
    own = answers.view.is_own_print
    reasons = {}
    for r, route, likeliest in answers.routes():
        if route.id not in answers.claimed:
            continue
        is_own = own[r, answers.best[r]]
        is_like = odds.off_bare[r] < (s.like_own if is_own else s.unlike_bare)
        is_like &= not is_own or odds.covered[r] <= s.surely_covered
        is_unlike = odds.off_own is not None and odds.off_own[r] > s.unlike_own
        if is_like or is_unlike:
            reasons[route.id] = f"{likeliest} trains and the {route.colour} print look alike"
    return reasons


def print_gone(odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, str]:
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


def hidden(odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the routes of which hardly anything is in sight."""
    return {
        route.id: "something lies over it, or the light is too bright there"
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
