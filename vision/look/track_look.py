"""What stands on the score track: patches of each colour's plastic where its print is hidden.

A marker is a small round disc of the player's colour. The track is printed in few strong colours
of its own, red among them, and glare that lay on the photo of the empty board would pass for
plastic where another photo has none. So plastic must be unlike two prints: the reference's there,
and what the other steps of the same side show in this very photo.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices, Int32s, Picture

from ..colours.train_colours import TrainColour
from ..printed.board_cache import cached_per_board
from ..printed.print_windows import PrintWindows
from ..printed.printed_board import PrintedBoard
from .evidence import CAP, colour_evidence, see_board
from .view import View

REACH_MM = 17.0  # half the window: half a step, a marker's radius or its lean
SAME_WAY_DEG = 15.0
ENOUGH_ALIKE = 8  # steps of a side from which they tell what an empty one looks like
# References of real copies have .35 to .71; with a tenth or a fifth fewer steps .11 at most.
ALIKE = 0.2


@dataclass(frozen=True, eq=False)
class PrintedTrack(PrintWindows):
    """Where a copy prints the steps of its score track, S of them, and what is printed there.

    Windows are square, K by K pixels, with the step's middle in the middle; those of neighbours
    overlap, so that nothing on the track lies between two.
    """

    printed: PrintedBoard

    @cached_property
    def xy_mm(self) -> Float64s:
        """The middles of the steps from Start on, (S, 2)."""
        return np.array(self.printed.board.score_track, np.float64).reshape(-1, 2)

    @cached_property
    def window_pixels(self) -> Int32s:
        """For each window's pixels, where they are in the flattened picture: (S, K, K)."""
        # By whole pixels: no pixel between two may be left out.
        half = round(REACH_MM * self.printed.px_per_mm)
        around = np.arange(-half, half + 1)
        height, width = self.printed.reference.shape[:2]
        middle = np.rint(self.xy_mm * self.printed.px_per_mm - 0.5).astype(np.int32)
        columns = np.clip(middle[:, 0, None] + around, 0, width - 1)
        rows = np.clip(middle[:, 1, None] + around, 0, height - 1)
        return np.asarray(rows[:, :, None] * width + columns[:, None, :], np.int32)

    @cached_property
    def reference_range(self) -> tuple[Float32s, Float32s]:
        """The least and the largest value of the print within one pixel, (M, 3) each."""
        return self.range_in(self.printed.reference)

    @cached_property
    def sides(self) -> tuple[Indices, ...]:
        """The steps that are printed alike: those from which the track goes on the same way."""
        onward = np.roll(self.xy_mm, -1, axis=0) - np.roll(self.xy_mm, 1, axis=0)
        turns = np.degrees(np.arctan2(onward[:, 1], onward[:, 0]))
        ways = np.rint(turns / SAME_WAY_DEG).astype(int) % round(360 / SAME_WAY_DEG)
        sides = (np.flatnonzero(ways == way) for way in np.unique(ways))
        return tuple(side for side in sides if len(side) >= ENOUGH_ALIKE)

    @cached_property
    def alikeness(self) -> float:
        """How much the steps of a side look alike in the reference, 0 to 1.

        Printings differ, some in how many steps there are: where this copy has other ones, every
        window shows another part of a step.
        """
        grey = cv2.cvtColor(self.printed.reference, cv2.COLOR_BGR2GRAY).reshape(-1)
        half = self.window_pixels.shape[1] // 2
        inner = slice(half - half // 2, half + half // 2 + 1)
        found: list[Float64s] = []
        for side in self.sides:
            shown = grey[self.window_pixels[side][:, inner, inner]].astype(np.float32)
            # What is the same all along the track tells nothing of its steps.
            runs_across = np.ptp(self.xy_mm[side], axis=0).argmax() == 0
            shown -= shown.mean(axis=2 if runs_across else 1, keepdims=True)
            shown = shown.reshape(len(side), -1)
            usual = np.median(shown, axis=0)
            lengths = np.linalg.norm(shown, axis=1) * np.linalg.norm(usual)
            found.append(np.asarray(shown @ usual / (lengths + 1e-3), np.float64))
        return float(np.median(np.concatenate(found))) if found else 0.0

    @property
    def is_as_known(self) -> bool:
        """Whether this copy's steps lie where the board file has them."""
        return self.alikeness >= ALIKE


@cached_per_board
def track_of(printed: PrintedBoard) -> PrintedTrack:
    """Return a board's score track; what is computed of it is kept."""
    return PrintedTrack(printed)


# A shadow that is darker than this may be black plastic: the track is dark, and shape decides.
DARKEST = 0.8
# Between which of them a pixel shows usual print: the numbers on it differ.
USUAL_PERCENT = (35, 65)
# Gaps so wide on either side are closed: numbers in a plastic's colour nibble at discs.
CLOSED_MM = 2.5
LEAST_MM2 = 35.0  # a smaller patch is noise


@dataclass(frozen=True)
class Outline:
    """How large something is."""

    area_mm2: float
    long_mm: float  # long_mm, short_mm: Sides of the narrowest rectangle around it
    short_mm: float


@dataclass(frozen=True)
class Patch:
    """Plastic of one colour in one piece."""

    colour: int  # index of the colour
    # Its middle as it is seen; what is high is seen further from the camera than it stands.
    xy_mm: tuple[float, float]
    seen: Outline  # all of it
    top: Outline  # without its side: what would be seen of it from straight above
    solid: float  # its share of its convex hull: a disc has nearly all of it


def track_patches(
    view: View, lit: Picture, colours: Sequence[TrainColour], high_mm: float
) -> tuple[Patch, ...]:
    """Return the patches of plastic that lie on the score track, the largest first.

    Parameters
    ----------
    lit : (H, W, 3) uint8 array, BGR
        The board from above, in the reference's light.
    colours : sequence of TrainColour
        As this photo shows them; markers are painted in the trains' colours.
    high_mm : float
        How high they are: so much of their sides is seen below their tops.
    """
    track = track_of(view.printed)
    by_reference = see_board(lit, track, DARKEST)
    by_others = see_board(lit, UsualSteps(track, lit), DARKEST)
    from_print = np.minimum(by_reference.print_distance2, by_others.print_distance2)
    seen = replace(by_reference, print_distance2=from_print)
    evidence = colour_evidence(seen, colours)
    shape = view.printed.reference.shape[:2]
    patches = [
        patch
        for c in range(len(colours))
        for patch in _patches(c, _picture(track, evidence[:, c], shape, -CAP / 2), view, high_mm)
    ]
    return tuple(sorted(patches, key=lambda patch: -patch.seen.area_mm2))


class UsualSteps(PrintWindows):
    """The track's steps as the others of their side show them in one photo."""

    def __init__(self, track: PrintedTrack, lit: Picture) -> None:
        self._track = track
        shown = cv2.GaussianBlur(lit, (0, 0), 0.6).reshape(-1, 3)[track.window_pixels]
        seen = track.reference_range[0]
        low, high = np.full_like(seen, np.inf), np.full_like(seen, -np.inf)
        for side in track.sides:
            usual = np.percentile(shown[side], USUAL_PERCENT, axis=0).astype(np.float32)
            for pixels in track.windows_of_seen[side]:
                low[pixels] = np.minimum(low[pixels], usual[0])
                high[pixels] = np.maximum(high[pixels], usual[1])
        told = np.isfinite(low)
        low, high = (
            np.where(told, usual, known)
            for usual, known in zip((low, high), track.reference_range, strict=True)
        )
        self._range = low, high

    @property
    def window_pixels(self) -> Int32s:
        """The track's."""
        return self._track.window_pixels

    @property
    def reference_range(self) -> tuple[Float32s, Float32s]:
        """What each pixel may usually show, (M, 3) each; at a lone step the reference's."""
        return self._range


def _picture(
    track: PrintedTrack, values: Float32s, shape: tuple[int, int], elsewhere: float
) -> Float32s:
    """Return values of the track's pixels as a picture of the board, (H, W)."""
    picture = np.full(shape[0] * shape[1], elsewhere, np.float32)
    picture[track.seen_pixels] = values
    return picture.reshape(shape)


def _patches(colour: int, evidence: Float32s, view: View, high_mm: float) -> Iterator[Patch]:
    """Yield the patches in which a colour explains more than everything else."""
    px_per_mm = view.printed.px_per_mm
    positive = (cv2.blur(evidence, (3, 3)) > 0).astype(np.uint8)
    plain = cv2.morphologyEx(positive, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    whole = cv2.morphologyEx(plain, cv2.MORPH_CLOSE, _round(CLOSED_MM * px_per_mm))
    count, pieces, stats, middles = cv2.connectedComponentsWithStats(whole, connectivity=4)
    for piece in range(1, count):
        x, y, width, height, area = stats[piece].tolist()
        if area < LEAST_MM2 * px_per_mm**2:
            continue
        middle_mm = (middles[piece] + 0.5) / px_per_mm
        # A thing's top is seen beside its foot, and its side covers all the way between: what
        # remains of a patch where that way fits in is as large as the top.
        brush = _line(view.viewpoint.lean_mm(middle_mm, high_mm) * px_per_mm)
        margin = max(brush.shape)
        at = np.s_[
            max(y - margin, 0) : y + height + margin, max(x - margin, 0) : x + width + margin
        ]
        own = (pieces[at] == piece).astype(np.uint8)
        outline = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0][0]
        hull = cv2.fillConvexPoly(np.zeros_like(own), cv2.convexHull(outline), 1)
        yield Patch(
            colour,
            (float(middle_mm[0]), float(middle_mm[1])),
            _outline(own, px_per_mm),
            _outline(np.asarray(cv2.erode(own, brush), np.uint8), px_per_mm),
            float(own.sum() / hull.sum()),
        )


def _outline(shape: Picture, px_per_mm: float) -> Outline:
    """Return how large what is not zero in a picture is."""
    pixels = cv2.findNonZero(shape)
    if pixels is None:
        return Outline(0.0, 0.0, 0.0)
    sides = (np.array(cv2.minAreaRect(pixels)[1]) + 1) / px_per_mm
    return Outline(len(pixels) / px_per_mm**2, float(sides.max()), float(sides.min()))


def _line(to_px: Float64s) -> Picture:
    """Return a brush as long as a way on the board, (2,), and one pixel wide."""
    end = np.rint(to_px / 2).astype(int)
    half = np.abs(end)
    brush = np.zeros((2 * half[1] + 1, 2 * half[0] + 1), np.uint8)
    return np.asarray(cv2.line(brush, (half - end).tolist(), (half + end).tolist(), 1), np.uint8)


def _round(radius_px: float) -> Picture:
    """Return a round brush."""
    side = 2 * round(radius_px) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
