"""From odds to answers: the best one for every route, and a doubt where it is not sure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .doubt_reasons import (
    colour_unclear,
    contradicted,
    hidden,
    like_bare_prints,
    print_gone,
    shape_disagrees,
    shows_beside,
    single_pieces,
    unsure,
)
from .drawn_print import cautious
from .first_look import FirstLook
from .lane_doubts import between_lanes, held_twice
from .odds import DoubtSettings, Odds, alternatives, answers_of
from .paleness import is_pale
from .reading import Doubt, PieceReading, Reading
from .single_pieces import StandingPieces
from .station_reading import read_stations
from .view import View

PALE_PHOTO = (
    "the picture is pale, so that colours are hard to tell: wipe the lens, keep lamps from shining"
    " into it, and take another photo"
)


def reading_of(
    view: View, first: FirstLook, odds: Odds, settings: DoubtSettings | None = None
) -> Reading:
    """Return the reading: the likeliest answer for each route, with the doubts."""
    s = settings or DoubtSettings()
    answers = answers_of(view, odds, s)
    reasons = (
        single_pieces(first, odds, answers, s),
        contradicted(odds, answers, s),
        unsure(first, answers, s),
        colour_unclear(odds, answers, s),
        shape_disagrees(odds, answers, s),
        shows_beside(odds, answers, s),
        like_bare_prints(odds, answers, s),
        print_gone(odds, answers, s),
        hidden(odds, answers, s),
        held_twice(answers),
        between_lanes(first, odds, answers, s),
    )
    routes = {}
    for r, route, _ in answers.routes():
        said = answers.claimed.get(route.id)
        whys = dict.fromkeys(found[route.id] for found in reasons if route.id in found)
        why = "; ".join(whys)
        others = alternatives(view, odds.routes[r], said, s)
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
    if view.printed.is_drawn or view.printed.drawn_routes:
        reading = cautious(view, first, reading)
    if view.one_piece_a_route:
        standing = StandingPieces.of(view, odds.spaces, reading.claims)
        reading = replace(reading, pins=standing.pins)
    return reading
