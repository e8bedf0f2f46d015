"""Reasons to doubt what is read of a single route, in words for the players.

Each function returns the routes that it has something to say about, and what.
"""

from __future__ import annotations

import numpy as np
from railspotter.scoring.board import RouteId

from ..look import FirstLook, View
from .loose_plastic import loose_plastic
from .odds import Answers, DoubtSettings, Odds
from .single_pieces import StandingPieces


def single_pieces(
    first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings
) -> dict[RouteId, str]:
    """Return the routes of which it is not clear whose one piece they have."""
    if not answers.view.pieces.one_piece_a_route:
        return {}
    standing = StandingPieces.of(answers.view, odds.spaces, answers.claimed)
    beside = standing.between_lanes(odds.spaces, first.trains.placements)
    return beside | standing.two_colours(odds.spaces, s.sure)


def contradicted(odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, str]:
    """Return the routes of which single spaces say something else than the whole."""
    reasons: dict[RouteId, str] = {}
    if answers.view.pieces.one_piece_a_route:
        return reasons
    for r, route, _ in answers.routes():
        spaces = odds.spaces[answers.view.printed.route_of == r, answers.best[r]]
        covered = int(np.count_nonzero(spaces > 0))
        if route.id in answers.claimed and len(spaces) > 1 and np.min(spaces) < -s.partly:
            reasons[route.id] = f"only {covered} of {len(spaces)} spaces look covered"
        elif route.id not in answers.claimed and np.max(spaces) > s.partly:
            reasons[route.id] = f"{covered} of {len(spaces)} spaces look covered"
    return reasons


def unsure(first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings) -> dict[RouteId, str]:
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
            reasons[route.id] = f"{likeliest} and {other} trains look alike there"
        elif is_claimed and shares[r, -2] > shares[r, -1]:
            reasons[route.id] = "what lies there has no player's colour"
        elif _is_washed_out(view, first, r, s):
            reasons[route.id] = "glare lies over it"
        elif view.is_own_print[r, answers.best[r]]:
            reasons[route.id] = f"{likeliest} trains and the {route.colour} print look alike"
        else:
            reasons[route.id] = "it is not clear whether trains stand there"
    return reasons


def unexplained(
    first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings
) -> dict[RouteId, str]:
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
    return dict.fromkeys(asked, "plastic lies there that belongs to no route")


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
