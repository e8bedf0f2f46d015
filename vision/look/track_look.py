"""Finds patches of each colour's plastic on the score track, where its print is hidden.

A marker is a small round disc of the player's colour. The track is printed in a few strong colours,
red among them, and where the reference had glare another photo's print would pass for plastic. So
plastic must be unlike two prints: the reference's there, and the usual look, in this photo, of the
other steps of the same side.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices, Int32s, Mask, Picture
from railspotter.calibration.pose import Viewpoint

from ..colours.train_colours import TrainColour
from ..printed.board_cache import cached_per_board
from ..printed.print_windows import PrintRange, PrintWindows
from ..printed.printed_board import PrintedBoard
from .evidence import CAP, SeenBoard, colour_evidence, see_board
from .view import View

REACH_MM = 17.0  # half the window: half a step, and a marker's radius or lean
SAME_WAY_DEG = 15.0  # directions of the track are rounded to this
ENOUGH_ALIKE = 8  # steps that a side needs for its usual look
# Least `alikeness` of a known track: real copies have .35 to .71; with a tenth or a fifth fewer
# steps .11 at most.
ALIKE = 0.2
HIGH_MM = 5.0  # height of a marker, about
# Heights of the middle of a marker's image: on the board, or on another marker.
HEIGHTS_MM = (0.5 * HIGH_MM, 1.5 * HIGH_MM)
OFF_TRACK_MM = 9.0  # most distance of a marker from the line through the numbers
# Factor of brightness below which a shadow may be black plastic: the track is dark, and shape
# decides.
DARKEST = 0.8
# Percentiles, over a side's steps, between which a pixel shows usual print: its numbers differ.
USUAL_PERCENT = (35, 65)
# Half-width of gaps that are closed: numbers in a plastic's colour cut into discs.
CLOSED_MM = 2.5
LEAST_MM2 = 35.0  # a smaller patch is noise
NOTHING = -CAP / 2  # evidence for a colour where nothing of it is seen


@dataclass(frozen=True, eq=False)
class PrintedTrack(PrintWindows):
    """The S steps of a copy's score track, and a window of print around each.

    Windows are square, K by K pixels, with the step's middle in the middle; those of neighbours
    overlap, so that nothing on the track lies between two.
    """

    printed: PrintedBoard

    @cached_property
    def xy_mm(self) -> Float64s:
        """The middles of the steps, from Start on, (S, 2)."""
        return np.array(self.printed.board.score_track, np.float64).reshape(-1, 2)

    @cached_property
    def window_pixels(self) -> Int32s:
        """Indices of each window's pixels in the flattened picture, (S, K, K)."""
        # By whole pixels: no pixel between two may be left out.
        half = round(REACH_MM * self.printed.px_per_mm)
        around = np.arange(-half, half + 1)
        height, width = self.printed.reference.shape[:2]
        middle = np.rint(self.xy_mm * self.printed.px_per_mm - 0.5).astype(np.int32)
        columns = np.clip(middle[:, 0, None] + around, 0, width - 1)
        rows = np.clip(middle[:, 1, None] + around, 0, height - 1)
        return np.asarray(rows[:, :, None] * width + columns[:, None, :], np.int32)

    @cached_property
    def print_range(self) -> PrintRange:
        """The range of the print at `seen_pixels`."""
        return PrintRange.of(self.printed.reference, self.seen_pixels)

    @cached_property
    def sides(self) -> tuple[Indices, ...]:
        """The steps of each side, which are printed alike: those in one direction of the track."""
        onward = np.roll(self.xy_mm, -1, axis=0) - np.roll(self.xy_mm, 1, axis=0)
        turns = np.degrees(np.arctan2(onward[:, 1], onward[:, 0]))
        ways = np.rint(turns / SAME_WAY_DEG).astype(int) % round(360 / SAME_WAY_DEG)
        sides = (np.flatnonzero(ways == way) for way in np.unique(ways))
        return tuple(side for side in sides if len(side) >= ENOUGH_ALIKE)

    @cached_property
    def alikeness(self) -> float:
        """How much the steps of a side look alike in the reference, 0 to 1.

        Printings differ in their number of steps: if this copy has another one than the board
        file, every window shows another part of a step.
        """
        grey = cv2.cvtColor(self.printed.reference, cv2.COLOR_BGR2GRAY).reshape(-1)
        half = self.window_pixels.shape[1] // 2
        inner = slice(half - half // 2, half + half // 2 + 1)
        found: list[Float64s] = []
        for side in self.sides:
            shown = grey[self.window_pixels[side][:, inner, inner]].astype(np.float32)
            # What is the same all along the track is taken out.
            runs_across = np.ptp(self.xy_mm[side], axis=0).argmax() == 0
            shown -= shown.mean(axis=2 if runs_across else 1, keepdims=True)
            shown = shown.reshape(len(side), -1)
            usual = np.median(shown, axis=0)
            lengths = np.linalg.norm(shown, axis=1) * np.linalg.norm(usual)
            found.append(np.asarray(shown @ usual / (lengths + 1e-3), np.float64))
        return float(np.median(np.concatenate(found))) if found else 0.0

    @property
    def matches_board(self) -> bool:
        """Whether this copy's steps lie where the board file has them."""
        return self.alikeness >= ALIKE

    def distance_mm(self, foot_mm: Float64s) -> float:
        """Return the distance of a point from the line through the steps."""
        start, along = self.xy_mm, np.roll(self.xy_mm, -1, axis=0) - self.xy_mm
        share = np.einsum("si,si->s", foot_mm - start, along) / np.einsum("si,si->s", along, along)
        nearest = start + np.clip(share, 0, 1)[:, None] * along
        return float(np.linalg.norm(foot_mm - nearest, axis=1).min())

    def position(self, foot_mm: Float64s) -> "TrackPosition":
        """Return the position of a point on the track."""
        away2 = ((self.xy_mm - foot_mm) ** 2).sum(axis=1)
        at, count = int(away2.argmin()), len(self.xy_mm)
        other = min(((at - 1) % count, (at + 1) % count), key=lambda step: away2[step])
        apart = float(np.linalg.norm(self.xy_mm[at] - self.xy_mm[other]))
        return TrackPosition(at, other, float(away2[other] - away2[at]) / (2 * apart))


class TrackPosition(NamedTuple):
    """A position on the track: its number, the next nearest, and the distance from half way."""

    number: int
    next: int
    clear_mm: float


@cached_per_board
def track_of(printed: PrintedBoard) -> PrintedTrack:
    """Return a board's score track, cached with the board."""
    return PrintedTrack(printed)


@dataclass(frozen=True)
class Outline:
    """The size of a shape."""

    area_mm2: float
    long_mm: float  # long_mm, short_mm: sides of the smallest rectangle around it
    short_mm: float


@dataclass(frozen=True, eq=False)
class Patch:
    """A connected patch of plastic of one colour."""

    colour: int  # index of the colour
    # Where it stands if the middle of its image is as high as each of `HEIGHTS_MM`, (2,) each.
    feet_mm: tuple[Float64s, ...]
    seen: Outline  # all of it
    top: Outline  # without its side, as seen from straight above
    solid: float  # its share of its convex hull; near 1 for a disc


def track_patches(view: View, lit: Picture, colours: Sequence[TrainColour]) -> tuple[Patch, ...]:
    """Return the patches of plastic that lie on the score track, the largest first.

    `lit` is the board from above, in the reference's light; markers are painted in the trains'
    colours, as this photo shows them.
    """
    track = track_of(view.printed)
    seen = see_board(lit, track.print_range, DARKEST)
    evidence = colour_evidence(seen, colours)
    # Only where a colour explains a pixel better than the reference, other steps are compared too.
    asked = _candidate_pixels(track, np.ravel(cv2.reduce(evidence, 1, cv2.REDUCE_MAX)))
    evidence[~asked] = NOTHING
    if asked.any():
        by_others = see_board(lit, usual_steps(track, lit, asked), DARKEST)
        from_print = np.minimum(seen.print_distance2[asked], by_others.print_distance2)
        evidence[asked] = colour_evidence(SeenBoard(seen.lab[asked], from_print), colours)
    patches = [
        patch
        for c in range(len(colours))
        for patch in _patches(c, track, evidence[:, c], view.viewpoint)
    ]
    return tuple(sorted(patches, key=lambda patch: -patch.seen.area_mm2))


def usual_steps(track: PrintedTrack, lit: Picture, asked: Mask) -> PrintRange:
    """Return the usual look of steps in this photo, by the others of their side.

    `asked` are the pixels of the track that are wanted, (M,).
    """
    soft = cv2.GaussianBlur(lit, (0, 0), 0.6).reshape(-1, 3)[track.seen_pixels]
    low, high = (np.full(soft.shape, far, np.float32) for far in (np.inf, -np.inf))
    for side in track.sides:
        windows = track.windows_of_seen[side]
        windows = windows[:, asked[windows].any(axis=0)]
        usual = np.percentile(soft[windows], USUAL_PERCENT, axis=0).astype(np.float32)
        for pixels in windows[asked[windows].any(axis=1)]:
            low[pixels] = np.minimum(low[pixels], usual[0])
            high[pixels] = np.maximum(high[pixels], usual[1])
    known, is_measured = track.print_range, np.isfinite(low[asked])
    return PrintRange(
        track.seen_pixels[asked],
        np.where(is_measured, low[asked], known.low[asked]),
        np.where(is_measured, high[asked], known.high[asked]),
    )


def _plastic(track: PrintedTrack, evidence: Float32s) -> Picture:
    """Return a mask of the board, (H, W): 1 where the track's pixels surely show plastic."""
    shape = track.printed.reference.shape[:2]
    picture = np.full(shape[0] * shape[1], NOTHING, np.float32)
    picture[track.seen_pixels] = evidence
    positive = (cv2.blur(picture.reshape(shape), (3, 3)) > 0).astype(np.uint8)
    plain = cv2.morphologyEx(positive, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closing = _round_kernel(CLOSED_MM * track.printed.px_per_mm)
    return np.asarray(cv2.morphologyEx(plain, cv2.MORPH_CLOSE, closing), np.uint8)


def _large_pieces(track: PrintedTrack, plastic: Picture) -> Iterator[tuple[slice, slice, Picture]]:
    """Yield the rows, columns and mask of each piece of plastic with a large bounding box."""
    outlines, _ = cv2.findContours(plastic, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        x, y, width, height = cv2.boundingRect(outline)
        if width * height >= LEAST_MM2 * track.printed.px_per_mm**2:
            rows, columns = slice(y, y + height), slice(x, x + width)
            inside = np.zeros((height, width), np.uint8)
            cv2.drawContours(inside, [outline - (x, y)], -1, 1, cv2.FILLED)
            yield rows, columns, inside & plastic[rows, columns]


def _candidate_pixels(track: PrintedTrack, evidence: Float32s) -> Mask:
    """Tell which of the track's pixels are in large pieces of plastic or beside one, (M,)."""
    plastic = _plastic(track, evidence)
    pieces = np.zeros_like(plastic)
    for rows, columns, inside in _large_pieces(track, plastic):
        pieces[rows, columns] |= inside
    return np.asarray(cv2.dilate(pieces, np.ones((3, 3))).reshape(-1)[track.seen_pixels] > 0)


def _patches(
    colour: int, track: PrintedTrack, evidence: Float32s, viewpoint: Viewpoint
) -> Iterator[Patch]:
    """Yield the patches in which a colour is the best explanation."""
    px_per_mm, plastic = track.printed.px_per_mm, _plastic(track, evidence)
    for rows, columns, inside in _large_pieces(track, plastic):
        count, pieces, stats, middles = cv2.connectedComponentsWithStats(inside, connectivity=4)
        for piece in range(1, count):
            area = int(stats[piece, cv2.CC_STAT_AREA])
            if area < LEAST_MM2 * px_per_mm**2:
                continue
            middle_mm = (middles[piece] + (columns.start + 0.5, rows.start + 0.5)) / px_per_mm
            # A top is seen beside its foot, and the side fills the way between: eroding the patch
            # by that way leaves a shape as large as the top.
            kernel = _line_kernel(viewpoint.lean_mm(middle_mm, HIGH_MM) * px_per_mm)
            own = np.zeros_like(plastic)
            own[rows, columns] = pieces == piece
            outline = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0][0]
            hull = cv2.fillConvexPoly(np.zeros_like(own), cv2.convexHull(outline), 1)
            yield Patch(
                colour,
                tuple(middle_mm - viewpoint.lean_mm(middle_mm, z) for z in HEIGHTS_MM),
                _size_of(own, px_per_mm),
                _size_of(np.asarray(cv2.erode(own, kernel), np.uint8), px_per_mm),
                float(area / hull.sum()),
            )


def _size_of(shape: Picture, px_per_mm: float) -> Outline:
    """Return the size of a mask."""
    pixels = cv2.findNonZero(shape)
    if pixels is None:
        return Outline(0.0, 0.0, 0.0)
    sides = (np.array(cv2.minAreaRect(pixels)[1]) + 1) / px_per_mm
    return Outline(len(pixels) / px_per_mm**2, float(sides.max()), float(sides.min()))


def _line_kernel(to_px: Float64s) -> Picture:
    """Return a morphological kernel: a line one pixel wide, along a vector, (2,)."""
    end = np.rint(to_px / 2).astype(int)
    half = np.abs(end)
    kernel = np.zeros((2 * half[1] + 1, 2 * half[0] + 1), np.uint8)
    return np.asarray(cv2.line(kernel, (half - end).tolist(), (half + end).tolist(), 1), np.uint8)


def _round_kernel(radius_px: float) -> Picture:
    """Return a round morphological kernel."""
    side = 2 * round(radius_px) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
