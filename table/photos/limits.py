"""What a photo lacks: why it is not found or scored, notes on how it was read, fewer questions."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pose import Grounds, NotFound, better_measured
from railspotter.scoring.legality import refusal
from railspotter.scoring.sentence import Sentence, together
from railspotter.vision.readings import Reading

from .scored_photo import ScoredPhoto

# The colours of a PNG or BMP with a palette, which is too coarse: the palette prefers frequent
# colours, so the few pixels of trains get wrong ones, such as black for dark green. The 71 labelled
# photos have 16,000 colours in the sampled pixels.
MOST_FEW_COLOURS = 256
SAMPLED_PIXELS = 40_000  # evenly spread pixels whose colours are counted
FEW_COLOURS = Sentence(
    "the picture has only {n} colours, too few to tell trains apart: send it as the camera took it"
)
# The most questions whether a place has a station.
MOST_STATIONS = 8
MANY_STATIONS = Sentence(
    "stations are hard to tell in this picture: the likeliest places are asked about; look at"
    " every city yourselves"
)
# The largest share of visible routes in doubt for an unknown print. Above it the guessed inks are
# wrong, and so are sure readings. Of 20 pictures of such prints two had more: one had four sure
# answers wrong, the other none, so the refusal costs readings too.
MOST_UNCLEAR = 1 / 4
UNCLEAR_PRINT = Sentence(
    "the board's print is none that is known, and too much is hard to tell: take another photo,"
    " from above and in even light, or first one of the empty board, and calibrate with it"
)

TAKE_ANOTHER = Sentence("then take another photo in even light, or name who plays which colour")
OTHER_COPY_NOTE = Sentence(
    "the photo of the empty board in the profile {name!r} does not fit this board, perhaps"
    " another copy of it: read by the print that comes with the program, with more questions;"
    " calibrating with a photo of this board, empty, under another name makes a profile of it"
)
PASSED_NOTE = Sentence(
    "the board was not found with the profile {name!r}, but by the print that comes with the"
    " program, with more questions; by the profile: {error}"
)
OTHER_PRINT_NOTE = Sentence(
    "the board's print is none that is known: it was found by where its routes run, and is read by"
    " what its free routes show; calibrating with a photo of it, empty, makes it surer"
)
CORNERS_HELP = Sentence(
    "another print of the map is read where its routes are seen to run, or where you say its"
    " corners are"
)


def count_colours(picture: Picture) -> int:
    """Count the colours of evenly sampled pixels."""
    step = max(1, int((picture.shape[0] * picture.shape[1] / SAMPLED_PIXELS) ** 0.5))
    sample = picture[::step, ::step].reshape(-1, 3).astype(np.uint32)
    return len(np.unique(sample @ np.array((1, 1 << 8, 1 << 16), np.uint32)))


def limit_questions(reading: Reading) -> Reading:
    """Limit the questions about stations to the likeliest places, with a note."""
    asked = [doubt for doubt in reading.doubts if doubt.spot.kind == "station"]
    if len(asked) <= MOST_STATIONS:
        return reading
    # Stations that were read count, so they are asked about; then the least sure free places.
    asked.sort(key=lambda doubt: (doubt.said is None, reading.pieces[doubt.spot].confidence))
    pieces = dict(reading.pieces)
    for doubt in asked[MOST_STATIONS:]:
        if doubt.said is None:
            pieces[doubt.spot] = replace(pieces[doubt.spot], doubt=None)
    return replace(reading, pieces=pieces, notes=(*reading.notes, MANY_STATIONS))


def why_not_scored(photo: ScoredPhoto, other_prints: Sequence[NotFound | None]) -> Sentence:
    """Return why a reading must not be scored; empty if it may.

    Too much of an unknown print is in doubt, or a player has more pieces than may be believed, even
    without doubtful ones. `other_prints` has of each photo that was read as one why no known print
    was found in it: a poor picture is no unknown print.
    """
    doubted = {doubt.spot for doubt in photo.doubts}
    hidden = sum(spot.kind == "route" for spot in photo.unseen)
    asked = sum(spot.kind == "route" for spot in doubted)
    if other_prints and asked > MOST_UNCLEAR * (len(photo.board.routes) - hidden):
        lost = (one for one in other_prints if one is not None)
        return better_measured(NotFound(UNCLEAR_PRINT, grounds=Grounds.PRINT), *lost).reason
    certain = {spot: whose for spot, whose in photo.held.items() if spot not in doubted}
    return refusal(photo.position, certain, photo.colours, photo.sure, TAKE_ANOTHER)


def why_not_found(lost: NotFound) -> Sentence:
    """Return why a board was not found, with advice if it may have other artwork."""
    return together((lost.reason, CORNERS_HELP)) if lost.grounds <= Grounds.PRINT else lost.reason


def notes_on_unused(profile: str | None, passed: Sequence[NotFound | None]) -> tuple[Sentence, ...]:
    """Return the notes on photos for which the profile was not used.

    `passed` is, for each photo, why the profile did not find the board; None if it did.
    """
    is_this_copy = None in passed
    return tuple(
        dict.fromkeys(
            OTHER_COPY_NOTE.filled(name=profile)
            if lost.grounds <= Grounds.PRINT and not is_this_copy
            else PASSED_NOTE.filled(name=profile, error=lost.reason)
            for lost in passed
            if lost is not None
        )
    )
