"""Where everybody's marker stands on the score track: one number a player, or why it is not clear.

A marker is read where one patch of its colour lies on the track that is round, as large as a disc,
and nearer to one number than to its neighbour however high it lies. Everything else is
said to be unclear: a score that is corrected for a marker nobody saw would be trusted no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.pose import Viewpoint
from railspotter.scoring.sentence import Sentence

from ..colours.train_colours import TrainColour
from ..look.track_look import (
    HEIGHTS_MM,
    HIGH_MM,
    OFF_TRACK_MM,
    Outline,
    Patch,
    PrintedTrack,
    track_of,
    track_patches,
)
from ..look.view import View
from ..readings import Colour, MarkerReading

# What counts as a marker; chosen on markers laid into photos, see docs/vision.md.
AREA_MM2 = (50.0, 230.0)  # of a disc of 9 mm, and of one of 14 mm with its shadow
ROUND = 1.45  # longest over shortest side: black discs with their shadows have 1.3
SOLID = 0.88
# How much nearer to one number than to the line between it and the next it must be.
CLEAR_MM = 3.0
# Another patch of its colour of this share of its area may be the marker too, partly hidden.
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
    """Return where everybody's marker stands.

    Nothing at all for a board whose score track nobody measured, for a table without markers, and
    where no photo of the empty board tells what is printed there.

    Parameters
    ----------
    lit : (H, W, 3) uint8 array, BGR
        The board from above, in the reference's light.
    colours : sequence of TrainColour
        As this photo shows them.
    """
    printed = view.printed
    if not (view.pieces.markers and printed.board.score_track) or printed.is_drawn:
        return {}
    track = track_of(printed)
    if not track.matches_board:
        return {colour.name: MarkerReading(None, OTHER_TRACK) for colour in colours}
    line = _Line(track, view.viewpoint)
    found = track_patches(view, lit, colours, HIGH_MM)
    patches = [patch for patch in found if line.holds(patch)]
    return {
        colour.name: _read(colour.name, [p for p in patches if p.colour == c], line)
        for c, colour in enumerate(colours)
    }


def agreed(photos: Sequence[Mapping[Colour, MarkerReading]]) -> dict[Colour, MarkerReading]:
    """Return where markers stand by several photos of one board: where all say so that can tell.

    Examples
    --------
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


def _read(colour: Colour, patches: Sequence[Patch], line: _Line) -> MarkerReading:
    """Return what patches of one colour, the largest first, say of its marker."""
    discs = [patch for patch in patches if _is_disc(patch)]
    if not discs:
        if not patches:
            return MarkerReading(None, NOT_SEEN)
        number = line.stands(patches[0])[0].number
        return MarkerReading(None, NO_DISC.filled(colour=colour, number=number))
    disc = discs[0]
    stands = line.stands(disc)
    for other in patches:
        elsewhere = line.stands(other)[0].number
        if other is not disc and other.seen.area_mm2 >= RIVAL * disc.seen.area_mm2:
            return MarkerReading(None, TWO_PLACES.filled(a=stands[0].number, b=elsewhere))
    at = stands[0].number
    for stand in stands:
        if stand.number != at or stand.clear_mm < CLEAR_MM:
            a, b = (at, stand.number) if stand.number != at else (at, stand.next)
            return MarkerReading(None, BETWEEN.filled(a=a, b=b))
    return MarkerReading(at)


def _is_disc(patch: Patch) -> bool:
    # Its side is seen as plastic or taken for shadow.
    return patch.solid >= SOLID and any(map(_is_round, (patch.seen, patch.top)))


def _is_round(shape: Outline) -> bool:
    least, most = AREA_MM2
    return least <= shape.area_mm2 <= most and shape.long_mm <= ROUND * shape.short_mm


class _Stand(NamedTuple):
    """The number that something stands at, the next nearest, and how far it is from between."""

    number: int
    next: int
    clear_mm: float


class _Line:
    """The line through the numbers of a score track."""

    def __init__(self, track: PrintedTrack, viewpoint: Viewpoint) -> None:
        self._steps, self._viewpoint = track.xy_mm, viewpoint

    def holds(self, patch: Patch) -> bool:
        """Tell whether what is seen there stands on the track, not beside it."""
        foot = self._foot_mm(patch, HEIGHTS_MM[0])
        start, end = self._steps, np.roll(self._steps, -1, axis=0)
        along = end - start
        share = np.einsum("si,si->s", foot - start, along) / np.einsum("si,si->s", along, along)
        nearest = start + np.clip(share, 0, 1)[:, None] * along
        away = np.linalg.norm(foot - nearest, axis=1).min()
        return bool(away <= OFF_TRACK_MM)

    def stands(self, patch: Patch) -> list[_Stand]:
        """Return where what is seen there stands, for every height that it may have."""
        return [self._stand(self._foot_mm(patch, z)) for z in HEIGHTS_MM]

    def _foot_mm(self, patch: Patch, above_mm: float) -> Float64s:
        seen = np.array(patch.xy_mm)
        return np.asarray(seen - self._viewpoint.lean_mm(seen, above_mm))

    def _stand(self, foot: Float64s) -> _Stand:
        away2 = ((self._steps - foot) ** 2).sum(axis=1)
        at = int(away2.argmin())
        beside = [(at + step) % len(self._steps) for step in (-1, 1)]
        other = min(beside, key=lambda step: away2[step])
        apart = float(np.linalg.norm(self._steps[at] - self._steps[other]))
        return _Stand(at, other, float(away2[other] - away2[at]) / (2 * apart))
