"""From what was seen at the places to an answer for each: whose station, with a doubt."""

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

# Log-odds from which a station stands without a doubt: in houses that a net had not been taught
# some of what was less sure stood nowhere.
SURE = 3.0
# Log-odds against one from which none does: one is missed as seldom as any answer is wrong unasked.
SURELY_NONE = float(np.log(1 / RISK - 1))
RIVAL = 1.5  # another colour is doubted that is no less likely than this, in log-odds
NAMED = 3.0  # an alternative is worth naming within this much of the best answer
VISIBLE = 0.5  # share of a station's place that must be in sight
# Share of the printed mark that must look like print where none is said to stand: what hides most
# of it is not explained otherwise.
MARK_SHOWN = 0.7
# Share of the places in doubt from which no station is sure: colours are drawn in a way that the
# net was not taught, and it takes print for plastic. Drawn and composed boards have .1.
HARD = 1 / 6


def read_stations(
    view: View,
    seen: SeenStations,
    trains: Mapping[Colour, bool],
) -> dict[Spot, PieceReading]:
    """Return whose station stands at each place: the likeliest answer, with the doubts.

    Parameters
    ----------
    trains : mapping of colour to bool
        The colours of which trains are seen, and whether some surely are that colour's.
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
    """Return the likeliest answers; where something else lies, nothing is said to stand."""
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
    """Yield why the answer for the place at index `p` is not sure, if it is not."""
    odds = np.sort(seen.odds[p])
    likeliest = view.pieces.colours[int(seen.odds[p].argmax())]
    # Whoever has no trains yet builds none, and whose are all placed has none left.
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
    """Tell whether the second of some odds, the least first, is nearly as likely as the best."""
    return len(odds) > 1 and bool(odds[-1] - odds[-2] < RIVAL)


def _all_placed(
    view: View,
    seen: SeenStations,
    answers: Mapping[PlaceId, Colour | None],
) -> set[Colour]:
    """Return the colours of which all stations are surely somewhere: no other can be theirs."""
    sure = [
        said
        for said, odds in zip(answers.values(), seen.odds.max(axis=1), strict=True)
        if odds >= SURE
    ]
    return {c for c in view.pieces.colours if sure.count(c) >= view.pieces.stations_each}


def _too_many(
    view: View, seen: SeenStations, answers: Mapping[PlaceId, Colour | None]
) -> dict[PlaceId, Sentence]:
    """Return the least sure places of a colour of which a player has fewer stations."""
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
    """Return what else may stand at a place, the likeliest first; never nothing."""
    order = np.argsort(-odds)
    near = [view.pieces.colours[c] for c in order if odds[c] > odds.max() - NAMED]
    if said is None:
        return tuple(near)
    return (*(colour for colour in near if colour != said), None)
