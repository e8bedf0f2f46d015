"""A small net that recognizes stations: square, as high as wide, with a chimney.

Its input is a window around a patch of one player's colour, in the photo and in the reference, both
in the reference's light, and how well each pixel fits that colour, and another's. Windows are
rotated so that things lean to the right. benchmarks/teaching/fit_station_net.py trains it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Float32s, Float64s, Indices, Mask, Picture

from ..colours.train_colours import TrainColour
from ..printed.board_cache import cached_per_board
from ..printed.print_windows import PrintRange, grid_along
from ..printed.printed_board import MARK_MM, PrintedBoard, PrintedPlaces
from .evidence import CAP, colour_evidence, see_board
from .train_net import ask, tones

PX_PER_MM = 1.0  # scale of the ground and of windows
WINDOW_PX = 40
PLANES = 12
EVIDENCE_UNIT = 4.0  # evidence and leans are divided by these units
SHADE = 0.65  # factor of a station's colour in a shadow, where trains are in light
LEAN_UNIT_MM = 10.0
PLAIN_LEAN_MM = 1.0  # windows with less lean are not rotated
AT_ONCE = 32  # windows in a batch

# The program's net; benchmarks replace it by one trained without some house.
NET = Path(__file__).with_name("station_net.onnx")


@dataclass(frozen=True, eq=False)
class PrintedGround:
    """The whole print of a board, at `PX_PER_MM`."""

    reference: Picture  # (H, W, 3) uint8, BGR
    spaces: Picture  # (H, W) uint8: 255 where spaces are printed

    @cached_property
    def print_range(self) -> PrintRange:
        """The range of the print at all pixels."""
        return PrintRange.of(self.reference, np.arange(self.spaces.size, dtype=np.int32))


@cached_per_board
def ground_of(printed: PrintedBoard) -> PrintedGround:
    """Return a board's whole print."""
    size_wh = ground_wh(printed)
    reference = cv2.resize(printed.reference, size_wh, interpolation=cv2.INTER_AREA)
    spaces = printed.footprint(np.arange(len(printed.xy_mm)), printed.px_per_mm, 0.0) * 255
    shown = cv2.resize(spaces, size_wh, interpolation=cv2.INTER_AREA)
    return PrintedGround(np.asarray(reference, np.uint8), np.asarray(shown, np.uint8))


def ground_in(places: PrintedPlaces) -> PrintedGround:
    """Return a board's whole print, with the marks of places drawn in if the reference lacks them.

    Drawings lack them, and rings in orange with a light middle would be taken for plastic.
    """
    ground = ground_of(places.printed)
    if places.mark is None:
        return ground
    reference, reach = ground.reference.copy(), round(MARK_MM * PX_PER_MM) + 1
    for x_mm, y_mm in places.xy_mm:
        left, top = (max(0, int(at * PX_PER_MM) - reach) for at in (x_mm, y_mm))
        part = reference[top : top + 2 * reach, left : left + 2 * reach]
        off_x = (left + np.arange(part.shape[1]) + 0.5) / PX_PER_MM - x_mm
        off_y = (top + np.arange(part.shape[0]) + 0.5) / PX_PER_MM - y_mm
        half = (len(places.mark) - 1) / 2
        at = (off * places.printed.steps_per_mm + half for off in (off_x, off_y))
        x_in, y_in = (np.asarray(axis, np.float32) for axis in np.meshgrid(*at))
        shown = cv2.remap(places.mark, x_in, y_in, cv2.INTER_LINEAR)
        is_mark = np.hypot(off_x[None], off_y[:, None]) <= MARK_MM
        part[is_mark] = shown[is_mark]
    return replace(ground, reference=reference)


def ground_wh(printed: PrintedBoard) -> tuple[int, int]:
    """Return the width and height of a board's ground, in pixels."""
    width, height = printed.board.size_mm
    return round(width * PX_PER_MM), round(height * PX_PER_MM)


