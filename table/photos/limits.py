"""What a photo must be to be scored, and how much it may ask about."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.sentence import Sentence
from railspotter.vision.readings import Reading

from ..pieces import impossible_stock
from .scored_photo import ScoredPhoto

# Of a PNG or BMP with a palette. Which colours come into it goes by how much of the picture has
# them, so that trains, of which few pixels are, get the nearest one: black for dark green. The 71
# labelled photos have 16,000 in as many pixels as are looked at.
MOST_FEW_COLOURS = 256
LOOKED_AT = 40_000  # pixels, spread evenly, whose colours are counted
FEW_COLOURS = Sentence(
    "the picture has only {n} colours, too few to tell trains apart: send it as the camera took it"
)
# Places of which it is asked whether a station stands there, where no more of them surely have one.
MOST_STATIONS = 8
MANY_STATIONS = Sentence(
    "stations are hard to tell in this picture: the likeliest places are asked about; look at"
    " every city yourselves"
)
# Share of the routes in sight in doubt from which a print that nobody knows is not read: inks are
# guessed wrongly then, and what seems sure with them. Of 20 pictures of such prints two had more:
# one had four sure answers wrong, the other none, so the refusal costs readings too.
MOST_UNCLEAR = 1 / 4
UNCLEAR_PRINT = Sentence(
    "the board's print is none that is known, and too much is hard to tell: take another photo,"
    " from above and in even light, or first one of the empty board ('railspotter calibrate', or"
    " the page's calibration)"
)


def colours_in(picture: Picture) -> int:
    """Return how many colours a picture has, of pixels that lie spread evenly."""
    apart = max(1, int((picture.shape[0] * picture.shape[1] / LOOKED_AT) ** 0.5))
    some = picture[::apart, ::apart].reshape(-1, 3).astype(np.uint32)
    return len(np.unique(some @ np.array((1, 1 << 8, 1 << 16), np.uint32)))


def asking_less(reading: Reading) -> Reading:
    """Return a reading that asks about few places, and says so where many may have stations."""
    asked = [doubt for doubt in reading.doubts if doubt.spot.kind == "station"]
    if len(asked) <= MOST_STATIONS:
        return reading
    # What is said to stand counts, so it is asked about; what is free is likelier the less sure.
    asked.sort(key=lambda doubt: (doubt.said is None, reading.pieces[doubt.spot].confidence))
    pieces = dict(reading.pieces)
    for doubt in asked[MOST_STATIONS:]:
        if doubt.said is None:
            pieces[doubt.spot] = replace(pieces[doubt.spot], doubt=None)
    return replace(reading, pieces=pieces, notes=(*reading.notes, MANY_STATIONS))


def why_not_scored(photo: ScoredPhoto, *, is_other_print: bool) -> Sentence:
    """Say why what was read is no score, nothing where it is one.

    Too much of a print that nobody knows is in doubt, or somebody has more trains than a box, even
    where all doubts are none of theirs.
    """
    doubted = {doubt.spot for doubt in photo.doubts}
    hidden = sum(spot.kind == "route" for spot in photo.unseen)
    asked = sum(spot.kind == "route" for spot in doubted)
    if is_other_print and asked > MOST_UNCLEAR * (len(photo.board.routes) - hidden):
        return UNCLEAR_PRINT
    certain = {spot: whose for spot, whose in photo.held.items() if spot not in doubted}
    return impossible_stock(msgspec.structs.replace(photo, held=certain).position)
