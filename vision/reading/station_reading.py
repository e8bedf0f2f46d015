"""Turns the odds of stations into an answer for each place, with a doubt where it is not sure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from railspotter.calibration.arrays import Float32s
from railspotter.scoring.board import PlaceId
from railspotter.scoring.sentence import Sentence, together
from railspotter.scoring.spot import Spot

from ..look.stations import SeenStations
from ..look.view import View
from ..readings import Colour, Doubt, PieceReading
from .odds import RISK

NOT_CLEAR = Sentence("it is not clear whether a station stands there")

# Log-odds from which a station is sure: in houses that a net was not trained on, some stations less
# likely than this were false.
SURE = 3.0
# Log-odds against a station from which there surely is none: as seldom wrong as other answers.
SURELY_NONE = float(np.log(1 / RISK - 1))
RIVAL = 1.5  # lead over the next colour, in log-odds, below which whose it is is doubted
NAMED = 3.0  # log-odds behind the best answer within which an alternative is offered
VISIBLE = 0.5  # least visibility of a station's place
MARK_SHOWN = 0.7  # least visible share of the mark of a free place: else something unknown hides it
# Share of doubted places from which all stations are: the photo's colours are unlike the net's
# training data, and it takes print for plastic. Drawn and composed boards have .1.
HARD = 1 / 6


def read_stations(
    view: View,
    seen: SeenStations,
    trains: Mapping[Colour, bool],
) -> dict[Spot, PieceReading]:
    """Return the likeliest answer for the station of each place, with doubts.

    Parameters
    ----------
    trains : mapping of colour to bool
        Colours of visible trains, and whether some of them are without a doubt.
    """
    answers = _answers(view, seen)
    too_many = _too_many(view, seen, answers)
    placed = _all_placed(view, seen, answers)
    reasons = [
        [*_reasons(view, seen, p, said, trains, placed)] for p, said in enumerate(answers.values())
    ]
    unclear = sum(NOT_CLEAR in whys for whys in reasons)
    is_hard = view.printed.is_unknown or unclear >= HARD * len(reasons)
    readings = {}
    for p, (place, whys) in enumerate(zip(view.printed.board.places, reasons, strict=True)):
        said = answers[place.id]
        if is_hard and said is not None and not whys:
            whys.append(NOT_CLEAR)
        why = together(whys)
        if place.id in too_many:
            why = together(filter(None, (why, too_many[place.id])))
        others = _alternatives(view, seen.odds[p], said)
        spot = Spot("station", place.id)
        readings[spot] = PieceReading(
            said,
            confidence=float(1 / (1 + np.exp(-abs(seen.odds[p].max())))),
            doubt=Doubt(spot, said, others, why) if why else None,
        )
    return readings


def _answers(view: View, seen: SeenStations) -> dict[PlaceId, Colour | None]:
    """Return the likeliest answer for each place; free where something else lies."""
    stands = (seen.odds.max(axis=1) > 0) & (seen.visible >= VISIBLE)
    return {
        place.id: view.pieces.colours[likeliest] if is_there else None
        for place, likeliest, is_there in zip(
            view.printed.board.places, seen.odds.argmax(axis=1), stands, strict=True
        )
    }


def _reasons(
    view: View,
    seen: SeenStations,
    p: int,
    said: Colour | None,
    trains: Mapping[Colour, bool],
    placed: Collection[Colour],
) -> Iterator[str]:
    """Yield the reasons for a doubt about the place at index `p`."""
    odds = np.sort(seen.odds[p])
    likeliest = view.pieces.colours[int(seen.odds[p].argmax())]
    # Players without trains yet build no station, and those who placed all have none left.
    may_be_theirs = likeliest in trains and likeliest not in placed
    is_unclear = odds[-1] < SURE
    if said is None:
        is_unclear = may_be_theirs and odds[-1] > -SURELY_NONE
    if seen.visible[p] < VISIBLE:
        yield Sentence("something lies over it, or the light is too bright there")
    elif is_unclear:
        yield NOT_CLEAR
    elif said is None and seen.mark_shown[p] < MARK_SHOWN:
        yield Sentence("something hides the place's print, but looks like no player's station")
    elif said is not None and (not trains.get(said, True) or _has_rival(odds)):
        yield Sentence("it is not clear whose station stands there")
    if said is not None and said not in trains:
        yield Sentence("no {colour} trains stand on the board", colour=said)


def _has_rival(odds: Float32s) -> bool:
    """Tell whether the second best of ascending odds is nearly as likely as the best."""
    return len(odds) > 1 and bool(odds[-1] - odds[-2] < RIVAL)


def _all_placed(
    view: View,
    seen: SeenStations,
    answers: Mapping[PlaceId, Colour | None],
) -> set[Colour]:
    """Return the colours whose stations are all surely placed."""
    sure = [
        said
        for said, odds in zip(answers.values(), seen.odds.max(axis=1), strict=True)
        if odds >= SURE
    ]
    return {c for c in view.pieces.colours if sure.count(c) >= view.pieces.stations_each}


def _too_many(
    view: View, seen: SeenStations, answers: Mapping[PlaceId, Colour | None]
) -> dict[PlaceId, Sentence]:
    """Return doubts about the least sure stations of colours with more than a player has."""
    likely = dict(zip(answers, seen.odds.max(axis=1).tolist(), strict=True))
    reasons, each = {}, view.pieces.stations_each
    for colour in view.pieces.colours:
        held = sorted((p for p in answers if answers[p] == colour), key=lambda p: -likely[p])
        for place in held[each:]:
            reasons[place] = Sentence(
                "{held} {colour} stations are seen, of {all}",
                held=len(held),
                colour=colour,
                all=each,
            )
    return reasons


def _alternatives(view: View, odds: Float32s, said: Colour | None) -> tuple[Colour | None, ...]:
    """Return the alternatives to a place's answer, the likeliest first; at least one."""
    order = np.argsort(-odds)
    near = [view.pieces.colours[c] for c in order if odds[c] > odds.max() - NAMED]
    if said is None:
        return tuple(near)
    return (*(colour for colour in near if colour != said), None)
