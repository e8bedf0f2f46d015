"""Where stations stand: whether plastic hides a place's printed mark, and whose.

A station is a house on a square foot that is set down on its city at any angle. It is much wider
than a train and hides the mark that is printed for the city; what is seen of it leans away from
the point under the camera. One part of it lies in its own shade: a colour is therefore looked for
in full light to tell that a station is there, and in shade too to tell whose it is. Trains end
beside every place, of the same plastic: what shape knows to be theirs speaks for no station of
their colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Int32s, Picture

from ..colours.train_colours import TrainColour
from ..lab import distance2
from ..printed.printed_board import PrintedPlaces, places_of
from .evidence import CAP, SeenBoard, colour_evidence, see_board
from .shape_look import TrainsByShape
from .view import View

STATION = 255  # what marks a station's pixels among those of trains, which count from 1


@dataclass(frozen=True)
class StationSettings:
    """Sizes, habits and weights; docs/vision.md says on what they were chosen."""

    # The part of a station's foot that shows only station at whatever angle it stands: the square
    # inside of the square that is turned by 45 degrees.
    part: float = 0.7
    seen_height: float = 0.6  # the middle of what is seen of a station, as a share of its height
    reach_mm: float = 6.0  # how far a station may stand off its city
    habit_mm: float = 3.0  # standard deviation of how far it does
    habit_weight: float = 0.4
    # Weight, as a share of the part, of knowing nothing: little that is in sight says little.
    little: float = 0.25
    shades: tuple[float, ...] = (1.0, 0.75, 0.5)  # what the sides of a house are darkened by
    mark_mm: float = 4.5  # radius of the printed mark
    # Squared standard deviations up to which a pixel of the mark looks like print.
    like_print: float = 3.0
    even: float = -0.4  # mean evidence at which a station is as likely as none
    steepness: float = 2.5  # log-odds for a step of evidence
    # Share of the mark in sight that says nothing. Of stations it was .75 at most, on yellow.
    mark_even: float = 0.8
    mark_weight: float = 20.0
    # Log-odds that the mark can give: one in sight has no station on it, whatever plastic is near;
    # one that is hidden may be hidden by anything.
    mark_range: tuple[float, float] = (-4.0, 1.5)
    whose: float = 2.5  # log-odds for a step of the lead over another colour
    # Log-odds from which a station's pixels are its own before any train is decided.
    plain: float = 2.5


@dataclass(frozen=True, eq=False)
class SeenStations:
    """How likely a station of each colour is, at every place."""

    odds: Float32s  # (P, C) float32 array. Logarithms of odds that it stands there.
    visible: Float32s  # (P,) float32: how much of where it would stand can be seen, 0 to 1
    mark_shown: Float32s  # (P,) float32: the share of the printed mark that can be seen
    foot_mm: Float64s  # (P, 2) float64: where the middle of its foot would be


class StationFinder:
    """Looks for stations in one photo."""

    def __init__(
        self,
        view: View,
        size_mm: tuple[float, float, float],
        lit: Picture,
        colours: Sequence[TrainColour],
        trains: TrainsByShape,
        settings: StationSettings | None = None,
    ) -> None:
        self._settings = settings or StationSettings()
        self._view, self._size_mm, self._known = view, size_mm, trains.owner
        places = places_of(view.printed)
        if view.printed.is_drawn:
            places = replace(places, mark=_mark_in(lit, places))
        self._places = places
        seen = see_board(lit, places)
        at = places.windows_of_seen
        self._from_print = seen.print_distance2[at]
        self._lit = colour_evidence(seen, colours)[at]
        self._leave_out_trains(trains.plastic.reshape(-1)[places.window_pixels])
        from_plastic = _from_shaded(seen, colours, self._settings.shades)
        self._shaded = _lead(from_plastic)[at]
        self._strange = (self._from_print >= CAP) & (from_plastic.min(axis=1)[at] >= CAP)

    def plain(self) -> npt.NDArray[np.uint8]:
        """Return the pixels of the stations that are plain before any train was decided, (H, W).

        `STATION` there, 0 elsewhere.
        """
        # A train's end that was taken for a station here would stay one: it keeps its pixels, and
        # no train is put down on them any more.
        seen = self.look(self._known)
        owner = np.zeros_like(self._known)
        for p in np.flatnonzero(seen.odds.max(axis=1) > self._settings.plain):
            cv2.fillConvexPoly(owner, self._silhouette(seen.foot_mm[p]), STATION)
        return owner

    def look(self, owner: npt.NDArray[np.uint8]) -> SeenStations:
        """Return what stands at every place, around the trains."""
        s, places = self._settings, self._places
        owned = owner.reshape(-1)[places.window_pixels]
        free = ((owned == 0) | (owned == STATION)).astype(np.float32)
        lean = self._view.viewpoint.lean_mm(places.xy_mm, s.seen_height * self._size_mm[2])
        off2 = (places.steps_mm[None, None, :] - lean[:, 0, None, None]) ** 2 + (
            places.steps_mm[None, :, None] - lean[:, 1, None, None]
        ) ** 2
        room = self._part_means(free)
        lit = self._part_means(self._lit * free[..., None])
        # What is out of sight says nothing: as much as evidence that leaves both as likely.
        lit += s.little * s.even
        lit /= (room + s.little)[..., None]
        lit -= (0.5 * s.habit_weight * off2 / s.habit_mm**2).astype(np.float32)[..., None]
        lit[off2 > s.reach_mm**2] = -np.inf
        count, side = off2.shape[:2]
        best = lit.max(axis=-1).reshape(count, -1).argmax(axis=1)
        row, column = np.unravel_index(best, (side, side))
        at = (np.arange(count), row, column)
        evidence = lit[at].max(axis=-1)
        shaded = self._part_means(self._shaded * free[..., None])[at]
        shaded /= (room[at] + s.little)[:, None]
        strange = self._part_means(self._strange * free)[at] / (room[at] + s.little)
        mark = self._mark_shown(free)
        stands = s.steepness * (evidence - s.even)
        stands += np.clip(s.mark_weight * (s.mark_even - mark), *s.mark_range)
        odds = stands[:, None] - s.whose * (shaded.max(axis=1, keepdims=True) - shaded)
        top = np.stack([places.steps_mm[column], places.steps_mm[row]], axis=-1)
        return SeenStations(
            odds.astype(np.float32),
            (1 - strange).astype(np.float32),
            mark,
            places.xy_mm + top - lean,
        )

    def _leave_out_trains(self, plastic: npt.NDArray[np.uint16]) -> None:
        """Let plastic on and beside trains, (P, K, K), say nothing for a station of their colour.

        Of another colour it does: there a station stands before the train, or on its end.
        """
        for c in range(self._lit.shape[-1]):
            lit = self._lit[..., c]
            np.minimum(lit, self._settings.even, out=lit, where=(plastic >> c & 1) > 0)

    def _part_means(self, windows: AnyFloats) -> Float32s:
        """Return the mean over the part of a station around every pixel: (P, K, K, ...), same."""
        # All windows as one tall picture; nobody asks for what one takes from the next.
        side = round(self._settings.part * self._size_mm[0] * self._places.steps_per_mm)
        count, rows, columns = windows.shape[:3]
        tall = windows.reshape(count * rows, columns, -1).astype(np.float32)
        means = cv2.blur(tall, (side, side), borderType=cv2.BORDER_REPLICATE)
        return np.asarray(means, np.float32).reshape(windows.shape)

    def _mark_shown(self, free: Float32s) -> Float32s:
        """Return how much of each place's mark looks like print, (P,), but for under trains."""
        s = self._settings
        inside = self._places.from_middle_mm <= s.mark_mm
        in_sight = free[:, inside]
        shown = (self._from_print[:, inside] < s.like_print) * in_sight
        few = s.little * np.count_nonzero(inside)
        share = (shown.sum(axis=1) + few * s.mark_even) / (in_sight.sum(axis=1) + few)
        return np.asarray(share, np.float32)

    def _silhouette(self, foot_mm: Float64s) -> Int32s:
        """Return the outline of a round station as it is seen, in the rectified board's pixels."""
        length, width, height = self._size_mm
        turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        radius = (length + width) / 4 * 1.1  # between the circles in and around the square
        foot = foot_mm + radius * np.column_stack([np.cos(turn), np.sin(turn)])
        outline = np.vstack([foot, foot + self._view.viewpoint.lean_mm(foot, height)])
        px = np.rint(outline * self._view.printed.px_per_mm - 0.5).astype(np.int32)
        return np.asarray(cv2.convexHull(px), np.int32)


