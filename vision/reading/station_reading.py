"""Turns the odds of stations into an answer for each place, with a doubt where it is not sure."""

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from railspotter.calibration.arrays import Float32s
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

    `trains` are the colours of visible trains, and whether some of them are without a doubt.
    """
    colours, each = view.pieces.colours, view.pieces.stations_each
    most, best = seen.odds.max(axis=1), seen.odds.argmax(axis=1)
    stands = (most > 0) & (seen.visible >= VISIBLE)
    answers = [colours[c] if is_there else None for c, is_there in zip(best, stands, strict=True)]
    held = {
        c: sorted(np.flatnonzero(stands & (best == i)), key=lambda p: -most[p])
        for i, c in enumerate(colours)
    }
    # Players who placed all surely have none left.
    placed = {c for c, places in held.items() if sum(most[places] >= SURE) >= each}
    reasons = [[*_reasons(view, seen, p, said, trains, placed)] for p, said in enumerate(answers)]
    unclear = sum(NOT_CLEAR in whys for whys in reasons)
    is_hard = view.printed.is_unknown or unclear >= HARD * len(reasons)
    readings = {}
    for p, (place, said, whys) in enumerate(
        zip(view.printed.board.places, answers, reasons, strict=True)
    ):
        if is_hard and said is not None and not whys:
            whys.append(NOT_CLEAR)
        if said is not None and p in held[said][each:]:
            whys.append(
                Sentence(
                    "{held} {colour} stations are seen, of {all}",
                    held=len(held[said]),
                    colour=said,
                    all=each,
                )
            )
        why = together(whys)
        others = _alternatives(view, seen.odds[p], said)
        spot = Spot("station", place.id)
        readings[spot] = PieceReading(
            said,
            confidence=float(1 / (1 + np.exp(-abs(most[p])))),
            doubt=Doubt(spot, said, others, why) if why else None,
        )
    return readings


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


def _alternatives(view: View, odds: Float32s, said: Colour | None) -> tuple[Colour | None, ...]:
    """Return the alternatives to a place's answer, the likeliest first; at least one."""
    order = np.argsort(-odds)
    near = [view.pieces.colours[c] for c in order if odds[c] > odds.max() - NAMED]
    if said is None:
        return tuple(near)
    return (*(colour for colour in near if colour != said), None)
