"""Reads the markers on the score track: a number for each player, or why it is unclear.

A marker is read if one round patch of its colour, as large as a disc, lies on the track, nearer to
one number than to its neighbour whatever its height. Everything else is unclear: a wrong correction
of a score would cost trust.
"""

from collections.abc import Mapping, Sequence

from railspotter.calibration.arrays import Picture
from railspotter.scoring.sentence import Sentence

from ..colours.train_colours import TrainColour
from ..look.track_look import OFF_TRACK_MM, Outline, Patch, PrintedTrack, track_of, track_patches
from ..look.view import View
from ..readings import Colour, MarkerReading

# Limits of a marker; chosen on markers laid into photos, see docs/vision.md.
AREA_MM2 = (50.0, 230.0)  # of a disc of 9 mm, and of one of 14 mm with its shadow
ROUND = 1.45  # longest over shortest side: black discs with their shadows have 1.3
SOLID = 0.88  # least share of its convex hull
# Least distance from the line half way between its number and the next.
CLEAR_MM = 3.0
# Area, as a share of its own, from which another patch of its colour may be the marker too.
RIVAL = 0.4

NOT_SEEN = Sentence("it is not seen on the score track")
NO_DISC = Sentence("something {colour} lies at {number}, but no marker by itself")
TWO_PLACES = Sentence("it may stand at {a} or at {b}")
BETWEEN = Sentence("it lies between {a} and {b}")
OTHER_TRACK = Sentence("the score track of this copy is not the one that is known of this board")


def read_markers(
    view: View,
    lit: Picture,
    colours: Sequence[TrainColour],
) -> dict[Colour, MarkerReading]:
    """Return each colour's marker reading, from the board from above in the reference's light.

    Empty for a board without a measured score track, a table without markers, or a drawn reference.
    The colours are trains' as this photo shows them.
    """
    printed = view.printed
    if not (view.pieces.markers and printed.board.score_track) or printed.is_drawn:
        return {}
    track = track_of(printed)
    if not track.matches_board:
        return {colour.name: MarkerReading(None, OTHER_TRACK) for colour in colours}
    found = track_patches(view, lit, colours)
    patches = [patch for patch in found if track.distance_mm(patch.feet_mm[0]) <= OFF_TRACK_MM]
    return {
        colour.name: _read(colour.name, [p for p in patches if p.colour == c], track)
        for c, colour in enumerate(colours)
    }


def agreed(photos: Sequence[Mapping[Colour, MarkerReading]]) -> dict[Colour, MarkerReading]:
    """Return the marker readings of several photos joined: what all agree on that see a marker.

    >>> hidden, seen = MarkerReading(None, NOT_SEEN), MarkerReading(38)
    >>> agreed([{"blue": hidden, "red": seen}, {"blue": seen, "red": MarkerReading(39)}])["blue"].at
    38
    """
    together = {}
    for colour in photos[0]:
        said = [photo[colour] for photo in photos if colour in photo]
        numbers = sorted({one.at for one in said if one.at is not None})
        if len(numbers) > 1:
            together[colour] = MarkerReading(None, TWO_PLACES.filled(a=numbers[0], b=numbers[1]))
        else:
            together[colour] = next((one for one in said if one.at is not None), said[0])
    return together


def _read(colour: Colour, patches: Sequence[Patch], track: PrintedTrack) -> MarkerReading:
    """Return the marker reading from the patches of one colour, the largest first."""
    discs = [patch for patch in patches if _is_disc(patch)]
    if not discs:
        if not patches:
            return MarkerReading(None, NOT_SEEN)
        number = track.position(patches[0].feet_mm[0]).number
        return MarkerReading(None, NO_DISC.filled(colour=colour, number=number))
    disc = discs[0]
    positions = [track.position(foot_mm) for foot_mm in disc.feet_mm]
    for other in patches:
        elsewhere = track.position(other.feet_mm[0]).number
        if other is not disc and other.seen.area_mm2 >= RIVAL * disc.seen.area_mm2:
            return MarkerReading(None, TWO_PLACES.filled(a=positions[0].number, b=elsewhere))
    at = positions[0].number
    for position in positions:
        if position.number != at or position.clear_mm < CLEAR_MM:
            a, b = (at, position.number) if position.number != at else (at, position.next)
            return MarkerReading(None, BETWEEN.filled(a=a, b=b))
    return MarkerReading(at)


def _is_disc(patch: Patch) -> bool:
    # Its side may be seen as plastic or taken for a shadow.
    return patch.solid >= SOLID and any(map(_is_round, (patch.seen, patch.top)))


def _is_round(shape: Outline) -> bool:
    least, most = AREA_MM2
    return least <= shape.area_mm2 <= most and shape.long_mm <= ROUND * shape.short_mm