@dataclass(frozen=True, eq=False)
class SeenGround:
    """A photo of the whole board, and its evidence for each colour."""

    ground: PrintedGround
    photo: Picture  # (H, W, 3) uint8, BGR, in the reference's light
    evidence: Float32s  # (H, W, C) float32: of `evidence.colour_evidence`
    # (H, W, C) float32: the same without the print as an explanation, which would hide a station on
    # a print of its own colour.
    likeness: Float32s
    shaded: Float32s  # (H, W, C) float32: evidence for the colours in a shadow


def see_ground(lit: Picture, ground: PrintedGround, colours: Sequence[TrainColour]) -> SeenGround:
    """Compare a photo, in the reference's light, with the whole print."""
    height, width = ground.spaces.shape
    photo = np.asarray(cv2.resize(lit, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    seen = see_board(photo, ground.print_range)
    unprinted = replace(seen, print_distance2=np.full_like(seen.print_distance2, CAP))
    evidence, likeness = (
        colour_evidence(one, colours).reshape(height, width, -1) for one in (seen, unprinted)
    )
    dark = []
    for colour in colours:
        lightness, a, b = (SHADE * value for value in colour.lab)
        dark.append(replace(colour, lab=(lightness, a, b)))
    of_all = colour_evidence(seen, [*colours, *dark]).reshape(height, width, -1)
    shaded = np.ascontiguousarray(of_all[..., len(colours) :])
    return SeenGround(ground, photo, evidence, likeness, shaded)


def planes(seen: SeenGround, at_mm: Float64s, colour: Indices, lean_mm: Float64s) -> Float32s:
    """Return the net's input planes, (n, `PLANES`, `WINDOW_PX`, `WINDOW_PX`).

    `at_mm` are the windows' middles on the board, (n, 2), `colour` the indices of their colours,
    (n,), `lean_mm` the shifts of a station's roof from its foot there, (n, 2).
    """
    inputs = np.empty((len(at_mm), PLANES, WINDOW_PX, WINDOW_PX), np.float32)
    if len(inputs) == 0:
        return inputs
    far = np.hypot(*lean_mm.T)
    along = np.where(far[:, None] > PLAIN_LEAN_MM, lean_mm / np.maximum(far, 1e-6)[:, None], (1, 0))
    steps = (np.arange(WINDOW_PX) + 0.5 - WINDOW_PX / 2) / PX_PER_MM
    grid = (grid_along(at_mm, along, steps, steps) * PX_PER_MM - 0.5).astype(np.float32)

    def sampled(picture: Picture | Float32s, some: Mask | slice = slice(None)) -> npt.NDArray[Any]:
        """Return windows of a picture, (n, rows, columns, channels)."""
        # One window a row: OpenCV takes no picture of 32,768 rows.
        x, y = cv2.split(grid[some].reshape(-1, WINDOW_PX**2, 2))
        taken = cv2.remap(picture, x, y, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
        windows = np.asarray(taken, picture.dtype)
        return windows.reshape(-1, WINDOW_PX, WINDOW_PX, *picture.shape[2:])

    inputs[:, 0:3] = tones(sampled(seen.photo))
    inputs[:, 3:6] = tones(sampled(seen.ground.reference))
    best = seen.evidence.max(axis=-1)
    second = np.where(seen.evidence == best[..., None], -np.inf, seen.evidence).max(axis=-1)
    second[np.isinf(second)] = 0.0
    for c in np.unique(colour).tolist():
        own = seen.evidence[..., c]
        other = np.where(own == best, second, best)
        of_c = np.dstack([own, other, seen.likeness[..., c], seen.shaded[..., c]]) / EVIDENCE_UNIT
        of_colour = sampled(np.asarray(of_c, np.float32), colour == c)
        inputs[colour == c, 6:10] = np.moveaxis(of_colour, -1, 1)
    inputs[:, 10] = sampled(seen.ground.spaces) / np.float32(255)
    inputs[:, 11] = (far / LEAN_UNIT_MM)[:, None, None]
    return inputs


def ask_station_net(inputs: Float32s) -> Float32s:
    """Return the log-odds that a station of the colour stands in the middle of each window."""
    if len(inputs) == 0:
        return np.zeros(0, np.float32)
    starts = range(0, len(inputs), AT_ONCE)
    return ask(NET, (inputs[start : start + AT_ONCE] for start in starts))[:, 0]