def _from_shaded(
    seen: SeenBoard, colours: Sequence[TrainColour], shades: Sequence[float]
) -> Float32s:
    """Return how far pixels are from each colour, lit or in shade, capped, (M, C)."""
    away = [
        np.min([distance2(seen.lab, _darkened(c, shade)) for shade in shades], axis=0) / c.spread**2
        for c in colours
    ]
    return np.asarray(np.minimum(np.stack(away, axis=-1), CAP), np.float32)


def _darkened(colour: TrainColour, shade: float) -> tuple[float, float, float]:
    lightness, a, b = colour.lab
    return shade * lightness, shade * a, shade * b


def _lead(distance: Float32s) -> Float32s:
    """Return by how much each colour explains a pixel better than the best other one, (M, C)."""
    if distance.shape[1] == 1:
        return np.zeros_like(distance)
    ordered = np.sort(distance, axis=1)
    best, second = ordered[:, :1], ordered[:, 1:2]
    return np.asarray((np.where(distance == best, second, best) - distance) / 2, np.float32)


def _mark_in(lit: Picture, places: PrintedPlaces) -> Picture:
    """Return what this photo shows most places printed with, (K, K, 3) BGR.

    A drawn reference has no marks. Most places have no station, so the median of all is print.
    """
    soft = cv2.GaussianBlur(lit, (0, 0), 0.6).reshape(-1, 3)[places.window_pixels]
    return np.asarray(np.median(soft, axis=0), np.uint8)
