"""Where everybody's marker stands on the score track: one number a player, or why it is not clear.

A marker is read where one patch of its colour lies on the track that is round, as large as a disc,
by itself, and nearer to one number than to its neighbour however high it lies. Everything else is
said to be unclear: a score that is corrected for a marker nobody saw would be trusted no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.pose import Viewpoint
from railspotter.scoring.sentence import Sentence

from ..colours.train_colours import TrainColour
from ..look.track_look import Outline, Patch, PrintedTrack, track_of, track_patches
from ..look.view import View
from ..readings import Colour, MarkerReading


@dataclass(frozen=True)
class MarkerSettings:
    """What counts as a marker; chosen on markers laid into photos, see docs/vision.md."""

    # Of a disc of 9 mm, and of one of 14 mm with its shadow.
    area_mm2: tuple[float, float] = (50.0, 230.0)
    short_mm: float = 6.5
    round: float = 1.45  # longest over shortest side: black discs with their shadows have 1.3
    high_mm: float = 5.0  # how high a marker is, about
    solid: float = 0.88
    evidence: float = 0.25
    # Share of its surroundings that may be hidden: its shadow's, not another marker's.
    crowded: float = 0.35
    off_track_mm: float = 9.0  # how far beside the line through the numbers a marker may stand
    # How much nearer to one number than to the line between it and the next it must be.
    clear_mm: float = 3.0
    # Where the middle of what is seen of it may be: on the board, or on another marker.
    heights_mm: tuple[float, ...] = (2.5, 7.5)
    rival: float = 0.4
    rival_solid: float = 0.8
    # Another patch of its colour may be the marker too: of this share of its area, this solid, and
    # no longer, as half a disc is.
    rival_round: float = 2.0
    # From here a patch that is no disc may be a marker that is partly hidden.
    perhaps_mm2: float = 35.0


NOT_SEEN = Sentence("it is not seen on the score track")
NO_DISC = Sentence("something {colour} lies at {number}, but no marker by itself")
TWO_PLACES = Sentence("it may stand at {a} or at {b}")
BETWEEN = Sentence("it lies between {a} and {b}")
OTHER_TRACK = Sentence("the score track of this copy is not the one that is known of this board")


def read_markers(
    view: View,
    lit: Picture,
    colours: Sequence[TrainColour],
    settings: MarkerSettings | None = None,
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
    if not track.is_as_known:
        return {colour.name: MarkerReading(None, OTHER_TRACK) for colour in colours}
    s = settings or MarkerSettings()
    line = _Line(track, view.viewpoint, s)
    found = track_patches(view, lit, colours, s.high_mm)
    patches = [patch for patch in found if line.holds(patch)]
    return {
        colour.name: _read(colour.name, [p for p in patches if p.colour == c], line, s)
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


def _read(
    colour: Colour, patches: Sequence[Patch], line: _Line, s: MarkerSettings
) -> MarkerReading:
    """Return what patches of one colour, the largest first, say of its marker."""
    discs = [patch for patch in patches if _is_disc(patch, s)]
    if not discs:
        if not patches or patches[0].seen.area_mm2 < s.perhaps_mm2:
            return MarkerReading(None, NOT_SEEN)
        number = line.stands(patches[0])[0].number
        return MarkerReading(None, NO_DISC.filled(colour=colour, number=number))
    disc = discs[0]
    stands = line.stands(disc)
    for other in patches:
        elsewhere = line.stands(other)[0].number
        if other is not disc and _may_be_marker(other, disc, s):
            return MarkerReading(None, TWO_PLACES.filled(a=stands[0].number, b=elsewhere))
    at = stands[0].number
    for stand in stands:
        if stand.number != at or stand.clear_mm < s.clear_mm:
            a, b = (at, stand.number) if stand.number != at else (at, stand.next)
            return MarkerReading(None, BETWEEN.filled(a=a, b=b))
    return MarkerReading(at)


def _is_disc(patch: Patch, s: MarkerSettings) -> bool:
    # Its side is seen as plastic or taken for shadow.
    return (
        any(_is_round(shape, s) for shape in (patch.seen, patch.top))
        and patch.solid >= s.solid
        and patch.evidence >= s.evidence
        and patch.crowded <= s.crowded
    )


def _is_round(shape: Outline, s: MarkerSettings) -> bool:
    least, most = s.area_mm2
    return (
        least <= shape.area_mm2 <= most
        and shape.short_mm >= s.short_mm
        and shape.long_mm <= s.round * shape.short_mm
    )


def _may_be_marker(other: Patch, disc: Patch, s: MarkerSettings) -> bool:
    """Tell whether another patch may as well be the marker, partly hidden."""
    share = other.seen.area_mm2 / disc.seen.area_mm2
    return (
        share >= s.rival
        and other.solid >= s.rival_solid
        and (other.seen.long_mm <= s.rival_round * other.seen.short_mm)
    )


class _Stand(NamedTuple):
    """The number that something stands at, the next nearest, and how far it is from between."""

    number: int
    next: int
    clear_mm: float


class _Line:
    """The line through the numbers of a score track."""

    def __init__(self, track: PrintedTrack, viewpoint: Viewpoint, s: MarkerSettings) -> None:
        self._steps, self._viewpoint, self._settings = track.xy_mm, viewpoint, s

    def holds(self, patch: Patch) -> bool:
        """Tell whether what is seen there stands on the track, not beside it."""
        foot = self._foot_mm(patch, self._settings.heights_mm[0])
        start, end = self._steps, np.roll(self._steps, -1, axis=0)
        along = end - start
        share = np.einsum("si,si->s", foot - start, along) / np.einsum("si,si->s", along, along)
        nearest = start + np.clip(share, 0, 1)[:, None] * along
        away = np.linalg.norm(foot - nearest, axis=1).min()
        return bool(away <= self._settings.off_track_mm)

    def stands(self, patch: Patch) -> list[_Stand]:
        """Return where what is seen there stands, for every height that it may have."""
        return [self._stand(self._foot_mm(patch, z)) for z in self._settings.heights_mm]

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
