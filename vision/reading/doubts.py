"""From odds to answers: the best one for every route, and a doubt where it is not sure."""

from __future__ import annotations

from ..look import FirstLook, View
from ..readings import Doubt, PieceReading, Reading
from .doubt_reasons import contradicted, hidden, single_pieces, unexplained, unsure
from .lane_doubts import between_lanes, held_twice
from .odds import Answers, DoubtSettings, Odds, alternatives, answers_of
from .photo_notes import BY_DRAWING, PARTLY_BY_DRAWING, trouble_of
from .single_pieces import StandingPieces
from .sites import kind_of
from .station_reading import read_stations

PIECES = DoubtSettings(risk=0.18)
"""Odds of single pieces were chosen on drawn boards and say less than those of trains: asked about
is what has log-odds below 1.5, either way, as they were chosen with."""


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
    of_trains: dict[str, dict[str, PieceReading]] = {"route": {}, "site": {}}
    for r, route, _ in answers.routes():
        said = answers.claimed.get(route.id)
        whys = dict.fromkeys(found[route.id] for found in reasons if route.id in found)
        why = "; ".join(whys)
        others = alternatives(view, odds.routes[r], said, s)
        kind = kind_of(view.printed.board, route.id)
        of_trains[kind][route.id] = PieceReading(
            route.id,
            said,
            confidence=float(1 - answers.risk[r]),
            doubt=Doubt(route.id, said, others, why, kind) if why else None,
        )
    stations = {}
    if odds.stations is not None:
        stations = read_stations(view, odds.stations, set(answers.claimed.values()))
    pins = {}
    if view.pieces.one_piece_a_route:
        pins = StandingPieces.of(view, odds.spaces, answers.claimed).pins
    notes = _notes(view, first, odds, answers, s)
    return Reading(of_trains["route"], notes, stations, of_trains["site"], pins)


def _notes(
    view: View, first: FirstLook, odds: Odds, answers: Answers, s: DoubtSettings
) -> tuple[str, ...]:
    """Return what the person with the camera should know."""
    free = (odds.shares[:, -1] > 1 - s.risk) & (odds.covered < -s.plain)
    unsure = (answers.risk > s.risk) | (odds.visible < s.visible)
    trouble = trouble_of(view, first, unsure, free)
    notes = [] if trouble is None else [trouble]
    if view.printed.is_drawn:
        notes.append(BY_DRAWING)
    elif view.printed.drawn_routes:
        notes.append(PARTLY_BY_DRAWING.format(count=len(view.printed.drawn_routes)))
    return tuple(notes)
